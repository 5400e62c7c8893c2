"""Several of k options, or two statements of which none, one or both are true.

In: a mask of what is ticked. Out: noisy bits of some options or of all.
These files see the mask and the coins, never what an option means.
"""
