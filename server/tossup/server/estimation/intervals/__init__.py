"""Intervals: the arithmetic of counts, from exact tails to intervals that hold at every look.

In: counts, rates and a confidence. Out: ends of intervals, tails, standard errors never nothing.
Sees no mechanism and no question.
"""
