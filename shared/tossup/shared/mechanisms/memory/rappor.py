"""RAPPOR: one bit an option, turned for life, and shown through fresh coins in every wave."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Self

from tossup.shared.coins import Coins, bytes_for_run
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.checks import check_options, check_total
from tossup.shared.mechanisms.choices.unary import SymmetricUnary, UnaryEncoding
from tossup.shared.mechanisms.drawn import mask, noisy
from tossup.shared.mechanisms.memory.permanent_instantaneous import again_of
from tossup.shared.odds import largest_root


@dataclass(frozen=True, slots=True)
class Rappor(UnaryEncoding):
    """Keep k bits turned at random for life, and send each through fresh coins in every wave.

    The true option's bit of k bits is set. Each is kept with weight ``keep`` and turned with
    ``lie``; that is what the device keeps. In a report a kept 1 is sent as 1 with probability
    one / out_of, a kept 0 with zero / out_of. In the letters of the paper, with one hash function
    and no cohorts: f = 2 lie / (keep + lie), q = one / out_of, p = zero / out_of.

    Parameters
    ----------
    options
        Number of options k, from 2 to 1024.
    keep, lie
        Positive integers, keep > lie.
    one, zero, out_of
        Positive integers, zero < one < out_of; (keep + lie) x out_of is at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Erlingsson, Pihur and Korolova 2014, basic RAPPOR, theorems 1 and 2.

    Examples
    --------
    >>> design = Rappor(4, keep=3, lie=1, one=3, zero=2, out_of=4)
    >>> design.odds, design.memory.odds
    (Fraction(77, 45), Fraction(9, 1))
    """

    name: ClassVar[str] = "rappor/1"
    in_auto: ClassVar[bool] = False
    keys: ClassVar = {"again": "ratio"}
    example_fields = ((2, 3, 1, 3, 2, 4), (16, 3, 1, 3, 1, 4), (100, 7, 1, 13, 7, 20))
    one: int = 3
    zero: int = 1
    out_of: int = 4

    def __post_init__(self) -> None:
        SymmetricUnary(self.options, self.keep, self.lie)  # which checks them
        shown = (self.zero, self.one, self.out_of)
        if any(type(weight) is not int for weight in shown):
            raise MechanismError("one, zero and out_of must be integers")
        if not 0 < self.zero < self.one < self.out_of:
            raise MechanismError("one, zero and out_of must have 0 < zero < one < out_of")
        check_total(self.total)

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design that keeps with these odds, for life, and shows with ``again``."""
        one, zero = again_of(part, odds).as_integer_ratio()
        return cls(answers, *largest_root(odds).as_integer_ratio(), one, zero, one + zero)

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return a design of which one report has nearly these odds, and no more.

        Raises
        ------
        MechanismError
            If the odds are not above 1, or need weights above 2**32.
        """
        check_options(options)
        bit = largest_root(odds)
        keep = int(bit) + 2  # above the odds of a bit, since the second stage lowers them
        one, zero = Fraction(bit * keep - 1, keep - bit).as_integer_ratio()
        return cls(options, keep, 1, one, zero, one + zero)

    @property
    def total(self) -> int:
        """Weights of a bit are out of the product of both stages' sums."""
        return (self.keep + self.lie) * self.out_of

    @property
    def hit(self) -> int:
        """Weight of a set bit for the true option: kept and shown, or turned and yet shown."""
        return self.keep * self.one + self.lie * self.zero

    @property
    def miss(self) -> int:
        """Weight of a set bit for any other option."""
        return self.lie * self.one + self.keep * self.zero

    @property
    def memory(self) -> SymmetricUnary:
        """The first stage: what a device keeps of an answer."""
        return SymmetricUnary(self.options, self.keep, self.lie)

    def odds_of(self, reports: int) -> Fraction:
        """Return the odds of this many reports of one kept mask, at most those of the memory.

        The true option's bit always shown, another's never: each bit's odds, multiplied.
        """
        shown = self._bit_odds(self.one**reports, self.zero**reports)
        hidden = self._bit_odds(
            (self.out_of - self.zero) ** reports, (self.out_of - self.one) ** reports
        )
        return shown * hidden

    def _bit_odds(self, likely: int, unlikely: int) -> Fraction:
        """Return the odds of a bit by reports that are likelier from one kept value."""
        return Fraction(
            self.keep * likely + self.lie * unlikely, self.lie * likely + self.keep * unlikely
        )

    def again(self, kept: int, coins: Coins) -> int:
        """Return a report of what is kept: the second stage."""
        coins.reserve(_bytes(self.options, (self.out_of,)))
        return self._shown(kept, coins)

    def _sample(self, answer: int, coins: Coins) -> int:
        turn = self.keep + self.lie
        coins.reserve(_bytes(self.options, (turn, self.out_of)))
        turned = mask(coins.below(turn) < self.lie for _ in range(self.options))
        return self._shown(turned ^ 1 << answer, coins)

    def _shown(self, kept: int, coins: Coins) -> int:
        return noisy(kept, self.options, (self.one, self.zero, self.out_of), coins)


@cache
def _bytes(options: int, sizes: tuple[int, ...]) -> int:
    return bytes_for_run(sizes * options)
