"""The list of surveys, as values."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from tossup.server.results import Results
from tossup.server.store.base import Store
from tossup.server.store.records import SurveyRecord
from tossup.server.surveys import lifecycle

#: An open survey without a report for this many days is called quiet.
QUIET_DAYS: Final = 7
#: Days are counted among so many counters of a survey in waves at most.
_MOST_COUNTERS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Standing:
    """How a survey stands today.

    Attributes
    ----------
    record
        The survey.
    last_day
        The last day with a report.
    quiet
        Whether it is open and its last report is a week or more ago.
    """

    record: SurveyRecord
    last_day: date | None
    quiet: bool


def standing(store: Store, record: SurveyRecord, today: date) -> Standing:
    """Return how a survey stands."""
    last = store.last_day(record.survey.id)
    is_quiet = record.state == "open" and last is not None and (today - last).days >= QUIET_DAYS
    return Standing(record, last, is_quiet)


def standing_within(results: Results, stands: Standing) -> Standing:
    """Return how a survey stood on the last day that its results look at, and no later."""
    counted = [result.n for result in results.questions]
    reports = max(counted) if stands.record.survey.linkage == "joint" else sum(counted)
    days = [part.day for result in results.questions for part in result.days if part.day]
    record = replace(stands.record, reports=reports)
    return replace(stands, record=record, last_day=max(days, default=None))


def taken_part(store: Store, record: SurveyRecord, results: Results) -> dict[str, int | None]:
    """Return how many people took part, as far as that can be known, and on how many days.

    ``people`` where every person sends one report; else ``at_least`` as many as answered one
    question, since nobody answers one twice: unless a survey asks again. Results that are filtered
    tell neither of the whole survey.
    """
    scope = results.scope
    is_whole = not (scope.where or scope.first_day or scope.last_day)
    asks_once = not any(result.waves for result in results.questions)
    most = max((result.n for result in results.questions), default=0)
    days = len({part.day for result in results.questions for part in result.days})
    if is_whole and not asks_once:  # the results are of one wave
        _, days = store.tally_size(record.survey.id, _MOST_COUNTERS)
    return {
        "people": lifecycle.respondents(store, record),
        "at_least": most if asks_once and is_whole else None,
        "days": days if is_whole else None,
    }
