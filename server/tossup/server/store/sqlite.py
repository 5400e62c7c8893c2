"""The SQLite store: one file, WAL, durable commits, exclusive write transactions.

Stage: ingest to tally.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from shutil import disk_usage
from typing import Any, Final

from tossup.server.clock import today
from tossup.server.store.base import StorageFailed, Transaction
from tossup.server.store.connection import Connect, FilePool, connect, create_file
from tossup.server.store.schema import migrate, migrations, statements
from tossup.server.store.sql.pool import Connection
from tossup.server.store.sql.store import SQLStore
from tossup.server.store.sqlite_transaction import SQLiteTransaction
from tossup.shared.wire import MAX_BODY_BYTES

_TRIAL_BYTES: Final = 32 * 1024
_MAX_FAULTS: Final = 10


class SQLiteStore(SQLStore):
    """A store in one SQLite file.

    Parameters
    ----------
    path
        The file; it and its folder are created, readable by their owner alone.
    day, connect
        See `SQLStore`, which says as well what is raised.
    """

    _transactions = SQLiteTransaction
    _counted = "(SELECT m.survey, c.* FROM manifests m JOIN tallies c ON c.manifest = m.number)"
    _BEGIN_SNAPSHOT = "BEGIN"

    def __init__(
        self, path: Path, *, day: Callable[[], date] = today, connect: Connect = connect
    ) -> None:
        self._path = path
        super().__init__(FilePool(path, connect), day)
        with self._failures():
            create_file(path)
            with self._pool.lend() as connection:
                migrate(connection, migrations(), cut=statements)

    @contextmanager
    def write(self, _shard: int | None = None) -> Iterator[Transaction]:
        """Begin a transaction that no other process can interleave with; there is one shard."""
        with self._changing() as connection:
            yield SQLiteTransaction(connection, self._parsed, self._day())

    def _scrub(self) -> None:
        """Bring the journal's pages, with what was overwritten, into the file."""
        self._rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def check_writable(self) -> None:
        """Write a row that is larger than the cache, so that it reaches the disk, and take it back.

        The journal may have room on a disk that is full, so the disk is asked as well.
        """
        with self._failures(), self._pool.lend() as connection:
            free = disk_usage(self._path.parent).free
            if free < MAX_BODY_BYTES:
                raise StorageFailed(f"the disk is full: {free} bytes are free")
            size = connection.execute("PRAGMA cache_size").fetchone()[0]
            connection.execute("PRAGMA cache_size=1")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "INSERT INTO setup_links (digest, expires) VALUES (zeroblob(?), 0)", (_TRIAL_BYTES,)
            ).fetchall()
            connection.execute("ROLLBACK")
            connection.execute(f"PRAGMA cache_size={size}")

    def faults(self) -> list[str]:
        """Return what SQLite finds wrong with the file's pages."""
        try:
            found = [str(row[0]) for row in self._rows(f"PRAGMA quick_check({_MAX_FAULTS})")]
        except StorageFailed as error:
            return [str(error)]
        return [] if found == ["ok"] else found

    @contextmanager
    def _begun(self, *_shards: int) -> Iterator[Connection]:
        # A block that raises loses its connection (see Pool.lend), and with it the transaction.
        try:
            with self._pool.lend() as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
        except Exception:
            with self._failures():  # only now: entering it would cost as much as a small statement
                raise

    def _lock(self, connection: Connection, *shards: int) -> None:
        """Wait for nothing: a transaction is alone on the file."""

    def _streamed(
        self, connection: Connection, sql: str, parameters: tuple[object, ...]
    ) -> Iterable[Any]:
        return connection.execute(sql, parameters)
