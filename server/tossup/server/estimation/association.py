"""How strongly two answers go together, from a joint table, with intervals.

All of it is about the answers themselves: the coins weaken every association of the reports, and
are taken out here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import atanh, exp, log, sqrt, tanh
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.distributions import chi_squared_tail
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.interval import Interval, normal_quantile
from tossup.server.estimation.joint import JointEstimate
from tossup.server.estimation.significance import Significance

_STEP: Final = 1e-6  # of a share, to find how a measure changes with each cell


@dataclass(frozen=True, slots=True)
class Association:
    """A measure of two yes/no answers, with its interval.

    Attributes
    ----------
    value
        Phi, or the odds ratio.
    interval
        By the delta method on a scale where the measure is nearly normal: atanh of phi, the
        logarithm of an odds ratio.
    n
        Respondents it rests on.
    """

    value: float
    interval: Interval
    n: int


def phi(table: JointEstimate, confidence: float = 0.95) -> Association:
    """Return the correlation of two yes/no answers.

    Raises
    ------
    EstimationError
        See `JointEstimate.phi`; or if the raw cells give a value outside (-1, 1).
    """
    value = table.phi
    if not -1 < value < 1:
        raise EstimationError("the raw cells give a correlation outside (-1, 1)")
    error = _error(table, lambda cells: atanh(_phi(cells)))
    half = normal_quantile(confidence) * error
    ends = (tanh(atanh(value) - half), tanh(atanh(value) + half))
    return Association(value, Interval(*ends, confidence, "delta-atanh"), table.n)


def odds_ratio(table: JointEstimate, confidence: float = 0.95) -> Association:
    """Return the odds of a second yes after a first yes, over those after a first no.

    Raises
    ------
    EstimationError
        See `JointEstimate.odds_ratio`.
    """
    value = table.odds_ratio
    half = normal_quantile(confidence) * _error(table, _log_odds_ratio)
    ends = (value * exp(-half), value * exp(half))
    return Association(value, Interval(*ends, confidence, "delta-log"), table.n)


def independence(table: JointEstimate) -> Significance:
    """Test on the raw reports whether two answers are independent of each other.

    Independent answers give independent reports, and only they do where both channels can be
    inverted, so Pearson's chi-squared test of the reports is one of the answers.

    Raises
    ------
    EstimationError
        If there are other than two questions, or all reports to one of them agree.
    """
    counts = table.counts.astype(np.float64)
    if counts.ndim != 2:
        raise EstimationError("independence is tested of two questions; sum a third out first")
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / table.n
    if not expected.all():
        raise EstimationError("some report never came, so there is nothing to test")
    statistic = float(((counts - expected) ** 2 / expected).sum())
    df = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return Significance(statistic, df, chi_squared_tail(statistic, df), "chi-square")


def _phi(cells: NDArray[np.float64]) -> float:
    crossed = cells[0] * cells[3] - cells[1] * cells[2]
    rows = (cells[0] + cells[1]) * (cells[2] + cells[3])
    return float(crossed / sqrt(rows * (cells[0] + cells[2]) * (cells[1] + cells[3])))


def _log_odds_ratio(cells: NDArray[np.float64]) -> float:
    return log(cells[0]) + log(cells[3]) - log(cells[1]) - log(cells[2])


def _error(table: JointEstimate, measure: Callable[[NDArray[np.float64]], float]) -> float:
    """Return the standard error of a measure of four cells, by its slopes."""
    cells = table.cells.ravel()
    step = min(_STEP, float(np.abs(cells).min()) / 2)
    slopes = np.array(
        [(measure(cells + move) - measure(cells - move)) / (2 * step) for move in np.eye(4) * step]
    )
    return sqrt(max(0.0, float(slopes @ table.covariance @ slopes)))
