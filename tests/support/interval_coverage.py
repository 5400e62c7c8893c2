"""How often intervals cover, by summation over every tally there can be: no simulation.

For tests, and for docs/reference/coverage.md, which `docs/reference/make_coverage.py` writes.
"""

from functools import cache
from itertools import product
from math import prod

import numpy as np
from scipy.stats import binom

from tossup.server.estimation import estimate, two_coins
from tossup.server.estimation.comparing.apart import summed
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


def trend_covered(n, shares, times):
    """Return the chance that a trend's interval holds the slope of waves of n each."""
    pulls = [time - sum(times) / len(times) for time in times]
    pulls = [pull / sum(each**2 for each in pulls) for pull in pulls]
    slope = sum(pull * share for pull, share in zip(pulls, shares, strict=True))
    waves = [estimate(yes=yes, n=n, design=COINS) for yes in range(n + 1)]
    known = [(wave.value, wave.interval()) for wave in waves]
    chances = [binom.pmf(np.arange(n + 1), n, 0.25 + share / 2) for share in shares]
    covered = 0.0
    for tally in product(range(n + 1), repeat=len(shares)):
        low, high = summed([known[yes] for yes in tally], pulls, lambda *_: 0.0)
        if low - SLACK <= slope <= high + SLACK:
            covered += prod(float(of[yes]) for of, yes in zip(chances, tally, strict=True))
    return covered


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
