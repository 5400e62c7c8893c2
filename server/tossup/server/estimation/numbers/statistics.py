"""Numbers: mean, variance and quantiles from the counts of randomized reports.

Estimates are raw: unbiased (the mean exactly so for a mechanism with values), and outside the
declared range when the coins fell so. All are of the answers clipped to the bounds: how many
were clipped is unknown.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Final, Literal

import numpy as np

from tossup.server.estimation.checks import Counts
from tossup.server.estimation.designs.scores import (
    Floats,
    channel_array,
    checked_tally,
    mean_scores,
    share_scores,
    square_scores,
)
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import variances_given_answers
from tossup.server.estimation.intervals.interval import (
    Interval,
    beyond,
    normal_interval,
    normal_quantile,
    wilson,
)
from tossup.server.estimation.intervals.monotone import rising_fit
from tossup.server.estimation.shares.readout import Readout
from tossup.server.estimation.telling.result import told
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import GridMechanism

Statistic = Literal["mean", "variance", "q1", "median", "q3"]

QUANTILES: Final[dict[Statistic, float]] = {"q1": 0.25, "median": 0.5, "q3": 0.75}

#: Tables larger than this have a mean only: solving for more would take seconds.
MOST_CELLS: Final = 1 << 18
#: Grids with more points have no quantiles: their raw shares are too uncertain to be inverted.
MOST_QUANTILE_POINTS: Final = 64


@dataclass(frozen=True, slots=True)
class NumberEstimate:
    """One statistic of the answers, in the question's own unit.

    Attributes
    ----------
    statistic
        ``"mean"``, ``"variance"``, ``"q1"``, ``"median"`` or ``"q3"``.
    value
        The estimate itself; quantiles are points of the grid.
    standard_error
        Its estimated standard deviation over respondents and coins, for the population; None for
        quantiles.
    n
        Reports it rests on.
    interval
        With method ``"score"``, ``"normal"`` or, for quantiles, ``"inverted"``.
    respondents_standard_error
        For a mean, its estimated standard deviation over the coins alone, for these respondents.
        None for the others, and where reports tell a mean only: how much answers vary is unknown.
    """

    statistic: Statistic
    value: float
    standard_error: float | None
    n: int
    interval: Interval
    respondents_standard_error: float | None = None

    @property
    def population_standard_error(self) -> float | None:
        """`standard_error`, by the name of its convention."""
        return self.standard_error

    @property
    def stderr(self) -> float | None:
        """`standard_error`, under the name that scipy and statsmodels give it."""
        return self.standard_error

    def __str__(self) -> str:
        return told(self.statistic, self.value, self.standard_error, self.interval, self.n)


@dataclass(frozen=True, slots=True)
class PointEstimate:
    """The raw share of answers at one point of the grid: unbiased, and below 0 by chance.

    Attributes
    ----------
    number
        The point, in the question's own unit.
    value, standard_error, n, interval
        The share, from 0 to 1 but for chance, and how sure it is; method ``"normal"``. The
        standard error is that for the population.
    respondents_standard_error
        The estimated standard deviation over the coins alone, for these respondents.
    among
        The reports that the shares of all points rest on, and what one counts for the point.
    """

    number: Fraction
    value: float
    standard_error: float
    n: int
    interval: Interval
    respondents_standard_error: float
    among: tuple[Floats, Floats] | None = field(default=None, compare=False, repr=False)

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with the share of another point of the same reports."""
        if not isinstance(other, PointEstimate) or self.among is None or other.among is None:
            return None
        (tally, own), (others, its) = self.among, other.among
        if tally is not others:
            return None
        if own is its:
            return self.standard_error**2
        away = (own - self.value) * (its - other.value)
        return float(tally @ away) / max(1, self.n - 1) / self.n

    @property
    def population_standard_error(self) -> float:
        """`standard_error`, by the name of its convention."""
        return self.standard_error

    @property
    def stderr(self) -> float:
        """`standard_error`, under the name that scipy and statsmodels give it."""
        return self.standard_error

    def __str__(self) -> str:
        name = f"share of {self.number}"
        return told(name, self.value, self.standard_error, self.interval, self.n)


def estimate_histogram(
    counts: Counts, mechanism: GridMechanism, grid: Grid, confidence: float = 0.95
) -> tuple[PointEstimate, ...]:
    """Return the raw shares of all points, through the inverse of the channel.

    Empty where reports do not tell them, or for grids of more than 64 points. The values sum to 1.

    Parameters
    ----------
    counts
        Reports of each value.
    mechanism, grid
        The question's.
    confidence
        Of every interval, each on its own; in (0, 1).

    Returns
    -------
    tuple
        A raw share a point of the grid, in its order, with its normal interval.

    Raises
    ------
    EstimationError
        If there is no report, or counts, mechanism and grid do not fit each other.

    Examples
    --------
    >>> from tossup.shared.mechanisms import TruncatedGeometric
    >>> shares = estimate_histogram(
    ...     (17, 6, 13), TruncatedGeometric(3, (6, 3, 2)), Grid.integers(0, 2)
    ... )
    >>> [round(share.value, 6) for share in shares]
    [0.5, 0.25, 0.25]
    """
    tally = _tally(counts, mechanism, grid)
    if not mechanism.tells_order or mechanism.answers > MOST_QUANTILE_POINTS:
        return ()
    n, found = int(tally.sum()), []
    for point, scores in enumerate(share_scores(mechanism).T):
        value, error = _average(tally, scores, mechanism)
        interval = normal_interval(value, error, confidence, "normal")
        # Given an answer a score's mean is 1 or 0, and so is its square.
        coins = _over_coins(tally, scores, scores, mechanism)
        found.append(
            PointEstimate(grid.number(point), value, error, n, interval, coins, (tally, scores))
        )
    return tuple(found)


def estimate_numbers(
    counts: Counts, mechanism: GridMechanism, grid: Grid, confidence: float = 0.95
) -> tuple[NumberEstimate, ...]:
    """Return the mean, and where reports tell them the variance, quartiles and median.

    A quartile or median whose interval is the whole grid is left out: such reports do not tell
    it, and the point that would be named is drawn by the coins. `statistics_of` has what more
    reports would tell.

    Parameters
    ----------
    counts
        Reports of each value.
    mechanism, grid
        The question's.
    confidence
        Of every interval, each on its own; in (0, 1).

    Returns
    -------
    tuple
        The mean first, then what else reports tell, in the question's unit (the variance in its
        square).

    Raises
    ------
    EstimationError
        If there is no report, or counts, mechanism and grid do not fit each other.

    Examples
    --------
    >>> from tossup.shared.mechanisms import Duchi
    >>> mean, = estimate_numbers((400, 600), Duchi(11), Grid.integers(0, 10))
    >>> round(mean.value, 6), round(mean.standard_error, 3)
    (7.0, 0.31)
    """
    tally = _tally(counts, mechanism, grid)
    found = [_mean(tally, mechanism, grid, confidence)]
    if _tells_more(mechanism):
        # At odds near 1 reports may tell a mean and, to the precision of floats, no more.
        with suppress(EstimationError):
            found.append(_variance(tally, mechanism, grid, confidence))
            if mechanism.tells_order and mechanism.answers <= MOST_QUANTILE_POINTS:
                found += _quantiles(tally, mechanism, grid, confidence)
    return tuple(found)


def statistics_of(mechanism: GridMechanism) -> tuple[Statistic, ...]:
    """Return which statistics reports of a mechanism tell, if there are enough of them."""
    told: list[Statistic] = ["mean"]
    if _tells_more(mechanism):
        with suppress(EstimationError):
            square_scores(mechanism)
            told.append("variance")
            if mechanism.tells_order and mechanism.answers <= MOST_QUANTILE_POINTS:
                share_scores(mechanism)
                told += QUANTILES
    return tuple(told)


def _tally(counts: Counts, mechanism: GridMechanism, grid: Grid) -> Floats:
    """Return the counts as floats, if they fit the mechanism and the mechanism the grid."""
    tally = checked_tally(counts, mechanism)
    if grid.points != mechanism.answers:
        raise EstimationError(
            f"the grid has {grid.points} points, and {mechanism.name} {mechanism.answers}"
        )
    return tally


def _mean(tally: Floats, mechanism: GridMechanism, grid: Grid, confidence: float) -> NumberEstimate:
    n = int(tally.sum())
    value, error = _average(tally, mean_scores(mechanism), mechanism)
    if mechanism.is_one_bit:  # the score interval of the fraction of high
        low, high = mean_scores(mechanism).tolist()
        ends = wilson(int(tally[1]), n, confidence)
        steps, method = [low + end * (high - low) for end in ends], "score"
    else:
        half = normal_quantile(confidence) * error
        steps, method = [value - half, value + half], "normal"
    start, step = float(grid.low), float(grid.step)
    interval = Interval(start + step * steps[0], start + step * steps[1], confidence, method)
    coins = _coins_of_mean(tally, mechanism)
    respondents = None if coins is None else step * coins
    return NumberEstimate("mean", start + step * value, step * error, n, interval, respondents)


def _coins_of_mean(tally: Floats, mechanism: GridMechanism) -> float | None:
    """Return a mean's standard error over the coins alone; None where reports tell no squares."""
    if not _tells_more(mechanism):
        return None
    try:
        squares = square_scores(mechanism)
    except EstimationError:
        return None
    return _over_coins(tally, mean_scores(mechanism), squares, mechanism)


def _over_coins(tally: Floats, scores: Floats, squares: Floats, mechanism: GridMechanism) -> float:
    """Return an average score's standard error over the coins alone, the respondents being fixed.

    A score's variance given the answer is E[score**2] less the square of its mean, which
    ``squares`` estimates without bias.
    """
    n = tally.sum()
    spread = float(tally @ (scores**2 - squares) / n)
    return sqrt(max(spread, float(_coins(scores, mechanism))) / n)


def _tells_more(mechanism: GridMechanism) -> bool:
    """Return whether reports may tell more than a mean, from a table that is not too large."""
    return mechanism.tells_distribution and mechanism.answers * mechanism.reports <= MOST_CELLS


def _variance(
    tally: Floats, mechanism: GridMechanism, grid: Grid, confidence: float
) -> NumberEstimate:
    """Return mean square minus squared mean, with the error of its first-order expansion.

    Rounding at random to the grid adds at most a quarter of a squared step to it.
    """
    means, squares = mean_scores(mechanism), square_scores(mechanism)
    mean, error = _average(tally, means, mechanism)
    square, _ = _average(tally, squares, mechanism)
    _, spread = _average(tally, squares - 2 * mean * means, mechanism)
    unit = float(grid.step) ** 2
    value = unit * (square - mean**2 + error**2)  # the squared mean is too large by error**2
    interval = normal_interval(value, unit * spread, confidence, "normal")
    return NumberEstimate("variance", value, unit * spread, int(tally.sum()), interval)


def _average(tally: Floats, scores: Floats, mechanism: GridMechanism) -> tuple[float, float]:
    """Return the average score and its standard error.

    Reports may agree by chance, and vary all the same: see `coins.never_nothing`.
    """
    read = _readout(tally, scores, float(_coins(scores, mechanism)), mechanism)
    return read.value, sqrt(read.variance() / read.n)


def _readout(tally: Floats, scores: Floats, coins: float, mechanism: GridMechanism) -> Readout:
    """Return what the reports count for, as for shares."""
    even = channel_array(mechanism).mean(axis=0)
    return Readout(tuple(map(int, tally)), tuple(scores.tolist()), 1, coins, tuple(even.tolist()))


def _coins(scores: Floats, mechanism: GridMechanism) -> Floats:
    """Return the variance of a report's scores that coins cause for the answer where it is least.

    Of several columns of scores, that of each.
    """
    least: Floats = variances_given_answers(channel_array(mechanism), scores).min(axis=0)
    return least


def _quantiles(
    tally: Floats, mechanism: GridMechanism, grid: Grid, confidence: float
) -> list[NumberEstimate]:
    scores = np.cumsum(share_scores(mechanism), axis=1)
    n = tally.sum()
    shares = tally @ scores / n
    spread = _spreads(tally, scores, mechanism)
    # The last point has everyone at or below it, whatever the reports.
    errors = np.append(np.sqrt(spread[:-1] / n), 0.0)
    shares[-1] = 1.0
    half, rising = normal_quantile(confidence) * errors, _rising(shares, errors)
    found = []
    for name, part in QUANTILES.items():
        places = _quantile(part, shares, rising, half)
        low, value, high = (float(grid.number(place)) for place in places)
        if places[2] - places[0] < grid.points - 1:
            interval = Interval(*_around(low, high, grid), confidence, "inverted")
            found.append(NumberEstimate(name, value, None, int(n), interval))
    return found


def _around(low: float, high: float, grid: Grid) -> tuple[float, float]:
    """Return the ends of a quantile's interval; of a single point, what is nearest to it.

    Half a step to either side, within the bounds: numbers are rounded to the grid at random, and
    no interval is without width.
    """
    if low < high:
        return low, high
    half = float(grid.step) / 2
    return max(low - half, float(grid.low)), min(high + half, float(grid.high))


def _spreads(tally: Floats, scores: Floats, mechanism: GridMechanism) -> Floats:
    """Return the variance of a report's scores, of each column."""
    columns = zip(scores.T, _coins(scores, mechanism).tolist(), strict=True)
    return np.array(
        [_readout(tally, column, coins, mechanism).variance() for column, coins in columns]
    )


def _rising(shares: Floats, errors: Floats) -> Floats:
    """Return the shares up to each point made to rise, each weighing one over its variance."""
    return np.append(rising_fit(shares[:-1], 1 / errors[:-1] ** 2), 1.0)


def _quantile(part: float, shares: Floats, rising: Floats, half: Floats) -> tuple[int, int, int]:
    """Return low end, value and high end of a quantile from the shares up to each point.

    The value is the first point at which the rising fit of the shares reaches the part. The
    interval inverts a test at every point: it starts at the first point whose share may reach
    the part and ends at the last one before which it may not have been reached, so it holds the
    quantile whenever the two one-sided statements at the quantile itself hold.
    """
    value = int(np.argmax(rising >= part))
    first = int(np.argmax(shares + half >= part))
    unreached = np.flatnonzero(shares[:-1] - half[:-1] < part)
    last = int(unreached[-1]) + 1 if len(unreached) else 0
    return min(first, value), value, max(last, value)


def design_p_value(mean: NumberEstimate, grid: Grid) -> float:
    """Return how likely a mean this far outside the bounds is if all devices follow the design.

    Normal approximation of the one-sided probability at the nearer bound; 1 between the bounds.

    Parameters
    ----------
    mean
        A mean of `estimate_numbers`, in the question's unit.
    grid
        The question's numbers, with its bounds.

    Returns
    -------
    float
        From 0 to 1; 1 for a mean within the bounds.
    """
    low, high = float(grid.low), float(grid.high)
    return beyond(mean.value, mean.standard_error or 0.0, low, high)
