"""A standby that results are read from, never as they were before somebody asked for them.

Stage: tally. A reader first asks the primary how far its journal is on the disk: a commit that
anyone can see is in it. Then it waits until the standby has replayed so much. Who fails, or waits
too long, reads from the primary.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tossup.server.store.postgres.connection import (
    HISTORY,
    SET_UP,
    Connect,
    PostgresPool,
    connect,
    storage_failures,
)
from tossup.server.store.records import Found, StorageFailed
from tossup.server.store.sql.pool import Connection

_log = logging.getLogger(__name__)

_MOST_READERS: Final = 12
#: A reader waits so long for the standby, and looks so often.
_PATIENCE_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.005
#: So long the standby is left alone after it failed, or was too far behind.
_PAUSE_SECONDS: Final = 30.0

#: A standby that follows another primary, or one that was replaced, has a journal of its own: its
#: positions say nothing. Its timeline is that of its last checkpoint, so after a change of the
#: primary some minutes may pass until it is read again. It has all databases of its primary.
POSITION: Final = f"{HISTORY}, pg_current_wal_flush_lsn()::text"
_STANDING: Final = """
    SELECT pg_is_in_recovery(),
           (SELECT system_identifier FROM pg_control_system()),
           (SELECT oid FROM pg_database WHERE datname = current_database()),
           to_regclass('chunks')::oid,
           (SELECT timeline_id FROM pg_control_checkpoint()),
           coalesce(pg_last_wal_replay_lsn() >= ?::text::pg_lsn, false)
"""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the journal of one cluster, on one of its timelines; the database and its table.

    A database may have several schemas, each with a table of this name.
    """

    cluster: int
    database: int
    table: int
    timeline: int
    at: str


class _StandbyPool(PostgresPool):
    """Connections that only read: what they see was made durable by the primary."""

    def _set_up(self, connection: Connection) -> None:
        """Take any settings."""
        connection.execute(SET_UP)


class Replica:
    """The standby of a primary. Safe to share between threads.

    Parameters
    ----------
    url
        As libpq reads it.
    connect
        Opens a connection to it.
    """

    def __init__(self, url: str, connect: Connect = connect) -> None:
        self._pool = _StandbyPool(url, _MOST_READERS, connect)
        self._lock = threading.Lock()
        self._rests_until = 0.0

    @property
    def is_resting(self) -> bool:
        """Whether it failed a short while ago."""
        return time.monotonic() < self._rests_until

    def read(self, position: Position, work: Callable[[Connection], Found]) -> Found:
        """Return what ``work`` reads, once the standby has replayed its primary's journal so far.

        Raises
        ------
        StorageFailed
            If it cannot be reached, follows another primary or none, is another of its databases
            or schemas, stays behind, or ends what is read.
        """
        with storage_failures(), self._pool.lend() as connection:
            self._wait(connection, position)
            return work(connection)

    def rest(self, why: StorageFailed) -> None:
        """Leave the standby alone for a while."""
        with self._lock:
            if not self.is_resting:
                _log.warning("results are read from the primary, because of the replica: %s", why)
            self._rests_until = time.monotonic() + _PAUSE_SECONDS

    def close(self) -> None:
        """Close the pooled connections."""
        self._pool.close()

    def _wait(self, connection: Connection, position: Position) -> None:
        until = time.monotonic() + _PATIENCE_SECONDS
        while not _has_replayed(connection, position):
            if time.monotonic() > until:
                raise StorageFailed(
                    f"it is more than {_PATIENCE_SECONDS:g} s behind its primary; see how fast it"
                    " replays the journal"
                )
            time.sleep(_LOOK_SECONDS)


def _has_replayed(connection: Connection, position: Position) -> bool:
    row = connection.execute(_STANDING, (position.at,)).fetchone()
    is_standby, cluster, database, table, timeline, has_replayed = row
    if not is_standby:
        raise StorageFailed("it is no standby; name one of the primary")
    if (cluster, timeline) != (position.cluster, position.timeline):
        raise StorageFailed("it does not follow this primary; name one that does")
    if database != position.database:
        raise StorageFailed("it is another database of this primary; name the same one")
    if has_replayed and table != position.table:  # before, the table may not be there yet
        raise StorageFailed("it is another schema of this database; name the same one")
    return bool(has_replayed)
