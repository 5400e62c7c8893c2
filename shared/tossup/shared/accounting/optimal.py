"""The least that several mechanisms can cost together: exact optima, and a bound on a grid.

Whatever the mechanisms are, they reveal no more than randomized response with the same epsilons
(Kairouz, Oh and Viswanath 2015, theorem 3.4). A run of those is a set S of truthful answers; for
x = e**epsilon it needs delta(x) = max over sets of runs of Pr - x Pr', so that the least x for a
slack is the largest (Pr - slack) / Pr' over runs sorted by their ratio, and no search is needed.
"""

from collections.abc import Iterator
from decimal import Decimal
from math import prod
from typing import Final, NamedTuple

from tossup.shared.accounting.composition import (
    Parts,
    checked_parts,
    joint_slack,
    sequential_epsilon,
    without_delta,
)
from tossup.shared.accounting.guarantee import Guarantee
from tossup.shared.accounting.rounding import (
    PRECISE,
    checked_probability,
    checked_times,
    joint_delta,
    raised,
)
from tossup.shared.errors import AccountingError

#: Runs that are told apart at most: about half a second and 30 MB. At this many steps, sixty digits
#: still leave an error below 1e-54.
MOST_RUNS: Final = 1 << 16


class _Run(NamedTuple):
    """Runs of equal loss: ln(Pr / Pr'), their probability, and that under the other answers."""

    loss: Decimal
    here: Decimal
    there: Decimal


def optimal(parts: Parts, slack: Decimal) -> Guarantee:
    """Return the exact optimum: no smaller epsilon holds for all mechanisms with these promises.

    For equal mechanisms it is that of Kairouz, Oh and Viswanath (their theorem 3.3, between its
    levels too), otherwise that of Murtagh and Vadhan (theorem 1.5). Mechanisms of equal epsilon
    count as one group, and the work is the product of (times + 1) over groups.

    Raises
    ------
    AccountingError
        If more than `MOST_RUNS` runs must be told apart; `optimal_on_grid` bounds those.
    """
    checked_probability(slack, "slack")
    pure = without_delta(checked_parts(parts))
    runs = prod(times + 1 for times in pure.values())
    if runs > MOST_RUNS:
        raise AccountingError(
            f"the exact optimum would tell {runs} runs apart, more than {MOST_RUNS};"
            " use optimal_on_grid"
        )
    epsilon = min(sequential_epsilon(parts), _least_epsilon(_all_runs(pure), slack))
    return Guarantee(epsilon, joint_slack(parts, slack))


def levels(guarantee: Guarantee, times: int) -> Iterator[Guarantee]:
    """Yield the guarantees ((k - 2i) epsilon, delta_i) of k equal mechanisms, i = 0, ..., k // 2.

    delta_i = sum over l < i of C(k, l) (e**((k-l) epsilon) - e**((k-2i+l) epsilon)) /
    (1 + e**epsilon)**k, joined with delta of each. Those with a delta of 1 are left out.

    References
    ----------
    Kairouz, Oh and Viswanath 2015, The composition theorem for differential privacy, theorem 3.3.
    """
    runs = _group(guarantee.epsilon, checked_times(times))
    for i in range(times // 2 + 1):
        factor = Decimal(times - 2 * i)
        level = PRECISE.multiply(factor, guarantee.epsilon)
        odds, delta = PRECISE.exp(level), Decimal(0)
        for run in runs[:i]:
            gain = PRECISE.subtract(run.here, PRECISE.multiply(odds, run.there))
            delta = PRECISE.add(delta, gain)
        joint = joint_delta({raised(delta): 1, guarantee.delta: times})
        if joint < 1:
            yield Guarantee(level, joint)


def _least_epsilon(runs: list[_Run], slack: Decimal) -> Decimal:
    """Return ln of the largest (Pr - slack) / Pr' over the most telling runs, rounded up."""
    here = there = Decimal(0)
    odds = Decimal(1)
    for run in sorted(runs, reverse=True):
        here = PRECISE.add(here, run.here)
        there = PRECISE.add(there, run.there)
        beyond = PRECISE.subtract(raised(here), slack)
        # Later runs only lower the ratio once they are less telling than what is reached.
        odds = max(odds, PRECISE.divide(beyond, there))
    return raised(PRECISE.ln(raised(odds))) if odds > 1 else Decimal(0)


def _all_runs(pure: Parts) -> list[_Run]:
    runs = [_Run(Decimal(0), Decimal(1), Decimal(1))]
    for part, times in pure.items():
        runs = [_joined(run, more) for more in _group(part.epsilon, times) for run in runs]
    return runs


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
