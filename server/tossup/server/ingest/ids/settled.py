"""Settled report ids: those that no rollback takes back, in generations of four million at most.

Stage: ingest, under `ids.index`. Those that were read after a start are generations once threads
have sorted them; a commit that meets one takes it as it stands, so that none waits.
"""

import logging
import time
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.decoding import Bytes, id_rows
from tossup.server.ingest.ids import threads
from tossup.server.ingest.ids.filters import Keys, bits_of_one, sorted_keys
from tossup.server.ingest.ids.generations import (
    MOST,
    SHORT,
    Fold,
    Generation,
    folded,
    next_size,
)
from tossup.server.ingest.ids.halves import halves_of
from tossup.server.ingest.ids.runs import Chunks, Run
from tossup.server.ingest.ids.unsorted import Unsorted, Wanted
from tossup.server.ingest.packing import split

_log = logging.getLogger(__name__)

#: Fewer ids are looked up one by one.
FEW: Final = 24
#: A full generation is folded with the next one if it is at most so many times as large.
_FOLDED: Final = 4
_SILENCE_SECONDS: Final = 60
#: What ids are looked up by that have no keys yet.
NO_KEYS, NO_ORDER = sorted_keys(b"")
#: Where a settled id was found: what holds it, and its place there.
Found = tuple[Run | Unsorted, int]


class Settled:
    """Settled ids; where an id stands twice, in a damaged store, the last generation counts."""

    def __init__(self) -> None:
        self._generations: list[Generation | Unsorted] = []  # oldest first
        self._unsorted = 0  # how many of them are not sorted yet
        self._fold: Fold | None = None  # of some of them that become one in a thread,
        self._may_fold = True  # unless this failed
        self._length = 0
        self._silent_until = 0.0

    def __len__(self) -> int:
        return self._length

    def add(self, keys: Keys, chunks: Chunks) -> None:
        """Add ids that are not here, in the order of their first halves, with their chunks.

        What raises has added none.
        """
        last = self._generations[-1] if self._generations else None
        if isinstance(last, Generation) and len(keys) <= last.room:
            last.add(keys, chunks)
        else:
            new = Generation(next_size(len(keys), len(last) if last else 0))
            new.add(keys, chunks)
            self._generations.append(new)
            self._may_fold = True
        self._length += len(keys)
        self._fold_full()

    def take_folded(self) -> None:
        """Let go of full generations once they are one, or they take twice the memory."""
        if self._fold and self._fold.is_over():
            self._fold_full()

    def add_unsorted(self, ids: Unsorted) -> None:
        """Add ids that are not here; they are looked through until a thread has sorted them."""
        self._generations.append(ids)
        self._unsorted += 1
        self._length += len(ids)
        if threads.SPARE:  # else once the first to ask has looked through them
            self._sort()

    def find(
        self, ids: Bytes, keys: Keys = NO_KEYS, order: NDArray[np.intp] = NO_ORDER
    ) -> dict[bytes, Found]:
        """Return those of some ids that are here, and where.

        Their keys, which may stand in an ``order`` of their own, are made if need be.
        """
        if not len(ids) or not self._generations:
            return {}
        if self._unsorted:
            self._take_sorted()
        if len(ids) <= FEW and not self._unsorted:
            ids, keys = self._passed(ids), NO_KEYS
            if not len(ids):
                return {}
        if not keys:
            keys, order = sorted_keys(ids)
        wanted = Wanted(ids) if self._unsorted else None
        found: dict[bytes, Found] = {}
        for each in self._generations:
            if not isinstance(each, Unsorted):
                places = each.find(keys)
                found.update((ids[order[i]].tobytes(), (run, at)) for i, run, at in places)
            elif wanted:
                found.update((report_id, (each, at)) for report_id, at in each.find(wanted))
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
                    self._say_unsorted(error)
                else:
                    self._unsorted -= 1

    def _say_unsorted(self, error: Exception) -> None:
        """Log that ids stay unsorted, once a minute: while memory is short each look finds it."""
        now = time.monotonic()
        if now >= self._silent_until:
            _log.warning("ids could not be sorted, and are again: %s", type(error).__name__)
            self._silent_until = now + _SILENCE_SECONDS

    def _sort(self) -> None:
        """Let threads sort what none does yet."""
        for each in self._generations:
            if isinstance(each, Unsorted):
                each.sort()

    def _fold_full(self) -> None:
        """Make one of full generations, and take it once it is made; nothing is raised."""
        try:
            self._fold_next()
        except MemoryError:  # ids are found where they are, and none must be added again
            _log.warning("ids could not be merged: MemoryError")
            self._may_fold = False

    def _fold_next(self) -> None:
        if self._fold and not self._fold.is_over():
            return
        if self._fold:
            fold, self._fold = self._fold, None
            one = fold.result()
            self._may_fold = one is not None  # or else once another is full
            if one:
                self._replace(fold.parts, one)
        while self._may_fold and (parts := self._foldable()):
            if sum(map(len, parts)) > SHORT:
                self._fold = Fold(parts)
                return
            self._replace(parts, folded(parts))

    def _replace(self, parts: Sequence[Generation], one: Generation) -> None:
        at = self._generations.index(parts[0])
        self._generations[at : at + len(parts)] = [one]

    def _foldable(self) -> list[Generation]:
        """Return two full generations in succession that fit in one, or one of several runs."""
        full = self._generations[:-1]
        for each, following in zip_longest(full, full[1:]):
            if isinstance(each, Generation) and isinstance(following, Generation):
                both = len(each) + len(following)
                if both <= MOST and len(each) <= _FOLDED * len(following):
                    return [each, following]
            if isinstance(each, Generation) and len(each.runs) > 1:
                return [each]
        return []

    def _passed(self, ids: Bytes) -> Bytes:
        """Return those of a few ids that a filter lets pass."""
        return id_rows(b"".join([each for each in split(ids) if self._may_have(each)]))

    def _may_have(self, report_id: bytes) -> bool:
        first, second = halves_of(report_id)
        bits = bits_of_one(second)
        for each in self._generations:  # a generator would take as long as a filter
            if isinstance(each, Unsorted) or each.filter.pass_one(first, bits):
                return True
        return False
