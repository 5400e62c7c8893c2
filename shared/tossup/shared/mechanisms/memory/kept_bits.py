"""Kept bits: what mechanisms for changing numbers keep, send, and tell over all waves, exactly.

A device keeps two bits about a set of answers, a bucket: one is sent, turned by fresh coins, in
waves whose answer is in the bucket, the other in all others. Two sequences of answers sort waves
into both in the bucket, only the first, only the second, neither; the largest ratio has no or all
ones in each class (docs/proofs/d-bit-flip.md).
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins, bytes_for_run
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Mechanism
from tossup.shared.mechanisms.checks import check_total
from tossup.shared.mechanisms.drawn import mask
from tossup.shared.mechanisms.numbers.base import GridMechanism
from tossup.shared.odds import largest_odds

#: Waves, up to which all pairs of sequences are gone through in a moment, on a phone as well.
MAX_WAVES: Final = 16

#: Odds of the kept bits: they add about half to the people needed, and keep the odds of all
#: reports about an answer that never changes below 9, or 81 where two buckets may differ.
_MEMORY: Final = Fraction(9)

#: By how many waves the first answer is in some buckets, and the second: the largest ratio, as
#: numerator and denominator.
_Ratios = Mapping[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class KeptBits:
    """The coins of one bucket: ``keep`` and ``lie`` once, those of ``again`` in every wave."""

    keep: int
    lie: int
    again_keep: int
    again_lie: int

    def weight(self, waves: int, ones: int) -> int:
        """Return the weight of so many ones, in one order, in waves of a kept bit to be 1."""
        likely, unlikely = self.again_keep, self.again_lie
        zeros = waves - ones
        return int(
            self.keep * likely**ones * unlikely**zeros + self.lie * unlikely**ones * likely**zeros
        )

    @property
    def told(self) -> tuple[int, int]:
        """Weights of sending what is true and what is not, over both stages."""
        return self.weight(1, 1), self.weight(1, 0)

    def steady(self, waves: int) -> Fraction:
        """Return the odds of a bucket that holds the answer in all waves, or in none."""
        return Fraction(self.weight(waves, waves), self.weight(waves, 0))


@cache
def changing(bits: KeptBits, asked: int, *, all_asked: bool, waves: int) -> Fraction:
    """Return the largest ratio of all reports of so many buckets, over all pairs of sequences."""
    found = _of_so_many(bits, asked, waves)
    ends = [(waves, waves)] if all_asked else found
    return Fraction(*reduce(_larger, (found[end] for end in ends)))


def _of_so_many(bits: KeptBits, buckets: int, waves: int) -> _Ratios:
    """Return the largest ratios of so many buckets, from those of half of them."""
    if buckets == 1:
        return _of_one(bits, waves)
    half = _of_so_many(bits, buckets // 2, waves)
    even = _joined(half, half, waves)
    return _joined(even, _of_one(bits, waves), waves) if buckets % 2 else even


def _of_one(bits: KeptBits, waves: int) -> _Ratios:
    """Return the largest ratios of one bucket."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    weights = [[bits.weight(n, ones) for ones in range(n + 1)] for n in range(waves + 1)]
    for both, first, second in product(range(waves + 1), repeat=3):
        neither = waves - both - first - second
        if neither < 0:
            continue
        ends = (both + first, both + second)
        for classes in product((0, both), (0, first), (0, second), (0, neither)):
            ratio = _ratio(weights, (both, first, second, neither), classes)
            found[ends] = _larger(found.get(ends, (0, 1)), ratio)
    return found


def _ratio(
    weights: list[list[int]], waves: tuple[int, int, int, int], ones: tuple[int, ...]
) -> tuple[int, int]:
    both, first, second, neither = waves
    of_both, of_first, of_second, of_neither = ones
    likely = weights[both + first][of_both + of_first]
    likely *= weights[second + neither][second + neither - of_second - of_neither]
    unlikely = weights[both + second][of_both + of_second]
    return likely, unlikely * weights[first + neither][first + neither - of_first - of_neither]


def _joined(some: _Ratios, others: _Ratios, waves: int) -> _Ratios:
    """Return the largest products of the ratios of some buckets and of others."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for (first, second), (likely, unlikely) in some.items():
        for (more, further), (by, over) in others.items():
            ends = (first + more, second + further)
            if max(ends) <= waves:
                ratio = (likely * by, unlikely * over)
                found[ends] = _larger(found.get(ends, (0, 1)), ratio)
    return found


def _larger(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one if one[0] * other[1] >= other[0] * one[1] else other


class MemoMechanism(Mechanism):
    """A mechanism for answers that change: a device keeps coins for all answers that may come.

    They are tossed before any answer is seen, so that the memo by itself tells nothing. A report
    is made from it, the answer of a wave and fresh coins. Memo and report together tell at most the
    odds of `given_memo`, charged in every wave; reports alone tell less (`odds_of`).
    """

    has_memo: ClassVar[bool] = True

    @property
    @abstractmethod
    def given_memo(self) -> Mechanism:
        """What a report is to someone who has the memo, whichever it is: at most these odds."""

    @abstractmethod
    def memo(self, coins: Coins) -> int:
        """Toss the memo of a device."""

    @abstractmethod
    def odds_if_steady(self, reports: int) -> Fraction:
        """Return the odds of this many reports between two answers that both never change."""

    @abstractmethod
    def _through(self, memo: int, answer: int, coins: Coins) -> int:
        """Return a report of an answer through a memo, without a branch on either."""

    def through(self, memo: int, answer: int, coins: Coins) -> int:
        """Return the report of a wave: of its answer, through what `memo` gave.

        Raises
        ------
        AnswerError
            If the answer is none. Nothing has been drawn then.
        """
        self.check_answer(answer)
        return self._through(memo, answer, coins)


class KeptBitsMechanism(GridMechanism, MemoMechanism):
    """Send, in each wave, a bit about each of a few buckets, through kept coins and fresh ones.

    Attributes
    ----------
    points
        Grid points.
    keep, lie
        Weights of a kept bit that is right, and of one that is wrong.
    again_keep, again_lie
        Weights of sending it as it is, and turned.
    """

    keys: ClassVar = {"memory": "ratio"}
    most_reports: ClassVar[int] = MAX_WAVES
    points: int
    keep: int
    lie: int
    again_keep: int
    again_lie: int

    @classmethod
    def odds_within(cls, epsilon: Decimal, answers: int, part: Mapping[str, Any]) -> Fraction:
        """Return the largest odds up to e**epsilon of fresh coins, beside those of ``memory``."""
        total = sum(memory_of(part).as_integer_ratio())
        return largest_odds(epsilon, limit=MAX_WEIGHT_SUM // (total * answers))

    def check_weights(self) -> None:
        """Refuse weights that protect nobody, tell nothing, or cannot be tossed.

        Raises
        ------
        MechanismError
            If they are not integers with keep > lie >= 0 and again_keep > again_lie >= 1.
        """
        weights = (self.keep, self.lie, self.again_keep, self.again_lie)
        if any(type(weight) is not int for weight in weights):
            raise MechanismError(f"the weights of {self.name} must be integers")
        if not (self.keep > self.lie >= 0 and self.again_keep > self.again_lie >= 1):
            raise MechanismError(
                f"{self.name} takes keep > lie >= 0 and again_keep > again_lie >= 1"
            )
        check_total(self.keep + self.lie)
        check_total(self.again_keep + self.again_lie)

    @property
    def given_memo(self) -> Self:
        """The design without the coins of the memo: a memo that is right tells most."""
        return replace(self, keep=1, lie=0)  # type: ignore[type-var]

    @property
    def bits(self) -> KeptBits:
        """The coins of one bucket."""
        return KeptBits(self.keep, self.lie, self.again_keep, self.again_lie)

    @property
    @abstractmethod
    def windows(self) -> int:
        """How many first buckets there are."""

    @property
    @abstractmethod
    def buckets(self) -> int:
        """How many buckets a device reports on."""

    @property
    def asks_all(self) -> bool:
        """Whether every answer is in one of the buckets asked."""
        return False

    @abstractmethod
    def truth(self, first: int, answer: int) -> int:
        """Return which of the buckets from ``first`` on holds the answer, the first one lowest."""

    @abstractmethod
    def _report(self, first: int, mask: int) -> int:
        """Return the report of a mask."""

    @property
    def _differing(self) -> int:
        """In how many of the buckets asked two answers differ at most."""
        return min(self.buckets, 2)

    @property
    def odds(self) -> Fraction:
        """The odds of one report: those of one bit, to the power of how many can differ."""
        return Fraction(*self.bits.told) ** self._differing

    def odds_of(self, reports: int) -> Fraction:
        """Return the odds of this many reports alone, over all pairs of sequences of answers.

        Raises
        ------
        MechanismError
            If there are more than 16 reports, of which it would take long to say.
        """
        if reports > MAX_WAVES:
            raise MechanismError(
                f"what more than {MAX_WAVES} reports of {self.name} tell is not worked out"
            )
        return changing(self.bits, self.buckets, all_asked=self.asks_all, waves=reports)

    def odds_if_steady(self, reports: int) -> Fraction:
        """Return the odds of this many reports between two answers that both never change."""
        return self.bits.steady(reports) ** self._differing

    def memo(self, coins: Coins) -> int:
        """Toss the memo: the first bucket, then a kept bit a bucket for in and one for out."""
        coins.reserve(_bytes(self._memo_sizes))
        return self._memo(coins)

    def _through(self, memo: int, answer: int, coins: Coins) -> int:
        coins.reserve(_bytes(self._sizes))
        return self._turned(memo, answer, coins)

    def _sample(self, answer: int, coins: Coins) -> int:
        coins.reserve(_bytes((*self._memo_sizes, *self._sizes)))
        return self._turned(self._memo(coins), answer, coins)

    @property
    def _memo_sizes(self) -> tuple[int, ...]:
        return (self.windows, *(self.keep + self.lie,) * (2 * self.buckets))

    @property
    def _sizes(self) -> tuple[int, ...]:
        return (self.again_keep + self.again_lie,) * self.buckets

    @property
    def _all(self) -> int:
        """A bit for every bucket asked."""
        return (1 << self.buckets) - 1

    def _memo(self, coins: Coins) -> int:
        first = coins.below(self.windows)
        inside = self._all ^ self._drawn(coins, self.keep + self.lie, self.lie)
        outside = self._drawn(coins, self.keep + self.lie, self.lie)
        return (first << self.buckets | inside) << self.buckets | outside

    def _turned(self, memo: int, answer: int, coins: Coins) -> int:
        first, inside = memo >> 2 * self.buckets, memo >> self.buckets & self._all
        truth = self.truth(first, answer)
        # Both kept bits of each bucket are at hand, and the answer takes one: no branch on it.
        kept = inside & truth | memo & ~truth & self._all
        turned = self._drawn(coins, self.again_keep + self.again_lie, self.again_lie)
        return self._report(first, kept ^ turned)

    def _drawn(self, coins: Coins, total: int, lie: int) -> int:
        """Return a bit for each bucket, set with probability lie / total."""
        return mask(coins.below(total) < lie for _ in range(self.buckets))


def memory_of(part: Mapping[str, Any]) -> Fraction:
    """Return the odds of the kept bits that a survey file asks for; 9 where it does not say."""
    memory: Fraction = part.get("memory", _MEMORY)
    return memory


def coins_of(part: Mapping[str, Any], odds: Fraction) -> tuple[int, int, int, int]:
    """Return the weights of kept and of fresh coins, whose odds a survey file asks for.

    Raises
    ------
    MechanismError
        If either are not above 1.
    """
    memory = memory_of(part)
    for what, given in (("odds", odds), ("memory", memory)):
        if given <= 1:
            raise MechanismError(f"{what} ({given}) must be above 1: at 1 all answers look alike")
    return (*memory.as_integer_ratio(), *odds.as_integer_ratio())


def for_one_report(bit: Fraction) -> tuple[int, int, int, int]:
    """Return weights with which a bit of one report has these odds, above 1."""
    keep = max(9, int(bit * bit) + 1)  # above the odds of the bit, since fresh coins lower them
    return keep, 1, *Fraction(bit * keep - 1, keep - bit).as_integer_ratio()


@cache
def _bytes(sizes: tuple[int, ...]) -> int:
    return bytes_for_run(sizes)
