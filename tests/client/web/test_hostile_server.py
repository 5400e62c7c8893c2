"""A server that does not play by the rules: nothing is tossed for it, and nothing is lost to it."""

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.strict_json import dumps
from tossup.shared.wire import MANIFEST_TYPE, RECEIPT_TYPE


@pytest.fixture(scope="module")
def plain(survey):
    return replace(survey, id="hostile", questions=survey.questions[:1], attributes=())


@pytest.fixture
def tab(site, publish, new_tab, plain):
    """A page that holds the right link; `publish` clears what the server was made to do."""
    return new_tab().open(site.host, site.link(plain))


def gives(body: bytes, kind: str = MANIFEST_TYPE, status: str = "200 OK", **headers: str):
    """Return trouble that answers every request with this."""
    always = [("Content-Type", kind), ("Access-Control-Allow-Origin", "*")]
    more = [(name.replace("_", "-"), value) for name, value in headers.items()]

    def trouble(request, forward, respond):
        respond(status, [*always, *more])
        return [body]

    return trouble


def answer(tab):
    return tab.call("answer", {"ever_tried": True})


def test_a_manifest_of_another_survey_key_or_cost_is_refused(site, tab, plain, publisher_key):
    """Swapped for another survey's, signed by another key, or claiming less than it costs."""
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    of_other = replace(plain, publisher=replace(plain.publisher, key=public_bytes(other)))
    cheap = json.loads(plain.payload) | {"odds": "2"}
    for name, envelope in {
        "another survey": sign_manifest(replace(plain, id="other").payload, publisher_key),
        "another key, named so": sign_manifest(of_other.payload, other),
        "another key": sign_manifest(plain.payload, other),
        "another key's name in it": sign_manifest(of_other.payload, publisher_key),
        "another cost": sign_manifest(dumps(cheap), publisher_key),
        "no manifest": b"<script>alert(1)</script>",
        "nothing": b"",
    }.items():
        site.trouble = gives(envelope)
        assert answer(tab) == "refused-manifest", name
    assert tab.call("status")["publisher"]["odds"] == {"n": 1, "d": 1}
    assert (site.bodies(), tab.said) == ([], [])


def test_what_is_not_our_server_is_not_believed(site, tab):
    """A captive portal, a redirect, errors of others: no toss, and the next try is as good."""
    elsewhere = {"Location": site.host + "/sdk/hashes.json"}
    for name, trouble in {
        "portal": gives(b"<html>Sign in", "text/html"),
        "no type": gives(b"{}", ""),
        "redirect": gives(b"", status="307 Temporary Redirect", **elsewhere),
        "error": gives(b"oops", "text/plain", "500 Internal Server Error"),
        "problem of others": gives(b'{"type":"x"}', "application/problem+json", "404 Not Found"),
    }.items():
        site.trouble = trouble
        assert answer(tab) == "unreachable", name


def test_a_small_answer_that_unpacks_to_a_large_one_is_not_read_whole(site, tab):
    """A gigabyte of spaces in a megabyte: given up after half a megabyte."""
    bomb = gzip.compress(b" " * (1 << 20)) * 1024
    site.trouble = gives(bomb, Content_Encoding="gzip", Content_Length=str(len(bomb)))

    assert answer(tab) == "unreachable"


RECEIPTS = [
    b'{"v":1,"received":2,"failed":[]}',
    b'{"v":1,"received":0,"failed":[]}',
    b'{"v":1,"received":1,"failed":[{"i":0,"code":"malformed"}]}',
    b'{"v":1,"received":0,"failed":[{"i":1,"code":"malformed"}]}',
    b'{"v":2,"received":1,"failed":[]}',
    b'{"v":1,"received":true,"failed":[]}',
    b'{"v":1,"received":1,"failed":[],"more":1}',
    b"{}",
    b"<html>",
    b"",
]


def test_a_receipt_that_does_not_account_for_the_report_is_none(site, tab, publish, plain):
    """The report is kept, with its bytes, until a server says that it has it, or never will."""
    publish(plain)
    assert answer(tab) == "queued"
    for receipt in RECEIPTS:
        site.trouble = gives(receipt, RECEIPT_TYPE)
        result = tab.call("flush", {"force": True})
        assert (result["reason"], result["pending"]) == ("not-our-server", 1), receipt
    site.trouble = gives(b'{"v":1,"received":1,"failed":[]}', "application/json")
    assert tab.call("flush", {"force": True})["pending"] == 1
    now = datetime.now(UTC).replace(microsecond=0)
    tab.page.clock.set_fixed_time(now)
    in_an_hour = format_datetime(now + timedelta(hours=1), usegmt=True)
    day, longest = 24 * 3600, 6 * 3600
    for asked, least, most in (
        ("90", 90, 90 + longest),
        (in_an_hour, 3600, 3600 + longest),
        (f"{9 * day}", day, day + longest),
        ("soon", 1, longest),
    ):
        headers = {"Retry_After": asked, "Access_Control_Expose_Headers": "Retry-After"}
        site.trouble = gives(b"", "text/plain", "503 Busy", **headers)
        assert least <= tab.call("flush", {"force": True})["retryAfterSeconds"] <= most, asked
    assert len(set(site.bodies())) == 1
    site.trouble = gives(
        b'{"v":1,"received":0,"failed":[{"i":0,"code":"malformed"}]}', RECEIPT_TYPE
    )
    result = tab.call("flush", {"force": True})
    assert (result["reason"], result["quarantined"]) == (None, 1)
    assert tab.call("status")["quarantined"] == {"malformed": 1}
    site.trouble = None
    assert tab.call("flush", {"force": True})["sent"] == 0


def test_a_closed_survey_is_closed(site, new_tab, publish, plain):
    """The server's word is kept: nothing more is tossed, and what waits is set aside."""
    closing = replace(plain, id="closing")
    tab = new_tab().open(site.host, publish(closing))
    assert answer(tab) == "queued"
    site.trouble = gives(
        b'{"v":1,"received":0,"failed":[{"i":0,"code":"survey-closed"}]}', RECEIPT_TYPE
    )
    tab.call("flush")
    site.trouble = None

    status = tab.call("status")
    assert (status["closed"], status["quarantined"]) == (True, {"survey-closed": 1})
    assert answer(tab) == "closed"


def successor(survey, questions, **changes):
    return replace(
        survey,
        version=survey.version + 1,
        previous=survey.digest,
        questions=questions,
        **changes,
    )


def test_a_new_version_that_asks_more_is_shown_first(site, new_tab, publish, plain):
    """A promise that is taken back: nothing is tossed before a preview said so."""
    private = {"results": "private", "shown": "live"}
    live, daily, closed = (
        {"results": "public", "shown": when} for when in ("live", "daily", "closed")
    )
    at_once = "are as reports come in now"
    cases = [
        ([private, live], "results were private and are public now"),
        ([closed, live], f"public results were shown once the survey is closed, and {at_once}"),
        ([live, daily, live], f"public results were shown once a day, and {at_once}"),
        ([closed, private, closed], "results were private and are public now"),
        ([live, daily, closed, private], None),
    ]
    for number, (promised, reason) in enumerate(cases):
        newest = replace(plain, id=f"versions-{number}", **promised[0])
        tab = new_tab().open(site.host, publish(newest))
        assert tab.call("survey")["digest"] == newest.digest
        for changes in promised[1:]:
            newest = successor(newest, newest.questions, **changes)
            publish(newest)
            assert tab.call("survey")["digest"] == newest.digest

        if reason is not None:
            assert tab.call("status")["raised"] == ["ever_tried"], promised
            assert answer(tab) == "odds-raised"
            assert tab.call("preview")["changes"] == [reason]
        assert tab.call("status")["raised"] == [], promised
        assert answer(tab) == "queued", promised


def test_versions_follow_one_another(site, new_tab, publish, plain, publisher_key):
    """Missed ones are fetched; a rollback, a fork and a gap are refused."""
    chain = [replace(plain, id="chain")]
    for version in range(2, 5):
        words = {"en": f"Ever, in version {version}?"}
        chain.append(successor(chain[-1], (replace(chain[-1].questions[0], text=words),)))
    tab = new_tab().open(site.host, publish(chain[0]))
    tab.call("survey")
    for survey in chain[1:]:
        publish(survey)
    assert tab.call("survey")["digest"] == chain[-1].digest

    fork = successor(chain[2], (replace(chain[2].questions[0], text={"en": "A fork?"}),))
    orphan = replace(successor(chain[3], chain[3].questions), previous="0" * 64)
    for name, survey in {"rollback": chain[1], "fork": fork, "orphan": orphan}.items():
        site.trouble = gives(sign_manifest(survey.payload, publisher_key))
        assert tab.call("survey") is None, name
        assert tab.call("status")["problem"].startswith("refused-manifest"), name
