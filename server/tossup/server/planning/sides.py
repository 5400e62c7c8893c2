"""What other queries than a share cost both ways: randomized on devices, or by a curator.

Each query has its own unit, and one figure for both sides: an error that is exceeded with a
chance of 1 - confidence, of all its numbers together. It is that around the answers of these
respondents, without the sampling that both sides have alike. Local figures are normal
approximations with the variance at its largest (of counts: with all options as common), central
ones quantiles of the noise; of several numbers each has its part of the chance, on both sides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final

from tossup.server.estimation.vectors.moments import component_variance
from tossup.server.kinds.choosing.choice import choose
from tossup.server.kinds.choosing.number import for_number, mean_variance
from tossup.server.kinds.choosing.vector import for_vector
from tossup.server.kinds.spread import variance
from tossup.server.kinds.vector import Ball
from tossup.server.planning.compare import NOBODY, local
from tossup.server.planning.curator import central
from tossup.server.planning.curator.elastic import Join, Table
from tossup.server.planning.curator.sensitivity import clipped
from tossup.server.planning.errors import PlanningError, count, odds_above_one, probability
from tossup.shared.errors import MechanismError
from tossup.shared.kinds.number import Grid
from tossup.shared.kinds.vector import MAX_MOMENT_COMPONENTS
from tossup.shared.odds import epsilon

#: The most options that a local mechanism for choices takes.
MAX_OPTIONS: Final = 1024
#: Steps of the grid on which a local mean is planned.
STEPS: Final = 32
#: Larger bounds and smaller deltas leave the floats on the way.
_LARGEST_BOUND: Final = 1e100
_SMALLEST_DELTA: Final = 1e-100
#: As many respondents as stand for a larger number where the median of their answers is moved.
_MOST_SPREAD: Final = 10_001


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of whom.

    Attributes
    ----------
    n
        How many respondents; of a join, how many rows all tables have together.
    odds
        Of the local design, above 1; central ways promise the same epsilon.
    delta
        What the central ways may add, in [0, 1); a median and a join need one above 0.
    confidence
        That no error is larger than said, in (0, 1).
    options
        Of a histogram and of the option most chosen.
    components
        Of the vectors whose moments are asked.
    bounds
        Of the numbers of a mean and of a median.
    frequencies
        Of a join: how often the commonest value of the joined column occurs in either table.
    self_join
        Whether both are one table.
    """

    n: int
    odds: Fraction
    delta: float = 0.0
    confidence: float = 0.95
    options: int | None = None
    components: int | None = None
    bounds: tuple[float, float] | None = None
    frequencies: tuple[int, int] | None = None
    self_join: bool = False

    @property
    def beta(self) -> float:
        """The chance of a larger error."""
        return 1 - probability(self.confidence, "confidence")

    @property
    def epsilon(self) -> float:
        """Of the central ways: ln(odds), rounded up."""
        return float(epsilon(odds_above_one(self.odds), 15))

    def quantile(self, among: int = 1) -> float:
        """Return z for one of so many errors that hold together."""
        return -NormalDist().inv_cdf(self.beta / (2 * among))


@dataclass(frozen=True, slots=True)
class Side:
    """One way to answer the query.

    Attributes
    ----------
    model
        ``local`` or ``central``.
    mechanism
        Its name.
    delta
        Of the promise.
    hides
        Whose what: of every respondent, from everyone; or of one person, from readers.
    standard_deviation
        Of one number; None for a choice.
    error
        What is exceeded with a chance of 1 - confidence, by any of the numbers.
    trusts
        Whom it trusts.
    """

    model: str
    mechanism: str
    delta: float
    hides: str
    standard_deviation: float | None
    error: float
    trusts: str

    def to_json(self) -> dict[str, object]:
        """Return it as plain JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Sides:
    """A query, answered both ways: the local way first.

    Attributes
    ----------
    query, unit
        What is asked, in words, and of what its errors are.
    assumes
        What the figures take for granted.
    ways
        One local way, or none, then the central ones.
    no_local
        Why there is no local way; empty if there is one.
    """

    query: str
    unit: str
    ways: tuple[Side, ...]
    assumes: str = ""
    no_local: str = ""

    @property
    def best(self) -> Side:
        """The central way of least error, of those that hide an answer if there are any."""
        others = [way for way in self.ways if way.model == "central"]
        alike = [way for way in others if way.hides == _ANSWER]  # as a local way does
        return min(alike or others, key=lambda way: way.error)

    @property
    def price(self) -> float | None:
        """How many times as large the local error is as the best central one; None beside 0."""
        own = self.ways[0]
        return own.error / self.best.error if own.model == "local" and self.best.error else None


def sides(query: str, asked: Asked) -> Sides:
    """Return a query answered both ways.

    Parameters
    ----------
    query
        A key of `QUERIES`.

    Raises
    ------
    PlanningError
        If what the query needs is missing, or outside its range.

    Examples
    --------
    >>> names = sides("histogram", Asked(10**6, Fraction(2), options=100))
    >>> [(way.mechanism, round(way.error)) for way in names.ways][:2]
    [('subset-selection', 9741), ('laplace', 11)]
    """
    odds_above_one(asked.odds)
    try:
        return QUERIES[query](asked)
    except MechanismError as error:
        raise PlanningError(
            f"no device could randomize so: {error}; try odds that are a simpler ratio"
        ) from error


def _count(asked: Asked) -> Sides:
    own = local(asked.odds, asked.n, asked.confidence)
    error = own.margin_respondents * asked.n
    name = own.mechanism
    ways = _central(asked, (central.people(), _ANSWER))
    return Sides("count", "people", (_local(name, error / asked.quantile(), error), *ways))


def _histogram(asked: Asked) -> Sides:
    options = _options(asked)
    queries = (
        (central.histogram(options), _PART),
        (central.histogram(options, replaced=True), _ANSWER),
    )
    ways = _central(asked, *queries)
    if options > MAX_OPTIONS:
        why = f"a choice has at most {MAX_OPTIONS} options on a device; unknown strings are asked"
        return Sides("histogram", "people", ways, no_local=f"{why} as free text")
    name, deviation = _of_one_option(asked, options)
    error = asked.quantile(options) * deviation
    assumed = "of the local way: all options as common"
    return Sides("histogram", "people", (_local(name, deviation, error), *ways), assumed)


def _most_chosen(asked: Asked) -> Sides:
    options = _options(asked)
    ways = tuple(
        _side(central.most_chosen(options, asked.epsilon, asked.beta, replaced=replaced), hides)
        for hides, replaced in ((_PART, False), (_ANSWER, True))
    )
    if options > MAX_OPTIONS:
        why = f"a choice has at most {MAX_OPTIONS} options on a device"
        return Sides("most-chosen", "people fewer than the most", ways, no_local=why)
    name, deviation = _of_one_option(asked, options)
    # Two errors, that of the option named and that of the one most chosen, as for noisy max.
    own = Side("local", name, 0.0, _EACH, None, 2 * asked.quantile(options) * deviation, NOBODY)
    assumed = "of the local way: all options as common, which is where telling them apart is hard"
    return Sides("most-chosen", "people fewer than the most", (own, *ways), assumed)


def _mean(asked: Asked) -> Sides:
    low, high = _bounds(asked)
    span = Fraction(high) - Fraction(low)
    grid = Grid(Fraction(0), Fraction(STEPS), Fraction(1))
    design = for_number(grid, "auto", asked.odds)
    deviation = float(span) * sqrt(mean_variance(design) / count(asked.n, "n"))
    own = _local(_short(design.name), deviation, asked.quantile() * deviation)
    ways = _central(asked, (central.mean(low, high, asked.n), _ANSWER))
    assumed = f"of the local way: a grid of {STEPS} steps, and the answers that are hardest to tell"
    return Sides("mean", "units of the numbers", (own, *ways), assumed)


def _moments(asked: Asked) -> Sides:
    unit = "squared norms"
    components = asked.components
    if components is None or components < 2:
        raise PlanningError("this query needs two components or more")
    ways = tuple(
        _side(way, hides)
        for hides, replaced in ((_PART, False), (_ANSWER, True))
        for way in central.answer_second_moments(
            components, 1.0, asked.epsilon, asked.delta, asked.beta, replaced=replaced
        )
    )
    if components > MAX_MOMENT_COMPONENTS:
        why = f"a device sends the products of at most {MAX_MOMENT_COMPONENTS} components"
        return Sides("moments", unit, ways, no_local=why)
    name, deviation = _of_one_product(asked, components)
    pairs = components * (components + 1) // 2
    own = _local(name, deviation, asked.quantile(pairs) * deviation)
    assumed = "of the local way: the grid that a survey file has without a step"
    return Sides("moments", unit, (own, *ways), assumed)


def _median(asked: Asked) -> Sides:
    low, high = _bounds(asked)
    _needs_delta(asked, "a median")
    people = min(count(asked.n, "n"), _MOST_SPREAD)
    spread = [low + (high - low) * (place + 0.5) / people for place in range(people)]
    found = central.median(
        spread, low=low, high=high, epsilon=asked.epsilon, delta=asked.delta, beta=asked.beta
    )
    why = (
        "a device's number tells a median through its distribution, whose error no plan has;"
        " results have it with an interval, for truncated-geometric on a grid of up to 64 points"
    )
    assumed = "answers evenly spread between the bounds: the noise depends on the answers"
    if asked.n > people:
        assumed += f"; worked out for {people} of them, and more have less noise"
    return Sides("median", "units of the numbers", (_side(found, _ANSWER),), assumed, why)


def _join(asked: Asked) -> Sides:
    if asked.frequencies is None:
        raise PlanningError("a join needs the largest frequencies of both tables")
    _needs_delta(asked, "a join")
    left, right = asked.frequencies
    other = "left" if asked.self_join else "right"
    tables = Table("a", "left", {"key": left}), Table("b", other, {"key": right})
    query = Join(*tables, ("a", "key"), ("b", "key"))
    found = central.join_count(query, count(asked.n, "n"), asked.epsilon, asked.delta, asked.beta)
    why = "no device holds rows of two tables, so nobody could randomize their joining"
    return Sides("join", "joined rows", (_side(found, _PART),), no_local=why)


_EACH: Final = "every respondent's answer, from everyone"
_ANSWER: Final = "what one person answers, from readers"
_PART: Final = "whether one person takes part, from readers"

#: What can be asked, by its name on the command line.
QUERIES: Final[dict[str, Callable[[Asked], Sides]]] = {
    "count": _count,
    "histogram": _histogram,
    "most-chosen": _most_chosen,
    "mean": _mean,
    "moments": _moments,
    "median": _median,
    "join": _join,
}


def _local(name: str, deviation: float, error: float) -> Side:
    return Side("local", name, 0.0, _EACH, deviation, error, NOBODY)


def _side(way: central.CentralAnswer, hides: str) -> Side:
    deviation, error = way.standard_deviation, way.error
    return Side("central", way.mechanism, way.delta, hides, deviation, error, central.TRUSTS)


def _central(asked: Asked, *queries: tuple[central.Query, str]) -> tuple[Side, ...]:
    return tuple(
        _side(way, hides)
        for query, hides in queries
        for way in central.answer(query, asked.epsilon, asked.delta, asked.beta)
    )


def _of_one_option(asked: Asked, options: int) -> tuple[str, float]:
    """Return the mechanism that a survey would take, and the deviation of an option's count."""
    chosen = choose(asked.odds, options).chosen
    found = variance(chosen.mechanism, Fraction(1, options))
    if found is None:
        raise PlanningError(f"the variance of {chosen.name} is not known")
    return chosen.name, sqrt(count(asked.n, "n") * float(found[0]))


def _of_one_product(asked: Asked, components: int) -> tuple[str, float]:
    """Return the mechanism that a survey would take, and the deviation of a sum of products."""
    ids = tuple(map(str, range(components)))
    domain = Ball(ids, Fraction(1), None, moments=True).domain(ids)
    design = for_vector(domain.entries, domain.radius, "auto", asked.odds, components=components)
    per_report = component_variance(design) * float(domain.units[-1]) ** 2
    return _short(design.name), sqrt(count(asked.n, "n") * per_report)


def _options(asked: Asked) -> int:
    if asked.options is None or asked.options < 2:
        raise PlanningError("this query needs two options or more")
    return asked.options


def _bounds(asked: Asked) -> tuple[float, float]:
    if asked.bounds is None:
        raise PlanningError("this query needs bounds of the numbers")
    clipped(*asked.bounds)
    if max(map(abs, asked.bounds)) > _LARGEST_BOUND:
        raise PlanningError(f"bounds must lie between -{_LARGEST_BOUND:g} and {_LARGEST_BOUND:g}")
    return asked.bounds


def _needs_delta(asked: Asked, what: str) -> None:
    if asked.delta < _SMALLEST_DELTA:
        raise PlanningError(
            f"{what} has no noise that keeps a delta of {asked.delta:g} here; give one such as 1e-6"
        )


def _short(name: str) -> str:
    return name.partition("/")[0]
