"""Comparing: differences, ratios, tests and trends of estimates that are made elsewhere.

In: estimates of groups, waves or designs. Out: how far they are apart, and how surely.
Sees no report but as counts within an estimate.
"""
