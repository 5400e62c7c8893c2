"""Two groups, two waves, two designs: how far apart, and how surely.

Differences and ratios are made from the raw estimates and their intervals, so both may be of any
kind: under different coins, weighted, or corrected for cheating. Estimates from the same reports
go together by their covariance; all others are taken for independent, and the result says so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from tossup.server.estimation.checks import checked_confidence
from tossup.server.estimation.comparing.apart import apart
from tossup.server.estimation.comparing.significance import (
    Comparable,
    Significance,
    check_shares,
    correlated,
    reports_of,
    same_shares,
    table_of,
    tables_of_one_channel,
    together_with,
)
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.distributions import normal_two_sided
from tossup.server.estimation.intervals.interval import Interval, Method, normal_interval
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Estimate
from tossup.server.estimation.telling.wording import INTERVALS


@dataclass(frozen=True, slots=True)
class _OfTwo(Estimate):
    """What is made of two estimates, and of how their errors go together."""

    first: Comparable
    second: Comparable
    covariance: float | None = None

    def __post_init__(self) -> None:
        check_shares(self._both)
        if self.covariance is not None:
            self._check(self.covariance)

    def _check(self, covariance: float) -> None:
        """Refuse a covariance that estimates with these errors cannot have."""
        most = self.first.standard_error * self.second.standard_error
        if not abs(covariance) <= most * (1 + 1e-9):  # also false of what is no number
            raise EstimationError(
                f"covariance ({covariance}) must be from {-most:.3g} to {most:.3g}, the product of"
                " both standard errors: estimates cannot go together more than wholly"
            )

    @property
    def n(self) -> int | None:
        """Reports that either rests on, each counted once; None if not known.

        Those of the larger one, if the two are said to go together.
        """
        if self.covariance is None or self.first.n is None or self.second.n is None:
            return reports_of(self._both)
        return max(self.first.n, self.second.n)

    @property
    def _both(self) -> tuple[Comparable, Comparable]:
        return self.first, self.second

    @property
    def _known(self) -> float | None:
        """The covariance of both; None if they are of different people."""
        if self.covariance is not None:
            return self.covariance
        return together_with(self.first, self.second)

    @property
    def _together(self) -> float:
        return self._known or 0.0

    @property
    def _correlation(self) -> float:
        return correlated(self._together, self.first, self.second)

    @property
    def _samples(self) -> str:
        if self._known is None:
            return "different people, independent (assumed)"
        return f"the same reports, with covariance {self._known:.3g}"

    @property
    def _shared_facts(self) -> dict[str, str]:
        """Both shares, and what their errors have in common."""
        first, second = map(_short, self._both)
        return {"First": first, "Second": second, "Samples": self._samples}

    @property
    def _procedures(self) -> str:
        told = (getattr(share, "procedure", "") for share in self._both)
        return " ".join(dict.fromkeys(text for text in told if text))


@dataclass(frozen=True, slots=True)
class Difference(_OfTwo):
    """The first share less the second one, of any two estimates.

    Attributes
    ----------
    first, second
        Any shares: of a design, weighted, corrected for cheating, of a statement, and so on.
    covariance
        Of both estimates. If not given, that of two estimates which one call of ours made from the
        same reports; all others count as independent, of different people.

    Raises
    ------
    EstimationError
        If one of them is no estimate, or no two estimates with these errors covary so.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> from tossup.server.estimation.papers.asking import estimate
    >>> first = estimate(yes=140, n=300, design=two_coins())
    >>> second = estimate(yes=110, n=300, design=two_coins())
    >>> apart = Difference(first, second)
    >>> round(apart.value, 3), round(apart.significance().p_value, 3)
    (0.2, 0.013)
    """

    @property
    def value(self) -> float:
        """The raw difference: unbiased where both shares are."""
        return self.first.value - self.second.value

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`, with divisors n."""
        apart = self.first.standard_error**2 + self.second.standard_error**2
        variance = apart - 2 * self._together
        # An estimate less itself is 0, for sure, but for rounding.
        return sqrt(variance) if variance > 1e-12 * apart else 0.0

    def interval(self, confidence: float = 0.95, method: Method = "score") -> Interval:
        """Return the MOVER interval, from the interval of each share.

        Newcombe 1998, Statistics in Medicine 17:873-890, method 10; for any two intervals, and
        correlated estimates: Zou and Donner 2008, Statistics in Medicine 27:1693-1702. Shares
        that have no score interval take part with their usual one.
        """
        return self.shared_interval(confidence, method, among=1)

    def shared_interval(self, confidence: float, method: Method, *, among: int) -> Interval:
        """Return one of ``among`` intervals that hold together: Bonferroni, as of a share."""
        single = 1 - (1 - checked_confidence(confidence)) / among
        first, second = (interval_of(s, single, method) for s in self._both)
        low, high = apart((self.first.value, first), (self.second.value, second), self._correlation)
        return Interval(low, high, confidence, method_of(first, second), among)

    def significance(self) -> Significance:
        """Test whether the shares are the same.

        Of different people under one channel: on the raw reports, Pearson's chi-squared test
        without correction, or Fisher's exact one where an expected count is below 5. Otherwise
        Wald's test.
        """
        if self._on_reports:
            return same_shares(self._both)
        tables = [table_of(share) for share in self._both]
        if all(table is not None and 0 in table[0] for table in tables):
            raise EstimationError("all reports of both groups agree, so the difference has no test")
        if not self.standard_error:
            raise EstimationError("the difference has no standard error, so it has no test")
        z = self.value / self.standard_error
        return Significance(z, None, normal_two_sided(z), "wald")

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Difference of two shares of yes"

    @property
    def facts(self) -> dict[str, str]:
        """Both shares, what their errors have in common, and the test of "no difference"."""
        try:
            test = str(self.significance())
        except EstimationError as error:
            test = f"none: {error}"
        return {**self._shared_facts, "Test": test}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        test = (
            "equal shares mean equal report rates, so the test is the ordinary one on the reports"
            " (Pearson's chi-squared; Fisher's exact one where an expected count is below 5)"
            if self._on_reports
            else "the test is Wald's"
        )
        interval = INTERVALS.get(self.interval().method, INTERVALS["mover"])
        return (
            f"{self._procedures} The shares are subtracted; the interval is"
            f" {interval}; {test}. Both are of {self._samples}."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the difference."""
        try:
            p_value = self.significance().p_value
        except EstimationError:  # all reports of both groups agree
            p_value = None
        interval = self.interval(confidence)
        return (Line("difference", self.value, self.standard_error, interval, None, p_value),)

    @property
    def _on_reports(self) -> bool:
        """Whether the test is of the reports: of different people, under one channel."""
        return self._known is None and tables_of_one_channel(self._both) is not None


@dataclass(frozen=True, slots=True)
class Ratio(_OfTwo):
    """The first share over the second one, of any two estimates.

    Attributes
    ----------
    first, second, covariance
        As in `Difference`.
    """

    @property
    def value(self) -> float:
        """The ratio of the raw estimates."""
        if not self.second.value:
            raise EstimationError("the second share is estimated as 0, so there is no ratio to it")
        return self.first.value / self.second.value

    def interval(self, confidence: float = 0.95, method: Method = "score") -> Interval:
        """Return every ratio r for which the MOVER interval of first - r second holds 0.

        Donner and Zou 2012, Statistical Methods in Medical Research 21:347-359.

        Raises
        ------
        EstimationError
            If the interval of the second share reaches 0: then no ratio is excluded from above.
        """
        first, second = (interval_of(s, confidence, method) for s in self._both)
        if second.low <= 0:
            raise EstimationError(
                "the interval of the second share reaches 0, so the ratio has no bounds; compare"
                " by the difference"
            )
        low = _falls_to_zero(lambda ratio: self._mover(ratio, first, second)[0])
        high = _falls_to_zero(lambda ratio: self._mover(ratio, first, second)[1])
        return Interval(low, high, confidence, method_of(first, second))

    @property
    def standard_error(self) -> float:
        """By the delta method; misleading where the second share is near 0: see `interval`."""
        spread = self.first.standard_error**2 + (self.value * self.second.standard_error) ** 2
        spread -= 2 * self.value * self._together
        return sqrt(max(0.0, spread)) / abs(self.second.value)

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Ratio of two shares of yes"

    @property
    def facts(self) -> dict[str, str]:
        """Both shares, and what their errors have in common."""
        return self._shared_facts

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            f"{self._procedures} The shares are divided; the interval holds"
            " every ratio r for which the MOVER interval of first - r second holds 0 (Donner and"
            f" Zou 2012). Both are of {self._samples}."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the ratio.

        Raises
        ------
        EstimationError
            As `interval` does: a ratio that may be anything is not told.
        """
        interval = self.interval(confidence)
        return (Line("ratio", self.value, self.standard_error, interval),)

    def _mover(self, ratio: float, first: Interval, second: Interval) -> tuple[float, float]:
        """Return the MOVER interval of first - ratio x second."""
        ends = sorted((ratio * second.low, ratio * second.high))
        times = Interval(ends[0], ends[1], second.confidence, second.method)
        correlation = self._correlation if ratio > 0 else -self._correlation
        return apart((self.first.value, first), (ratio * self.second.value, times), correlation)


def _short(share: Comparable) -> str:
    """Return an estimate in one line, without what warns of it."""
    return str(share).partition("\n")[0]


def interval_of(share: Comparable, confidence: float, method: Method) -> Interval:
    """Return the interval with which a share takes part in a comparison, or in a doubt."""
    if method == "profile":
        raise EstimationError(
            "profile intervals leave raw estimates out; compare by score or exact"
        )
    if isinstance(share.interval, Interval):  # made at one confidence, by its statistic's own way
        return normal_interval(share.value, share.standard_error, confidence, "normal")
    if method == "score":  # the usual one, which for most is the score interval
        return share.interval(confidence)
    try:
        return share.interval(confidence, method)
    except TypeError:
        raise EstimationError(
            f"{type(share).__name__} has one kind of interval; leave the method out"
        ) from None


def method_of(*intervals: Interval) -> str:
    """Return what the MOVER interval made of intervals is called."""
    method, *others = {interval.method for interval in intervals}
    return "mover" if others else f"mover-{method}"


def _falls_to_zero(function: Callable[[float], float]) -> float:
    """Return where a function that falls for good, from above 0 to below, is 0."""
    low, high = -1.0, 1.0
    while function(low) < 0:
        low *= 2
    while function(high) > 0:
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return high
