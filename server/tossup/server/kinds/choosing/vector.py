"""Choose the coins of a question about a vector from what its author asks for.

Stage: authoring, before any answer. The mechanism is the one whose mean needs the
fewest people, unless a file names another.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any, Final

from tossup.server.estimation.vectors.caps import best_cap
from tossup.server.estimation.vectors.moments import component_variance
from tossup.server.kinds.choosing import named
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms import (
    EntryGaussian,
    EntryLaplace,
    PrivUnit,
    VectorLaplace,
    VectorMechanism,
)
from tossup.shared.mechanisms.checks import ratio
from tossup.shared.mechanisms.noise.discrete_gaussian import DEFAULT_DELTA
from tossup.shared.mechanisms.vectors import entry_laplace as entries
from tossup.shared.mechanisms.vectors.entry_gaussian import MAX_SQUARED
from tossup.shared.mechanisms.vectors.vector_laplace import MAX_WINDOW

#: What wrapping around may move a mean by, at most 2 to the power of minus this, in steps.
BIAS_BITS: Final = 64

_PRECISE: Final = Context(prec=60)

_Part = Mapping[str, Any]


def vector_laplace(dimension: int, radius: int, odds: Fraction) -> VectorLaplace:
    """Return the design with these odds whose window moves means by less than 2**-64 steps.

    >>> vector_laplace(2, 16, Fraction(3)).window
    2116

    Raises
    ------
    MechanismError
        If the odds are not above 1, or need a window above 32,768 steps.
    """
    narrow = VectorLaplace(dimension, radius, radius, *ratio(odds))
    windows = range(radius, MAX_WINDOW + 1)
    place = bisect_left(windows, True, key=partial(_wraps_little, narrow))  # noqa: FBT003
    if place < len(windows):
        return VectorLaplace(dimension, radius, windows[place], narrow.keep, narrow.lie)
    raise MechanismError(
        f"odds of {brief(odds)} over a norm of {radius} steps in {dimension} dimensions need noise"
        f" beyond {MAX_WINDOW} steps; take a larger step, higher odds or privunit"
    )


def privunit(dimension: int, radius: int, odds: Fraction) -> PrivUnit:
    """Return the design with these odds and the cap of least variance.

    >>> privunit(9, 64, Fraction(3)).cap
    9224
    """
    keep, lie = ratio(odds)
    half_sphere = PrivUnit(dimension, radius, 0, keep, lie)
    return PrivUnit(dimension, radius, best_cap(half_sphere), keep, lie)


def entry_gaussian(
    dimension: int, radius: int, odds: Fraction, delta: Fraction = DEFAULT_DELTA
) -> EntryGaussian:
    """Return the design with the least noise whose delta at these odds is at most this.

    Its window is so wide that wrapping moves means by less than 2**-64 steps. Noise beyond m
    steps has a probability of at most 2 exp(-(m - 1)**2 / (2 sigma**2)) (Canonne, Kamath and
    Steinke 2020, corollary 17); 4 (2 window + 1) times that is below 2**-64 for windows up to
    32,768 where (m - 1)**2 is 116 sigma**2.

    >>> entry_gaussian(2, 16, Fraction(3)).squared
    20743

    Raises
    ------
    MechanismError
        If delta is not between 0 and 1, or noise would be wider than the mechanism's limits.
    """
    if not 0 < delta < 1:
        raise MechanismError(f"delta ({brief(delta)}) must be above 0 and below 1")
    make = partial(_with_noise, dimension, radius, ratio(odds))
    tried = range(1, MAX_SQUARED + 1)
    place = bisect_left(tried, True, key=lambda squared: make(squared).delta <= delta)  # noqa: FBT003
    if place < len(tried) and (found := make(tried[place])).window <= MAX_WINDOW:
        return found
    raise MechanismError(
        f"odds of {brief(odds)} but for {brief(delta)} over a norm of {radius} steps in {dimension}"
        f" dimensions need noise beyond {MAX_WINDOW} steps; take a larger step, higher odds, a"
        " larger delta or privunit"
    )


def _with_noise(dimension: int, radius: int, ratio: tuple[int, int], squared: int) -> EntryGaussian:
    window = radius + 2 + isqrt(116 * squared)
    return EntryGaussian(dimension, radius, window, squared, *ratio)


def entry_laplace(
    dimension: int, radius: int, odds: Fraction, components: int | None = None
) -> EntryLaplace:
    """Return the design with these odds whose window moves means by less than 2**-64 steps.

    Parameters
    ----------
    components
        Of those whose products are entries as well, their number; the dimension by default.

    >>> entry_laplace(2, 16, Fraction(3)).window
    2353

    Raises
    ------
    MechanismError
        If the odds are not above 1, or need a window above 65,536 steps.
    """
    parts = dimension if components is None else components
    narrow = EntryLaplace(dimension, radius, parts, radius, *ratio(odds))
    windows = range(radius, entries.MAX_WINDOW + 1)
    place = bisect_left(windows, True, key=partial(_entries_wrap_little, narrow))  # noqa: FBT003
    if place < len(windows):
        return replace(narrow, window=windows[place])
    raise MechanismError(
        f"odds of {brief(odds)} over a norm of {radius} steps with {dimension} entries need noise"
        f" beyond {entries.MAX_WINDOW} steps; take a larger step, higher odds or privunit"
    )


#: Those whose windows and caps are searched for here. Others are made by themselves.
_SEARCHED: Final[Mapping[str, Callable[[int, int, Fraction, _Part], VectorMechanism]]] = {
    "privunit": lambda entries, radius, odds, _: privunit(entries, radius, odds),
    "entry-laplace": lambda entries, radius, odds, part: entry_laplace(
        entries, radius, odds, part["components"]
    ),
    "vector-laplace": lambda entries, radius, odds, _: vector_laplace(entries, radius, odds),
    "entry-gaussian": lambda entries, radius, odds, part: entry_gaussian(
        entries, radius, odds, DEFAULT_DELTA if part.get("delta") is None else part["delta"]
    ),
}


def for_vector(
    dimension: int,
    radius: int,
    name: str | None,
    odds: Fraction | Decimal,
    delta: Fraction | None = None,
    *,
    components: int | None = None,
) -> VectorMechanism:
    """Return the design for a vector.

    Parameters
    ----------
    dimension, radius
        Entries, and the declared norm in steps.
    name
        As survey files have it; ``"auto"`` or None for the mean of least variance.
    odds
        Odds as a ratio, met exactly or refused; or an epsilon as a decimal, for the largest
        ratio up to e**epsilon of integers that sum to at most 2**20.
    delta
        For ``"entry-gaussian"``: the chance for which the odds need not hold, one in a million
        unless it is given. Others keep theirs without exception.
    components
        Of those whose products are entries as well, their number; the dimension by default.

    Raises
    ------
    MechanismError
        If the name is none, a delta is given to others, or no design has such odds.
    """
    part = {"mechanism": name, "delta": delta, "radius": radius, "components": components}
    named.check_delta("vector", part)
    if name is None or name == "auto":
        return min(_possible(dimension, odds, part).values(), key=component_variance)
    return _made(dimension, odds, part)


def why(mechanism: VectorMechanism, components: int) -> str:
    """Return why a design has the least variance, with all figures; nothing if it has not.

    Parameters
    ----------
    components
        Of the vector, whose products may be entries as well.

    >>> why(privunit(2, 32, Fraction(3)), components=2)[:58]
    'privunit has the least variance at these odds; n times the'
    """
    part = {"radius": mechanism.radius, "components": components}
    made = _possible(mechanism.dimension, mechanism.odds, part)
    names = sorted(made, key=lambda name: component_variance(made[name]))
    if made[names[0]] != mechanism:
        return ""
    squared = mechanism.radius**2
    figures = ", ".join(f"{name} {component_variance(made[name]) / squared:.4g}" for name in names)
    return (
        f"{names[0]} has the least variance at these odds; n times the variance of an entry's"
        f" mean, in squared norms: {figures}"
    )


def _possible(entries: int, odds: Fraction | Decimal, part: _Part) -> dict[str, VectorMechanism]:
    """Return what is compared, by its name in survey files; never nothing."""
    found: dict[str, VectorMechanism] = {}
    refusal = MechanismError("no mechanism for vectors is compared")
    for name in named.compared("vector"):
        try:
            found[name] = _made(entries, odds, {**part, "mechanism": name})
        except MechanismError as error:  # too many components, too fine a grid, too low odds
            refusal = error
    if not found:
        raise refusal
    return found


def _made(entries: int, odds: Fraction | Decimal, part: _Part) -> VectorMechanism:
    """Return the design that a table names, for vectors of so many entries."""
    if (search := _SEARCHED.get(part["mechanism"])) is not None:
        ratio = named.odds_asked(VectorMechanism.odds_within, odds, entries, part)
        return search(entries, part["radius"], ratio, part)
    made = named.make("vector", odds, entries, part, "a vector")
    if not isinstance(made, VectorMechanism):
        raise TypeError(f"{made.name} is not for vectors")
    return made


def _wraps_little(design: VectorLaplace, window: int) -> bool:
    """Return whether a window this wide moves the mean of a component by at most 2**-64 steps.

    Wrapping moves a component by 2 window + 1 steps, and needs a norm of m = window - radius at
    least. At most (2 n + 1)**d points have a norm of n when rounded up, each of a weight of at
    most b**n, where b = (lie / keep)**(1 / D); summed from m on that is at most
    (2 m + 1)**d b**m / (1 - b exp(2 d / (2 m + 1))). All weights together are at least those of a
    cube within a ball of radius j D, whatever j: (2 floor(j D / sqrt d) + 1)**d (lie / keep)**j.
    """
    with localcontext(_PRECISE):
        d, distance, least = design.dimension, design.distance, window - design.radius
        fall = _log(design.keep) - _log(design.lie)
        rate = Decimal(2 * d) / (2 * least + 1) - fall / distance
        if rate >= 0:
            return False
        beyond = d * _log(2 * least + 1) - fall * least / distance - (1 - rate.exp()).ln()
        most = min(int(d / fall) + 1, window // distance)
        within = max(_cube(design, j) - j * fall for j in range(most + 1))
        return _log(2 * window + 1) + beyond + BIAS_BITS * _log(2) <= within


def _entries_wrap_little(design: EntryLaplace, window: int) -> bool:
    """Return whether a window this wide moves the mean of an entry by at most 2**-64 steps.

    Wrapping moves an entry by 2 window + 1 steps, and needs noise of m = window - radius + 1 at
    least. That has a probability of at most 2 r**m, if r**window is at most 1/2.
    """
    with localcontext(_PRECISE):
        fall = _log(1 << entries.DIGITS) - _log(design.fall)
        beyond = fall * (window - design.radius + 1)
        enough = _log(2 * window + 1) + (BIAS_BITS + 1) * _log(2)
        return beyond >= enough


def _cube(design: VectorLaplace, j: int) -> Decimal:
    """Return the logarithm of how many points a cube within a ball of radius j D has."""
    half = isqrt((j * design.distance) ** 2 // design.dimension)
    return design.dimension * _log(2 * half + 1)


def _log(number: int) -> Decimal:
    return Decimal(number).ln()
