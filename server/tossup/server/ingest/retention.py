"""Single reports are deleted when their retention is over; what they add up to stays.

Stage: after a survey. ``retention_days`` is a promise that its manifest makes to respondents.
"""

import logging
import threading
from contextlib import suppress
from datetime import date, timedelta
from typing import Final

from tossup.server.ingest.known_day import Jump, jump, note_day
from tossup.server.store.base import Store
from tossup.server.store.records import StorageFailed, SurveyRecord, SurveyUnknown

_log = logging.getLogger(__name__)

_HOUR_SECONDS: Final = 3600


def expire_reports(store: Store, day: date) -> list[str]:
    """Delete the reports of every survey whose retention is over; return the surveys' ids.

    One whose manifest is damaged does not say how long; it keeps no other's reports.
    """
    expired = []
    for survey_id in store.survey_ids():
        try:
            if _expire(store, survey_id, day):
                expired.append(survey_id)
        except Exception as error:
            name = type(error).__name__
            _log.error("a survey's retention cannot be read: %s; tossup doctor names it", name)
    store.scrub()
    return expired


def _expire(store: Store, survey_id: str, day: date) -> bool:
    """Delete a survey's reports if they are due, and it is not reopened or deleted meanwhile."""
    with suppress(SurveyUnknown):
        if _is_due(store.survey(survey_id), day):
            with store.write() as transaction:
                is_due = _is_due(transaction.survey(survey_id), day)
                if is_due:
                    transaction.expire(survey_id)
                return is_due
    return False


def _is_due(record: SurveyRecord, day: date) -> bool:
    if record.ended is None or record.expired:
        return False
    return day > record.ended + timedelta(days=record.survey.retention_days)


class Retention:
    """Looks once an hour, from the start on, in a thread of its own.

    What was withdrawn or has expired is overwritten on disk at that time as well. While the day
    cannot be believed, nothing is deleted, and the log says so once an hour.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tossup-retention", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()

    def jump(self) -> Jump | None:
        """Return the jump of the clock for which reports are kept until it is confirmed."""
        return jump(self._store, self._store.clock())

    def _look(self) -> None:
        found = note_day(self._store, self._store.clock())
        if found is None:
            expire_reports(self._store, self._store.today())
        else:
            _log.error("%s", found)

    def _run(self) -> None:
        while True:
            try:
                self._look()
            except Exception as error:  # the thread must not end: a promise hangs on it
                is_expected = isinstance(error, StorageFailed)
                why = "" if is_expected else f" (unexpected {type(error).__name__})"
                _log.error(
                    "reports past their retention could not be deleted%s; trying in an hour", why
                )
            if self._stopped.wait(_HOUR_SECONDS):
                return
