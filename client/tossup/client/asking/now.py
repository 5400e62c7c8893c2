"""What may be asked now: by the survey's days, then by what is known of each question.

Stage: before an answer is looked at, and between the ledger and the coins. A toss cannot be taken
back, and a refusal can. So a device tosses nothing when it knows that the survey takes no answer,
or cannot know. What its clock says is never stored, since a clock that is wrong today may be right
tomorrow. What was tossed in time is sent at any time.

A topic is tossed for once, or once in each wave of a survey that tosses afresh; with a mechanism
that has a memo, only through the memo of the first time. A topic belongs to the survey that asked
it first.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from tossup.client.errors import SurveyClosed, SurveyNotOpen
from tossup.client.store.database import Connection
from tossup.client.store.ledger import Ledger
from tossup.client.store.totals import Past
from tossup.shared.survey import Question, Survey

#: By how many days a clock may be wrong, either way.
GRACE_DAYS: Final = 1

#: A clock that shows an earlier day is not set, since this was written later. A clock without a
#: battery stands at 1970 after every start, and would find every survey open that has a last day.
EARLIEST: Final = date(2025, 1, 1)


def clock() -> int:
    """Return the device's clock: whole seconds since 1970, right or wrong."""
    return time.time_ns() // 10**9


def today() -> date:
    """Return the day by the device's clock (UTC), right or wrong."""
    return datetime.fromtimestamp(clock(), UTC).date()


def is_over(survey: Survey) -> bool:
    """Return whether the last day for answers is over, by more than a clock may be wrong."""
    return survey.days_since_close(today()) > GRACE_DAYS


def is_on(survey: Survey) -> bool:
    """Return whether answers may be tossed for today."""
    if survey.opens is None and survey.closes is None:
        return True
    day = today()
    return day >= EARLIEST and not is_over(survey) and survey.days_until_open(day) <= GRACE_DAYS


def check_open(survey: Survey) -> None:
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


@dataclass(frozen=True, slots=True)
class Due:
    """What may be done in a wave, or in a survey without waves.

    Attributes
    ----------
    toss
        Questions that may be tossed for.
    again
        By the id of a question: what is kept of its answer, to be reported again. Randomized.
    memos
        By the id of a question in ``toss``: the memo that it was tossed through before.
    """

    toss: tuple[Question, ...]
    again: Mapping[str, int]
    memos: Mapping[str, int]


def due(
    connection: Connection,
    book: Ledger,
    survey: Survey,
    wave: int,
    questions: Sequence[Question],
) -> Due:
    """Return what may be done about some of a survey's questions in a wave; 0 without waves.

    Raises
    ------
    LedgerDamaged
        If what is kept is not what was written.
    """
    publisher = survey.publisher.key.hex()
    past = {q.id: book.past.get((publisher, q.topic)) for q in questions}
    old = [q for q in questions if _may_report_again(survey, past[q.id], wave)]
    toss = [q for q in questions if _may_toss(survey, past[q.id], wave)]
    known = [q for q in toss if past[q.id] and q.mechanism.has_memo]
    memos = _kept(connection, survey, known)
    return Due(
        # A question without its memo is not asked again: another memo would be a second memory.
        toss=tuple(q for q in toss if q not in known or q.id in memos),
        again=_kept(connection, survey, old),
        memos=memos,
    )


def _kept(
    connection: Connection, survey: Survey, questions: Sequence[Question]
) -> Mapping[str, int]:
    """Return what is kept, by the ids of the questions whose design can use it."""
    if not questions:
        return {}
    from tossup.client.store import memory

    found = {q.id: memory.read(connection, survey, q) for q in questions}
    return {name: value for name, value in found.items() if value is not None}


def is_reported(book: Ledger, survey: Survey, question: Question, wave: int) -> bool:
    """Return whether a question has been answered, or reported again, in this wave."""
    past = book.past.get((survey.publisher.key.hex(), question.topic))
    return past is not None and not _is_new(survey, past, wave)


def _may_toss(survey: Survey, past: Past | None, wave: int) -> bool:
    if past is None:
        return True
    times = survey.waves.times if survey.waves else None
    return times is not None and past.entries < times and _is_new(survey, past, wave)


def _may_report_again(survey: Survey, past: Past | None, wave: int) -> bool:
    permanent = survey.waves is not None and survey.waves.are_permanent
    return permanent and past is not None and _is_new(survey, past, wave)


def _is_new(survey: Survey, past: Past, wave: int) -> bool:
    """Return whether all that is known of a topic is from other waves of the same survey."""
    return past.survey == survey.id and not past.has(0) and not past.has(wave)
