"""Tossing in bulk: exact random choices for many made-up respondents at once.

In: how likely each outcome is, as integers. Out: arrays of outcomes.
Sees no report of a respondent; coins come from the operating system, or from a stated seed.
"""
