"""What a respondent's page shows of a survey: steps, questions, and what can be sent, as values.

Every figure is computed from the manifest; none is typed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Final

from tossup.server.kinds import kind_of
from tossup.server.surveys.publishing.browsers import Obstacle, kept_from_browsers
from tossup.server.web.pages.facts import Facts, belief, facts
from tossup.server.web.pages.words.numbers import odds_in_words, per_hundred
from tossup.shared.mechanisms import chances_to_show
from tossup.shared.survey import NO, YES, Attribute, Question, Survey

#: More options than this are a menu, not a list of fields to press.
_MOST_LISTED: Final = 40
#: Coins in a row that shows a chance.
_COINS: Final = 20


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance as a row of coins: how many of 100, and how many of the row are filled."""

    hundred: str
    filled: int

    @classmethod
    def of(cls, chance: Fraction) -> "Chance":
        """Return a chance as it is shown."""
        return cls(per_hundred(chance), int(chance * _COINS + Fraction(1, 2)))


@dataclass(frozen=True)
class Asked:
    """A question on the page."""

    question: Question
    survey: Survey

    @property
    def field(self) -> str:
        """How it is answered: the name of a template and of a part of the script."""
        by_options = "menu" if len(self.question.options) > _MOST_LISTED else "radio"
        return kind_of(self.question).answered_by or by_options

    @property
    def may_be_skipped(self) -> bool:
        """Whether the page offers to send nothing for this question alone."""
        return self.survey.linkage == "none" and not self.refusal

    @property
    def refusal(self) -> str:
        """The id of the option that stands for not answering; empty where there is none."""
        return self.question.options[-1].id if self.question.refusal == "randomized" else ""

    @cached_property
    def facts(self) -> Facts:
        """What protects the answer, in figures."""
        return facts(self.question, self.survey.waves)

    @property
    def declared(self) -> Mapping[str, Fraction | int | str]:
        """Bounds of a number, the greatest length of a text and the like, exact."""
        return self.question.domain.declared

    @property
    def odds(self) -> Fraction:
        """The odds of all that is ever sent about it."""
        return self.survey.cost(self.question)

    @property
    def odds_in_words(self) -> str:
        """These odds, as people say them."""
        return odds_in_words(self.odds)

    @property
    def odds_as_number(self) -> str:
        """These odds for a script that multiplies them to show them: with decimals, rounded up."""
        return f"{ceil(self.odds * 100) / 100:.12g}"

    @property
    def belief(self) -> str:
        """What a belief of 10 in 100 can become at most."""
        return belief_in_words(self.odds)

    @property
    def coins(self) -> tuple[Chance, Chance] | None:
        """For yes/no: of people who would say yes, and no, how many send yes; else None."""
        if not self.question.is_yes_no or self.facts.kind != "named":
            return None
        channel = chances_to_show(self.question.mechanism)
        return Chance.of(channel[YES][YES]), Chance.of(channel[NO][YES])


@dataclass(frozen=True)
class Step:
    """What is on the screen at once, and sent at once: one question, or all that travel together.

    ``number`` counts from 1; the step of the public attributes has 0 and no question.
    """

    number: int
    questions: tuple[Asked, ...]
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True)
class Page:
    """Everything that the page shows of a survey."""

    survey: Survey

    @cached_property
    def questions(self) -> tuple[Asked, ...]:
        """The questions in their order."""
        return tuple(Asked(question, self.survey) for question in self.survey.questions)

    @cached_property
    def obstacles(self) -> frozenset[Obstacle]:
        """Why the page asks nothing of this survey; empty where it asks."""
        return frozenset(kept_from_browsers(self.survey).values())

    @property
    def steps(self) -> tuple[Step, ...]:
        """The screens with questions: public attributes first, then one for what is sent at once.

        Answers that travel together are on one screen.
        """
        attributes = self.survey.asked_attributes
        first = (Step(0, (), attributes),) if attributes else ()
        if self.survey.linkage == "joint":
            return (*first, Step(1, self.questions))
        return first + tuple(Step(n, (asked,)) for n, asked in enumerate(self.questions, 1))

    @property
    def alike(self) -> Asked | None:
        """A question that stands for all, where all are yes/no with the same coins; else None."""
        first = self.questions[0]
        mechanisms = {question.mechanism for question in self.survey.questions}
        return first if first.coins and len(mechanisms) == 1 else None

    @property
    def example(self) -> Asked | None:
        """The first yes/no question, whose coins are easiest to show; None if there is none."""
        return next((asked for asked in self.questions if asked.coins), None)

    @property
    def dearest(self) -> Asked:
        """The question whose answer gives most away."""
        return max(self.questions, key=lambda asked: asked.odds)

    @property
    def odds(self) -> str:
        """The odds of all answers together, in words."""
        return odds_in_words(self.survey.odds)

    @property
    def belief(self) -> str:
        """What all answers together make of a belief of 10 in 100, at most."""
        return belief_in_words(self.survey.odds)

    @property
    def practises(self) -> bool:
        """Whether the page has a coin to try: where answers go through two coins."""
        return any(asked.question.mechanism.name == "two-coin/1" for asked in self.questions)


def belief_in_words(odds: Fraction) -> str:
    """Return what a belief of 10 in 100 becomes at most, rounded up where it is not exact.

    >>> belief_in_words(Fraction(3)), belief_in_words(Fraction(81))
    ('25', '90')
    """
    raised = 100 * belief(odds)
    tenths = -(-10 * raised.numerator // raised.denominator)
    return per_hundred(Fraction(tenths, 1000))
