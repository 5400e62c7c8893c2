"""Choices by score: every answer gives every option a score, and high scores are likelier sent.

Stage: answer to report. The scores are public integers in the manifest, and one step of score
multiplies by one ratio, keep / lie. Each kind computes integers from integers, so that every device
has the same table.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.base import Readout, Stated, Table
from tossup.shared.mechanisms.checks import check_above_one, check_ratio, check_weights
from tossup.shared.mechanisms.drawn import DrawnTable, integer_table

Utility = tuple[tuple[int, ...], ...]

MAX_OPTIONS: Final = 32
#: How far the scores of one answer may lie apart.
MAX_SPREAD: Final = 1023

_LARGEST_SCORE: Final = 10**9
_STEPS: Final = 1 << 28  # a ratio is sought in steps of one over this
_LARGEST_KEEP: Final = 1 << 48


@dataclass(frozen=True)
class ScoredChoice(DrawnTable):
    """Send an option, with a probability that rises with its score for the true answer.

    Only differences of scores within a row matter. The truth has the highest score of its own
    row, maybe with others. Weights are integers, and odds are the largest ratio in a column of
    them, exactly.

    Parameters
    ----------
    utility
        ``utility[answer][option]``: integers, as many rows as columns, 2 to 32.
    keep, lie
        Integers in lowest terms with keep > lie >= 1, keep at most 2**48: what one step of
        score counts for.

    Raises
    ------
    MechanismError
        If these bounds do not hold, an option becomes too unlikely for integer weights, or two
        answers give the same reports.
    """

    utility: Utility
    keep: int
    lie: int = 1

    questions: ClassVar[tuple[str, ...]] = ("choice", "ranking")
    keys: ClassVar = {"utility": "any", "distances": "any"}
    readout: ClassVar[Readout] = "scores"

    def __post_init__(self) -> None:
        check_utility(self.utility, self.name)
        check_ratio(self.keep, self.lie, self.name)
        if self.keep > _LARGEST_KEEP:
            raise MechanismError(f"keep of {self.name} must be at most 2**48")
        weights = self.weights
        if min(map(min, weights)) < 1:
            raise MechanismError(
                f"scores of {self.name} lie too far apart for its ratio: the least likely option"
                " would need weights above 2**32"
            )
        check_weights(weights, MAX_WEIGHT_SUM)
        alike = _alike(weights)
        if alike:
            raise MechanismError(
                f"at these odds rows {alike} of the scores of {self.name} have the same weights,"
                " so reports cannot tell these answers apart; ask for higher odds"
            )

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(in_a_row(3), 2, 1),
            cls(in_a_row(5), 5, 4),
            cls(TOWNS, 9, 8),
            cls(in_a_row(32), 31, 30),
        )

    @staticmethod
    @abstractmethod
    def masses(losses: Sequence[int], keep: int, lie: int) -> tuple[int, ...]:
        """Return numbers in proportion to the probabilities of the options.

        Parameters
        ----------
        losses
            By how much each option's score is below the highest; at least one is 0.
        keep, lie
            What one step of score counts for.
        """

    @cached_property
    def weights(self) -> Table:
        """The integers that are tossed."""
        return _table(type(self), self.utility, self.keep, self.lie)

    @cached_property
    def odds(self) -> Fraction:
        """The largest ratio of two weights in one column."""
        return super().odds

    def stated(self) -> Stated:
        """Return the chances of every option, the nearer the likelier."""
        return Stated("scores", self.channel())

    @classmethod
    def for_utility(cls, utility: Utility, odds: Fraction) -> Self:
        """Return the design with a ratio found by bisection, whose odds never exceed these.

        Raises
        ------
        MechanismError
            If no ratio has odds above 1 and not above these.
        """
        check_utility(utility, cls.name)
        ratio = largest_ratio(lambda asked: _within(cls, utility, asked, odds), odds)
        return cls(utility, *ratio.as_integer_ratio())

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design for ``utility`` (higher is likelier) or ``distances`` (lower is).

        >>> from tossup.shared.mechanisms import PermuteAndFlip
        >>> part = {"distances": [[0, 1, 5], [1, 0, 4], [5, 4, 0]]}
        >>> round(float(PermuteAndFlip.from_file(part, Fraction(3), 3).odds), 6)
        3.0
        """
        if "weights" in part:
            raise MechanismError(
                f"mechanism {part['mechanism']} takes odds or epsilon; its weights follow"
            )
        return cls.for_utility(_utility_of(part, answers), odds)

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return the design for options in a row, each a step of score from its neighbours."""
        if type(options) is not int or not 2 <= options <= MAX_OPTIONS:
            raise MechanismError(f"{cls.name} takes 2 to {MAX_OPTIONS} options")
        return cls.for_utility(in_a_row(options), odds)


def _utility_of(part: Mapping[str, Any], options: int) -> Utility:
    """Return the scores that a question of a survey file has, or makes of distances."""
    given = [key for key in ScoredChoice.keys if key in part]
    if len(given) != 1:
        raise MechanismError(
            f"mechanism {part['mechanism']} takes utility, a row an answer and in it a score an"
            " option, or distances, the same with 0 for the answer itself"
        )
    rows = part[given[0]]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise MechanismError(f"{given[0]} must be a list of rows, each a list of integers")
    if len(rows) != options or any(len(row) != options for row in rows):
        raise MechanismError(
            f"{given[0]} must have {options} rows of {options} integers, as there are {options}"
            f" options (at most {MAX_OPTIONS})"
        )
    if any(type(score) is not int for row in rows for score in row):
        raise MechanismError(f"{given[0]} must be integers")
    if given[0] == "utility":
        return tuple(tuple(row) for row in rows)
    _check_distances(rows)
    return tuple(tuple(-distance for distance in row) for row in rows)


def _check_distances(rows: list[list[int]]) -> None:
    if any(distance < 0 for row in rows for distance in row):
        raise MechanismError("distances must not be negative")
    if any(row[place] for place, row in enumerate(rows)):
        raise MechanismError("the distance of an option from itself must be 0")
    if rows != [list(column) for column in zip(*rows, strict=True)]:
        raise MechanismError(
            "distances must be the same both ways; with utility they may be different"
        )


#: Scores of two pairs of places and one far away, for examples.
TOWNS: Final = (
    (0, -1, -9, -9, -30),
    (-1, 0, -9, -9, -30),
    (-9, -9, 0, -1, -25),
    (-9, -9, -1, 0, -25),
    (-30, -30, -25, -25, 0),
)


def check_utility(utility: Utility, name: str) -> None:
    """Refuse scores that are no square of integers, whose rows differ and prefer their own answer.

    Raises
    ------
    MechanismError
        If they are not.
    """
    size = len(utility)
    if not 2 <= size <= MAX_OPTIONS or any(len(row) != size for row in utility):
        raise MechanismError(
            f"utility of {name} must have a row an answer and in it a score an option,"
            f" 2 to {MAX_OPTIONS} of them"
        )
    if any(
        type(score) is not int or abs(score) > _LARGEST_SCORE for row in utility for score in row
    ):
        raise MechanismError(f"scores of {name} must be integers from -10**9 to 10**9")
    for answer, row in enumerate(utility):
        if row[answer] < max(row):
            raise MechanismError(
                f"utility of {name} gives answer {answer} a lower score for itself than for"
                " another option; give higher scores to what lies nearer to the truth"
            )
        if max(row) - min(row) > MAX_SPREAD:
            raise MechanismError(
                f"scores of one answer lie more than {MAX_SPREAD} apart; use coarser scores"
            )
    beside_own = [tuple(score - row[own] for score in row) for own, row in enumerate(utility)]
    alike = _alike(beside_own)
    if alike:
        raise MechanismError(
            f"rows {alike} of utility (or distances) of {name} are equal but for a constant, which"
            " changes no chance: reports cannot tell these answers apart, so no share can be"
            " estimated. Give each row scores of its own, or ask for one option in place of these"
        )


def _alike(rows: Sequence[tuple[int, ...]]) -> str:
    """Return which rows are the same, counted from 1; nothing if all are different.

    >>> _alike([(0, 1), (2, 3), (0, 1)])
    '1, 3'
    """
    places: dict[tuple[int, ...], list[str]] = {}
    for place, row in enumerate(rows, 1):
        places.setdefault(row, []).append(str(place))
    return next((", ".join(found) for found in places.values() if len(found) > 1), "")


def in_a_row(options: int) -> Utility:
    """Return the scores of options in a row: minus the distance.

    >>> in_a_row(3)
    ((0, -1, -2), (-1, 0, -1), (-2, -1, 0))
    """
    places = range(options)
    return tuple(tuple(-abs(place - other) for other in places) for place in places)


def score_table(kind: type[ScoredChoice], utility: Utility, keep: int, lie: int) -> Table:
    """Return the integers that a kind makes of scores, each row's losses gone through once."""
    masses: dict[tuple[int, ...], dict[int, int]] = {}
    rows = []
    for scores in utility:
        losses = [max(scores) - score for score in scores]
        ordered = tuple(sorted(losses))
        if ordered not in masses:
            masses[ordered] = dict(zip(ordered, kind.masses(ordered, keep, lie), strict=True))
        rows.append(tuple(masses[ordered][loss] for loss in losses))
    return integer_table(tuple(rows))


_table = lru_cache(maxsize=64)(score_table)


def _within(kind: type[ScoredChoice], utility: Utility, ratio: Fraction, odds: Fraction) -> bool:
    """Return whether a ratio can be tossed, at odds that do not exceed these."""
    columns = list(zip(*score_table(kind, utility, *ratio.as_integer_ratio()), strict=True))
    if any(min(column) < 1 for column in columns):
        return False
    return all(Fraction(max(column), min(column)) <= odds for column in columns)


def largest_ratio(within: Callable[[Fraction], bool], odds: Fraction) -> Fraction:
    """Return a ratio above 1, a multiple of 2**-28, that is within some bound; the next is not.

    Raises
    ------
    MechanismError
        If there is none.
    """
    check_above_one(odds)
    low, high = _STEPS, 2 * _STEPS
    while high <= _LARGEST_KEEP and within(Fraction(high, _STEPS)):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if within(Fraction(middle, _STEPS)) else (low, middle)
    if low == _STEPS:
        raise MechanismError(
            f"no design has odds {brief(odds)} for these scores; ask for higher odds"
        )
    return Fraction(low, _STEPS)
