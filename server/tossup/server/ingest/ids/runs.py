"""Runs of settled report ids: sorted arrays, each id with the chunk where its report stands.

Stage: ingest, under `ids.index`. A run keeps two halves of each id and a number, 20 bytes.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.ids.filters import Keys
from tossup.server.ingest.ids.halves import Halves
from tossup.server.ingest.packing import stable_order

CHUNK: Final = np.dtype("<u4")

Chunks = NDArray[np.uint32]


class Run:
    """Ids in the order of their first halves, with the chunk of each.

    Of equal ids, which only a damaged store has, the first counts.

    Attributes
    ----------
    moved
        While a thread makes one run of this and others, the places of ids that were given another
        chunk meanwhile; else None.
    """

    __slots__ = ("chunks", "first", "moved", "second")

    def __init__(self, first: Halves, second: Halves, chunks: Chunks) -> None:
        self.first, self.second, self.chunks = first, second, chunks
        self.moved: list[int] | None = None

    def __len__(self) -> int:
        return len(self.first)

    def find(self, first: Halves, second: Halves) -> list[tuple[int, int]]:
        """Return which of some ids are here, and where each of these stands."""
        at = self.first.searchsorted(first)
        (here,) = (self.first.take(at, mode="clip") == first).nonzero()
        if not len(here):
            return []
        found = [(i, self._exact(at[i], first[i], second[i])) for i in here.tolist()]
        return [(i, place) for i, place in found if place is not None]

    def chunk(self, at: int) -> int:
        """Return the number of the chunk where the id at a place stands."""
        return int(self.chunks[at])

    def move(self, at: int, chunk: int) -> None:
        """Note that the id at a place stands in another chunk."""
        self.chunks[at] = chunk
        if self.moved is not None:
            self.moved.append(at)

    def move_as(self, other: "Run") -> None:
        """Move those of these ids that were moved in another run, as they were."""
        moved = other.moved or []
        for i, here in self.find(other.first[moved], other.second[moved]) if moved else ():
            self.move(here, other.chunk(moved[i]))

    def _exact(self, at: np.intp, first: np.uint64, second: np.uint64) -> int | None:
        """Return the place of an id among those that share its first half, from the first on."""
        while at < len(self.first) and self.first[at] == first:
            if self.second[at] == second:
                return int(at)
            at += 1
        return None


def sorted_run(keys: Keys, chunks: Chunks) -> Run:
    """Return the run of some ids and their chunks, oldest first; they may stand in any order."""
    order = len(keys) - 1 - stable_order(keys.first[::-1])  # the newest first, so that it counts
    return Run(keys.first.take(order), keys.second.take(order), chunks.take(order))


def merged(parts: Sequence[Run]) -> Run:
    """Return one run of several, oldest first."""
    if len(parts) == 1:
        return parts[0]
    parts = parts[::-1]  # the newest first, so that it counts
    first = np.concatenate([run.first for run in parts])
    order = np.argsort(first, kind="stable")  # it merges what is sorted already
    second = np.concatenate([run.second for run in parts]).take(order)
    chunks = np.concatenate([run.chunks for run in parts]).take(order)
    return Run(first.take(order), second, chunks)
