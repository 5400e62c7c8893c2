"""The share of yes by the method of moments, for designs with more than two kinds of reports."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.named import AnyDesign, design_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Interval, score_of_share
from tossup.server.estimation.shares.readout import Readout
from tossup.server.estimation.telling.result import NormalEstimate
from tossup.server.estimation.telling.wording import channel_in_words
from tossup.shared.mechanisms.base import Channel


@dataclass(frozen=True, slots=True)
class MomentEstimate(NormalEstimate):
    """The share of yes from reports of more than two kinds, such as numbers of red cards.

    The mean of `Design.report_values`: unbiased, by the method of moments (Kuk 1990).

    Attributes
    ----------
    counts
        How many reports of each kind.
    design
        A design with two answers.
    """

    counts: tuple[int, ...]
    design: Design

    def __post_init__(self) -> None:
        counts = check_counts(self.counts, len(self.design.rows[0]))
        object.__setattr__(self, "counts", counts)

    @property
    def n(self) -> int:
        """Number of reports the estimate rests on."""
        return sum(self.counts)

    @property
    def observed(self) -> tuple[tuple[tuple[int, ...], Design], ...]:
        """Counts of all kinds of reports, with their design."""
        return ((self.counts, self.design),)

    @property
    def exact(self) -> Fraction:
        """The raw estimate as an exact ratio."""
        return self._readout.exact

    @property
    def _readout(self) -> Readout:
        return Readout.of_design(self.counts, self.design)

    @property
    def value(self) -> float:
        """The raw estimate; it may lie outside [0, 1]."""
        return self._readout.value

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`, with divisor n - 1.

        What the coins alone cause is never taken for nothing: see `coins.never_nothing`.
        """
        if self.n == 1:
            raise EstimationError("one report has no spread; a standard error needs two or more")
        return sqrt(self._readout.variance(few=False) / self.n)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the score interval, with the variance that the design gives at each share.

        It may leave [0, 1]: see `score_of_share`.
        """
        values = self.design.report_values()
        no, yes = (
            float(sum(p * v**2 for p, v in zip(row, values, strict=True)))
            for row in self.design.rows
        )
        ends = score_of_share(self.value, (yes, no), self.standard_error, self.n, confidence)
        return Interval(*ends, confidence, "score")

    @property
    def design_standard_error(self) -> float:
        """The standard deviation of `value` under the design, at the estimated share.

        It trusts the design more than the reports (divisor n; Kuk 1990, section 2); far from
        `standard_error`, the reports are unlike what the design gives. Where coins never change the
        one answer that was told, the share is that with two more answers of either kind.
        """
        share = min(max(self.exact, Fraction(0)), Fraction(1))
        variance = self._variance_by_design(share)
        if not variance:
            variance = self._variance_by_design((share * self.n + 2) / (self.n + 4))
        return sqrt(variance / self.n)

    def _variance_by_design(self, share: Fraction) -> Fraction:
        no, yes = self.design.rows
        chances = [share * q + (1 - share) * p for p, q in zip(no, yes, strict=True)]
        values = self.design.report_values()
        return sum(
            (c * (v - share) ** 2 for c, v in zip(chances, values, strict=True)), Fraction(0)
        )

    @property
    def channel(self) -> Channel:
        """``channel[answer][report]`` = Pr[report | answer]."""
        return self.design.rows

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Share of yes"

    @property
    def facts(self) -> dict[str, str]:
        """The design, and how far the errors by reports and by design are apart."""
        return {
            "Design": channel_in_words(self.design.name, self.design.rows),
            "Error under the design": f"{self.design_standard_error:.4f}",
        }

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            f"Answers were randomized ({channel_in_words(self.design.name, self.design.rows)})."
            " The share is the mean of the reports, each counted with its unbiased value (method"
            " of moments, Kuk 1990); its standard error is that of the mean, and its interval the"
            " score interval (Wilson 1927) with the variance that the design gives at each share."
        )


def estimate_moments(counts: Counts, design: AnyDesign) -> MomentEstimate:
    """Return the share of yes from how often each report was given.

    Parameters
    ----------
    counts
        How many reports of each kind, from report 0 on; two reports or more for a standard error.
    design
        With two answers, and any number of kinds of reports.

    Returns
    -------
    MomentEstimate
        The share of yes, raw, with a score interval.

    Raises
    ------
    EstimationError
        If the counts do not fit, are all 0, or the mean report tells nothing.

    References
    ----------
    Kuk 1990, Biometrika 77:436-438.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import kuk
    >>> cards = kuk(yes="3/4", no="7/20", draws=5)
    >>> estimate_moments((30, 120, 210, 260, 200, 80), cards).value
    0.525
    """
    known = design_of(design)
    return MomentEstimate(check_counts(counts, len(known.rows[0])), known)
