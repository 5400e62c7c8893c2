"""Subset selection: a report is a set of options, more likely with the true one in it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar, Self

from tossup.shared.coins import Coins, bytes_for, bytes_for_run
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Counting, RatioMechanism
from tossup.shared.mechanisms.checks import check_keep_and_lie, check_options, check_total
from tossup.shared.mechanisms.choices.oracle import MaskOracle
from tossup.shared.mechanisms.drawn import binomial


@dataclass(frozen=True, slots=True)
class SubsetSelection(RatioMechanism, MaskOracle):
    """Send a set of ``size`` options: with weight ``keep`` if the truth is in it, else ``lie``.

    Odds are keep / lie exactly. With the best size, which `from_odds` finds, no other mechanism
    here has less variance at the same odds. With size 1 it is k-ary randomized response.

    Parameters
    ----------
    options
        Number of options k, from 2 to 1024.
    size
        Number of options in a report, from 1 to k - 1.
    keep, lie
        Positive integers, keep > lie, with size keep + (k - size) lie at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Ye and Barg 2018; Wang et al. 2016.

    Examples
    --------
    >>> SubsetSelection(16, size=4).rates
    (Fraction(7, 30), Fraction(1, 2))
    """

    name: ClassVar[str] = "subset-selection/1"
    counting: ClassVar[Counting] = "sets"
    example_fields = (
        (2, 1, 3, 1),
        (5, 2, 3, 1),
        (16, 4, 3, 1),
        (16, 5, 5, 2),
        (64, 16, 3, 1),
        (256, 64, 3, 1),
    )
    options: int
    size: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_options(self.options)
        check_keep_and_lie(self.keep, self.lie)
        if type(self.size) is not int or not 1 <= self.size < self.options:
            raise MechanismError("size must be an integer from 1 to the number of options less 1")
        check_total(self._total)

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return the design with these odds and the size of least variance.

        >>> SubsetSelection.from_odds(Fraction(3), 16).size
        4
        """
        check_options(options)
        # The variance has one least value, at a real size of k / (odds + 1).
        low = int(Fraction(options, odds + 1))
        sizes = {min(max(size, 1), options - 1) for size in (low, low + 1)}
        designs = [cls(options, size, *odds.as_integer_ratio()) for size in sorted(sizes)]
        return min(designs, key=lambda design: design.variance)

    @property
    def _total(self) -> int:
        return self.size * self.keep + (self.options - self.size) * self.lie

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: q = (size - p) / (k - 1), since the other places are any option's alike."""
        p = Fraction(self.size * self.keep, self._total)
        return Fraction(self.size - p, self.options - 1), p

    @property
    def pair_rates(self) -> tuple[Fraction, Fraction]:
        """See `MaskOracle`: two of the other places, or one beside the truth."""
        _, p = self.rates
        others, size = self.options - 1, self.size
        pairs = p * (size - 1) * (size - 2) + (1 - p) * size * (size - 1)
        neither = Fraction(pairs, others * (others - 1)) if others > 1 else Fraction(0)
        return neither, Fraction(p * (size - 1), others)

    def is_report(self, value: int) -> bool:
        """Return whether the mask has exactly ``size`` options."""
        return 0 <= value < self.reports and value.bit_count() == self.size

    def probability(self, answer: int, report: int) -> Fraction:
        """Return the set's weight over that of all sets."""
        if not self.is_report(report):
            return Fraction(0)
        weight = self.keep if report >> answer & 1 else self.lie
        # With an option there are C(k - 1, d - 1) sets of d, without it (k - d) / d times as many.
        return Fraction(self.size * weight, self._total * binomial(self.options - 1, self.size - 1))

    def _sample(self, answer: int, coins: Coins) -> int:
        # Options are numbered from the truth on, so that only the last line looks at it.
        coins.reserve(_bytes(self.options, self.size, self._total))
        included = coins.below(self._total) < self.size * self.keep
        *chosen, spare = _choose(self.options, self.size, coins)
        # Of `size` others, the last one makes room for the truth, which is number 0.
        mask = sum(1 << other for other in chosen) | 1 << spare * (not included)
        turned = mask << answer | mask >> self.options - answer
        return turned & (1 << self.options) - 1


def _choose(options: int, size: int, coins: Coins) -> list[int]:
    """Return ``size`` of 1, ..., options - 1 in random order, by the start of a shuffle."""
    others = list(range(1, options))
    for place in range(size):
        other = place + coins.below(len(others) - place)
        others[place], others[other] = others[other], others[place]
    return others[:size]


@cache
def _bytes(options: int, size: int, total: int) -> int:
    run = bytes_for_run([options - 1 - place for place in range(size)])
    return bytes_for(total) + run
