"""Nothing that a request can contain fails in the writer; what fails there fails alone."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.core import Ingest
from tossup.server.ingest.decoding import ReportBatch, decode_reports
from tossup.server.ingest.group import Withdrawal, Work
from tossup.server.ingest.ids.index import IdIndex
from tossup.server.ingest.recount import recount
from tossup.server.ingest.writer import Ticket, Writer
from tossup.server.refusals import Refused
from tossup.server.store import StorageFailed, Store
from tossup.server.store.records import StoreInconsistent
from tossup.server.store.sql.pool import Connection
from tossup.server.surveys.lifecycle import publish
from tossup.shared.errors import WireError
from tossup.shared.survey import Survey
from tossup.shared.wire import b64, encode_withdrawal

ON_BOTH_STORES = True
Batch = Callable[..., ReportBatch]
IDS = tuple(bytes([n]) * 16 for n in range(1, 40))

# Every text that JSON can carry, halves of surrogate pairs and NUL included.
anything = st.text(st.characters(exclude_categories=[]), max_size=80)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | anything,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(anything, inner, max_size=3),
    max_leaves=6,
)


class Recording:
    """A connection that counts its statements by their first words."""

    said: ClassVar[Counter[str]] = Counter()

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        Recording.said[sql] += 1
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


class Observed(Writer):
    """A writer that notes what is queued."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.queued: list[Work] = []

    def submit(self, work: Work) -> Ticket:
        self.queued.append(work)
        return super().submit(work)


@pytest.fixture
def recording(database, envelope: bytes) -> Iterator[Store]:
    store = database.open(wrap=Recording)
    publish(store, envelope)
    yield store
    store.close()


@pytest.fixture
def batch(survey: Survey, make_body: Callable[..., bytes]) -> Batch:
    return lambda *args, **options: decode_reports(make_body(*args, **options), lambda _: survey)


def changed(good: dict[str, object]) -> st.SearchStrategy[bytes]:
    """Bodies with one to three fields, also new ones, replaced by anything that JSON can say."""
    fields = st.sampled_from(sorted(good)) | anything
    changes = st.dictionaries(fields, values, min_size=1, max_size=3)
    return changes.map(lambda these: json.dumps(good | these).encode())


def test_nothing_that_a_request_contains_fails_in_the_writer(
    store: Store, survey: Survey, envelope: bytes
) -> None:
    """Every body is refused with a reason before it is queued, or it is committed."""
    publish(store, envelope)
    writer = Observed(store)
    ingest = Ingest(store, writer)
    withdrawal = {"v": 1, "survey": survey.id, "ids": b64(IDS[0])}
    reports = {
        "v": 1,
        "manifest": survey.digest,
        "ids": b64(IDS[1]),
        "columns": {"ever_tried": "AQ=="},
        "attributes": {"region": "AA=="},
    }

    @settings(max_examples=60)
    @given(changed(withdrawal), changed(reports))
    def send(withdrawn: bytes, reported: bytes) -> None:
        with suppress(WireError, Refused):
            ingest.withdraw(withdrawn)
        with suppress(WireError, Refused):
            ingest.receive(reported)

    send()
    writer.stop()
    foreign = {each.survey_id for each in writer.queued if isinstance(each, Withdrawal)}

    assert all(name.isascii() and len(name) <= 64 for name in foreign)


@pytest.mark.parametrize("name", ["\ud800", "a\udfff", "\0", "", "é", "a" * 65, "a\n", "../a"])
def test_a_survey_id_that_is_none_is_refused_before_it_is_queued(store: Store, name: str) -> None:
    """A withdrawal names a survey as ids are written, or is malformed."""
    writer = Observed(store)
    body = json.dumps({"v": 1, "survey": name, "ids": b64(IDS[0])}).encode()
    with pytest.raises(WireError) as refusal:
        Ingest(store, writer).withdraw(body)
    writer.stop()

    assert ("malformed", []) == (refusal.value.code, writer.queued)


@pytest.mark.parametrize("poison", ["withdrawal", "report"])
def test_poison_costs_its_neighbours_one_undone_transaction(
    database, recording: Store, survey: Survey, batch: Batch, poison: str
) -> None:
    """The neighbours share one commit; what is stored together with poison is halved."""
    bad: Work = Withdrawal("\ud800", IDS[:1])
    if poison == "report":
        bad = replace(batch((1,), question="rating"), values=(None,))  # type: ignore[arg-type]
    group = [batch((1,), ids=IDS[n : n + 1]) for n in range(32)]
    Recording.said.clear()
    results = GroupCommit(recording).commit([*group[:20], bad, *group[20:]])

    assert isinstance(results[20], UnicodeEncodeError | AttributeError)
    assert [1] * 32 == results[:20] + results[21:]
    begun = sum(n for sql, n in Recording.said.items() if sql.startswith(database.begin))
    assert (3, 1) == (begun, Recording.said["COMMIT"])
    assert 32 == recount(recording, survey.id).reports
    assert recount(recording, survey.id).agrees


def test_poison_among_reports_stored_together_is_found_by_halving(
    recording: Store, survey: Survey, batch: Batch
) -> None:
    """Of 32 reports to one question, one of which is poison, 31 count after a few commits."""
    group = [batch((1,), ids=IDS[n : n + 1]) for n in range(32)]
    group[13] = replace(group[13], values=(None,))  # type: ignore[arg-type]
    Recording.said.clear()
    results = GroupCommit(recording).commit(group)

    assert [1] * 31 == [each for each in results if isinstance(each, int)]
    assert Recording.said["COMMIT"] == 5  # the halves of 32, 16, 8, 4 and 2 without poison
    assert recount(recording, survey.id).agrees


def test_a_commit_that_cannot_begin_takes_back_nothing_that_was_committed(
    store: Store, survey: Survey, envelope: bytes, batch: Batch
) -> None:
    """Ids of the commit before are known as they are, once there is memory again."""
    publish(store, envelope)
    many = tuple(i.to_bytes(16, "big") for i in range(200))
    commit = GroupCommit(store)
    commit.commit([batch((1,) * 200, ids=many)])
    commit.commit([Withdrawal(survey.id, many[:1])])
    with mock.patch.object(IdIndex, "_settle_many", side_effect=MemoryError):
        [failed] = commit.commit([batch((1,), ids=IDS[:1])])
    results = commit.commit([batch((1,) * 200, ids=many), batch((1,), ids=IDS[:1])])

    assert isinstance(failed, MemoryError)
    assert [200, 1] == results
    assert 1 == commit._surveys[survey.id].index.withdrawn
    assert (200, True) == (recount(store, survey.id).reports, recount(store, survey.id).agrees)


@pytest.mark.parametrize(
    "damage",
    [("UPDATE chunks SET columns = ?", b"\xff\xff"), ("UPDATE tallies SET n = 0 WHERE value = 1",)],
)
def test_a_withdrawal_from_damaged_data_fails_alone(
    recording: Store, survey: Survey, batch: Batch, damage: tuple[object, ...]
) -> None:
    """Who withdraws is told to come again later, and all reports beside are stored."""
    commit = GroupCommit(recording, cohort=0)
    commit.commit([batch((1,), ids=IDS[:1])])
    recording._change(*damage)
    results = commit.commit([Withdrawal(survey.id, IDS[:1]), batch((0,), ids=IDS[1:2])])
    again = commit.commit([batch((0,), ids=IDS[2:3]), Withdrawal(survey.id, IDS[:1])])

    assert isinstance(results[0], StoreInconsistent)
    assert isinstance(again[1], StorageFailed)
    assert [1, 1] == [results[1], again[0]]


def test_damage_answers_a_withdrawal_with_503(
    app, services, client, survey: Survey, make_body: Callable[..., bytes]
) -> None:
    """The device keeps the withdrawal and sends it again: it is not the request's fault."""
    services.ingest.receive(make_body((1,), ids=IDS[:1]))
    services.store._change("UPDATE chunks SET columns = ?", b"\xff\xff")
    body = encode_withdrawal(survey.id, IDS[:1])
    answer = client.post("/v1/withdrawals", data=body, content_type="application/json")

    assert (503, "urn:tossup:error:storage") == (answer.status_code, answer.json["type"])
