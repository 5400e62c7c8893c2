"""A real standby that results are read from: never older than when they were asked for."""

import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from click.testing import CliRunner
from postgres import Cluster, Standby

from tossup.server.cli.root import root
from tossup.server.config import Config, ConfigError
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.shards import ShardedWriter
from tossup.server.results.joint.linked import joint_reports
from tossup.server.store.postgres import PostgresStore
from tossup.server.store.postgres import replica as replica_module
from tossup.server.store.postgres import store as store_module
from tossup.server.store.postgres.connection import connect
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.answers import Answers
from tossup.server.web.app import create_app
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import Batch, encode_batch

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def standby(cluster: Cluster) -> Iterator[Standby]:
    made = Standby(cluster)
    yield made
    made.remove()


@pytest.fixture
def named(config: Config, cluster: Cluster, standby: Standby) -> Config:
    """Settings that name a new database, and the same one on the standby."""
    url = cluster.database()
    check_follows(standby, cluster)
    return replace(config, database_url=url, replica_url=standby.url(name_of(url)))


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask a standby again at once after it failed, and wait for it on a busy machine."""
    monkeypatch.setattr(replica_module, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(replica_module, "_PATIENCE_SECONDS", 60.0)


def name_of(url: str) -> str:
    return url.partition("@/")[2].partition("?")[0]


def check_follows(standby: Standby, primary: Cluster) -> None:
    """Wait until a standby has what its primary has."""
    name = "template_tossup"
    both = PostgresStore(primary.url(name), replica=standby.url(name))
    both.check_replica()
    both.close()


class Reads:
    """Where tallies were read: snapshots that were begun, by the host of their connection."""

    def __init__(self) -> None:
        self.begun: Counter[str] = Counter()

    def connect(self, url: str):
        inner, reads = connect(url), self

        class Watched:
            def execute(self, sql: str, parameters: tuple[object, ...] = ()):
                if sql == PostgresStore._BEGIN_SNAPSHOT:
                    reads.begun[url] += 1
                return inner.execute(sql, parameters)

            def close(self) -> None:
                inner.close()

        return Watched()


class Collected:
    """A store on a primary and its standby, reports that come, and what is counted."""

    def __init__(self, config: Config, survey: Survey, envelope: bytes) -> None:
        self.config, self.survey, self._reads = config, survey, Reads()
        self.store = PostgresStore(
            config.database_url, replica=config.replica_url, connect=self._reads.connect
        )
        publish(self.store, envelope)
        self._writer = ShardedWriter(self.store)

    def receive(self, n: int = 3) -> None:
        ids = tuple(secrets.token_bytes(16) for _ in range(n))
        batch = Batch(self.survey.digest, ids, {"ever_tried": (1,) * n}, {"region": (0,) * n})
        self.receive_body(encode_batch(batch, self.survey), self.survey)

    def receive_body(self, body: bytes, survey: Survey) -> None:
        self._writer.submit(decode_reports(body, lambda _: survey)).result()

    def counted(self) -> int:
        return sum(cell.counts[1] for cell in self.store.tally(self.survey.id))

    def read_from(self) -> str:
        """Return where the tallies were read since the last time."""
        begun, self._reads.begun = self._reads.begun, Counter()
        names = {self.config.database_url: "primary", self.config.replica_url: "standby"}
        return " and ".join(sorted(names[url] for url in begun))

    def close(self) -> None:
        self._writer.stop()
        self.store.close()


@pytest.fixture
def collected(named: Config, survey: Survey, envelope: bytes) -> Iterator[Collected]:
    made = Collected(named, survey, envelope)
    yield made
    made.close()


def test_what_was_acknowledged_is_read_from_the_standby(collected: Collected) -> None:
    """After each of many commits, at once."""
    found = []
    for _ in range(100):
        collected.receive()
        found.append(collected.counted())

    assert list(range(3, 301, 3)) == found
    assert "standby" in collected.read_from()


def test_a_standby_that_stays_behind_is_not_read(
    collected: Collected, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its replay stands still: whoever asks reads what the primary has, and later from it again."""
    collected.receive()
    assert (3, "standby") == (collected.counted(), collected.read_from())
    with psycopg.connect(standby.url("postgres"), autocommit=True) as admin:
        admin.execute("SELECT pg_wal_replay_pause()")
        collected.receive()
        monkeypatch.setattr(replica_module, "_PATIENCE_SECONDS", 1.0)
        behind = collected.counted(), collected.read_from()
        told = doctor(collected.config)
        monkeypatch.setattr(replica_module, "_PATIENCE_SECONDS", 60.0)
        admin.execute("SELECT pg_wal_replay_resume()")
    collected.receive()

    assert (6, "primary") == behind
    assert "bad   replica: results are read from the primary: it is more than 1 s behind" in told
    assert (9, "standby") == (collected.counted(), collected.read_from())
    assert "ok    replica: has what its primary has" in doctor(collected.config)


def test_a_standby_that_is_gone_is_not_missed(collected: Collected, standby: Standby) -> None:
    """Nor one that comes back on connections that broke."""
    collected.receive()
    collected.counted()
    standby.stop("immediate")
    collected.receive()
    gone = collected.counted(), "primary" in collected.read_from()
    standby.start()
    collected.receive()
    collected.counted()

    assert (6, True) == gone
    assert (9, "standby") == (collected.counted(), collected.read_from().split(" and ")[-1])


def test_what_follows_another_primary_or_none_is_not_read(
    named: Config, survey: Survey, envelope: bytes
) -> None:
    """The primary itself, a stranger, its standby, and one that is left on an old timeline."""
    stranger = Cluster()
    promoted, left = Standby(stranger), Standby(stranger)
    name = name_of(named.database_url)
    stranger._execute(f"CREATE DATABASE {name} TEMPLATE template_tossup")
    cases = [
        (named.database_url, "it is no standby"),
        (stranger.url(name), "it is no standby"),
        (left.url(name), "it does not follow this primary"),
    ]
    try:
        for url, told in cases:
            assert_not_read(replace(named, replica_url=url), survey, envelope, told)
        check_follows(left, stranger)
        stranger.stop("immediate")
        promoted._control("promote", "-w")
        apart = replace(named, database_url=promoted.url(name), replica_url=left.url(name))
        assert_not_read(apart, survey, envelope, "it does not follow this primary")
    finally:
        promoted.remove()
        left.remove()
        stranger.start()
        stranger.remove()


def test_who_may_not_ask_how_far_the_primary_is_reads_it(
    collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a role without the right to, whose results were refused."""
    collected.receive()
    monkeypatch.setattr(store_module, "POSITION", "SELECT pg_of_no_such_right()")

    assert (3, "primary") == (collected.counted(), collected.read_from())


def assert_not_read(config: Config, survey: Survey, envelope: bytes, told: str) -> None:
    """Assert that results come from the primary, and that the doctor says why."""
    each = Collected(config, survey, envelope)
    before = each.counted()
    each.receive()
    after = each.counted()
    each.close()

    assert 3 == after - before, told
    assert told in doctor(config)


def test_another_database_of_the_same_primary_is_not_read(
    named: Config, cluster: Cluster, standby: Standby, survey: Survey, envelope: bytes
) -> None:
    """It may be a copy for trials, with other reports to the same survey."""
    other = standby.url(name_of(cluster.database()))
    check_follows(standby, cluster)

    assert_not_read(replace(named, replica_url=other), survey, envelope, "it is another database")


def test_another_schema_of_the_same_database_is_not_read(
    named: Config, cluster: Cluster, standby: Standby, survey: Survey, envelope: bytes
) -> None:
    """Which the search path of either URL names."""
    with psycopg.connect(named.database_url, autocommit=True) as admin:
        admin.execute("CREATE SCHEMA trials")
    path = "&options=-csearch_path%3Dtrials"
    PostgresStore(named.database_url + path).close()
    check_follows(standby, cluster)
    other = replace(named, replica_url=named.replica_url + path)

    assert_not_read(other, survey, envelope, "it is another schema")
    both = replace(named, database_url=named.database_url + path, replica_url=other.replica_url)
    assert "ok    replica: has what its primary has" in doctor(both)


def test_stored_reports_are_read_from_the_standby(
    collected: Collected, joint_survey: Survey, publisher_key
) -> None:
    """For a table of two questions, current after each of many commits."""
    publish(collected.store, sign_manifest(joint_survey.payload, publisher_key))
    found = []
    for n in range(1, 51):
        body = Batch(
            joint_survey.digest,
            (secrets.token_bytes(16),),
            {"ever_tried": (1,), "rating": (n % 5,)},
            {"region": (0,)},
        )
        collected.receive_body(encode_batch(body, joint_survey), joint_survey)
        found.append(sum(joint_reports(collected.store, joint_survey.id).values()))

    assert list(range(1, 51)) == found
    assert "standby" == collected.read_from()


def test_a_standby_that_ends_a_long_read_is_not_missed(
    collected: Collected, standby: Standby
) -> None:
    """As it does where the read keeps it from replaying: all is read again from the primary."""
    for _ in range(300):
        collected.receive(1)
    begun = []

    def count(chunks) -> int:
        begun.append(collected.read_from())
        if len(begun) == 1:
            with psycopg.connect(standby.url("postgres"), autocommit=True) as admin:
                admin.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE application_name = 'tossup'"
                )
        return sum(len(chunk.ids) // 16 for chunk in chunks)

    assert 300 == collected.store.read_chunks(collected.survey.id, count)
    assert ["standby", "primary"] == begun


def test_results_over_http_come_from_the_standby(
    collected: Collected, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made within the server, and aside, where the process that makes them reads there too."""
    collected.receive(400)
    app = create_app(collected.config, store=collected.store, reading=True)
    key = app.extensions["tossup"].auth.create_key("test")
    shown = {}
    for kind, is_dear in (("results", False), ("results.csv", True)):
        monkeypatch.setattr(Answers, "_is_dear", lambda *_, is_dear=is_dear: is_dear)
        shown[kind] = app.test_client().get(
            f"/v1/surveys/{collected.survey.id}/{kind}",
            headers={"Authorization": f"Bearer {key}"},
        )
        collected.receive()
    app.extensions["tossup"].writer.stop()

    assert [200, 200] == [answer.status_code for answer in shown.values()]
    assert 400 == shown["results"].json["questions"][0]["n"]
    assert ",403," in shown["results.csv"].text
    assert "standby" == collected.read_from()


def test_a_replica_needs_a_database() -> None:
    """A folder has none."""
    with pytest.raises(ConfigError, match="replica_url needs database_url"):
        Config(replica_url="postgresql://tossup@standby.example/tossup")


def doctor(config: Config) -> str:
    environment = {
        "TOSSUP_DATABASE_URL": config.database_url,
        "TOSSUP_REPLICA_URL": config.replica_url,
    }
    return CliRunner().invoke(root, ["doctor"], env=environment).output
