"""Which report ids are known, and where each stands: exactly once, across processes.

Stage: ingest. One index per open survey, in memory: about 110 bytes an id. A unique index on disk
is 8 times slower at a million random ids.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tossup.server.packing import split
from tossup.server.store.base import Cursor, IdBlock


class Place:
    """Where ids stand: the number of a chunk, once it has one."""

    __slots__ = ("chunk",)

    def __init__(self, chunk: int | None = None) -> None:
        self.chunk = chunk


class IdIndex:
    """Ids of one survey: the place of each, or None once it is withdrawn.

    Everything since `begin` can be taken back with `rollback`.

    Attributes
    ----------
    cursor, revision
        How far the store's ids of this survey are known, and the revision this was read at.
    """

    def __init__(self) -> None:
        self.cursor = Cursor()
        self.revision: int | None = None
        self._before: tuple[Cursor, int | None] = (self.cursor, None)
        self._places: dict[bytes, Place | None] = {}
        self._added: list[Sequence[bytes]] = []
        self._moved: dict[bytes, Place | None] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, report_id: bytes) -> bool:
        return report_id in self._places

    def follow(self, blocks: Iterable[IdBlock], cursor: Cursor, revision: int) -> None:
        """Learn the ids that were committed up to a revision, withdrawals last."""
        for block in blocks:
            place = None if block.chunk is None else Place(block.chunk)
            self._places.update(dict.fromkeys(split(block.ids), place))
        self.cursor, self.revision = cursor, revision

    def begin(self) -> None:
        """Make the state now the one to which `rollback` returns."""
        self._before = (self.cursor, self.revision)
        self._added.clear()
        self._moved.clear()

    def admit(self, ids: Sequence[bytes], place: Place) -> list[int]:
        """Add the ids that are new, as standing at ``place``; return their indexes in ``ids``."""
        known = self._places
        if known.keys().isdisjoint(ids):  # nearly always, and four times faster
            indexes, new = list(range(len(ids))), ids
        else:
            indexes = [index for index, report_id in enumerate(ids) if report_id not in known]
            new = [ids[index] for index in indexes]
        self._added.append(new)
        known.update(dict.fromkeys(new, place))
        return indexes

    def appended(self, chunk: int) -> None:
        """Note the number of a chunk that this process appended: it knows its ids."""
        self.cursor = replace(self.cursor, chunk=chunk)

    def moved(self, ids: Sequence[bytes], chunk: int) -> None:
        """Note that ids, known or just admitted, stand in a new chunk now."""
        places, place = self._places, Place(chunk)
        for report_id in ids:
            self._moved.setdefault(report_id, places[report_id])
        places.update(dict.fromkeys(ids, place))
        self.appended(chunk)

    def chunk_of(self, report_id: bytes) -> int | None:
        """Return the chunk of an id; None if it is unknown or withdrawn."""
        place = self._places.get(report_id)
        return None if place is None else place.chunk

    def withdraw(self, report_id: bytes) -> bool:
        """Mark an id as withdrawn, known or not; return whether it was not yet."""
        if report_id not in self._places:
            self._added.append([report_id])
        elif self._places[report_id] is None:
            return False
        else:
            self._moved.setdefault(report_id, self._places[report_id])
        self._places[report_id] = None
        return True

    def remembered(self, withdrawal: int) -> None:
        """Note the number under which the store remembers what was just withdrawn."""
        self.cursor = replace(self.cursor, withdrawal=withdrawal)

    def rollback(self) -> None:
        """Take back every change since `begin`: what was not committed must be new again."""
        self._places.update(self._moved)
        for ids in self._added:
            for report_id in ids:
                del self._places[report_id]
        self.cursor, self.revision = self._before
        self.begin()
