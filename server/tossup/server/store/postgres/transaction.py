"""One write transaction on PostgreSQL, of one shard or of everything.

Many reports to one question add a row of changes, which is rolled up later: a counter that every
commit changes is ten times as slow. Few reports change the counters where they stand: a row for
each commit would keep the order in which a device sends its answers, which nothing else keeps.
"""

from datetime import date
from typing import Any, Final

from tossup.server.store.parsed import ParsedManifests
from tossup.server.store.postgres.connection import storage_failures
from tossup.server.store.records import Chunk
from tossup.server.store.sql.pool import Connection
from tossup.server.store.sql.transaction import VALUE_BITS, CountedCell, Transaction, chunk_of

#: A shard rolls up its counters when so many commits, or a commit of so many counters, were added.
_MOST_COMMITS: Final = 64
_MOST_COUNTERS: Final = 512
#: A row of changes has a counter of so many reports, so that it tells nothing of any of them.
_MANY: Final = 128

_GROWING = (
    "SELECT c.number, m.digest, c.question, c.day, c.ids, c.columns, c.attributes"
    " FROM manifests m JOIN chunks c ON c.manifest = m.number"
    " WHERE m.digest = ? AND coalesce(c.question, '') = ? AND c.day = ? AND c.growing = 1"
    " AND c.shard = ?"
)
_STANDING = """
    SELECT coalesce(s.closed_on, s.expired_on),
           s.revision + coalesce(r.revision, 0)
           + (SELECT count(*) FROM commits c WHERE c.survey = s.id AND c.shard = ?),
           m.digest
    FROM surveys s JOIN manifests m ON m.number = s.manifest
    LEFT JOIN rolled r ON r.survey = s.id AND r.shard = ?
    WHERE s.id = ? AND s.deleted_on IS NULL
"""
_ADD_COUNTS = """
    INSERT INTO tallies
    SELECT m.survey, ?, m.number, ?, ?, c.stratum, c.value, c.n
    FROM manifests m, unnest(?::BIGINT[], ?::BIGINT[], ?::BIGINT[]) AS c (stratum, value, n)
    WHERE m.digest = ?
    ON CONFLICT (survey, shard, manifest, question, day, stratum, value)
    DO UPDATE SET n = tallies.n + excluded.n
"""
_APPEND_COUNTS = """
    INSERT INTO changes (survey, shard, manifest, question, day, strata, counters, amounts)
    SELECT survey, ?, number, ?, ?, ?::BIGINT[], ?::BIGINT[], ?::BIGINT[]
    FROM manifests WHERE digest = ?
"""
_ROLL_UP_COUNTS = """
    WITH gone AS (DELETE FROM changes WHERE survey = ? AND shard = ? RETURNING *)
    INSERT INTO tallies
    SELECT g.survey, g.shard, g.manifest, g.question, g.day, c.stratum, c.value, sum(c.n)
    FROM gone g, unnest(g.strata, g.counters, g.amounts) AS c (stratum, value, n)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (survey, shard, manifest, question, day, stratum, value)
    DO UPDATE SET n = tallies.n + excluded.n
"""
_SUBTRACT = """
    UPDATE tallies t SET n = t.n + c.n
    FROM manifests m, unnest(?::BIGINT[], ?::BIGINT[], ?::BIGINT[]) AS c (stratum, value, n)
    WHERE m.digest = ? AND t.survey = m.survey AND t.manifest = m.number AND t.shard = ?
      AND t.question = ? AND t.day = ? AND t.stratum = c.stratum AND t.value = c.value
"""
_APPEND_COMMIT = """
    WITH kept AS (INSERT INTO commits (survey, shard, reports) VALUES (?, ?, ?))
    SELECT 1 + count(*) FROM commits WHERE survey = ? AND shard = ?
"""
_ROLL_UP_COMMITS = """
    WITH gone AS (DELETE FROM commits WHERE survey = ? AND shard = ? RETURNING *)
    INSERT INTO rolled
    SELECT survey, shard, sum(reports), count(*) FROM gone GROUP BY survey, shard
    ON CONFLICT (survey, shard) DO UPDATE
    SET reports = rolled.reports + excluded.reports, revision = rolled.revision + excluded.revision
"""


class PostgresTransaction(Transaction):
    """What `PostgresStore.write` lends. Its shard, or all of them, are locked against others."""

    SURVEYS = "counted_surveys"
    failures = staticmethod(storage_failures)

    def __init__(
        self,
        connection: Connection,
        parsed: ParsedManifests,
        day: date,
        shard: int,
        history: object,
    ) -> None:
        super().__init__(connection, parsed, day)
        self.shard, self.history = shard, history
        self._is_long = False

    def growing(self, manifest: str, question: str | None) -> tuple[int, Chunk] | None:
        """Return today's chunk of this shard that may still grow."""
        day = self.day.isoformat()
        rows = self._rows(_GROWING, manifest, question or "", day, self.shard)
        return (rows[0][0], chunk_of(rows[0][1:])) if rows else None

    def grow(self, survey_id: str, number: int, chunk: Chunk) -> int:
        """Put a chunk in place of the one that may grow, under a new number."""
        self._rows("DELETE FROM chunks WHERE number = ?", number)
        return self.append(survey_id, chunk, growing=True)

    def finish(self, number: int) -> int:
        """End the growth of a chunk."""
        self._rows("UPDATE chunks SET growing = 0 WHERE number = ?", number)
        return number

    def _owner(self, survey_id: str) -> dict[str, object]:
        return {"shard": self.shard} | super()._owner(survey_id)

    def _standing(self, survey_id: str) -> Any:
        rows = self._rows(_STANDING, self.shard, self.shard, survey_id)
        return rows[0] if rows else self._missing(survey_id)

    def _change(self, survey_id: str, cells: dict[CountedCell, dict[int, int]]) -> None:
        """Add; take back from counters that are rolled up, so that none falls below zero."""
        for cell, sums in cells.items():
            self._add(cell, {place: n for place, n in sums.items() if n > 0})
        taken = {cell: {p: n for p, n in sums.items() if n < 0} for cell, sums in cells.items()}
        if any(taken.values()):
            self._rows(_ROLL_UP_COUNTS, survey_id, self.shard)
        for (digest, question, day), sums in taken.items():
            if sums:
                self._rows(_SUBTRACT, *_arrays(sums), digest, self.shard, question, day)

    def _add(self, cell: CountedCell, added: dict[int, int]) -> None:
        digest, question, day = cell
        if added:
            is_many = max(added.values()) >= _MANY
            sql = _APPEND_COUNTS if is_many else _ADD_COUNTS
            self._rows(sql, self.shard, question, day, *_arrays(added), digest)
            self._is_long = self._is_long or (is_many and len(added) > _MOST_COUNTERS)

    def _revise(self, survey_id: str, reports: int) -> None:
        of = survey_id, self.shard
        commits = self._returned(_APPEND_COMMIT, *of, reports, *of)
        if self._is_long or commits >= _MOST_COMMITS:
            self._rows(_ROLL_UP_COUNTS, *of)
            self._rows(_ROLL_UP_COMMITS, *of)
            self._is_long = False

    def _page(self, table: str, survey_id: str, number: int) -> list[tuple[int, bytes]]:
        sql = (
            f"SELECT number, ids FROM {table}"  # noqa: S608
            " WHERE survey = ? AND shard = ? AND number > ? ORDER BY number LIMIT ?"
        )
        return self._rows(sql, survey_id, self.shard, number, self._PAGE)

    def _delete_counts(self, survey_id: str) -> None:
        for table in ("tallies", "changes", "rolled", "commits"):
            self._rows(f"DELETE FROM {table} WHERE survey = ?", survey_id)  # noqa: S608


def _arrays(changes: dict[int, int]) -> tuple[list[int], list[int], list[int]]:
    """Return strata, counters and amounts of changes by place."""
    places = sorted(changes)
    mask = (1 << VALUE_BITS) - 1
    return (
        [place >> VALUE_BITS for place in places],
        [place & mask for place in places],
        [changes[place] for place in places],
    )
