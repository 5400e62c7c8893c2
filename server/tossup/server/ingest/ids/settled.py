"""Settled report ids: those that no rollback takes back, in generations of four million at most.

Stage: ingest, under `ids.index`. Those that were read after a start are generations once threads
have sorted them; a commit that meets one takes it as it stands, so that none waits.
"""

import logging
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tossup.server.ingest.ids.filters import bits_of, bits_of_one
from tossup.server.ingest.ids.generations import Generation, next_size
from tossup.server.ingest.ids.halves import halves, halves_of
from tossup.server.ingest.ids.runs import Run
from tossup.server.ingest.ids.unsorted import Unsorted, Wanted

_log = logging.getLogger(__name__)

#: Fewer ids are looked up one by one.
_FEW: Final = 24
#: Processors beside that of commits, whose threads sort while ids are read. With none, a thread
#: sorts once the first to ask has looked through them. More than eight would need much memory.
_SPARE: Final = min(8, (os.cpu_count() or 1) - 1)

#: Where a settled id was found: what holds it, and its place there.
Found = tuple[Run | Unsorted, int]


class Settled:
    """Settled ids; where an id stands twice, in a damaged store, the last generation counts."""

    def __init__(self) -> None:
        self._generations: list[Generation | Unsorted] = []  # oldest first
        self._unsorted = 0  # how many of them are not sorted yet
        self._threads: ThreadPoolExecutor | None = None  # that sort them
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, run: Run) -> None:
        """Add a run of ids that are not here."""
        last = self._generations[-1] if self._generations else None
        if not isinstance(last, Generation) or len(run) > last.room:
            last = Generation(next_size(len(run), last.size if last else None))
            self._generations.append(last)
        last.add(run)
        self._length += len(run)

    def add_unsorted(self, ids: Unsorted) -> None:
        """Add ids that are not here; they are looked through until a thread has sorted them."""
        self._generations.append(ids)
        self._unsorted += 1
        self._length += len(ids)
        if _SPARE:
            self._sort()

    def find(self, ids: Sequence[bytes]) -> dict[bytes, Found]:
        """Return those of some ids that are here, and where."""
        if not ids or not self._generations:
            return {}
        if self._unsorted:
            self._take_sorted()
        if self._unsorted:
            wanted = Wanted(ids)
        elif len(ids) <= _FEW:
            ids = [report_id for report_id in ids if self._may_have(report_id)]
            if not ids:
                return {}
        found: dict[bytes, Found] = {}
        first, second = halves(b"".join(ids))
        bits = bits_of(second)
        for each in self._generations:
            if isinstance(each, Unsorted):
                found.update((report_id, (each, at)) for report_id, at in each.find(wanted))
            else:
                found.update((ids[i], (run, at)) for i, run, at in each.find(first, second, bits))
        if self._unsorted:
            self._sort()
        return found

    def _take_sorted(self) -> None:
        """Put generations, with their filters, in place of what threads have sorted by now."""
        for place, each in enumerate(self._generations):
            if isinstance(each, Unsorted) and each.is_sorted():
                try:
                    self._generations[place] = each.generation()
                except Exception as error:  # no memory, most likely; nobody's reports wait for it
                    _log.warning("ids could not be sorted, and are again: %s", type(error).__name__)
                else:
                    self._unsorted -= 1

        if not self._unsorted and self._threads:
            self._threads.shutdown(wait=False)
            self._threads = None

    def _sort(self) -> None:
        """Let threads sort, which they do without the interpreter's lock, what none does yet."""
        self._threads = self._threads or ThreadPoolExecutor(max(1, _SPARE))
        try:
            for each in self._generations:
                if isinstance(each, Unsorted):
                    each.sort_in(self._threads)
        except RuntimeError:  # no thread can be had now; the next to ask tries again
            self._threads = None

    def _may_have(self, report_id: bytes) -> bool:
        first, second = halves_of(report_id)
        bits = bits_of_one(second)
        return any(
            isinstance(each, Unsorted) or each.filter.pass_one(first, bits)
            for each in self._generations
        )
