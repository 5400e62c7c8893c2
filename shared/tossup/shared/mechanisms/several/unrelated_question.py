"""The unrelated question of unknown share: a report is about one of two statements, or neither."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Readout, Stated, Table
from tossup.shared.mechanisms.drawn import DrawnTable, greatest_divisor, least_multiple
from tossup.shared.mechanisms.several.base import SetMechanism

#: How often a sample asks its own statement, where it asks one, unless a survey says otherwise.
SELECTED: Final = Fraction(7, 10)


_HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class UnrelatedQuestion(SetMechanism, DrawnTable):
    """Draw one of two samples; say yes or no about its own of two statements, the other, or none.

    Answers are sets of two statements: which are true. The first sample's own statement is the
    first one, the second's the second. With weight ``own`` a report says whether the sample's own
    statement is true, with weight ``other`` whether the other one is, with weight ``forced`` yes
    and with the same weight no, whatever is true. It holds the sample and the yes or no, as
    2 sample + yes. Odds, over both statements, are 1 + (own + other) / forced.

    On paper no answer is forced: then the odds are infinite. Without ``other`` it would be
    `SampledOptions`, which tells more: this is for comparison with surveys that were collected so.

    Parameters
    ----------
    own, other, forced
        Positive integers in lowest terms, own > other; own + other + 2 forced at most 2**31.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Greenberg, Abul-Ela, Simmons and Horvitz 1969 (two samples).

    Examples
    --------
    >>> UnrelatedQuestion(7, 3, 5).odds
    Fraction(3, 1)
    >>> UnrelatedQuestion(7, 3, 5).weights[1]
    (8, 12, 12, 8)
    """

    name: ClassVar[str] = "unrelated-question/1"
    keys: ClassVar = {"selected": "ratio"}
    readout: ClassVar[Readout] = "samples"
    options = 2
    most = 2
    example_fields = ((7, 3, 5), (2, 1, 1), (4, 1, 5), (1204, 516, 1001))
    own: int
    other: int
    forced: int

    def __post_init__(self) -> None:
        weights = (self.own, self.other, self.forced)
        if any(type(weight) is not int or weight < 1 for weight in weights):
            raise MechanismError(f"own, other and forced of {self.name} must be positive integers")
        if self.own <= self.other:
            raise MechanismError(
                f"own of {self.name} must be above other: samples that ask alike tell one number"
            )
        if greatest_divisor(weights) != 1:
            raise MechanismError(f"weights of {self.name} must be in lowest terms")
        if 2 * self.total > MAX_WEIGHT_SUM:
            raise MechanismError(
                f"weights of {self.name} sum to more than 2**31; ask with simpler ratios"
            )

    @classmethod
    def why_not(cls, options: int) -> str:
        """Return that it is for two statements, if there are not two."""
        return "" if options == 2 else "it is for two statements, which are 2 options"

    @classmethod
    def told_by(cls, answers: int, given: Mapping[str, Any]) -> dict[str, int]:  # noqa: ARG003
        """Return nothing: there are two statements."""
        return {}

    @property
    def total(self) -> int:
        """The sum of a sample's weights."""
        return self.own + self.other + 2 * self.forced

    def stated(self) -> Stated:
        """Return how likely a report is about which statement, or a forced yes."""
        weights = (self.own, self.other, self.forced)
        return Stated("statements", rates=tuple(Fraction(w, self.total) for w in weights))

    @property
    def selected(self) -> Fraction:
        """How often a sample asks its own statement, where it asks one: p of papers."""
        return Fraction(self.own, self.own + self.other)

    @property
    def weights(self) -> Table:
        """No and yes in the first sample, then in the second, by the set of true statements."""
        yes = [
            (self.own * first + self.other * second, self.own * second + self.other * first)
            for second in (0, 1)
            for first in (0, 1)
        ]
        least, most = self.forced, self.total - self.forced
        return tuple((most - one, least + one, most - two, least + two) for one, two in yes)

    @property
    def slopes(self) -> tuple[Fraction, Fraction]:
        """What a share takes of the rate of its own sample, and of that of the other one.

        >>> UnrelatedQuestion(7, 3, 5).slopes
        (Fraction(7, 2), Fraction(-3, 2))
        """
        apart = self.own**2 - self.other**2
        own, other = (self.total * weight for weight in (self.own, -self.other))
        return Fraction(own, apart), Fraction(other, apart)

    @property
    def constant(self) -> Fraction:
        """What forced answers take away: a share is this plus the rates times their slopes."""
        return Fraction(-self.forced, self.own + self.other)

    def chances_of_yes(self, own: Fraction, other: Fraction) -> tuple[Fraction, Fraction]:
        """Return how likely yes is in the own sample of a statement, and in the other one.

        By the shares of both statements.
        """
        first = self.forced + self.own * own + self.other * other
        second = self.forced + self.own * other + self.other * own
        return Fraction(first, self.total), Fraction(second, self.total)

    def score(self, report: int, answer: int) -> Fraction:
        """Return what a report counts for in the share of a statement."""
        sample, yes = divmod(report, 2)
        slope = self.slopes[sample != answer]
        return self.constant + 2 * slope * yes

    def variance_at(self, share: Fraction) -> Fraction:
        """Return n times the variance of a statement's share, at the worst share of the other one.

        >>> UnrelatedQuestion(7, 3, 5).variance_at(Fraction(1, 2))
        Fraction(29, 4)
        """

        def at(other: Fraction) -> Fraction:
            pairs = zip(self.slopes, self.chances_of_yes(share, other), strict=True)
            return 2 * sum((slope**2 * yes * (1 - yes) for slope, yes in pairs), Fraction(0))

        # A parabola that opens downwards: its top is found from three of its points.
        none, half, all_ = at(Fraction(0)), at(_HALF), at(Fraction(1))
        bend = 2 * (none + all_ - 2 * half)
        top = _HALF - Fraction(all_ - none, 2 * bend)
        return at(min(max(top, Fraction(0)), Fraction(1)))

    @property
    def worst_variance(self) -> Fraction:
        """The largest `variance_at` over all shares: where half say yes in both samples."""
        return self.variance_at(_HALF)

    def reports_behind(self, counts: Sequence[int]) -> tuple[int, ...]:
        """Return how many reports in two equal samples would tell as much as these samples.

        Twice the harmonic mean of their sizes, rounded down.
        """
        first, second = sum(counts[:2]), sum(counts[2:])
        return (4 * first * second // (first + second) if first and second else 0,)

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design with these odds, and how often a sample asks its own statement."""
        return cls.from_odds(odds, answers, part.get("most"), part.get("selected", SELECTED))

    @classmethod
    def from_odds(
        cls,
        odds: Fraction,
        options: int = 2,
        most: int | None = None,
        selected: Fraction = SELECTED,
    ) -> Self:
        """Return the design of least variance that has just these odds and this `selected`.

        Raises
        ------
        MechanismError
            If it is not about two statements that may both be true, or the numbers do not fit.

        >>> UnrelatedQuestion.from_odds(Fraction(3))
        UnrelatedQuestion(own=7, other=3, forced=5)
        """
        if options != 2 or most not in {None, 2}:
            raise MechanismError(f"{cls.name} is for two statements, of which both may be true")
        if odds <= 1 or not Fraction(1, 2) < selected < 1:
            raise MechanismError(f"{cls.name} takes odds above 1, and selected above 1/2, below 1")
        own, other = (odds - 1) * selected, (odds - 1) * (1 - selected)
        forced = least_multiple((own.denominator, other.denominator))
        return cls(int(own * forced), int(other * forced), forced)
