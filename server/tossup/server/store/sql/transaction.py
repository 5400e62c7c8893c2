"""What a write transaction does alike on every database.

Stage: ingest to tally. Days are stored as text and numbers as integers everywhere, so that most
statements are the same; those that differ are in the modules of the two databases.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import date
from itertools import islice
from typing import Any, ClassVar, Final, NoReturn

from tossup.server.store.parsed import ParsedManifests, state_on
from tossup.server.store.records import (
    Chunk,
    Count,
    Cursor,
    IdBlock,
    Standing,
    SurveyDeleted,
    SurveyRecord,
    SurveyUnknown,
)
from tossup.server.store.sql.pool import Connection
from tossup.shared.survey import Survey

#: Changes of counters that are held and sent to the database at once: a few megabytes of memory.
MOST_COUNTS: Final = 1 << 14
#: A counter's place is its stratum, then so many bits of its value.
VALUE_BITS: Final = 32

#: The number of the manifest with a digest.
_NUMBER: Final = "(SELECT number FROM manifests WHERE digest = ?)"

CountedCell = tuple[str, str, str]  # digest of the manifest, question and day

SELECT_DELETED = "SELECT deleted_on FROM surveys WHERE id = ?"
SELECT_IDS = "SELECT id FROM surveys WHERE deleted_on IS NULL ORDER BY id"
SELECT_CHUNK = (
    "SELECT m.digest, c.question, c.day, c.ids, c.columns, c.attributes"
    " FROM chunks c JOIN manifests m ON m.number = c.manifest"
)


def select_surveys(surveys: str) -> str:
    """Return the statement that selects the rows of `ParsedManifests.record`."""
    return (
        "SELECT s.closed_on, s.expired_on, s.reports, s.revision, m.digest, m.envelope"  # noqa: S608
        f" FROM {surveys} s JOIN manifests m ON m.number = s.manifest AND s.deleted_on IS NULL"
    )


def chunk_of(row: tuple[str, str | None, str, bytes, bytes, bytes]) -> Chunk:
    """Return the chunk in a row of `SELECT_CHUNK`."""
    digest, question, day, ids, columns, attributes = row
    return Chunk(digest, question, date.fromisoformat(day), ids, columns, attributes)


def missing(deleted: list[Any]) -> SurveyUnknown:
    """Return why a survey is not there, for the rows of `SELECT_DELETED`."""
    if deleted:
        return SurveyDeleted(
            f"the survey was deleted on {deleted[0][0]}; nothing of it is kept or counted any more"
        )
    return SurveyUnknown("no survey has this id here; `tossup survey list` shows them")


def _by_cell(counts: Iterable[Count]) -> dict[CountedCell, dict[int, int]]:
    """Return the sum of changes of every counter, by manifest, question and day, then by place."""
    cells: defaultdict[tuple[str, str, date], dict[int, int]] = defaultdict(dict)
    for manifest, question, day, stratum, value, change in counts:
        sums = cells[manifest, question, day]
        place = stratum << VALUE_BITS | value
        sums[place] = sums.get(place, 0) + change
    return {
        (manifest, question, day.isoformat()): sums
        for (manifest, question, day), sums in cells.items()
    }


class Transaction(ABC):
    """One durable write, alone on its shard. What it reads cannot change before it commits.

    Attributes
    ----------
    day
        The server's day, UTC, all through the transaction.
    history
        Changes when what an earlier transaction committed may be gone, and is to be read anew.
    """

    history: object = None

    #: The shard whose ids and counters are changed; who has all of them may go from one to another.
    shard: int = 0

    #: The table or view with each survey's number of reports and revision.
    SURVEYS: ClassVar[str] = "surveys"
    #: Rows of ids that are read at once, of some megabytes; while others are read these are sorted.
    _PAGE: ClassVar[int] = 256

    def __init__(self, connection: Connection, parsed: ParsedManifests, day: date) -> None:
        self._connection = connection
        self._parsed = parsed
        self.day = day

    @staticmethod
    @abstractmethod
    def failures() -> AbstractContextManager[None]:
        """Turn what the database raises into `StorageFailed`."""

    def _owner(self, survey_id: str) -> dict[str, object]:
        """Return the columns that say whose a kept row is."""
        return {"survey": survey_id}

    @abstractmethod
    def _standing(self, survey_id: str) -> Any:
        """Return the last day if it was ended by hand, the revision, and the current digest."""

    @abstractmethod
    def _change(self, survey_id: str, cells: dict[CountedCell, dict[int, int]]) -> None:
        """Add to counters; one that would fall below zero is refused by the schema."""

    @abstractmethod
    def _revise(self, survey_id: str, reports: int) -> None:
        """Add to the survey's number of reports, and one to its revision."""

    def standing(self, survey_id: str) -> Standing:
        """Return the survey's state today and its revision.

        Raises
        ------
        SurveyUnknown
            If there is none with this id.
        """
        ended, revision, digest = self._standing(survey_id)
        survey = self._parsed.known(digest) or self.survey(survey_id).survey
        closed = ended is not None
        state = state_on(self.day, survey, closed_by_hand=closed)
        return Standing(state, revision, survey, closed)

    def survey(self, survey_id: str) -> SurveyRecord:
        """Return the survey's record.

        Raises
        ------
        SurveyUnknown
            If there is none with this id.
        """
        row = self._one(f"{select_surveys(self.SURVEYS)} WHERE s.id = ?", survey_id)
        return self._parsed.record(row, self.day)

    def add_manifest(self, survey: Survey, envelope: bytes) -> None:
        """Keep a version and make it the current one."""
        number = self._returned(
            "INSERT INTO manifests (digest, survey, version, envelope) VALUES (?, ?, ?, ?)"
            " RETURNING number",
            survey.digest,
            survey.id,
            survey.version,
            envelope,
        )
        self._rows(
            "INSERT INTO surveys (id, manifest) VALUES (?, ?) ON CONFLICT (id)"
            " DO UPDATE SET manifest = excluded.manifest, revision = surveys.revision + 1",
            survey.id,
            number,
        )

    def close_survey(self, survey_id: str) -> None:
        """Close the survey by hand, today; a second time changes nothing."""
        self.standing(survey_id)
        self._rows(
            "UPDATE surveys SET closed_on = ?, revision = revision + 1"
            " WHERE id = ? AND closed_on IS NULL",
            self.day.isoformat(),
            survey_id,
        )

    def reopen_survey(self, survey_id: str) -> None:
        """Take back that the survey was closed by hand."""
        self.standing(survey_id)
        self._rows(
            "UPDATE surveys SET closed_on = NULL, revision = revision + 1"
            " WHERE id = ? AND closed_on IS NOT NULL",
            survey_id,
        )

    def delete_survey(self, survey_id: str) -> None:
        """Delete a survey's reports, counters and withdrawn ids, and close it for good.

        Its manifests stay, so that its id is never taken again.

        Raises
        ------
        SurveyUnknown
            If there is none with this id, or not any more.
        """
        self.standing(survey_id)
        self._delete_counts(survey_id)
        self._delete_reports(survey_id)
        self._rows(
            "UPDATE surveys SET deleted_on = ?, reports = 0, revision = revision + 1 WHERE id = ?",
            self.day.isoformat(),
            survey_id,
        )

    def expire(self, survey_id: str) -> None:
        """Delete a survey's single reports and withdrawn ids; its counters stay."""
        self._delete_reports(survey_id)
        self._rows(
            "UPDATE surveys SET expired_on = ?, revision = revision + 1 WHERE id = ?",
            self.day.isoformat(),
            survey_id,
        )

    def ids_after(self, survey_id: str, cursor: Cursor) -> Iterator[IdBlock]:
        """Yield the ids kept since ``cursor``, as they are read; what was withdrawn comes last.

        Chunks that may grow can be among them although nothing was added.
        """
        for number, ids in self._grown(survey_id, cursor.chunk):
            yield IdBlock(number, ids)
        for number, ids in self._after("chunks", survey_id, cursor.chunk):
            yield IdBlock(number, ids)
        for number, ids in self._after("withdrawals", survey_id, cursor.withdrawal):
            yield IdBlock(None, ids, number)

    def append(self, survey_id: str, chunk: Chunk, *, growing: bool = False) -> int:
        """Keep a chunk and return its number, above all earlier ones.

        With ``growing`` it is the chunk that `growing` finds for its manifest, question and day.
        """
        row = {
            "manifest": chunk.manifest,
            "question": chunk.question,
            "day": chunk.day.isoformat(),
            "ids": chunk.ids,
            "columns": chunk.columns,
            "attributes": chunk.attributes,
            "growing": int(growing),
        }
        return self._keep("chunks", self._owner(survey_id) | row)

    def withdraw_ids(self, survey_id: str, ids: bytes) -> int:
        """Remember ids whose reports must never be counted again; return the entry's number."""
        return self._keep("withdrawals", self._owner(survey_id) | {"ids": ids})

    @abstractmethod
    def growing(self, manifest: str, question: str | None) -> tuple[int, Chunk] | None:
        """Return today's chunk that may still grow, and its number."""

    @abstractmethod
    def grow(self, survey_id: str, number: int, chunk: Chunk) -> int:
        """Put a chunk in place of the one that may grow; return its number from now on.

        `ids_after` tells others of what was added, whatever the number is.
        """

    @abstractmethod
    def finish(self, number: int) -> int:
        """End the growth of a chunk; return its number from now on."""

    def chunk(self, number: int) -> Chunk | None:
        """Return a chunk, or None if all its reports were withdrawn."""
        rows = self._rows(f"{SELECT_CHUNK} WHERE c.number = ?", number)
        return chunk_of(rows[0]) if rows else None

    def replace(self, number: int, chunk: Chunk) -> None:
        """Put a chunk in place of one; a chunk without reports is removed."""
        if chunk.ids:
            self._rows(
                "UPDATE chunks SET ids = ?, columns = ?, attributes = ? WHERE number = ?",
                chunk.ids,
                chunk.columns,
                chunk.attributes,
                number,
            )
        else:
            self._rows("DELETE FROM chunks WHERE number = ?", number)

    def count(self, survey_id: str, counts: Iterable[Count], reports: int) -> None:
        """Add to the counters and to the survey's number of reports, and one to its revision.

        A transaction that appends or withdraws calls this once.
        """
        waiting = iter(counts)
        while cells := _by_cell(islice(waiting, MOST_COUNTS)):
            self._change(survey_id, cells)
        self._revise(survey_id, reports)

    def _grown(self, _survey_id: str, _number: int) -> list[tuple[int, bytes]]:
        """Return number and ids of a survey's chunks that may have grown under a number known."""
        return []

    def _after(self, table: str, survey_id: str, number: int) -> Iterator[tuple[int, bytes]]:
        """Yield number and ids of a survey's rows beyond a number, in their order."""
        while rows := self._page(table, survey_id, number):
            yield from rows
            if len(rows) < self._PAGE:
                return
            number = rows[-1][0]

    @abstractmethod
    def _page(self, table: str, survey_id: str, number: int) -> list[tuple[int, bytes]]:
        """Return the next `_PAGE` of a survey's rows beyond a number, in their order."""

    @abstractmethod
    def _delete_counts(self, survey_id: str) -> None:
        """Delete a survey's counters."""

    def _delete_reports(self, survey_id: str) -> None:
        self._rows("DELETE FROM chunks WHERE survey = ?", survey_id)
        self._rows("DELETE FROM withdrawals WHERE survey = ?", survey_id)

    def _keep(self, table: str, row: dict[str, object]) -> int:
        """Insert a row and return its number; it names its manifest by digest."""
        values = ", ".join(_NUMBER if column == "manifest" else "?" for column in row)
        sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({values}) RETURNING number"  # noqa: S608
        return int(self._returned(sql, *row.values()))

    def _returned(self, sql: str, *parameters: object) -> Any:
        """Run a statement that returns one value, to its end; None if it touched no row."""
        rows = self._rows(sql, *parameters)
        return rows[0][0] if rows else None

    def _one(self, sql: str, survey_id: str) -> Any:
        rows = self._rows(sql, survey_id)
        if not rows:
            self._missing(survey_id)
        return rows[0]

    def _missing(self, survey_id: str) -> NoReturn:
        raise missing(self._rows(SELECT_DELETED, survey_id))

    def _rows(self, sql: str, *parameters: object) -> list[Any]:
        """Run a statement to its end, and return its rows."""
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except Exception:
            with self.failures():  # only now: entering it would cost as much as a small statement
                raise
