"""Asking: whether a question may be answered now, and in which wave.

In: a signed survey, the day and the store. Out: what may be tossed, repeated or shown first.
Sees no answer and no network.
"""
