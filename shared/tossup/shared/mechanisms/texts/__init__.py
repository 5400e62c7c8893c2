"""A text that nobody listed.

In: the number of a text. Out: the noisy bucket of a prefix that chance decides on.
These files see characters as numbers and the coins, never a dictionary or other texts.
"""
