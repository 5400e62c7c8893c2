"""One of a few options, where near misses are better than far ones, or a preference order.

In: the index of an option or of an order. Out: an option, likelier one with a high score or rank.
These files see public scores, the index and the coins, never what an option means.
"""
