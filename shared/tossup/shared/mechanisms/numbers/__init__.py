"""A number on a declared grid, reported so that its mean is told, or its distribution.

In: the index of a grid point. Out: a report that counts for a number of steps.
These files see the index and the coins, never the bounds, the step or the unit.
"""
