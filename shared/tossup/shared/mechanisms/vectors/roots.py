"""Roots of integers and ratios, rounded the way that a proof needs; the same on every device."""

from fractions import Fraction
from math import isqrt


def root_down(number: int) -> int:
    """Return the square root of a non-negative integer, rounded down.

    >>> root_down(15), root_down(16)
    (3, 4)
    """
    return isqrt(number)


def root_up(number: int) -> int:
    """Return the square root of a non-negative integer, rounded up.

    >>> root_up(0), root_up(16), root_up(17)
    (0, 4, 5)
    """
    return isqrt(number - 1) + 1 if number else 0


def root_of_ratio(ratio: Fraction, degree: int, digits: int) -> int:
    """Return the largest integer r with (r / 2**digits)**degree <= ratio, for a ratio up to 1.

    >>> root_of_ratio(Fraction(1, 4), 2, 8)
    128
    """
    scaled = (ratio.numerator << digits * degree) // ratio.denominator
    root = 1 << digits
    while True:  # Newton's method from above, which never falls below the root
        lower = ((degree - 1) * root + scaled // root ** (degree - 1)) // degree
        if lower >= root:
            return root
        root = lower
