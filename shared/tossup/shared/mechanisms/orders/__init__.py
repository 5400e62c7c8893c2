"""A preference order of a few options.

In comes the number of an order, out comes one option, the likelier the higher it is ranked.
These files see the order and the coins, never what an option means.
"""
