"""General randomized response to a yes/no question: any table of integer weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Table, TableMechanism
from tossup.shared.mechanisms.checks import check_weights
from tossup.shared.odds import largest_odds


class PaperDesign(NamedTuple):
    """A design's name in survey files, in tables of studies, and its chances of a yes report."""

    name: str
    brief: str
    rates: Callable[..., tuple[Fraction, Fraction]]


WARNER = PaperDesign("warner", "warner", lambda p: (1 - p, p))
FORCED_RESPONSE = PaperDesign("forced-response", "forced", lambda yes, no: (yes, 1 - no))
CROSSWISE = PaperDesign("crosswise", "crosswise", WARNER.rates)
UNRELATED_QUESTION = PaperDesign(
    "unrelated-question", "unrelated", lambda p, yes: ((1 - p) * yes, p + (1 - p) * yes)
)


@dataclass(frozen=True, slots=True)
class RandomizedResponse(TableMechanism):
    """A yes/no question with any two-by-two table of integer weights.

    Covers the classical designs, whose constructors follow, so that surveys collected with
    paper, cards or dice are estimated by the same code.

    Parameters
    ----------
    table
        ``((no_no, no_yes), (yes_no, yes_yes))``: ``table[answer][report]``, positive integers,
        both rows with the same sum of at most 2**32.

    Raises
    ------
    MechanismError
        If the table cannot be sampled, protects nobody, or tells nothing.

    Examples
    --------
    >>> RandomizedResponse(((3, 1), (1, 3))).odds
    Fraction(3, 1)
    """

    name: ClassVar[str] = "randomized-response/1"
    questions: ClassVar[tuple[str, ...]] = ("yes_no",)
    in_manifests: ClassVar[Mapping[str, str]] = {"weights": "table"}
    example_fields = (
        (((3, 1), (1, 3)),),
        (((2, 1), (1, 2)),),
        (((5, 1), (1, 5)),),
        (((7, 3), (1, 9)),),
        (((255, 2), (3, 254)),),
        ((((1 << 32) - 1, 1), (1, (1 << 32) - 1)),),
        (((1 << 30, 1 << 31), (1 << 31, 1 << 30)),),
    )
    table: Table

    def __post_init__(self) -> None:
        if len(self.table) != 2 or any(len(row) != 2 for row in self.table):
            raise MechanismError("a yes/no table has two rows of two weights")
        check_weights(self.table, MAX_WEIGHT_SUM)

    @property
    def weights(self) -> Table:
        """The table itself."""
        return self.table

    def _sample(self, answer: int, coins: Coins) -> int:
        return int(coins.below(sum(self.table[0])) >= self.table[answer][0])

    @classmethod
    def from_odds(cls, odds: Fraction, answers: int = 2) -> Self:
        """Return the table that is symmetric and has exactly these odds.

        >>> RandomizedResponse.from_odds(Fraction(5, 2)).table
        ((5, 2), (2, 5))
        """
        if answers != 2:
            raise MechanismError(f"{cls.name} is for yes/no questions")
        keep, lie = odds.as_integer_ratio()
        return cls(((keep, lie), (lie, keep)))

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the table under ``weights``, or else the symmetric one with these odds."""
        match part.get("weights"):
            case None:
                return cls.from_odds(odds, answers)
            case [[*no], [*yes]]:
                return cls((tuple(no), tuple(yes)))  # which checks that they are integers
        raise MechanismError("weights must be [[no_no, no_yes], [yes_no, yes_yes]], all integers")

    @classmethod
    def odds_within(cls, epsilon: Decimal, answers: int, part: Mapping[str, Any]) -> Fraction:  # noqa: ARG003
        """Return the largest odds up to e**epsilon whose table sums to at most 2**32."""
        return largest_odds(epsilon, answers)

    @classmethod
    def from_yes_rates(cls, yes_if_no: Fraction, yes_if_yes: Fraction) -> Self:
        """Return the design with Pr[report yes | no] and Pr[report yes | yes].

        They are different, and strictly between 0 and 1.

        Raises
        ------
        MechanismError
            If a rate is not strictly between 0 and 1, or the two are equal.
        """
        rates = (Fraction(yes_if_no), Fraction(yes_if_yes))
        first, second = (rate.denominator for rate in rates)
        unit = first * Fraction(first, second).denominator  # their least common multiple
        return cls(tuple((int(unit * (1 - rate)), int(unit * rate)) for rate in rates))

    @classmethod
    def warner(cls, sensitive: Fraction) -> Self:
        """Return Warner's design: with this probability the question, else its negation.

        Warner 1965, JASA 60:63-69.

        >>> RandomizedResponse.warner(Fraction(3, 4)).odds
        Fraction(3, 1)
        """
        return cls.from_yes_rates(*WARNER.rates(sensitive))

    @classmethod
    def forced_response(cls, forced_yes: Fraction, forced_no: Fraction) -> Self:
        """Return forced response: yes or no forced with these absolute probabilities.

        Both are probabilities of the whole design (1/6 and 1/6 for a die), never conditional
        on being forced: mixing up the two is a published error. Boruch 1971; Fox and Tracy 1986.

        >>> RandomizedResponse.forced_response(Fraction(1, 4), Fraction(1, 4)).odds
        Fraction(3, 1)
        """
        return cls.from_yes_rates(*FORCED_RESPONSE.rates(forced_yes, forced_no))

    @classmethod
    def unrelated_question(cls, sensitive: Fraction, prevalence: Fraction) -> Self:
        """Return the unrelated question design with a known prevalence of the innocuous one.

        The sensitive question is asked with probability ``sensitive``. Greenberg, Abul-Ela,
        Simmons and Horvitz 1969, JASA 64:520-539.
        """
        return cls.from_yes_rates(*UNRELATED_QUESTION.rates(sensitive, prevalence))

    @classmethod
    def kuk(cls, red_if_no: Fraction, red_if_yes: Fraction) -> Self:
        """Return Kuk's design with one card: its colour is reported, red as yes (Kuk 1990).

        The answer decides which of two packs it is drawn from; these are their shares of red cards.

        >>> RandomizedResponse.kuk(Fraction(1, 5), Fraction(4, 5)).odds
        Fraction(4, 1)
        """
        return cls.from_yes_rates(red_if_no, red_if_yes)

    @classmethod
    def crosswise(cls, prevalence: Fraction) -> Self:
        """Return the crosswise design: "both or neither" of two statements is reported as yes.

        ``prevalence`` is that of the innocuous statement. Yu, Tian and Tang 2008, Metrika
        67:251-263.
        """
        return cls.from_yes_rates(*CROSSWISE.rates(prevalence))
