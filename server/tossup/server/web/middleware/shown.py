"""When everybody may read public results: at once, of whole days, or when the survey is closed.

Stage: HTTP. Whoever is signed in or sends an API key reads all at any time. Of whole days nobody
can tell when in a day a report came, nor take two looks to see what one report says.
"""

from collections.abc import Mapping
from datetime import date, timedelta

from flask import g

from tossup.server.refusals import Refused
from tossup.server.store.records import SurveyRecord


def admit_reader(record: SurveyRecord, today: date) -> None:
    """Let anyone read a survey's public results, as far as its publisher shows them now.

    Raises
    ------
    Refused
        ``results-not-yet`` if they are shown when the survey is closed, and it is not.
    """
    if record.state == "closed":
        return
    if record.survey.shown == "closed":
        raise Refused(
            "the publisher shows these results when the survey is closed; come again then",
            "results-not-yet",
        )
    if record.survey.shown == "daily":
        g.last_day_shown = (today - timedelta(1)).isoformat()


def within(query: Mapping[str, str]) -> dict[str, str]:
    """Return filters as far as this caller may look: to the last day that is shown."""
    last = g.get("last_day_shown")
    if last is None:
        return dict(query)
    return {**query, "to": min(query.get("to") or last, last)}
