"""Answers asked again, wave after wave, through what a device keeps.

In comes an answer, and coins that were tossed once; out comes the report of one wave.
These files see one answer at a time and never which wave it is of.
"""
