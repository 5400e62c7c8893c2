"""The ingest core: exactly once, whatever fails, whoever received it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from errno import ENOSPC
from unittest import mock

import pytest

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.core import Ingest
from tossup.server.ingest.decoding import ReportBatch, decode_reports
from tossup.server.ingest.group import Withdrawal
from tossup.server.ingest.ids import generations
from tossup.server.ingest.recount import recount
from tossup.server.ingest.retention import expire_reports
from tossup.server.ingest.writer import Writer
from tossup.server.refusals import Busy, Refused
from tossup.server.store import StorageFailed, Store
from tossup.server.store.sql.pool import Connection
from tossup.server.store.sql.transaction import Transaction
from tossup.server.surveys.lifecycle import close, publish, reopen
from tossup.shared.errors import WireError
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import Receipt, encode_batch, encode_withdrawal

ON_BOTH_STORES = True
Body = Callable[..., bytes]
IDS = tuple(bytes([n]) * 16 for n in range(1, 6))


class Faulty:
    """A connection that fails at a statement that starts with `at`, when armed."""

    armed: str | None = None

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        if Faulty.armed and sql.lstrip().startswith(Faulty.armed):
            raise OSError(ENOSPC, "the disk is full")
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def faulty_store(database, envelope: bytes) -> Iterator[Store]:
    """A store whose disk fails while `Faulty.armed` names a statement."""
    store = database.open(wrap=Faulty)
    publish(store, envelope)
    yield store
    Faulty.armed = None
    store.close()


@pytest.fixture
def batch(survey: Survey, make_body: Body) -> Callable[..., ReportBatch]:
    return lambda *args, **options: decode_reports(make_body(*args, **options), lambda _: survey)


def yes(store: Store, survey: Survey) -> tuple[int, ...]:
    """Counts of no and yes over all cells of the first question."""
    cells = [cell for cell in store.tally(survey.id) if cell.question == "ever_tried"]
    return tuple(sum(cell.counts[value] for cell in cells) for value in (0, 1))


def test_it_works(store: Store, survey: Survey, envelope: bytes, batch) -> None:
    """A group of batches is committed as a whole, each with its own result."""
    publish(store, envelope)
    results = GroupCommit(store).commit([batch((1, 0)), batch((1, 1, 1))])

    assert [2, 3] == results
    assert (1, 4) == yes(store, survey)
    assert 5 == store.survey(survey.id).reports


def test_duplicates_count_once_and_are_received(
    store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """An id within one group, in a later group, or partly known, is counted once."""
    publish(store, envelope)
    commit = GroupCommit(store)
    first = commit.commit([batch((1, 1), ids=IDS[:2]), batch((1, 1), ids=IDS[1:3])])
    second = commit.commit([batch((0, 0, 1, 1), ids=IDS[:4])])

    assert ([2, 2], [4]) == (first, second)
    assert (0, 4) == yes(store, survey)


def test_the_first_report_of_an_id_counts(
    store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """A second value under a known id changes nothing."""
    publish(store, envelope)
    GroupCommit(store).commit([batch((1,), ids=IDS[:1]), batch((0,), ids=IDS[:1])])

    assert (0, 1) == yes(store, survey)


def test_an_id_is_known_across_processes_and_restarts(
    database, store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """Two writers on one file, each with its own memory, count an id once."""
    publish(store, envelope)
    other = database.open()
    here, there = GroupCommit(store), GroupCommit(other)
    here.commit([batch((1,), ids=IDS[:1])])
    there.commit([batch((1, 1), ids=IDS[:2])])
    here.commit([batch((1, 1, 1), ids=IDS[:3])])
    GroupCommit(other).commit([batch((1,) * 5, ids=IDS)])
    other.close()

    assert (0, 5) == yes(store, survey)
    assert recount(store, survey.id).agrees


@pytest.mark.parametrize(
    "statement",
    ["begin", "growth", "counts", "revision", "COMMIT"],
)
def test_a_failed_commit_takes_ids_back(
    database, faulty_store: Store, survey: Survey, batch, statement: str
) -> None:
    """After a failed transaction nothing is stored, and the same reports count when sent again."""
    commit = GroupCommit(faulty_store)
    commit.commit([batch((1,), ids=IDS[:1])])
    again = [batch((1, 1, 1), ids=IDS[:3]), batch((0,), ids=IDS[3:4])]
    Faulty.armed = getattr(database, statement, statement)
    with pytest.raises(StorageFailed):
        commit.commit(again)
    Faulty.armed = None

    assert (0, 1) == yes(faulty_store, survey)
    assert [3, 1] == commit.commit(again)
    assert (1, 3) == yes(faulty_store, survey)
    assert recount(faulty_store, survey.id).agrees


@pytest.mark.parametrize("statement", ["INSERT INTO withdrawals", "DELETE FROM chunks", "COMMIT"])
def test_a_failed_withdrawal_changes_nothing(
    faulty_store: Store, survey: Survey, batch, statement: str
) -> None:
    """After a failed transaction the report is still counted, and can be withdrawn again."""
    commit = GroupCommit(faulty_store)
    commit.commit([batch((1,), ids=IDS[:1])])
    Faulty.armed = statement
    with pytest.raises(StorageFailed):
        commit.commit([Withdrawal(survey.id, IDS[:2])])
    Faulty.armed = None

    assert (0, 1) == yes(faulty_store, survey)
    commit.commit([batch((1,), ids=IDS[1:2]), Withdrawal(survey.id, IDS[:1])])
    assert (0, 1) == yes(faulty_store, survey)


def test_ids_that_could_not_be_sorted_after_a_commit_are_at_the_next(
    store: Store, survey: Survey, envelope: bytes, batch, monkeypatch, caplog
) -> None:
    """What was acknowledged is known all the same, and the writer goes on."""
    publish(store, envelope)
    commit, sent = GroupCommit(store), batch((1,) * 300)
    assert [300] == commit.commit([sent])
    with monkeypatch.context() as patch:
        patch.setattr(generations, "Run", mock.Mock(side_effect=MemoryError))
        commit.tidy()

    assert "MemoryError" in caplog.text
    assert [300, 1] == commit.commit([sent, batch((1,))])
    assert 301 == recount(store, survey.id).reports


def test_waiting_requests_learn_of_a_failed_commit(faulty_store: Store, make_body) -> None:
    """The receipt is an error, never a success that is not on disk."""
    writer = Writer(faulty_store)
    ingest = Ingest(faulty_store, writer)
    Faulty.armed = "COMMIT"
    with pytest.raises(StorageFailed):
        ingest.receive(make_body())
    Faulty.armed = None
    writer.stop()


def test_an_outage_is_told_once_a_minute(faulty_store: Store, make_body, caplog) -> None:
    """Not for every transaction: a disk that is full has no room for so many lines."""
    writer = Writer(faulty_store)
    ingest = Ingest(faulty_store, writer)
    Faulty.armed = "COMMIT"
    for _ in range(4):
        with pytest.raises(StorageFailed):
            ingest.receive(make_body())
    writer._silent_until = 0
    with pytest.raises(StorageFailed):
        ingest.receive(make_body())
    Faulty.armed = None
    writer.stop()

    told = [record.getMessage()[:23] for record in caplog.records]
    assert ["transactions failed: 1;", "transactions failed: 4;"] == told


def test_one_bad_batch_fails_alone(store: Store, survey: Survey, envelope: bytes, batch) -> None:
    """A batch that breaks the transaction by a fault of ours does not fail its neighbours."""
    publish(store, envelope)
    broken = replace(batch((1,)), ids=("not bytes",))
    writer = Writer(store)
    tickets = [writer.submit(work) for work in (batch((1,)), broken, batch((0, 1)))]
    writer.stop()

    assert [1, 2] == [tickets[0].result(), tickets[2].result()]
    with pytest.raises(TypeError):
        tickets[1].result()
    assert (1, 2) == yes(store, survey)
    assert recount(store, survey.id).agrees


def test_a_closed_survey_refuses_only_its_own(
    store: Store, survey: Survey, envelope: bytes, publisher_key, batch
) -> None:
    """Other surveys in the same group are counted."""
    publish(store, envelope)
    other = replace(survey, id="other")
    publish(store, sign_manifest(other.payload, publisher_key))
    close(store, "other")
    elsewhere = replace(batch((1,)), survey=other)
    results = GroupCommit(store).commit([elsewhere, batch((1,))])

    assert isinstance(results[0], Refused)
    assert ("survey-closed", 1) == (results[0].code, results[1])
    assert [] == store.tally("other")


@pytest.mark.parametrize(
    ("day", "code"), [(date(2026, 3, 13), "survey-not-open"), (date(2026, 3, 16), "survey-closed")]
)
def test_days_open_and_close_a_survey(
    database, survey: Survey, publisher_key, make_batch, day: date, code: str
) -> None:
    """Reports are taken from the first to the last day, by the server's day."""
    dated = replace(survey, opens=date(2026, 3, 14), closes=date(2026, 3, 15))
    today = [day]
    store = database.open(day=lambda: today[0])
    publish(store, sign_manifest(dated.payload, publisher_key))
    writer = Writer(store)
    body = encode_batch(make_batch((1,), of=dated), dated)
    with pytest.raises(Refused) as refusal:
        Ingest(store, writer).receive(body)
    today[0] = date(2026, 3, 15)
    received = Ingest(store, writer).receive(body)
    writer.stop()
    store.close()

    assert (code, Receipt(1)) == (refusal.value.code, received)


def test_what_was_tossed_in_time_is_counted_late(
    database, survey: Survey, publisher_key, make_batch
) -> None:
    """For so many days as the manifest says; withdrawn as long; then refused, with the days."""
    dated = replace(survey, closes=date(2026, 3, 15), late_days=7)
    today = [date(2026, 3, 15)]
    store = database.open(day=lambda: today[0])
    publish(store, sign_manifest(dated.payload, publisher_key))
    writer = Writer(store)
    ingest = Ingest(store, writer)
    batches = [make_batch((1,), of=dated) for _ in range(10)]
    counted: list[tuple[str, int]] = []
    for late in range(10):
        today[0] = date(2026, 3, 15 + late)
        try:
            ingest.receive(encode_batch(batches[late], dated))
            if late == 7:
                ingest.withdraw(encode_withdrawal(dated.id, batches[late].ids))
        except Refused as refused:
            said = f"{refused.code}: {refused}"
        record = store.survey(dated.id)
        counted.append((record.state, record.reports))
    writer.stop()
    store.close()

    wanted = [("open", 1), *(("closing", n) for n in range(2, 8)), ("closing", 7)]
    assert [*wanted, ("closed", 7), ("closed", 7)] == counted
    assert said.startswith("survey-closed: the survey closed on 2026-03-15")
    assert "counted late reports until 2026-03-22" in said
    assert record.ended == date(2026, 3, 22)


def test_a_survey_closed_by_hand_counts_nothing_late(
    database, survey: Survey, publisher_key, make_batch
) -> None:
    """The operator's word holds, also on a day on which late reports would count."""
    dated = replace(survey, closes=date(2026, 3, 15), late_days=7)
    store = database.open(day=lambda: date(2026, 3, 17))
    publish(store, sign_manifest(dated.payload, publisher_key))
    close(store, dated.id)
    writer = Writer(store)
    with pytest.raises(Refused, match="closed by its owner") as refusal:
        Ingest(store, writer).receive(encode_batch(make_batch((1,), of=dated), dated))
    writer.stop()
    record = store.survey(dated.id)
    store.close()

    assert ("survey-closed", "closed", date(2026, 3, 17)) == (
        refusal.value.code,
        record.state,
        record.ended,
    )


def test_an_older_version_is_still_taken(
    store: Store, survey: Survey, envelope: bytes, publisher_key, make_batch, make_body
) -> None:
    """A device that was offline answers the version it has; both count, apart."""
    publish(store, envelope)
    newer = replace(survey, version=2, previous=survey.digest)
    publish(store, sign_manifest(newer.payload, publisher_key))
    writer = Writer(store)
    ingest = Ingest(store, writer)
    ingest.receive(make_body((1,)))
    ingest.receive(encode_batch(make_batch((1,), of=newer), newer))
    writer.stop()

    assert [survey.digest, newer.digest] == [cell.manifest for cell in store.tally(survey.id)]


def test_too_much_waiting_is_refused(store: Store, envelope: bytes, batch) -> None:
    """The queue is bounded in reports; what is refused is told so at once."""
    publish(store, envelope)
    writer = Writer(store, max_waiting=2)
    with pytest.raises(Busy):
        writer.submit(batch((1, 0, 1)))
    writer.stop()


def test_a_stopping_writer_commits_what_waits_and_takes_no_more(
    store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """Nothing accepted is lost by an orderly stop."""
    publish(store, envelope)
    writer = Writer(store)
    tickets = [writer.submit(batch((1,))) for _ in range(50)]
    writer.stop()
    with pytest.raises(Busy):
        writer.submit(batch((1,)))

    assert [1] * 50 == [ticket.result(0) for ticket in tickets]
    assert (0, 50) == yes(store, survey)


def test_what_waits_together_is_committed_together(
    store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """While one transaction runs, all that comes in waits for the next one and shares it."""
    publish(store, envelope)
    writer = Writer(store)
    with store.write():
        tickets = [writer.submit(batch((1,))) for _ in range(20)]
    received = [ticket.result() for ticket in tickets]
    writer.stop()
    transactions = store.survey(survey.id).revision - 1

    assert [1] * 20 == received
    assert transactions <= 2


def test_how_long_the_store_takes_is_told(database, envelope: bytes, batch, monkeypatch) -> None:
    """For its lock and its disk: the least of eight commits, as others may wait for a processor."""
    clock = [0.0]
    monkeypatch.setattr("tossup.server.ingest.commit.time.monotonic", lambda: clock[0])
    takes = {"BEGIN": 0.0, "SELECT": 1.0, "COMMIT": 0.0}

    class Slow(Faulty):
        def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
            clock[0] += takes.get(sql.split(maxsplit=1)[0], 0.0)
            return super().execute(sql, parameters)

    store = database.open(wrap=Slow)
    publish(store, envelope)
    commit, told = GroupCommit(store), []
    for begin, end in ((2.0, 1.0), (2.0, 2.0), *([(5.0, 2.0)] * 8)):
        takes |= {"BEGIN": begin, "COMMIT": end}
        commit.commit([batch((1,))])
        told.append(commit.store_seconds)
    store.close()

    assert [3.0] * 8 + [4.0, 7.0] == told


def test_a_joint_report_counts_in_every_question(
    store: Store, joint_survey: Survey, publisher_key, make_batch
) -> None:
    """The answers of one respondent are one report and one count per question."""
    publish(store, sign_manifest(joint_survey.payload, publisher_key))
    writer = Writer(store)
    both = replace(
        make_batch((1, 0), of=joint_survey), columns={"ever_tried": (1, 0), "rating": (4, 4)}
    )
    Ingest(store, writer).receive(encode_batch(both, joint_survey))
    writer.stop()

    counts = {cell.question: cell.counts for cell in store.tally(joint_survey.id)}
    assert {"ever_tried": (1, 1), "rating": (0, 0, 0, 0, 2)} == counts
    assert 2 == store.survey(joint_survey.id).reports


def test_withdrawn_reports_leave_chunk_and_tally(
    store: Store, survey: Survey, envelope: bytes, make_body
) -> None:
    """A withdrawal takes the report out everywhere, and a late copy of it counts for nothing."""
    publish(store, envelope)
    writer = Writer(store)
    ingest = Ingest(store, writer)
    ingest.receive(make_body((1, 0, 1), ids=IDS[:3], region=1))
    answer = ingest.withdraw(encode_withdrawal(survey.id, IDS[:1]))
    ingest.receive(make_body((1, 0, 1), ids=IDS[:3], region=1))
    writer.stop()

    assert Receipt(1) == answer
    assert (1, 1) == yes(store, survey)
    assert 2 == recount(store, survey.id).reports
    assert recount(store, survey.id).agrees


def test_withdrawals_of_one_group_are_all_counted(
    store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """Two reports of one cell that stand in different chunks leave it together."""
    publish(store, envelope)
    commit = GroupCommit(store, cohort=0)  # every commit in a chunk of its own
    for place in range(3):
        commit.commit([batch((1,), ids=IDS[place : place + 1])])
    commit.commit([Withdrawal(survey.id, IDS[:1]), Withdrawal(survey.id, IDS[1:2])])

    assert (0, 1) == yes(store, survey)
    assert recount(store, survey.id).agrees


def test_unknown_ids_get_the_same_answer_and_stay_out(
    store: Store, survey: Survey, envelope: bytes, make_body
) -> None:
    """A withdrawal that overtakes its report still keeps it from being counted."""
    publish(store, envelope)
    writer = Writer(store)
    ingest = Ingest(store, writer)
    answer = ingest.withdraw(encode_withdrawal(survey.id, IDS[:2]))
    ingest.receive(make_body((1, 1, 1), ids=IDS[:3]))
    writer.stop()

    assert Receipt(2) == answer
    assert (0, 1) == yes(store, survey)


def test_ids_are_read_part_after_part(
    database, store: Store, survey: Survey, envelope: bytes, batch, monkeypatch
) -> None:
    """After a start, and from others: of five chunks two at once, and of three withdrawals."""
    monkeypatch.setattr(Transaction, "_PAGE", 2)
    publish(store, envelope)
    other = database.open()
    here, there = GroupCommit(store, cohort=0), GroupCommit(other)
    there.commit([batch((0,), ids=IDS[:1])])
    for report_id in IDS:
        here.commit([batch((1,), ids=[report_id])])
    for commit in (there, GroupCommit(other)):
        commit.commit([batch((1,) * 5, ids=IDS)])
    before = yes(store, survey)
    for report_id in IDS[:3]:
        here.commit([Withdrawal(survey.id, (report_id,))])
    for commit in (there, GroupCommit(other)):
        commit.commit([batch((1,) * 5, ids=IDS)])
    other.close()

    assert ((1, 4), (0, 2)) == (before, yes(store, survey))


def test_a_withdrawal_is_known_to_other_processes(
    database, store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """Whoever receives the late copy or the next withdrawal, the report stays out, once."""
    publish(store, envelope)
    other = database.open()
    here, there = GroupCommit(store), GroupCommit(other)
    here.commit([batch((1, 1), ids=IDS[:2])])
    there.commit([Withdrawal(survey.id, IDS[:1])])
    here.commit([batch((1,), ids=IDS[:1]), Withdrawal(survey.id, IDS[:1])])
    GroupCommit(other).commit([batch((1, 1), ids=IDS[:2])])
    other.close()

    assert (0, 1) == yes(store, survey)
    assert recount(store, survey.id).agrees


def test_an_unknown_withdrawn_id_is_known_to_other_processes(
    database, store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """A withdrawal that overtakes its report at another process keeps it out here too."""
    publish(store, envelope)
    other = database.open()
    here = GroupCommit(store)
    here.commit([batch((1,), ids=IDS[:1])])
    GroupCommit(other).commit([Withdrawal(survey.id, IDS[1:2])])
    here.commit([batch((1,), ids=IDS[1:2])])
    other.close()

    assert (0, 1) == yes(store, survey)


def test_withdrawals_end_with_the_survey(store: Store, survey: Survey, envelope: bytes) -> None:
    """A closed survey stays as it was closed; an unknown one is unknown."""
    publish(store, envelope)
    close(store, survey.id)
    writer = Writer(store)
    codes = []
    for survey_id in (survey.id, "nowhere"):
        with pytest.raises(Refused) as refusal:
            Ingest(store, writer).withdraw(encode_withdrawal(survey_id, IDS[:1]))
        codes.append(refusal.value.code)
    writer.stop()

    assert ["survey-closed", "survey-unknown"] == codes


def test_the_order_of_arrival_is_not_kept(
    store: Store, survey: Survey, envelope: bytes, batch
) -> None:
    """Within a chunk reports stand in the order of their random ids."""
    publish(store, envelope)
    ids = (b"\xff" * 16, b"\x80" * 16, b"\x01" * 16)
    GroupCommit(store).commit([batch((1, 0, 1), ids=ids)])
    with store.audit(survey.id) as (_, chunks):
        stored = [chunk.ids for chunk in chunks]

    assert [b"".join(sorted(ids))] == stored


def test_a_report_never_raises_another_error(store: Store) -> None:
    """What cannot be decoded is a WireError before the writer sees it."""
    writer = Writer(store)
    with pytest.raises(WireError):
        Ingest(store, writer).receive(b"{}")
    writer.stop()


def test_a_survey_closed_by_hand_opens_again_until_its_last_day(
    database, survey: Survey, publisher_key, make_batch
) -> None:
    """It counts again; after its last day or its retention it stays closed, and says why."""
    dated = replace(survey, closes=date(2026, 3, 15), late_days=2, retention_days=30)
    now = [date(2026, 3, 15)]
    store = database.open(day=lambda: now[0])
    publish(store, sign_manifest(dated.payload, publisher_key))
    writer = Writer(store)
    close(store, dated.id)
    reopen(store, dated.id)
    reopen(store, dated.id)
    Ingest(store, writer).receive(encode_batch(make_batch((1,), of=dated), dated))
    counted = store.survey(dated.id)
    close(store, dated.id)
    now[0] = date(2026, 3, 16)
    with pytest.raises(Refused, match="its last day, 2026-03-15, is over"):
        reopen(store, dated.id)
    expire_reports(store, date(2026, 5, 1))
    with pytest.raises(Refused, match="single reports were deleted"):
        reopen(store, dated.id)
    writer.stop()
    record = store.survey(dated.id)
    store.close()

    assert ("open", 1, False) == (counted.state, counted.reports, counted.closed)
    assert ("closed", 1) == (record.state, record.reports)
