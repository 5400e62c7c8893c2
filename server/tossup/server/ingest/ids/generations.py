"""Generations: runs of settled report ids behind one filter, which nearly every new id meets alone.

Stage: ingest, under `ids.settled`. Runs that are alike in length become one, and none grows beyond
524,288 ids, so that no merge keeps a commit waiting for long.
"""

from typing import Final

import numpy as np

from tossup.server.ingest.ids.filters import Filter
from tossup.server.ingest.ids.halves import Halves
from tossup.server.ingest.ids.runs import Run, merged

#: A run takes in those that are at most so many times as long,
_RATIO: Final = 2
#: and none above this length.
LONGEST: Final = 1 << 19
#: Ids of the first generation, or twice those that it begins with; each next one holds four times
#: as many, and none more than the most. A survey of few reports takes no more than a few kilobytes.
_FIRST: Final = 1 << 12
_GROWTH: Final = 4
MOST: Final = 8 * LONGEST


class Generation:
    """Runs behind one filter; ``room`` is how many more of its ``size`` ids it takes."""

    def __init__(self, size: int) -> None:
        self.size = self.room = size
        self.filter = Filter(size)
        self._runs: list[Run] = []

    def add(self, run: Run) -> None:
        """Add a run of ids that are newer than those here."""
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


def next_size(ids: int, before: int | None) -> int:
    """Return the size of a generation that begins with some ids, after one of another size."""
    most = _FIRST if before is None else _GROWTH * before
    return max(ids, min(max(most, 2 * ids), MOST))
