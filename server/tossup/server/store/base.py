"""A store: what it does alike on every database, and what goes in and out.

Stage: ingest to tally. SQLite and PostgreSQL fill in where they differ. Reads see one snapshot
each and never wait for a writer. Rules about surveys live above; a store keeps what it is given,
durably.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar, Final

from tossup.server.store.drafts import Drafts
from tossup.server.store.members import Members
from tossup.server.store.parsed import ParsedManifests, radix_digits
from tossup.server.store.records import (
    Chunk,
    Found,
    ManifestDamaged,
    ManifestUnknown,
    SurveyRecord,
)
from tossup.server.store.sql.pool import Connection, Pool
from tossup.server.store.sql.together import Scopes, Together
from tossup.server.store.sql.transaction import (
    SELECT_CHUNK,
    SELECT_DELETED,
    SELECT_IDS,
    Transaction,
    chunk_of,
    missing,
    select_surveys,
)
from tossup.server.store.tally import Cell, SparseCounts
from tossup.shared.survey import Survey
from tossup.shared.wire import ID_BYTES

_CONFIRM_DAY: Final = (
    "INSERT INTO known_day VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET day = excluded.day"
)
_NOTE_DAY: Final = f"{_CONFIRM_DAY} WHERE excluded.day > known_day.day"


class Store(Drafts, Members, ABC):
    """Surveys, drafts, reports, tallies, and who may look. Safe to share between threads.

    Parameters
    ----------
    pool
        Connections to it. Each store takes ``connect``, which opens one: tests pass one that
        records, fails or dies.
    day
        Returns the day of the machine's clock, UTC.

    Raises
    ------
    SchemaTooNew
        If a newer Tossup wrote the database.
    StorageFailed
        If it cannot be reached or opened, or is not durable.
    """

    #: So many transactions can be under way at once, each on its own share of the ids.
    shards: int = 1

    _transactions: ClassVar[type[Transaction]]
    #: Counters with the survey of each: a query in parentheses, or a view.
    _counted: ClassVar[str]
    #: What chunks are ordered by, the same at each reading, so that those of a day are together.
    _chunk_order: ClassVar[str]
    _BEGIN_SNAPSHOT: ClassVar[str]

    def __init__(self, pool: Pool, day: Callable[[], date]) -> None:
        self._pool = pool
        #: The day of the machine's clock, which may go back; `today` is the server's.
        self.clock = day
        self._known: date | None = None
        self._looked = False
        self._parsed = ParsedManifests()
        self._scopes = Scopes()
        self._surveys = self._transactions.SURVEYS
        self._failures = self._transactions.failures

    @property
    def history(self) -> object:
        """Changes when what was read before may be gone, whatever its revision was."""
        return None

    @abstractmethod
    def _begun(self, *shards: int) -> AbstractContextManager[Connection]:
        """Begin a transaction that no other one of these shards can interleave with.

        Without shards it is a change outside ingest, alone among such changes.
        """

    @abstractmethod
    def _lock(self, connection: Connection, *shards: int) -> None:
        """Wait for these shards in a transaction that has begun."""

    @abstractmethod
    def _scrub(self) -> None:
        """Overwrite on disk what was deleted."""

    @abstractmethod
    def _streamed(
        self, connection: Connection, sql: str, parameters: tuple[object, ...]
    ) -> Iterable[Any]:
        """Return the rows of a statement as they are asked for."""

    @abstractmethod
    def write(self, shard: int | None = None) -> AbstractContextManager[Transaction]:
        """Begin a transaction: committed, durably, when the block ends; undone if it raises.

        Parameters
        ----------
        shard
            The share of the ids that it learns, keeps and counts, from 0; None for everything.

        Raises
        ------
        StorageFailed
            If the transaction could not begin or commit; its methods raise the same, where the
            storage fails.
        """

    @abstractmethod
    def check_writable(self) -> None:
        """Write a row and take it back.

        Raises
        ------
        StorageFailed
            If reports could not be stored now: the disk is full, read-only or gone.
        """

    def check_replica(self) -> None:
        """Look whether results can be read from the standby, if one is named.

        Raises
        ------
        StorageFailed
            If they are read from the primary instead.
        """

    @abstractmethod
    def faults(self) -> list[str]:
        """Return what is damaged in the file, by its own structure; nothing if it is whole."""

    @contextmanager
    def together(self) -> Iterator[Together]:
        """Make all that this thread changes in a block one transaction, by whatever methods.

        It begins with the first change, and is committed, durably, when the block ends; if the
        block raises, or one of the changes does, all of them are undone. A block within a block is
        a part of it.

        Raises
        ------
        StorageFailed
            If the transaction could not commit, or one change was undone before another.
        """
        if self._scopes.now is not None:
            yield self._scopes.now
            return
        scope = self._scopes.now = Together()
        try:
            yield scope
            scope.commit()
        except BaseException:
            scope.undo()
            raise
        finally:
            self._scopes.now = None
        for action in scope.afterwards:
            action()

    def scrub(self) -> None:
        """Overwrite on disk what was deleted since the last time; at the end of a `together`."""
        if self._scopes.now is None:
            self._scrub()
        else:
            self._scopes.now.afterwards.append(self._scrub)

    def surveys(self) -> list[SurveyRecord]:
        """Return all surveys, by id.

        Raises
        ------
        ManifestDamaged
            If one cannot be read.
        """
        rows = self._rows(f"{select_surveys(self._surveys)} ORDER BY s.id")
        return [self._parsed.record(row, self.today()) for row in rows]

    def readable(self) -> tuple[list[SurveyRecord], list[str]]:
        """Return the surveys that can be read, and the ids of those that are damaged, by id.

        A survey is damaged if one of its versions is.
        """
        versions = self._rows("SELECT survey, digest FROM manifests")
        damaged = {name for name, digest in versions if self._is_damaged(digest)}
        apart = {digest for name, digest in versions if name in damaged}
        rows = self._rows(f"{select_surveys(self._surveys)} ORDER BY s.id")
        records = [self._parsed.record(row, self.today()) for row in rows if row[4] not in apart]
        return records, [name for name in self.survey_ids() if name in damaged]

    def survey_ids(self) -> list[str]:
        """Return the ids of all surveys, in order, also of those that are damaged."""
        return [row[0] for row in self._rows(SELECT_IDS)]

    def survey(self, survey_id: str) -> SurveyRecord:
        """Return a survey.

        Raises
        ------
        SurveyUnknown
            If there is none with this id.
        """
        rows = self._rows(f"{select_surveys(self._surveys)} WHERE s.id = ?", survey_id)
        if not rows:
            raise missing(self._rows(SELECT_DELETED, survey_id))
        return self._parsed.record(rows[0], self.today())

    def manifests(self, survey_id: str) -> list[Survey]:
        """Return all versions of a survey, oldest first."""
        rows = self._rows(
            "SELECT digest, envelope FROM manifests WHERE survey = ? ORDER BY version", survey_id
        )
        return [self._parsed.survey(digest, envelope) for digest, envelope in rows]

    def manifest(self, digest: str) -> Survey:
        """Return the version with this digest.

        Raises
        ------
        ManifestUnknown
            If there is none.
        ManifestDamaged
            If it is not as it was stored.
        """
        return self._parsed.known(digest) or self._parsed.survey(digest, self.envelope(digest))

    def _is_damaged(self, digest: str) -> bool:
        try:
            self.manifest(digest)
        except ManifestDamaged:
            return True
        return False

    def envelope(self, digest: str) -> bytes:
        """Return the signed bytes of the version with this digest.

        Raises
        ------
        ManifestUnknown
            If there is none.
        """
        rows = self._rows("SELECT envelope FROM manifests WHERE digest = ?", digest)
        if not rows:
            raise ManifestUnknown("no survey here has this manifest")
        return bytes(rows[0][0])

    def tally(self, survey_id: str) -> list[Cell]:
        """Return the counters of a survey, all versions, questions, days and strata."""
        return self._read(lambda connection: self._tally_now(connection, survey_id))

    def tally_size(self, survey_id: str, most: int) -> tuple[int, int]:
        """Return how many counters of a survey are above 0, and of how many days they are.

        It looks no further than ``most``.
        """
        sql = (
            "SELECT count(*), count(DISTINCT day) FROM (SELECT t.day"  # noqa: S608
            f" FROM {self._counted} t WHERE t.survey = ? AND t.n > 0 LIMIT ?) AS found"
        )
        counters, days = self._read(lambda c: c.execute(sql, (survey_id, most)).fetchone())
        return int(counters), int(days)

    def last_day(self, survey_id: str) -> date | None:
        """Return the last day with a report, or None."""
        rows = self._rows(
            f"SELECT max(day) FROM {self._counted} t WHERE survey = ? AND n > 0",  # noqa: S608
            survey_id,
        )
        return date.fromisoformat(rows[0][0]) if rows[0][0] else None

    def reports_by_day(self, survey_id: str, since: date) -> dict[date, int]:
        """Return how many single reports are kept of each day with any, from a day on."""
        rows = self._rows(
            "SELECT day, sum(length(ids)) FROM chunks WHERE survey = ? AND day >= ? GROUP BY day",
            survey_id,
            since.isoformat(),
        )
        return {date.fromisoformat(day): int(size) // ID_BYTES for day, size in rows}

    def withdrawn(self, survey_id: str) -> list[bytes]:
        """Return the ids whose reports must never be counted again, in blobs of 16 bytes each."""
        return [
            bytes(ids)
            for (ids,) in self._rows("SELECT ids FROM withdrawals WHERE survey = ?", survey_id)
        ]

    def read_chunks(self, survey_id: str, work: Callable[[Iterator[Chunk]], Found]) -> Found:
        """Return what ``work`` makes of a survey's chunks as they stood at one moment, for results.

        Where a read fails half way and there is another place to read from, ``work`` is called
        again, from the beginning.
        """

        def reading(connection: Connection) -> Found:
            connection.execute(self._BEGIN_SNAPSHOT)
            found = work(self._chunks(connection, survey_id))
            connection.execute("COMMIT")
            return found

        return self._read(reading)

    @contextmanager
    def audit(self, survey_id: str) -> Iterator[tuple[list[Cell], Iterator[Chunk]]]:
        """Return tallies and chunks as they stood at one moment, for a recount."""
        with self._failures(), self._pool.lend() as connection:
            connection.execute(self._BEGIN_SNAPSHOT)
            cells = self._tally(connection, survey_id)
            yield cells, self._chunks(connection, survey_id)
            connection.execute("COMMIT")

    def latest_time(self) -> int:
        """Return the latest time that was noted, in seconds since 1970; 0 for none."""
        rows = self._rows("SELECT seconds FROM latest_time")
        return int(rows[0][0]) if rows else 0

    def note_time(self, now: int) -> None:
        """Note a time, unless a later one was noted."""
        self._change(
            "INSERT INTO latest_time VALUES (1, ?)"
            " ON CONFLICT (one) DO UPDATE SET seconds = excluded.seconds"
            " WHERE excluded.seconds > latest_time.seconds",
            now,
        )

    def last_backup(self) -> int:
        """Return when the last backup was begun, in seconds since 1970; 0 for none."""
        rows = self._rows("SELECT seconds FROM last_backup")
        return int(rows[0][0]) if rows else 0

    def note_backup(self, began: int) -> None:
        """Note when a backup was begun, once it is whole."""
        self._change(
            "INSERT INTO last_backup VALUES (1, ?)"
            " ON CONFLICT (one) DO UPDATE SET seconds = excluded.seconds",
            began,
        )

    def today(self) -> date:
        """Return the server's day: that of the clock, or a later one that was noted before.

        So no day comes twice, and nothing that is over begins again, where a clock is set back.
        What another process notes or confirms is seen when `known_day` is read: once an hour in a
        server.
        """
        day = self.clock()
        known = self._known if self._looked else self.known_day()
        return day if known is None else max(day, known)

    def known_day(self) -> date | None:
        """Return the latest day that was noted; None for none."""
        rows = self._rows("SELECT day FROM known_day")
        self._known = date.fromisoformat(rows[0][0]) if rows else None
        self._looked = True
        return self._known

    def note_day(self, day: date, *, confirmed: bool = False) -> None:
        """Note a day; unless it is confirmed, not if a later one was noted."""
        self._change(_CONFIRM_DAY if confirmed else _NOTE_DAY, day.isoformat())
        self.known_day()

    def close(self) -> None:
        """Let go of files and connections."""
        self._pool.close()

    def _read(self, work: Callable[[Connection], Found]) -> Found:
        """Return what is read for results, outside every block of changes; it may take long."""
        with self._failures(), self._pool.lend() as connection:
            return work(connection)

    def _rows(self, sql: str, *parameters: object) -> list[Any]:
        """Return what is there, and what this thread changed in its block."""
        scope = self._scopes.now
        if scope is not None and scope.connection is not None:
            return self._change(sql, *parameters)
        with self._failures(), self._pool.lend() as connection:
            return connection.execute(sql, parameters).fetchall()

    def _change(self, sql: str, *parameters: object) -> list[Any]:
        with self._changing() as connection:
            return connection.execute(sql, parameters).fetchall()

    def _changing(self, *shards: int) -> AbstractContextManager[Connection]:
        """Begin a change, or join those of the block that this thread is in."""
        scope = self._scopes.now
        return self._begun(*shards) if scope is None else self._joining(scope, *shards)

    @contextmanager
    def _joining(self, scope: Together, *shards: int) -> Iterator[Connection]:
        with self._failures(), scope.change(self._begun) as connection:
            self._lock(connection, *shards)
            yield connection

    def _chunks(self, connection: Connection, survey_id: str) -> Iterator[Chunk]:
        """Return the chunks of a survey as they are asked for; the connection is in a snapshot."""
        sql = f"{SELECT_CHUNK} WHERE c.survey = ? ORDER BY {self._chunk_order}"
        return map(chunk_of, self._streamed(connection, sql, (survey_id,)))

    def _tally_now(self, connection: Connection, survey_id: str) -> list[Cell]:
        connection.execute(self._BEGIN_SNAPSHOT)
        cells = self._tally(connection, survey_id)
        connection.execute("COMMIT")
        return cells

    def _tally(self, connection: Connection, survey_id: str) -> list[Cell]:
        """Return the counters of a survey; the connection is in a snapshot."""
        manifests = connection.execute(
            "SELECT number, digest, envelope FROM manifests WHERE survey = ?", (survey_id,)
        ).fetchall()
        # In the rows of counters, the bytes of a manifest would be copied for each of them.
        versions = {number: self._parsed.survey(*known) for number, *known in manifests}
        rows = connection.execute(
            "SELECT m.number, t.question, t.day, t.stratum, t.value, t.n"  # noqa: S608
            f" FROM {self._counted} t JOIN manifests m ON m.number = t.manifest"
            " WHERE t.survey = ? AND t.n > 0"
            " ORDER BY m.version, t.question, t.day, t.stratum, t.value",
            (survey_id,),
        )
        return [
            _cell(versions[number], question, day, stratum, {row[4]: row[5] for row in group})
            for (number, question, day, stratum), group in groupby(rows, key=itemgetter(0, 1, 2, 3))
        ]


def _cell(survey: Survey, question_id: str, day: str, stratum: int, counts: dict[int, int]) -> Cell:
    return Cell(
        manifest=survey.digest,
        question=question_id,
        day=date.fromisoformat(day),
        stratum=radix_digits(stratum, survey),
        counts=SparseCounts(counts, survey.question(question_id).mechanism.counters),
    )
