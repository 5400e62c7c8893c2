"""A preference order of a few options.

In: the number of an order. Out: one option, likelier one that is ranked high.
These files see the order and the coins, never what an option means.
"""
