"""Report ids as they were read after a start: searched as they stand, until they are a run.

Stage: ingest, under `ids.settled`. To sort ten million ids takes a second of two processors, and to
look through them for a few takes a thirtieth of one; so the first commits look through them while
threads sort.
"""

from collections.abc import Iterable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.ids.halves import AT_ONCE, HASH, Halves, pairs_of
from tossup.server.ingest.ids.runs import Chunks, Run, sorted_run
from tossup.shared.wire import ID_BYTES

#: Bits of a hash that tells of nearly every id that it is none of those that are looked for.
_BITS: Final = 20
_SHIFT: Final = np.uint64(64 - _BITS)


class Unsorted:
    """Ids of one run to be, oldest first.

    Parameters
    ----------
    ids
        A blob.
    numbers, lengths
        The number of each chunk, and how many of the ids stand in it.
    """

    def __init__(self, ids: bytes, numbers: Chunks, lengths: NDArray[np.intp]) -> None:
        self._ids, self._numbers, self._lengths = ids, numbers, lengths
        self._sorting: Future[Run] | None = None

    def __len__(self) -> int:
        return len(self._ids) // ID_BYTES

    def sort_in(self, threads: Executor) -> None:
        """Begin to sort them, once, in another thread."""
        if self._sorting is None:
            with suppress(RuntimeError):  # no thread can be had now; the next to ask tries again
                self._sorting = threads.submit(self._sort)

    def is_sorted(self) -> bool:
        """Return whether `run` has nothing left to do."""
        return self._sorting is not None and self._sorting.done()

    def run(self) -> Run:
        """Return the run of these ids. Where a thread failed, the next to ask sorts them again."""
        sorting, self._sorting = self._sorting, None
        return sorting.result() if sorting else self._sort()

    def has_any(self, wanted: "Wanted") -> bool:
        """Return whether any of the wanted ids is here."""
        pairs = pairs_of(self._ids)
        for start in range(0, len(pairs), AT_ONCE):
            marked = wanted.marked[_hashes(pairs[start : start + AT_ONCE])]
            if any(self._at(start + place) in wanted.ids for place in marked.nonzero()[0].tolist()):
                return True
        return False

    def _sort(self) -> Run:
        return sorted_run(self._ids, np.repeat(self._numbers, self._lengths))

    def _at(self, place: int) -> bytes:
        return self._ids[ID_BYTES * place : ID_BYTES * (place + 1)]


class Wanted:
    """Ids that are looked for."""

    def __init__(self, ids: Iterable[bytes]) -> None:
        self.ids = frozenset(ids)
        self.marked = np.zeros(1 << _BITS, dtype=np.bool_)
        self.marked[_hashes(pairs_of(b"".join(self.ids)))] = True


def _hashes(pairs: Halves) -> Halves:
    """Return a hash of each id that its sender cannot foresee."""
    mixed = pairs[:, 0] * HASH[0]
    mixed += pairs[:, 1] * HASH[1]
    mixed >>= _SHIFT
    return mixed
