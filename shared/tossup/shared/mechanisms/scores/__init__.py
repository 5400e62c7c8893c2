"""One of a few options, where near misses are better than far ones.

In: the index of an option. Out: an option, likelier one that scores high for it.
These files see public scores, the index and the coins, never what an option means.
"""
