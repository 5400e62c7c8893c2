"""Digits of a number, the least significant first: how vectors of integers are sent."""

from collections.abc import Sequence


def to_digits(number: int, base: int, length: int) -> tuple[int, ...]:
    """Return the last digits of a number.

    >>> to_digits(201, 10, 4)
    (1, 0, 2, 0)
    """
    digits = []
    for _ in range(length):
        number, digit = divmod(number, base)
        digits.append(digit)
    return tuple(digits)


def from_digits(digits: Sequence[int], base: int) -> int:
    """Return the number with these digits.

    >>> from_digits((1, 0, 2, 0), 10)
    201
    """
    number = 0
    for digit in reversed(digits):
        number = number * base + digit
    return number
