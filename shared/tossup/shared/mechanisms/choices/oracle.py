"""What frequency oracles are: mechanisms for choices whose reports support options.

A report is a number in the blocks of the options it supports, or a mask with their bits.
Blocks may be made of vectors over the integers modulo a prime.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Self

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import (
    Channel,
    Counting,
    Mechanism,
    RatioMechanism,
    Stated,
    binomial_variance,
    named_by,
    score_by,
)
from tossup.shared.mechanisms.checks import check_keep_and_lie, check_options, check_total

MAX_PRIME: Final = 1021


class FrequencyOracle(Mechanism):
    """A mechanism for choices whose reports each *support* some of the options.

    A report supports the true option with probability p, and any other with probability q: a pure
    protocol (Wang, Blocki, Li and Jha 2017, section 3). The share of an option is (s - q) / (p -
    q), unbiased, with s the fraction of reports that support it. Its tally counts the supporters of
    each option, then all reports.
    """

    names_each: ClassVar[bool] = True
    in_auto: ClassVar[bool] = True
    options: int

    @property
    def answers(self) -> int:
        """Number of options."""
        return self.options

    @property
    @abstractmethod
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: Pr[a report supports an option] without and with it being the answer."""

    @property
    @abstractmethod
    def with_another(self) -> Fraction:
        """Pr[a report supports the answer and one given other option]."""

    @abstractmethod
    def supports(self, report: int) -> tuple[int, ...]:
        """Return the options that a report supports, in order."""

    @property
    def neither_of_two(self) -> Fraction | None:
        """Pr[a report supports two options, neither the answer]; None if that depends on them."""
        return None

    def stated(self) -> Stated:
        """Return the chances of one option: named or not, if it is the answer or not."""
        return Stated("option", self.naming_chances(), names_several=True)

    def naming_chances(self) -> Channel:
        """Return the channel of one option: supported or not, if it is the answer or not."""
        return named_by(*self.rates)

    @property
    def counters(self) -> int:
        """One counter an option, and one of all reports."""
        return self.answers + 1

    def reports_counted(self, counts: Sequence[int]) -> int:
        """Return the last counter."""
        return counts[-1]

    def score(self, report: int, answer: int) -> Fraction:
        """Return (1 - q) / (p - q) if the report supports the option, -q / (p - q) if not."""
        return score_by(answer in self.supports(report), *self.rates)

    def variance_at(self, share: Fraction) -> Fraction:
        """Return y (1 - y) / (p - q)**2, with y how likely a report supports the option."""
        return binomial_variance(share, *self.rates)

    @property
    def variance(self) -> Fraction:
        """n times the variance of the estimated share of an option that nobody has."""
        return self.variance_at(Fraction(0))


class MaskOracle(FrequencyOracle):
    """A frequency oracle whose reports are masks of options, least significant bit first."""

    options: int

    @property
    @abstractmethod
    def pair_rates(self) -> tuple[Fraction, Fraction]:
        """Pr[a report supports both of two options], the answer being neither, and one of them.

        With `rates`, they give the covariance of two estimated shares.
        """

    @property
    def neither_of_two(self) -> Fraction:
        """The first of `pair_rates`."""
        return self.pair_rates[0]

    @property
    def with_another(self) -> Fraction:
        """The second of `pair_rates`."""
        return self.pair_rates[1]

    @property
    def reports(self) -> int:
        """Number of masks."""
        return 1 << self.answers

    def supports(self, report: int) -> tuple[int, ...]:
        """Return the options whose bits are set."""
        return tuple(option for option in range(self.answers) if report >> option & 1)


class BlockOracle(RatioMechanism, FrequencyOracle):
    """Send a report with weight ``keep`` if it is in the block of the true option, else ``lie``.

    Blocks have equal sizes, and every two of them equally many reports in common; that is all
    that rates and odds depend on. Odds are keep / lie exactly. The draw chooses a place within
    the block, or within the other reports, so that nothing but arithmetic looks at the truth.
    """

    counting: ClassVar[Counting] = "blocks"

    @property
    @abstractmethod
    def block_size(self) -> int:
        """Number of reports in a block."""

    @property
    @abstractmethod
    def meeting_size(self) -> int:
        """Number of reports that two blocks have in common."""

    @abstractmethod
    def in_block(self, option: int, report: int) -> bool:
        """Return whether a report is in an option's block."""

    @abstractmethod
    def member(self, option: int, place: int) -> int:
        """Return the report at one of ``block_size`` places in an option's block."""

    @abstractmethod
    def other(self, option: int, place: int) -> int:
        """Return the report at one of ``reports - block_size`` places outside of it."""

    def _check(self) -> None:
        """Refuse parameters that cannot be sampled, protect nobody, or tell nothing."""
        check_options(self.options)
        check_keep_and_lie(self.keep, self.lie)
        check_total(self._total)

    @property
    def _total(self) -> int:
        return self.keep * self.block_size + self.lie * (self.reports - self.block_size)

    def _sample(self, answer: int, coins: Coins) -> int:
        draw = coins.below(self._total)
        kept = self.keep * self.block_size
        # Both reports are made and one is taken: the time it takes tells neither which nor why.
        inside = self.member(answer, min(draw, kept - 1) // self.keep)
        outside = self.other(answer, max(draw - kept, 0) // self.lie)
        return (outside, inside)[draw < kept]

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: the weight of another option's block, and of the true one's, over the total."""
        met = self.keep * self.meeting_size + self.lie * (self.block_size - self.meeting_size)
        return Fraction(met, self._total), Fraction(self.keep * self.block_size, self._total)

    @property
    def with_another(self) -> Fraction:
        """The weight of what two blocks have in common, over the total."""
        return self.rates[1] * Fraction(self.meeting_size, self.block_size)

    def supports(self, report: int) -> tuple[int, ...]:
        """Return the options in whose blocks the report is."""
        return tuple(option for option in range(self.options) if self.in_block(option, report))

    def probability(self, answer: int, report: int) -> Fraction:
        """Return ``keep`` or ``lie`` over the total."""
        if not self.is_report(report):
            return Fraction(0)
        return Fraction(self.keep if self.in_block(answer, report) else self.lie, self._total)


def check_prime(prime: int) -> None:
    """Refuse what is not a prime of at most 1021.

    Raises
    ------
    MechanismError
        If it is not.
    """
    if type(prime) is not int or not 2 <= prime <= MAX_PRIME or not is_prime(prime):
        raise MechanismError(f"field must be a prime of at most {MAX_PRIME}")


def is_prime(number: int) -> bool:
    """Return whether a number above 1 has no divisor but 1 and itself."""
    return all(number % divisor for divisor in range(2, number) if divisor**2 <= number)


def primes_to(limit: int) -> Iterator[int]:
    """Yield the primes up to ``limit``, and at most 1021."""
    return (n for n in range(2, min(limit, MAX_PRIME) + 1) if is_prime(n))


def dot(first: Sequence[int], second: Sequence[int], prime: int) -> int:
    """Return the inner product of two vectors of equal length."""
    return sum(a * b for a, b in zip(first, second, strict=True)) % prime


@dataclass(frozen=True, slots=True)
class PrimeFieldOracle(BlockOracle):
    """A mechanism whose blocks are made over the integers modulo ``field``, a prime."""

    example_fields = ((2, 2, 3, 1), (16, 5, 3, 1), (100, 3, 5, 2), (1024, 53, 54, 1))

    options: int
    field: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_prime(self.field)
        self._check()

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return the design with exactly these odds and the prime of least variance.

        >>> from tossup.shared.mechanisms import LocalHashing, ProjectiveGeometryResponse
        >>> LocalHashing.from_odds(Fraction(3), 1024).field
        5
        >>> ProjectiveGeometryResponse.from_odds(Fraction(3), 1024).field
        5
        """
        check_options(options)
        weights = odds.as_integer_ratio()
        designs = [cls(options, prime, *weights) for prime in primes_to(2 * int(odds) + 3)]
        return min(designs, key=lambda design: design.variance)
