"""A bound close to the optimum for many different mechanisms, by losses on a grid.

Randomized response with epsilon between two grid points is replaced by one that also says which of
the two it stands for, in such parts that forgetting this gives the first one back. So it reveals
no less, its losses lie on the grid, and losses on a grid add up in a table of fixed size. The cost
is of second order in the grid's step (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022, Connect
the dots). There is none where all epsilons are multiples of a step, such as those of two decimals.
"""

from decimal import ROUND_FLOOR, Decimal
from math import gcd, inf, log1p
from typing import Final

from tossup.shared.accounting.composition import (
    Parts,
    checked_parts,
    joint_slack,
    sequential_epsilon,
    without_delta,
)
from tossup.shared.accounting.guarantee import Guarantee
from tossup.shared.accounting.rounding import PRECISE, checked_probability
from tossup.shared.errors import AccountingError

#: Mechanisms at most; beyond, a grid that can be worked through is too coarse to help.
MOST_MECHANISMS: Final = 4096
#: Cells of all tables together: about half a second.
_WORK: Final = 1 << 22
#: The same where epsilons lie on a grid: twice as fast, and worth some seconds.
_MORE_WORK: Final = 1 << 25
#: Cells of one table are fewer than twice `_WORK` over this, so that their sum stays accurate.
_FEWEST_COUNTED: Final = 16
#: Relative error allowed for: above that of 4096 sums of four terms and one of 2**19.
_ERROR: Final = 2e-10
#: Below this, floats might drop what counts.
SMALLEST_SLACK: Final = Decimal("1e-200")


def optimal_on_grid(parts: Parts, slack: Decimal) -> Guarantee:
    """Return a guarantee that holds, somewhat above that of `optimal`, for many mechanisms.

    Raises
    ------
    AccountingError
        If there are more than `MOST_MECHANISMS`, the slack is below 1e-200, or every epsilon is 0.
    """
    if checked_probability(slack, "slack") < SMALLEST_SLACK:
        raise AccountingError(f"slack ({slack}) must be at least {SMALLEST_SLACK} on a grid")
    total = sequential_epsilon(checked_parts(parts))
    chances = _chances(without_delta(parts), total)
    epsilon = log1p(_least_excess(chances, float(slack))) * (1 + _ERROR)
    return Guarantee(min(total, Decimal(epsilon)), joint_slack(parts, slack))


def _chances(pure: Parts, total: Decimal) -> list[float]:
    """Return the chances of all losses together, from the most negative grid point on."""
    mechanisms = sum(pure.values())
    if mechanisms > MOST_MECHANISMS:
        raise AccountingError(f"a grid helps up to {MOST_MECHANISMS} mechanisms, not {mechanisms}")
    if not total:
        raise AccountingError("every epsilon is 0: there is nothing to bound")
    step = _step(pure, total, Decimal(max(mechanisms, _FEWEST_COUNTED)))
    chances = [1.0]
    for part, times in pure.items():
        lower, masses = _split(part.epsilon, step)
        for _ in range(times):
            chances = _added(chances, lower, masses)
    return chances


def _step(pure: Parts, total: Decimal, counted: Decimal) -> Decimal:
    """Return a step that all epsilons are multiples of, or if too fine one there is time for."""
    work = PRECISE.multiply(total, counted)
    epsilons = [part.epsilon for part in pure]
    unit = min(int(epsilon.as_tuple().exponent) for epsilon in epsilons)
    common = gcd(*(int(epsilon.scaleb(-unit, PRECISE)) for epsilon in epsilons))
    exact = Decimal(common).scaleb(unit, PRECISE)
    if PRECISE.divide(work, exact) <= _MORE_WORK:
        return exact
    return PRECISE.divide(work, Decimal(_WORK))


def _split(epsilon: Decimal, step: Decimal) -> tuple[int, tuple[float, ...]]:
    """Return the grid point below epsilon, and the chances of the losses around it and below 0.

    In order: of the point and the one above, of their negatives.
    """
    lower = int(PRECISE.divide(epsilon, step).to_integral_value(ROUND_FLOOR))
    low, high = (PRECISE.exp(PRECISE.multiply(step, Decimal(lower + i))) for i in (0, 1))
    odds = PRECISE.exp(epsilon)
    lie = PRECISE.divide(Decimal(1), PRECISE.add(odds, Decimal(1)))
    share = PRECISE.divide(PRECISE.subtract(odds, low), PRECISE.subtract(high, low))
    above = max(Decimal(0), PRECISE.multiply(lie, share))
    below = max(Decimal(0), PRECISE.subtract(lie, above))
    ups = PRECISE.multiply(below, low), PRECISE.multiply(above, high)
    return lower, tuple(float(chance) for chance in (*ups, below, above))


def _added(chances: list[float], lower: int, masses: tuple[float, ...]) -> list[float]:
    """Return the chances of the sum of a loss and one more; both tables are centred on 0."""
    up, up_more, down, down_more = masses
    reach = lower + 1
    padded = [0.0] * (2 * reach) + chances + [0.0] * (2 * reach)
    size = len(chances) + 2 * reach
    # Entry i is the loss i - half; it comes from i - loss, which stands at i + reach - loss here.
    return [
        up * a + up_more * b + down * c + down_more * d
        for a, b, c, d in zip(
            padded[1 : size + 1],
            padded[0:size],
            padded[2 * reach - 1 : size + 2 * reach - 1],
            padded[2 * reach : size + 2 * reach],
            strict=True,
        )
    ]


def _least_excess(chances: list[float], slack: float) -> float:
    """Return the largest (Pr - slack) / Pr' - 1 over the most telling losses, raised."""
    here = there = 0.0
    excess = 0.0
    # The same loss with the other answers is the opposite one.
    for chance, opposite in zip(reversed(chances), chances, strict=True):
        here += chance
        there += opposite
        surely_there = there * (1 - _ERROR)
        beyond = here * (1 + _ERROR) - slack - surely_there
        if beyond > 0:
            excess = max(excess, beyond / surely_there if surely_there else inf)
    return excess
