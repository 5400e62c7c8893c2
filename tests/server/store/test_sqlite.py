"""The SQLite store: durable by its settings, private by its modes, careful with schemas."""

import os
import sqlite3
import stat
import time
from datetime import date
from pathlib import Path

import pytest

from tossup.server.config import Config
from tossup.server.store import SQLiteStore, StorageFailed, connection
from tossup.server.store.connection import Connection, FilePool, connect, create_file
from tossup.server.store.envelopes import verified_survey
from tossup.server.store.records import Count, ManifestUnknown, SchemaTooNew, SurveyUnknown
from tossup.server.store.schema import migrations, statements
from tossup.server.surveys.lifecycle import publish
from tossup.shared.survey import Survey


def test_files_are_for_their_owner_alone(store: SQLiteStore, config: Config) -> None:
    """Folder 0700, database and its journal 0600, whatever the umask allows."""
    store.check_writable()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in config.data.iterdir()}

    assert 0o700 == stat.S_IMODE(config.data.stat().st_mode)
    assert {0o600} == modes


def test_every_connection_is_durable(config: Config) -> None:
    """WAL, synchronous FULL and foreign keys, read back from each connection."""
    opened: list[Connection] = []

    def remembering(path: Path) -> Connection:
        opened.append(connect(path))
        return opened[-1]

    store = SQLiteStore(config.database, connect=remembering)
    with store.write():
        store.surveys()
    asked = ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
    found = {
        tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked)
        for connection in opened
    }
    store.close()

    assert 2 == len(opened)
    assert {("wal", 2, 1, 1)} == found


class NotDurable:
    """A connection on which synchronous stays as it is, as some libraries make it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        if sql == "PRAGMA synchronous=FULL":
            sql = "PRAGMA synchronous=NORMAL"
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


def test_a_connection_that_is_not_durable_is_refused(config: Config) -> None:
    """A setting that did not take is found at the start, not after a power loss."""
    with pytest.raises(StorageFailed, match="synchronous"):
        SQLiteStore(config.database, connect=lambda path: NotDurable(connect(path)))


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """The message names what the system said."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailed):
        SQLiteStore(tmp_path / "file" / "t.sqlite3")


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    """Another file under our name is left as it is."""
    path = tmp_path / "t.sqlite3"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(StorageFailed):
        SQLiteStore(path)

    assert path.read_bytes().startswith(b"not a database")


def test_a_newer_schema_is_refused_and_left_alone(config: Config, store: SQLiteStore) -> None:
    """An older Tossup must not write what it does not understand."""
    connection = connect(config.database)
    connection.execute("INSERT INTO migrations VALUES (?, 'later')", (len(migrations()) + 1,))
    connection.close()
    with pytest.raises(SchemaTooNew, match="upgrade"):
        SQLiteStore(config.database)


def test_opening_again_changes_nothing(config: Config, store: SQLiteStore) -> None:
    """Migrations are applied once and recorded."""
    SQLiteStore(config.database).close()
    connection = connect(config.database)
    applied = connection.execute("SELECT number, name FROM migrations").fetchall()
    connection.close()

    assert [(place, name) for place, (name, _) in enumerate(migrations(), 1)] == applied


@pytest.mark.parametrize("is_replaced", [False, True], ids=["moved", "replaced"])
def test_nothing_is_acknowledged_into_a_file_that_lost_its_name(
    config: Config, envelope: bytes, *, is_replaced: bool
) -> None:
    """SQLite goes on writing there: a restored copy has the name, and would have none of it."""
    store = SQLiteStore(config.database)
    store.check_writable()
    config.database.rename(config.data / "before")
    if is_replaced:
        SQLiteStore(config.database).close()
    for change in (lambda: publish(store, envelope), store.check_writable):
        with pytest.raises(StorageFailed, match="was moved away or replaced while it was open"):
            change()
    left = config.database.exists()
    store.close()
    (config.data / "before").replace(config.database)
    again = SQLiteStore(config.database)

    assert left == is_replaced
    assert [] == again.surveys()
    publish(again, envelope)
    assert 1 == len(again.surveys())
    again.close()


def test_a_journal_that_the_last_connection_took_is_not_missed(config: Config) -> None:
    """A fault closes the connection in which it was, and with the last one the journal goes."""
    create_file(config.database)
    pool = FilePool(config.database)
    for _ in range(3):
        with pool.lend(), pool.lend():
            pass
        for _ in range(2):
            with pytest.raises(ZeroDivisionError), pool.lend():
                raise ZeroDivisionError
        assert [config.database] == list(config.data.iterdir())
    pool.close()


@pytest.mark.parametrize("is_new", [False, True], ids=["settled", "new"])
@pytest.mark.parametrize("suffix", ["", "-wal"], ids=["file", "journal"])
def test_a_name_that_is_lost_is_noticed(
    config: Config, monkeypatch: pytest.MonkeyPatch, suffix: str, is_new: bool
) -> None:
    """Both where the folder was the same for long, and where it changes all the time."""
    create_file(config.database)
    pool = FilePool(config.database)
    with pool.lend():
        pass
    if not is_new:
        past = time.time_ns() - 10**10
        os.utime(config.data, ns=(past, past))
    asked: list[Path] = []
    known = connection._identity
    monkeypatch.setattr(connection, "_identity", lambda path: asked.append(path) or known(path))
    for _ in range(3):
        with pool.lend():
            pass
    assert len(asked) == (6 if is_new else 2)
    config.database.with_name(config.database.name + suffix).unlink()

    for _ in range(2):
        with pytest.raises(StorageFailed, match="while it was open"):
            pool.take()
    pool.close()


def test_keys_links_and_sessions_of_before_are_the_owners(config: Config) -> None:
    """A database from before there were members opens, and its secrets go on working."""
    create_file(config.database)
    connection = connect(config.database)
    connection.execute("CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    for number, (name, script) in enumerate(migrations(), 1):
        if number < 6:  # 6 adds members
            for statement in statements(script):
                connection.execute(statement)
            connection.execute("INSERT INTO migrations VALUES (?, ?)", (number, name))
    connection.execute(
        "INSERT INTO api_keys (digest, name, created_on) VALUES (x'01', 'old', '2026-01-01')"
    )
    connection.execute("INSERT INTO setup_links VALUES (x'02', 200)")
    connection.execute("INSERT INTO sessions VALUES (x'03', 100, 100)")
    connection.close()
    store = SQLiteStore(config.database)
    key, session = store.keys()[0], store.session(b"\x03")
    store.close()

    assert ("owner", None, None) == (key.role, key.used, session and session.member)


class FailsAt:
    """A connection that fails at one statement of the migration."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        if "CREATE TABLE sessions" in sql:
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


def test_a_migration_is_applied_whole_or_not_at_all(config: Config) -> None:
    """After a failure in the middle the next start begins from nothing."""
    with pytest.raises(StorageFailed):
        SQLiteStore(config.database, connect=lambda path: FailsAt(connect(path)))
    connection = connect(config.database)
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    connection.close()

    assert (0,) == tables
    SQLiteStore(config.database).close()


def test_every_statement_of_every_migration_is_found() -> None:
    """No statement is left out when scripts are cut."""
    for _, script in migrations():
        assert script.count("CREATE ") == sum("CREATE " in part for part in statements(script))


def test_a_counter_cannot_fall_below_zero(
    store: SQLiteStore, survey: Survey, envelope: bytes
) -> None:
    """A fault in withdrawing would be an error, not a wrong estimate."""
    publish(store, envelope)
    up = Count(survey.digest, "ever_tried", date(2026, 3, 14), 0, 1, 1)
    down = up._replace(change=-2)
    with store.write() as transaction:
        transaction.count(survey.id, [up], 1)
    with pytest.raises(StorageFailed), store.write() as transaction:
        transaction.count(survey.id, [down], -2)

    assert [(0, 1)] == [cell.counts for cell in store.tally(survey.id)]


def test_a_block_that_raises_leaves_nothing(store: SQLiteStore, envelope: bytes) -> None:
    """A transaction is undone by any exception."""

    def fail() -> None:
        with store.write() as transaction:
            transaction.add_manifest(verified_survey(envelope), envelope)
            raise KeyError

    with pytest.raises(KeyError):
        fail()

    assert [] == store.surveys()


def test_what_is_unknown_has_its_own_error(store: SQLiteStore) -> None:
    """No survey and no manifest are told apart from an empty one."""
    with pytest.raises(SurveyUnknown):
        store.survey("nowhere")
    with pytest.raises(ManifestUnknown):
        store.manifest("0" * 64)
    with pytest.raises(SurveyUnknown), store.write() as transaction:
        transaction.close_survey("nowhere")


def test_versions_and_days_are_found(store: SQLiteStore, survey: Survey, envelope: bytes) -> None:
    """A survey without reports has a version and no last day."""
    publish(store, envelope)

    assert [survey] == store.manifests(survey.id)
    assert store.last_day(survey.id) is None
