"""Which report ids are known, and where each stands: exactly once, across processes.

Stage: ingest. One index per open survey, in memory: 20 bytes an id, and 25 for the newest 32,768
ids. A unique index on disk is 8 times slower at a million random ids.

Settled ids lie in sorted runs of arrays: two halves of the id, and the chunk where its report
stands; see `ids.runs`. A commit looks up all its ids at once. What a commit changes stands in
dictionaries until it is certain, so that a rollback forgets these alone. No run grows beyond
655,360 ids, so that no merge keeps a commit waiting for long.

An id stands once, unless the store is damaged: then the place that was learned last counts.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.ids.runs import CHUNK, Chunks, Run, halves, merged, sorted_run
from tossup.server.ingest.packing import split
from tossup.server.store.base import Cursor, IdBlock
from tossup.shared.wire import ID_BYTES

#: So many ids stand in a dictionary before they become a run.
_YOUNG: Final = 1 << 15
#: A run takes in those that are at most so many times as long,
_RATIO: Final = 2
#: and none above this length.
_LONGEST: Final = 20 * _YOUNG
#: Chunk numbers are above 0: this one says withdrawn.
_WITHDRAWN: Final = 0
_MOST_CHUNKS: Final = (1 << 32) - 1


class Place:
    """Where ids stand: the number of a chunk, once it has one; 0 once they are withdrawn."""

    __slots__ = ("chunk",)

    def __init__(self, chunk: int | None = None) -> None:
        self.chunk = chunk


_GONE: Final = Place(_WITHDRAWN)


class IdIndex:
    """Ids of one survey: the chunk of each, or that it is withdrawn.

    Everything since `begin` can be taken back with `rollback`.

    Attributes
    ----------
    cursor, revision
        How far the store's ids of this survey are known, and the revision this was read at.
    withdrawn
        How many of the ids are withdrawn, known before or not.
    """

    def __init__(self) -> None:
        self.cursor = Cursor()
        self.revision: int | None = None
        self.withdrawn = 0
        self._before: tuple[Cursor, int | None, int] = (self.cursor, None, 0)
        self._told: dict[int, int] = {}  # hashes of chunks that may grow, when they were learned
        self._runs: list[Run] = []
        self._settled = 0  # ids in runs
        self._young: dict[bytes, Place] = {}
        self._added: list[Sequence[bytes]] = []
        self._moved: dict[bytes, Place] = {}  # places before, of young ids
        self._asked: set[bytes] = set()  # ids that were looked up among the settled ones
        self._found: dict[bytes, tuple[Run, int]] = {}  # those of them that stand there
        self._changes: dict[bytes, Place] = {}  # new places of settled ids

    def __len__(self) -> int:
        return self._settled + len(self._young)

    def __contains__(self, report_id: bytes) -> bool:
        return self._place(report_id) is not None

    def follow(self, blocks: Iterable[IdBlock], cursor: Cursor, revision: int) -> None:
        """Learn the ids that were committed up to a revision, withdrawals last.

        It must not be called while admitted ids wait to be certain.
        """
        told = [block for block in blocks if self._is_news(block)]
        if len(self):
            for block in told:
                self._learn(block.ids, _chunk(block))
        else:
            self._learn_all([block for block in told if block.ids])
        self.cursor, self.revision = cursor, revision
        self._before = (cursor, revision, self.withdrawn)

    def _is_news(self, block: IdBlock) -> bool:
        """Return whether a block is another than the last time; note it if it may grow."""
        if block.chunk is None or block.chunk > self.cursor.chunk:
            return True
        # Python's hash of bytes has 64 bits and a secret key: nobody makes two alike.
        before, now = self._told.get(block.chunk), hash(block.ids)
        self._told[block.chunk] = now
        return before != now

    def begin(self) -> None:
        """Make the present state the one to which `rollback` returns."""
        for report_id, place in self._changes.items():
            run, at = self._found[report_id]
            run.chunks[at] = _number(place)
        self._before = (self.cursor, self.revision, self.withdrawn)
        self._forget()
        if len(self._young) >= _YOUNG:
            self._settle()

    def look_up(self, ids: Sequence[bytes]) -> None:
        """Look up all ids of a commit together; any others are looked up one by one later."""
        if not self._runs:
            return
        self._asked.update(ids)
        first, second = halves(b"".join(ids))
        order = np.argsort(first)  # neighbours are looked up in half the time
        first, second = first[order], second[order]
        for run in self._runs:
            asked, places = run.find(first, second)
            for i, at in zip(order[asked].tolist(), places.tolist(), strict=True):
                self._found[ids[i]] = (run, at)

    def admit(self, ids: Sequence[bytes], place: Place) -> list[int]:
        """Add the ids that are new, as standing at ``place``; return their indexes in ``ids``."""
        self._look_up_missing(ids)
        if self._found.keys().isdisjoint(ids) and self._young.keys().isdisjoint(ids):
            indexes, new = list(range(len(ids))), ids
        else:
            indexes = [
                index
                for index, report_id in enumerate(ids)
                if report_id not in self._young and report_id not in self._found
            ]
            new = [ids[index] for index in indexes]
        self._added.append(new)
        self._young.update(dict.fromkeys(new, place))
        return indexes

    def appended(self, chunk: int) -> None:
        """Note the number of a chunk that this process appended: it knows its ids."""
        self.cursor = replace(self.cursor, chunk=chunk)

    def moved(self, ids: Sequence[bytes], chunk: int) -> None:
        """Note that ids, known or just admitted, stand in a new chunk now."""
        self._look_up_missing(ids)
        place = Place(chunk)
        young = self._young
        known = {report_id: young[report_id] for report_id in ids if report_id in young}
        # Nearly always all are young; one by one they would be a good part of a small commit.
        self._moved = known | self._moved
        young.update(dict.fromkeys(known, place))
        if len(known) < len(ids):
            for report_id in ids:
                if report_id not in known:
                    self._put(report_id, place)
        self.appended(chunk)

    def chunk_of(self, report_id: bytes) -> int | None:
        """Return the chunk of an id; None if it is unknown or withdrawn."""
        place = self._place(report_id)
        return place.chunk or None if place else None

    def withdraw(self, report_id: bytes) -> bool:
        """Mark an id as withdrawn, known or not; return whether this is new."""
        place = self._place(report_id)
        if place is None:
            self._added.append([report_id])
            self._young[report_id] = _GONE
        elif place.chunk == _WITHDRAWN:
            return False
        else:
            self._put(report_id, _GONE)
        self.withdrawn += 1
        return True

    def remembered(self, withdrawal: int) -> None:
        """Note the number under which the store remembers what was just withdrawn."""
        self.cursor = replace(self.cursor, withdrawal=withdrawal)

    def rollback(self) -> None:
        """Take back every change since `begin`: what was not committed must be new again."""
        self._young.update(self._moved)
        for ids in self._added:
            for report_id in ids:
                del self._young[report_id]
        self.cursor, self.revision, self.withdrawn = self._before
        self._forget()

    def _forget(self) -> None:
        self._added.clear()
        self._moved.clear()
        self._changes.clear()
        self._asked.clear()
        self._found.clear()

    def _look_up_missing(self, ids: Sequence[bytes]) -> None:
        if self._runs and not self._asked.issuperset(ids):
            self.look_up([i for i in ids if i not in self._asked])

    def _place(self, report_id: bytes) -> Place | None:
        """Return where an id stands now; None if it is unknown."""
        place = self._young.get(report_id) or self._changes.get(report_id)
        if place is not None:
            return place
        self._look_up_missing([report_id])
        found = self._found.get(report_id)
        return None if found is None else Place(int(found[0].chunks[found[1]]))

    def _put(self, report_id: bytes, place: Place) -> None:
        """Give a known id another place."""
        before = self._young.get(report_id)
        if before is None:
            self._place(report_id)  # so that it is looked up
            self._changes[report_id] = place
        else:
            self._moved.setdefault(report_id, before)
            self._young[report_id] = place

    def _learn_all(self, blocks: Sequence[IdBlock]) -> None:
        """Learn all ids of a survey at once, as after a start."""
        lengths = np.array([len(block.ids) // ID_BYTES for block in blocks], dtype=np.intp)
        numbers = np.array([_chunk(block) for block in blocks], dtype=CHUNK)
        parts = list(_slices(lengths))
        ids = (b"".join(block.ids for block in blocks[part]) for part in parts)
        chunks = (np.repeat(numbers[part], lengths[part]) for part in parts)
        with ThreadPoolExecutor() as pool:  # arrays are sorted without the interpreter's lock
            self._runs = list(pool.map(sorted_run, ids, chunks))
        self._settled = int(lengths.sum())
        self.withdrawn = int(lengths[numbers == _WITHDRAWN].sum())

    def _learn(self, blob: bytes, chunk: int) -> None:
        """Give ids, known or not, a place for good."""
        ids = split(blob)
        self._forget()
        self.look_up(ids)
        place = _GONE if chunk == _WITHDRAWN else Place(chunk)
        if chunk == _WITHDRAWN:
            self.withdrawn += sum(not self._is_gone(report_id) for report_id in ids)
        for report_id in ids:
            found = self._found.get(report_id)
            if found is None:
                self._young[report_id] = place
            else:
                found[0].chunks[found[1]] = chunk
        self._forget()
        if len(self._young) >= _YOUNG:
            self._settle()

    def _is_gone(self, report_id: bytes) -> bool:
        place = self._place(report_id)
        return place is not None and place.chunk == _WITHDRAWN

    def _settle(self) -> None:
        """Make a run of the young ids, and one of all runs that are not much longer."""
        parts = [sorted_run(b"".join(self._young), _numbers(self._young.values()))]
        length = len(self._young)
        while self._is_taken_in(len(parts) - 1, length):
            parts.append(self._runs[-len(parts)])
            length += len(parts[-1])
        self._runs[len(self._runs) - len(parts) + 1 :] = [merged(parts)]
        self._young = {}
        self._settled = sum(len(run) for run in self._runs)

    def _is_taken_in(self, taken: int, length: int) -> bool:
        """Return whether the next of the newest runs joins one of this length."""
        if taken == len(self._runs):
            return False
        following = len(self._runs[-1 - taken])
        return following <= _RATIO * length and following + length <= _LONGEST


def _chunk(block: IdBlock) -> int:
    return _WITHDRAWN if block.chunk is None else block.chunk


def _slices(lengths: NDArray[np.intp]) -> Iterator[slice]:
    """Yield what is learned as one run: of these numbers of ids, as many as it holds, or one."""
    ends, start = lengths.cumsum(), 0
    while start < len(lengths):
        most = ends[start] - lengths[start] + _LONGEST
        end = max(start + 1, int(np.searchsorted(ends, most, "right")))
        yield slice(start, end)
        start = end


def _number(place: Place) -> int:
    """Return the number of a chunk as it stands in a run.

    Raises
    ------
    OverflowError
        If it is beyond four bytes, or was never given.
    """
    if place.chunk is None or not 0 <= place.chunk <= _MOST_CHUNKS:
        raise OverflowError("a chunk's number is none of four bytes")
    return place.chunk


def _numbers(places: Collection[Place]) -> Chunks:
    """Return the numbers of chunks of many ids; see `_number`."""
    distinct = {id(place): _number(place) for place in set(places)}
    return np.fromiter(map(distinct.__getitem__, map(id, places)), dtype=CHUNK, count=len(places))
