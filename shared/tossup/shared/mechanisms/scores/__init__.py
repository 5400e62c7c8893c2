"""One of a few options, where near misses are better than far ones.

In comes the index of an option, out comes an option, the likelier the higher it scores for it.
These files see public scores, the index and the coins, never what an option means.
"""
