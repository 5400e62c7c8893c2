"""The store that moves to PostgreSQL: a SQLite file that is only read.

Stage: beside the store. A server that moves elsewhere must stand still meanwhile, so this refuses a
file that another process has open, and tells whether anyone wrote since.
"""

import os
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from tossup.server.clock import today
from tossup.server.store.base import Store
from tossup.server.store.records import InUse
from tossup.server.store.schema import require_same
from tossup.server.store.sql.pool import Connection, Pool
from tossup.server.store.sqlite import SQLiteStore

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

#: Bytes of the file on which every connection of SQLite that reads holds a shared lock:
#: https://www.sqlite.org/fileformat2.html#the_lock_byte_page
_SHARED_FIRST: Final = 0x40000002
_SHARED_SIZE: Final = 510


class SQLiteReader(SQLiteStore):
    """A store in one SQLite file, without any way to write.

    Parameters
    ----------
    path
        The file, of this version's schema.

    Raises
    ------
    InUse
        If another process has it open.
    SchemaTooOld, SchemaTooNew
        If another version wrote it.
    StorageFailed
        If it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._transactions.failures():
            _refuse_used(path)
        Store.__init__(self, _ReadOnlyPool(partial(_open, path)), today)
        with self._failures(), self._pool.lend() as connection:
            require_same(connection)
        self._watching = _open(path)
        self._version = self._data_version()

    def require_unchanged(self) -> None:
        """Raise `InUse` if anyone wrote to the file since it was opened."""
        with self._failures():
            if self._data_version() != self._version:
                raise InUse(f"{self._path} was written meanwhile, so a server runs on it")

    def columns(self, sql: str) -> list[str]:
        """Return the names of a query's columns."""
        with self._failures():
            found = self._watching.execute(f"SELECT * FROM ({sql}) LIMIT 0")  # noqa: S608
            return [column[0] for column in found.description]

    def last_number(self, table: str) -> int:
        """Return the highest number that a row of a table ever had; 0 for none."""
        numbers = self._rows(
            f"SELECT coalesce(max(number), 0) FROM {table}"  # noqa: S608
            " UNION SELECT seq FROM sqlite_sequence WHERE name = ?",
            table,
        )
        return max(int(number) for (number,) in numbers)

    def streamed(self, sql: str) -> Iterator[tuple[object, ...]]:
        """Yield the rows of a statement as they are asked for."""
        with self._failures(), self._pool.lend() as connection:
            yield from connection.execute(sql)

    def close(self) -> None:
        """Close all connections."""
        self._watching.close()
        super().close()

    def _data_version(self) -> int:
        return int(self._watching.execute("PRAGMA data_version").fetchone()[0])


class _ReadOnlyPool(Pool):
    """Connections that SQLite keeps from writing: they need not be durable."""

    def _set_up(self, connection: Connection) -> None:
        """Leave the connection as it is."""


def _open(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


def _refuse_used(path: Path) -> None:
    """Raise `InUse` if another process has the file open.

    Closing a file gives up all locks that this process has on it, so this is asked first.
    """
    if fcntl is None:  # pragma: no cover - Windows
        return
    file = os.open(path, os.O_RDWR)
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
    except BlockingIOError as error:
        raise InUse(f"{path} is in use by another process") from error
    finally:
        os.close(file)
