"""One of k options, where every option is as far from any other.

In: the index of an option. Out: an option, a mask of options or the number of a block.
These files see the index and the coins, never what an option means or how common it is.
"""
