"""How far chance goes: limits that a right program passes but once in a million runs of a test."""

from scipy.stats import binom, norm

FALSE_ALARM = 1e-6


def standard_errors(numbers: int) -> float:
    """Return within how many standard errors so many normal numbers lie, all of them."""
    return float(norm.isf(FALSE_ALARM / 2 / numbers))


def least_inside(runs: int, coverage: float, intervals: int = 1) -> int:
    """Return how many of so many runs have the truth inside at least, for each of the intervals.

    Parameters
    ----------
    runs
        How often each interval is made, independently.
    coverage
        The chance that one of them holds the truth, or less than that.
    intervals
        How many sorts of intervals are counted.
    """
    return int(binom.ppf(FALSE_ALARM / intervals, runs, coverage))
