"""A writer for each shard of the store, so that several transactions are under way at once.

Stage: ingest. The id of a report says to which shard it belongs, on every server alike; so an id
that comes twice, to whichever servers, meets itself under one lock.
"""

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.decoding import Bytes
from tossup.server.ingest.group import MAX_REPORTS, Result, Withdrawal, Work, rows_of
from tossup.server.ingest.writer import MAX_WAITING_REPORTS, Ticket, Writer
from tossup.server.refusals import Refused
from tossup.server.store.base import Store

Then = Callable[[Result], None]


def shards_of(ids: Bytes, shards: int) -> NDArray[np.intp]:
    """Return the shard that each id belongs to, for ever; one row of 16 bytes an id.

    >>> shards_of(np.array([[0] * 15 + [6]], dtype=np.uint8), 4)
    array([2])
    """
    return (ids[:, -1] % shards).astype(np.intp)


class ShardedWriter:
    """Takes work from any thread, and hands each shard's part of it to the shard's own writer.

    The parts of one request are committed apart, so some may stand when another fails: then the
    request fails, its device sends all of it again, and each report counts once. If the survey is
    closed by hand between two parts, the request is refused although a part of it was counted.

    Parameters
    ----------
    store
        Where to write.
    max_reports
        Ids that a survey may hold.
    """

    def __init__(self, store: Store, *, max_reports: int = MAX_REPORTS) -> None:
        self._writers = [
            Writer(
                store,
                max_waiting=MAX_WAITING_REPORTS // store.shards,
                max_reports=max_reports,
                shard=shard,
            )
            for shard in range(store.shards)
        ]

    def submit(self, work: Work, then: Then | None = None) -> Ticket:
        """Queue work; the ticket waits for the last of its durable commits.

        Raises
        ------
        Busy
            If too much waits, or the writers are stopping.
        """
        parts = self._parts(work)
        if len(parts) == 1:
            return self._writers[parts[0][0]].submit(work, then)
        ticket = Ticket(work, then)
        joined = _Joined(ticket, len(parts))
        for shard, part in parts:
            self._writers[shard].submit(part, joined.settle)
        return ticket

    def store_seconds(self) -> float:
        """Return how long a commit waits for the store, where it waits longest; see `Writer`."""
        return max(writer.store_seconds() for writer in self._writers)

    def stop(self) -> None:
        """Refuse new work, commit what waits, and end the threads."""
        for writer in self._writers:
            writer.stop()

    def _parts(self, work: Work) -> list[tuple[int, Work]]:
        if len(self._writers) == 1 or not len(work.ids):
            return [(0, work)]
        shards = shards_of(rows_of(work), len(self._writers))
        present = np.unique(shards).tolist()
        if len(present) == 1:
            return [(present[0], work)]
        return [(shard, _take(work, (shards == shard).nonzero()[0].tolist())) for shard in present]


class _Joined:
    """Settles a ticket when all of its parts are settled."""

    def __init__(self, ticket: Ticket, parts: int) -> None:
        self._ticket = ticket
        self._parts = parts
        self._results: list[Result] = []
        self._lock = threading.Lock()

    def settle(self, result: Result) -> None:
        with self._lock:
            self._results.append(result)
            is_last = len(self._results) == self._parts
        if is_last:
            self._ticket.settle(_together(self._results))


def _together(results: Sequence[Result]) -> Result:
    """Return the number received, or why the work is to be sent again, or why it was refused."""
    failures = [result for result in results if isinstance(result, Exception)]
    if not failures:
        return sum(result for result in results if isinstance(result, int))
    return min(failures, key=lambda failure: isinstance(failure, Refused))


def _take(work: Work, places: list[int]) -> Work:
    if isinstance(work, Withdrawal):
        return Withdrawal(work.survey_id, tuple(work.ids[place] for place in places))
    return work.take(places)
