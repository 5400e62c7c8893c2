"""``tossup migrate``: all of a folder stands in PostgreSQL and counts the same, or nothing does."""

import hashlib
import json
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date, timedelta
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import psycopg
import pytest
from click.testing import CliRunner, Result
from postgres import Cluster

from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.ingest import moving
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.group import Withdrawal
from tossup.server.ingest.packing import split
from tossup.server.ingest.recount import recount
from tossup.server.ingest.shards import ShardedWriter
from tossup.server.store import SQLiteStore, open_store
from tossup.server.store.postgres.connection import PostgresConnection
from tossup.server.store.postgres.moving import SAME
from tossup.server.surveys.lifecycle import publish
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import encode_batch

DAY = date(2026, 3, 14)
#: Tables that go over by statements of their own, or with the reports; of the new database there is
#: no backup yet.
APART = ("surveys", "tallies", "chunks", "withdrawals", "migrations", "last_backup")
WITHDRAWN, UNKNOWN = bytes([9] * 16), bytes([8] * 16)


@pytest.fixture
def filled(config: Config, survey: Survey, publisher_key, make_batch) -> dict[str, list[bytes]]:
    """Fill a data folder with something of every kind; return the bodies that were received."""
    day = [DAY]
    bodies: dict[str, list[bytes]] = {}
    with closing(SQLiteStore(config.database, day=lambda: day[0])) as store:
        for name in ("kept", "expired", "deleted", "empty"):
            named = replace(survey, id=name)
            publish(store, sign_manifest(named.payload, publisher_key))
            if name != "empty":
                bodies[name] = _send(store, named, day, make_batch)
        first = store.survey("kept").survey
        second = replace(
            first, version=2, previous=first.digest, late_days=2, closes=DAY + timedelta(days=90)
        )
        publish(store, sign_manifest(second.payload, publisher_key))
        with store.write() as transaction:
            for end in ("expired", "deleted"):
                transaction.close_survey(end)
            transaction.expire("expired")
            transaction.delete_survey("deleted")
        _fill_the_rest(store)
    return bodies


def _send(store: SQLiteStore, survey: Survey, day: list, make_batch) -> list[bytes]:
    commit = GroupCommit(store).commit
    bodies = []
    for later in range(2):
        day[0] = DAY + timedelta(days=later)
        for n, region in ((1, 0), (2, 1), (600, 1), (130, 0)):
            values = tuple(byte & 1 for byte in os.urandom(n))
            bodies.append(encode_batch(make_batch(values, region=region, of=survey), survey))
    bodies.append(encode_batch(make_batch((1,), ids=(WITHDRAWN,), of=survey), survey))
    for body in bodies:
        commit([decode_reports(body, lambda _: survey)])
    commit([Withdrawal(survey.id, (WITHDRAWN, UNKNOWN))])
    return bodies


def _fill_the_rest(store: SQLiteStore) -> None:
    """Put rows in the tables that have nothing to do with reports."""
    store._change("INSERT INTO members VALUES (1, 'ann', 'analyst', NULL, '2026-03-14')")
    store._change("INSERT INTO members VALUES (7, 'gone', 'owner', 'x', '2026-03-14')")
    store._change("DELETE FROM members WHERE number = 7")
    store._change(
        "INSERT INTO api_keys VALUES (3, ?, 'laptop', '2026-03-14', 1, 'owner', NULL)", b"\0\xff"
    )
    store._change("INSERT INTO setup_links VALUES (?, 9, 1)", b"\1")
    store._change("INSERT INTO sessions VALUES (?, 1, 2, 1)", b"\2")
    store._change("INSERT INTO sign_in_attempts VALUES (?, 1, 2)", b"\3")
    store._change("INSERT INTO drafts VALUES (4, 'id: 夏', 'secret', '2026-03-14', 3, NULL)")
    store.note_time(1 << 40)
    store.note_day(DAY)
    for number in range(3):
        store.note(number, "owner", "made", f"key {number}")


@pytest.fixture
def target(config: Config, cluster: Cluster) -> Config:
    return replace(config, database_url=cluster.database())


@pytest.fixture
def tossup(monkeypatch: pytest.MonkeyPatch, config: Config, target: Config) -> Callable[[], Result]:
    for name in [name for name in os.environ if name.startswith("TOSSUP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TOSSUP_DATABASE_URL", target.database_url)
    return lambda source=config.data: CliRunner().invoke(root, ["migrate", str(source), "--json"])


def rows(url: str | Path, table: str) -> list[tuple]:
    """Return the rows of a table, by their numbers or digests, whichever database it is in."""
    connect = sqlite3.connect if isinstance(url, Path) else psycopg.connect
    with closing(connect(url)) as connection:
        cursor = connection.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return sorted((tuple(row[name] for name in sorted(names)) for row in found), key=repr)


def is_empty(target: Config) -> bool:
    return not any(rows(target.database_url, table) for table in ("surveys", "chunks", *SAME))


def test_every_table_goes_over(filled, tossup, config: Config, target: Config) -> None:
    """A table that a migration adds is copied, or someone has thought of it."""
    with closing(sqlite3.connect(config.database)) as connection:
        found = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
    done = tossup()

    assert {*SAME, *APART} == {name for (name,) in found}
    assert 0 == done.exit_code, done.stderr
    for table in SAME:
        assert rows(config.database, table), f"the test has no rows in {table}"
        assert rows(config.database, table) == rows(target.database_url, table), table


def test_what_was_received_counts_once_and_the_same(
    filled, tossup, config: Config, target: Config, survey: Survey
) -> None:
    """Tallies are equal; reports that come again count nothing, and withdrawn ones never."""
    done = json.loads(tossup().stdout)
    with (
        closing(open_store(target, day=lambda: DAY)) as moved,
        closing(SQLiteStore(config.database, day=lambda: DAY)) as before,
    ):
        tallies = {name: moved.tally(name) for name in ("kept", "expired", "empty")}
        records = [
            (each.survey, each.reports, each.closed, each.expired) for each in moved.surveys()
        ]

        assert {name: before.tally(name) for name in tallies} == tallies
        assert records == [
            (each.survey, each.reports, each.closed, each.expired) for each in before.surveys()
        ]
        kept = before.survey("kept").reports
        assert ({"kept": kept, "expired": None, "empty": 0}, kept) == (
            {name: each["reports"] for name, each in done["surveys"].items()},
            done["reports"],
        )
        writer = ShardedWriter(moved)
        named = replace(survey, id="kept")
        batches = [decode_reports(body, lambda _: named) for body in filled["kept"]]
        assert [len(batch.ids) for batch in batches] == [
            writer.submit(batch).result() for batch in batches
        ]
        assert tallies["kept"] == moved.tally("kept")
        writer.submit(Withdrawal("kept", tuple(split(batches[2].ids)))).result()
        writer.stop()
        assert kept - len(batches[2].ids) == moved.survey("kept").reports
        assert recount(moved, "kept").agrees


@pytest.mark.prove
def test_ids_stand_in_their_shards_in_groups_that_hide_arrival(filled, tossup, target) -> None:
    """A finished chunk has at least 128 reports, and one may grow for each question and day."""
    tossup()
    with psycopg.connect(target.database_url) as connection:
        chunks = connection.execute("SELECT shard, ids, growing FROM chunks").fetchall()
        gone = connection.execute("SELECT shard, ids FROM withdrawals").fetchall()

    for shard, ids in [*((shard, ids) for shard, ids, _ in chunks), *gone]:
        assert {shard} == {each[-1] % 4 for each in split(ids)}
        assert sorted(split(ids)) == split(ids)
    assert not [ids for _, ids, growing in chunks if not growing and len(ids) < 128 * 16]


@pytest.mark.prove
def test_new_rows_have_numbers_of_their_own(filled, tossup, target: Config) -> None:
    """A number of a member who is gone is not given again, and the record goes on."""
    tossup()
    with closing(open_store(target)) as store:
        store.note(9, "owner", "made", "a key")
    with psycopg.connect(target.database_url) as connection:
        numbers = [
            connection.execute(f"SELECT nextval(pg_get_serial_sequence('{table}', 'number'))")
            for table in ("members", "api_keys", "drafts")
        ]

        assert [8, 4, 5] == [number.fetchone()[0] for number in numbers]
        assert (4,) == connection.execute("SELECT max(number) FROM record").fetchone()


@pytest.mark.prove
def test_the_source_is_only_read(filled, tossup, config: Config, cluster: Cluster) -> None:
    """Not a byte of it changes, also when its server was killed and left a journal."""
    journal = config.database.with_name(config.database.name + "-wal")
    with closing(SQLiteStore(config.database)) as store:
        store.note(9, "owner", "made", "a key")
        left = journal.read_bytes()
    journal.write_bytes(left)
    files = [config.database, journal]
    before = [hashlib.sha256(file.read_bytes()).digest() for file in files]
    done = tossup()

    assert 0 == done.exit_code, done.stderr
    assert before == [hashlib.sha256(file.read_bytes()).digest() for file in files]


def test_a_database_that_holds_data_is_refused(filled, tossup, target: Config) -> None:
    """Nothing is put beside it, so a second run is refused as well."""
    first, second = tossup(), tossup()

    assert (0, 1) == (first.exit_code, second.exit_code)
    assert "holds data already" in second.stderr
    assert "createdb" in second.stderr


def test_data_that_disagrees_does_not_move(filled, tossup, config: Config, target: Config) -> None:
    """A counter without its report is not carried on, and nothing else is."""
    with sqlite3.connect(config.database) as connection:
        connection.execute("UPDATE tallies SET n = n + 1")
    done = tossup()

    assert 1 == done.exit_code
    assert "disagree" in done.stderr
    assert is_empty(target)


@pytest.mark.prove
def test_a_report_that_goes_astray_on_the_way_is_noticed(
    filled, tossup, target: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof does not rest on the way that reports took."""
    real = moving.to_chunk
    monkeypatch.setattr(
        moving, "to_chunk", lambda reports: real(reports.take(np.arange(1, len(reports.ids))))
    )
    done = tossup()

    assert 1 == done.exit_code
    assert "disagree" in done.stderr
    assert is_empty(target)


@contextmanager
def _another_process(work: Callable, *arguments: object):
    ready = get_context("fork").Event()
    other = get_context("fork").Process(target=work, args=(ready, *arguments))
    other.start()
    ready.wait(300)
    yield other
    other.kill()
    other.join()


def _hold(ready, path: Path) -> None:
    store = SQLiteStore(path)
    store.surveys()
    ready.set()
    signal.pause()


@pytest.mark.prove
def test_a_server_that_runs_is_noticed(filled, tossup, config: Config, target: Config) -> None:
    """It would acknowledge reports that are not moved: it stands still, or nothing moves."""
    with _another_process(_hold, config.database):
        idle = tossup()
    real, written = moving.recount, []

    def recount_and_write(store, survey_id):
        if not written:
            with closing(sqlite3.connect(config.database)) as connection, connection:
                written.append(connection.execute("UPDATE surveys SET revision = revision + 1"))
        return real(store, survey_id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moving, "recount", recount_and_write)
        meanwhile = tossup()

    for done in (idle, meanwhile):
        assert 1 == done.exit_code
        assert "stop its server" in done.stderr
    assert is_empty(target)


def _die(ready, source: Path, url: str) -> None:
    real = moving.recount

    def recount_or_die(store, survey_id):
        if not isinstance(store, SQLiteStore):
            os.kill(os.getpid(), signal.SIGKILL)
        return real(store, survey_id)

    moving.recount = recount_or_die
    os.environ["TOSSUP_DATABASE_URL"] = url
    CliRunner().invoke(root, ["migrate", str(source)])


@pytest.mark.prove
def test_a_move_that_is_killed_leaves_nothing(filled, tossup, config: Config, target) -> None:
    """After SIGKILL among the reports the database is empty, and the next run moves all."""
    other = get_context("fork").Process(target=_die, args=(None, config.data, target.database_url))
    other.start()
    other.join(300)

    assert -signal.SIGKILL == other.exitcode
    assert is_empty(target)
    assert 0 == tossup().exit_code


def test_a_large_survey_may_be_counted_for_long(filled, tossup, target, monkeypatch) -> None:
    """Nothing is asked of PostgreSQL meanwhile, which ends other transactions after a minute."""
    real, limits = moving.recount, []

    def watch(store, survey_id):
        if not isinstance(store, SQLiteStore):
            limits.extend(
                store._rows("SELECT current_setting('idle_in_transaction_session_timeout')")
            )
        return real(store, survey_id)

    monkeypatch.setattr(moving, "recount", watch)

    assert 0 == tossup().exit_code
    assert {("0",)} == set(limits)


def test_a_connection_that_ends_in_the_commit_may_have_moved_all(filled, tossup, target) -> None:
    """Nobody knows before they look, so nothing else is said; a second run tells."""

    real = PostgresConnection.execute

    def lose(self, sql, parameters=()):
        found = real(self, sql, parameters)
        if sql == "COMMIT":
            raise psycopg.OperationalError("the connection was lost")
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PostgresConnection, "execute", lose)
        lost = tossup()
    again = tossup()

    assert (1, 1) == (lost.exit_code, again.exit_code)
    assert "either everything was moved" in lost.stderr
    assert "holds data already" in again.stderr
    assert not is_empty(target)


@pytest.mark.prove
def test_a_backup_moves_too(filled, tossup, config: Config, tmp_path: Path, target) -> None:
    """It is a file, and no folder."""
    copy = tmp_path / "copy.sqlite3"
    with closing(sqlite3.connect(config.database)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))

    assert 0 == tossup(copy).exit_code
    assert not is_empty(target)


@pytest.mark.prove
def test_an_older_schema_is_brought_up_elsewhere(filled, tossup, config: Config, target) -> None:
    """Opening it would change it."""
    with sqlite3.connect(config.database) as connection:
        connection.execute("DELETE FROM migrations WHERE number > 5")
    done = tossup()

    assert 1 == done.exit_code
    assert "tossup restore" in done.stderr
    assert is_empty(target)
