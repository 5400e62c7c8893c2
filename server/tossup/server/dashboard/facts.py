"""The design in words: computed from the manifest, never typed."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tossup.server.dashboard.numbers import number, odds_in_words, per_hundred
from tossup.shared.accounting import epsilon
from tossup.shared.mechanisms import chances_to_show
from tossup.shared.survey import NO, YES, Question

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
    """

    odds: str
    epsilon: str
    belief: str
    named: str
    named_otherwise: str
    mechanism: str


def facts(question: Question) -> Facts:
    """Return the facts of a question's design."""
    mechanism = question.mechanism
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


def belief(odds: Fraction) -> Fraction:
    """Return the largest belief that a belief of 1 in 10 can become (Bayes' rule).

    >>> belief(Fraction(3))
    Fraction(1, 4)
    """
    raised = odds * _PRIOR / (1 - _PRIOR)
    return raised / (1 + raised)
