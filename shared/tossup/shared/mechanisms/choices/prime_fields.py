"""Vectors over the integers modulo a prime, and mechanisms whose blocks are made of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.checks import check_options
from tossup.shared.mechanisms.choices.blocks import BlockOracle

MAX_PRIME = 1021


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


def digits(number: int, base: int, length: int) -> list[int]:
    """Return the last digits of a number, the least significant first.

    >>> digits(11, base=3, length=4)
    [2, 0, 1, 0]
    """
    found = []
    for _ in range(length):
        number, digit = divmod(number, base)
        found.append(digit)
    return found


def dot(first: list[int], second: list[int], prime: int) -> int:
    """Return the inner product of two vectors of equal length."""
    return sum(a * b for a, b in zip(first, second, strict=True)) % prime


@dataclass(frozen=True, slots=True)
class PrimeFieldOracle(BlockOracle):
    """A mechanism whose blocks are made over the integers modulo ``field``, a prime."""

    options: int
    field: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_prime(self.field)
        self._check()

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(2, 2, 3, 1),
            cls(16, 5, 3, 1),
            cls(100, 3, 5, 2),
            cls(1024, 53, 54, 1),
        )

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
