"""A number on a declared grid, with noise in whole steps, clipped beyond its bounds.

In comes the index of a grid point, out comes a point of the widened grid.
These files see the index and the coins, never the bounds, the step or the unit.
"""
