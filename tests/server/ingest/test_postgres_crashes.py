"""Servers on one PostgreSQL, under clients that retry: servers die, and so does the database."""

import random
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psycopg
import pytest
from postgres import Cluster, Standby
from server_process import Device, Server, check_each_counted_once, sending
from stores import PostgreSQL

from tossup.server.config import Config
from tossup.server.ingest import core
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.recount import recount
from tossup.server.ingest.shards import ShardedWriter
from tossup.server.store import StorageFailed, Store
from tossup.server.store.postgres import PostgresStore
from tossup.server.store.postgres import connection as connection_module
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.shared.survey import Survey

pytestmark = pytest.mark.prove
DEVICES = 4
KILLS = 24


@pytest.fixture
def own(config: Config) -> Iterator[tuple[Cluster, PostgreSQL]]:
    """A PostgreSQL that no other test uses, and a database on it."""
    cluster = Cluster()
    yield cluster, PostgreSQL(config, cluster)
    cluster.remove()


class Either:
    """One of several servers: whoever asks again may be sent to another."""

    def __init__(self, servers: list[Server]) -> None:
        self._servers = servers

    @property
    def url(self) -> str | None:
        return secrets.choice(self._servers).url


def kill_and_crash(servers: list[Server], cluster: Cluster, rng: random.Random) -> None:
    """Kill either server again and again, and three times the database."""
    for number in range(KILLS):
        server = servers[number % 2]
        server.start()
        time.sleep(rng.uniform(0, 0.1))
        if number % (KILLS // 3) == 5:
            cluster.stop("immediate")
            time.sleep(0.3)
            cluster.start()
        time.sleep(rng.uniform(0, 0.1))
        other = servers[1 - number % 2]
        if other.url:
            other.kill()
            other.wait()


def test_nothing_acknowledged_is_lost_or_counted_twice(
    own: tuple[Cluster, PostgreSQL],
    survey: Survey,
    envelope: bytes,
    make_body: Callable[..., bytes],
) -> None:
    """Each acknowledged report is counted once with its value, whichever server took it."""
    cluster, database = own
    store = database.open()
    publish(store, envelope)
    store.close()
    servers = [Server(database.config) for _ in range(2)]
    devices = [Device(Either(servers), survey, make_body) for _ in range(DEVICES)]
    with sending(devices):
        kill_and_crash(servers, cluster, random.Random(7))
        for server in servers:
            if server.url is None:
                server.start()
        while sum(len(device.acknowledged) for device in devices) <= KILLS:
            time.sleep(0.05)
    for server in servers:
        server.kill(signal.SIGTERM)
        server.wait()
        server.close()

    assert check_each_counted_once(database, survey, devices) > KILLS


@pytest.fixture
def opened(
    own: tuple[Cluster, PostgreSQL], envelope: bytes
) -> Iterator[tuple[Cluster, PostgreSQL, Store]]:
    cluster, database = own
    store = database.open()
    publish(store, envelope)
    yield cluster, database, store
    store.close()


def test_a_server_outlives_its_database(opened, survey: Survey, make_body) -> None:
    """While it is gone reports are refused and not acknowledged; after that the same ones count."""
    cluster, _, store = opened
    batch = decode_reports(make_body((1, 0, 1)), lambda _: survey)
    commit = GroupCommit(store)
    commit.commit([batch.take([0])])
    cluster.stop("immediate")
    for _ in range(2):
        with pytest.raises(StorageFailed):
            commit.commit([batch])
        with pytest.raises(StorageFailed):
            store.check_writable()
    cluster.start()

    assert [3] == commit.commit([batch])
    assert 3 == store.survey(survey.id).reports
    assert recount(store, survey.id).agrees


def test_lost_connections_cost_nobody_a_report(opened, survey: Survey, make_body) -> None:
    """While an administrator ends every connection, senders that try again lose nothing."""
    _, database, store = opened
    writer = ShardedWriter(store)

    def cut() -> None:
        with psycopg.connect(database.config.database_url, autocommit=True) as connection:
            for _ in range(12):
                time.sleep(0.1)
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

    cutter = threading.Thread(target=cut)
    cutter.start()
    sent = failed = 0
    while cutter.is_alive():
        batch = decode_reports(make_body((1,) * 8), lambda _: survey)
        sent += 8
        while True:
            try:
                writer.submit(batch).result()
                break
            except StorageFailed:
                failed += 1
    writer.stop()

    assert failed
    assert sent == store.survey(survey.id).reports
    assert recount(store, survey.id).agrees


def test_a_long_outage_ends_by_itself(opened, survey: Survey, make_body, monkeypatch) -> None:
    """Every request is told to come again, more of them than there are connections to lose.

    What stands still, as behind a network that swallows packets, is told so once patience ends.
    Nobody restarts the server; what was acknowledged, or is sent again, counts once.
    """
    cluster, database, store = opened
    app = create_app(database.config, store=store)
    client, kind = app.test_client(), {"content_type": "application/json"}
    bodies = [make_body((1, 0, 1)) for _ in range(3)]
    answered = [client.post("/v1/reports", data=bodies[0], **kind).status_code]
    cluster.stop()
    gone = [client.post("/v1/reports", data=bodies[place % 2], **kind) for place in range(30)]
    gone += [client.get("/readyz") for _ in range(30)]
    cluster.start()
    answered += [client.post("/v1/reports", data=body, **kind).status_code for body in bodies[:2]]
    monkeypatch.setattr(core, "PATIENCE_SECONDS", 0.2)
    with cluster.standing_still():
        still = client.post("/v1/reports", data=bodies[2], **kind)
    monkeypatch.setattr(core, "PATIENCE_SECONDS", 300)
    answered += [client.post("/v1/reports", data=body, **kind).status_code for body in bodies]
    ready = client.get("/readyz").status_code
    found = store.survey(survey.id).reports, recount(store, survey.id).agrees
    app.extensions["tossup"].close()

    assert {503} == {response.status_code for response in [*gone, still]}
    assert all(int(response.headers["Retry-After"]) > 0 for response in [*gone[:30], still])
    assert ([200] * 6, 200) == (answered, ready)
    assert (9, True) == found


@pytest.mark.parametrize("may_ask", [True, False], ids=["may ask", "may not ask"])
def test_what_a_new_primary_lacks_is_new_when_it_comes_again(
    own, envelope: bytes, survey: Survey, make_body, monkeypatch, may_ask: bool
) -> None:
    """A standby that takes over may lack the last commits, and with them reports in the memory.

    Their devices were told nothing and send them again: they are stored then, not acknowledged
    only. What is kept of results is of no use either, though revisions come to be the same.
    """
    if not may_ask:
        monkeypatch.setattr(connection_module, "HISTORY", "SELECT pg_of_no_such_right()")
    primary, database = own
    first = database.open()
    publish(first, envelope)
    first.close()
    standby = Standby(primary)
    name = psycopg.conninfo.conninfo_to_dict(database.config.database_url)["dbname"]
    hosts = f"host={primary.folder},{standby.folder} target_session_attrs=read-write"
    store = PostgresStore(f"user=tossup dbname={name} {hosts}")
    ids = tuple(bytes([at] + [0] * 15) for at in range(5))  # of one shard
    kept = decode_reports(make_body((1, 1), ids=ids[:2]), lambda _: survey)
    lost = decode_reports(make_body((1, 1, 1), ids=ids[2:]), lambda _: survey)
    commit = GroupCommit(store)
    commit.commit([kept])
    before = store.history
    wait_for(standby, primary)
    standby.stop("immediate")
    commit.commit([lost])
    primary.stop("immediate")
    standby.start()
    standby._control("promote", "-w")
    for _ in range(2):  # connections of before
        with suppress(StorageFailed):
            store.survey(survey.id)
        with suppress(StorageFailed):
            commit.commit([lost])
    found = commit.commit([kept, lost]), store.survey(survey.id).reports
    history = store.history
    store.close()
    standby.remove()
    primary.start()

    assert ([2, 3], 5) == found
    assert before != history


def wait_for(standby: Standby, primary: Cluster) -> None:
    """Wait until a standby has replayed what its primary has."""
    with psycopg.connect(primary.url("postgres"), autocommit=True) as admin:
        [position] = admin.execute("SELECT pg_current_wal_flush_lsn()::text").fetchone()
    with psycopg.connect(standby.url("postgres"), autocommit=True) as admin:
        while not admin.execute(
            "SELECT pg_last_wal_replay_lsn() >= %s::text::pg_lsn", (position,)
        ).fetchone()[0]:
            time.sleep(0.01)


@pytest.mark.parametrize("where", ["INSERT INTO chunks", "COMMIT"])
def test_a_transaction_that_postgresql_ends_counts_once_again(
    own, survey: Survey, envelope: bytes, make_body, where: str
) -> None:
    """A serialization failure or a deadlock undoes it; the same reports are new when they come."""
    _, database = own
    ends = [psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected]

    class Ended:
        armed = False

        def __init__(self, connection: object) -> None:
            self._connection = connection

        def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
            if Ended.armed and ends and sql.startswith(where):
                raise ends.pop()("could not serialize access")
            return self._connection.execute(sql, parameters)

        def close(self) -> None:
            self._connection.close()

    store = database.open(wrap=Ended)
    publish(store, envelope)
    batch = decode_reports(make_body((1, 0, 1)), lambda _: survey)
    commit = GroupCommit(store).commit
    Ended.armed = True
    for _ in range(2):
        with pytest.raises(StorageFailed, match="serialize"):
            commit([batch])
    counted = commit([batch]), store.survey(survey.id).reports, recount(store, survey.id).agrees
    store.close()

    assert ([3], 3, True) == counted
