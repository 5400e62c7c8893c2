"""Numbers exactly as their author wrote them, and none so long that reading it takes a while."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

_LONGEST: Final = 60  # characters
_LARGE_EXPONENT: Final = re.compile(r"e[+-]?0*\d{3}", re.IGNORECASE)


def exact(number: str | int | Decimal) -> Fraction:
    """Return a number such as 3, ``"5/2"``, ``"0.5"`` or ``Decimal("1e-6")``.

    >>> exact("5/2")
    Fraction(5, 2)

    Raises
    ------
    ValueError
        If it is no number, or has more than 60 characters or an exponent of three digits: a few
        characters can stand for a number with a billion digits.
    """
    text = str(number)
    if len(text) > _LONGEST or _LARGE_EXPONENT.search(text):
        raise ValueError("the number is too long")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"{text!r} is not a number such as 3, 5/2 or 0.5") from error
