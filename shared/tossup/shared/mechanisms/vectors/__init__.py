"""A vector of bounded length, in whole steps.

In: the number of a point in a ball. Out: the number of a point or a direction.
These files see the point and the coins, never what a component measures.
"""
