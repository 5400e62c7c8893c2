"""One share, estimated from how many randomized reports named it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from typing import NoReturn, Protocol

from tossup.server.decimals import decimals_within
from tossup.server.estimation.checks import Counts, check_counts, checked_confidence, whole
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.named import AnyDesign, channel_of, name_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.binomial import (
    clopper_pearson,
    log_likelihood,
    tail_from,
    tail_to,
)
from tossup.server.estimation.intervals.coins import rate_for_errors
from tossup.server.estimation.intervals.interval import (
    Ends,
    Interval,
    Method,
    normal_interval,
    wald,
    wilson,
)
from tossup.server.estimation.intervals.profile import profile
from tossup.server.estimation.intervals.sequence import report_sequence
from tossup.server.estimation.shares.answer_share import ReadShare
from tossup.server.estimation.shares.readout import Readout
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.wording import (
    INTERVALS,
    channel_in_words,
    figure,
    percentage,
    span,
)
from tossup.shared.mechanisms.base import Channel


class Together(Protocol):
    """Estimates that one call made from the same reports."""

    def covariance(self, first: int, second: int) -> float | None:
        """Return that of two of them, by their places; None if they are of different people."""


@dataclass(frozen=True, slots=True)
class ShareEstimate(ReadShare):
    """The share of one answer, estimated from randomized reports.

    With x the fraction of reports that name the answer, q = Pr[named | it is not the answer] and
    p = Pr[named | it is the answer], the estimate is (x - q) / (p - q). It is unbiased, with
    variance x(1 - x) / (n (p - q)**2) with x its mean: Warner 1965, JASA 60:63-69, for any
    two-by-two channel. It may lie outside [0, 1] and is kept so.

    Attributes
    ----------
    counts
        Reports that do not name the answer, and reports that do.
    channel
        ``((1 - q, q), (1 - p, p))`` as exact ratios: row 0 for all other answers, row 1 for it.
    design
        What the design is called.
    asked_share
        Probability that a respondent's report tells of the answer at all, drawn by the device.
    among
        The estimates that the same call made from the same reports, and the place among them.

    Raises
    ------
    EstimationError
        If there is no report, a count is not a non-negative integer, or the channel is not a
        two-by-two table of probabilities from which the share can be told.

    Examples
    --------
    >>> from tossup.shared.mechanisms import TwoCoin
    >>> estimate = estimate_yes(yes=322, n=1290, mechanism=TwoCoin())
    >>> print(estimate)
    -0.0008 (-0.0465 to 0.0479, 95 % score interval, n = 1290)
    >>> estimate.shown.interval.low
    0.0
    """

    counts: tuple[int, int]
    channel: Channel
    design: str = field(default="randomized response", compare=False)
    asked_share: Fraction = field(default=Fraction(1), compare=False)
    among: tuple[Together, int] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        no, yes = check_counts(self.counts, 2)
        object.__setattr__(self, "counts", (no, yes))
        _check_channel(self.channel)

    @property
    def n(self) -> int:
        """Number of reports the estimate rests on."""
        return sum(self.counts)

    @property
    def named(self) -> int:
        """Reports that name the answer."""
        return self.counts[1]

    @property
    def observed(self) -> tuple[tuple[tuple[int, ...], Design], ...]:
        """Counts of all kinds of reports, with their design."""
        return ((self.counts, Design(self.design, self.channel)),)

    @property
    def table(self) -> tuple[tuple[int, int], Channel]:
        """Counts and channel with report 1 as the one that the answer makes likelier."""
        without, with_it = self.rates
        if without < with_it:
            return self.counts, self.channel
        no, yes = self.channel
        return (self.counts[1], self.counts[0]), (no[::-1], yes[::-1])

    def with_reports(self, other: object) -> "ShareEstimate | None":
        """Return the share from the reports of another one, too; None under another channel."""
        if not isinstance(other, ShareEstimate) or self.channel != other.channel:
            return None
        (no, yes), (more_no, more_yes) = self.counts, other.counts
        return ShareEstimate((no + more_no, yes + more_yes), self.channel, self.design)

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with the share of another option of the same reports."""
        if not isinstance(other, ShareEstimate) or self.among is None or other.among is None:
            return None
        (own, place), (its, other_place) = self.among, other.among
        if own is not its:  # equal counts may be of other people
            return None
        return (
            self.standard_error**2 if place == other_place else own.covariance(place, other_place)
        )

    @property
    def readout(self) -> Readout:
        """A report that names the answer counts for (1 - q) / (p - q), others for -q / (p - q)."""
        without, with_it = self.rates
        q, b = without.as_integer_ratio()
        p, d = with_it.as_integer_ratio()
        return Readout(self.counts, (-q * d, (b - q) * d), p * b - q * d)

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: the exact probability of naming the answer without and with it."""
        return self.channel[0][1], self.channel[1][1]

    @property
    def exact(self) -> Fraction:
        """The raw estimate as an exact ratio."""
        return self.readout.exact

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value` (divisor n).

        For the population: respondents count as a random sample of it, and both they and the
        coins vary. With y the fraction of reports that name the answer its square is
        y (1 - y) / (n (p - q)**2), for two coins 4 y (1 - y) / n. Where all reports agree, y is
        the nearest chance of naming it that the design allows: the coins vary all the same.
        """
        rate = self._rate_for_errors
        return sqrt(rate * (1 - rate) / self.n) / abs(float(self.rates[1] - self.rates[0]))

    @property
    def population_standard_error(self) -> float:
        """`standard_error`, by the name of its convention."""
        return self.standard_error

    @property
    def respondents_standard_error(self) -> float:
        """The estimated standard deviation of `value` over the coins alone.

        The respondents are fixed, and the share is theirs. Its square is
        [share p (1 - p) + (1 - share) q (1 - q)] / (n (p - q)**2), for two coins 0.75 / n; the
        share is the raw estimate, cut to [0, 1]. Where the coins would vary nothing, since they
        never change this answer and all reports name it, the share is that of the chance which
        `standard_error` takes: nothing is sure, either.

        Where a device draws what its report tells of, that is a coin, too: with a the
        probability, (1 - a) share (1 - share) / n is added, the variance of a part drawn from
        finitely many (Cochran 1977, *Sampling Techniques*, section 2.6).

        Examples
        --------
        >>> from tossup.shared.mechanisms import TwoCoin
        >>> estimate = estimate_yes(yes=322, n=1290, mechanism=TwoCoin())
        >>> estimate.respondents_standard_error == sqrt(0.75 / 1290)
        True
        """
        variance = self._variance_of_coins(self.exact)
        if not variance:
            without, with_it = self.rates
            rate = Fraction(self._rate_for_errors)
            variance = self._variance_of_coins((rate - without) / (with_it - without))
        return sqrt(variance / self.n)

    def _variance_of_coins(self, share: Fraction) -> Fraction:
        without, with_it = _variances_of_coins(self.channel)
        share = min(max(share, Fraction(0)), Fraction(1))
        variance = without + share * (with_it - without)
        if self.asked_share != 1:
            variance += (1 - self.asked_share) * share * (1 - share)
        return variance

    @property
    def _rate_for_errors(self) -> float:
        without, with_it = (float(rate) for rate in self.rates)
        return rate_for_errors(self.counts[1], self.n, (without, with_it))

    @property
    def interval_methods(self) -> Mapping[Method, Ends]:
        """Intervals of the report fraction, mapped through the estimator.

        The map is monotone, so coverage is unchanged. ``"score"``: Wilson's, the narrowest for its
        mean coverage (for two coins 93.5 to 97 % at n = 50, 94 to 96 % from 200 on). ``"exact"``:
        Clopper and Pearson's, never below its confidence and some 4 to 10 % wider. ``"profile"``:
        the profile-likelihood one over possible shares, within [0, 1] and never empty; the raw
        estimate may lie outside it. ``"wald"``: to reproduce papers alone.
        """
        return {
            "score": partial(self._mapped, wilson),
            "exact": partial(self._mapped, clopper_pearson),
            "profile": self._possible,
            "wald": self._wald,
        }

    def _mapped(
        self, ends: Callable[[int, int, float], tuple[float, float]], confidence: float
    ) -> tuple[float, float]:
        low, high = self._shares_of(ends(self.counts[1], self.n, confidence))
        if 0 in self.counts:  # the estimate is an end, which is rounded otherwise
            return min(low, self.value), max(high, self.value)
        return low, high

    def _wald(self, confidence: float) -> tuple[float, float]:
        if 0 not in self.counts or self.n == 1:
            return self._mapped(wald, confidence)
        error = self.standard_error * sqrt(self.n / (self.n - 1))
        return normal_interval(self.value, error, confidence).ends

    def anytime_interval(self, confidence: float = 0.95) -> Interval:
        """Return an interval that holds at every look together: a confidence sequence."""
        checked_confidence(confidence)
        low, high = self._shares_of(report_sequence(self.counts[1], self.n, confidence))
        return Interval(low, high, confidence, "anytime")

    @property
    def design_p_value(self) -> float:
        """How likely so few (or so many) reports are if every device followed the design.

        The fraction of reports can stray outside q to p by chance only. This is the exact
        one-sided binomial probability at the nearer of the two, and 1 in between. Below 0.01,
        suspect a faulty coin, forged reports, or reports held back.
        """
        low, high = sorted(float(rate) for rate in self.rates)
        named = self.counts[1]
        if named < self.n * low:
            return tail_to(named, self.n, low)
        return tail_from(named, self.n, high) if named > self.n * high else 1.0

    def _possible(self, confidence: float) -> tuple[float, float]:
        q, p = (float(rate) for rate in self.rates)
        (_, named), n = self.counts, self.n
        return profile(
            lambda share: log_likelihood(named, n, q * (1 - share) + p * share),
            self._best,
            confidence,
        )

    def _shares_of(self, ends: tuple[float, float]) -> tuple[float, float]:
        """Return the shares of two fractions of reports, the lower one first."""
        without, gap = float(self.rates[0]), float(self.rates[1] - self.rates[0])
        low, high = sorted((end - without) / gap for end in ends)
        return low, high

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Share of yes"

    @property
    def facts(self) -> dict[str, str]:
        """The design, how it reads in words and charts, and whether such reports can be."""
        shown = self.shown
        places = max(1, decimals_within(100 * shown.interval.width))
        value, low, high = (
            f"{100 * each:.{places}f} %" for each in (shown.value, *shown.interval.ends)
        )
        return {
            "Design": channel_in_words(self.design, self.channel),
            "Shown": f"{value} ({low} to {high}, cut to possible shares)",
            **self._warned,
        }

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return self._procedure("score")

    def _procedure(self, method: Method) -> str:
        no, yes = self.rates
        return (
            f"Answers were randomized ({channel_in_words(self.design, self.channel)}). The share"
            f" is estimated without bias as (fraction of yes reports - {no}) / ({yes} - {no})"
            f" (Warner 1965, for any channel). Its interval is {INTERVALS[method]}."
        )

    def lines(self, confidence: float = 0.95, method: Method = "score") -> tuple[Line, ...]:
        """Return the share."""
        return (self.line(self.called, self.interval(confidence, method)),)

    def summary(self, confidence: float = 0.95, method: Method = "score") -> str:
        """Return a table, what else one must know, an APA line and a methods paragraph.

        >>> from tossup.shared.mechanisms import TwoCoin
        >>> summary = estimate_yes(yes=400, n=1000, mechanism=TwoCoin()).summary()
        >>> print(summary.partition("\\n\\n")[0])
        Share of yes, n = 1,000
                value  std. error     95 % interval
        share  0.3000      0.0310  0.2401 to 0.3614
        """
        lines = self.lines(confidence, method)
        return self._summary(lines, self._procedure(method))

    def __str__(self) -> str:
        interval = self.interval()
        places = max(4, decimals_within(interval.width))
        told = (
            f"{figure(self.value, places)} ({span(interval, places)},"
            f" {percentage(interval.confidence)} score interval, n = {self.n})"
        )
        return f"{told}\nWarning: {self.warning}" if self.warning else told

    def __float__(self) -> NoReturn:
        raise TypeError("an estimate is more than a number; take .value, and show .interval() too")


def estimate_share(counts: Counts, mechanism: AnyDesign) -> ShareEstimate:
    """Return the share of yes from the counts of a yes/no question.

    Parameters
    ----------
    counts
        Reports no and reports yes.
    mechanism
        A design, a mechanism, a two-by-two channel ``[answer][report]``, or a design's name.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> estimate_share((750, 250), TwoCoin()).value
    0.0

    Returns
    -------
    ShareEstimate
        The share of yes, raw.

    Raises
    ------
    EstimationError
        See `ShareEstimate`.

    References
    ----------
    Warner 1965, JASA 60:63-69, for any two-by-two channel.
    """
    no, yes = check_counts(counts, 2)
    return ShareEstimate((no, yes), channel_of(mechanism), name_of(mechanism))


def estimate_yes(*, yes: int, n: int, mechanism: AnyDesign) -> ShareEstimate:
    """Return the share of yes when ``yes`` of ``n`` reports are yes, as papers print it.

    Parameters
    ----------
    yes, n
        Yes reports, and all reports: integers with 0 <= yes <= n and n above 0.
    mechanism
        As in `estimate_share`.

    Returns
    -------
    ShareEstimate
        The share of yes, raw.

    Raises
    ------
    EstimationError
        If ``yes`` is above ``n``; otherwise see `ShareEstimate`.
    """
    yes, n = whole(yes, "yes"), whole(n, "n")
    if yes > n:
        raise EstimationError(f"yes ({yes}) must not be above n ({n})")
    return estimate_share((n - yes, yes), mechanism)


@lru_cache(maxsize=64)
def _variances_of_coins(channel: Channel) -> tuple[Fraction, Fraction]:
    """Return what the coins of one report add to n times the variance, without and with it."""
    (_, q), (_, p) = channel
    return q * (1 - q) / (p - q) ** 2, p * (1 - p) / (p - q) ** 2


def _check_channel(channel: Channel) -> None:
    if [len(row) for row in channel] != [2, 2]:
        raise EstimationError("the channel must have two rows of two probabilities that sum to 1")
    without, with_it = (_checked(*row) for row in channel)
    if without == with_it:
        raise EstimationError("every answer gives the same reports, so nothing can be estimated")


def _checked(one: Fraction, other: Fraction) -> tuple[int, int]:
    """Return the first of a row's two probabilities, in lowest terms: it says all of the row."""
    # By integers alone: a choice of 1,024 options checks as many channels.
    if not type(one) is type(other) is Fraction:
        raise EstimationError("the channel's probabilities must be Fractions, such as 1/4")
    part, total = one.as_integer_ratio()
    rest, same = other.as_integer_ratio()
    if part < 0 or rest < 0:
        raise EstimationError("the channel's probabilities must be from 0 to 1")
    # Two ratios in lowest terms that sum to 1 have one denominator.
    if not total == same == part + rest:
        raise EstimationError("the channel must have two rows of two probabilities that sum to 1")
    return part, total
