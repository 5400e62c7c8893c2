"""Whether a survey takes answers today, by its signed manifest and the device's clock.

Stage: before an answer is looked at. A toss cannot be taken back, and a refusal can. So a device
tosses nothing when it knows that the survey takes no answer, or cannot know. What its clock says is
never stored, since a clock that is wrong today may be right tomorrow. What was tossed in
time is sent at any time.
"""

from datetime import UTC, date, datetime
from typing import Final

from tossup.client.errors import SurveyClosed, SurveyNotOpen
from tossup.client.upload import backoff
from tossup.shared.survey import Survey

#: By how many days a clock may be wrong, either way.
GRACE_DAYS: Final = 1

#: A clock that shows an earlier day is not set, since this was written later. A clock without a
#: battery stands at 1970 after every start, and would find every survey open that has a last day.
EARLIEST: Final = date(2025, 1, 1)


def today() -> date:
    """Return the day by the device's clock (UTC), right or wrong."""
    return datetime.fromtimestamp(backoff.now(), UTC).date()


def is_over(survey: Survey) -> bool:
    """Return whether the last day for answers is over, by more than a clock may be wrong."""
    return survey.days_since_close(today()) > GRACE_DAYS


def is_on(survey: Survey) -> bool:
    """Return whether answers may be tossed for today."""
    if survey.opens is None and survey.closes is None:
        return True
    day = today()
    return day >= EARLIEST and not is_over(survey) and survey.days_until_open(day) <= GRACE_DAYS


def check(survey: Survey) -> None:
    """Refuse a survey that takes no answer today.

    Raises
    ------
    SurveyClosed
        If its last day is over.
    SurveyNotOpen
        If its first day has not come, or it has one of both days and the clock is not set.
    """
    if is_on(survey):
        return
    if is_over(survey):
        raise SurveyClosed(
            f"the survey closed on {survey.closes}; this device's clock says {today()}. Nothing was"
            " tossed. Ask the publisher for another one, or set the clock if it is wrong"
        )
    if today() < EARLIEST:
        raise SurveyNotOpen(
            f"this device's clock says {today()}, so it is not set, and whether the survey is open"
            " cannot be told. Nothing was tossed. Set the clock and try again"
        )
    raise SurveyNotOpen(
        f"the survey opens on {survey.opens}; this device's clock says {today()}. Nothing was"
        " tossed. Try again then"
    )
