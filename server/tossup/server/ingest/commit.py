"""A group of work as one transaction: all of it durable, or nothing kept on disk or in memory.

Stage: ingest, between the queue and the disk; `group` has what one transaction does.
"""

import logging
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from tossup.server.ingest.cohorts import COHORT
from tossup.server.ingest.group import MAX_REPORTS, Faulty, Group, Limits, OpenSurvey, Result, Work
from tossup.server.store.base import Store

_log = logging.getLogger(__name__)

#: Of so many commits, that which waits least for the store tells how long this takes: others may
#: have waited for a processor.
_RECENT: Final = 8


class GroupCommit:
    """Commits groups of work to a store, and keeps the ids of open surveys in memory.

    Not safe to share between threads: it belongs to the writer.

    Parameters
    ----------
    store
        Where to commit.
    cohort
        Fewer reports than this, to one question in one group, are stored among others.
    max_reports
        Ids that a survey may hold; each shard of the store holds its part of them.
    shard
        The store's shard that every id of the work belongs to.

    Attributes
    ----------
    store_seconds
        How long a commit waits of late for its lock and its disk, beside all that it does.
    """

    def __init__(
        self,
        store: Store,
        *,
        cohort: int = COHORT,
        max_reports: int = MAX_REPORTS,
        shard: int = 0,
    ) -> None:
        self._store = store
        self._shard = shard
        self._limits = Limits(cohort, max_reports, -(-max_reports // store.shards))
        self._history: object = None
        self._surveys: dict[str, OpenSurvey] = {}
        self._last: dict[str, OpenSurvey] = {}  # those that the last commit changed
        self._waits: deque[float] = deque(maxlen=_RECENT)
        self.store_seconds = 0.0

    def commit(self, group: Iterable[Work]) -> list[Result]:
        """Commit a group, durably, and return the result of each piece of work in order.

        Work that cannot be stored by a fault of its own gets what it raised as its result, and
        the others are committed without it: one transaction is undone for it, before it reaches
        the disk. If one of several that are stored together has the fault, these are halved
        until it stands alone.

        Raises
        ------
        StorageFailed
            If the transaction failed: then nothing of the group is kept, on disk or in memory.
        """
        work = list(group)
        try:
            return self._transact(work)
        except Faulty as fault:
            suspects, cause = fault.places, fault.__cause__
        if len(work) == 1 and isinstance(cause, Exception):
            _log.error("unexpected %s in a transaction", type(cause).__name__)
            return [cause]
        return self._commit_apart(work, suspects)

    def tidy(self) -> None:
        """Sort the ids of the last commit among the others, as the next one would at its begin.

        Whoever waited for that commit need not wait for this.
        """
        for survey in self._last.values():
            try:
                survey.index.begin()
            except Exception as error:  # the next commit begins with the same
                _log.error("unexpected %s after a transaction", type(error).__name__)
        self._last = {}

    def _commit_apart(self, work: Sequence[Work], suspects: Sequence[int]) -> list[Result]:
        """Commit the work that is not suspected, then each half of what is."""
        others = [place for place in range(len(work)) if place not in set(suspects)]
        middle = len(suspects) // 2
        results: dict[int, Result] = {}
        for places in (others, suspects[:middle], suspects[middle:]):
            if places:
                part = self.commit(work[place] for place in places)
                results.update(zip(places, part, strict=True))
        return [results[place] for place in range(len(work))]

    def _transact(self, work: list[Work]) -> list[Result]:
        opened: dict[str, OpenSurvey] = {}
        try:
            began = time.monotonic()
            with self._store.write(self._shard) as transaction:
                locked = time.monotonic()
                self._forget_other(transaction.history)
                group = Group(transaction, self._store, self._surveys, opened, self._limits)
                results = group.run(work)
                ran = time.monotonic()
            self._last = opened
            self._note(time.monotonic() - ran + locked - began)
            return results
        except BaseException:
            # What was not committed must be new when it is sent again, or it would be lost.
            for survey in opened.values():
                survey.rollback()
            raise

    def _note(self, waited: float) -> None:
        self._waits.append(waited)
        self.store_seconds = min(self._waits)

    def _forget_other(self, history: object) -> None:
        """Forget all ids if some may be gone: they would be acknowledged, and not stored."""
        if history != self._history:
            self._surveys.clear()
            self._history = history
