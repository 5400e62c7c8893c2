"""Every bound on what mechanisms cost together, by name, and the tightest of them."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Final

from tossup.server.accounting import composition, loss_grid, optimal
from tossup.server.accounting.composition import Parts
from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.rounding import checked_probability


@dataclass(frozen=True, slots=True)
class Bound:
    """One way to say what mechanisms cost together.

    Attributes
    ----------
    name
        ``sequential``, ``advanced``, ``min-of-three``, ``optimal`` or ``optimal-on-grid``.
    guarantee
        What holds by it.
    source
        The publication, with its theorem.
    """

    name: str
    guarantee: Guarantee
    source: str


SOURCES: Final = {
    "sequential": "Dwork and Roth 2014, theorem 3.16",
    "advanced": "Dwork, Rothblum and Vadhan 2010, theorem III.3",
    "min-of-three": "Kairouz, Oh and Viswanath 2015, theorem 3.5",
    "optimal": "Murtagh and Vadhan 2016, theorem 1.5",
    "optimal-on-grid": "the same optimum, bounded as in Doroshenko et al. 2022",
}

_OF_EQUALS: Final = "Kairouz, Oh and Viswanath 2015, theorem 3.3"
#: Above this epsilon the advanced bound is millions of times the sum, and not offered.
_MOST_ADVANCED: Final = 15


def bounds(parts: Parts, slack: Decimal = Decimal(0)) -> tuple[Bound, ...]:
    """Return every bound that applies, in a fixed order; the first needs no slack.

    Parameters
    ----------
    parts
        What each mechanism promises, and how often it is used.
    slack
        The delta one is ready to add for a smaller epsilon; in [0, 1).

    Raises
    ------
    AccountingError
        If there is no mechanism, a count is not positive, the slack is outside [0, 1), or delta
        reaches 1.

    Examples
    --------
    >>> found = bounds({Guarantee(Decimal("0.1")): 30}, Decimal("1e-6"))
    >>> [(bound.name, str(bound.guarantee.shown()[0])) for bound in found]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('sequential', '3.0000'), ('advanced', '3.1947'), ('min-of-three', '2.9656'),
     ('optimal', '2.3459')]
    """
    checked_probability(slack, "slack")
    ways: dict[str, Callable[[], Guarantee]] = {
        "sequential": partial(composition.sequential, parts),
        "min-of-three": partial(composition.min_of_three, parts, slack),
        "optimal": partial(optimal.optimal, parts, slack),
        "optimal-on-grid": partial(loss_grid.optimal_on_grid, parts, slack),
    }
    ((part, times), *others) = composition.checked_parts(parts).items()
    ways["advanced"] = partial(composition.advanced, part, times, slack)
    sources = SOURCES | ({} if others else {"optimal": _OF_EQUALS})
    without = left_out(parts, slack)
    if "optimal" not in without:
        del sources["optimal-on-grid"]
    return tuple(
        Bound(name, ways[name](), source) for name, source in sources.items() if name not in without
    )


def left_out(parts: Parts, slack: Decimal = Decimal(0)) -> dict[str, str]:
    """Return the bounds that `bounds` does not give, by name, each with the reason.

    Not the one on a grid where the optimum itself is given.

    >>> left_out({Guarantee(Decimal("0.1")): 200_000}, Decimal("1e-6"))["optimal"]
    'would tell 200002 runs apart, more than 65536'
    """
    composition.checked_parts(parts)
    if not slack:
        why = "needs a slack above 0; without one, nothing is below the sum"
        return {name: why for name in SOURCES if name != "sequential"}
    found = {}
    if len(parts) > 1:
        found["advanced"] = "for answers of one kind alone"
    elif next(iter(parts)).epsilon > _MOST_ADVANCED:
        found["advanced"] = f"millions of times the sum above epsilon {_MOST_ADVANCED}"
    runs, mechanisms = optimal.runs(parts), sum(parts.values())
    if runs <= optimal.MOST_RUNS:
        return found
    found["optimal"] = f"would tell {runs} runs apart, more than {optimal.MOST_RUNS}"
    if mechanisms > loss_grid.MOST_MECHANISMS:
        found["optimal-on-grid"] = (
            f"for up to {loss_grid.MOST_MECHANISMS} answers, not {mechanisms}"
        )
    elif slack < loss_grid.SMALLEST_SLACK:
        found["optimal-on-grid"] = f"for a slack from {loss_grid.SMALLEST_SLACK} on"
    return found


def tightest(found: tuple[Bound, ...]) -> Bound:
    """Return the bound of smallest epsilon; of equal ones, that of smallest delta."""
    return min(found, key=lambda bound: (bound.guarantee.epsilon, bound.guarantee.delta))
