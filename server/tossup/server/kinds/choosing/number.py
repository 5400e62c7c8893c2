"""Choose the coins of a question about a number from what its author asks for.

Stage: authoring, before any answer. Whole numbers are reported by the truncated geometric
mechanism unless a file names another, since it tells mean, variance, quartiles and shares;
other numbers by the mechanism whose mean needs the fewest people.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.designs.scores import channel_array, mean_scores
from tossup.server.estimation.errors import EstimationError
from tossup.server.kinds.choosing import named
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import DiscreteGaussian, GridMechanism, Mechanism
from tossup.shared.mechanisms.noise.discrete_gaussian import DEFAULT_DELTA, MAX_CELLS

_NOTHING: Final[Mapping[str, Any]] = {}

#: Points of the grid on which the margin of the discrete Gaussian is searched for, the margins
#: tried, in quarters of a range, and how many more between the best and its neighbours.
_COARSE: Final = 17
_QUARTERS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64)
_BETWEEN: Final = 8

#: Larger tables take more than seconds to solve; the largest that a file makes has 1,024 x 3,070.
_LARGEST_TABLE: Final = 1 << 22


def for_number(
    grid: Grid, name: str | None, odds: Fraction | Decimal, part: Mapping[str, Any] = _NOTHING
) -> GridMechanism:
    """Return the design for a number.

    Parameters
    ----------
    grid
        The numbers that the question takes.
    name
        As survey files have it; ``"auto"`` for the mean of least variance; None for the default.
    odds
        Odds as a ratio, met exactly or refused; or an epsilon as a decimal, for the largest
        ratio up to e**epsilon that the mechanism's integers allow.
    part
        The question's table, for what only some mechanisms take: of ``"discrete-gaussian"`` the
        chance ``delta`` for which its odds need not hold, one in a million by default.

    Raises
    ------
    MechanismError
        If the name is none, no design has odds above 1 and integers that fit, or its reports
        are too much alike to tell a mean.

    Examples
    --------
    >>> for_number(Grid.integers(0, 10), "duchi", Fraction(3))
    Duchi(points=11, keep=3, lie=1)
    """
    if name is None:
        name = "truncated-geometric" if grid.whole else "auto"
    part = {**part, "mechanism": name}
    named.check_delta("number", part)
    if name == "auto":
        return min(_for_a_mean(grid.points, odds).values(), key=mean_variance)
    kind = named.named("number", name, "a number")
    design = made(kind, grid.points, odds, part)
    check_tells_a_mean(design)
    return design


def made(
    kind: type[Mechanism], points: int, odds: Fraction | Decimal, part: Mapping[str, Any]
) -> GridMechanism:
    """Return the design of a mechanism that a table asks for.

    Of the discrete Gaussian its margin is found here, by floats, of which mechanisms hold none.
    """
    ratio = named.odds_asked(kind.odds_within, odds, points, part)
    if issubclass(kind, DiscreteGaussian):
        return gaussian(points, ratio, part.get("delta", DEFAULT_DELTA))
    return of_grid(kind.from_file(part, ratio, points))


def of_grid(mechanism: Mechanism) -> GridMechanism:
    """Return a mechanism that is for numbers.

    Raises
    ------
    TypeError
        If it is not.
    """
    if not isinstance(mechanism, GridMechanism):
        raise TypeError(f"{mechanism.name} is not for a number")
    return mechanism


def why_for_a_mean(mechanism: GridMechanism) -> str:
    """Return why a design is the best for a mean, in one sentence; nothing if it is not.

    >>> from tossup.shared.mechanisms import Duchi
    >>> why_for_a_mean(Duchi(11))
    ''
    """
    if type(mechanism) not in named.compared("number").values():
        return ""
    made = _for_a_mean(mechanism.answers, mechanism.odds)
    if mechanism not in made.values():
        return ""
    spread = {kind: mean_variance(design) for kind, design in made.items()}
    best = min(spread, key=lambda kind: spread[kind])
    if made[best] != mechanism:
        return ""
    figures = ", ".join(
        f"{kind} {spread[kind]:.4g}" for kind in sorted(spread, key=spread.__getitem__)
    )
    return f"{best} has the least variance of the mean; n times it, in squared ranges: {figures}"


def check_tells_a_mean(mechanism: GridMechanism) -> None:
    """Refuse a design whose reports no mean could be estimated from, before anyone answers.

    At odds near 1 the rows of a fine table differ by less than floats can tell.

    >>> from tossup.shared.mechanisms import Duchi
    >>> check_tells_a_mean(Duchi(11))

    Raises
    ------
    MechanismError
        If the reports are too much alike, or the table has more than 2**22 cells.
    """
    if mechanism.answers * mechanism.reports > _LARGEST_TABLE:
        raise MechanismError(
            f"{mechanism.name} has {mechanism.answers} answers by {mechanism.reports} reports,"
            f" more than the {_LARGEST_TABLE} cells that are estimated from; take fewer reports"
        )
    try:
        mean_scores(mechanism)
    except EstimationError as error:
        raise MechanismError(
            f"reports of {mechanism.name} are too much alike to tell a mean: odds of"
            f" {brief(mechanism.odds)} over {mechanism.answers} points; ask for higher odds or"
            " fewer points"
        ) from error


@lru_cache(maxsize=8)
def _for_a_mean(points: int, odds: Fraction | Decimal) -> Mapping[str, GridMechanism]:
    """Return the designs that are compared for a mean, by their names in survey files."""
    return {name: made(kind, points, odds, {}) for name, kind in named.compared("number").items()}


def gaussian(points: int, odds: Fraction, delta: Fraction) -> DiscreteGaussian:
    """Return the discrete Gaussian whose mean has the least variance at these odds and delta.

    A wider margin tells more of each report; a narrower one lets the noise be smaller, since
    clipping hides what normal noise tells in its tails. The best margin in ranges is the same for
    all but the coarsest grids, and is found on one of at most 17 points.
    """
    steps, ranges = _best_margin(min(points, _COARSE), odds, delta)
    most = (MAX_CELLS // points - points) // 2
    margin = max(1, min(steps * (points - 1) // ranges, most))
    return DiscreteGaussian.for_odds(points, odds, delta, margin)


@lru_cache(maxsize=64)
def _best_margin(points: int, odds: Fraction, delta: Fraction) -> tuple[int, int]:
    """Return the margin of least variance on a grid of so many points, and the range, in steps."""
    span = points - 1

    @cache
    def spread(margin: int) -> float:
        try:
            return mean_variance(DiscreteGaussian.for_odds(points, odds, delta, margin))
        except EstimationError:  # too narrow a margin tells no mean
            return inf

    tried = sorted({max(1, span * quarters // 4) for quarters in _QUARTERS})
    place = tried.index(min(tried, key=spread))
    low, high = tried[max(0, place - 1)], tried[min(place + 1, len(tried) - 1)]
    return min(range(low, high + 1, max(1, (high - low) // _BETWEEN)), key=spread), span


@lru_cache(maxsize=64)
def mean_variance(mechanism: GridMechanism) -> float:
    """Return n times the largest variance of the mean's estimate, in squared ranges.

    Over all answers that everyone might give; a range is the distance of the bounds.
    """
    points = np.arange(mechanism.answers)
    return float((_squares(mechanism) - points**2).max()) / (mechanism.answers - 1) ** 2


@lru_cache(maxsize=64)
def widest_mean_variance(mechanism: GridMechanism) -> float:
    """Return the same over all populations, whose answers differ among people, too.

    With m(x) the mean square of what a report of the answer x counts for, the variance is
    E m(x) - (E x)**2. Of all populations with a mean, two answers have the largest E m(x), which
    between them rises evenly: by s a step, so that the variance is largest where the mean is s / 2.
    """
    squares, points = _squares(mechanism), np.arange(mechanism.answers, dtype=np.float64)
    low, high = np.triu_indices(mechanism.answers, 1)
    rise = (squares[high] - squares[low]) / (points[high] - points[low])
    mean = np.clip(rise / 2, points[low], points[high])
    variances = squares[low] + rise * (mean - points[low]) - mean**2
    return float(variances.max()) / (mechanism.answers - 1) ** 2


def _squares(mechanism: GridMechanism) -> NDArray[np.float64]:
    """Return the mean square of what a report counts for in the mean, of every answer."""
    squares: NDArray[np.float64] = channel_array(mechanism) @ mean_scores(mechanism) ** 2
    return squares
