"""What several answers cost together, by rules that need no search.

`sequential` holds for any mechanisms, however each was chosen after seeing the reports of those
before. `advanced` and `min_of_three` buy a smaller epsilon with an additional delta, the slack.
Mechanisms are given as a mapping from what each promises to how often it is used. Every result is
rounded up.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.rounding import (
    PRECISE,
    UPWARD,
    checked_probability,
    checked_times,
    joint_delta,
    raised,
)
from tossup.shared.errors import AccountingError

#: What each mechanism promises, and how often it is used.
Parts = Mapping[Guarantee, int]

_E: Final = PRECISE.exp(Decimal(1))


def sequential(parts: Parts) -> Guarantee:
    """Return the sums of epsilon and delta (basic composition): always valid.

    >>> sequential({Guarantee(Decimal("0.1")): 30}).epsilon
    Decimal('3.0')

    Raises
    ------
    AccountingError
        If the deltas sum to 1 or more (nothing is promised then), or a count is not positive.

    References
    ----------
    Dwork and Roth 2014, theorem 3.16.
    """
    epsilon = delta = Decimal(0)
    for part, times in checked_parts(parts).items():
        epsilon = UPWARD.add(epsilon, UPWARD.multiply(part.epsilon, Decimal(times)))
        delta = UPWARD.add(delta, UPWARD.multiply(part.delta, Decimal(times)))
    if delta >= 1:
        raise AccountingError(
            f"the deltas sum to {delta}: together these mechanisms promise nothing"
        )
    return Guarantee(epsilon, delta)


def advanced(guarantee: Guarantee, times: int, slack: Decimal) -> Guarantee:
    """Return the bound of Dwork, Rothblum and Vadhan for one mechanism used several times.

    epsilon' = epsilon sqrt(2 k ln(1 / slack)) + k epsilon (e**epsilon - 1), delta' = k delta +
    slack. Above the plain sum unless k is large and epsilon small.

    References
    ----------
    Dwork, Rothblum and Vadhan 2010, theorem III.3; Dwork and Roth 2014, theorem 3.20.
    """
    whole = sequential({guarantee: times})
    log_slack = _log_inverse(slack)
    spread = PRECISE.sqrt(PRECISE.multiply(Decimal(2 * times), log_slack))
    drift = PRECISE.multiply(Decimal(times), _expm1(guarantee.epsilon))
    epsilon = PRECISE.multiply(guarantee.epsilon, PRECISE.add(spread, drift))
    return Guarantee(raised(epsilon), _below_one(UPWARD.add(whole.delta, slack)))


def min_of_three(parts: Parts, slack: Decimal) -> Guarantee:
    """Return the closed bound of Kairouz, Oh and Viswanath for different mechanisms.

    The least of the sum of epsilons and of two forms with a drift of
    epsilon (e**epsilon - 1) / (e**epsilon + 1) each.

    References
    ----------
    Kairouz, Oh and Viswanath 2015, The composition theorem for differential privacy, theorem 3.5.
    """
    log_slack = _log_inverse(slack)
    drift = squares = Decimal(0)
    for part, times in checked_parts(parts).items():
        grown = PRECISE.divide(_expm1(part.epsilon), PRECISE.add(PRECISE.exp(part.epsilon), 1))
        weighted = PRECISE.multiply(part.epsilon, Decimal(times))
        drift = PRECISE.fma(weighted, grown, drift)
        squares = PRECISE.fma(weighted, part.epsilon, squares)
    softened = PRECISE.ln(PRECISE.add(_E, PRECISE.divide(PRECISE.sqrt(squares), slack)))
    logarithm = min(log_slack, softened)
    spread = PRECISE.sqrt(PRECISE.multiply(PRECISE.multiply(Decimal(2), squares), logarithm))
    epsilon = min(sequential_epsilon(parts), raised(PRECISE.add(drift, spread)))
    return Guarantee(epsilon, joint_slack(parts, slack))


def sequential_epsilon(parts: Parts) -> Decimal:
    """Return the sum of the epsilons alone, exact up to sixty digits, then rounded up."""
    return sequential(without_delta(parts)).epsilon


def joint_slack(parts: Parts, slack: Decimal) -> Decimal:
    """Return 1 - (1 - slack) prod (1 - delta): the delta of the optimal bounds."""
    deltas = {slack: 1}
    for part, times in parts.items():
        deltas[part.delta] = deltas.get(part.delta, 0) + times
    return _below_one(joint_delta(deltas))


def checked_parts(parts: Parts) -> Parts:
    """Return the parts, which are not empty and have positive counts.

    Raises
    ------
    AccountingError
        If there is none, or a count is no positive integer.
    """
    if not parts:
        raise AccountingError("there is no mechanism to compose; give at least one")
    for times in parts.values():
        checked_times(times)
    return parts


def checked_slack(slack: Decimal) -> Decimal:
    """Return a slack above 0 and below 1."""
    if not checked_probability(slack, "slack"):
        raise AccountingError("slack (0) must be above 0 for this bound; at 0 epsilons only add up")
    return slack


def without_delta(parts: Parts) -> Parts:
    """Return the same mechanisms with every delta at 0, equal ones together."""
    pure: dict[Guarantee, int] = {}
    for part, times in parts.items():
        alone = Guarantee(part.epsilon)
        pure[alone] = pure.get(alone, 0) + times
    return pure


def _log_inverse(slack: Decimal) -> Decimal:
    return PRECISE.minus(PRECISE.ln(checked_slack(slack)))


def _below_one(delta: Decimal) -> Decimal:
    if delta >= 1:
        raise AccountingError(f"delta reaches {delta}: together these mechanisms promise nothing")
    return delta


def _expm1(epsilon: Decimal) -> Decimal:
    """Return e**epsilon - 1 without losing the digits of a small epsilon."""
    if not epsilon:
        return Decimal(0)
    wide = PRECISE.copy()
    wide.prec += max(0, -epsilon.adjusted())
    return PRECISE.plus(wide.subtract(wide.exp(epsilon), Decimal(1)))
