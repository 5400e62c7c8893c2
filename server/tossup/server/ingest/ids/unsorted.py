"""Report ids as they were read after a start: searched as they stand, until they are sorted.

Stage: ingest, under `ids.settled`. To sort ten million ids takes a second of a processor, and to
look through them for a few takes a thirtieth of one; so the first commits look through them while
threads sort.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.decoding import Bytes
from tossup.server.ingest.ids import threads
from tossup.server.ingest.ids.filters import keys_of
from tossup.server.ingest.ids.generations import Generation, full_generation
from tossup.server.ingest.ids.halves import AT_ONCE, HASH, Halves, pairs_of
from tossup.server.ingest.ids.runs import Chunks, sorted_run
from tossup.server.ingest.packing import split
from tossup.shared.wire import ID_BYTES

#: Ids that are sorted as one run, before it is merged with others.
_SORTED: Final = 1 << 19
#: Bits of a hash that tells of nearly every id that it is none of those that are looked for.
_BITS: Final = 20
_SHIFT: Final = np.uint64(64 - _BITS)


class Unsorted:
    """Ids of one generation to be, oldest first.

    Parameters
    ----------
    ids
        A blob.
    numbers, lengths
        The number of each chunk, and how many of the ids stand in it.
    """

    def __init__(self, ids: bytes, numbers: Chunks, lengths: NDArray[np.intp]) -> None:
        self._ids, self._numbers, self._lengths = ids, numbers, lengths
        self._ends = lengths.cumsum()
        self._moved: dict[bytes, int] = {}  # new chunks of ids
        self._sorting: Future[Generation] | None = None

    def __len__(self) -> int:
        return len(self._ids) // ID_BYTES

    def sort(self) -> None:
        """Let a thread sort them, once, if one can be had."""
        self._sorting = self._sorting or threads.begin(self._sort)

    def is_sorted(self) -> bool:
        """Return whether a thread has ended with them."""
        return self._sorting is not None and self._sorting.done()

    def generation(self) -> Generation:
        """Return them sorted. Where a thread failed, they can be sorted again."""
        sorting, self._sorting = self._sorting, None
        generation = sorting.result() if sorting else self._sort()
        if self._moved:
            chunks = list(self._moved.values())
            for i, run, at in generation.find(keys_of(b"".join(self._moved))):
                run.move(at, chunks[i])
        return generation

    def find(self, wanted: "Wanted") -> Iterator[tuple[bytes, int]]:
        """Yield those of the wanted ids that are here, and the place of each, oldest first."""
        pairs = pairs_of(self._ids)
        for start in range(0, len(pairs), AT_ONCE):
            marked = wanted.marked[_hashes(pairs[start : start + AT_ONCE])]
            for place in marked.nonzero()[0].tolist():
                report_id = self._at(start + place)
                if report_id in wanted.ids:
                    yield report_id, start + place

    def chunk(self, at: int) -> int:
        """Return the number of the chunk where the id at a place stands."""
        moved = self._moved.get(self._at(at))
        return int(self._numbers[self._ends.searchsorted(at, "right")]) if moved is None else moved

    def move(self, at: int, chunk: int) -> None:
        """Note that the id at a place stands in another chunk."""
        self._moved[self._at(at)] = chunk

    def _sort(self) -> Generation:
        runs = []
        chunks = np.repeat(self._numbers, self._lengths)
        for start in range(0, len(self), _SORTED):
            keys = keys_of(self._ids[ID_BYTES * start : ID_BYTES * (start + _SORTED)])
            runs.append(sorted_run(keys, chunks[start : start + _SORTED]))
        return full_generation(runs)

    def _at(self, place: int) -> bytes:
        return self._ids[ID_BYTES * place : ID_BYTES * (place + 1)]


class Wanted:
    """Ids that are looked for."""

    def __init__(self, ids: Bytes) -> None:
        self.ids = frozenset(split(ids))
        self.marked = np.zeros(1 << _BITS, dtype=np.bool_)
        self.marked[_hashes(pairs_of(ids))] = True


def _hashes(pairs: Halves) -> Halves:
    """Return a hash of each id that its sender cannot foresee."""
    mixed = pairs[:, 0] * HASH[0]
    mixed += pairs[:, 1] * HASH[1]
    mixed >>= _SHIFT
    return mixed
