"""Unary encodings: one noisy bit an option."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar, Self

from tossup.shared.coins import Coins, bytes_for_run
from tossup.shared.mechanisms.base import Counting
from tossup.shared.mechanisms.checks import check_keep_and_lie, check_options, check_total
from tossup.shared.mechanisms.choices.oracle import MaskOracle
from tossup.shared.mechanisms.drawn import noisy
from tossup.shared.odds import largest_root


@dataclass(frozen=True, slots=True)
class UnaryEncoding(MaskOracle):
    """A mask of independent bits: set with weight ``hit`` for the true option, else ``miss``.

    Weights are out of ``total``. The odds are hit (total - miss) / (miss (total - hit)).

    Parameters
    ----------
    options
        Number of options k, from 2 to 1024.
    keep, lie
        Positive integers, keep > lie.
    """

    counting: ClassVar[Counting] = "bits"
    options: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_options(self.options)
        check_keep_and_lie(self.keep, self.lie)
        check_total(self.total)

    @property
    @abstractmethod
    def total(self) -> int:
        """What the weights of a bit are out of."""

    @property
    @abstractmethod
    def hit(self) -> int:
        """Weight of a set bit for the true option."""

    @property
    @abstractmethod
    def miss(self) -> int:
        """Weight of a set bit for any other option."""

    @property
    def odds(self) -> Fraction:
        """The product of the odds of two bits."""
        kept, lied = self.hit * (self.total - self.miss), self.miss * (self.total - self.hit)
        return Fraction(kept, lied)

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: the weights of a set bit over their total."""
        return Fraction(self.miss, self.total), Fraction(self.hit, self.total)

    @property
    def pair_rates(self) -> tuple[Fraction, Fraction]:
        """See `MaskOracle`: bits are independent."""
        q, p = self.rates
        return q * q, p * q

    def probability(self, answer: int, report: int) -> Fraction:
        """Return the product over the bits."""
        if not self.is_report(report):
            return Fraction(0)
        q, p = self.rates
        told = report >> answer & 1
        others = report.bit_count() - told
        rest = q**others * (1 - q) ** (self.options - 1 - others)
        return rest * (p if told else 1 - p)

    def _sample(self, answer: int, coins: Coins) -> int:
        coins.reserve(_bytes(self.options, self.total))
        return noisy(1 << answer, self.options, (self.hit, self.miss, self.total), coins)


@dataclass(frozen=True, slots=True)
class SymmetricUnary(UnaryEncoding):
    """Turn each of k bits, of which the true option's is set, with the same probability.

    A bit is kept with weight ``keep`` and turned with weight ``lie``. Odds are (keep / lie)**2
    exactly: basic RAPPOR without its memory (Erlingsson, Pihur and Korolova 2014).

    >>> SymmetricUnary(4, keep=2, lie=1).odds
    Fraction(4, 1)
    """

    name: ClassVar[str] = "symmetric-unary/1"
    example_fields = ((2, 3, 1), (16, 2, 1), (16, 32592, 18817), (100, 5, 2))

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return the design with the largest odds that do not exceed these: a ratio's square."""
        return cls(options, *largest_root(odds).as_integer_ratio())

    @property
    def total(self) -> int:
        """Both weights together."""
        return self.keep + self.lie

    @property
    def hit(self) -> int:
        """The weight of keeping a bit."""
        return self.keep

    @property
    def miss(self) -> int:
        """The weight of turning a bit."""
        return self.lie


@dataclass(frozen=True, slots=True)
class OptimizedUnary(UnaryEncoding):
    """Set the true option's bit with probability 1/2, and any other with lie / (keep + lie).

    Odds are keep / lie exactly. Less noise for rare options than `SymmetricUnary` at equal odds
    (Wang, Blocki, Li and Jha 2017, section 4.3).

    >>> OptimizedUnary(4, keep=3, lie=1).rates
    (Fraction(1, 4), Fraction(1, 2))
    """

    name: ClassVar[str] = "optimized-unary/1"
    example_fields = ((2, 3, 1), (16, 3, 1), (16, 5, 2), (100, 9, 1))

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return the design with exactly these odds."""
        return cls(options, *odds.as_integer_ratio())

    @property
    def total(self) -> int:
        """Twice both weights, so that half of it is an integer."""
        return 2 * (self.keep + self.lie)

    @property
    def hit(self) -> int:
        """Half of the total."""
        return self.keep + self.lie

    @property
    def miss(self) -> int:
        """Twice the weight of a lie."""
        return 2 * self.lie


@cache
def _bytes(options: int, total: int) -> int:
    return bytes_for_run([total] * options)
