"""Several demands on one figure at once: the epsilons that meet them all, if there are any.

A demand is a largest standard deviation, or a largest chance of being far off. Both ask for an
epsilon that is large enough; a limit on what answers may cost asks for one that is small enough.
Between the two is the feasible range. Sampling does not shrink with epsilon, so for a population's
share there may be none, whatever the limit.

Normal approximations of local errors, as usual in planning; a curator's noise is exact.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import exp, floor, log, sqrt
from statistics import NormalDist
from typing import Final, Literal, get_args

from tossup.server.planning.curator.noise import Geometric, Laplace
from tossup.server.planning.errors import (
    PlanningError,
    count,
    odds_above_one,
    positive,
    probability,
)
from tossup.server.planning.search import first

Figure = Literal["count", "share", "sum"]

#: Odds are looked for in thousandths up to this; beyond it coins hardly matter.
_MOST_ODDS: Final = 10**6
#: A curator's epsilons are looked for in ten thousandths up to this.
_MOST_EPSILON: Final = 100


@dataclass(frozen=True, slots=True)
class Deviation:
    """The standard deviation is at most this."""

    most: float

    def __post_init__(self) -> None:
        positive(self.most, "a standard deviation")

    def __str__(self) -> str:
        return f"standard deviation at most {self.most:g}"


@dataclass(frozen=True, slots=True)
class Tail:
    """An absolute error above ``beyond`` has a probability below ``chance``."""

    beyond: float
    chance: float

    def __post_init__(self) -> None:
        positive(self.beyond, "an error")
        probability(self.chance, "the chance of an error")

    def __str__(self) -> str:
        return f"absolute error above {self.beyond:g} with probability below {self.chance:g}"


Demand = Deviation | Tail


@dataclass(frozen=True, slots=True)
class Range:
    """The odds and epsilons that meet all demands: from the least to the limit.

    Attributes
    ----------
    odds, epsilon
        The least; exact to a thousandth of the odds, or a ten thousandth of a curator's epsilon.
    demand
        The one that asks for most.
    """

    odds: float
    epsilon: float
    demand: Demand


@dataclass(frozen=True, slots=True)
class Feasible:
    """What meets the demands, trusting nobody and trusting a curator; None where nothing does.

    Attributes
    ----------
    local, central
        Randomized on the device; noised by a curator who sees every true answer.
    limit
        The largest odds that answers may cost, if any was given.
    floor
        The standard deviation that is left at any odds, locally.
    """

    local: Range | None
    central: Range | None
    limit: Fraction | None
    floor: float


@dataclass(frozen=True, slots=True)
class _Way:
    """How far off a figure is under each setting of one dial, a rising whole number."""

    most: int
    meets: Callable[[Demand, int], bool]
    odds: Callable[[int], float | Fraction]


def feasible(
    n: int,
    demands: Sequence[Demand],
    *,
    of: Figure = "count",
    bounds: tuple[float, float] = (0, 1),
    limit: Fraction | None = None,
) -> Feasible:
    """Return which epsilons meet all demands on a figure of n respondents.

    Parameters
    ----------
    n
        How many respondents.
    demands
        One or more.
    of
        ``"count"``: how many of these respondents have a yes; ``"sum"``: the sum of their numbers
        within bounds, of one bit each (Duchi's mechanism), at its widest; ``"share"``: the share
        of yes in the population, with sampling, where it is widest. Symmetric coins for yes/no.
    bounds
        Of the numbers of a sum.
    limit
        The largest odds that an answer may cost.

    Raises
    ------
    PlanningError
        If there is no demand, or an argument is outside its range.

    Examples
    --------
    >>> both = [Deviation(10), Tail(100, 0.01)]
    >>> found = feasible(1000, both)
    >>> found.local.odds, round(found.local.epsilon, 3), str(found.local.demand)
    (11.917, 2.478, 'standard deviation at most 10')
    >>> print(feasible(1000, both, limit=Fraction(3)).local)
    None
    """
    count(n, "n")
    if not demands:
        raise PlanningError("name what is demanded: a standard deviation, an error, or both")
    if odd := [demand for demand in demands if not isinstance(demand, Deviation | Tail)]:
        raise PlanningError(f"{odd[0]!r} is no demand, such as Deviation(10) or Tail(100, 0.01)")
    if of not in get_args(Figure):
        raise PlanningError(f"of ({of!r}) must be one of {', '.join(get_args(Figure))}")
    limit = None if limit is None else odds_above_one(limit)
    width = _width(bounds) if of == "sum" else 1.0
    local, central = _local(of, n, width), _central(of, n, width)
    return Feasible(
        _least(local, demands, limit),
        _least(central, demands, limit),
        limit,
        _local_deviation(of, n, width, float("inf")),
    )


def feasible_on(
    ladder: Sequence[Fraction],
    local: Callable[[Fraction], float],
    central: Callable[[float], float | None],
    left: float,
    demands: Sequence[Demand],
) -> Feasible:
    """Return which odds of a ladder, and which epsilons of a curator, meet all demands.

    Parameters
    ----------
    ladder
        Rising odds; the last are the limit.
    local, central
        The largest standard deviation at given odds, and at a curator's epsilon; None if there is
        no curator. Errors are near normal.
    left
        The standard deviation that is left at any odds.
    demands
        One or more.

    Raises
    ------
    PlanningError
        If there is no demand.
    """
    if not demands:
        raise PlanningError("name what is demanded: a standard deviation, an error, or both")

    def odds(dial: int) -> Fraction:
        return ladder[min(dial, len(ladder)) - 1]

    def central_meets(demand: Demand, dial: int) -> bool:
        deviation = central(dial / 10_000)
        return deviation is not None and _normal_meets(demand, deviation)

    coins = _Way(len(ladder), lambda d, dial: _normal_meets(d, local(odds(dial))), odds)
    other = _Way(10_000 * _MOST_EPSILON, central_meets, lambda dial: exp(dial / 10_000))
    limit = ladder[-1]
    return Feasible(_least(coins, demands, limit), _least(other, demands, limit), limit, left)


def _width(bounds: tuple[float, float]) -> float:
    if not isinstance(bounds, Sequence) or len(bounds) != 2:
        raise PlanningError(f"bounds ({bounds!r}) must be the lowest number and the highest")
    return positive(bounds[1] - bounds[0], "the width of the bounds")


def _least(way: _Way, demands: Sequence[Demand], limit: Fraction | None) -> Range | None:
    """Return the least setting that meets all demands, unless it is above the limit."""
    asked = {demand: first(partial(way.meets, demand), way.most) for demand in demands}
    if None in asked.values():
        return None
    most, dial = max(asked.items(), key=lambda item: item[1] or 0)
    odds = way.odds(dial or 0)
    if limit is not None and odds > limit:
        return None
    return Range(float(odds), log(odds), most)


def _local(of: Figure, n: int, width: float) -> _Way:
    """Return the coins' way; the dial is thousandths of the odds above 1."""

    def meets(demand: Demand, dial: int) -> bool:
        return _normal_meets(demand, _local_deviation(of, n, width, 1 + dial / 1000))

    return _Way(1000 * _MOST_ODDS, meets, lambda dial: 1 + dial / 1000)


def _local_deviation(of: Figure, n: int, width: float, odds: float) -> float:
    """Return the largest standard deviation at these odds."""
    if odds == float("inf"):
        return {"count": 0.0, "sum": width / 2 * sqrt(n), "share": 1 / sqrt(4 * n)}[of]
    gap = (odds + 1) / (odds - 1)
    if of == "count":
        return sqrt(n * odds) / (odds - 1)
    return width / 2 * sqrt(n) * gap if of == "sum" else gap / sqrt(4 * n)


def _central(of: Figure, n: int, width: float) -> _Way:
    """Return the curator's way; the dial is ten thousandths of epsilon."""

    def meets(demand: Demand, dial: int) -> bool:
        epsilon = dial / 10_000
        if of == "count":
            return _geometric_meets(demand, Geometric(1, epsilon))
        if of == "sum":
            return _laplace_meets(demand, Laplace(width, epsilon))
        noise = Laplace(1 / n, epsilon).standard_deviation
        return _normal_meets(demand, sqrt(0.25 / n + noise**2))

    return _Way(10_000 * _MOST_EPSILON, meets, lambda dial: exp(dial / 10_000))


def _normal_meets(demand: Demand, deviation: float) -> bool:
    if isinstance(demand, Deviation):
        return deviation <= demand.most
    return 2 * NormalDist().cdf(-demand.beyond / deviation) < demand.chance


def _geometric_meets(demand: Demand, noise: Geometric) -> bool:
    if isinstance(demand, Deviation):
        return noise.standard_deviation <= demand.most
    return noise.beyond(floor(demand.beyond) + 1) < demand.chance


def _laplace_meets(demand: Demand, noise: Laplace) -> bool:
    if isinstance(demand, Deviation):
        return noise.standard_deviation <= demand.most
    return exp(-demand.beyond / noise.scale) < demand.chance
