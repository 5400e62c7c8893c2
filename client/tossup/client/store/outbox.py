"""The outbox: randomized reports as frozen values, until the server has acknowledged them.

Stage: between the coins and the upload. A row is written once with its report, which never
changes: the same report goes out again, whatever happens. After the acknowledgement the report is
erased and the id kept, since an id is what withdraws a report.

States: ``pending`` (to be sent), ``sent`` (acknowledged), ``quarantined`` (refused for good, with
a code), ``withdrawing`` (to be withdrawn from the server), ``unwithdrawn`` (refused by it).
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from typing import Final, Literal

from tossup.client.errors import LedgerDamaged, OutboxDamaged, pass_on, suppress
from tossup.client.store.database import OUTBOX_SCHEMA, Connection, Row, Value, has_table, translate
from tossup.shared import strict_json
from tossup.shared.errors import WireError

State = Literal["pending", "sent", "quarantined", "withdrawing", "unwithdrawn"]

#: The code of reports that cannot be sent without the manifest that they answer.
MANIFEST_MISSING: Final = "manifest-missing"

_COLUMNS: Final = "id, publisher, survey, manifest, question, report, state, code, attempted, seal"
_SELECT: Final = f"SELECT reports.{_COLUMNS} FROM"
_MARKS: Final = ", ".join("?" * 10)
#: Rows that the server does not have. Their ids come from the index: one without a row, which is
#: damage, is found as a row of nothing.
_WAITING: Final = (
    "(SELECT id FROM {table} WHERE state < 'sent'"
    " UNION ALL SELECT id FROM {table} WHERE state > 'sent') AS waiting"
    " LEFT JOIN {table} AS reports ON reports.id = waiting.id"
    " WHERE (publisher, survey) = (?, ?) OR reports.id IS NULL OR NOT ({others})"
)
#: Whether a row is of a survey that was answered here. One that is of none is damaged, or of an
#: SDK that did not keep where reports go: it is looked at whichever survey is asked for.
_OF_OTHERS: Final = (
    "EXISTS (SELECT 1 FROM servers AS known"
    " WHERE (known.publisher, known.survey) = (reports.publisher, reports.survey))"
)
_ROWS_A_STATEMENT: Final = 64  # SQLite before 2020 takes 999 values
_MAX_REPORT_BYTES: Final = 1 << 16
_LARGEST_NUMBER: Final = 10**18
_UNSEALED: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Report:
    """A stored report.

    Attributes
    ----------
    id
        16 random bytes; who knows them may withdraw the report.
    question
        The question it answers, or ``""`` for a joint report to all of them.
    columns, attributes
        Randomized values by question id; public option indexes by attribute id. Empty once
        the server has acknowledged the report.
    code
        Why it is quarantined, else ``""``.
    attempted
        Whether it may have reached the server.
    """

    id: bytes
    publisher: str
    survey: str
    manifest: str
    question: str
    columns: Mapping[str, int]
    attributes: Mapping[str, int]
    state: State = "pending"
    code: str = ""
    attempted: bool = False


class Box:
    """A survey's reports within one transaction: read once, each change written as it is made.

    Reports that the server has are not read, however many they are: all that is left of one is
    the id, which a withdrawal alone needs (`read`).

    Parameters
    ----------
    only
        The ids of the reports to read, whatever their state; None for all that the server does not
        have.

    Raises
    ------
    OutboxDamaged
        If a row that is read is unreadable or does not match its checksum; see `rebuild`.
    """

    def __init__(
        self,
        connection: Connection,
        publisher: str,
        survey: str,
        *,
        only: Sequence[bytes] | None = None,
    ) -> None:
        self._connection = connection
        self._reports: dict[bytes, Report] = {}
        if only is not None:
            self.read(only)
            return
        for report in read(connection, publisher, survey, acknowledged_too=False):
            self._reports[report.id] = report

    def read(self, ids: Sequence[bytes]) -> None:
        """Read those of the reports with these ids that are still there, and not read yet."""
        unread = [report_id for report_id in ids if report_id not in self._reports]
        self._reports |= _with_ids(self._connection, unread)

    def reports(self, *states: State) -> list[Report]:
        """Return the reports in these states, in the order of their ids."""
        return [report for _, report in sorted(self._reports.items()) if report.state in states]

    def find(self, report_id: bytes) -> Report | None:
        """Return the report with an id, if it is still there."""
        return self._reports.get(report_id)

    def count(self) -> Counter[State]:
        """Return how many reports are in each state, but for those that the server has."""
        return Counter(report.state for report in self._reports.values())

    def quarantined(self) -> Counter[str]:
        """Return how many reports are quarantined, by their code."""
        return Counter(report.code for report in self.reports("quarantined"))

    def put(self, reports: Sequence[Report]) -> None:
        """Replace the reports with these ids, all of them read before."""
        write(self._connection, reports)
        self._reports |= {report.id: report for report in reports}
        for report in reports:
            if report.state == "sent":
                del self._reports[report.id]

    def remove(self, reports: Sequence[Report]) -> None:
        """Delete the reports with these ids."""
        remove(self._connection, reports)
        for report in reports:
            del self._reports[report.id]

    def requeue(self, wanted: Callable[[Report], bool]) -> None:
        """Make the wanted ones of the quarantined reports pending again."""
        again = [report for report in self.reports("quarantined") if wanted(report)]
        self.put([replace(report, state="pending", code="") for report in again])


def add(connection: Connection, blanks: Sequence[Report], fill: Callable[[Report], Report]) -> None:
    """Insert reports without values, and then what `fill` makes of each.

    So all that can fail does before `fill` tosses a coin.

    Raises
    ------
    OutboxDamaged
        If the table cannot take them; see `rebuild`.
    """
    table = _table(connection)
    filled = f"UPDATE {table} SET report = ?, seal = ? WHERE id = ?"  # noqa: S608
    _insert(connection, table, [(*_fields(blank), _UNSEALED) for blank in blanks])
    for report in map(fill, blanks):
        _execute(connection, filled, (_text(report), _seal(_fields(report)), report.id))


def write(connection: Connection, reports: Sequence[Report]) -> None:
    """Insert reports, or replace those with their ids.

    Raises
    ------
    OutboxDamaged
        If the table cannot take them; see `rebuild`.
    """
    rows = [(*fields, _seal(fields)) for fields in map(_fields, reports)]
    _insert(connection, _table(connection), rows)


def _insert(connection: Connection, table: str, rows: Sequence[Row]) -> None:
    into = f"INSERT OR REPLACE INTO {table} ({_COLUMNS}) VALUES "  # noqa: S608
    for start in range(0, len(rows), _ROWS_A_STATEMENT):
        some = rows[start : start + _ROWS_A_STATEMENT]
        marks = ", ".join([f"({_MARKS})"] * len(some))
        _execute(connection, into + marks, tuple(chain.from_iterable(some)))


def remove(connection: Connection, reports: Sequence[Report]) -> None:
    """Delete the reports with these ids."""
    table = _table(connection) if reports else ""
    for report in reports:
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (report.id,))  # noqa: S608


def acknowledged(report: Report) -> Report:
    """Return the report as it is kept after the server has it, without its values."""
    return replace(report, state="sent", columns={}, attributes={}, attempted=True)


def to_withdraw(report: Report) -> Report:
    """Return the report as it is kept until the server has withdrawn it, without its values."""
    return replace(report, state="withdrawing", code="", columns={}, attributes={})


def read(
    connection: Connection, publisher: str, survey: str, *, acknowledged_too: bool = True
) -> list[Report]:
    """Return the reports to a survey, in the order of their random ids.

    Parameters
    ----------
    acknowledged_too
        Whether to read all that are stored, those that the server has as well.

    Raises
    ------
    OutboxDamaged
        If a row is unreadable or does not match its checksum; see `rebuild`.
    """
    table, names = _table(connection), list[str]()
    rows_of = f"{table} AS reports"
    if not acknowledged_too:
        others = _OF_OTHERS if has_table(connection, "servers") else "0"
        rows_of, names = _WAITING.format(table=table, others=others), [publisher, survey]
    found = [_report(row) for row in _execute(connection, f"{_SELECT} {rows_of}", names)]
    if None in found:
        raise OutboxDamaged
    asked = [r for r in found if r and (r.publisher, r.survey) == (publisher, survey)]
    return sorted(asked, key=lambda report: report.id)


def _with_ids(connection: Connection, ids: Sequence[bytes]) -> dict[bytes, Report]:
    """Return the reports with these ids that are still there."""
    select = f"{_SELECT} {_table(connection)} AS reports WHERE reports.id IN "
    rows: list[Row] = []
    for start in range(0, len(ids), _ROWS_A_STATEMENT):
        some = tuple(ids[start : start + _ROWS_A_STATEMENT])
        rows += _execute(connection, f"{select} ({', '.join('?' * len(some))})", some)
    found = {}
    for report in map(_report, rows):
        if report is None:
            raise OutboxDamaged
        found[report.id] = report
    return found


def count_sent(connection: Connection, publisher: str, survey: str) -> int:
    """Return how many reports to a survey the server has.

    Raises
    ------
    OutboxDamaged
        If they cannot be counted; see `rebuild`.
    """
    [(count,)] = _execute(
        connection,
        f"SELECT count(*) FROM {_table(connection)}"  # noqa: S608
        " WHERE state = 'sent' AND publisher = ? AND survey = ?",
        (publisher, survey),
    )
    return int(count or 0)


def index(connection: Connection) -> None:
    """Make the index of the outbox where an older SDK made the store.

    Raises
    ------
    OutboxDamaged
        If the table cannot be read; see `rebuild`.
    """
    _execute(connection, OUTBOX_SCHEMA[1].format(name=_table(connection)))


def rebuild(connection: Connection, reader: Connection) -> None:
    """Set the damaged table aside, untouched, and begin a new one with the rows that are whole.

    The caller's transaction keeps other writers out while ``reader`` looks for whole rows.
    `repairs` counts how often this was done.
    """
    survivors = {report.id: report for report in _readable(reader)}
    count = repairs(connection) + 1
    connection.execute("INSERT INTO repairs VALUES (?, ?)", (count, len(survivors)))
    for statement in OUTBOX_SCHEMA:
        connection.execute(statement.format(name=_table(connection)))
    write(connection, tuple(survivors.values()))


def repairs(connection: Connection) -> int:
    """Return how often the outbox was set aside and rebuilt."""
    row = connection.execute("SELECT count(*) FROM repairs").fetchone()
    return int(row[0] or 0) if row else 0


def _table(connection: Connection) -> str:
    return f"outbox_{repairs(connection)}"


def _execute(connection: Connection, sql: str, parameters: Sequence[Value] = ()) -> list[Row]:
    """Return the rows of a statement; that the outbox is damaged says nothing of the ledger."""
    try:
        return connection.execute(sql, parameters).fetchall()
    except sqlite3.Error as error:
        pass_on(error)
        translated = translate(error)
    raise OutboxDamaged if isinstance(translated, LedgerDamaged) else translated


def _readable(connection: Connection) -> Iterable[Report]:
    """Yield whole reports, from both ends up to what is unreadable."""
    for direction in ("ASC", "DESC"):
        with suppress(sqlite3.DatabaseError):
            rows_of = f"{_table(connection)} AS reports"
            cursor = connection.execute(f"{_SELECT} {rows_of} ORDER BY reports.id {direction}")
            while (row := cursor.fetchone()) is not None:
                report = _report(row)
                if report is not None:
                    yield report


def _report(row: Row) -> Report | None:
    """Return the report of a row, or None if the row is not as it was written."""
    *fields, seal = row
    report_id, publisher, survey, manifest, question, text, state, code, attempted = fields
    try:
        if _seal(fields) != seal:
            return None
        columns, attributes = _parse(text)
        return Report(
            id=report_id,  # type: ignore[arg-type] # the seal tells
            publisher=publisher,  # type: ignore[arg-type]
            survey=survey,  # type: ignore[arg-type]
            manifest=manifest,  # type: ignore[arg-type]
            question=question,  # type: ignore[arg-type]
            columns=columns,
            attributes=attributes,
            state=state,  # type: ignore[arg-type]
            code=code,  # type: ignore[arg-type]
            attempted=bool(attempted),
        )
    except (AttributeError, TypeError, ValueError, WireError) as error:
        pass_on(error)
        return None


def _parse(text: object) -> tuple[dict[str, int], dict[str, int]]:
    value = strict_json.loads(str(text).encode(), _MAX_REPORT_BYTES)
    match value:
        case [dict(columns), dict(attributes)]:
            return {name: _to_int(report) for name, report in columns.items()}, attributes
        case _:
            raise WireError("a stored report has columns and attributes")


def _to_json(columns: Mapping[str, int]) -> dict[str, int | str]:
    """Return reports as they are stored: in hex above 18 digits, where JSON numbers end."""
    return {
        name: report if report < _LARGEST_NUMBER else f"{report:x}"
        for name, report in columns.items()
    }


def _to_int(report: int | str) -> int:
    return int(report, 16) if isinstance(report, str) else report


def _fields(report: Report) -> tuple[bytes | str | int, ...]:
    return (
        report.id,
        report.publisher,
        report.survey,
        report.manifest,
        report.question,
        _text(report),
        report.state,
        report.code,
        int(report.attempted),
    )


def _text(report: Report) -> str:
    return strict_json.dumps([_to_json(report.columns), dict(report.attributes)]).decode()


def _seal(fields: Sequence[Value]) -> bytes:
    report_id, *rest = fields
    return sha256(bytes(memoryview(report_id)) + strict_json.dumps(rest)).digest()  # type: ignore[arg-type]
