"""How often intervals cover, by summation over every tally there can be: no simulation.

For tests, and for docs/reference/coverage.md, which `docs/reference/make_coverage.py` writes.
"""

from functools import cache
from itertools import combinations, product
from math import prod

import numpy as np
from scipy.stats import binom, multinomial

from tossup.server.estimation import (
    cheating_detection,
    estimate,
    estimate_joint,
    estimate_moments,
    inverse_shares,
    kuk,
    two_coins,
)
from tossup.server.estimation.comparing.apart import summed
from tossup.server.estimation.designs.scores import channel_array, floats_of
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
def tallies(n, kinds):
    """Return every tally of n reports of some kinds, a row each."""
    bars = combinations(range(n + kinds - 1), kinds - 1)
    return np.diff([(-1, *places, n + kinds - 1) for places in bars], axis=1) - 1


def all_covered(n, channel, populations, intervals):
    """Return how often intervals of all shares cover them: a row a population, a column a share.

    ``intervals(tally)`` returns an interval an answer; the channel has a row an answer.
    """
    every = tallies(n, channel.shape[1])
    ends = np.array([[found.ends for found in intervals(tally)] for tally in every])
    rows = []
    for shares in np.asarray(populations, dtype=float):
        holds = (ends[:, :, 0] - SLACK <= shares) & (shares <= ends[:, :, 1] + SLACK)
        rows.append(multinomial.pmf(every, n, shares @ channel) @ holds)
    return np.array(rows)


def choices_covered(n, mechanism, populations):
    """Return how often each share of a choice by score is covered, as `all_covered`."""

    def intervals(tally):
        return [share.interval() for share in inverse_shares(tally.tolist(), mechanism)]

    return all_covered(n, channel_array(mechanism), populations, intervals)


def cells_covered(n, design, populations):
    """Return how often each cell of a table of two yes/no questions is covered."""

    def intervals(tally):
        return estimate_joint(tally.reshape(2, 2), [design, design]).intervals()

    channel = floats_of(design)
    return all_covered(n, np.kron(channel, channel), populations, intervals)


def two_samples_covered(n, shares):
    """Return how often the honest yes, the honest no and the cheating are covered, n a sample.

    Forced yes with 1/4 of the first sample and 3/4 of the second.
    """
    yes, (honest, _, cheating) = (0.25, 0.75), shares
    rates = [honest + (1 - honest - cheating) * forced for forced in yes]
    chances = [binom.pmf(np.arange(n + 1), n, rate) for rate in rates]
    covered = np.zeros(3)
    for tally in product(range(n + 1), repeat=2):
        found = cheating_detection(*((k, n) for k in tally), yes=yes).values()
        ends = np.array([unknown.interval().ends for unknown in found])
        holds = (ends[:, 0] - SLACK <= shares) & (shares <= ends[:, 1] + SLACK)
        covered += holds * chances[0][tally[0]] * chances[1][tally[1]]
    return covered


def cards_covered(n, populations):
    """Return how often the share of yes is covered, two red cards or fewer a report."""
    design = kuk(yes="3/4", no="7/20", draws=2)

    every = tallies(n, 3)
    ends = np.array([estimate_moments(each.tolist(), design).interval().ends for each in every])
    channel = floats_of(design)
    return [
        float(
            multinomial.pmf(every, n, [1 - share, share] @ channel)
            @ ((ends[:, 0] - SLACK <= share) & (share <= ends[:, 1] + SLACK))
        )
        for share in populations
    ]


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
