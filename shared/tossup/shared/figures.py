"""Numbers as text, however many digits they have.

Stage: beside everything. `str` refuses integers of more than 4,300 digits, and an error or a page
that shows one would then fail itself. What machines read is `in_full`; what people
read is `brief`, which has a bound.
"""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Final

_STR_BITS: Final = 2048  # below the least limit that Python can be set to, 640 digits
_WIDTH: Final = 600  # digits that `str` and `int` take under any limit
_LONGEST_SHOWN: Final = 30


def in_full(number: int | Fraction) -> str:
    """Return all digits of an integer or a ratio, as `str` does where it can.

    >>> in_full(Fraction(3, 2)), in_full(-7), len(in_full(3**20_000))
    ('3/2', '-7', 9543)
    """
    if isinstance(number, Fraction) and number.denominator != 1:
        return f"{in_full(number.numerator)}/{in_full(number.denominator)}"
    whole = int(number)
    return f"-{_digits(-whole)}" if whole < 0 else _digits(whole)


def read_in_full(text: str) -> Fraction:
    """Return the ratio that `in_full` wrote.

    >>> read_in_full(in_full(Fraction(3**20_000, 2))) == Fraction(3**20_000, 2)
    True

    Raises
    ------
    ValueError
        If the text is none that `in_full` writes.
    """
    top, _slash, bottom = text.partition("/")
    negative = top.startswith("-")
    above, below = _integer(top.removeprefix("-")), _integer(bottom or "1")
    number = Fraction(-above if negative else above, below) if below else Fraction(0)
    if in_full(number) != text:
        raise ValueError("a number must be written as one integer, or two in lowest terms")
    return number


def brief(number: int | Fraction) -> str:
    """Return a number as people read it: rounded up to three digits where it has more than 30.

    Examples
    --------
    >>> brief(Fraction(729)), brief(3**10_000), brief(Fraction(1001, 1000) ** 2048)
    ('729', 'about 1.64e+4771', 'about 7.75')
    """
    ratio = Fraction(number)
    if max(len(_head(ratio.numerator)), len(_head(ratio.denominator))) <= _LONGEST_SHOWN:
        return str(ratio)
    return f"about {rounded(ratio, up=True)}"


def rounded(ratio: Fraction, *, up: bool) -> str:
    """Return three digits of a ratio, rounded up or down; with an exponent where it needs one.

    >>> rounded(Fraction(22, 7), up=True), rounded(Fraction(2**100, 3), up=False)
    ('3.15', '4.22e+29')
    """
    context = Context(3, ROUND_CEILING if up else ROUND_FLOOR, MIN_EMIN, MAX_EMAX)
    number = context.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    return f"{number:f}" if -4 < number.adjusted() < 3 else f"{number:.2e}"


def _head(number: int) -> str:
    """Return the digits of a number, or more than are shown of one that has more."""
    return "9" * (_LONGEST_SHOWN + 1) if number.bit_length() > 128 else str(abs(number))


def _digits(number: int) -> str:
    """Return the digits of an integer of at least 0, in halves that `str` takes."""
    if number.bit_length() < _STR_BITS:
        return str(number)
    low_digits = number.bit_length() * 3 // 20  # about half of them: log10(2) / 2 is 0.1505
    high, low = divmod(number, 10**low_digits)
    return _digits(high) + _digits(low).zfill(low_digits)


def _integer(text: str) -> int:
    """Return the integer of at least 0 with these digits, read in pieces that `int` takes.

    Raises
    ------
    ValueError
        If there is anything but digits.
    """
    if not (text.isascii() and text.isdigit()):
        raise ValueError("a number has digits, and nothing else")
    if len(text) <= _WIDTH:
        return int(text)
    low_digits = len(text) // 2
    unit: int = 10**low_digits
    return _integer(text[:-low_digits]) * unit + _integer(text[-low_digits:])
