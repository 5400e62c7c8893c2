"""How often intervals cover, by summation over every tally there can be: no simulation.

For tests, and for docs/reference/coverage.md, which `docs/reference/make_coverage.py` writes.
"""

from functools import cache

import numpy as np
from scipy.stats import binom

from tossup.server.estimation import estimate, two_coins
from tossup.server.estimation.intervals.sequence import report_sequence

COINS = two_coins()
#: An end that is the share itself covers it; rounding must not decide.
SLACK = 1e-10
#: True shares from 0 to 1.
GRID = np.linspace(0, 1, 401)


@cache
def ends(n, method):
    """Return both ends after each tally of yes reports, from 0 to n."""
    shares = (estimate(yes=yes, n=n, design=COINS) for yes in range(n + 1))
    intervals = (share.interval(method=method) for share in shares)
    return np.array([(interval.low, interval.high) for interval in intervals])


def covered(n, method, truths=GRID):
    """Return the chance that the interval holds the truth, for each true share."""
    low, high = ends(n, method).T
    truths = np.asarray(truths, dtype=float)[:, None]
    holds = (low - SLACK <= truths) & (truths <= high + SLACK)
    return (binom.pmf(np.arange(n + 1), n, 0.25 + truths / 2) * holds).sum(axis=1)


def difference_covered(n, first, second):
    """Return the chance that MOVER's interval holds a difference of two groups of n each."""
    low, high = ends(n, "score").T
    value = 2 * np.arange(n + 1) / n - 0.5
    apart = value[:, None] - value
    lower = apart - np.hypot((value - low)[:, None], high - value)
    upper = apart + np.hypot((high - value)[:, None], value - low)
    holds = (lower <= first - second) & (first - second <= upper)
    chances = [binom.pmf(np.arange(n + 1), n, 0.25 + share / 2) for share in (first, second)]
    return float(chances[0] @ holds @ chances[1])


@cache
def bounds(looks):
    """Return the ends of the confidence sequence for each n up to so many looks."""
    return [
        np.array([report_sequence(k, n, 0.95) for k in range(n + 1)]) for n in range(1, looks + 1)
    ]


def ever_missed(rate, at_looks):
    """Return the chance that some look excludes a report rate, reports arriving one by one."""
    alive, missed = np.array([1.0]), 0.0
    for found in at_looks:
        alive = np.append(alive * (1 - rate), 0) + np.append(0, alive * rate)
        outside = (rate < found[:, 0]) | (rate > found[:, 1])
        missed += alive[outside].sum()
        alive[outside] = 0
    return float(missed)
