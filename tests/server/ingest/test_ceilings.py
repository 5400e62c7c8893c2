"""What strangers may pile up is bounded: reports and withdrawals."""

import secrets
from dataclasses import replace

import numpy as np
import pytest

from tossup.server.ingest import group as module
from tossup.server.ingest import packing
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import ReportBatch, decode_reports, id_rows
from tossup.server.ingest.group import Withdrawal
from tossup.server.ingest.packing import split
from tossup.server.kernels import kernel_of
from tossup.server.refusals import Refused
from tossup.server.store.records import Count
from tossup.server.store.sql import transaction
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.shared.signing import public_bytes, sign_manifest

ON_BOTH_STORES = True
IDS = tuple(bytes([n]) * 16 for n in range(1, 10))

WIDE = """
id = "wide"
title = "Wide"
purpose = "To see what a commit holds."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "q"
text = "Question?"
answers = {listed}
mechanism = "optimized-unary"
odds = 3
[[attribute]]
id = "g"
text = "Group"
answers = {groups}
"""


@pytest.fixture
def batch(store, survey, envelope, make_body):
    publish(store, envelope)
    return lambda *ids: decode_reports(make_body((1,) * len(ids), ids=ids), lambda _: survey)


def test_a_survey_takes_so_many_reports_and_no_more(store, survey, batch):
    """What has no room is refused whole; what is here is acknowledged again; what fits is taken."""
    most = 5 * store.shards  # each of which has an equal share
    commit = GroupCommit(store, max_reports=most).commit
    assert [3] == commit([batch(*IDS[:3])])
    full, again, fits, none = commit(
        [batch(*IDS[2:6]), batch(*IDS[:3]), batch(*IDS[2:5]), batch(IDS[5])]
    )

    assert (3, 3) == (again, fits)
    assert ["survey-full"] * 2 == [full.code, none.code]
    assert f"takes ({most})" in str(full)
    assert "TOSSUP_MAX_REPORTS" in str(full)
    assert 5 == store.survey(survey.id).reports
    restarted = GroupCommit(store, max_reports=most).commit([batch(*IDS[:5]), batch(IDS[8])])
    assert (5, "survey-full") == (restarted[0], restarted[1].code)


def test_withdrawals_of_unknown_ids_are_bounded_by_the_reports(store, survey, batch, monkeypatch):
    """Beyond the bound known ones are still taken back, and the refusal says what was done."""
    monkeypatch.setattr(module, "_MOST_WITHDRAWN", 2)
    commit = GroupCommit(store).commit
    commit([batch(*IDS[:2])])
    unknown = tuple(secrets.token_bytes(16) for _ in range(6))
    assert [6] == commit([Withdrawal(survey.id, unknown)])
    (refused,) = commit([Withdrawal(survey.id, (IDS[0], secrets.token_bytes(16)))])

    assert isinstance(refused, Refused)
    assert "too-many-withdrawals" == refused.code
    assert 1 == store.survey(survey.id).reports
    assert [6, 1] == commit([Withdrawal(survey.id, unknown), Withdrawal(survey.id, IDS[:1])])
    assert [1] == commit([Withdrawal(survey.id, IDS[1:2])])
    assert 0 == store.survey(survey.id).reports


def test_the_page_says_when_a_survey_is_half_full(database, store, envelope, make_body):
    """At half of what it may hold, with both numbers."""
    app = create_app(replace(database.config, max_reports=6), store=store)
    services = app.extensions["tossup"]
    publish(store, envelope)
    client = app.test_client()
    link = services.auth.create_link()
    client.post(f"/sign-in/{link}", headers={"Origin": "http://localhost"})
    services.ingest.receive(make_body((1, 1), ids=IDS[:2]))
    before = client.get("/surveys/habits-7").text
    services.ingest.receive(make_body((1,), ids=IDS[2:3]))
    after = client.get("/surveys/habits-7").text
    services.close()

    assert "TOSSUP_MAX_REPORTS" not in before
    assert "This survey holds 3 of the 6 reports" in after
    assert '<meter min="0" max="6" value="3"' in after


def test_a_commit_holds_few_of_the_changes_that_it_makes(store, publisher_key, monkeypatch):
    """Reports name options of 256 in 16 groups: the changes of few counters stand at a time.

    What is counted is what one group at a time says, and withdrawing takes all of it back.
    """
    listed, groups = (
        str([f"{name}{place}" for place in range(count)]).replace("'", '"')
        for name, count in (("o", 256), ("g", 16))
    )
    survey = load_survey(WIDE.format(listed=listed, groups=groups), public_bytes(publisher_key))
    publish(store, sign_manifest(survey.payload, publisher_key))
    kernel, n = kernel_of(survey.questions[0].mechanism), 96
    column = kernel.perturb_each([0], np.zeros(n, dtype=np.int64))
    strata = np.arange(n, dtype=np.uint8) % 16
    ids = secrets.token_bytes(16 * n)
    held = []  # changes that stand now, after each one that is made

    class Held(Count):
        alive = 0

        def __init__(self, *_parts):
            Held.alive += 1
            held.append(Held.alive)

        def __del__(self):
            Held.alive -= 1

    by_cell, pieces = transaction._by_cell, []

    def noted(counts):
        cells = by_cell(counts)
        pieces.append(sum(map(len, cells.values())))
        return cells

    monkeypatch.setattr(packing, "Count", Held)
    monkeypatch.setattr(transaction, "_by_cell", noted)
    monkeypatch.setattr(transaction, "MOST_COUNTS", 64)
    commit = GroupCommit(store).commit
    commit([ReportBatch(survey, "q", id_rows(ids), (column,), strata[None, :])])
    cells = {cell.stratum: list(cell.counts) for cell in store.tally(survey.id)}

    assert {(g,): kernel.count(column[strata == g]).tolist() for g in range(16)} == cells
    assert len(held) == sum(np.count_nonzero(counts) for counts in cells.values()) > 1000
    assert [n] == commit([Withdrawal(survey.id, tuple(split(ids)))])
    assert [] == store.tally(survey.id)
    assert max(held) <= 3 * 64
    assert max(pieces) == 64


def test_what_comes_and_goes_in_one_commit_never_stands_below_zero(
    store, survey, batch, monkeypatch
):
    """Every piece is one change, which the schema checks: reports are added before others go."""
    monkeypatch.setattr(transaction, "MOST_COUNTS", 1)
    commit = GroupCommit(store).commit
    commit([batch(*IDS[:2])])

    assert [3, 2, 1] == commit([Withdrawal(survey.id, IDS[:3]), batch(*IDS[2:4]), batch(IDS[4])])
    assert [2] == [sum(cell.counts) for cell in store.tally(survey.id)]
