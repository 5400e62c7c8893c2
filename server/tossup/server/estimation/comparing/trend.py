"""A share over time: neighbours with few reports pooled, and the slope with its test."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

from tossup.server.estimation.comparing.apart import summed
from tossup.server.estimation.comparing.comparison import interval_of, method_of
from tossup.server.estimation.comparing.significance import (
    Comparable,
    Significance,
    check_shares,
    correlated,
    covariances,
    reports_of,
    table_of,
    tables_of_one_channel,
    together_with,
)
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.distributions import chi_squared_tail, normal_two_sided
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Estimate

#: Fewer reports than this are pooled with their neighbours: two coins' margin is then +- 28 points.
FEWEST = 50
#: Squares of times that are nearer together, or as many times further apart, leave the floats.
_NEAREST = 1e-100


@dataclass(frozen=True)
class Trend(Estimate):
    """How much a share rises from one unit of time to the next; made by `trend`.

    Attributes
    ----------
    waves
        The share of each wave; of different people.
    times
        When each was, in any unit.
    """

    waves: tuple[Comparable, ...]
    times: tuple[float, ...]

    @property
    def n(self) -> int:
        """Reports that some wave rests on, each counted once."""
        return reports_of(self.waves) or 0

    @property
    def value(self) -> float:
        """The slope of the line of least squares through the raw shares, each report alike."""
        pulls = self._pulls
        return sum(pull * wave.value for pull, wave in zip(pulls, self.waves, strict=True))

    @property
    def standard_error(self) -> float:
        """From each wave's own error, so that a share that does not rise in a line has it too.

        Waves that one call made from the same reports take part with their covariance.
        """
        pairs = list(zip(self._pulls, self.waves, strict=True))
        alone = sum((pull * wave.standard_error) ** 2 for pull, wave in pairs)
        known = covariances(self.waves)
        if known is None:
            return sqrt(alone)
        pulls = np.array(self._pulls)
        variance = float(pulls @ known @ pulls)
        return sqrt(variance) if variance > 1e-12 * alone else 0.0

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the MOVER interval, from the interval of each wave's share.

        Zou, Huang and Zhang 2009, Computational Statistics and Data Analysis 53:1080-1085. Shares
        that have no score interval take part with their usual one.
        """
        intervals = [interval_of(wave, confidence, "score") for wave in self.waves]
        known = [(wave.value, own) for wave, own in zip(self.waves, intervals, strict=True)]
        low, high = summed(known, self._pulls, self._correlation())
        return Interval(low, high, confidence, method_of(*intervals))

    def _correlation(self) -> Callable[[int, int], float]:
        """Return that of two waves by their places; 0 of different people."""
        known = covariances(self.waves)
        if known is None:
            return lambda _one, _other: 0.0
        waves = self.waves
        return lambda one, other: correlated(float(known[one, other]), waves[one], waves[other])

    def significance(self) -> Significance:
        """Test whether the share stays the same against a rise or fall.

        With one channel the test of Cochran 1954 and Armitage 1955 (Biometrics 10:417-451 and
        11:375-386) on the raw reports, for which debiasing cancels; otherwise Wald's.
        """
        tables = tables_of_one_channel(self.waves)
        first = table_of(self.waves[0])
        if tables is None or first is None or covariances(self.waves) is not None:
            z = self.value / self.standard_error
            return Significance(z, None, normal_two_sided(z), "wald")
        rate = sum(yes for _, yes in tables) / self._weight
        if rate in {0, 1}:
            raise EstimationError("all reports of all waves agree, so there is nothing to test")
        (_, without), (_, with_it) = first[1]
        gap = float(with_it - without)
        statistic = (self.value * gap) ** 2 * self._spread / (rate * (1 - rate))
        return Significance(statistic, 1, chi_squared_tail(statistic, 1), "cochran-armitage")

    @property
    def title(self) -> str:
        """What was estimated."""
        return f"Trend of a share over {len(self.waves)} waves"

    @property
    def facts(self) -> dict[str, str]:
        """The test of "no trend"."""
        try:
            return {"Test": str(self.significance())}
        except EstimationError as error:  # all reports of all waves agree
            return {"Test": f"none: {error}"}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            "The slope is that of the line of least squares through the waves' raw shares,"
            " weighted by their reports, with the error of each wave's own share; its interval is"
            " the MOVER one (Zou, Huang and Zhang 2009) of the waves' intervals; waves that"
            " answered under one channel are tested on the raw reports (Cochran 1954, Armitage"
            " 1955)."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the slope."""
        try:
            p_value = self.significance().p_value
        except EstimationError:  # all reports of all waves agree
            p_value = None
        interval = self.interval(confidence)
        return (Line("slope", self.value, self.standard_error, interval, None, p_value),)

    @property
    def _weight(self) -> int:
        """Of all waves: one of the same reports as another has a weight of its own."""
        return sum(wave.n or 0 for wave in self.waves)

    @property
    def _centred(self) -> list[float]:
        pairs = list(zip(self.times, self.waves, strict=True))
        middle = sum(time * (wave.n or 0) for time, wave in pairs) / self._weight
        return [time - middle for time in self.times]

    @property
    def _spread(self) -> float:
        return sum(t * t * (wave.n or 0) for t, wave in zip(self._centred, self.waves, strict=True))

    @property
    def _pulls(self) -> list[float]:
        """How much each wave's share moves the slope."""
        spread = self._spread
        return [
            t * (wave.n or 0) / spread for t, wave in zip(self._centred, self.waves, strict=True)
        ]


def trend(waves: Sequence[Comparable], times: Sequence[float] | None = None) -> Trend:
    """Return how a share changes over waves of different people.

    Parameters
    ----------
    waves
        In any order; pool those with few reports first, with `pooled`.
    times
        When each was, in any unit; 0, 1, 2, ... if not given.

    Returns
    -------
    Trend
        The slope, in shares a unit of time, with its test.

    Raises
    ------
    EstimationError
        If there are fewer than two waves, or times, or a time is no number, or times are of a
        size whose squares are none, or the waves are one estimate again and again.

    Examples
    --------
    >>> from tossup.server.estimation import estimate, two_coins
    >>> waves = [estimate(yes=yes, n=1000, design=two_coins()) for yes in (300, 330, 355)]
    >>> print(trend(waves))
    slope: 0.0550 (0.0139 to 0.0959, 95 % mover-score interval, p = 0.009, n = 3000)
    """
    check_shares(waves)
    if not all(wave.n for wave in waves):
        raise EstimationError("every wave must know how many reports it rests on")
    given = _numbers(range(len(waves)) if times is None else times)
    if len(given) != len(waves):
        raise EstimationError(f"times must be one a wave: {len(waves)}, not {len(given)}")
    if not all(isfinite(time) for time in given):
        raise EstimationError("times must be finite numbers")
    if len(set(given)) < 2:
        raise EstimationError("a trend needs waves of two different times or more")
    if not _NEAREST < max(given) - min(given) < 1 / _NEAREST:
        raise EstimationError(
            "times lie so near together, or so far apart, that a slope is lost in rounding; give"
            " them in another unit"
        )
    found = Trend(tuple(waves), given)
    if not found.standard_error:
        raise EstimationError("the waves are one estimate from the same reports: it has no trend")
    return found


def _numbers(times: Iterable[float]) -> tuple[float, ...]:
    try:
        return tuple(float(time) for time in times)
    except (TypeError, ValueError):
        raise EstimationError(
            "times must be numbers, such as years, or days from the first wave"
        ) from None


def pooled(
    waves: Mapping[str, Comparable], fewest: int = FEWEST
) -> dict[tuple[str, ...], Comparable]:
    """Return waves with neighbours added up until each rests on enough reports.

    Reports add up exactly where waves share a channel; others are left apart. A last wave of too
    few joins the one before it.

    Parameters
    ----------
    waves
        In the order of time, by name.
    fewest
        How many reports are enough.

    Returns
    -------
    dict
        By the names of the waves that were added up.

    Raises
    ------
    EstimationError
        If fewest is below 1, or a wave is no estimated share.

    Examples
    --------
    >>> from tossup.server.estimation import estimate, two_coins
    >>> week = {day: estimate(yes=10, n=30, design=two_coins()) for day in ("Mo", "Tu", "We")}
    >>> {names: wave.n for names, wave in pooled(week).items()}
    {('Mo', 'Tu', 'We'): 90}
    """
    if fewest < 1:
        raise EstimationError(f"fewest ({fewest}) must be at least 1")
    check_shares(list(waves.values()))
    groups: list[tuple[tuple[str, ...], Comparable]] = []
    for name, wave in waves.items():
        last = groups[-1] if groups else None
        joint = _sum(last[1], wave) if last and (last[1].n or 0) < fewest else None
        if last and joint:
            groups[-1] = (*last[0], name), joint
        else:
            groups.append(((name,), wave))
    if len(groups) > 1 and (groups[-1][1].n or 0) < fewest:
        (names, one), (more, other) = groups[-2:]
        joint = _sum(one, other)
        if joint:
            groups[-2:] = [((*names, *more), joint)]
    return dict(groups)


def _sum(one: Comparable, other: Comparable) -> Comparable | None:
    """Return the share from the reports of both; None where they are the same or do not add up."""
    if together_with(one, other) is not None:
        return None
    with_reports = getattr(one, "with_reports", None)
    found: Comparable | None = with_reports(other) if with_reports else None
    return found
