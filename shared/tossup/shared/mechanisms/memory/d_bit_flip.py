"""dBitFlip: a few of the buckets of a counter, through kept coins and fresh ones in every wave."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Counting, Table
from tossup.shared.mechanisms.checks import ratio
from tossup.shared.mechanisms.memory.kept_bits import KeptBitsMechanism, coins_of, for_one_report
from tossup.shared.odds import largest_root

#: A window is the same in every wave, so many devices must share it.
MAX_POINTS: Final = 32
MAX_REPORTS: Final = 1 << 12


@dataclass(frozen=True)
class DBitFlip(KeptBitsMechanism):
    """Report a few bits of a changing number, each "it is in this bucket", through kept coins.

    Before any answer a device tosses its memo: ``asked`` buckets in a row, from the last on to
    the first, and for each of them one bit for answers in it and one for all others, right with
    weight ``keep`` and wrong with ``lie``. In each wave it sends the first bucket and, for each,
    the kept bit that fits the answer, turned with weight ``again_lie`` against ``again_keep``.

    Two answers differ in at most d = min(asked, 2) buckets. With the memo, a report has odds of
    (again_keep / again_lie)**d, which are charged in every wave; without it, one report has less,
    and so have all reports together (`odds_of`).

    Parameters
    ----------
    points
        Grid points k, the buckets, from 2 to 32.
    asked
        Buckets d in each report, from 1 to k; k 2**d, or 2**d if all are asked, is at most 4096.
    keep, lie
        Integers, keep > lie >= 0: the coins of the memo. With lie = 0 it adds no noise.
    again_keep, again_lie
        Integers, again_keep > again_lie >= 1: the coins of each report.

    Raises
    ------
    MechanismError
        If these bounds do not hold, or keep + lie or again_keep + again_lie are above 2**32.

    References
    ----------
    Ding, Kulkarni and Yekhanin 2017, sections 2.2 and 4, without the charge for what is
    kept.

    Examples
    --------
    >>> design = DBitFlip(5, asked=1, keep=9, lie=1, again_keep=3, again_lie=1)
    >>> design.odds, design.given_memo.odds
    (Fraction(7, 3), Fraction(3, 1))
    """

    name: ClassVar[str] = "d-bit-flip/1"
    counting: ClassVar[Counting] = "kept bits"
    keys: ClassVar = {"memory": "ratio", "asked": "integer"}
    example_fields = (
        (2, 1, 9, 1, 3, 1),
        (5, 5, 9, 1, 3, 2),
        (10, 3, 7, 2, 21, 20),
        (32, 7, 9, 1, 32592, 18817),
    )
    points: int
    asked: int
    keep: int = 9
    lie: int = 1
    again_keep: int = 3
    again_lie: int = 1

    def __post_init__(self) -> None:
        if type(self.points) is not int or not 2 <= self.points <= MAX_POINTS:
            raise MechanismError(f"{self.name} takes a grid of 2 to {MAX_POINTS} points")
        if type(self.asked) is not int or not 1 <= self.asked <= self.points:
            raise MechanismError(f"asked of {self.name} must be an integer from 1 to the points")
        if self.reports > MAX_REPORTS:
            raise MechanismError(f"{self.name} has {self.reports} reports; ask fewer buckets")
        self.check_weights()

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design that charges a wave these odds, and keeps with those of ``memory``.

        Where ``asked`` does not say how many buckets are, they are those of `best_asked`.

        >>> DBitFlip.from_file({}, Fraction(9, 4), 5)
        DBitFlip(points=5, asked=5, keep=9, lie=1, again_keep=3, again_lie=2)
        """
        keep, lie, *_ = coins_of(part, odds)
        if answers > MAX_POINTS:
            raise MechanismError(
                f"d-bit-flip takes at most {MAX_POINTS} numbers, so that many devices report on"
                f" the same; {answers} are too many. Take a larger step, or one-bit-mean"
            )
        asked = part.get("asked", best_asked(answers))
        bit = odds if asked == 1 else largest_root(odds)
        return cls(answers, asked, keep, lie, *bit.as_integer_ratio())

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return a design of which one report has nearly these odds, and no more."""
        ratio(odds)  # which refuses odds of 1 and less
        asked = best_asked(points)
        bit = largest_root(odds) if asked > 1 else odds
        return cls(points, asked, *for_one_report(bit))

    @property
    def windows(self) -> int:
        """How many first buckets there are; one where all are asked."""
        return 1 if self.asked == self.points else self.points

    @property
    def buckets(self) -> int:
        """As many as are asked."""
        return self.asked

    @property
    def asks_all(self) -> bool:
        """Whether there is a bit for every point."""
        return self.windows == 1

    @property
    def reports(self) -> int:
        """Number of windows, times that of masks of the buckets asked."""
        return self.windows << self.asked

    @cached_property
    def weights(self) -> Table:
        """The product over the buckets of the weights of a bit that is true, or not."""
        hit, miss = self.bits.told
        of = [hit ** (self.asked - wrong) * miss**wrong for wrong in range(self.asked + 1)]
        return tuple(
            tuple(
                of[(self.truth(first, answer) ^ mask).bit_count()]
                for first in range(self.windows)
                for mask in range(1 << self.asked)
            )
            for answer in range(self.points)
        )

    def truth(self, first: int, answer: int) -> int:
        """Return which of the buckets from ``first`` on holds the answer, the first one lowest."""
        held = 1 << answer
        return (held >> first | held << self.points - first) & self._all

    def _report(self, first: int, mask: int) -> int:
        """Return the place of the first bucket, then the mask."""
        return first << self.asked | mask


def best_asked(points: int) -> int:
    """Return how many buckets to ask: as many as fit, or one where no more than four do.

    The variance falls with their number; but two of them differ, which leaves each the root of
    the odds, and about four times the variance.
    """
    fitting = [d for d in range(1, points) if points << d <= MAX_REPORTS]
    most = points if 1 << points <= MAX_REPORTS else fitting[-1]
    return most if most > 4 else 1
