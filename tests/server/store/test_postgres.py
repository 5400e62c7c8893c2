"""The PostgreSQL store: durable by its settings, exact among several writers at once."""

import secrets
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psycopg
import pytest
from click.testing import CliRunner
from postgres import Cluster
from stores import PostgreSQL

from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.ingest.decoding import decode_reports, id_rows
from tossup.server.ingest.group import Withdrawal
from tossup.server.ingest.recount import recount
from tossup.server.ingest.shards import ShardedWriter, shards_of
from tossup.server.store import StorageFailed, Store, open_store
from tossup.server.store.postgres import connection as connection_module
from tossup.server.store.postgres.transaction import _MANY, _MOST_COMMITS
from tossup.server.store.records import SchemaTooNew
from tossup.server.surveys.lifecycle import close, delete, publish
from tossup.shared.survey import Survey
from tossup.shared.wire import Batch, encode_batch


@pytest.fixture
def database(config: Config, cluster: Cluster) -> PostgreSQL:
    return PostgreSQL(config, cluster)


@pytest.fixture
def published(store: Store, envelope: bytes) -> Store:
    publish(store, envelope)
    return store


@pytest.fixture
def admin(database: PostgreSQL) -> Iterator[psycopg.Connection]:
    """A connection that changes the database behind the server's back."""
    with psycopg.connect(database.config.database_url, autocommit=True) as connection:
        yield connection


def body_of(survey: Survey, ids: list[bytes], value: int = 1) -> bytes:
    columns, regions = {"ever_tried": (value,) * len(ids)}, {"region": (0,) * len(ids)}
    return encode_batch(Batch(survey.digest, tuple(ids), columns, regions), survey)


def test_several_servers_count_an_id_once(
    database: PostgreSQL, published: Store, survey: Survey
) -> None:
    """Four servers are sent the same batches at the same time, each in another order."""
    ids = [secrets.token_bytes(16) for _ in range(240)]
    batches = [
        decode_reports(body_of(survey, ids[at : at + 12]), lambda _: survey)
        for at in range(0, 240, 6)
    ]
    stores = [database.open() for _ in range(4)]

    def serve(number: int) -> list[int]:
        writer = ShardedWriter(stores[number])
        tickets = [writer.submit(batch) for batch in batches[number:] + batches[:number]]
        writer.stop()
        return [ticket.result() for ticket in tickets]

    with ThreadPoolExecutor(4) as threads:
        received = [sum(found) for found in threads.map(serve, range(4))]
    for store in stores:
        store.close()

    assert [12 * 39 + 6] * 4 == received
    assert 240 == published.survey(survey.id).reports
    assert recount(published, survey.id).agrees


def test_the_isolation_of_the_database_does_not_matter(
    database: PostgreSQL, published: Store, admin: psycopg.Connection, survey: Survey
) -> None:
    """Under REPEATABLE READ who waited for a lock would not see what its holder committed."""
    name = psycopg.conninfo.conninfo_to_dict(database.config.database_url)["dbname"]
    admin.execute(f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'")
    report = decode_reports(body_of(survey, [bytes(16)]), lambda _: survey)
    stores = [database.open() for _ in range(3)]
    ready = threading.Barrier(3)

    def serve(store: Store) -> int:
        writer = ShardedWriter(store)
        ready.wait()
        result = writer.submit(report).result()
        writer.stop()
        return result

    with ThreadPoolExecutor(3) as threads:
        assert [1, 1, 1] == list(threads.map(serve, stores))
    for store in stores:
        store.close()

    assert 1 == published.survey(survey.id).reports


def test_counters_are_rolled_up_and_never_missing(
    published: Store, admin: psycopg.Connection, survey: Survey
) -> None:
    """Whatever was rolled up: results, reports and revision are those of all commits."""
    writer = ShardedWriter(published)
    revisions, n = [], _MANY
    for number in range(_MOST_COMMITS + 3):
        ids = [bytes([number, place] * 7 + [0, 0]) for place in range(n)]
        writer.submit(decode_reports(body_of(survey, ids), lambda _: survey)).result()
        record = published.survey(survey.id)
        revisions.append(record.revision)
        [cell] = published.tally(survey.id)
        assert (n * (number + 1),) * 2 == (record.reports, cell.counts[1])
    withdrawn = Withdrawal(survey.id, tuple(ids[:5]))
    writer.submit(withdrawn).result()
    writer.stop()
    [cell] = published.tally(survey.id)
    waiting = admin.execute("SELECT count(*) FROM changes").fetchone()

    assert sorted(set(revisions)) == revisions
    assert n * len(revisions) - 5 == cell.counts[1]
    assert (0,) == waiting  # what is taken back is taken from what was rolled up
    assert recount(published, survey.id).agrees


def test_no_row_tells_what_came_beside_what(
    published: Store, admin: psycopg.Connection, survey: Survey
) -> None:
    """Reports that come one by one leave no row each, in the order in which they came."""
    writer = ShardedWriter(published)
    for _ in range(20):
        ids = [secrets.token_bytes(16)]
        writer.submit(decode_reports(body_of(survey, ids), lambda _: survey)).result()
    writer.stop()
    rows = admin.execute("SELECT count(*) FROM changes").fetchone()
    chunks = admin.execute("SELECT shard, count(*) FROM chunks GROUP BY shard").fetchall()

    assert (0,) == rows
    assert {1} == {count for _, count in chunks}


def test_closing_waits_for_every_shard(published: Store, survey: Survey) -> None:
    """No report is counted after the survey was seen closed."""
    closing = threading.Thread(target=close, args=(published, survey.id))
    with published.write(3) as transaction:
        closing.start()
        closing.join(0.2)

        assert closing.is_alive()
        assert "open" == transaction.standing(survey.id).state
    closing.join()

    assert "closed" == published.survey(survey.id).state


def test_what_was_deleted_is_deleted_while_another_server_frees_its_room(
    published: Store, admin: psycopg.Connection, survey: Survey
) -> None:
    """A long VACUUM elsewhere makes nobody wait, nor a deletion fail that was committed."""
    admin.execute("BEGIN")
    admin.execute("LOCK chunks, commits IN SHARE UPDATE EXCLUSIVE MODE")  # as VACUUM does
    assert 0 == delete(published, survey.id, losing=0)
    admin.execute("COMMIT")

    assert [] == published.surveys()


def test_an_id_has_one_shard_for_ever() -> None:
    """Whoever changes this would let reports of before be counted again."""
    ids = id_rows(b"".join(bytes(15) + bytes([last]) for last in range(5)))

    assert [0, 1, 2, 3, 0] == shards_of(ids, 4).tolist()


def test_what_is_not_durable_is_refused(
    database: PostgreSQL, admin: psycopg.Connection, cluster: Cluster
) -> None:
    """fsync=off cannot be mended from here: no server starts, and none that runs keeps anything.

    It is refused first on the connection that there is, and then on each new one.
    """
    store = database.open()
    for name in ("fsync", "full_page_writes"):
        in_a_transaction(store, name)
        admin.execute(f"ALTER SYSTEM SET {name} = off")
        reload(admin)
        try:
            for told in ("synchronous_commit", f"{name}=off"):
                with pytest.raises(StorageFailed, match=told):
                    store.note_time(5)
            for refused in (store.check_writable, database.open):
                with pytest.raises(StorageFailed, match=f"{name}=off"):
                    refused()
        finally:
            admin.execute(f"ALTER SYSTEM RESET {name}")
            reload(admin)
        store.check_writable()

    assert 0 == store.latest_time()
    store.close()


def reload(admin: psycopg.Connection) -> None:
    """Have the server read its settings; every session has them by its next statement."""
    [before] = admin.execute("SELECT pg_conf_load_time()").fetchone()
    admin.execute("SELECT pg_reload_conf()")
    while admin.execute("SELECT pg_conf_load_time()").fetchone() == (before,):
        time.sleep(0.01)


def test_a_commit_waits_for_the_disk_whatever_the_settings_become(
    database: PostgreSQL, admin: psycopg.Connection
) -> None:
    """Those of the database when a connection begins, and those that its server reads later.

    A stronger setting stays. No time limit of the database ends the wait for a standby.
    """
    name = psycopg.conninfo.conninfo_to_dict(database.config.database_url)["dbname"]
    found = []
    for setting in ("off", "remote_write"):
        store = database.open()
        admin.execute(f"ALTER SYSTEM SET synchronous_commit = {setting}")
        reload(admin)
        found.append(in_a_transaction(store, "synchronous_commit"))
        store.close()
    admin.execute("ALTER SYSTEM RESET synchronous_commit")
    reload(admin)
    admin.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    admin.execute(f"ALTER DATABASE {name} SET statement_timeout = '1s'")
    store = database.open()
    found += [in_a_transaction(store, each) for each in ("synchronous_commit", "statement_timeout")]
    store.close()

    assert ["on", "remote_write", "on", "0"] == found


def test_who_reads_may_work_on_it_for_long(store: Store) -> None:
    """As a sealing to a slow folder does, which PostgreSQL ended after a minute."""
    with store._pool.lend() as connection:
        connection.execute(store._BEGIN_SNAPSHOT)
        found = connection.execute(
            "SELECT current_setting('idle_in_transaction_session_timeout')"
        ).fetchone()
        connection.execute("COMMIT")

    assert ("0",) == found
    assert "1min" == in_a_transaction(store, "idle_in_transaction_session_timeout")


def in_a_transaction(store: Store, setting: str) -> str:
    """Return what a setting is for one transaction of ingest."""
    with store.write(1) as transaction:
        return transaction._returned("SELECT current_setting(?)", setting)


def test_a_transaction_that_postgresql_undoes_is_not_committed(
    published: Store, survey: Survey
) -> None:
    """To COMMIT it answers ROLLBACK, without an error, once a statement has failed."""
    with pytest.raises(StorageFailed, match="undone"), published.write() as transaction:  # noqa: PT012
        transaction.close_survey(survey.id)
        with suppress(StorageFailed):
            transaction._rows("SELECT 1 / 0")

    assert "open" == published.survey(survey.id).state


def test_a_database_that_is_too_old_is_refused(
    database: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start, before anything is asked of it, and by the doctor."""
    older = connection_module._SETTINGS
    for setting, faked in (("server_version_num", "120022"), ("server_version", "12.22")):
        older = older.replace(f"current_setting('{setting}')", f"'{faked}'")
    monkeypatch.setattr(connection_module, "_SETTINGS", older)
    monkeypatch.setattr(connection_module, "SET_UP", "SET of_a_later_version = 1")
    with pytest.raises(
        StorageFailed, match=r"PostgreSQL 12\.22 is too old.* 13 and newer; upgrade"
    ):
        database.open()
    environment = {"TOSSUP_DATABASE_URL": database.config.database_url}
    told = CliRunner().invoke(root, ["doctor"], env=environment)

    assert 1 == told.exit_code
    assert "bad   database: PostgreSQL 12.22 is too old" in told.output


def test_a_database_that_is_not_there_is_an_error_without_its_password(config: Config) -> None:
    """The message says what failed, and not with what secret."""
    from dataclasses import replace

    nowhere = replace(config, database_url="postgresql://someone:secret@127.0.0.1:1/tossup")
    with pytest.raises(StorageFailed, match="refused") as failure:
        open_store(nowhere)

    assert "secret" not in f"{failure.value} {nowhere} {nowhere.place}"


def test_a_newer_schema_is_refused(database: PostgreSQL, admin: psycopg.Connection) -> None:
    """An older Tossup must not write what it does not understand."""
    admin.execute("INSERT INTO migrations VALUES (1000, 'later')")
    with pytest.raises(SchemaTooNew, match="upgrade"):
        database.open()


def test_the_record_is_append_only(store: Store, admin: psycopg.Connection) -> None:
    """The database itself refuses to change or shorten it."""
    store.note(1, "owner", "made", "a key")
    for statement in ("UPDATE record SET who = 'nobody'", "DELETE FROM record"):
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            admin.execute(statement)


def test_a_replica_is_refused(
    database: PostgreSQL, admin: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It cannot be written; the message says what to name instead."""

    class Replica:
        def __init__(self, connection: object) -> None:
            self._connection = connection

        def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
            return self._connection.execute(sql.replace("pg_is_in_recovery()", "true"), parameters)

        def close(self) -> None:
            self._connection.close()

    with pytest.raises(StorageFailed, match="primary"):
        database.open(wrap=Replica)
