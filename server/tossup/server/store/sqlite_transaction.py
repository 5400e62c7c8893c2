"""One exclusive write transaction on SQLite."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from itertools import islice
from typing import Any, Final

from tossup.server.store.base import (
    Chunk,
    Count,
    Cursor,
    IdBlock,
    Standing,
    SurveyDeleted,
    SurveyRecord,
    SurveyUnknown,
    Transaction,
)
from tossup.server.store.connection import Connection, storage_failures
from tossup.server.store.parsed import ParsedManifests, state_on
from tossup.shared.survey import Survey

#: Changes of counters that are held and sent to SQLite at once: a few megabytes of memory.
MOST_COUNTS: Final = 1 << 14
_VALUE_BITS: Final = 32  # a counter's place is its stratum, then so many bits of its value

_Cell = tuple[str, str, str]  # digest of the manifest, question and day

SELECT_SURVEY = (
    "SELECT s.closed_on, s.expired_on, s.reports, s.revision, m.digest, m.envelope"
    " FROM surveys s JOIN manifests m ON m.number = s.manifest AND s.deleted_on IS NULL"
)
SELECT_DELETED = "SELECT deleted_on FROM surveys WHERE id = ?"
SELECT_ONE_SURVEY = f"{SELECT_SURVEY} WHERE s.id = ?"
SELECT_CHUNK = (
    "SELECT m.digest, c.question, c.day, c.ids, c.columns, c.attributes"
    " FROM chunks c JOIN manifests m ON m.number = c.manifest"
)
# The terms of the index growing_chunks, so that SQLite uses it.
_GROWING = (
    "SELECT c.number, m.digest, c.question, c.day, c.ids, c.columns, c.attributes"
    " FROM manifests m JOIN chunks c ON c.manifest = m.number"
    " WHERE m.digest = ? AND coalesce(c.question, '') = ? AND c.day = ? AND c.growing = 1"
)
_CHUNK_IDS = "SELECT number, ids FROM chunks WHERE survey = ? AND number > ? ORDER BY number"
_WITHDRAWN_IDS = (
    "SELECT number, ids FROM withdrawals WHERE survey = ? AND number > ? ORDER BY number"
)
# Changes of one manifest, question and day come as one JSON object, from place to change: its keys
# and values are columns of json_each, and json_extract would parse every row once more.
# The shift by 32 bits is _VALUE_BITS.
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


def _by_cell(counts: Iterable[Count]) -> dict[_Cell, dict[int, int]]:
    """Return the sum of changes of every counter, by manifest, question and day, then by place."""
    cells: defaultdict[_Cell, Counter[int]] = defaultdict(Counter)
    for count in counts:
        place = count.stratum << _VALUE_BITS | count.value
        cells[count.manifest, count.question, count.day.isoformat()][place] += count.change
    return dict(cells)


class SQLiteTransaction(Transaction):
    """What `SQLiteStore.write` lends between ``BEGIN IMMEDIATE`` and ``COMMIT``."""

    def __init__(self, connection: Connection, parsed: ParsedManifests, day: date) -> None:
        self._connection = connection
        self._parsed = parsed
        self.day = day

    def standing(self, survey_id: str) -> Standing:
        """Return state and revision, reading the manifest only the first time."""
        ended, revision, digest = self._one(
            "SELECT coalesce(s.closed_on, s.expired_on), s.revision, m.digest FROM surveys s"
            " JOIN manifests m ON m.number = s.manifest"
            " WHERE s.id = ? AND s.deleted_on IS NULL",
            survey_id,
        )
        survey = self._parsed.known(digest) or self.survey(survey_id).survey
        closed = ended is not None
        state = state_on(self.day, survey, closed_by_hand=closed)
        return Standing(state, revision, survey, closed)

    def survey(self, survey_id: str) -> SurveyRecord:
        """Return the survey's record."""
        return self._parsed.record(self._one(SELECT_ONE_SURVEY, survey_id), self.day)

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
            " DO UPDATE SET manifest = excluded.manifest, revision = revision + 1",
            survey.id,
            number,
        )

    def close_survey(self, survey_id: str) -> None:
        """Close the survey by hand, today."""
        self.standing(survey_id)
        self._rows(
            "UPDATE surveys SET closed_on = ?, revision = revision + 1"
            " WHERE id = ? AND closed_on IS NULL",
            self.day.isoformat(),
            survey_id,
        )

    def delete_survey(self, survey_id: str) -> None:
        """Delete what was reported, and leave the manifests; pages are overwritten."""
        self.standing(survey_id)
        self._rows(
            "DELETE FROM tallies WHERE manifest IN (SELECT number FROM manifests WHERE survey = ?)",
            survey_id,
        )
        self._rows("DELETE FROM chunks WHERE survey = ?", survey_id)
        self._rows("DELETE FROM withdrawals WHERE survey = ?", survey_id)
        self._rows(
            "UPDATE surveys SET deleted_on = ?, reports = 0, revision = revision + 1 WHERE id = ?",
            self.day.isoformat(),
            survey_id,
        )

    def expire(self, survey_id: str) -> None:
        """Delete reports and withdrawn ids; pages are overwritten, see ``secure_delete``."""
        self._rows("DELETE FROM chunks WHERE survey = ?", survey_id)
        self._rows("DELETE FROM withdrawals WHERE survey = ?", survey_id)
        self._rows(
            "UPDATE surveys SET expired_on = ?, revision = revision + 1 WHERE id = ?",
            self.day.isoformat(),
            survey_id,
        )

    def ids_after(self, survey_id: str, cursor: Cursor) -> tuple[list[IdBlock], Cursor]:
        """Return the ids kept since a cursor."""
        chunks = self._after(_CHUNK_IDS, survey_id, cursor.chunk)
        gone = self._after(_WITHDRAWN_IDS, survey_id, cursor.withdrawal)
        blocks = [IdBlock(number, ids) for number, ids in chunks]
        blocks += [IdBlock(None, ids) for _, ids in gone]
        return blocks, Cursor(
            chunk=chunks[-1][0] if chunks else cursor.chunk,
            withdrawal=gone[-1][0] if gone else cursor.withdrawal,
        )

    def append(self, survey_id: str, chunk: Chunk, *, growing: bool = False) -> int:
        """Keep a chunk and return its number."""
        number = self._returned(
            "INSERT INTO chunks"
            " (survey, manifest, question, day, ids, columns, attributes, growing)"
            " VALUES (?, (SELECT number FROM manifests WHERE digest = ?), ?, ?, ?, ?, ?, ?)"
            " RETURNING number",
            survey_id,
            chunk.manifest,
            chunk.question,
            chunk.day.isoformat(),
            chunk.ids,
            chunk.columns,
            chunk.attributes,
            growing,
        )
        return int(number)

    def growing(self, manifest: str, question: str | None) -> tuple[int, Chunk] | None:
        """Return today's chunk that may still grow."""
        rows = self._rows(_GROWING, manifest, question or "", self.day.isoformat())
        return (rows[0][0], chunk_of(rows[0][1:])) if rows else None

    def finish(self, number: int) -> None:
        """End the growth of a chunk."""
        self._rows("UPDATE chunks SET growing = 0 WHERE number = ?", number)

    def chunk(self, number: int) -> Chunk | None:
        """Return a chunk, or None."""
        rows = self._rows(f"{SELECT_CHUNK} WHERE c.number = ?", number)
        return chunk_of(rows[0]) if rows else None

    def replace(self, number: int, chunk: Chunk) -> None:
        """Put a chunk in place of one, or remove it when it is empty."""
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

    def withdraw_ids(self, survey_id: str, ids: bytes) -> int:
        """Remember withdrawn ids."""
        number = self._returned(
            "INSERT INTO withdrawals (survey, ids) VALUES (?, ?) RETURNING number", survey_id, ids
        )
        return int(number)

    def count(self, survey_id: str, counts: Iterable[Count], reports: int) -> int:
        """Add to the counters; one that would fall below zero is refused by the schema."""
        waiting = iter(counts)
        while piece := list(islice(waiting, MOST_COUNTS)):
            # Summed first: of several rows for one counter, UPDATE ... FROM would apply only one.
            for cell, sums in _by_cell(piece).items():
                self._change(_ADD, cell, {place: n for place, n in sums.items() if n > 0})
                self._change(_SUBTRACT, cell, {place: n for place, n in sums.items() if n < 0})
        revision = self._returned(
            "UPDATE surveys SET reports = reports + ?, revision = revision + 1 WHERE id = ?"
            " RETURNING revision",
            reports,
            survey_id,
        )
        return int(revision)

    def _change(self, sql: str, cell: _Cell, changes: dict[int, int]) -> None:
        # One statement for all rows: each would wait anew for the interpreter's lock.
        if changes:
            self._rows(sql, *cell, json.dumps(dict(sorted(changes.items()))))

    def _returned(self, sql: str, *parameters: object) -> Any:
        """Run a statement that returns one value, to its end; None if it touched no row."""
        rows = self._rows(sql, *parameters)
        return rows[0][0] if rows else None

    def _one(self, sql: str, survey_id: str) -> Any:
        rows = self._rows(sql, survey_id)
        if not rows:
            raise missing(self._rows(SELECT_DELETED, survey_id))
        return rows[0]

    def _after(self, select: str, survey_id: str, number: int) -> list[tuple[int, bytes]]:
        return self._rows(select, survey_id, number)

    def _rows(self, sql: str, *parameters: object) -> list[Any]:
        """Run a statement to its end, and return its rows."""
        with storage_failures():
            return self._connection.execute(sql, parameters).fetchall()
