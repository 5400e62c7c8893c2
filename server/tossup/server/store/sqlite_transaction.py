"""One exclusive write transaction on SQLite.

What is deleted is overwritten in its page: see ``secure_delete``.
"""

from typing import Any

from tossup.server.store.base import Chunk
from tossup.server.store.connection import storage_failures
from tossup.server.store.sql.transaction import CountedCell, SQLTransaction, chunk_of

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


class SQLiteTransaction(SQLTransaction):
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

    def _revise(self, survey_id: str, reports: int) -> int:
        revision = self._returned(
            "UPDATE surveys SET reports = reports + ?, revision = revision + 1 WHERE id = ?"
            " RETURNING revision",
            reports,
            survey_id,
        )
        return int(revision)

    def _grown(self, survey_id: str, number: int) -> list[tuple[int, bytes]]:
        return self._rows(_GROWN, survey_id, number)

    def _page(self, table: str, survey_id: str, number: int) -> list[tuple[int, bytes]]:
        return self._rows(_AFTER.format(table), survey_id, number, self._PAGE)

    def _delete_counts(self, survey_id: str) -> None:
        self._rows(
            "DELETE FROM tallies WHERE manifest IN (SELECT number FROM manifests WHERE survey = ?)",
            survey_id,
        )
