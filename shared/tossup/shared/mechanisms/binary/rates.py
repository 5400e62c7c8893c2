"""Designs known from paper that a device can follow: their names, and how often each reports yes.

Survey files, mechanisms and the estimation of counts from articles all take them from here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class PaperDesign:
    """A yes/no design from paper.

    Attributes
    ----------
    name
        In survey files.
    brief
        In tables of studies and on command lines.
    rates
        Pr[report yes | no] and Pr[report yes | yes], from what papers give: exact ratios, each
        from 0 to 1.
    """

    name: str
    brief: str
    rates: Callable[..., tuple[Fraction, Fraction]]


def _warner(selected: Fraction) -> tuple[Fraction, Fraction]:
    """With this probability the question, else its negation: Warner 1965, JASA 60:63-69."""
    return 1 - selected, selected


def _forced(yes: Fraction, no: Fraction) -> tuple[Fraction, Fraction]:
    """Both forced with these absolute probabilities: Boruch 1971, Am. Sociologist 6:308-311."""
    return yes, 1 - no


def _unrelated(selected: Fraction, prevalence: Fraction) -> tuple[Fraction, Fraction]:
    """The question, else one of known prevalence: Greenberg and others 1969, JASA 64:520-539."""
    innocent = (1 - selected) * prevalence
    return innocent, selected + innocent


def _crosswise(prevalence: Fraction) -> tuple[Fraction, Fraction]:
    """Yes means two answers are the same: Yu, Tian and Tang 2008, Metrika 67:251-263."""
    return 1 - prevalence, prevalence


WARNER: Final = PaperDesign("warner", "warner", _warner)
FORCED_RESPONSE: Final = PaperDesign("forced-response", "forced", _forced)
CROSSWISE: Final = PaperDesign("crosswise", "crosswise", _crosswise)
UNRELATED_QUESTION: Final = PaperDesign("unrelated-question", "unrelated", _unrelated)
