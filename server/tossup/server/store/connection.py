"""Connections to one SQLite file: opened safely, checked, pooled.

``synchronous`` belongs to a connection and libraries override it, so every connection reads it
back.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tossup.server.store.records import StorageFailed, StoreInconsistent
from tossup.server.store.sql.pool import Connection, Pool

_BUSY_MILLISECONDS = 30_000
#: A folder that has not changed for so long shows every later change: no file system counts its
#: time in larger steps.
_SETTLED_NANOSECONDS = 3_000_000_000


Connect = Callable[[Path], Connection]


def connect(path: Path) -> Connection:
    """Open a database without implicit transactions; threads may take turns with it."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


@contextmanager
def storage_failures() -> Iterator[None]:
    """Turn what SQLite and the file system raise into `StorageFailed`."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise StoreInconsistent(f"the store refused a change: {error}") from error
    except sqlite3.Error as error:
        raise StorageFailed(f"the store failed: {error}") from error
    except OSError as error:  # whose own text names the path
        raise StorageFailed(f"the store failed: {error.strerror or error}") from error


class FilePool(Pool):
    """Connections to one file, which is there.

    SQLite goes on writing to a file that was moved away, such as for a restored copy, and to a
    journal that was deleted, such as to make room: what is acknowledged then would be lost. So
    nothing is lent any more once either has lost its name.
    """

    def __init__(self, path: Path, connect: Connect = connect) -> None:
        super().__init__(partial(connect, path))
        self._path, self._identity = path, _identity(path)
        self._folder = str(path.parent)  # a path would take as long to be asked for as to answer
        self._journal = path.with_name(f"{path.name}-wal")
        self._journal_identity: tuple[int, int] | None = None
        self._open: set[int] = set()  # connections, by identity: the last deletes the journal
        self._settled: tuple[int, int, int] | None = None  # the folder, when all was right

    def open(self) -> Connection:
        """Open a connection that is ready for use; the first tells which journal it is."""
        connection = super().open()
        if not self._open:
            self._journal_identity = _identity(self._journal)
        self._open.add(id(connection))
        return connection

    def let_go(self, connection: Connection) -> None:
        """Close a connection."""
        self._open.discard(id(connection))
        connection.close()

    def take(self) -> Connection:
        """Return a connection, unless another file has the name by now, or none."""
        # To ask for the folder is quick; to ask for a journal just written is a tenth of a commit.
        names = _names(self._folder)
        if names is None or names != self._settled:
            self._check()
            is_settled = names and time.time_ns() - names[-1] > _SETTLED_NANOSECONDS
            self._settled = names if is_settled and not self._path.is_symlink() else None
        return super().take()

    def _check(self) -> None:
        if _identity(self._path) != self._identity:
            raise StorageFailed(
                f"{self._path.name} was moved away or replaced while it was open;"
                " start the server again"
            )
        if self._open and self._journal_identity not in {None, _identity(self._journal)}:
            raise StorageFailed(
                f"{self._journal.name} was deleted or replaced while it was open; stop the server"
                " in order, which saves what is in it (SIGTERM, and no SIGKILL), and start it again"
            )

    def _set_up(self, connection: Connection) -> None:
        connection.execute(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA fullfsync=ON")  # macOS: an fsync there does not reach the disk
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")  # a withdrawn report is overwritten
        _require(connection, "journal_mode", "wal")
        _require(connection, "synchronous", 2)
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()  # opens the journal


def create_file(path: Path) -> bool:
    """Create the database file and its folder, readable by their owner alone, durably.

    Return whether it was not there before.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    sync_folder(path.parent)
    sync_folder(path.parent.parent)
    return True


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from any other of the same name; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _names(folder: str) -> tuple[int, int, int] | None:
    """Return what changes whenever a name in a folder does: which one it is, and its time."""
    try:
        found = os.stat(folder)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _require(connection: Connection, pragma: str, expected: object) -> None:
    found = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    if found != expected:
        raise StorageFailed(
            f"SQLite has {pragma}={found} and not {expected}; without it an acknowledged report"
            " could be lost. Put the data on a local disk"
        )
