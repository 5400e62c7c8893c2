"""The SQLite store: one file, WAL, durable commits, exclusive write transactions.

Stage: ingest to tally. Reads see one snapshot each and never wait for the writer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import groupby
from pathlib import Path
from shutil import disk_usage
from typing import Any, Final

from tossup.server.clock import today
from tossup.server.store.base import (
    Chunk,
    ManifestUnknown,
    StorageFailed,
    Store,
    SurveyRecord,
    Transaction,
)
from tossup.server.store.connection import (
    Connect,
    Connection,
    Pool,
    connect,
    create_file,
    storage_failures,
)
from tossup.server.store.drafts import SQLiteDrafts
from tossup.server.store.members import SQLiteMembers
from tossup.server.store.parsed import ParsedManifests, radix_digits
from tossup.server.store.schema import migrate
from tossup.server.store.sqlite_transaction import (
    SELECT_CHUNK,
    SELECT_DELETED,
    SELECT_ONE_SURVEY,
    SELECT_SURVEY,
    SQLiteTransaction,
    chunk_of,
    missing,
)
from tossup.server.store.tally import Cell, SparseCounts
from tossup.shared.survey import Survey
from tossup.shared.wire import ID_BYTES, MAX_BODY_BYTES

_TRIAL_BYTES: Final = 32 * 1024
_MAX_FAULTS: Final = 10


class SQLiteStore(SQLiteDrafts, SQLiteMembers, Store):
    """A store in one SQLite file.

    Parameters
    ----------
    path
        The file; it and its folder are created, readable by their owner alone.
    day
        Returns the server's day.
    connect
        Opens a connection; tests pass one that records, fails or dies.

    Raises
    ------
    SchemaTooNew
        If a newer Tossup wrote the file.
    StorageFailed
        If the file cannot be opened durably.
    """

    def __init__(
        self, path: Path, *, day: Callable[[], date] = today, connect: Connect = connect
    ) -> None:
        self._path = path
        self._pool = Pool(path, connect)
        self._day = day
        self._parsed = ParsedManifests()
        with storage_failures():
            create_file(path)
            with self._pool.lend() as connection:
                migrate(connection)

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """Begin a transaction that no other process can interleave with."""
        # A block that raises loses its connection (see Pool.lend), and with it the transaction.
        with storage_failures(), self._pool.lend() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield SQLiteTransaction(connection, self._parsed, self._day())
            connection.execute("COMMIT")

    def surveys(self) -> list[SurveyRecord]:
        """Return all surveys, by id."""
        rows = self._rows(f"{SELECT_SURVEY} ORDER BY s.id")
        return [self._parsed.record(row, self._day()) for row in rows]

    def survey(self, survey_id: str) -> SurveyRecord:
        """Return a survey."""
        rows = self._rows(SELECT_ONE_SURVEY, survey_id)
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
        with storage_failures(), self._pool.lend() as connection:
            return self._tally(connection, survey_id)

    def tally_size(self, survey_id: str, most: int) -> tuple[int, int]:
        """Return how many counters are above 0 and their days, looking no further than ``most``."""
        rows = self._rows(
            "SELECT count(*), count(DISTINCT day) FROM (SELECT t.day FROM manifests m"
            " JOIN tallies t ON t.manifest = m.number WHERE m.survey = ? AND t.n > 0 LIMIT ?)",
            survey_id,
            most,
        )
        return int(rows[0][0]), int(rows[0][1])

    def last_day(self, survey_id: str) -> date | None:
        """Return the last day with a report, or None."""
        rows = self._rows(
            "SELECT max(day) FROM tallies JOIN manifests m ON m.number = manifest"
            " WHERE m.survey = ? AND n > 0",
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
        return {date.fromisoformat(day): size // ID_BYTES for day, size in rows}

    @contextmanager
    def audit(self, survey_id: str) -> Iterator[tuple[list[Cell], Iterator[Chunk]]]:
        """Return tallies and chunks of one snapshot."""
        with storage_failures(), self._pool.lend() as connection:
            connection.execute("BEGIN")
            chunks = connection.execute(f"{SELECT_CHUNK} WHERE c.survey = ?", (survey_id,))
            yield self._tally(connection, survey_id), (chunk_of(row) for row in chunks)
            connection.execute("COMMIT")

    def scrub(self) -> None:
        """Bring the journal's pages, with what was overwritten, into the file."""
        self._rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def check_writable(self) -> None:
        """Write a row that is larger than the cache, so that it reaches the disk, and take it back.

        The journal may have room on a disk that is full, so the disk is asked as well.
        """
        with storage_failures(), self._pool.lend() as connection:
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

    def latest_time(self) -> int:
        """Return the latest time that was noted."""
        rows = self._rows("SELECT seconds FROM latest_time")
        return int(rows[0][0]) if rows else 0

    def note_time(self, now: int) -> None:
        """Note a time, unless a later one was noted."""
        self._change(
            "INSERT INTO latest_time VALUES (1, ?)"
            " ON CONFLICT (one) DO UPDATE SET seconds = max(seconds, excluded.seconds)",
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
            " ON CONFLICT (one) DO UPDATE SET day = max(day, excluded.day)",
            day.isoformat(),
        )

    def close(self) -> None:
        """Close the pooled connections."""
        self._pool.close()

    def _rows(self, sql: str, *parameters: object) -> list[Any]:
        with storage_failures(), self._pool.lend() as connection:
            return connection.execute(sql, parameters).fetchall()

    def _change(self, sql: str, *parameters: object) -> None:
        with self._changing() as connection:
            connection.execute(sql, parameters)

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        with storage_failures(), self._pool.lend() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def _tally(self, connection: Connection, survey_id: str) -> list[Cell]:
        rows = connection.execute(
            "SELECT m.digest, m.envelope, t.question, t.day, t.stratum, t.value, t.n"
            " FROM manifests m JOIN tallies t ON t.manifest = m.number"
            " WHERE m.survey = ? AND t.n > 0"
            " ORDER BY m.version, t.question, t.day, t.stratum, t.value",
            (survey_id,),
        )
        groups = groupby(rows, key=lambda row: row[:5])
        return [self._cell(key, {row[5]: row[6] for row in group}) for key, group in groups]

    def _cell(self, key: tuple[str, bytes, str, str, int], counts: dict[int, int]) -> Cell:
        digest, envelope, question_id, day, stratum = key
        survey = self._parsed.survey(digest, envelope)
        counters = survey.question(question_id).mechanism.counters
        return Cell(
            manifest=digest,
            question=question_id,
            day=date.fromisoformat(day),
            stratum=radix_digits(stratum, survey),
            counts=SparseCounts(counts, counters),
        )
