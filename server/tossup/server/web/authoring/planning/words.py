"""What the planner says that kinds say in English, in the visitor's language."""

from fractions import Fraction
from math import ceil, log

from tossup.server.web.pages.words.language import gettext
from tossup.server.web.pages.words.numbers import measured, number


def estimated_in_words(of: str) -> str:
    """Return what is estimated; as the kind says it where there are no words yet."""
    return {
        "share of yes": gettext("the share of yes"),
        "each option's share": gettext("each option’s share"),
        "each option's mean points": gettext("each option’s mean points"),
        "mean": gettext("the mean"),
        "each component's mean": gettext("the mean of each number"),
        "each text's share": gettext("each word’s share"),
    }.get(of, of)


def margin(part: float) -> str:
    """Return a margin in points of 100, rounded up.

    >>> margin(0.0501), margin(0.25)
    ('5.1', '25')
    """
    return measured(ceil(round(1000 * part, 6)) / 10)


def epsilon(odds: Fraction) -> str:
    """Return the epsilon of odds, rounded down: it is the end of a range."""
    return number(int(100 * log(odds)) / 100, 2)
