"""The least that several mechanisms can cost together: exact optima, and a bound on a grid.

Whatever the mechanisms are, they reveal no more than randomized response with the same epsilons
(Kairouz, Oh and Viswanath 2015, theorem 3.4). A run of those is a set S of truthful answers; for
x = e**epsilon it needs delta(x) = max over sets of runs of Pr - x Pr', so that the least x for a
slack is the largest (Pr - slack) / Pr' over the most telling runs. Mechanisms are dealt into two
halves, and a run is one of each: what is listed are the runs of the halves, not all their pairs.
"""

from decimal import Decimal
from itertools import accumulate
from math import prod
from typing import Final, NamedTuple

from tossup.server.accounting.composition import (
    Parts,
    checked_parts,
    joint_slack,
    sequential_epsilon,
    without_delta,
)
from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.rounding import (
    PRECISE,
    checked_probability,
    raised,
)
from tossup.shared.errors import AccountingError

#: Runs of both halves that are listed at most: about a second and 30 MB. At this many steps, sixty
#: digits still leave an error below 1e-54.
MOST_RUNS: Final = 1 << 16
#: Halvings of the range of epsilons, after which few exact steps are left.
_HALVINGS: Final = 16


class _Run(NamedTuple):
    """Runs of equal loss: ln(Pr / Pr'), their probability, and that under the other answers."""

    loss: Decimal
    here: Decimal
    there: Decimal


def optimal(parts: Parts, slack: Decimal) -> Guarantee:
    """Return the exact optimum: no smaller epsilon holds for all mechanisms with these promises.

    For equal mechanisms it is that of Kairouz, Oh and Viswanath (their theorem 3.3, between its
    levels too), otherwise that of Murtagh and Vadhan (theorem 1.5). Mechanisms of equal epsilon
    count as one group; the work is the product of (times + 1) over the groups of one half.

    Raises
    ------
    AccountingError
        If `runs` are more than `MOST_RUNS`; `optimal_on_grid` bounds those.
    """
    checked_probability(slack, "slack")
    listed = runs(parts)
    if listed > MOST_RUNS:
        raise AccountingError(
            f"the exact optimum would tell {listed} runs apart, more than {MOST_RUNS};"
            " use optimal_on_grid"
        )
    first, second = map(_all_runs, _halves(without_delta(parts)))
    epsilon = min(sequential_epsilon(parts), _least_epsilon(first, second, slack))
    return Guarantee(epsilon, joint_slack(parts, slack))


def runs(parts: Parts) -> int:
    """Return how many runs `optimal` lists for these mechanisms, in both halves together."""
    return sum(map(_size, _halves(without_delta(checked_parts(parts)))))


def _halves(pure: Parts) -> tuple[Parts, Parts]:
    """Deal groups of equal mechanisms into two halves, the largest first, to the smaller half."""
    halves: tuple[dict[Guarantee, int], dict[Guarantee, int]] = ({}, {})
    for part, times in sorted(pure.items(), key=lambda group: -group[1]):
        min(halves, key=_size)[part] = times
    return halves


def _size(half: Parts) -> int:
    return prod(times + 1 for times in half.values())


def _least_epsilon(first: list[_Run], second: list[_Run], slack: Decimal) -> Decimal:
    """Return ln of the least odds that the slack makes up for, rounded up.

    Its delta falls in the odds and is convex, so that from any smaller odds on the ratio
    (Pr - slack) / Pr' of the runs above them is nearer to it and never beyond (Newton's step).
    """
    tails = _tails(second)
    low, high = Decimal(0), PRECISE.add(first[0].loss, second[0].loss)
    for _ in range(_HALVINGS):
        middle = PRECISE.multiply(PRECISE.add(low, high), Decimal("0.5"))
        beyond = _reached(first, tails, PRECISE.exp(middle), slack) > PRECISE.exp(middle)
        low, high = (middle, high) if beyond else (low, middle)
    odds, nearer = Decimal(0), PRECISE.exp(low)
    while nearer > odds:
        odds, nearer = nearer, _reached(first, tails, nearer, slack)
    return raised(PRECISE.ln(raised(odds))) if odds > 1 else Decimal(0)


def _reached(first: list[_Run], tails: list[_Run], odds: Decimal, slack: Decimal) -> Decimal:
    """Return (Pr - slack) / Pr' over all pairs of runs whose ratio is above the odds; 0 if none."""
    level, place = PRECISE.ln(odds), len(tails)
    here = there = Decimal(0)
    for run in first:
        rest = PRECISE.subtract(level, run.loss)
        while place and tails[place - 1].loss <= rest:
            place -= 1
        if not place:
            break  # the less telling runs need still more of the other half
        here = PRECISE.fma(run.here, tails[place - 1].here, here)
        there = PRECISE.fma(run.there, tails[place - 1].there, there)
    return PRECISE.divide(PRECISE.subtract(raised(here), slack), there) if there else Decimal(0)


def _tails(runs: list[_Run]) -> list[_Run]:
    """Return, for each run, its loss and the sums of the chances up to it."""
    return list(accumulate(runs, _with_more))


def _with_more(whole: _Run, run: _Run) -> _Run:
    here, there = PRECISE.add(whole.here, run.here), PRECISE.add(whole.there, run.there)
    return _Run(run.loss, here, there)


def _all_runs(half: Parts) -> list[_Run]:
    """Return the runs of some mechanisms, the most telling first."""
    runs = [_Run(Decimal(0), Decimal(1), Decimal(1))]
    for part, times in half.items():
        runs = [_joined(run, more) for more in _group(part.epsilon, times) for run in runs]
    return sorted(runs, reverse=True)


def _joined(one: _Run, other: _Run) -> _Run:
    return _Run(
        PRECISE.add(one.loss, other.loss),
        PRECISE.multiply(one.here, other.here),
        PRECISE.multiply(one.there, other.there),
    )


def _group(epsilon: Decimal, times: int) -> list[_Run]:
    """Return the runs of equal mechanisms, 0, 1, ..., times of them lying; most telling first."""
    odds = PRECISE.exp(epsilon)
    truth = PRECISE.divide(odds, PRECISE.add(odds, Decimal(1)))
    lie = PRECISE.divide(Decimal(1), PRECISE.add(odds, Decimal(1)))
    here, there = (PRECISE.power(chance, Decimal(times)) for chance in (truth, lie))
    runs = []
    for lies in range(times + 1):
        loss = PRECISE.multiply(epsilon, Decimal(times - 2 * lies))
        runs.append(_Run(loss, here, there))
        more = PRECISE.divide(Decimal(times - lies), Decimal(lies + 1))
        here = PRECISE.divide(PRECISE.multiply(here, more), odds)
        there = PRECISE.multiply(PRECISE.multiply(there, more), odds)
    return runs
