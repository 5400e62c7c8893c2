"""What strangers may pile up is bounded: reports, withdrawals, and bodies that never end."""

import gc
import secrets
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tossup.server.ingest import commit as module
from tossup.server.ingest.commit import GroupCommit, Withdrawal
from tossup.server.ingest.decoding import decode_reports
from tossup.server.refusals import Refused
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.server.web.serving import waitress_channel
from tossup.server.web.serving.waitress_channel import Channel

IDS = tuple(bytes([n]) * 16 for n in range(1, 10))


@pytest.fixture
def batch(store, survey, envelope, make_body):
    publish(store, envelope)
    return lambda *ids: decode_reports(make_body((1,) * len(ids), ids=ids), lambda _: survey)


def test_a_survey_takes_so_many_reports_and_no_more(store, survey, batch):
    """What has no room is refused whole; what is here is acknowledged again; what fits is taken."""
    commit = GroupCommit(store, max_reports=5).commit
    assert [3] == commit([batch(*IDS[:3])])
    full, again, fits, none = commit(
        [batch(*IDS[2:6]), batch(*IDS[:3]), batch(*IDS[2:5]), batch(IDS[5])]
    )

    assert (3, 3) == (again, fits)
    assert ["survey-full"] * 2 == [full.code, none.code]
    assert "TOSSUP_MAX_REPORTS" in str(full)
    assert 5 == store.survey(survey.id).reports
    restarted = GroupCommit(store, max_reports=5).commit([batch(*IDS[:5]), batch(IDS[8])])
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


def test_bodies_that_never_end_are_bounded_together(monkeypatch):
    """The one too many is refused; those that went make room again."""
    monkeypatch.setattr(waitress_channel, "MOST_BODY_BYTES", 250)
    settings = SimpleNamespace(
        max_request_header_size=10_000,
        max_request_body_size=1000,
        inbuf_overflow=10_000,
        url_scheme="http",
    )

    def begin():
        parser = Channel.parser_class(settings)
        parser.received(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx")
        return parser

    gc.collect()
    held = [begin(), begin()]
    refused = begin()

    assert [None, None, 503] == [p.error and p.error.code for p in (*held, refused)]
    del held[0]
    gc.collect()
    assert begin().error is None


def test_the_page_says_when_a_survey_is_half_full(config, store, envelope, make_body):
    """At half of what it may hold, with both numbers."""
    app = create_app(replace(config, max_reports=6), store=store)
    services = app.extensions["tossup"]
    publish(store, envelope)
    client = app.test_client()
    link = services.auth.create_link()
    client.post(f"/sign-in/{link}", headers={"Origin": "http://localhost"})
    services.ingest.receive(make_body((1, 1)))
    before = client.get("/surveys/habits-7").text
    services.ingest.receive(make_body((1,)))
    after = client.get("/surveys/habits-7").text
    services.close()

    assert "TOSSUP_MAX_REPORTS" not in before
    assert "This survey holds 3 of the 6 reports" in after
