"""The design in words: computed from the manifest, never typed."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from tossup.server.dashboard.numbers import measured, number, odds_in_words, per_hundred
from tossup.shared.accounting import epsilon
from tossup.shared.grid import Grid
from tossup.shared.mechanisms import Mechanism, SeveralMechanism, chances_to_show
from tossup.shared.survey import NO, YES, Question
from tossup.shared.text import FreeText
from tossup.shared.vector import VectorAnswer

_PRIOR: Final = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Facts:
    """What protects a question, as text.

    Attributes
    ----------
    odds, epsilon
        The cost of one answer.
    belief
        What a belief of 10 in 100 can become, at most, once a report is seen.
    named, named_otherwise
        Of 100 people with an answer, how many reports name it; and of 100 people without.
    mechanism
        Its frozen name.
    so_many
        In how many the odds are not promised once, at worst; empty where they always are.
    reports, low, high
        For a number: how many reports are possible, and the declared bounds.
    norm
        For a vector: its declared norm.
    longest, characters
        For a text: how long the longest is, and what it is made of.
    options, most, asked
        For several options: how many there are, may be ticked, and are asked in a report.
    """

    odds: str
    epsilon: str
    belief: str
    named: str
    named_otherwise: str
    mechanism: str
    reports: str = ""
    low: str = ""
    high: str = ""
    norm: str = ""
    so_many: str = ""
    longest: str = ""
    characters: str = ""
    options: str = ""
    most: str = ""
    asked: str = ""


def facts(question: Question) -> Facts:
    """Return the facts of a question's design."""
    delta = question.mechanism.delta
    return replace(_facts(question), so_many=number(int(delta**-1)) if delta else "")


def _facts(question: Question) -> Facts:
    mechanism = question.mechanism
    if isinstance(question.domain, VectorAnswer):
        norm = measured(float(question.domain.norm))
        return replace(_without_chances(mechanism), norm=norm)
    if question.grid is not None:
        return _of_number(question.grid, mechanism)
    if isinstance(question.domain, FreeText):
        return _of_text(question.domain, mechanism)
    if isinstance(mechanism, SeveralMechanism):
        return _of_several(mechanism)
    channel = chances_to_show(mechanism)
    answer, other = (YES, NO) if len(channel) == len((NO, YES)) else (0, 1)
    return Facts(
        odds=odds_in_words(mechanism.odds),
        epsilon=number(float(epsilon(mechanism.odds, 3)), 3),
        belief=per_hundred(belief(mechanism.odds)),
        named=per_hundred(channel[answer][answer]),
        named_otherwise=per_hundred(channel[other][answer]),
        mechanism=mechanism.name,
    )


def _of_number(grid: Grid, mechanism: Mechanism) -> Facts:
    """Return the facts of a number."""
    return replace(
        _without_chances(mechanism),
        reports=number(mechanism.reports),
        low=measured(float(grid.low)),
        high=measured(float(grid.high)),
    )


def _without_chances(mechanism: Mechanism) -> Facts:
    """Return the facts of a question whose reports name no answer."""
    return Facts(
        odds=odds_in_words(mechanism.odds),
        epsilon=number(float(epsilon(mechanism.odds, 3)), 3),
        belief=per_hundred(belief(mechanism.odds)),
        named="",
        named_otherwise="",
        mechanism=mechanism.name,
    )


def _of_several(mechanism: SeveralMechanism) -> Facts:
    """Return the facts of several options: those of one, in reports that ask it."""
    otherwise, named = mechanism.rates
    return Facts(
        odds=odds_in_words(mechanism.odds),
        epsilon=number(float(epsilon(mechanism.odds, 3)), 3),
        belief=per_hundred(belief(mechanism.odds)),
        named=per_hundred(named),
        named_otherwise=per_hundred(otherwise),
        mechanism=mechanism.name,
        options=number(mechanism.options),
        most=number(mechanism.most),
        asked=number(int(mechanism.asked_share * mechanism.options)),
    )


def _of_text(texts: FreeText, mechanism: Mechanism) -> Facts:
    """Return the facts of a text: its buckets are named, and those of many others with it."""
    return Facts(
        odds=odds_in_words(mechanism.odds),
        epsilon=number(float(epsilon(mechanism.odds, 3)), 3),
        belief=per_hundred(belief(mechanism.odds)),
        named="",
        named_otherwise="",
        mechanism=mechanism.name,
        reports=number(mechanism.reports),
        longest=number(texts.longest),
        characters=texts.summary,
    )


def belief(odds: Fraction) -> Fraction:
    """Return the largest belief that a belief of 1 in 10 can become (Bayes' rule).

    >>> belief(Fraction(3))
    Fraction(1, 4)
    """
    raised = odds * _PRIOR / (1 - _PRIOR)
    return raised / (1 + raised)
