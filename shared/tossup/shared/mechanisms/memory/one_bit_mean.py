"""One bit for a mean: is a changing number above a kept cut, through kept coins and fresh ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.mechanisms.base import Table
from tossup.shared.mechanisms.checks import ratio
from tossup.shared.mechanisms.memory.kept_bits import KeptBitsMechanism, coins_of, for_one_report
from tossup.shared.mechanisms.numbers.base import check_points
from tossup.shared.mechanisms.numbers.duchi import Duchi


@dataclass(frozen=True)
class OneBitMean(KeptBitsMechanism):
    """Report in each wave, in one bit, whether the answer is above a cut that a device keeps.

    Before any answer a device tosses its memo: a cut between two points of the grid, all alike, a
    bit for answers above it and one for answers below, right with weight ``keep`` and wrong with
    ``lie``. In each wave it sends the kept bit that fits the answer, turned with weight
    ``again_lie`` against ``again_keep``. One report is one of `Duchi`'s mechanism with the odds of
    both coins.

    With the memo, a report has odds of again_keep / again_lie, which are charged in every wave;
    without it, one report has less, and so have all reports together (`odds_of`).

    Parameters
    ----------
    points
        Grid points k, from 2 to 1,024.
    keep, lie
        Integers, keep > lie >= 0: the coins of the memo. With lie = 0 it adds no noise.
    again_keep, again_lie
        Integers, again_keep > again_lie >= 1: the coins of each report. The sums of both pairs,
        multiplied with k - 1, are at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Ding, Kulkarni and Yekhanin 2017, sections 2.1, 3 and 4: 1BitMean with alpha-point
    rounding, memoization and output perturbation.

    Examples
    --------
    >>> design = OneBitMean(101, keep=9, lie=1, again_keep=3, again_lie=1)
    >>> design.odds, design.given_memo.odds, f"{float(design.odds_of(4)):.2f}"
    (Fraction(7, 3), Fraction(3, 1), '20.75')
    """

    name: ClassVar[str] = "one-bit-mean/1"
    tells_distribution: ClassVar[bool] = False
    is_one_bit: ClassVar[bool] = True
    tells_order: ClassVar[bool] = False
    example_fields = ((2, 9, 1, 3, 1), (11, 7, 2, 21, 20), (1024, 9, 1, 3, 2))
    points: int
    keep: int = 9
    lie: int = 1
    again_keep: int = 3
    again_lie: int = 1

    def __post_init__(self) -> None:
        check_points(self.points, self.name)
        self.check_weights()
        self._marginal.odds  # noqa: B018 - a table with larger weights is refused

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design that charges a wave these odds, and keeps with those of ``memory``.

        >>> OneBitMean.from_file({}, Fraction(3), 101)
        OneBitMean(points=101, keep=9, lie=1, again_keep=3, again_lie=1)
        """
        return cls(answers, *coins_of(part, odds))

    @property
    def buckets(self) -> int:
        """One: all points above the cut."""
        return 1

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return a design of which one report has exactly these odds."""
        check_points(points, cls.name)
        ratio(odds)  # which refuses odds of 1 and less
        return cls(points, *for_one_report(odds))

    @cached_property
    def _marginal(self) -> Duchi:
        """What a single report is, whose memo nobody knows."""
        told = Fraction(*self.bits.told)
        return Duchi(self.points, *told.as_integer_ratio())

    @property
    def windows(self) -> int:
        """How many cuts there are: one above each point but the last."""
        return self.points - 1

    @property
    def reports(self) -> int:
        """Two: low and high."""
        return 2

    @property
    def weights(self) -> Table:
        """Weights of low and high, linear in the answer."""
        return self._marginal.weights

    @property
    def values(self) -> tuple[Fraction, ...]:
        """What low and high count for in a mean."""
        return self._marginal.values

    def truth(self, first: int, answer: int) -> int:
        """Return 1 if the answer is above the cut, which lies above the point ``first``."""
        return int(answer > first)

    def _report(self, first: int, mask: int) -> int:  # noqa: ARG002 - nobody learns the cut
        return mask

    @classmethod
    def ratio_limit(cls, points: int) -> int:
        """Return the largest again_keep + again_lie beside kept bits of odds 9."""
        return MAX_WEIGHT_SUM // (10 * (points - 1))
