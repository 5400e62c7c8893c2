"""Which report ids are known, and where each stands: exactly once, across processes.

Stage: ingest. One index per open survey, in memory: 20 bytes an id and two of filters, up to eight
for the newest million, and 25 more for the newest 32,768 that came one by one. A unique index on
disk is 8 times slower at a million random ids.

Settled ids lie in sorted arrays; see `ids.settled`. A commit looks up all its ids there at once.
What it changes stands apart until it is certain, so that a rollback forgets this alone: many new
ids as the arrays they were looked up by, all else in dictionaries.

An id stands once, unless the store is damaged: then the place that was learned last counts.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.decoding import Bytes, id_rows
from tossup.server.ingest.ids.filters import sorted_keys
from tossup.server.ingest.ids.generations import MOST
from tossup.server.ingest.ids.runs import CHUNK, Chunks
from tossup.server.ingest.ids.settled import FEW, NO_KEYS, NO_ORDER, Found, Settled
from tossup.server.ingest.ids.unsorted import Unsorted
from tossup.server.ingest.packing import split
from tossup.server.store.records import Cursor, IdBlock
from tossup.shared.wire import ID_BYTES

#: So many ids stand in a dictionary before they become a run.
_YOUNG: Final = 1 << 15
#: So many new ids that come together stand in no dictionary before, and become a run at once.
_MANY: Final = 128
#: Chunk numbers are above 0: this one says withdrawn.
_WITHDRAWN: Final = 0
_NO_IDS: Final = id_rows(b"")
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
        self._settled = Settled()
        self._young: dict[bytes, Place] = {}
        self._asked = _NO_IDS  # ids of this commit, in their order,
        self._order = NO_ORDER  # and of more than a few, the order of
        self._keys = NO_KEYS  # what they are looked up by
        self._repeats: bool | None = None  # whether one came twice, once this is asked
        self._looked_up: set[bytes] | None = None  # they and others, once others are asked for
        self._found: dict[bytes, Found] = {}  # those of them that are settled
        self._many: list[tuple[slice | NDArray[np.intp], Place]] = []  # where many new ones are
        self._added: list[Sequence[bytes]] = []  # new ids that are young
        self._moved: dict[bytes, Place] = {}  # places before, of young ids
        self._changes: dict[bytes, Place] = {}  # new places of settled ids

    def __len__(self) -> int:
        many = sum(len(self._asked[places]) for places, _ in self._many)
        return len(self._settled) + len(self._young) + many

    def __contains__(self, report_id: bytes) -> bool:
        return self._place(report_id) is not None

    def follow(self, blocks: Iterable[IdBlock], revision: int) -> None:
        """Learn the ids that were committed since the cursor, up to a revision.

        It must not be called while admitted ids wait to be certain.
        """
        if len(self):
            for block in [*blocks]:  # all of them are read, or nothing is learned
                # Python's hash of bytes has 64 bits and a secret key: nobody makes two alike.
                chunk = _chunk(block)
                grown = hash(block.ids) if 0 < chunk <= self.cursor.chunk else None
                if grown is None or self._told.get(chunk) != grown:
                    self._learn(block.ids, chunk)
                if grown is not None:  # noted once it is learned, which may fail
                    self._told[chunk] = grown
                self._pass(block)
        else:
            self._learn_all(blocks)
        self.revision = revision
        self._before = (self.cursor, revision, self.withdrawn)

    def _pass(self, block: IdBlock) -> None:
        """Move the cursor beyond a block."""
        self.cursor = Cursor(
            max(self.cursor.chunk, block.chunk or 0),
            max(self.cursor.withdrawal, block.withdrawal),
        )

    def begin(self) -> None:
        """Make the present state the one to which `rollback` returns; again, if this raises."""
        if self._changes:  # found again: what held them may have been sorted since
            for report_id, (run, at) in self._settled.find(_rows(self._changes)).items():
                run.move(at, _number(self._changes[report_id]))
        self._settle_many()
        self._before = (self.cursor, self.revision, self.withdrawn)
        self._forget()
        if len(self._young) >= _YOUNG:
            self._settle_young()
        self._settled.take_folded()

    def look_up(self, ids: Bytes) -> None:
        """Look up all ids of a commit among the settled ones, once; then they can be admitted."""
        self._asked, self._order, self._keys = ids, NO_ORDER, NO_KEYS
        self._looked_up = self._repeats = None
        if len(ids) > FEW:  # sorted once: to be found, to be told apart, and to be settled
            self._keys, self._order = sorted_keys(ids)
        self._found = self._settled.find(ids, self._keys, self._order)

    def admit(self, start: int, stop: int, place: Place) -> Sequence[int]:
        """Add the new ones of some ids, all different, as standing at ``place``.

        They are those that were looked up, from ``start`` to ``stop``. Return which of them are
        new, counted from the first.
        """
        if self._many and self._has_repeats():
            self._make_young()
        known = [each for each in (self._found.keys(), self._young.keys()) if each]
        if stop - start >= _MANY and not known:
            self._many.append((slice(start, stop), place))
            return range(stop - start)
        ids = split(self._asked[start:stop])
        new: Sequence[int] = range(len(ids))
        if not all(each.isdisjoint(ids) for each in known):
            new = [i for i, report_id in enumerate(ids) if not any(report_id in of for of in known)]
            ids = [ids[i] for i in new]
        if len(new) >= _MANY:
            self._many.append((start + np.array(new, dtype=np.intp), place))
        else:
            self._added.append(ids)
            self._young.update(dict.fromkeys(ids, place))
        return new

    def appended(self, chunk: int) -> None:
        """Note the number of a chunk that this process appended: it knows its ids."""
        self.cursor = replace(self.cursor, chunk=chunk)

    def moved(self, ids: Sequence[bytes], chunk: int) -> None:
        """Note that ids, known or just admitted, stand in a new chunk now."""
        place = Place(chunk)
        young = self._young
        # Nearly always all are young; one by one they would be a good part of a small commit.
        known = {report_id: young[report_id] for report_id in ids if report_id in young}
        if self._many and len(known) < len(ids):
            self._make_young()
            known = {report_id: young[report_id] for report_id in ids if report_id in young}
        self._moved = known | self._moved
        young.update(dict.fromkeys(known, place))
        if len(known) < len(ids):
            others = [report_id for report_id in ids if report_id not in known]
            self._find_others(others)
            for report_id in others:
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
                self._young.pop(report_id, None)  # none of those that had no memory any more
        self.cursor, self.revision, self.withdrawn = self._before
        self._forget()

    def _forget(self) -> None:
        self._asked, self._order, self._keys = _NO_IDS, NO_ORDER, NO_KEYS
        self._looked_up = self._repeats = None
        self._found.clear()
        self._many.clear()
        self._added.clear()
        self._moved.clear()
        self._changes.clear()

    def _find_others(self, ids: Sequence[bytes]) -> None:
        """Find the settled ones of some ids, unless they were looked up before."""
        if self._looked_up is None:
            self._looked_up = set(split(self._asked))
        others = [report_id for report_id in ids if report_id not in self._looked_up]
        self._looked_up.update(others)
        self._found |= self._settled.find(_rows(others))

    def _place(self, report_id: bytes) -> Place | None:
        """Return where an id stands now, in no array but a run's; None if it is unknown."""
        if self._many:
            self._make_young()
        place = self._young.get(report_id) or self._changes.get(report_id)
        if place is not None:
            return place
        self._find_others([report_id])
        found = self._found.get(report_id)
        return None if found is None else Place(found[0].chunk(found[1]))

    def _has_repeats(self) -> bool:
        """Return whether an id may have come more than once in this commit."""
        if self._repeats is None:
            first = self._keys.first
            self._repeats = bool((first[1:] == first[:-1]).any())
        return self._repeats

    def _make_young(self) -> None:
        """Put many new ids into the dictionary, where one that is asked for is found."""
        for places, place in self._many:
            ids = split(self._asked[places])
            self._added.append(ids)
            self._young.update(dict.fromkeys(ids, place))
        self._many.clear()

    def _settle_many(self) -> None:
        """Make a run of the many new ids of a commit, which are certain now."""
        if not self._many:
            return
        numbers = np.zeros(len(self._asked), dtype=CHUNK)
        for places, place in self._many:
            numbers[places] = _number(place)
        numbers = numbers.take(self._order)
        are_many = numbers != _WITHDRAWN
        if are_many.all():
            self._settled.add(self._keys, numbers)
        else:
            self._settled.add(self._keys[are_many], numbers[are_many])
        self._many.clear()

    def _put(self, report_id: bytes, place: Place) -> None:
        """Give a known id, which is none of many new ones, another place."""
        before = self._young.get(report_id)
        if before is None:
            self._place(report_id)  # so that it is looked up
            self._changes[report_id] = place
        else:
            self._moved.setdefault(report_id, before)
            self._young[report_id] = place

    def _learn_all(self, blocks: Iterable[IdBlock]) -> None:
        """Learn all ids of a survey as they are read, as after a start; all of them, or none."""
        try:
            for part in _parts(blocks):
                lengths = np.array([len(block.ids) // ID_BYTES for block in part], dtype=np.intp)
                numbers = np.array([_chunk(block) for block in part], dtype=CHUNK)
                ids = b"".join(block.ids for block in part)
                self._settled.add_unsorted(Unsorted(ids, numbers, lengths))
                self.withdrawn += int(lengths[numbers == _WITHDRAWN].sum())
                for block in part:
                    self._pass(block)
        except BaseException:
            self._settled = Settled()
            raise

    def _learn(self, blob: bytes, chunk: int) -> None:
        """Give ids, known or not, a place for good."""
        ids = split(blob)
        self.look_up(id_rows(blob))
        are_new = not self._found and self._young.keys().isdisjoint(ids)
        if are_new and self._keys and len(ids) >= _MANY and chunk != _WITHDRAWN:
            self._settled.add(self._keys, np.full(len(ids), chunk, dtype=CHUNK))
            self._forget()
            return
        place = _GONE if chunk == _WITHDRAWN else Place(chunk)
        if chunk == _WITHDRAWN:
            self.withdrawn += sum(not self._is_gone(report_id) for report_id in ids)
        for report_id in ids:
            found = self._found.get(report_id)
            if found is None:
                self._young[report_id] = place
            else:
                found[0].move(found[1], chunk)
        self._forget()
        if len(self._young) >= _YOUNG:
            self._settle_young()

    def _is_gone(self, report_id: bytes) -> bool:
        place = self._place(report_id)
        return place is not None and place.chunk == _WITHDRAWN

    def _settle_young(self) -> None:
        """Make a run of the young ids."""
        keys, order = sorted_keys(b"".join(self._young))
        self._settled.add(keys, _numbers(self._young.values()).take(order))
        self._young = {}


def _rows(ids: Iterable[bytes]) -> Bytes:
    return id_rows(b"".join(ids))


def _chunk(block: IdBlock) -> int:
    return _WITHDRAWN if block.chunk is None else block.chunk


def _parts(blocks: Iterable[IdBlock]) -> Iterator[list[IdBlock]]:
    """Yield blocks that are sorted together: as many as a generation holds, or one."""
    part: list[IdBlock] = []
    ids = 0
    for block in blocks:
        ids += len(block.ids) // ID_BYTES
        if part and ids > MOST:
            yield part
            part, ids = [], len(block.ids) // ID_BYTES
        part.append(block)
    if part:
        yield part


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
