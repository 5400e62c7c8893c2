"""A little arithmetic of whole numbers, without the module of floats.

`Fraction` reduces by the greatest common divisor, and quickly, so that is taken from there.
"""

from collections.abc import Iterable
from fractions import Fraction


def greatest_divisor(values: Iterable[int]) -> int:
    """Return the greatest common divisor of positive integers.

    >>> greatest_divisor([12, 18, 8])
    2
    """
    found = 0
    for value in values:
        found = value // Fraction(found, value).denominator if value else found
    return found


def least_multiple(values: Iterable[int]) -> int:
    """Return the least common multiple of positive integers.

    >>> least_multiple([4, 6, 3])
    12
    """
    found = 1
    for value in values:
        found *= Fraction(found, value).denominator
    return found


def factorial(n: int) -> int:
    """Return the number of orders of n things.

    >>> factorial(4)
    24
    """
    product = 1
    for factor in range(2, n + 1):
        product *= factor
    return product


def binomial(n: int, k: int) -> int:
    """Return the number of ways to choose k of n things.

    >>> binomial(5, 2)
    10
    """
    ways = 1
    for place in range(k):
        ways = ways * (n - place) // (place + 1)
    return ways
