"""Generations: runs of settled report ids behind one filter, which nearly every new id meets alone.

Stage: ingest, under `ids.settled`. Ids that pass a filter by chance are looked for in each of its
runs. So runs that are alike in length become one, and full generations become one, of one run.
Where these are long a thread does that, and no commit waits for it.
"""

import logging
from collections.abc import Sequence
from typing import Final

from tossup.server.ingest.ids import threads
from tossup.server.ingest.ids.filters import CLOSE, LOOSE, Filter, Keys
from tossup.server.ingest.ids.runs import Chunks, Run, merged

_log = logging.getLogger(__name__)

#: So many runs of one tier become one; a tier's longest are up to 16 times its shortest.
_FAN: Final = 16
_TIER_BITS: Final = 4
#: A commit makes no longer run of several: this takes it a millisecond.
SHORT: Final = 1 << 15
#: Ids of the first generation, or twice those that it begins with; each next one holds twice as
#: many, and none more than this. A survey of few reports takes no more than a few kilobytes.
_FIRST: Final = 1 << 12
_GROWTH: Final = 2
_LARGEST: Final = 1 << 20
#: Full ones become one of at most so many ids.
MOST: Final = 1 << 22


class Generation:
    """Runs behind one filter; ``room`` is how many more of its ``size`` ids it takes.

    Attributes
    ----------
    runs
        The runs, oldest first.
    """

    def __init__(self, size: int) -> None:
        self.size = self.room = size
        self.filter = Filter(size, LOOSE)  # as there are several runs to look through
        self.runs: list[Run] = []

    def __len__(self) -> int:
        return self.size - self.room

    def add(self, keys: Keys, chunks: Chunks) -> None:
        """Add ids that are newer than those here, in the order of their first halves.

        What raises has added none.
        """
        self.filter.add(keys)
        self.runs.append(Run(keys.first, keys.second, chunks))
        self.room -= len(keys)
        try:
            while (start := self._alike()) < len(self.runs):
                self.runs[start:] = [merged(self.runs[start:])]
        except MemoryError:  # ids are found where they are
            _log.warning("ids could not be merged: MemoryError")

    def find(self, keys: Keys) -> list[tuple[int, Run, int]]:
        """Return which of some ids are here, and run and place of each."""
        passed = self.filter.passed(keys)
        if not len(passed):
            return []
        first, second = keys.first.take(passed), keys.second.take(passed)
        return [(int(passed[i]), run, at) for run in self.runs for i, at in run.find(first, second)]

    def _alike(self) -> int:
        """Return from where on runs become one; the end if none do.

        Those of the newest one's tier, or a lower one, do: once they are many, or once all of them
        would be too long, as many as are not.
        """
        start, ids, tier = len(self.runs), 0, _tier(self.runs[-1])
        while start and _tier(self.runs[start - 1]) <= tier:
            ids += len(self.runs[start - 1])
            if ids > SHORT:
                return start if start + 1 < len(self.runs) else len(self.runs)
            start -= 1
        return start if start + _FAN <= len(self.runs) else len(self.runs)


class Fold:
    """Full generations of which a thread makes one."""

    def __init__(self, parts: Sequence[Generation]) -> None:
        self.parts = parts
        self._runs = [run for part in parts for run in part.runs]
        for run in self._runs:
            run.moved = []
        self._one = threads.begin(folded, parts)

    def is_over(self) -> bool:
        """Return whether the thread has ended, or none could be had."""
        return self._one is None or self._one.done()

    def result(self) -> Generation | None:
        """Return the one generation, once it is over; None if it could not be made."""
        if self._one is None:
            return None
        try:
            one = self._one.result()
        except Exception as error:  # no memory, most likely; ids are found where they are
            _log.warning("ids could not be merged: %s", type(error).__name__)
            return None
        for run in self._runs:
            one.runs[0].move_as(run)
        return one


def folded(parts: Sequence[Generation]) -> Generation:
    """Return one full generation of several, oldest first."""
    return full_generation([run for part in parts for run in part.runs])


def full_generation(runs: Sequence[Run]) -> Generation:
    """Return a generation that is full: of the ids in some runs, oldest first, in one."""
    one = Generation(0)
    one.size = sum(map(len, runs))
    one.filter = Filter(one.size, CLOSE)
    for run in runs:
        one.filter.add(Keys.of(run.first, run.second))
    one.runs.append(merged(runs))
    return one


def next_size(ids: int, before: int) -> int:
    """Return the size of a generation that begins with some ids, after one of another size."""
    most = _GROWTH * before or _FIRST
    return max(ids, min(max(most, 2 * ids), _LARGEST))


def _tier(run: Run) -> int:
    return (len(run).bit_length() - 1) // _TIER_BITS
