"""PostgreSQL as a store moves in: one transaction, from an empty database to all that moved.

Stage: beside the store. Whoever is killed meanwhile leaves a database as empty as it was.
Most tables are the same in SQLite and go over row by row; reports are packed anew by
`tossup.server.ingest.moving`, through the store that is lent here.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

import psycopg

from tossup.server.store.postgres.connection import (
    HISTORY,
    SET_UP,
    UNHURRIED,
    connect,
    storage_failures,
)
from tossup.server.store.postgres.source import SQLiteReader
from tossup.server.store.postgres.store import BEGIN, PostgresStore
from tossup.server.store.records import Occupied, OutcomeUnknown
from tossup.server.store.sql.pool import Connection, Rows

#: Tables whose rows stand in both databases alike. A row names only rows of tables before its own.
SAME: Final = (
    "manifests",
    "members",
    "api_keys",
    "setup_links",
    "sessions",
    "sign_in_attempts",
    "latest_time",
    "known_day",
    "record",
    "drafts",
)

# Reports that are kept are counted as they are packed anew; of those that are gone there is but the
# number, and the counters, which no report will ever be taken from.
_SURVEYS: Final = """
    SELECT id, manifest, closed_on, expired_on, deleted_on, revision,
           CASE WHEN expired_on IS NULL THEN 0 ELSE reports END AS reports
    FROM surveys
"""
_EXPIRED_COUNTERS: Final = """
    SELECT m.survey, 0 AS shard, t.manifest, t.question, t.day, t.stratum, t.value, t.n
    FROM tallies t JOIN manifests m ON m.number = t.manifest JOIN surveys s ON s.id = m.survey
    WHERE s.expired_on IS NOT NULL
"""
_ROWS_AT_ONCE: Final = 500
_BEGIN: Final = f"{BEGIN}; {UNHURRIED}"


@contextmanager
def moving(file: Path, url: str) -> Iterator[tuple[SQLiteReader, PostgresStore]]:
    """Lend a store, and one that has all of it but its reports; commit when the block ends.

    Nobody else sees any of it before, and nothing of it stays if the block raises. A server that
    is started on the database meanwhile waits for half a minute, and then fails.

    Raises
    ------
    InUse
        If another process has the file open, or wrote to it meanwhile.
    SchemaTooOld, SchemaTooNew
        If another version wrote the file.
    Occupied
        If the database is not empty.
    OutcomeUnknown
        If the connection ended in the commit.
    StorageFailed
        If either cannot be used.
    """
    with closing(SQLiteReader(file)) as source, storage_failures():
        one = _OneTransaction(connect(url))
        try:
            store = PostgresStore(url, connect=lambda _url: one)
            with store.write():  # which waits for all locks, and holds them to the end
                _require_empty(one)
                _copy(source, one)
            yield source, store
            source.require_unchanged()
            one.commit()
        finally:
            one.end()


class _OneTransaction:
    """A connection on which transactions are parts of one, that ends when its owner says so."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        connection.execute(SET_UP)
        connection.execute(_BEGIN)

    def execute(self, sql: str, parameters: tuple[object, ...] = (), /) -> Rows:
        if sql == "COMMIT":
            return self._connection.execute("CLOSE ALL")
        # Set up as it is already; again would end what holds for this transaction, as would a
        # question that is not allowed.
        if sql in {SET_UP, HISTORY}:
            sql = ""
        if sql.startswith("BEGIN"):
            _, _, sql = sql.partition(";")
        return self._connection.execute(sql or "SELECT 1", parameters)

    def close(self) -> None:
        """Stay open: others of the store's parts use it."""

    def commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except psycopg.OperationalError as error:
            if error.sqlstate is not None:  # PostgreSQL itself refused
                raise
            raise OutcomeUnknown("the connection ended while all of it was committed") from error

    def end(self) -> None:
        self._connection.close()


def _require_empty(connection: Connection) -> None:
    for table in ("surveys", *SAME):
        if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608
            raise Occupied("the database holds data already, and nothing is put beside it")


def _copy(source: SQLiteReader, target: Connection) -> None:
    _insert(source, _SURVEYS, target, "surveys")
    for table in SAME:
        _insert(source, f"SELECT * FROM {table}", target, table)  # noqa: S608
    _insert(source, _EXPIRED_COUNTERS, target, "tallies")
    _go_on_counting(source, target)


def _insert(source: SQLiteReader, sql: str, target: Connection, table: str) -> None:
    """Put rows in a table; their columns have the same names there."""
    columns = source.columns(sql)
    places = f"({', '.join('?' * len(columns))})"
    names = ", ".join(columns)
    for rows in _grouped(source.streamed(sql)):
        values = ", ".join([places] * len(rows))
        flat = tuple(value for row in rows for value in row)
        target.execute(f"INSERT INTO {table} ({names}) VALUES {values}", flat)  # noqa: S608


def _grouped(rows: Iterable[tuple[object, ...]]) -> Iterator[list[tuple[object, ...]]]:
    waiting = iter(rows)
    while group := list(islice(waiting, _ROWS_AT_ONCE)):
        yield group


def _go_on_counting(source: SQLiteReader, target: Connection) -> None:
    """Let new rows have numbers that no row ever had, those of deleted ones included."""
    for table in SAME:
        if "number" in source.columns(f"SELECT * FROM {table}"):  # noqa: S608
            last = source.last_number(table)
            if last:
                target.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'number'), {last})"
                )
