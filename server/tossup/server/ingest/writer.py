"""The one thread that writes: it commits everything that waits, then answers everyone.

Stage: ingest. A commit per request makes clients queue for the disk (p99 above 1 s); here a slow
disk only makes groups larger. An answer is given after the durable commit, never before.
"""

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.group import MAX_REPORTS, Result, Work
from tossup.server.refusals import Busy
from tossup.server.store.base import Store
from tossup.server.store.records import StorageFailed

_log = logging.getLogger(__name__)

MAX_WAITING_REPORTS: Final = 200_000
MAX_GROUP_REPORTS: Final = 50_000
_SILENCE_SECONDS: Final = 60


class Ticket:
    """Work that waits for its commit, and the result that its sender waits for.

    A thread waits for a bare lock: the condition of a `concurrent.futures.Future` costs as much as
    decoding. Who has no thread to wait in gives ``then``, which the writer's thread calls.
    """

    __slots__ = ("_done", "_result", "_then", "work")

    def __init__(self, work: Work, then: Callable[[Result], None] | None = None) -> None:
        self.work = work
        self._then = then
        self._result: Result | None = None
        self._done = threading.Lock()
        self._done.acquire()

    def settle(self, result: Result) -> None:
        """Give the result, once, to whoever waits."""
        self._result = result
        self._done.release()
        if self._then is None:
            return
        try:
            self._then(result)
        except Exception as error:  # who waits must not stop the writer
            _log.error("unexpected %s in what waits for a commit", type(error).__name__)

    def result(self, seconds: float = 30) -> int:
        """Wait for the commit; return how many reports are durably received.

        Raises
        ------
        TimeoutError
            If it takes longer. The work may still be committed.
        Exception
            What kept the work from being committed.
        """
        if not self._done.acquire(timeout=seconds):
            raise TimeoutError
        self._done.release()
        if isinstance(self._result, int):
            return self._result
        raise self._result or RuntimeError("settled without a result")


class Writer:
    """Takes work from any thread and commits it in groups on its own.

    Parameters
    ----------
    store
        Where to write.
    max_waiting
        Reports that may wait; work beyond is refused with `Busy`.
    max_reports
        Ids that a survey may hold.
    shard
        The store's shard that every id of the work belongs to.
    """

    def __init__(
        self,
        store: Store,
        *,
        max_waiting: int = MAX_WAITING_REPORTS,
        max_reports: int = MAX_REPORTS,
        shard: int = 0,
    ) -> None:
        self._commit = GroupCommit(store, max_reports=max_reports, shard=shard)
        self._max_waiting = max_waiting
        self._waiting: deque[Ticket] = deque()
        self._waiting_reports = 0
        self._stopping = False
        self._failed, self._silent_until = 0, -math.inf  # transactions, since they were told of
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="tossup-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Work, then: Callable[[Result], None] | None = None) -> Ticket:
        """Queue work; the ticket waits for its durable commit, and ``then`` is told of it.

        Raises
        ------
        Busy
            If too much waits, or the writer is stopping.
        """
        with self._changed:
            if self._stopping or self._waiting_reports + len(work.ids) > self._max_waiting:
                raise Busy
            ticket = Ticket(work, then)
            self._waiting.append(ticket)
            self._waiting_reports += len(work.ids)
            self._changed.notify()
        return ticket

    def store_seconds(self) -> float:
        """Return how long a commit waits for the store of late; may be called by any thread."""
        return self._commit.store_seconds

    def stop(self) -> None:
        """Refuse new work, commit what waits, and end the thread."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while group := self._take():
            self._settle(group)
            self._commit.tidy()

    def _take(self) -> list[Ticket]:
        """Wait for work and take as much as one transaction holds; nothing means stop."""
        with self._changed:
            while not self._waiting and not self._stopping:
                self._changed.wait()
            group: list[Ticket] = []
            reports = 0
            while self._waiting and reports < MAX_GROUP_REPORTS:
                group.append(self._waiting.popleft())
                reports += len(group[-1].work.ids)
            self._waiting_reports -= reports
            return group

    def _settle(self, group: list[Ticket]) -> None:
        try:
            results: list[Result] = self._commit.commit([ticket.work for ticket in group])
        except StorageFailed as error:
            self._say_failed()
            _settle_all(group, error)
        except Exception as error:  # a fault of ours must not stop the writer
            _log.error("unexpected %s in a transaction", type(error).__name__)
            _settle_all(group, error)
        else:
            for ticket, result in zip(group, results, strict=True):
                ticket.settle(result)

    def _say_failed(self) -> None:
        """Log that a transaction failed: the first, and then once a minute for all since.

        While a disk is full hundreds fail in a second, and their lines would take what room is
        left.
        """
        self._failed += 1
        now = time.monotonic()
        if now >= self._silent_until:
            _log.error("transactions failed: %d; their reports were not acknowledged", self._failed)
            self._failed, self._silent_until = 0, now + _SILENCE_SECONDS


def _settle_all(group: list[Ticket], error: Exception) -> None:
    for ticket in group:
        ticket.settle(error)
