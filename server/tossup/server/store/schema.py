"""Numbered migrations: each applied once, in one transaction, and recorded."""

import re
import sqlite3
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable

from tossup.server.store.records import SchemaTooNew, SchemaTooOld, StorageFailed
from tossup.server.store.sql.pool import Connection

_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
_SQLITE = files("tossup.server.store") / "migrations"
_RECORD = "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"


def migrate(
    connection: Connection,
    steps: list[tuple[str, str]],
    *,
    begin: str = "BEGIN IMMEDIATE",
    cut: Callable[[str], list[str]],
) -> None:
    """Bring a database to this version's schema.

    Parameters
    ----------
    connection
        Nobody else changes the schema after ``begin``. Where this raises, it is to be closed, which
        undoes all of it.
    steps
        What `migrations` returns for this kind of database.
    begin
        Begins a transaction alone.
    cut
        Cuts a script into what the database takes at once.

    Raises
    ------
    SchemaTooNew
        If a newer version wrote it.
    """
    connection.execute(begin)
    connection.execute(_RECORD)
    done = _applied(connection)
    if done > len(steps):
        raise SchemaTooNew(
            f"this data has schema {done}, and this Tossup knows up to {len(steps)};"
            " upgrade tossup, or open a copy made before the upgrade"
        )
    for number, (name, script) in enumerate(steps[done:], start=done + 1):
        for statement in cut(script):
            connection.execute(statement)
        connection.execute("INSERT INTO migrations VALUES (?, ?)", (number, name))
    connection.execute("COMMIT")


def migrations(folder: Traversable = _SQLITE) -> list[tuple[str, str]]:
    """Return name and SQL of every migration, in order; they are numbered 1, 2, 3, ..."""
    named = sorted((file.name, file) for file in folder.iterdir() if _NAME.fullmatch(file.name))
    numbers = [int(name[:4]) for name, _ in named]
    if numbers != list(range(1, len(named) + 1)):
        raise RuntimeError(f"migrations must be numbered without a gap, not {numbers}")
    return [(name, file.read_text(encoding="utf-8")) for name, file in named]


def require_same(connection: Connection) -> None:
    """Raise `SchemaTooNew` or `SchemaTooOld` unless this version wrote a SQLite file."""
    found, known = _applied(connection), len(migrations())
    if found > known:
        raise SchemaTooNew(f"this data has schema {found}, and this Tossup knows up to {known}")
    if found < known:
        raise SchemaTooOld(f"this data has schema {found}, and this Tossup writes {known}")


def require_some(connection: Connection) -> None:
    """Raise `StorageFailed` where a SQLite file is of no version at all, such as an empty one."""
    table = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'migrations'"
    if connection.execute(table).fetchone()[0] == 0:
        raise StorageFailed("it holds no data of a server")


def statements(script: str) -> list[str]:
    """Return the statements of a script, each whole.

    >>> statements("CREATE TABLE a (b); -- c; d\\nCREATE TABLE e (f);")
    ['CREATE TABLE a (b);', '-- c; d\\nCREATE TABLE e (f);']
    """
    found, current = [], ""
    for part in re.split(r"(?<=;)", script):
        current += part
        if sqlite3.complete_statement(current):
            found.append(current.strip())
            current = ""
    return found


def _applied(connection: Connection) -> int:
    row = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
    return int(row[0])
