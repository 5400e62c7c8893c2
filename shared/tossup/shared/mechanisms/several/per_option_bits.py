"""Per-option bits: a noisy bit for every option, with the odds of the whole answer counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins, bytes_for_run
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Counting
from tossup.shared.mechanisms.drawn import noisy
from tossup.shared.mechanisms.several.base import SeveralMechanism, check_several
from tossup.shared.odds import largest_root


@dataclass(frozen=True, slots=True)
class PerOptionBits(SeveralMechanism):
    """Send a bit for every option: set with weight ``hit`` if it is ticked, else ``miss``.

    Weights are out of ``total``, and all bits are independent. With m options ticked at most, of k,
    j = min(m, k - m), a = hit / miss and b = (total - miss) / (total - hit), the odds are the
    larger of a**m b**j and a**j b**m, exactly.

    Parameters
    ----------
    options
        Number of options k, from 1 to 64.
    most
        Number of options m that one may tick at most, from 1 to k.
    hit, miss, total
        Positive integers, miss < hit < total, total at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold.

    References
    ----------
    Erlingsson, Pihur and Korolova 2014; Arcolezi, Couchot, Al Bouna and Xiao 2021 (SPL).

    Examples
    --------
    >>> PerOptionBits(4, most=4, hit=3, miss=1, total=4).odds
    Fraction(81, 1)
    >>> PerOptionBits(4, most=1, hit=3, miss=1, total=4).odds
    Fraction(9, 1)
    """

    name: ClassVar[str] = "per-option-bits/1"
    counting: ClassVar[Counting] = "bit an option"
    options: int
    most: int
    hit: int = 3
    miss: int = 1
    total: int = 4

    def __post_init__(self) -> None:
        check_several(self.options, self.most, self.name)
        if any(type(weight) is not int for weight in (self.hit, self.miss, self.total)):
            raise MechanismError(f"hit, miss and total of {self.name} must be integers")
        if not 1 <= self.miss < self.hit < self.total <= MAX_WEIGHT_SUM:
            raise MechanismError(
                f"{self.name} takes 1 <= miss < hit < total <= {MAX_WEIGHT_SUM}: a bit that is"
                " certain would prove what was answered"
            )

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(1, 1, 3, 1, 4),
            cls(4, 4, 3, 1, 4),
            cls(5, 2, 2, 1, 4),
            cls.from_odds(Fraction(3), 16, 2),
            cls.from_odds(Fraction(9), 32),
        )

    @classmethod
    def from_odds(cls, odds: Fraction, options: int, most: int | None = None) -> Self:
        """Return the symmetric design with the largest odds that do not exceed these.

        It has the least variance in the worst case over shares: docs/proofs/per-option-bits.md.

        >>> PerOptionBits.from_odds(Fraction(81), 4)
        PerOptionBits(options=4, most=4, hit=3, miss=1, total=4)
        """
        most = options if most is None else most
        check_several(options, most, cls.name)
        hit, miss = largest_root(odds, degree=min(2 * most, options)).as_integer_ratio()
        return cls(options, most, hit, miss, hit + miss)

    @property
    def reports(self) -> int:
        """Number of masks."""
        return 1 << self.options

    @property
    def counters(self) -> int:
        """One counter an option, of its set bits, and one of all reports."""
        return self.options + 1

    @property
    def odds(self) -> Fraction:
        """The odds of the two answers that differ most."""
        hits = Fraction(self.hit, self.miss)
        misses = Fraction(self.total - self.miss, self.total - self.hit)
        fewer = min(self.most, self.options - self.most)
        return max(hits, misses) ** self.most * min(hits, misses) ** fewer

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: the weights of a set bit over their total."""
        return Fraction(self.miss, self.total), Fraction(self.hit, self.total)

    @property
    def asked_share(self) -> Fraction:
        """Every report tells of every option."""
        return Fraction(1)

    def told(self, report: int) -> Iterator[tuple[int, bool]]:
        """Yield every option with its bit."""
        for option in range(self.options):
            yield option, bool(report >> option & 1)

    def by_option(self, counts: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Return the bits of each option that are not set, and those that are."""
        *ticked, n = counts
        return tuple((n - count, count) for count in ticked)

    def reports_counted(self, counts: Sequence[int]) -> int:
        """Return the last counter."""
        return counts[-1]

    def probability(self, answer: int, report: int) -> Fraction:
        """Return the product over the bits."""
        if not (self.is_answer(answer) and self.is_report(report)):
            return Fraction(0)
        q, p = self.rates
        ticked, found = answer.bit_count(), (answer & report).bit_count()
        others, lied = self.options - ticked, report.bit_count() - found
        of_ticked = p**found * (1 - p) ** (ticked - found)
        return of_ticked * q**lied * (1 - q) ** (others - lied)

    def _sample(self, answer: int, coins: Coins) -> int:
        coins.reserve(_bytes(self.options, self.total))
        return noisy(answer, self.options, (self.hit, self.miss, self.total), coins)


@cache
def _bytes(options: int, total: int) -> int:
    return bytes_for_run([total] * options)
