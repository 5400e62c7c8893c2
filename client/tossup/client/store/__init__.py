"""The store: what a device keeps, in one SQLite file and a mark beside it.

In: tossed reports and what they cost. Out: the same reports, and what was ever spent.
Sees no network.
"""
