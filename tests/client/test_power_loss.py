"""Power loss at every write of the device's store: nothing acknowledged is lost or tossed again."""

import itertools
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from powerloss import Recorder, crash_states
from recounting import assert_in_step
from sweeps import proving

from tossup.client import Client, Outcome
from tossup.client.errors import LedgerDamaged, OutboxDamaged
from tossup.client.store import database, ledger, outbox
from tossup.shared.survey import Survey

TOPICS = 32
_names = (f"powerloss-{count}" for count in itertools.count())


@pytest.fixture
def long_survey(survey: Survey) -> Survey:
    """Many questions, each its own topic."""
    question = survey.questions[0]
    questions = tuple(
        replace(question, id=f"q{place}", topic=f"topic-{place}") for place in range(TOPICS)
    )
    return replace(survey, id="long", questions=questions, attributes=())


class Weakened:
    """A connection that says it is durable (synchronous=FULL), and is not."""

    def __init__(self, connection) -> None:
        self._connection = connection

    def execute(self, sql, parameters=()):
        if sql == "PRAGMA synchronous=FULL":
            sql = "PRAGMA synchronous=OFF"
        if sql == "PRAGMA synchronous":
            sql = "SELECT 2"
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


def record(client: Client, store: Path, monkeypatch, *, weakened: bool, shared: bool) -> Recorder:
    """Answer and flush under the recorder, marking what the host app was told.

    ``shared`` keeps another connection open, so that closing ours is no checkpoint.
    """
    client.survey()
    recorder = Recorder(next(_names))
    recorder.snapshot(store)
    wrap = Weakened if weakened else (lambda connection: connection)
    monkeypatch.setattr(database, "connect", lambda path: wrap(recorder.connect(path)))
    with closing(recorder.connect(str(store))) as keeper:
        if shared:
            keeper.execute("SELECT count(*) FROM ledger").fetchall()
        for place in range(TOPICS):
            assert client.answer({f"q{place}": True}) is Outcome.QUEUED
            told: dict[str, object] = {}
            recorder.mark(told)  # at once, before a look at the store changes anything
            told.update(reports(store))
            if place == TOPICS // 2:
                client.flush()
    monkeypatch.undo()
    return recorder


def reports(store: Path) -> dict[str, object]:
    """What the store holds: the outbox by question, where the ledger agrees."""

    def read(connection):
        assert_in_step(connection)
        entries = ledger.entries(connection)
        return entries, [
            r for e in entries[:1] for r in outbox.read(connection, e.publisher, e.survey)
        ]

    entries, rows = database.Database(str(store)).run(read)
    assert {entry.question for entry in entries} == {row.question for row in rows}
    assert len(entries) == len(rows)
    return {row.question: (row.id, row.columns or None) for row in rows}


def survives(found: dict[str, object], told: dict[str, object]) -> bool:
    """Whether all that the app was told is there: the same ids with the same values."""
    return all(
        question in found
        and found[question][0] == report_id
        and found[question][1] in (value, None)
        for question, (report_id, value) in told.items()
    )


def losses(recorder: Recorder, store: Path, folder: Path, every: int) -> tuple[int, int]:
    """Return how many crash states there are, and in how many something told was lost."""
    lost = total = 0
    for state in crash_states(recorder, seed=7, every=every):
        total += 1
        state.write_to(folder)
        told = state.marks[-1] if state.marks else {}
        try:
            lost += not survives(reports(folder / store.name), told)
        except (LedgerDamaged, OutboxDamaged, AssertionError):
            lost += 1
    return total, lost


@pytest.fixture
def long_client(stub, long_survey, publisher_key, store) -> Client:
    stub.publish(long_survey, publisher_key)
    key = long_survey.publisher.key
    return Client(
        stub.link(long_survey), key, store=store, publisher_cap=3**TOPICS, device_cap=3**TOPICS
    )


@pytest.mark.parametrize(
    ("shared", "every"),
    proving([(True, 7), (False, 7), (True, 1), (False, 1)], but=[(True, 7)]),
)
def test_power_loss_loses_nothing_that_was_acknowledged(
    long_client, store, tmp_path, monkeypatch, shared, every
):
    """After any crash every acknowledged answer is there, once, with the report first tossed."""
    recorder = record(long_client, store, monkeypatch, weakened=False, shared=shared)
    total, lost = losses(recorder, store, tmp_path / "after", every)

    assert total >= 900 // every
    assert lost == 0


def test_the_same_harness_finds_losses_where_commits_are_not_synced(
    long_client, store, tmp_path, monkeypatch
):
    """With synchronous=OFF acknowledged answers are lost, so the harness can see a loss."""
    recorder = record(long_client, store, monkeypatch, weakened=True, shared=True)
    total, lost = losses(recorder, store, tmp_path / "after", every=21)

    assert 0 < lost < total
