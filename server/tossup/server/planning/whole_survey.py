"""How many must answer a survey that is written down: every question under its own coins.

A margin is half the width of an interval, in the range of what is estimated: of a share the range
is 1, of a number its declared range, of a vector's component twice the norm. The population where
the interval is widest counts. Normal approximations, as usual in planning.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist
from typing import Final

from tossup.server.kinds import kind_of
from tossup.server.planning.errors import PlanningError, count, probability
from tossup.shared.figures import in_full
from tossup.shared.survey import Question, Survey

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """What one question of a survey needs, or what it gives.

    Attributes
    ----------
    question
        Its id.
    of
        What is estimated: ``share of yes``, ``mean``.
    odds
        Exact odds of an answer, over all waves.
    margin
        Half the width of an interval, as a part of the range.
    range
        The range in the question's own unit; None for shares and mean points.
    respondents
        How many take part.
    reports
        How many of them report in one wave; all, without waves.
    """

    question: str
    of: str
    odds: Fraction
    margin: float
    range: Fraction | None
    respondents: int
    reports: int

    def to_json(self) -> dict[str, object]:
        """Return it as plain JSON types."""
        found: dict[str, object] = {name: getattr(self, name) for name in self.__slots__}
        span = None if self.range is None else float(self.range)
        return found | {"odds": in_full(self.odds), "range": span}


def for_margin(survey: Survey, margin: float, confidence: float = 0.95) -> list[QuestionPlan]:
    """Return how many respondents each question needs for a margin, in every wave.

    Parameters
    ----------
    margin
        In (0, 1): half the width of an interval, as a part of the range.
    confidence
        In (0, 1). Of texts that nobody listed it is that of all intervals together.

    Raises
    ------
    PlanningError
        If margin or confidence are outside their ranges.
    """
    probability(margin, "margin")
    probability(confidence, "confidence")
    found = []
    for question in survey.questions:
        kind = kind_of(question)
        errors = kind.quantile(margin, confidence) / margin
        reports = max(1, ceil(kind.widest_variance(question.mechanism) * errors**2))
        respondents = ceil(reports / reporting(survey))
        found.append(_plan(survey, question, margin, respondents, reports))
    return found


def for_respondents(survey: Survey, n: int, confidence: float = 0.95) -> list[QuestionPlan]:
    """Return the margin that n respondents give each question, in every wave.

    Raises
    ------
    PlanningError
        If n is no integer of at least 1, or the confidence is outside (0, 1).
    """
    reports = max(1, int(count(n, "n") * reporting(survey)))
    probability(confidence, "confidence")
    return [
        _plan(survey, question, _margin(question, reports, confidence), n, reports)
        for question in survey.questions
    ]


def for_difference(
    survey: Survey,
    difference: float,
    power: float = 0.8,
    confidence: float = 0.95,
    groups: int = 2,
) -> list[QuestionPlan]:
    """Return how many respondents each of some groups needs, so that a test tells two apart.

    The test of any two groups about any estimate of a question is two-sided, and corrected for all
    of these (Bonferroni): page and plan are wrong anywhere with a chance of 1 - confidence.

    Parameters
    ----------
    difference
        Between the two groups, in (0, 1), as a part of the range.
    power
        The chance to tell it, in (0, 1).
    groups
        At least 2. Margins in what is returned are half the difference.

    Raises
    ------
    PlanningError
        If an argument is outside its range.
    """
    probability(difference, "difference")
    probability(confidence, "confidence")
    if count(groups, "groups") < _TWO:
        raise PlanningError(f"groups ({groups}) must be at least 2 to be compared")
    beyond = NormalDist().inv_cdf(probability(power, "power"))
    found = []
    for question in survey.questions:
        kind = kind_of(question)
        moved = kind.moved(question)
        tests = groups * (groups - 1) // 2 * (moved.answers if moved else 1)
        errors = kind.quantile(difference, 1 - (1 - confidence) / tests) + beyond
        variance = 2 * kind.widest_variance(question.mechanism)
        reports = max(1, ceil(variance * (max(0.0, errors) / difference) ** 2))
        respondents = ceil(reports / reporting(survey))
        found.append(_plan(survey, question, difference / 2, respondents, reports))
    return found


def reporting(survey: Survey) -> Fraction:
    """Return the part of a survey's devices that reports in a wave: all, if they toss once."""
    waves = survey.waves
    return (
        Fraction(1) if waves is None or waves.times is None else Fraction(waves.times, waves.count)
    )


def _plan(
    survey: Survey, question: Question, margin: float, respondents: int, reports: int
) -> QuestionPlan:
    of, span = kind_of(question).estimated(question)
    return QuestionPlan(question.id, of, survey.cost(question), margin, span, respondents, reports)


def _margin(question: Question, reports: int, confidence: float) -> float:
    kind = kind_of(question)
    error = sqrt(kind.widest_variance(question.mechanism) / reports)
    margin = 1.0
    for _ in range(9):  # fewer texts can be as common as a wider margin; this settles at once
        margin = kind.quantile(min(margin, 1.0), confidence) * error
    return margin
