"""The SQLite store: one file, WAL, durable commits, exclusive write transactions.

Stage: ingest to tally. What is deleted is overwritten in its page: see ``secure_delete``.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from shutil import disk_usage
from typing import Any, Final

from tossup.server.clock import today
from tossup.server.store.base import Store
from tossup.server.store.connection import (
    Connect,
    FilePool,
    connect,
    create_file,
    storage_failures,
)
from tossup.server.store.records import Chunk, StorageFailed
from tossup.server.store.schema import migrate, migrations, statements
from tossup.server.store.sql.pool import Connection
from tossup.server.store.sql.transaction import CountedCell, Transaction, chunk_of
from tossup.shared.wire import MAX_BODY_BYTES

_TRIAL_BYTES: Final = 32 * 1024
_MAX_FAULTS: Final = 10
_PARTS: Final = "SELECT type, name FROM sqlite_master ORDER BY name"
_FOREIGN: Final = "PRAGMA foreign_key_check"
_WITHOUT_VERSION: Final = (
    "SELECT id FROM surveys WHERE deleted_on IS NULL"
    " AND manifest NOT IN (SELECT number FROM manifests)"
)

# The terms of the index growing_chunks, so that SQLite uses it.
_GROWING = (
    "SELECT c.number, m.digest, c.question, c.day, c.ids, c.columns, c.attributes"
    " FROM manifests m JOIN chunks c ON c.manifest = m.number"
    " WHERE m.digest = ? AND coalesce(c.question, '') = ? AND c.day = ? AND c.growing = 1"
)
_AFTER = "SELECT number, ids FROM {} WHERE survey = ? AND number > ? ORDER BY number LIMIT ?"
# A chunk grows where it stands: under its old number, others look for what is new.
_GROWN = (
    "SELECT c.number, c.ids FROM manifests m JOIN chunks c ON c.manifest = m.number"
    " WHERE m.survey = ? AND c.growing = 1 AND c.number <= ?"
)
# Under a new number, as it will not be looked at for growth any more. What is appended next is
# numbered above it.
_FINISH = (
    "UPDATE chunks SET growing = 0, number = 1 + (SELECT max(number) FROM chunks)"
    " WHERE number = ? RETURNING number"
)
# Changes of one manifest, question and day come as one JSON object, from place to change: its keys
# and values are columns of json_each, and json_extract would parse every row once more.
# The shift by 32 bits is VALUE_BITS.
_ADD = """
    INSERT INTO tallies (manifest, question, day, stratum, value, n)
    SELECT (SELECT number FROM manifests WHERE digest = ?), ?, ?,
           CAST(row.key AS INTEGER) >> 32, CAST(row.key AS INTEGER) & 0xffffffff, row.value
    FROM json_each(?) AS row WHERE true
    ON CONFLICT DO UPDATE SET n = n + excluded.n
"""
# Not an upsert: SQLite would check n >= 0 on the row to insert, which is negative here.
_SUBTRACT = """
    UPDATE tallies SET n = n + row.value FROM json_each(?4) AS row
    WHERE manifest = (SELECT number FROM manifests WHERE digest = ?1)
      AND question = ?2 AND day = ?3
      AND stratum = CAST(row.key AS INTEGER) >> 32
      AND tallies.value = CAST(row.key AS INTEGER) & 0xffffffff
"""


class SQLiteTransaction(Transaction):
    """What `SQLiteStore.write` lends between ``BEGIN IMMEDIATE`` and ``COMMIT``."""

    failures = staticmethod(storage_failures)

    def growing(self, manifest: str, question: str | None) -> tuple[int, Chunk] | None:
        """Return today's chunk that may still grow."""
        rows = self._rows(_GROWING, manifest, question or "", self.day.isoformat())
        return (rows[0][0], chunk_of(rows[0][1:])) if rows else None

    def grow(self, _survey_id: str, number: int, chunk: Chunk) -> int:
        """Put a chunk in place of the one that may grow: its row is written anew, and no index."""
        self.replace(number, chunk)
        return number

    def finish(self, number: int) -> int:
        """End the growth of a chunk."""
        return int(self._returned(_FINISH, number))

    def _standing(self, survey_id: str) -> Any:
        return self._one(
            "SELECT coalesce(s.closed_on, s.expired_on), s.revision, m.digest FROM surveys s"
            " JOIN manifests m ON m.number = s.manifest"
            " WHERE s.id = ? AND s.deleted_on IS NULL",
            survey_id,
        )

    def _change(self, _survey_id: str, cells: dict[CountedCell, dict[int, int]]) -> None:
        # Summed before: of several rows for one counter, UPDATE ... FROM would apply only one.
        for cell, sums in cells.items():
            self._add(_ADD, cell, {place: n for place, n in sums.items() if n > 0})
            self._add(_SUBTRACT, cell, {place: n for place, n in sums.items() if n < 0})

    def _add(self, sql: str, cell: CountedCell, changes: dict[int, int]) -> None:
        # One statement for all rows: each would wait anew for the interpreter's lock.
        if changes:
            rows = ",".join([f'"{place}":{n}' for place, n in sorted(changes.items())])
            self._rows(sql, *cell, f"{{{rows}}}")

    def _revise(self, survey_id: str, reports: int) -> None:
        self._rows(
            "UPDATE surveys SET reports = reports + ?, revision = revision + 1 WHERE id = ?",
            reports,
            survey_id,
        )

    def _grown(self, survey_id: str, number: int) -> list[tuple[int, bytes]]:
        return self._rows(_GROWN, survey_id, number)

    def _page(self, table: str, survey_id: str, number: int) -> list[tuple[int, bytes]]:
        return self._rows(_AFTER.format(table), survey_id, number, self._PAGE)

    def _delete_counts(self, survey_id: str) -> None:
        self._rows(
            "DELETE FROM tallies WHERE manifest IN (SELECT number FROM manifests WHERE survey = ?)",
            survey_id,
        )


class SQLiteStore(Store):
    """A store in one SQLite file.

    Parameters
    ----------
    path
        The file; it and its folder are created, readable by their owner alone.
    day, connect
        See `Store`, which says as well what is raised.
    """

    _transactions = SQLiteTransaction
    _counted = "(SELECT m.survey, c.* FROM manifests m JOIN tallies c ON c.manifest = m.number)"
    _chunk_order = "c.number"  # one writer has one clock; to sort whole rows would take memory
    _BEGIN_SNAPSHOT = "BEGIN"

    def __init__(
        self, path: Path, *, day: Callable[[], date] = today, connect: Connect = connect
    ) -> None:
        self._path = path
        with storage_failures():
            create_file(path)
            super().__init__(FilePool(path, connect), day)
            with self._pool.lend() as connection:
                migrate(connection, migrations(), cut=statements)

    @contextmanager
    def write(self, _shard: int | None = None) -> Iterator[Transaction]:
        """Begin a transaction that no other process can interleave with; there is one shard."""
        with self._changing() as connection:
            yield SQLiteTransaction(connection, self._parsed, self.today())

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
        """Return what SQLite finds wrong with the pages, what is missing, what belongs to nothing.

        Whole pages say nothing of a table that is gone, nor of reports whose survey is.
        """
        try:
            found = [str(row[0]) for row in self._rows(f"PRAGMA quick_check({_MAX_FAULTS})")]
            return [*self._missing(), *self._alone()] if found == ["ok"] else found
        except StorageFailed as error:
            return [str(error)]

    def _missing(self) -> Iterator[str]:
        """Yield the tables, indexes and triggers that every file of this version has."""
        whole = sqlite3.connect(":memory:", isolation_level=None)
        with closing(whole):
            migrate(whole, migrations(), cut=statements)
            expected = whole.execute(_PARTS).fetchall()
        there = set(map(tuple, self._rows(_PARTS)))
        for kind, name in expected:
            if (kind, name) not in there:
                yield f"the {kind} {name} is missing"

    def _alone(self) -> Iterator[str]:
        """Yield the tables with rows that belong to nothing, and surveys without their version."""
        rows = Counter((table, parent) for table, _, parent, _ in self._rows(_FOREIGN))
        for (table, parent), n in rows.items():
            yield f"{n} rows of {table} belong to no row of {parent}"
        for (survey,) in self._rows(_WITHOUT_VERSION):
            yield f"the survey {survey} has no version"

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
