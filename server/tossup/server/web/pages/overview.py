"""The list of surveys, as values."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from tossup.server.store.base import Store, SurveyRecord

#: An open survey without a report for this many days is called quiet.
QUIET_DAYS: Final = 7


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
