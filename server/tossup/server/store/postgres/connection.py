"""Connections to one PostgreSQL database: checked that they are durable, and bounded in number.

Whoever runs the database can turn off what makes a commit durable, for a server, a database or a
user; so every connection reads it back.
"""

import select
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from tossup.server.store.records import StorageFailed, StoreInconsistent
from tossup.server.store.sql.pool import Connection, Pool, Rows

#: Seconds that a reader waits for one of the pool's connections.
_PATIENCE_SECONDS: Final = 30
#: What a URL does not say itself. A network that swallows packets is noticed within half a minute.
_DEFAULTS: Final = {
    "application_name": "tossup",
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
#: A server that stands still in the middle of a transaction must not keep the others waiting.
SET_UP: Final = """
    SET client_encoding = 'UTF8';
    SET lock_timeout = '30s';
    SET idle_in_transaction_session_timeout = '60s'
"""
#: Who reads, and works on what it read for long, keeps nobody waiting.
UNHURRIED: Final = "SET LOCAL idle_in_transaction_session_timeout = 0"
#: As the setting server_version_num has it: 13.
_OLDEST: Final = 130_000
_SETTINGS: Final = """
    SELECT current_setting('server_version_num')::int, current_setting('server_version'),
           current_setting('fsync'), current_setting('full_page_writes'),
           current_setting('server_encoding'), pg_is_in_recovery()
"""
#: The cluster, the database and its table of reports, and the timeline: a standby that takes the
#: place of its primary begins another one, and may lack what was committed last.
HISTORY: Final = """
    SELECT (SELECT system_identifier FROM pg_control_system()),
           (SELECT oid FROM pg_database WHERE datname = current_database()),
           to_regclass('chunks')::oid,
           ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int
"""


class PostgresConnection:
    """A connection in the words of the store: ``?`` stands for a parameter."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: tuple[object, ...] = (), /) -> Rows:
        """Run a statement, or several if they have no parameters."""
        if not parameters:
            cursor = self._connection.execute(sql.encode())
            if sql == "COMMIT" and cursor.statusmessage != sql:
                # PostgreSQL ends a transaction in which something failed this way, without error.
                raise psycopg.OperationalError("the transaction was undone: part of it had failed")
            return _Rows(cursor)
        statement = sql.replace("?", "%s").encode()
        return _Rows(self._connection.execute(statement, parameters, binary=True))

    def close(self) -> None:
        """Close the connection; a transaction that was open is undone."""
        self._connection.close()

    def is_alive(self) -> bool:
        """Return whether the server still holds the other end, as far as this end was told."""
        raw = self._connection.pgconn
        if not select.select([raw.socket], [], [], 0)[0]:
            return True
        try:
            raw.consume_input()
        except psycopg.Error:
            return False
        return raw.status == psycopg.pq.ConnStatus.OK and not _has_ended(raw.socket)


class _Rows:
    """What a statement returned; nothing for one that returns no rows."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor

    def fetchone(self) -> Any:
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        # None without rows; `description` would say it too, and make an object for each column.
        return [] if self._cursor.rownumber is None else self._cursor.fetchall()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)


Connect = Callable[[str], Connection]


def connect(url: str) -> Connection:
    """Open a database without implicit transactions."""
    settings = _DEFAULTS | conninfo_to_dict(url)
    return PostgresConnection(psycopg.connect(**settings, autocommit=True))  # type: ignore[arg-type]


@contextmanager
def storage_failures() -> Iterator[None]:
    """Turn what PostgreSQL and the network raise into `StorageFailed`.

    PostgreSQL's own detail would quote values of the row, so only its first line is told.
    """
    try:
        yield
    except (psycopg.IntegrityError, psycopg.DataError) as error:
        raise StoreInconsistent(f"the database refused a change: {_said(error)}") from error
    except psycopg.Error as error:
        raise StorageFailed(f"the database failed: {_said(error)}") from error
    except OSError as error:
        raise StorageFailed(f"the database failed: {error.strerror or error}") from error


class PostgresPool(Pool):
    """Connections to one database.

    Parameters
    ----------
    url
        As libpq reads it.
    most
        So many are lent at once; who needs one more waits.
    connect
        Opens a connection to it.

    Attributes
    ----------
    history
        Changes when what was committed before may be gone: another database answers now, such as
        a standby that was made the primary. Who may not ask cannot tell, so each new connection
        changes it then.
    """

    history: object = None

    def __init__(self, url: str, most: int, connect: Connect = connect) -> None:
        super().__init__(partial(connect, url))
        self._free = threading.BoundedSemaphore(most)

    def _set_up(self, connection: Connection) -> None:
        self.check(connection)
        connection.execute(SET_UP)
        try:
            self.history = connection.execute(HISTORY).fetchone()
        except psycopg.Error:
            self.history = object()

    def check(self, connection: Connection) -> None:
        """Read back that it is new enough, and that what is committed is durable."""
        version, name, *settings = connection.execute(_SETTINGS).fetchone()
        if version < _OLDEST:
            raise StorageFailed(
                f"PostgreSQL {name} is too old: Tossup is tested with 13 and newer; upgrade it, or"
                " name another database"
            )
        fsync, pages, encoding, is_replica = settings
        if (fsync, pages) != ("on", "on"):
            raise StorageFailed(
                f"PostgreSQL has fsync={fsync} and full_page_writes={pages}; without either an"
                " acknowledged report could be lost: set both to on"
            )
        if encoding != "UTF8":
            raise StorageFailed(f"the database is encoded in {encoding}; make one in UTF8")
        if is_replica:
            raise StorageFailed(
                "this database is a replica, which cannot be written: name its primary"
            )

    def is_alive(self, connection: Connection) -> bool:
        """Return whether the server still holds the other end, as far as this end was told."""
        alive = getattr(connection, "is_alive", None)
        return alive is None or bool(alive())

    @contextmanager
    def lend(self) -> Iterator[Connection]:
        """Lend a connection, once one is free."""
        if not self._free.acquire(timeout=_PATIENCE_SECONDS):
            raise StorageFailed("all connections to the database are in use")
        try:
            with super().lend() as connection:
                yield connection
        finally:
            self._free.release()


def _has_ended(number: int) -> bool:
    """Return whether a socket that was emptied is still readable: it was closed at the far end."""
    return bool(select.select([number], [], [], 0)[0])


def _said(error: psycopg.Error) -> str:
    said = error.diag.message_primary or str(error).partition("\n")[0]
    return said or type(error).__name__
