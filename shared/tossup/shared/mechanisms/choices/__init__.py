"""One of k options, where every option is as far from any other.

In comes the index of an option, out comes an option, a mask of options or the number of a block.
These files see the index and the coins, never what an option means or how common it is.
"""
