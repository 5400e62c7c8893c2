"""What a store does alike on every database.

Stage: ingest to tally. Reads see one snapshot each and never wait for a writer.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar

from tossup.server.store.base import (
    Chunk,
    Found,
    ManifestUnknown,
    Store,
    SurveyRecord,
    Together,
)
from tossup.server.store.parsed import ParsedManifests, radix_digits
from tossup.server.store.sql.pool import Connection, Pool
from tossup.server.store.sql.together import Joined, Scopes
from tossup.server.store.sql.transaction import (
    SELECT_CHUNK,
    SELECT_DELETED,
    SQLTransaction,
    chunk_of,
    missing,
    select_surveys,
)
from tossup.server.store.tally import Cell, SparseCounts
from tossup.shared.survey import Survey
from tossup.shared.wire import ID_BYTES


class SQLStore(Store):
    """A store in a database that speaks SQL.

    Parameters
    ----------
    pool
        Connections to it. Each store takes ``connect``, which opens one: tests pass one that
        records, fails or dies.
    day
        Returns the server's day.

    Raises
    ------
    SchemaTooNew
        If a newer Tossup wrote the database.
    StorageFailed
        If it cannot be reached or opened, or is not durable.
    """

    _transactions: ClassVar[type[SQLTransaction]]
    #: Counters with the survey of each: a query in parentheses, or a view.
    _counted: ClassVar[str]
    _BEGIN_SNAPSHOT: ClassVar[str]

    def __init__(self, pool: Pool, day: Callable[[], date]) -> None:
        self._pool = pool
        self._day = day
        self._parsed = ParsedManifests()
        self._scopes = Scopes()
        self._surveys = self._transactions.SURVEYS
        self._failures = self._transactions.failures

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

    @contextmanager
    def together(self) -> Iterator[Together]:
        """Make all that this thread changes in the block one transaction."""
        if self._scopes.now is not None:
            yield self._scopes.now
            return
        scope = self._scopes.now = Joined()
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
        """Overwrite on disk what was deleted, once that is durable."""
        if self._scopes.now is None:
            self._scrub()
        else:
            self._scopes.now.afterwards.append(self._scrub)

    def surveys(self) -> list[SurveyRecord]:
        """Return all surveys, by id."""
        rows = self._rows(f"{select_surveys(self._surveys)} ORDER BY s.id")
        return [self._parsed.record(row, self._day()) for row in rows]

    def survey(self, survey_id: str) -> SurveyRecord:
        """Return a survey."""
        rows = self._rows(f"{select_surveys(self._surveys)} WHERE s.id = ?", survey_id)
        if not rows:
            raise missing(self._rows(SELECT_DELETED, survey_id))
        return self._parsed.record(rows[0], self._day())

    def manifests(self, survey_id: str) -> list[Survey]:
        """Return all versions of a survey, oldest first."""
        rows = self._rows(
            "SELECT digest, envelope FROM manifests WHERE survey = ? ORDER BY version", survey_id
        )
        return [self._parsed.survey(digest, envelope) for digest, envelope in rows]

    def manifest(self, digest: str) -> Survey:
        """Return the version with this digest; from memory after the first time."""
        return self._parsed.known(digest) or self._parsed.survey(digest, self.envelope(digest))

    def envelope(self, digest: str) -> bytes:
        """Return the signed bytes of a version."""
        rows = self._rows("SELECT envelope FROM manifests WHERE digest = ?", digest)
        if not rows:
            raise ManifestUnknown("no survey here has this manifest")
        return bytes(rows[0][0])

    def tally(self, survey_id: str) -> list[Cell]:
        """Return the counters of a survey."""
        return self._read(lambda connection: self._tally_now(connection, survey_id))

    def tally_size(self, survey_id: str, most: int) -> tuple[int, int]:
        """Return how many counters are above 0 and their days, looking no further than ``most``."""
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
        """Return how many reports are kept of each day, by the length of their ids."""
        rows = self._rows(
            "SELECT day, sum(length(ids)) FROM chunks WHERE survey = ? AND day >= ? GROUP BY day",
            survey_id,
            since.isoformat(),
        )
        return {date.fromisoformat(day): int(size) // ID_BYTES for day, size in rows}

    def withdrawn(self, survey_id: str) -> list[bytes]:
        """Return the withdrawn ids, some to a row."""
        return [
            bytes(ids)
            for (ids,) in self._rows("SELECT ids FROM withdrawals WHERE survey = ?", survey_id)
        ]

    def read_chunks(self, survey_id: str, work: Callable[[Iterator[Chunk]], Found]) -> Found:
        """Return what ``work`` makes of a survey's chunks, of one snapshot."""

        def reading(connection: Connection) -> Found:
            connection.execute(self._BEGIN_SNAPSHOT)
            found = work(self._chunks(connection, survey_id))
            connection.execute("COMMIT")
            return found

        return self._read(reading)

    @contextmanager
    def audit(self, survey_id: str) -> Iterator[tuple[list[Cell], Iterator[Chunk]]]:
        """Return tallies and chunks of one snapshot."""
        with self._failures(), self._pool.lend() as connection:
            connection.execute(self._BEGIN_SNAPSHOT)
            cells = self._tally(connection, survey_id)
            yield cells, self._chunks(connection, survey_id)
            connection.execute("COMMIT")

    def latest_time(self) -> int:
        """Return the latest time that was noted."""
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

    def known_day(self) -> date | None:
        """Return the latest day that was noted."""
        rows = self._rows("SELECT day FROM known_day")
        return date.fromisoformat(rows[0][0]) if rows else None

    def note_day(self, day: date) -> None:
        """Note a day, unless a later one was noted."""
        self._change(
            "INSERT INTO known_day VALUES (1, ?)"
            " ON CONFLICT (one) DO UPDATE SET day = excluded.day"
            " WHERE excluded.day > known_day.day",
            day.isoformat(),
        )

    def close(self) -> None:
        """Close the pooled connections."""
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
    def _joining(self, scope: Joined, *shards: int) -> Iterator[Connection]:
        with self._failures(), scope.change(self._begun) as connection:
            self._lock(connection, *shards)
            yield connection

    def _chunks(self, connection: Connection, survey_id: str) -> Iterator[Chunk]:
        """Return the chunks of a survey as they are asked for; the connection is in a snapshot."""
        sql = f"{SELECT_CHUNK} WHERE c.survey = ?"
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
