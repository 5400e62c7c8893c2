"""What a survey costs its respondents: each answer by itself, all together, and mixed.

Stage: authoring. What one answer costs comes first, because it holds without trust in anyone.
Devices charge the product of the odds and the sum of the deltas; the bounds here say what also
holds, for readers.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from tossup.server.accounting.bounds import Bound, bounds, left_out, tightest
from tossup.server.accounting.guarantee import Guarantee, of_ratios
from tossup.server.accounting.shuffling import Amplified, clones
from tossup.shared.survey import Survey

#: The delta that bounds and mixing may add, and how many reports are mixed, by default.
SLACK: Final = Decimal("1e-6")
MIXED: Final = 10_000

#: Beyond this epsilon mixing does not help, and is not worked out.
_MOST_EPSILON: Final = 20


@dataclass(frozen=True, slots=True)
class Mixed:
    """What one report promises among mixed ones, and which questions it answers."""

    questions: tuple[str, ...]
    amplified: Amplified


@dataclass(frozen=True, slots=True)
class SurveyCost:
    """What a survey costs.

    Attributes
    ----------
    answers
        Exact odds and delta of each question's answer, over all waves, without trust in anyone.
    reports
        Exact odds of all reports about a question alone, for questions with a memo: they hold
        against someone who never has the device.
    odds, delta
        Those of all answers together, as devices charge them.
    slack
        The delta that the bounds may add for a smaller epsilon.
    bounds
        Every bound on all answers together, by name.
    left_out
        The bounds that are not computed, by name, each with the reason.
    mixed
        One report of each kind, for those who trust the mixer of reports. There is none for
        answers that have a delta of their own, for which no such bound is known here, and none
        for surveys with waves, where a device sends more than one report.
    """

    answers: Mapping[str, tuple[Fraction, Fraction]]
    reports: Mapping[str, Fraction]
    odds: Fraction
    delta: Fraction
    slack: Decimal
    bounds: tuple[Bound, ...]
    left_out: Mapping[str, str]
    mixed: tuple[Mixed, ...]

    @property
    def tightest(self) -> Bound:
        """The bound of smallest epsilon."""
        return tightest(self.bounds)


def survey_cost(survey: Survey, slack: Decimal = SLACK, reports: int = MIXED) -> SurveyCost:
    """Return what answering a survey costs.

    Parameters
    ----------
    slack
        In [0, 1). At 0 epsilons only add up, and there is nothing about mixing.
    reports
        How many reports are mixed.

    Raises
    ------
    AccountingError
        If slack or reports are outside their ranges.
    """
    answers = {q.id: (survey.cost(q), survey.chance(q)) for q in survey.questions}
    tossed = [survey.tossed(question) for question in survey.questions]
    parts = Counter(of_ratios(each.odds, each.delta) for each in tossed * survey.tosses)
    return SurveyCost(
        answers,
        dict(_of_reports(survey)),
        survey.odds,
        survey.delta,
        slack,
        bounds(parts, slack),
        left_out(parts, slack),
        tuple(_mixed(survey, slack, reports)) if slack and survey.waves is None else (),
    )


def _of_reports(survey: Survey) -> Iterator[tuple[str, Fraction]]:
    """Yield the odds of the reports alone, for questions whose devices keep a memo."""
    for question in survey.questions:
        if survey.waves and question.mechanism.has_memo:
            yield question.id, survey.waves.odds_of_reports(question.mechanism)


def _mixed(survey: Survey, slack: Decimal, reports: int) -> Iterator[Mixed]:
    """Yield one report of each kind: with linkage ``joint`` it holds all answers."""
    kinds: dict[Guarantee, list[str]] = {}
    if survey.linkage == "joint":
        kinds[of_ratios(survey.odds, survey.delta)] = [q.id for q in survey.questions]
    else:
        for question in survey.questions:
            cost = of_ratios(question.mechanism.odds, question.mechanism.delta)
            kinds.setdefault(cost, []).append(question.id)
    for local, questions in kinds.items():
        if not local.delta and local.epsilon <= _MOST_EPSILON:
            yield Mixed(tuple(questions), clones(local, reports, slack))
