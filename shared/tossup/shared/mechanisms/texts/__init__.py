"""A text that nobody listed.

In comes the number of a text, out comes the noisy bucket of a prefix that chance decides on.
These files see characters as numbers and the coins, never a dictionary or other texts.
"""
