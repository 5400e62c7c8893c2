"""Settled report ids: those that no rollback takes back, in runs behind filters.

Stage: ingest, under `ids.index`. Runs that are alike in length become one, and none grows beyond
524,288 ids, so that no merge keeps a commit waiting for long. Those of a generation share a filter,
which nearly every new id meets alone; a generation holds four million ids at most.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from tossup.server.ingest.ids.filters import Filter, bits_of, bits_of_one
from tossup.server.ingest.ids.halves import Halves, halves, halves_of
from tossup.server.ingest.ids.runs import Run, merged
from tossup.server.ingest.ids.unsorted import Unsorted, Wanted

#: Fewer ids are looked up one by one.
_FEW: Final = 24
#: A run takes in those that are at most so many times as long,
_RATIO: Final = 2
#: and none above this length.
LONGEST: Final = 1 << 19
#: Ids of the first generation, or twice those of its first run; each next one holds four times as
#: many, and none more than the most. A survey of few reports takes no more than a few kilobytes.
_FIRST: Final = 1 << 12
_GROWTH: Final = 4
_MOST: Final = 8 * LONGEST


class Settled:
    """Settled ids, each in one run."""

    def __init__(self) -> None:
        self._generations: list[_Generation] = []
        self._unsorted: deque[Unsorted] = deque()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, run: Run) -> None:
        """Add a run of ids that are not here."""
        self._take(run)
        self._length += len(run)

    def add_unsorted(self, ids: Unsorted) -> None:
        """Add ids that are not here; they are looked through until a thread has sorted them."""
        self._length += len(ids)
        self._unsorted.append(ids)

    def find(self, ids: Sequence[bytes]) -> dict[bytes, tuple[Run, int]]:
        """Return run and place of those of some ids that are here."""
        if self._unsorted and ids:
            self._take_sorted(ids)
        if not self._generations:
            return {}
        if len(ids) <= _FEW:
            ids = [report_id for report_id in ids if self._may_have(report_id)]
        if not ids:
            return {}
        found: dict[bytes, tuple[Run, int]] = {}
        first, second = halves(b"".join(ids))
        bits = bits_of(second)
        for generation in self._generations:
            for i, run, at in generation.find(first, second, bits):
                found[ids[i]] = (run, at)
        return found

    def _take_sorted(self, ids: Sequence[bytes]) -> None:
        """Take one run that is sorted by now, and all up to those that hold any of these ids.

        The first to ask does not share the processors with threads that sort.
        """
        wanted = Wanted(ids)
        holding = [place for place, each in enumerate(self._unsorted) if each.has_any(wanted)]
        last = max(holding, default=0 if self._unsorted[0].is_sorted() else -1)
        for _ in range(last + 1):
            self._take(self._unsorted[0].run())
            self._unsorted.popleft()
        threads = ThreadPoolExecutor()  # arrays are sorted without the interpreter's lock
        for each in self._unsorted:
            each.sort_in(threads)
        threads.shutdown(wait=False)

    def _take(self, run: Run) -> None:
        last = self._generations[-1] if self._generations else None
        if last is None or len(run) > last.room:
            most = _FIRST if last is None else min(_GROWTH * last.size, _MOST)
            last = _Generation(max(most, 2 * len(run)))
            self._generations.append(last)
        last.add(run)

    def _may_have(self, report_id: bytes) -> bool:
        first, second = halves_of(report_id)
        bits = bits_of_one(second)
        return any(each.filter.pass_one(first, bits) for each in self._generations)


class _Generation:
    """Runs behind one filter; ``room`` is how many more of its ``size`` ids it takes."""

    def __init__(self, size: int) -> None:
        self.size = self.room = size
        self.filter = Filter(size)
        self._runs: list[Run] = []

    def add(self, run: Run) -> None:
        self.filter.add(run.first, run.second)
        self.room -= len(run)
        parts, length = [run], len(run)
        while self._is_taken_in(len(parts) - 1, length):
            parts.append(self._runs[-len(parts)])
            length += len(parts[-1])
        self._runs[len(self._runs) - len(parts) + 1 :] = [merged(parts)]

    def find(self, first: Halves, second: Halves, bits: Halves) -> list[tuple[int, Run, int]]:
        """Return which of some ids are here, and run and place of each."""
        passed = self.filter.passed(first, bits)
        if not len(passed):
            return []
        passed = passed[np.argsort(first[passed])]  # neighbours are found in half the time
        first, second = first[passed], second[passed]
        return [
            (int(passed[i]), run, at) for run in self._runs for i, at in run.find(first, second)
        ]

    def _is_taken_in(self, taken: int, length: int) -> bool:
        """Return whether the next of the newest runs joins one of this length."""
        if taken == len(self._runs):
            return False
        following = len(self._runs[-1 - taken])
        return following <= _RATIO * length and following + length <= LONGEST
