"""Numbers, percents and days as text, in the visitor's language.

English and Chinese write numbers alike, so a few lines replace a library of 36 MB. Tests compare
them with Babel.
"""

from datetime import date
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from math import floor, log10
from typing import Final

from tossup.server.decimals import decimals_within
from tossup.server.web.pages.words.language import current_language, gettext
from tossup.shared.figures import rounded
from tossup.shared.odds import epsilon

_MINUS: Final = "−"
_LEAST_PLAIN: Final = 1e-15
_MOST_DIGITS: Final = 15
_LARGEST_SAID: Final = 10**12
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def number(value: float, decimals: int = 0) -> str:
    """Return a number with grouped thousands and a true minus sign.

    >>> number(1289), number(-2.5, 1), number(-0.01, 1)
    ('1,289', '−2.5', '0.0')
    """
    text = f"{abs(value):,.{decimals}f}"
    negative = value < 0 and any(digit in text for digit in "123456789")
    return _MINUS + text if negative else text


def plain(value: float) -> str:
    """Return a number with the digits it needs and no more.

    >>> plain(100 * 0.95), plain(100 * 0.999)
    ('95', '99.9')
    """
    return f"{value:.10g}"


def measured(value: float, width: float | None = None) -> str:
    """Return a number with four digits that tell, and as few decimals as it needs.

    A number with an interval has two digits of the interval's width at least, so that both ends
    differ. Numbers of more than 15 digits or decimals are written as powers of ten.

    >>> measured(12.3456), measured(-0.05), measured(1500), measured(7.0)
    ('12.35', '−0.05', '1,500', '7')
    >>> measured(1.234e40), measured(2e-30), measured(float("inf"))
    ('1.23e+40', '2e-30', '∞')
    >>> measured(1975.312, width=0.55)
    '1,975.31'
    """
    if value and not _LEAST_PLAIN <= abs(value) < 1 / _LEAST_PLAIN:
        return f"{value:.3g}".replace("-inf", f"{_MINUS}∞").replace("inf", "∞")
    size = floor(log10(abs(value))) if value else 0
    needed = decimals_within(width) if width else 0
    text = number(value, max(0, 3 - size, min(needed, _MOST_DIGITS - size)))
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float, width: float | None = None) -> str:
    """Return a share as a percentage: a decimal, or more where its interval is narrow.

    >>> percent(0.1823), percent(-0.025)
    ('18.2%', '−2.5%')
    """
    return f"{points(share, width)}%"


def points(share: float, width: float | None = None) -> str:
    """Return a share, or a difference of shares, in points, as `percent` does.

    >>> points(0.30004, width=0.0004)
    '30.004'
    """
    return number(100 * share, max(1, decimals_within(100 * width) if width else 1))


def p_value(value: float) -> str:
    """Return a p-value as it is printed in articles.

    >>> p_value(0.0312), p_value(0.00004)
    ('0.031', '< 0.001')
    """
    return number(value, 3) if value >= 0.001 else "< 0.001"


def day(value: date) -> str:
    """Return a day as people write it: 2 March 2026, or 2026年3月2日."""
    if current_language() == "zh-Hans":
        return f"{value.year}年{value.month}月{value.day}日"
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"


def short_period(first: date, period: str) -> str:
    """Return a week by its first day, or a month, quarter or year, as the axis of a chart says it.

    >>> [short_period(date(2026, 11, 2), each) for each in ("week", "month", "quarter", "year")]
    ['2 Nov', 'Nov 2026', 'Q4 2026', '2026']
    """
    is_chinese = current_language() == "zh-Hans"
    quarter, month = (first.month + 2) // 3, _MONTHS[first.month - 1][:3]
    if period == "week":
        return f"{first.month}/{first.day}" if is_chinese else f"{first.day} {month}"
    if period == "month":
        return f"{first.year}/{first.month}" if is_chinese else f"{month} {first.year}"
    if period == "quarter":
        return f"{first.year}年第{quarter}季" if is_chinese else f"Q{quarter} {first.year}"
    return f"{first.year}年" if is_chinese else f"{first.year}"


def per_hundred(probability: Fraction) -> str:
    """Return how many of 100 a probability means, with a decimal only if it needs one.

    >>> per_hundred(Fraction(1, 4)), per_hundred(Fraction(1, 7))
    ('25', '14.3')
    """
    hundredfold = 100 * probability
    return number(float(hundredfold), 0 if hundredfold.denominator == 1 else 1)


def epsilon_of(odds: Fraction) -> str:
    """Return the natural logarithm of odds, rounded up to three digits."""
    return number(float(epsilon(odds, 3)), 3)


def odds_in_words(odds: Fraction) -> str:
    """Return odds as people say them: 3 to 1. Ratios of large integers are rounded up."""
    if odds > _LARGEST_SAID:
        return gettext("%(more)s to %(less)s", more=rounded(odds, up=True), less=1)
    if odds.denominator > 20:
        nearest = (Decimal(odds.numerator) / odds.denominator).quantize(
            Decimal("0.01"), rounding=ROUND_CEILING
        )
        return gettext("%(more)s to %(less)s", more=number(float(nearest), 2), less=1)
    more, less = number(odds.numerator), number(odds.denominator)
    return gettext("%(more)s to %(less)s", more=more, less=less)
