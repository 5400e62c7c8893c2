"""One of k options, where every option is as far from any other; or a text, by its hash.

In: an index. Out: an option, a mask of options or the number of a block.
These files see the index and the coins, never what an option means or how common it is.
"""
