"""Numbers: mean, variance, quantiles and histogram from the counts of randomized reports.

In: a tally and the grid of a question. Out: statistics in the unit of the question.
Sees no single report.
"""
