"""How strongly two answers go together, from a joint table, with intervals.

All of it is about the answers themselves: the coins weaken every association of the reports, and
are taken out here. Each is a ratio of cells, or of their products, and so no readout.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atanh, erfc, exp, inf, log, sqrt, tanh

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.comparing.significance import Significance
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.distributions import chi_squared_tail
from tossup.server.estimation.intervals.interval import Interval, normal_quantile
from tossup.server.estimation.joint.tables import JointEstimate


@dataclass(frozen=True, slots=True)
class Association:
    """A measure of two yes/no answers, with its interval.

    Attributes
    ----------
    value
        Phi, or the odds ratio.
    interval
        By the delta method on a scale where the measure is nearly normal: atanh of phi, the
        logarithm of an odds ratio; without an upper end where a cell is so near to 0 that none
        can be told.
    n
        Respondents it rests on.
    """

    value: float
    interval: Interval
    n: int


def phi(table: JointEstimate, confidence: float = 0.95) -> Association:
    """Return the correlation of two yes/no answers.

    Parameters
    ----------
    table
        Of two yes/no questions.
    confidence
        In (0, 1).

    Returns
    -------
    Association
        The correlation, with an interval by the delta method on Fisher's (1921) atanh.

    Raises
    ------
    EstimationError
        See `JointEstimate.phi`; or if the raw cells give a value outside (-1, 1).
    """
    value = table.phi
    if not -1 < value < 1:
        raise EstimationError("the raw cells give a correlation outside (-1, 1)")
    error = _error(table, _slopes_of_phi(table.cells, value))
    half = normal_quantile(confidence) * error / (1 - value**2)
    ends = (tanh(atanh(value) - half), tanh(atanh(value) + half))
    return Association(value, Interval(*ends, confidence, "delta-atanh"), table.n)


def odds_ratio(table: JointEstimate, confidence: float = 0.95) -> Association:
    """Return the odds of a second yes after a first yes, over those after a first no.

    Parameters
    ----------
    table
        Of two yes/no questions.
    confidence
        In (0, 1).

    Returns
    -------
    Association
        The ratio, above 0, with an interval by the delta method on the logarithm (Woolf 1955).

    Raises
    ------
    EstimationError
        See `JointEstimate.odds_ratio`.
    """
    value = table.odds_ratio
    signs = np.array([1.0, -1.0, -1.0, 1.0])
    half = normal_quantile(confidence) * _error(table, signs / table.cells.ravel())
    ends = (_exp(log(value) - half), _exp(log(value) + half))
    return Association(value, Interval(*ends, confidence, "delta-log"), table.n)


def independence(table: JointEstimate) -> Significance:
    """Test on the raw reports whether two answers are independent of each other.

    Independent answers give independent reports, and only they do where both channels can be
    inverted, so Pearson's chi-squared test of the reports is one of the answers.

    Parameters
    ----------
    table
        Of two questions.

    Returns
    -------
    Significance
        Chi-squared with (rows - 1) (columns - 1) degrees of freedom, and its p-value.

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


@dataclass(frozen=True, slots=True)
class Departure:
    """How much likelier two answers come together than if they had nothing to do with each other.

    Attributes
    ----------
    given, answer
        The places of the answers to the first question and to the second.
    value
        The raw share of both, less the product of their shares. Above 0 where the answer is more
        common among those with the other answer than among everyone else, and only there.
    p_value
        Of "there is no such departure", two-sided, by the delta method.
    """

    given: int
    answer: int
    value: float
    p_value: float


def departures(table: JointEstimate) -> tuple[Departure, ...]:
    """Return the departure of every pair of answers from independence, in the order of cells.

    Parameters
    ----------
    table
        Of two questions.

    Raises
    ------
    EstimationError
        If there are other than two questions.
    """
    if table.counts.ndim != 2:
        raise EstimationError("departures are of two questions; sum a third out first")
    return tuple(_departures(table))


def _departures(table: JointEstimate) -> Iterator[Departure]:
    rows, columns = table.margin(0), table.margin(1)
    for given, answer in np.ndindex(*table.counts.shape):
        slopes = np.zeros(table.counts.shape)
        slopes[given, answer] = 1
        slopes[given] -= columns[answer]
        slopes[:, answer] -= rows[given]
        value = float(table.cells[given, answer] - rows[given] * columns[answer])
        error = _error(table, slopes.ravel())
        p_value = erfc(abs(value) / error / sqrt(2)) if error else 1.0
        yield Departure(given, answer, value, p_value)


def _error(table: JointEstimate, slopes: NDArray[np.float64]) -> float:
    """Return the standard error of a measure of four cells that changes with them so much."""
    return sqrt(max(0.0, float(slopes @ table.covariance @ slopes)))


def _slopes_of_phi(cells: NDArray[np.float64], value: float) -> NDArray[np.float64]:
    """Return how phi changes with each cell; cells may be 0 or below, margins may not.

    The slope of (ad - bc) / sqrt(product of the margins), with the margins' own by the logarithm.
    """
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    crossed = np.array([cells[1, 1], -cells[1, 0], -cells[0, 1], cells[0, 0]])
    of_margins = np.add.outer(1 / rows, 1 / columns).ravel()
    slopes: NDArray[np.float64] = (
        crossed / sqrt(rows.prod() * columns.prod()) - value / 2 * of_margins
    )
    return slopes


def _exp(power: float) -> float:
    """Return e**power, infinite where no float is so large: a cell near 0 bounds nothing."""
    try:
        return exp(power)
    except OverflowError:
        return inf
