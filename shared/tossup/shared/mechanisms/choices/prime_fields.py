"""Vectors over the integers modulo a prime, as numbers and as digits."""

from collections.abc import Iterator

from tossup.shared.errors import MechanismError

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
