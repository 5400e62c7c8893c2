"""Runs of settled report ids: sorted arrays that a commit asks for all its ids at once.

Stage: ingest, under `ids.index`. A run keeps two halves of each id and the chunk where its report
stands, 20 bytes, and a filter of less than a byte an id: it spares most of the ids that
are not in a run the search.

Senders choose the ids of their reports. Before ids are sorted they go through a permutation with a
secret of this process, so that nobody can choose many that are slow to look up.
"""

import secrets
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

CHUNK: Final = np.dtype("<u4")
#: A filter has so many bits an id at most, and more than half as many.
_FILTER_BITS: Final = 8
#: So many ids are permuted at once, so that they stay in the processor's cache.
_AT_ONCE: Final = 1 << 14

#: A summand and an odd factor for each round of the permutation.
_SECRETS: Final = [
    (np.uint64(secrets.randbits(64)), np.uint64(secrets.randbits(64) | 1)) for _ in range(4)
]
_SHIFT: Final = np.uint64(32)

Halves = NDArray[np.uint64]
Chunks = NDArray[np.uint32]
Places = NDArray[np.intp]


class Run:
    """Ids in the order of their first halves, with the chunk of each.

    Of equal ids, which only a damaged store has, the first counts.
    """

    __slots__ = ("_filter", "_shift", "chunks", "first", "second")

    def __init__(self, first: Halves, second: Halves, chunks: Chunks) -> None:
        self.first, self.second, self.chunks = first, second, chunks
        bits = max(3, (_FILTER_BITS * len(first)).bit_length() - 1)
        self._shift = np.uint64(64 - bits)
        marked = np.zeros(1 << bits, dtype=np.bool_)
        marked[first >> self._shift] = True
        self._filter = np.packbits(marked, bitorder="little")

    def __len__(self) -> int:
        return len(self.first)

    def find(self, first: Halves, second: Halves) -> tuple[Places, Places]:
        """Return which of some ids are here, and where each of these stands."""
        places = first >> self._shift
        passed = np.flatnonzero(self._filter[places >> 3] >> (places & 7) & 1)
        at = np.searchsorted(self.first, first[passed])
        np.minimum(at, len(self.first) - 1, out=at)
        here = self.first[at] == first[passed]
        asked = passed[here].tolist()
        found = [
            self._exact(start, first[i], second[i])
            for start, i in zip(at[here].tolist(), asked, strict=True)
        ]
        known = [(i, place) for i, place in zip(asked, found, strict=True) if place is not None]
        pairs = np.array(known, dtype=np.intp).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def _exact(self, at: int, first: np.uint64, second: np.uint64) -> int | None:
        """Return the place of an id among those that share its first half, from the first on."""
        while at < len(self.first) and self.first[at] == first:
            if self.second[at] == second:
                return at
            at += 1
        return None


def sorted_run(ids: bytes, chunks: Chunks) -> Run:
    """Return the run of some ids and their chunks, oldest first; they may stand in any order."""
    first, second = halves(ids)
    # The newest first, so that it counts. Keys that carry their place are sorted in a quarter of
    # the time of places; where two ids share all other bits, which is rare, places are sorted.
    n = len(first)
    low = np.uint64((1 << max(1, (n - 1).bit_length())) - 1)
    keys = (first & ~low) | np.arange(n - 1, -1, -1, dtype=np.uint64)
    keys.sort()
    order = (n - 1) - (keys & low).astype(np.intp)
    ordered = first.take(order)
    if (ordered[1:] < ordered[:-1]).any():
        order = n - 1 - np.argsort(first[::-1], kind="stable")
        ordered = first[order]
    return Run(ordered, second.take(order), chunks.take(order))


def merged(parts: Sequence[Run]) -> Run:
    """Return one run of several, newest first."""
    if len(parts) == 1:
        return parts[0]
    first = np.concatenate([run.first for run in parts])
    order = np.argsort(first, kind="stable")  # it merges what is sorted already
    second = np.concatenate([run.second for run in parts]).take(order)
    chunks = np.concatenate([run.chunks for run in parts]).take(order)
    return Run(first.take(order), second, chunks)


def halves(ids: bytes) -> tuple[Halves, Halves]:
    """Return two halves of each id, permuted: equal ids, and only these, have equal halves.

    It is a Feistel network (Luby and Rackoff 1988, SIAM Journal on Computing 17:373-386), which
    can be undone whatever its round function is.
    """
    pairs = np.frombuffer(ids, dtype="<u8").reshape(-1, 2)
    first, second = (np.empty(len(pairs), dtype=np.uint64) for _ in range(2))
    for start in range(0, len(pairs), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        first[part], second[part] = _permuted(pairs[part, 0].copy(), pairs[part, 1].copy())
    return first, second


def _permuted(left: Halves, right: Halves) -> tuple[Halves, Halves]:
    for add, multiply in _SECRETS:
        mixed = right + add
        mixed *= multiply
        mixed ^= mixed >> _SHIFT
        mixed *= multiply
        mixed ^= mixed >> _SHIFT
        mixed ^= left
        left, right = right, mixed
    return left, right
