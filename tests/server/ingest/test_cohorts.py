"""What the database's order tells about who sent what: nothing, beyond groups of 128."""

import secrets
from collections import Counter

import pytest

from tossup.server.ingest.cohorts import COHORT, cut
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.packing import from_chunk, split
from tossup.server.ingest.recount import recount
from tossup.shared.wire import encode_batch

ON_BOTH_STORES = True
VALUES = {"ever_tried": (1,), "rating": (3,)}


@pytest.fixture
def sent(app, store, survey, make_batch):
    """Return what stands in the store after devices sent each report by itself, one by one."""
    commit = GroupCommit(store).commit

    def send(devices):
        for _ in range(devices):
            for question, values in VALUES.items():
                batch = make_batch(values, question=question)
                commit([decode_reports(encode_batch(batch, survey), lambda _: survey)])
        return stored(store, survey)

    return send


def stored(store, survey):
    """Return question and ids of every chunk, in the database's order."""
    with store.audit(survey.id) as (_, chunks):
        return [(chunk.question, split(chunk.ids)) for chunk in chunks]


def test_reports_that_came_one_by_one_stand_together(sent):
    """100 devices, two questions: two chunks, and no order within."""
    chunks = sent(100)

    assert {"ever_tried": 100, "rating": 100} == {q: len(ids) for q, ids in chunks}
    assert all(ids == sorted(ids) for _, ids in chunks)


def test_no_chunk_of_many_reports_is_small(sent, store, survey):
    """400 devices: every report is stored beside at least 127 others."""
    chunks = sent(400)
    totals = Counter()
    for question, ids in chunks:
        totals[question] += len(ids)

    assert {"ever_tried": 400, "rating": 400} == totals
    assert min(len(ids) for _, ids in chunks) >= COHORT
    assert max(len(ids) for _, ids in chunks) <= 2 * COHORT
    assert all(ids == sorted(ids) for _, ids in chunks)
    assert recount(store, survey.id).agrees


def test_a_large_batch_stays_together(app, store, survey, make_body):
    """From 128 reports on a batch is its own group, in no order; what grows is left alone."""
    commit = GroupCommit(store).commit
    for values in ((1,), (1, 0) * 64, (0,)):
        commit([decode_reports(make_body(values), lambda _: survey)])

    chunks = stored(store, survey)
    assert [2, 128] == sorted(len(ids) for _, ids in chunks)
    assert all(ids == sorted(ids) for _, ids in chunks)


def test_chance_alone_chooses_who_is_finished(sent, store, survey):
    """Of 257 reports those in the finished chunk differ from one cut to the next."""
    sent(100)
    with store.audit(survey.id) as (_, chunks):
        reports = from_chunk(next(iter(chunks)), survey)
    cuts = [next(iter(cut(reports, cohort=40)))[0].ids.tobytes() for _ in range(2)]

    assert 50 * 16 == len(cuts[0])
    assert cuts[0] != cuts[1]  # alike with probability 1 / C(100, 50) < 1e-29


def test_another_process_knows_where_grown_reports_stand(store, app, survey, make_batch):
    """It counts none again, and takes back the one that is withdrawn."""
    from tossup.server.ingest.group import Withdrawal

    ids = tuple(secrets.token_bytes(16) for _ in range(300))
    ours, theirs = GroupCommit(store).commit, GroupCommit(store).commit
    batches = [make_batch((1,), ids=(report_id,)) for report_id in ids]
    work = [decode_reports(encode_batch(batch, survey), lambda _: survey) for batch in batches]
    for place, piece in enumerate(work):
        (ours if place % 2 else theirs)([piece])
    ours(work)
    theirs([Withdrawal(survey.id, ids[:7])])

    assert 293 == store.survey(survey.id).reports
    assert recount(store, survey.id).agrees


def test_a_damaged_chunk_keeps_no_new_report_out(store, services, survey, make_batch):
    """It grows no more; new reports are stored, a recount tells of the damage, ids stay known."""
    work = [
        decode_reports(encode_batch(make_batch((1,)), survey), lambda _: survey) for _ in range(4)
    ]
    theirs, ours = GroupCommit(store).commit, GroupCommit(store).commit
    theirs(work[:1])
    ours(work[1:2])  # they have not seen it yet
    store._change("UPDATE chunks SET columns = ?", b"\xff")
    after_restart = GroupCommit(store).commit
    after_restart(work[2:3])
    theirs(work)

    assert 4 == store.survey("habits-7").reports
    assert 1 == recount(store, "habits-7").unreadable
