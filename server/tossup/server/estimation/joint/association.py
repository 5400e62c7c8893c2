"""How strongly two answers go together, from a joint table, with intervals.

All of it is about the answers themselves: the coins weaken every association of the reports, and
are taken out here. Each is a ratio of cells, or of their products, and so no readout.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atanh, erfc, exp, inf, log, sqrt, tanh
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.checks import checked_confidence
from tossup.server.estimation.comparing.significance import Significance
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.distributions import chi_squared_tail
from tossup.server.estimation.intervals.interval import Interval, normal_quantile
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result

#: A raw share of so little is 0, but for the rounding of floats: counts tell no smaller one.
NOUGHT: Final = 1e-12


@runtime_checkable
class Table(Protocol):
    """What a measure needs of a `JointEstimate`: its raw shares, and how their errors go."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """Reports of each combination, an axis a question."""

    @property
    def cells(self) -> NDArray[np.float64]:
        """The raw shares."""

    @property
    def covariance(self) -> NDArray[np.float64]:
        """That of the cells, flattened."""

    @property
    def n(self) -> int:
        """How many respondents."""


@dataclass(frozen=True, slots=True)
class Association(Result):
    """How strongly two answers, or an answer and a number, go together.

    Attributes
    ----------
    called
        ``"phi"``, ``"correlation"`` or ``"odds ratio"``.
    value
        The raw estimate: of the answers themselves, not of the reports.
    standard_error
        By the delta method.
    n
        Respondents it rests on.
    confidence
        That of `interval`.
    """

    called: str
    value: float
    standard_error: float
    n: int
    confidence: float = 0.95

    @property
    def interval(self) -> Interval:
        """By the delta method on a scale where the measure is nearly normal.

        That is the logarithm of an odds ratio (Woolf 1955, Annals of Human Genetics 19:251-253),
        and atanh of a correlation (Fisher 1921, Metron 1(4):3-32). An odds ratio has no upper end
        where a cell is so near to 0 that none can be told. No interval of a correlation holds 1 or
        -1: of two answers that are always the same it is too near to 0, and most often none is
        told, since the raw correlation is 1 or above.
        """
        return self._interval(self.confidence)

    def _interval(self, confidence: float) -> Interval:
        half = normal_quantile(confidence) * self.standard_error
        if self.called == "odds ratio":
            centre, half = log(self.value), half / self.value
            return Interval(exp(centre - half), _exp(centre + half), confidence, "delta-log")
        centre, half = atanh(self.value), half / (1 - self.value**2)
        return Interval(tanh(centre - half), tanh(centre + half), confidence, "delta-atanh")

    @property
    def title(self) -> str:
        """What was estimated."""
        of = "an answer and a number" if self.called == "correlation" else "two yes/no answers"
        return f"{self.called.capitalize()} of {of}"

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        scale = "logarithm" if self.called == "odds ratio" else "atanh (Fisher 1921)"
        return (
            "The coins weaken every association of reports, and are taken out here: the measure is"
            " of the answers themselves, its standard error by the delta method from the"
            f" covariance of the raw estimates, and its interval normal for its {scale}."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the measure."""
        interval = self._interval(confidence)
        return (Line(self.called, self.value, self.standard_error, interval),)


def correlation_of(
    called: str, value: float, error: float, n: int, confidence: float
) -> Association:
    """Return a correlation with its interval.

    Raises
    ------
    EstimationError
        If the value is outside (-1, 1): raw estimates can be, no answers are.
    """
    checked_confidence(confidence)
    if not -1 < value < 1:
        raise EstimationError(
            f"{called} is estimated as {value:.3f} from raw shares, not in (-1, 1), so it has no"
            " interval; more reports are needed"
        )
    return Association(called, value, error, n, confidence)


def phi(table: Table, confidence: float = 0.95) -> Association:
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
        The correlation of the answers themselves, not of the reports.

    Raises
    ------
    EstimationError
        If there are other than two yes/no questions, a raw share of an answer is not in (0, 1), or
        the raw cells give a value outside (-1, 1).

    Examples
    --------
    >>> from tossup.server.estimation import estimate_joint, two_coins
    >>> print(phi(estimate_joint([[2500, 1100], [1100, 1000]], [two_coins(), two_coins()])))
    phi: 0.8787 (0.6435 to 0.9623, 95 % delta-atanh interval, n = 5700)
    """
    cells = _two_by_two(table)
    margins = (*cells.sum(axis=1), *cells.sum(axis=0))
    if min(margins) <= NOUGHT:
        raise EstimationError("a raw share of an answer is not in (0, 1), so phi is undefined")
    crossed = cells[0, 0] * cells[1, 1] - cells[0, 1] * cells[1, 0]
    value = float(crossed / sqrt(np.prod(margins)))
    error = _error(table, _slopes_of_phi(cells, value))
    return correlation_of("phi", value, error, table.n, confidence)


def odds_ratio(table: Table, confidence: float = 0.95) -> Association:
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
        The ratio, above 0.

    Raises
    ------
    EstimationError
        If there are other than two yes/no questions, or a raw cell is not above 0.
    """
    checked_confidence(confidence)
    cells = _two_by_two(table)
    if cells.min() <= NOUGHT:
        raise EstimationError("a raw cell is not above 0, so the odds ratio is undefined")
    value = float(cells[0, 0] * cells[1, 1] / (cells[0, 1] * cells[1, 0]))
    signs = np.array([1.0, -1.0, -1.0, 1.0])
    error = value * _error(table, signs / cells.ravel())
    return Association("odds ratio", value, error, table.n, confidence)


def independence(table: Table) -> Significance:
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
    _check(table)
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


def departures(table: Table) -> tuple[Departure, ...]:
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


def _departures(table: Table) -> Iterator[Departure]:
    rows, columns = table.cells.sum(axis=1), table.cells.sum(axis=0)
    for given, answer in np.ndindex(*table.counts.shape):
        slopes = np.zeros(table.counts.shape)
        slopes[given, answer] = 1
        slopes[given] -= columns[answer]
        slopes[:, answer] -= rows[given]
        value = float(table.cells[given, answer] - rows[given] * columns[answer])
        error = _error(table, slopes.ravel())
        p_value = erfc(abs(value) / error / sqrt(2)) if error else 1.0
        yield Departure(given, answer, value, p_value)


def _error(table: Table, slopes: NDArray[np.float64]) -> float:
    """Return the standard error of a measure of four cells that changes with them so much."""
    return sqrt(max(0.0, float(slopes @ table.covariance @ slopes)))


def _check(table: Table) -> None:
    if not isinstance(table, Table):
        raise EstimationError(f"{table!r} is no joint table; make one by estimate_joint")


def _two_by_two(table: Table) -> NDArray[np.float64]:
    _check(table)
    if table.counts.shape != (2, 2):
        raise EstimationError("this measure is of two yes/no questions")
    return table.cells


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
