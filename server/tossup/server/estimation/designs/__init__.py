"""Designs: how answers were randomized, as rows of exact chances, and what a report counts for.

In: a name, probabilities, a mechanism. Out: a channel and the scores of its reports.
Sees no count of reports and no estimate.
"""
