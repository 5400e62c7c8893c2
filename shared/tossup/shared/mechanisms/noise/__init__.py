"""A number on a declared grid, with noise in whole steps, clipped beyond its bounds.

In: the index of a grid point. Out: a point of the widened grid.
These files see the index and the coins, never the bounds, the step or the unit.
"""
