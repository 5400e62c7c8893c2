"""Choose the coins of a question about a number from what its author asks for.

Stage: authoring, before any answer. Whole numbers are reported by the truncated geometric
mechanism unless a file names another, since it tells mean, variance, quartiles and shares;
other numbers by the mechanism whose mean needs the fewest people.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

import numpy as np

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.scores import channel_array, mean_scores
from tossup.shared.accounting import largest_odds
from tossup.shared.errors import MechanismError
from tossup.shared.grid import Grid
from tossup.shared.mechanisms import (
    DiscreteLaplace,
    Duchi,
    GridMechanism,
    Hybrid,
    Piecewise,
    SquareWave,
    Staircase,
    TruncatedGeometric,
)

#: The kinds by the name that a survey file gives them.
MAKERS: Final[Mapping[str, type[GridMechanism]]] = {
    "truncated-geometric": TruncatedGeometric,
    "discrete-laplace": DiscreteLaplace,
    "staircase": Staircase,
    "duchi": Duchi,
    "piecewise": Piecewise,
    "hybrid": Hybrid,
    "square-wave": SquareWave,
}

_FOR_A_MEAN: Final = ("hybrid", "piecewise", "duchi")

#: Larger tables take more than seconds to solve; the largest that a file makes has 1,024 x 3,070.
_LARGEST_TABLE: Final = 1 << 22


def for_number(grid: Grid, name: str | None, odds: Fraction | Decimal) -> GridMechanism:
    """Return the design for a number.

    Parameters
    ----------
    grid
        The numbers that the question takes.
    name
        A key of `MAKERS`; ``"auto"`` for the mean of least variance; None for the default.
    odds
        Odds as a ratio, met exactly or refused; or an epsilon as a decimal, for the largest
        ratio up to e**epsilon that the mechanism's integers allow.

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
    if name == "auto":
        # Each of these has its mean in closed form.
        made = [_made(MAKERS[kind], grid.points, odds) for kind in _FOR_A_MEAN]
        return min(made, key=mean_variance)
    if name not in MAKERS:
        known = ", ".join(("auto", *MAKERS))
        raise MechanismError(f"mechanism {name} does not fit a number; use one of {known}")
    made_one = _made(MAKERS[name], grid.points, odds)
    check_tells_a_mean(made_one)
    return made_one


def check_tells_a_mean(mechanism: GridMechanism) -> None:
    """Refuse a design whose reports no mean could be estimated from, before anyone answers.

    At odds near 1 the rows of a fine table differ by less than floats can tell.

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
            f" {mechanism.odds} over {mechanism.answers} points; ask for higher odds or fewer"
            " points"
        ) from error


def _made(kind: type[GridMechanism], points: int, odds: Fraction | Decimal) -> GridMechanism:
    if isinstance(odds, Decimal):
        odds = largest_odds(odds, limit=kind.ratio_limit(points))
    return kind.for_odds(points, odds)


def mean_variance(mechanism: GridMechanism) -> float:
    """Return n times the largest variance of the mean's estimate, in squared ranges.

    Over all answers that everyone might give; a range is the distance of the bounds.
    """
    channel, scores = channel_array(mechanism), mean_scores(mechanism)
    variances = channel @ scores**2 - np.arange(mechanism.answers) ** 2
    return float(variances.max()) / (mechanism.answers - 1) ** 2
