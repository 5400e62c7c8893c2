"""Power loss, simulated: record what SQLite writes, then rebuild what a disk may have kept.

`Recorder` is an SQLite VFS (through apsw) that passes everything to the operating system and
notes every write, truncation, sync and deletion, between marks that the test sets when something
has been acknowledged. `crash_states` cuts the record at every point and builds the files as a
disk could hold them then: all that was synced, and of the rest nothing, everything, a random
subset of the writes, or writes torn at 512-byte sectors.

Not simulated: disks that lie about syncs, lost directory entries (creations and deletions count
as durable at once), and reordering within one 512-byte sector.
"""

import itertools
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import apsw

SECTOR = 512

Keep = Literal["nothing", "everything", "subset", "torn"]
KEEPS: tuple[Keep, ...] = ("nothing", "everything", "subset", "torn")


@dataclass(frozen=True)
class Event:
    """One step: a write, truncate, sync or delete on a file, or a mark of the test's own."""

    kind: Literal["write", "truncate", "sync", "delete", "mark"]
    path: str = ""
    offset: int = 0
    data: bytes = b""
    label: object = None


@dataclass(frozen=True)
class CrashState:
    """What may be found after the power came back.

    Attributes
    ----------
    files
        Content by path.
    marks
        The labels of all marks set before the power went.
    """

    files: dict[str, bytes]
    marks: tuple[object, ...]
    step: int
    keep: Keep

    def write_to(self, folder: Path) -> None:
        """Write the files, by their base names, into an emptied folder."""
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for path, content in self.files.items():
            (folder / Path(path).name).write_bytes(content)


class Recorder(apsw.VFS):
    """An SQLite VFS that records. Use `connect` in place of the code's own connect function.

    Parameters
    ----------
    name
        The VFS's name, unique in the process.
    """

    def __init__(self, name: str = "powerloss") -> None:
        self.name = name
        self.events: list[Event] = []
        self.before: dict[str, bytes] = {}
        super().__init__(name, "")

    def connect(self, path: str) -> "Recorded":
        """Return a connection whose writes are recorded."""
        return Recorded(apsw.Connection(str(path), vfs=self.name))

    def mark(self, label: object) -> None:
        """Note that something was acknowledged now."""
        self.events.append(Event("mark", label=label))

    def snapshot(self, *paths: str | Path) -> None:
        """Take the files as they are for durable; call it before recording starts."""
        self.events.clear()
        self.before = {str(p): Path(p).read_bytes() for p in paths if Path(p).exists()}

    def xOpen(self, name, flags):  # noqa: N802 - apsw's names
        return _RecordedFile(self, name, flags)

    def xDelete(self, filename, syncdir):  # noqa: N802
        super().xDelete(filename, syncdir)
        self.events.append(Event("delete", filename))


class Recorded:
    """A connection of apsw that is busy as one of sqlite3 is."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def execute(self, sql, parameters=()):
        try:
            return self._connection.execute(sql, parameters)
        except apsw.BusyError as error:
            busy = sqlite3.OperationalError(str(error))
            busy.sqlite_errorcode = error.extendedresult
            raise busy from None

    def close(self) -> None:
        self._connection.close()


class _RecordedFile(apsw.VFSFile):
    def __init__(self, recorder: Recorder, name, flags) -> None:
        self._recorder = recorder
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("", name, flags)

    def xWrite(self, data, offset):  # noqa: N802
        super().xWrite(data, offset)
        self._note("write", offset=offset, data=bytes(data))

    def xTruncate(self, size):  # noqa: N802
        super().xTruncate(size)
        self._note("truncate", offset=size)

    def xSync(self, flags):  # noqa: N802
        super().xSync(flags)
        self._note("sync")

    def _note(self, kind, **details) -> None:
        self._recorder.events.append(Event(kind, self._path, **details))


@dataclass
class _File:
    """A file on the simulated disk: what is durable, and what waits for a sync."""

    durable: bytes = b""
    waiting: list[Event] = field(default_factory=list)

    def after(self, keep: Keep, rng: random.Random) -> bytes:
        content = bytearray(self.durable)
        for event in _kept(self.waiting, keep, rng):
            _apply(content, event)
        return bytes(content)


def crash_states(
    recorder: Recorder, *, seed: int = 0, keeps: tuple[Keep, ...] = KEEPS, every: int = 1
) -> Iterator[CrashState]:
    """Yield every state after every step of the record, with a stated seed for the random ones.

    ``every`` of 7 yields every seventh: of all steps in turn, and of all that a disk may keep.
    """
    place = itertools.count()
    rng = random.Random(seed)
    disk = {path: _File(content) for path, content in recorder.before.items()}
    marks: list[object] = []
    for step, event in enumerate(recorder.events):
        _advance(disk, marks, event)
        uncertain = any(file.waiting for file in disk.values())
        for keep in keeps if uncertain else keeps[:1]:
            if next(place) % every:
                continue
            files = {path: file.after(keep, rng) for path, file in disk.items()}
            yield CrashState(files, tuple(marks), step, keep)


def _advance(disk: dict[str, _File], marks: list[object], event: Event) -> None:
    match event.kind:
        case "mark":
            marks.append(event.label)
        case "delete":
            disk.pop(event.path, None)
        case "sync":
            file = disk.setdefault(event.path, _File())
            file.durable = file.after("everything", random.Random(0))
            file.waiting.clear()
        case _:
            disk.setdefault(event.path, _File()).waiting.append(event)


def _kept(waiting: list[Event], keep: Keep, rng: random.Random) -> Iterator[Event]:
    for event in waiting:
        if keep == "everything" or (keep == "subset" and rng.random() < 0.5):
            yield event
        elif keep == "torn":
            yield from _torn(event, rng)


def _torn(event: Event, rng: random.Random) -> Iterator[Event]:
    if event.kind != "write":
        if rng.random() < 0.5:
            yield event
        return
    for start in range(0, len(event.data), SECTOR):
        if rng.random() < 0.5:
            piece = event.data[start : start + SECTOR]
            yield replace(event, offset=event.offset + start, data=piece)


def _apply(content: bytearray, event: Event) -> None:
    if event.kind == "truncate":
        del content[event.offset :]
        content.extend(bytes(event.offset - len(content)))
        return
    end = event.offset + len(event.data)
    content.extend(bytes(max(0, end - len(content))))
    content[event.offset : end] = event.data
