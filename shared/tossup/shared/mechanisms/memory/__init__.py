"""Answers asked again, wave after wave, through what a device keeps.

In: an answer, and coins that were tossed once. Out: the report of one wave.
These files see one answer at a time and never which wave it is of.
"""
