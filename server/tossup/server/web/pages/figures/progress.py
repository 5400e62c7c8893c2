"""How far an estimate is that is not here yet, or still too wide, and how long it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from typing import Final

from tossup.server.results import QuestionResult, Results
from tossup.server.web.pages.overview import Standing
from tossup.server.web.pages.words.language import gettext, ngettext
from tossup.server.web.pages.words.numbers import day, measured, number

#: An estimate less sure than to a tenth of its range is on its way.
WIDE: Final = 0.1
#: Days whose reports say how fast more come.
PACE_DAYS: Final = 7
#: Coins in a row.
_COINS: Final = 20
_WEEKS_FROM: Final = 21
_MONTHS_FROM: Final = 120
_LONGEST: Final = 5 * 365


@dataclass(frozen=True, slots=True)
class Way:
    """How far a question is on its way.

    Attributes
    ----------
    so_far, goal
        Reports; at the goal there is an estimate, or it is as sure as `WIDE`.
    is_first
        Whether it is on the way to its first estimate.
    a_day
        Reports that came a day, of late.
    closes
        The last day of answers; None if there is none.
    today
        The day on which this is said.
    """

    so_far: int
    goal: int
    is_first: bool
    a_day: float
    closes: date | None
    today: date

    @property
    def filled(self) -> int:
        """Of 20 coins how many are filled; all of them at the goal alone."""
        return self.so_far * _COINS // self.goal

    @property
    def days(self) -> int | None:
        """Days to the goal at this pace; None without a pace, or if it takes years."""
        if not self.a_day:
            return None
        days = ceil((self.goal - self.so_far) / self.a_day)
        return days if days <= _LONGEST else None

    @property
    def how_far(self) -> str:
        """How many reports of how many there are; to the first estimate a page says it itself."""
        words = {"so_far": number(self.so_far), "goal": number(self.goal)}
        if self.is_first:
            return ""
        return gettext("%(so_far)s of about %(goal)s reports to 10 points either way.", **words)

    @property
    def how_long(self) -> str:
        """How long it takes at the pace of the last days; and whether the survey ends before."""
        if not self.a_day:
            return gettext("No report came in the last 7 days.")
        pace = {"pace": measured(round(self.a_day, 1 if self.a_day < 10 else 0) or 0.1)}
        days = self.days
        if days is None:
            return gettext("At %(pace)s a day that takes years.", **pace)
        said = gettext("At %(pace)s a day, as of late, %(time)s.", time=_in_days(days), **pace)
        if self.closes is not None and self.today + timedelta(days) > self.closes:
            ends = gettext("The survey ends before: on %(day)s.", day=day(self.closes))
            return f"{said} {ends}"
        return said


def ways(results: Results, standing: Standing, today: date) -> Sequence[Way | None]:
    """Return how far each question is; None where it is there, or where no more reports come."""
    if standing.record.state != "open":
        return [None for _ in results.questions]
    return [_way(result, standing.record.survey.closes, today) for result in results.questions]


def _way(result: QuestionResult, closes: date | None, today: date) -> Way | None:
    finding = result.total.told.finding
    if result.suppressed:
        so_far, goal = result.total.behind, result.minimum
    elif finding is not None and result.possible_under_design is not False:
        low, high = finding.bounds
        half = (finding.interval.high - finding.interval.low) / 2 / (high - low)
        so_far, goal = finding.n, ceil(finding.n * (half / WIDE) ** 2)
    else:
        return None
    if so_far >= goal:
        return None
    part = so_far / result.n if result.n else 1.0
    return Way(so_far, goal, result.suppressed, part * _a_day(result, today), closes, today)


def _a_day(result: QuestionResult, today: date) -> float:
    """Return reports a day, from the first of the last days with any or a week ago.

    The last day is today, or the last one with reports where the clock was set back since.
    """
    counts = {part.day: part.n for part in result.days if part.day is not None}
    last = max([today, *counts])
    since = last - timedelta(PACE_DAYS - 1)
    first = max(since, min(counts, default=last))
    late = sum(n for each, n in counts.items() if each >= since)
    return late / ((last - first).days + 1)


def _in_days(days: int) -> str:
    if days <= 1:
        return gettext("within a day")
    if days < _WEEKS_FROM:
        return ngettext("in %(num)s day", "in %(num)s days", days, num=days)
    if days < _MONTHS_FROM:
        weeks = round(days / 7)
        return ngettext("in about %(num)s week", "in about %(num)s weeks", weeks, num=weeks)
    months = round(days / 30.4)
    return ngettext("in about %(num)s month", "in about %(num)s months", months, num=months)
