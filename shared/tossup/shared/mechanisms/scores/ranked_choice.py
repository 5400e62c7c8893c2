"""A preference order as the answer, one option as the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.base import (
    AnswerKind,
    Channel,
    Counting,
    Mechanism,
    Readout,
    Stated,
    binomial_variance,
    named_by,
    score_by,
)
from tossup.shared.mechanisms.drawn import factorial, integer_table
from tossup.shared.mechanisms.scores.base import MAX_SPREAD, ScoredChoice, largest_ratio

MAX_RANKED: Final = 10


@dataclass(frozen=True, slots=True)
class RankedChoice(Mechanism):
    """Send one option of a preference order, with a weight by its rank.

    Any option may have any rank, so odds are the first weight over the last. What reports tell
    of an option is the mean of its weight over all orders: with weights that fall by equal
    steps its mean rank, with a first weight and equal others the share that ranks it first, and
    else a mean of points (`points`), of which no share of first ranks follows.

    Parameters
    ----------
    by_rank
        Positive integers, best rank first, that never rise and do fall; 2 to 10 of them, with a
        sum of at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    McSherry and Talwar 2007 (weights by score); de Borda 1781 (ranks as points).

    Examples
    --------
    >>> RankedChoice((6, 4, 2)).odds
    Fraction(3, 1)
    """

    name: ClassVar[str] = "ranked-choice/1"
    in_files: ClassVar[tuple[str, ...]] = ("linear", "first")
    answer_kind: ClassVar[AnswerKind] = "ranking"
    readout: ClassVar[Readout] = "points"
    counting: ClassVar[Counting] = "orders"
    names_each: ClassVar[bool] = True
    by_rank: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.by_rank) <= MAX_RANKED:
            raise MechanismError(f"{self.name} takes an order of 2 to {MAX_RANKED} options")
        if any(type(weight) is not int or weight < 1 for weight in self.by_rank):
            raise MechanismError(f"weights of {self.name} must be positive integers")
        if any(one < other for one, other in pairwise(self.by_rank)):
            raise MechanismError(f"weights of {self.name} must not rise from rank to rank")
        if self.by_rank[0] == self.by_rank[-1]:
            raise MechanismError(
                "every order gives the same reports, so nothing can be estimated; choose odds"
                " above 1"
            )
        if sum(self.by_rank) > MAX_WEIGHT_SUM:
            raise MechanismError(f"weights sum to {brief(sum(self.by_rank))}; the limit is 2**32")

    @classmethod
    def answers_of(cls, options: int) -> int:
        """Return the number of orders."""
        return factorial(options)

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls((3, 1)),
            cls((9, 7, 5, 3)),
            cls((1712886306, 1187649034, 823469850, 570962106)),
            cls.linear(10, Fraction(3)),
        )

    @classmethod
    def linear(cls, options: int, odds: Fraction) -> Self:
        """Return the design whose weights fall by equal steps, with exactly these odds.

        >>> RankedChoice.linear(4, Fraction(3)).by_rank
        (9, 7, 5, 3)
        """
        if type(options) is not int or not 2 <= options <= MAX_RANKED:
            raise MechanismError(f"{cls.name} takes an order of 2 to {MAX_RANKED} options")
        keep, lie = odds.as_integer_ratio()
        steps = options - 1
        return cls(tuple(lie * steps + (keep - lie) * (steps - rank) for rank in range(options)))

    @classmethod
    def first(cls, options: int, odds: Fraction) -> Self:
        """Return the design that tells the shares of first ranks, with exactly these odds."""
        keep, lie = odds.as_integer_ratio()
        return cls((keep, *(lie,) * (options - 1)))

    @classmethod
    def for_scores(cls, kind: type[ScoredChoice], scores: Sequence[int], odds: Fraction) -> Self:
        """Return the design that a way to choose by score makes of scores by rank.

        Odds never exceed these. Scores are integers that never rise and do fall, by at most 1,023.

        Raises
        ------
        MechanismError
            If scores are not integers that never rise and do fall by at most 1,023, or no
            integer weights fit.
        """
        if any(type(score) is not int for score in scores) or not scores:
            raise MechanismError("scores by rank must be integers")
        losses = [scores[0] - score for score in scores]
        if losses != sorted(losses) or not 0 < losses[-1] <= MAX_SPREAD:
            raise MechanismError(
                f"scores by rank must be highest first and fall, by at most {MAX_SPREAD} in all"
            )

        def weights(ratio: Fraction) -> tuple[int, ...]:
            return integer_table((kind.masses(losses, *ratio.as_integer_ratio()),))[0]

        def within(ratio: Fraction) -> bool:
            first, *_, last = weights(ratio)
            return last > 0 and Fraction(first, last) <= odds

        return cls(weights(largest_ratio(within, odds)))

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return `first` where that is the ``mechanism``, and else `linear`."""
        return (cls.first if part.get("mechanism") == "first" else cls.linear)(answers, odds)

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return `linear`, which tells mean ranks."""
        return cls.linear(options, odds)

    @property
    def options(self) -> int:
        """Number of options that are ordered."""
        return len(self.by_rank)

    @property
    def shares(self) -> int:
        """Mean points of each option."""
        return self.options

    @property
    def answers(self) -> int:
        """Number of orders."""
        return factorial(self.options)

    @property
    def reports(self) -> int:
        """Number of options: a report is an option."""
        return self.options

    @property
    def counters(self) -> int:
        """One counter an option."""
        return self.options

    @property
    def odds(self) -> Fraction:
        """First weight over last."""
        return Fraction(self.by_rank[0], self.by_rank[-1])

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """How likely a report names an option ranked last, and one ranked first."""
        total = sum(self.by_rank)
        return Fraction(self.by_rank[-1], total), Fraction(self.by_rank[0], total)

    def stated(self) -> Stated:
        """Return how likely the option of each rank is sent."""
        total = sum(self.by_rank)
        return Stated("ranks", rates=tuple(Fraction(weight, total) for weight in self.by_rank))

    def naming_chances(self) -> Channel:
        """Return the channel of one option: named or not, if it is ranked first or last."""
        return named_by(*self.rates)

    def score(self, report: int, answer: int) -> Fraction:
        """Return what a report counts for in the mean points of an option."""
        return score_by(report == answer, *self.rates)

    def variance_at(self, share: Fraction) -> Fraction:
        """Return n times the variance of mean points, where they are this many."""
        return binomial_variance(share, *self.rates)

    @property
    def points(self) -> tuple[Fraction, ...]:
        """What each rank counts for in the mean that reports tell: 1 for the first, 0 for the last.

        >>> [str(point) for point in RankedChoice.linear(3, Fraction(3)).points]
        ['1', '1/2', '0']
        """
        first, last = self.by_rank[0], self.by_rank[-1]
        return tuple(Fraction(weight - last, first - last) for weight in self.by_rank)

    def probability(self, answer: int, report: int) -> Fraction:
        """Return the weight of the option's rank over that of all ranks."""
        if not self.is_report(report):
            return Fraction(0)
        rank = order_of(answer, self.options).index(report)
        return Fraction(self.by_rank[rank], sum(self.by_rank))

    def _sample(self, answer: int, coins: Coins) -> int:
        # The draw picks a rank, so it never looks at the order.
        *bounds, total = accumulate(self.by_rank)
        draw = coins.below(total)
        return order_of(answer, self.options)[sum(draw >= bound for bound in bounds)]


def order_of(index: int, options: int) -> tuple[int, ...]:
    """Return the order with this index among all orders of 0, ..., options - 1, sorted.

    >>> order_of(3, 3)
    (1, 2, 0)
    """
    places: list[int] = []  # of the last option first: its place among those that are left
    for base in range(1, options + 1):
        index, place = divmod(index, base)
        places.append(place)
    left = list(range(options))
    return tuple(left.pop(place) for place in reversed(places))


def index_of(order: Sequence[int]) -> int:
    """Return the index of an order: the inverse of `order_of`.

    >>> index_of((1, 2, 0))
    3
    """
    index = 0
    for place, option in enumerate(order):
        smaller = sum(other < option for other in order[place + 1 :])
        index = index * (len(order) - place) + smaller
    return index
