"""The PostgreSQL store: shards that several servers write at once, and an exact count of each.

Stage: ingest to tally. An id belongs to one shard for ever, and a shard is written by one
transaction at a time: PostgreSQL's advisory locks say which, among all servers.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from importlib.resources import files
from typing import Any, Final

from tossup.server.clock import today
from tossup.server.store.base import Store
from tossup.server.store.postgres.connection import UNHURRIED, Connect, PostgresPool, connect
from tossup.server.store.postgres.replica import POSITION, Position, Replica
from tossup.server.store.postgres.transaction import PostgresTransaction
from tossup.server.store.records import Found, StorageFailed
from tossup.server.store.schema import migrate, migrations
from tossup.server.store.sql.pool import Connection
from tossup.server.store.sql.transaction import Transaction

#: A database keeps the number that it was made with: it decides which shard an id belongs to.
SHARDS: Final = 4
#: The first number of our advisory locks; the second is a shard, or one of these.
_LOCKS: Final = 0x70550
_CHANGING, _MIGRATING = 1001, 1002
#: So many readers at once; writers have connections of their own, so that none waits for a reader.
_MOST_READERS: Final = 12
_MOST_WRITERS: Final = 12
_FETCHED: Final = 64

# A transaction that waits for a lock must see what its holder committed, so each statement needs a
# snapshot of its own, whatever isolation the database has by default.
# What makes its commit durable is set for the transaction: a session's settings change with those
# of the server. A commit that waits for a synchronous standby would end, and succeed, when the time
# of its statement is over. Where fsync or full_page_writes was turned off meanwhile, PostgreSQL is
# given a setting that it refuses; the next connection says why.
_DURABLE: Final = "current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'"
BEGIN: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = 0;"
    " SELECT set_config('synchronous_commit',"
    f" CASE WHEN {_DURABLE} THEN 'on' ELSE 'in vain without fsync' END, true)"
    f" WHERE current_setting('synchronous_commit') = 'off' OR NOT ({_DURABLE})"
)


class PostgresStore(Store):
    """A store in one PostgreSQL database, made for it.

    Parameters
    ----------
    url
        ``postgresql://user@host/database``, or anything that libpq reads.
    replica
        A standby of it that results are read from, named likewise.
    day, connect
        See `Store`, which says as well what is raised.
    """

    shards = SHARDS
    _transactions = PostgresTransaction
    _counted = "counted"
    _chunk_order = "c.day, c.number"  # around midnight servers write on two days at once
    _BEGIN_SNAPSHOT = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {UNHURRIED}"

    def __init__(
        self,
        url: str,
        *,
        replica: str | None = None,
        day: Callable[[], date] = today,
        connect: Connect = connect,
    ) -> None:
        self._readers = PostgresPool(url, _MOST_READERS, connect)
        super().__init__(self._readers, day)
        self._replica = None if replica is None else Replica(replica, connect)
        self._writers = PostgresPool(url, _MOST_WRITERS, connect)
        steps = migrations(files("tossup.server.store.postgres") / "migrations")
        with self._failures(), self._writers.lend() as connection:
            migrate(connection, steps, begin=_locked(_MIGRATING), cut=lambda script: [script])

    @property
    def history(self) -> object:
        """Changes when what was read before may be gone."""
        return self._readers.history

    @contextmanager
    def write(self, shard: int | None = None) -> Iterator[Transaction]:
        """Begin a transaction that no other one of its shard can interleave with."""
        locks = range(SHARDS) if shard is None else [shard]
        with self._changing(*locks) as connection:
            history = self._writers.history
            yield PostgresTransaction(connection, self._parsed, self.today(), shard or 0, history)

    def _scrub(self) -> None:
        """Free the room of what was deleted; PostgreSQL overwrites it when it writes there next.

        A table that another server, or PostgreSQL itself, is at by now has its turn in an hour.
        """
        with self._failures(), self._writers.lend() as connection:
            connection.execute(
                "VACUUM (SKIP_LOCKED) chunks, withdrawals, tallies, changes, commits"
            )

    def check_writable(self) -> None:
        """Commit a row and its deletion, durably."""
        with self._failures(), self._writers.lend() as connection:
            self._writers.check(connection)
            connection.execute(BEGIN)
            connection.execute("INSERT INTO commits VALUES ('', 0, 0)")
            connection.execute("DELETE FROM commits WHERE survey = ''")
            connection.execute("COMMIT")

    def check_replica(self) -> None:
        """Read nothing from the standby, once it has all that this database has."""
        if self._replica is not None:
            self._replica.read(self._position(), lambda _: None)

    def faults(self) -> list[str]:
        """Return whether PostgreSQL found pages whose checksum is wrong, if it keeps checksums."""
        try:
            rows = self._rows(
                "SELECT coalesce(checksum_failures, 0) FROM pg_stat_database"
                " WHERE datname = current_database()"
            )
        except StorageFailed as error:
            return [str(error)]
        return [f"{n} pages had wrong checksums" for (n,) in rows if n]

    def close(self) -> None:
        """Close the pooled connections."""
        super().close()
        self._writers.close()
        if self._replica is not None:
            self._replica.close()

    def _read(self, work: Callable[[Connection], Found]) -> Found:
        """Read from the standby if there is one that has all that can be seen here by now."""
        replica = self._replica
        if replica is not None and not replica.is_resting:
            try:
                return replica.read(self._position(), work)
            except StorageFailed as error:
                replica.rest(error)
        return super()._read(work)

    def _position(self) -> Position:
        return Position(*self._rows(POSITION)[0])

    @contextmanager
    def _begun(self, *shards: int) -> Iterator[Connection]:
        with self._failures(), self._writers.lend() as connection:
            connection.execute(_locked(*shards or (_CHANGING,)))
            yield connection
            connection.execute("COMMIT")

    def _lock(self, connection: Connection, *shards: int) -> None:
        """Wait for shards. Who has the lock of other changes may wait for them; none else does."""
        if shards:
            connection.execute("; ".join(_locks(*shards)))

    def _streamed(
        self, connection: Connection, sql: str, parameters: tuple[object, ...]
    ) -> Iterable[Any]:
        connection.execute(f"DECLARE streamed NO SCROLL CURSOR FOR {sql}", parameters)
        while rows := connection.execute(f"FETCH {_FETCHED} FROM streamed").fetchall():
            yield from rows


def _locked(*numbers: int) -> str:
    """Return the statements that begin a transaction and wait for locks, in their order.

    A lock ends with its transaction, after the commit can be seen.
    """
    return "; ".join([BEGIN, *_locks(*numbers)])


def _locks(*numbers: int) -> list[str]:
    return [f"SELECT pg_advisory_xact_lock({_LOCKS}, {number})" for number in numbers]
