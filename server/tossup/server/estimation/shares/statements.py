"""The shares of two statements from two samples that each ask both: the unrelated question.

A report's chance of yes is forced + own x + other w in the first sample, with x and w the shares
of the two statements, and forced + own w + other x in the second. Two rates are solved for two
shares: each is a sum of the means of two samples, and so two readouts, not one, with a variance
under the likeliest pair of rates. How the statements go together is not told: no report's chance
depends on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import NormalDist

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.designs.named import check_readout
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.binomial import tail_from, tail_to
from tossup.server.estimation.intervals.coins import rate_for_errors
from tossup.server.estimation.intervals.interval import Ends, Interval, Method
from tossup.server.estimation.intervals.two_rates import Part, TwoRates
from tossup.server.estimation.shares.answer_share import AnswerShare
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result
from tossup.server.estimation.telling.wording import channel_in_words
from tossup.shared.mechanisms import UnrelatedQuestion


@dataclass(frozen=True)
class StatementShare(AnswerShare):
    """The share of people for whom one of two statements is true.

    (own (y - forced) - other (z - forced)) / (own**2 - other**2), with y and z the fractions of
    yes in the statement's own sample and in the other one, and chances for weights: unbiased
    (Greenberg, Abul-Ela, Simmons and Horvitz 1969). It may lie outside [0, 1].

    Attributes
    ----------
    tally
        Reports no and yes of the first sample, then of the second; neither is empty.
    mechanism
        The design.
    statement
        0 for the first, 1 for the second.

    Examples
    --------
    >>> print(StatementShare((70, 30, 60, 40), UnrelatedQuestion(7, 3, 5), 0))
    share: -0.050 (-0.372 to 0.313, 95 % score interval, n = 200)
    """

    tally: tuple[int, int, int, int]
    mechanism: UnrelatedQuestion
    statement: int

    def __post_init__(self) -> None:
        tally = check_counts(self.tally, self.mechanism.counters)
        object.__setattr__(self, "tally", tally)
        if 0 in sizes(self.tally):
            raise EstimationError("one of the two samples has no report, so no share can be told")

    @property
    def title(self) -> str:
        """What was estimated."""
        return f"Share of statement {self.statement}"

    @property
    def facts(self) -> dict[str, str]:
        """The design, and whether such reports can be."""
        design = channel_in_words(self.mechanism.name, self.mechanism.channel())
        return {"Design": design, **self._warned}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return procedure_of(self.mechanism)

    @property
    def n(self) -> int:
        """Reports of both samples."""
        return sum(self.tally)

    @cached_property
    def exact(self) -> Fraction:
        """The raw estimate as an exact ratio."""
        slopes = self.mechanism.slopes
        pairs = zip(slopes, self._parts, strict=True)
        return self.mechanism.constant + sum(slope * Fraction(*part) for slope, part in pairs)

    @property
    def value(self) -> float:
        """The raw estimate."""
        return float(self.exact)

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value` (divisors n), for the population."""
        spreads = zip(self.mechanism.slopes, self._parts, strict=True)
        return sqrt(
            sum(float(slope) ** 2 * spread_of(self.mechanism, part) for slope, part in spreads)
        )

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with the share of a statement of the same reports."""
        if not isinstance(other, StatementShare) or self.tally is not other.tally:
            return None
        if self.statement == other.statement:
            return self.standard_error**2
        return StatementsEstimate((self, other)).covariance

    @property
    def respondents_standard_error(self) -> float:
        """The estimated standard deviation of `value` over the coins alone.

        The respondents are fixed, and the share is theirs; coins decide
        who is in which sample, too. Its square is that for the population, at the estimated
        shares cut to [0, 1], less share (1 - share) / n.
        """
        own, other = self._possible
        between = zip(
            self.mechanism.slopes, self.mechanism.chances_of_yes(own, other), self._parts,
            strict=True,
        )  # fmt: skip
        population = sum(slope**2 * yes * (1 - yes) / n for slope, yes, (_, n) in between)
        return sqrt(max(population - own * (1 - own) / self.n, Fraction(0)))

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that one report can count for in `value`.

        By sample and by what it says. A part of the reports that is forged may be of one sample.
        """
        worth = [
            self.value + 2 * slope * (yes - seen)
            for slope, seen in zip(self._rates.slopes, self._rates.rates(0), strict=True)
            for yes in (0, 1)
        ]
        return min(worth), max(worth)

    @property
    def interval_methods(self) -> Mapping[Method, Ends]:
        """Intervals for the share; ``"score"`` may leave [0, 1].

        ``"score"``: every share from which the estimate is within z standard deviations, under the
        likeliest rates for that share. ``"profile"``: every share from 0 to 1 that is not much
        less likely than the likeliest of these.
        """
        return {"score": self._score, "profile": self._likely}

    def _score(self, confidence: float) -> tuple[float, float]:
        return self._shifted(self._rates.score(confidence))

    def _likely(self, confidence: float) -> tuple[float, float]:
        near = self._best - float(self.mechanism.constant)
        low, high = self._shifted(self._rates.likely(confidence, near))
        return min(max(low, 0.0), self._best), max(min(high, 1.0), self._best)

    def anytime_interval(self, confidence: float = 0.95) -> Interval:
        """Return an interval that, with the given confidence, holds at every look together."""
        low, high = self._shifted(self._rates.anytime(confidence))
        return Interval(low, high, confidence, "anytime")

    @property
    def design_p_value(self) -> float:
        """How likely such reports are if every device follows the design.

        Samples may not differ in size by more than chance (exact, binomial, two-sided), nor the
        share be far outside [0, 1] (normal approximation at the nearer end). Twice the smaller
        probability (Bonferroni).
        """
        first, _ = sizes(self.tally)
        uneven = min(1.0, 2 * min(tail_to(first, self.n, 0.5), tail_from(first, self.n, 0.5)))
        return min(1.0, 2 * min(uneven, self._outside))

    @property
    def _outside(self) -> float:
        if self._best == self.value:
            return 1.0
        end = self._best - float(self.mechanism.constant)
        return NormalDist().cdf(-abs(self._rates.deviations(end)))

    @cached_property
    def _parts(self) -> tuple[Part, Part]:
        """Yes reports and all reports, of the statement's own sample first."""
        no, yes, other_no, other_yes = self.tally
        parts = ((yes, no + yes), (other_yes, other_no + other_yes))
        return parts if self.statement == 0 else parts[::-1]

    @cached_property
    def _rates(self) -> TwoRates:
        own, other = self.mechanism.slopes
        return TwoRates(self._parts, (float(own), float(other)))

    @property
    def _possible(self) -> tuple[Fraction, Fraction]:
        """This share and the other one, cut to [0, 1]."""
        other = StatementShare(self.tally, self.mechanism, 1 - self.statement)
        own, rest = (min(max(x.exact, Fraction(0)), Fraction(1)) for x in (self, other))
        return own, rest

    def _shifted(self, ends: tuple[float, float]) -> tuple[float, float]:
        """Return shares from weighted sums of rates."""
        constant = float(self.mechanism.constant)
        return ends[0] + constant, ends[1] + constant


@dataclass(frozen=True, slots=True)
class StatementsEstimate(Result):
    """The shares of both statements. They need not sum to 1.

    How the statements go together is not told by these reports, however many there are.
    """

    statements: tuple[StatementShare, StatementShare]

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.statements[0].n

    @property
    def values(self) -> tuple[float, float]:
        """The raw estimates, negative ones included."""
        first, second = self.statements
        return first.value, second.value

    @property
    def covariance(self) -> float:
        """The estimated covariance of both values: each rate of yes has a part in both."""
        slopes = self.statements[0].mechanism.slopes
        no, yes, other_no, other_yes = self.statements[0].tally
        parts = ((yes, no + yes), (other_yes, other_no + other_yes))
        spread = sum(spread_of(self.statements[0].mechanism, part) for part in parts)
        return float(slopes[0] * slopes[1]) * spread

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Shares of two statements"

    @property
    def facts(self) -> dict[str, str]:
        """The design, and how many reports each sample has."""
        first, second = sizes(self.statements[0].tally)
        design = self.statements[0].facts["Design"]
        samples = f"{first:,} and {second:,} reports"
        return {"Design": design, "Samples": samples, **self._warned}

    @property
    def design_p_value(self) -> float:
        """How likely so extreme reports are if every device followed the design (Bonferroni)."""
        return min(1.0, 2 * min(share.design_p_value for share in self.statements))

    @property
    def procedure(self) -> str:
        """How they were estimated, as sentences of a methods section."""
        return procedure_of(self.statements[0].mechanism)

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return both shares, each with its own interval."""
        return tuple(
            Line(f"statement {place}", share.value, share.standard_error, interval, is_share=True)
            for place, share in enumerate(self.statements)
            for interval in (share.interval(confidence),)
        )


def estimate_statements(counts: Counts, mechanism: UnrelatedQuestion) -> StatementsEstimate:
    """Return the shares of both statements of an unrelated question of unknown share.

    Parameters
    ----------
    counts
        Reports no and yes of the first sample, then of the second.
    mechanism
        The design.

    Returns
    -------
    StatementsEstimate
        Two raw shares, of the first and of the second statement.

    Raises
    ------
    EstimationError
        If the counts do not fit, or one of the samples is empty.

    Examples
    --------
    >>> print(estimate_statements((710, 290, 660, 340), UnrelatedQuestion(7, 3, 5)))
    statement 0: 0.0050 (-0.1006 to 0.1149, 95 % score interval, n = 2000)
    statement 1: 0.2550 (0.1457 to 0.3676, 95 % score interval, n = 2000)
    """
    check_readout(mechanism, "samples", "one for two statements in two samples")
    no, yes, other_no, other_yes = check_counts(counts, mechanism.counters)
    tally = (no, yes, other_no, other_yes)
    return StatementsEstimate(
        (StatementShare(tally, mechanism, 0), StatementShare(tally, mechanism, 1))
    )


def sizes(counts: Sequence[int]) -> tuple[int, int]:
    """Return how many reports are of each sample."""
    no, yes, other_no, other_yes = counts
    return no + yes, other_no + other_yes


def spread_of(mechanism: UnrelatedQuestion, part: Part) -> float:
    """Return the estimated variance of a sample's fraction of yes; see `rate_for_errors`."""
    forced = mechanism.forced / mechanism.total
    rate = rate_for_errors(*part, (forced, 1 - forced))
    return rate * (1 - rate) / part[1]


def procedure_of(mechanism: UnrelatedQuestion) -> str:
    """Return how both shares are estimated, as sentences of a methods section."""
    forced, own, other = (
        Fraction(weight, mechanism.total)
        for weight in (mechanism.forced, mechanism.own, mechanism.other)
    )
    return (
        "Each device drew one of two samples. A report told with probability"
        f" {own} whether the sample's own statement was true, with {other} whether the other one"
        f" was, and was otherwise a forced yes ({forced}) or a forced no ({forced}). Both shares"
        " follow without bias from the two fractions of yes (Greenberg, Abul-Ela, Simmons and"
        " Horvitz 1969, with forced answers). The interval of each holds every share that a score"
        " test does not refuse, with the variance under the likeliest rates for that share (as"
        " Miettinen and Nurminen 1985 for a difference)."
    )
