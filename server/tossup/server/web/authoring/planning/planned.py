"""What a wish comes to: people, margins or odds, on devices, by a trusted curator, and directly."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tossup.server.kinds import kind_of, reasons
from tossup.server.surveys.file import DEVICE_CAP
from tossup.server.web.authoring.checking import NO_KEY, loaded
from tossup.server.web.authoring.planning.wish import MOST_PEOPLE, Wish
from tossup.server.web.pages.respondent.asked import Asked
from tossup.shared.errors import TossupError
from tossup.shared.survey import Question, Survey

if TYPE_CHECKING:
    from tossup.server.planning.beside import Curator
    from tossup.server.planning.feasible import Demand, Feasible

#: The margins that are always shown, as parts of the range.
MARGINS: Final = (0.1, 0.05, 0.03, 0.01)


class CannotBePlanned(TossupError):  # noqa: N818 - reads as the condition
    """A question or a goal for which there is no plan; pages say it in their language."""


@dataclass(frozen=True, slots=True)
class Row:
    """People in each group for a margin: on devices, by a curator, directly.

    None of a curator who has nothing to publish, and where there are not so many people.
    """

    margin: float
    people: int | None
    curator: int | None
    directly: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a wish comes to.

    Attributes
    ----------
    wish
        What was wanted.
    asked
        The question, with its odds and coins.
    of, span
        What is estimated, in English, and its range in the question's unit; None for shares.
    people
        In each group; None where there are not so many.
    reports
        In each group and wave.
    margin
        Half the width of an interval, as a part of the range.
    curators, directs
        The margin of as many people by a trusted curator, None if there is none, and directly.
    rows
        People for `MARGINS` and the margin that was wanted.
    feasible
        The odds and epsilons that meet the demands, where these were wanted.
    why
        Why these coins are taken, in English; empty where others would do as well.
    """

    wish: Wish
    asked: Asked
    of: str
    span: Fraction | None
    people: int | None
    reports: int
    margin: float
    curators: float | None
    directs: float
    rows: tuple[Row, ...]
    feasible: "Feasible | None"
    why: str

    @property
    def in_all(self) -> int:
        """People in all groups together."""
        return (self.people or 0) * self.wish.compared

    def in_unit(self, margin: float) -> float | None:
        """Return a margin in the question's own unit; None for shares and points."""
        return None if self.span is None else margin * float(self.span)


@lru_cache(maxsize=256)
def plan(wish: Wish) -> Plan:
    """Return what a wish comes to.

    Raises
    ------
    CannotBePlanned
        If there is no such question, or no such plan.
    """
    from tossup.server.planning import beside, whole_survey
    from tossup.server.planning.errors import PlanningError

    try:
        met = _feasible(wish) if wish.want == "demands" else None
        survey = _survey(wish, _least(met) or wish.odds)
        question = survey.questions[0]
        curator = beside.curator(survey, question)
        people, margin = _people_and_margin(wish, survey)
    except PlanningError as error:
        raise CannotBePlanned(str(error)) from error
    kind = kind_of(question)
    of, span = kind.estimated(question)
    reports = max(1, int((people or 1) * whole_survey.reporting(survey)))
    errors = kind.quantile(min(margin, 0.5), wish.confidence)
    deviation = beside.SAMPLING**0.5 / reports**0.5
    margins = {*MARGINS, wish.margin} if wish.want == "margin" else MARGINS
    return Plan(
        wish=wish,
        asked=Asked(question, survey),
        of=of,
        span=span,
        people=people,
        reports=reports,
        margin=margin,
        curators=None if curator is None else errors * curator.deviation(reports),
        directs=errors * deviation,
        rows=tuple(_row(wish, survey, each, curator) for each in sorted(margins, reverse=True)),
        feasible=met,
        why=reasons(survey).get(question.id, ""),
    )


def _people_and_margin(wish: Wish, survey: Survey) -> tuple[int | None, float]:
    """Return how many people each group needs or has, and the margin."""
    from tossup.server.planning import whole_survey

    if wish.want == "margin":
        return _people(survey, wish.margin, wish.confidence), wish.margin
    if wish.want == "difference":
        found = whole_survey.for_difference(
            survey, wish.difference, wish.power, wish.confidence, wish.compared
        )[0]
        people = _if_there_are(found.respondents)
        return people, _margin(survey, people or MOST_PEOPLE, wish.confidence)
    if wish.people < wish.groups:
        raise CannotBePlanned("There are more groups than people.")
    each = wish.people // wish.groups
    return each, _margin(survey, each, wish.confidence)


def _margin(survey: Survey, people: int, confidence: float) -> float:
    from tossup.server.planning.whole_survey import for_respondents

    return for_respondents(survey, people, confidence)[0].margin


def _row(wish: Wish, survey: Survey, margin: float, curator: "Curator | None") -> Row:
    from tossup.server.planning import beside
    from tossup.server.planning.errors import PlanningError
    from tossup.server.planning.whole_survey import reporting

    errors = kind_of(survey.questions[0]).quantile(margin, wish.confidence)
    part = reporting(survey)

    def enough(reports: int) -> int | None:
        return _if_there_are(-(-reports * part.denominator // part.numerator))

    try:
        central = None if curator is None else enough(curator.respondents(margin, errors))
        direct = enough(beside.directly(margin, errors))
    except PlanningError:
        central = direct = None
    return Row(margin, _people(survey, margin, wish.confidence), central, direct)


def _people(survey: Survey, margin: float, confidence: float) -> int | None:
    from tossup.server.planning.whole_survey import for_margin

    return _if_there_are(for_margin(survey, margin, confidence)[0].respondents)


def _if_there_are(people: int) -> int | None:
    return people if people <= MOST_PEOPLE else None


def _feasible(wish: Wish) -> "Feasible":
    """Return the odds of one wave that meet the demands, up to what may be spent on all."""
    from tossup.server.planning import beside, whole_survey
    from tossup.server.planning.feasible import Deviation, Tail

    deviation, tail = wish.demands
    demands: list[Demand] = [] if deviation is None else [Deviation(deviation)]
    demands += [] if tail is None else [Tail(*tail)]
    first = _survey(wish, beside.LADDER[0])
    times = 1 if first.waves is None else first.waves.times or 1
    most = min(wish.limit or DEVICE_CAP, Fraction(DEVICE_CAP))
    ladder = [odds for odds in beside.LADDER if odds**times <= most]
    if not ladder:
        raise CannotBePlanned("No odds are left below that limit.")

    def ask(odds: Fraction) -> Question:
        question = _survey(wish, odds).questions[0]
        if kind_of(question).is_fine(question.mechanism):
            raise CannotBePlanned(
                "So fine a grid takes too long to be searched. Take larger steps."
            )
        return question

    each = wish.people // wish.groups
    reports = int(each * whole_survey.reporting(first))
    return beside.feasible_for(ask, max(1, reports), demands, ladder)


def _least(met: "Feasible | None") -> Fraction | None:
    """Return the least odds that meet the demands, exactly: they are tenths."""
    found = met and met.local
    return Fraction(found.odds).limit_denominator(10) if found else None


def _survey(wish: Wish, odds: Fraction) -> Survey:
    found = loaded(wish.file(odds), NO_KEY)
    if isinstance(found, Survey):
        return found
    raise CannotBePlanned("\n".join(what for _, what in found))
