"""Kuk's design with several cards: a report is how many of them are red."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.base import Readout, Stated, Table
from tossup.shared.mechanisms.checks import check_weights
from tossup.shared.mechanisms.drawn import DrawnTable, binomial, greatest_divisor

MAX_CARDS: Final = 16


@dataclass(frozen=True, slots=True)
class Kuk(DrawnTable):
    """Draw cards, with replacement, from one of two decks that the answer decides between.

    The report is the number of red cards. Odds are those of one card to the power of the number of
    cards. At equal odds more cards tell less than one, which is `RandomizedResponse`: this is for
    comparison with surveys that were collected so.

    Parameters
    ----------
    cards
        How many are drawn, from 2 to 16.
    decks
        ``((no_black, no_red), (yes_black, yes_red))``: cards of each colour in the deck for no
        and in that for yes. Both decks have the same size, whose power by ``cards`` is at most
        2**32.

    Raises
    ------
    MechanismError
        If the table cannot be sampled, protects nobody, or tells nothing.

    References
    ----------
    Kuk 1990.

    Examples
    --------
    >>> Kuk(2, ((2, 1), (1, 2))).weights
    ((4, 4, 1), (1, 4, 4))
    """

    name: ClassVar[str] = "kuk/1"
    questions: ClassVar[tuple[str, ...]] = ("yes_no",)
    keys: ClassVar = {"cards": "any"}
    readout: ClassVar[Readout] = "cards"
    example_fields = (
        (2, ((2, 1), (1, 2))),
        (2, ((32592, 18817), (18817, 32592))),
        (3, ((4, 1), (2, 3))),
        (16, ((2, 1), (1, 2))),
    )
    cards: int
    decks: Table

    def __post_init__(self) -> None:
        if type(self.cards) is not int or not 2 <= self.cards <= MAX_CARDS:
            raise MechanismError(
                f"{self.name} draws 2 to {MAX_CARDS} cards; one card is randomized response"
            )
        if len(self.decks) != 2 or any(len(deck) != 2 for deck in self.decks):
            raise MechanismError(f"{self.name} has two decks of black and red cards")
        check_weights(self.decks, MAX_WEIGHT_SUM)
        if greatest_divisor([*self.decks[0], *self.decks[1]]) != 1:
            raise MechanismError(f"decks of {self.name} must be in lowest terms")
        if self.size**self.cards > MAX_WEIGHT_SUM:
            raise MechanismError(
                f"{self.cards} cards from decks of {brief(self.size)} fall in more than 2**32 ways;"
                " use smaller decks or fewer cards"
            )

    @property
    def size(self) -> int:
        """Number of cards in either deck."""
        return sum(self.decks[0])

    @property
    def red(self) -> tuple[Fraction, Fraction]:
        """The share of red cards in the deck for no, and in that for yes."""
        (_, no), (_, yes) = self.decks
        return Fraction(no, self.size), Fraction(yes, self.size)

    def stated(self) -> Stated:
        """Return how likely are so many red cards, and how red the decks are."""
        return Stated("cards", self.channel(), self.red, {"cards": self.cards})

    @property
    def weights(self) -> Table:
        """In how many ways the cards can fall, by their number of red ones."""
        return tuple(
            tuple(
                binomial(self.cards, drawn) * black ** (self.cards - drawn) * red**drawn
                for drawn in range(self.cards + 1)
            )
            for black, red in self.decks
        )

    def score(self, report: int, answer: int) -> Fraction:
        """Return (x - q) / (p - q) for yes, with x the part of the cards that is red.

        >>> [str(Kuk(2, ((2, 1), (1, 2))).score(red, 1)) for red in range(3)]
        ['-1', '1/2', '2']
        """
        no, yes = self.red
        of_yes = Fraction(Fraction(report, self.cards) - no, yes - no)
        return of_yes if answer else 1 - of_yes

    def variance_at(self, share: Fraction) -> Fraction:
        """Return n times the variance of the share of yes, estimated from the mean number of red.

        >>> Kuk(2, ((2, 1), (1, 2))).variance_at(Fraction(1, 2))
        Fraction(5, 4)
        """
        no, yes = self.red
        unit = Fraction(self.cards * (yes - no) ** 2)
        coins = (1 - share) * no * (1 - no) + share * yes * (1 - yes)
        return coins * unit**-1 + share * (1 - share)

    @property
    def largest_variance(self) -> Fraction:
        """The largest `variance_at` over all shares: a parabola's top, or an end."""
        at_no, at_yes = self.variance_at(Fraction(0)), self.variance_at(Fraction(1))
        top = Fraction(1 + at_yes - at_no) * Fraction(1, 2)
        return self.variance_at(min(max(top, Fraction(0)), Fraction(1)))

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return opposite decks for ``cards`` and the odds, or the decks of ``weights``."""
        if "cards" not in part:
            raise MechanismError("mechanism kuk takes cards, how many are drawn: 2 or more")
        match part.get("weights"):
            case None:
                return cls.from_odds(odds, answers, cards=part["cards"])
            case [[*no], [*yes]]:
                return cls(part["cards"], (tuple(no), tuple(yes)))
        raise MechanismError("weights of kuk must be [[no_black, no_red], [yes_black, yes_red]]")

    @classmethod
    def from_odds(cls, odds: Fraction, options: int = 2, cards: int = 2) -> Self:
        """Return the design of opposite decks with the largest odds up to these.

        Raises
        ------
        MechanismError
            If there are not two options, or no decks are small enough.

        >>> Kuk.from_odds(Fraction(4)).decks
        ((2, 1), (1, 2))
        """
        if options != 2:
            raise MechanismError(f"{cls.name} is for yes/no questions")
        if type(cards) is not int or not 2 <= cards <= MAX_CARDS:
            raise MechanismError(f"{cls.name} draws 2 to {MAX_CARDS} cards")
        more, less = _largest_root(odds, cards)
        return cls(cards, ((more, less), (less, more)))


def _largest_root(odds: Fraction, power: int) -> tuple[int, int]:
    """Return the largest a / b whose power is at most the odds and (a + b)**power at most 2**32.

    By walking down the Stern-Brocot tree.
    """
    low, high = (1, 1), (1, 0)
    while (low[0] + low[1] + high[0] + high[1]) ** power <= MAX_WEIGHT_SUM:
        middle = (low[0] + high[0], low[1] + high[1])
        within = middle[0] ** power * odds.denominator <= odds.numerator * middle[1] ** power
        low, high = (middle, high) if within else (low, middle)
    if low == (1, 1):
        raise MechanismError(
            f"no decks for {power} cards have odds above 1 and up to {brief(odds)} with at"
            " most 2**32 ways to fall; use fewer cards or higher odds"
        )
    return low
