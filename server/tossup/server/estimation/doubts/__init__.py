"""Doubts: what forged reports and people who do not follow the design could do to a share.

In: a share, and how many are supposed to cheat. Out: intervals that hold all the same.
Sees no report but as counts within a share.
"""
