"""What a device does with every kind of answer from a server, a proxy or nobody at all."""

import contextlib
import datetime
import email.utils
import socket
import sqlite3
import ssl
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from answers import problem, receipt

from tossup.client import Client, Outcome, Response
from tossup.client.asking import now
from tossup.client.errors import TransportError
from tossup.client.store import database, outbox
from tossup.client.store.database import Database
from tossup.client.upload import uploader, verdicts
from tossup.shared import strict_json, wire
from tossup.shared.wire import Failure

ANSWERS = {"ever_tried": True, "rating": "r2", "region": "north"}
ONE = {"ever_tried": True, "region": "north"}
HANG_UP = (0, {}, b"")
PORTAL = (200, {"Content-Type": "text/html"}, b"<html>Welcome to our hotel</html>")
DAY = 24 * 3600
SIX_HOURS = 6 * 3600
TEN_YEARS = 3653 * DAY


@pytest.fixture(autouse=True)
def still_clock(monkeypatch):
    """The device's clock stands still unless a test moves it, so that no wait runs out in it."""
    monkeypatch.setattr(now, "clock", lambda: 2 * 10**9)


def queued(client: Client, answers=ONE) -> Client:
    assert client.answer(answers) is Outcome.QUEUED
    return client


def half(answer):
    """The true answer, cut in its middle."""
    status, headers, body = answer
    return status, {**headers, "Content-Length": str(len(body))}, body[: len(body) // 2]


def retyped(media_type):
    return lambda answer: (answer[0], {"Content-Type": media_type}, answer[2])


def plain(status):
    return status, {"Content-Type": "text/plain"}, b"no"


NOT_SUCCESS = {
    "captive portal": (PORTAL, "not-our-server"),
    "our receipt as another media type": (retyped("application/json"), "not-our-server"),
    "not a receipt": ((200, {"Content-Type": wire.RECEIPT_TYPE}, b"{}"), "not-our-server"),
    "a receipt for more reports": (receipt(2), "not-our-server"),
    "hangs up": (HANG_UP, "offline"),
    "breaks in mid-body": (half, "offline"),
    "redirect": ((302, {"Location": "http://127.0.0.1:1/"}, b""), "http-302"),
    "no content": ((204, {}, b""), "http-204"),
    "timeout": (plain(408), "http-408"),
    "too many requests": (plain(429), "http-429"),
    "error": (plain(500), "http-500"),
    "busy": (problem(503, "busy"), "busy"),
    "storage": (problem(503, "storage"), "storage"),
    "network authentication": (plain(511), "http-511"),
    "not open yet": (problem(409, "survey-not-open"), "survey-not-open"),
    "manifest unknown": (problem(404, "manifest-unknown"), "manifest-unknown"),
    "one manifest unknown": (receipt(0, Failure(0, "manifest-unknown")), "manifest-unknown"),
    "survey unknown": (problem(404, "survey-unknown"), "survey-unknown"),
    "not found": (problem(404, "not-found"), "not-found"),
    "host unknown": (problem(400, "host-unknown"), "host-unknown"),
    "length required": (problem(411, "length-required"), "length-required"),
    "method": (problem(405, "method-not-allowed"), "method-not-allowed"),
    "key required": (problem(401, "key-required"), "key-required"),
    "a code of tomorrow": (problem(422, "something-new"), "something-new"),
    **{f"a proxy's {n}": (plain(n), f"http-{n}") for n in (400, 401, 403, 404, 407, 410, 413)},
}


@pytest.mark.parametrize(("answer", "reason"), NOT_SUCCESS.values(), ids=NOT_SUCCESS)
def test_what_is_not_our_success_is_tried_again_as_the_same_report(client, stub, answer, reason):
    """The report stays, the app is told why, and later the same bytes go out again."""
    queued(client)
    stub.script = [answer]
    first = client.flush()
    second = client.flush(force=True)

    assert (first.sent, first.pending, first.reason) == (0, 1, reason)
    assert 1 <= first.retry_after_seconds <= 30
    assert (second.sent, second.pending, second.reason) == (1, 0, None)
    bodies = {body for method, _, _, body in stub.requests if method == "POST"}
    assert len(bodies) == 1
    assert stub.changed == []


def test_between_two_tries_nothing_is_sent(client, stub):
    """A flush before its time returns at once and says when to return."""
    queued(client)
    stub.script = [plain(500)]
    client.flush()
    requests = len(stub.requests)
    result = client.flush()

    assert (result.reason, len(stub.requests)) == ("waiting", requests)
    assert client.status().problem == "http-500"
    assert "retry_after_seconds" in result.explanation


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("asked", "waits", "most"),
    [
        ("120", 120, 240),
        ("0", 1, 2),
        ("9" * 30, DAY, DAY + SIX_HOURS),
        ("99999", DAY, DAY + SIX_HOURS),
    ],
)
def test_retry_after_in_seconds_is_followed_up_to_a_day(
    client, stub, monkeypatch, status, asked, waits, most
):
    """The server's wish counts, within reason; nobody comes again before."""
    monkeypatch.setattr(now, "clock", lambda: 10**9)
    queued(client)
    stub.script = [problem(status, "busy", **{"Retry-After": asked})]

    assert waits <= client.flush().retry_after_seconds <= most


@pytest.mark.parametrize("skew", [0, TEN_YEARS, -TEN_YEARS])
def test_retry_after_as_a_date_is_read_by_the_servers_own_clock(client, stub, monkeypatch, skew):
    """A device's wrong clock does not change how long it waits."""
    server_now = datetime.datetime(2030, 1, 1, tzinfo=datetime.UTC)
    until = server_now + datetime.timedelta(seconds=90)
    monkeypatch.setattr(now, "clock", lambda: int(server_now.timestamp()) + skew)
    queued(client)
    dates = {
        "Date": email.utils.format_datetime(server_now, usegmt=True),
        "Retry-After": email.utils.format_datetime(until, usegmt=True),
    }
    stub.script = [problem(503, "busy", **dates)]

    assert 90 <= client.flush().retry_after_seconds <= 180


UNREADABLE = [
    "soon",
    "-5",
    "1.5",
    "",
    "Tue, 99 Foo 2030",
    "Mon, 01 Jan 99999 00:00:00 GMT",
    "Mon, 01 Jan 0000 00:00:00 GMT",
    "Mon, 31 Foo 2020 00:00:00 GMT",
    "Mon, 01 Jan " + "9" * 5000 + " 00:00:00 GMT",
]


@pytest.mark.parametrize("words", UNREADABLE)
def test_a_retry_after_that_says_nothing_leaves_the_usual_wait(client, stub, words):
    """Unreadable headers are ignored."""
    queued(client)
    stub.script = [problem(503, "busy", **{"Retry-After": words})]
    result = client.flush()

    assert (result.reason, result.pending) == ("busy", 1)
    assert 1 <= result.retry_after_seconds <= 30


def test_a_flush_that_fails_inside_tells_what_is_still_waiting(client, stub, monkeypatch):
    """A bug in the SDK is no reason to call an outbox empty that is not."""
    queued(client)
    monkeypatch.setattr("tossup.client.upload.uploader.judge", lambda *_: 1 // 0)
    result = client.flush()

    assert (result.sent, result.pending, result.reason) == (0, 1, "failed")


def test_a_flush_that_cannot_look_does_not_call_the_outbox_empty(stub, survey, tmp_path):
    """Where the store cannot be asked, what waits is unknown."""
    (tmp_path / "file").write_text("not a folder")
    client = Client(stub.link(survey), survey.publisher.key, store=tmp_path / "file" / "store.db")
    result = client.flush()

    assert (result.pending, result.quarantined) == (None, None)
    assert result.reason == "store-unavailable"


def test_retry_after_counts_with_429_and_503_only(client, stub):
    """Another status with that header gets the usual wait."""
    queued(client)
    stub.script = [(500, {"Retry-After": "9999"}, b"")]

    assert client.flush().retry_after_seconds <= 30


@pytest.mark.parametrize("jump", [TEN_YEARS, -TEN_YEARS])
def test_a_clock_that_jumps_ten_years_blocks_nothing(client, stub, monkeypatch, jump):
    """Set forward or back, the next try is due at once rather than in ten years."""
    clock = [2 * 10**9]
    monkeypatch.setattr(now, "clock", lambda: clock[0])
    queued(client)
    stub.script = [plain(500)]
    client.flush()
    clock[0] += jump

    assert client.flush().sent == 1


def test_a_clock_ten_years_off_changes_no_answer(client, stub, monkeypatch, survey):
    """The device's clock decides neither whether a survey is open nor what is spent."""
    for jump in (TEN_YEARS, -TEN_YEARS):
        monkeypatch.setattr("time.time_ns", lambda jump=jump: (2 * 10**9 + jump) * 10**9)
        outcome = client.answer(ANSWERS)

    assert outcome is Outcome.ALREADY_ANSWERED
    assert client.flush().sent == 2


def test_waits_grow_to_six_hours_with_full_jitter():
    """Each failure doubles the range that the wait is drawn from, from 30 s to 6 h."""
    longest = [max(verdicts.delay_after(n) for _ in range(2000)) for n in (1, 2, 5, 20, 10**6)]
    bounds = [30, 60, 480, 21_600, 21_600]

    assert all(
        half <= got <= bound
        for got, bound in zip(longest, bounds, strict=True)
        for half in [bound // 2]
    )
    assert min(verdicts.delay_after(20) for _ in range(2000)) < 1000


def test_devices_that_are_asked_for_the_same_wait_come_at_different_times():
    """None comes before it was asked to, and with each failure fewer come in a second."""
    for asked, failures, most in ((5, 1, 10), (5, 2, 20), (5, 5, 160), (1, 14, 16_384)):
        waits = [verdicts.delay_after(failures, asked) for _ in range(2000)]
        assert asked <= min(waits) < asked + most / 4, (asked, failures)
        assert 3 * most / 4 < max(waits) <= most, (asked, failures)
    assert verdicts.delay_after(10**6, DAY) <= DAY + SIX_HOURS


def test_a_success_ends_the_row_of_failures(client, stub):
    """After a success the next failure waits at most 30 s again."""
    queued(client, {"rating": "r1", "region": "north"})
    stub.script = [plain(500)] * 6
    for _ in range(7):
        client.flush(force=True)
    queued(client)
    stub.script = [plain(500)]

    assert client.flush().retry_after_seconds <= 30


REFUSALS = {
    "malformed": (problem(400, "malformed"), "malformed"),
    "media type": (problem(415, "media-type"), "media-type"),
    "closed": (problem(410, "survey-closed"), "survey-closed"),
    "one report too large": (problem(413, "too-large"), "too-large"),
    "per report": (receipt(0, Failure(0, "malformed")), "malformed"),
}


@pytest.mark.parametrize(("answer", "code"), REFUSALS.values(), ids=REFUSALS)
def test_what_a_server_refuses_is_kept_in_quarantine_and_said(client, stub, answer, code):
    """A refused report is not sent again, not deleted, and visible with its code."""
    queued(client)
    stub.script = [answer]
    result = client.flush()
    requests = len(stub.requests)
    client.flush()

    assert (result.sent, result.pending, result.quarantined) == (0, 0, 1)
    assert "refused 1 report(s) for good" in result.explanation
    assert client.status().quarantined == {code: 1}
    assert len(stub.requests) == requests


def set_aside(store, code: str) -> None:
    """Set all reports aside with a code, as an earlier version may have done."""

    def put_aside(connection) -> None:
        connection.execute("DELETE FROM manifests")
        for row in connection.execute("SELECT publisher, survey FROM outbox_0").fetchall():
            for report in outbox.read(connection, *row):
                outbox.write(connection, [replace(report, state="quarantined", code=code)])

    Database(str(store)).run(put_aside)


@pytest.mark.parametrize("code", ["http-403", "host-unknown", "manifest-unknown"])
def test_what_was_set_aside_without_need_goes_out_again_when_forced(client, stub, store, code):
    """Only what the server said of the bytes is its last word."""
    queued(client)
    set_aside(store, code)

    assert client.flush().sent == 0
    assert client.flush(force=True).sent == 1


def test_reports_without_their_manifest_go_out_once_it_is_fetched_again(
    client, stub, survey, store
):
    """A device that lost its manifests sets reports aside, and survey() brings them back."""
    queued(client)
    set_aside(store, "manifest-missing")
    again = Client(stub.link(survey), survey.publisher.key, store=store)
    assert again.flush().quarantined == 1
    again.survey()

    assert again.flush().sent == 1


def test_some_of_a_batch_may_have_to_wait(stub, survey, store):
    """The receipt's other reports are done; those that are not refused for good stay."""
    client = kiosk(stub, survey, store, people=5)
    stub.script = [receipt(3, Failure(1, "malformed"), Failure(4, "manifest-unknown"))]
    result = client.flush()

    assert (result.sent, result.quarantined, result.pending) == (3, 1, 1)
    assert result.reason == "manifest-unknown"


def test_some_of_a_batch_may_be_refused(stub, survey, store):
    """The receipt's places decide which reports are kept aside."""
    client = kiosk(stub, survey, store, people=5)
    stub.script = [receipt(3, Failure(1, "malformed"), Failure(4, "malformed"))]
    result = client.flush()

    assert (result.sent, result.quarantined) == (3, 2)


def test_a_closed_survey_takes_no_further_answer(client, stub):
    """After the server said so on upload, answering tosses nothing; reopening lifts it."""
    queued(client)
    stub.script = [problem(410, "survey-closed")]
    client.flush()

    assert client.answer({"rating": "r1", "region": "north"}) is Outcome.CLOSED
    assert client.status().closed
    assert client.survey() is not None
    assert client.answer({"rating": "r1", "region": "north"}) is Outcome.QUEUED


def kiosk(stub, survey, store, people: int) -> Client:
    """A device with many reports to one question, which only rows made by hand can give."""
    client = Client(stub.link(survey), survey.publisher.key, store=store)
    client.survey()
    reports = [
        outbox.Report(
            id=(person * 2654435761 % 2**32).to_bytes(16, "big"),
            publisher=survey.publisher.key.hex(),
            survey=survey.id,
            manifest=survey.digest,
            question="ever_tried",
            columns={"ever_tried": person % 2},
            attributes={"region": 0},
        )
        for person in range(people)
    ]
    Database(str(store)).run(lambda connection: outbox.write(connection, reports))
    return client


def batches(stub) -> list[list[bytes]]:
    bodies = [b for m, path, _, b in stub.requests if (m, path) == ("POST", "/v1/reports")]
    ids = [wire.unb64(strict_json.loads(body, 1 << 20)["ids"]) for body in bodies]
    return [[text[at : at + 16] for at in range(0, len(text), 16)] for text in ids]


def test_batches_hold_a_thousand_reports_in_the_order_of_their_ids(stub, survey, store):
    """2,300 reports leave in three requests; the order is that of random ids, not of answers."""
    client = kiosk(stub, survey, store, people=2300)
    assert client.flush().sent == 2300
    sent = batches(stub)

    assert [len(batch) for batch in sent] == [1000, 1000, 300]
    assert [x for batch in sent for x in batch] == sorted(x for batch in sent for x in batch)


def test_a_batch_too_large_for_the_server_is_halved(stub, survey, store):
    """413 halves the batch until it fits; nothing is lost."""
    client = kiosk(stub, survey, store, people=10)
    stub.script = [problem(413, "too-large"), problem(413, "too-large")]

    assert client.flush().sent == 10
    assert [len(batch) for batch in batches(stub)] == [10, 5, 2, 2, 2, 2, 2]


def test_a_batch_that_was_too_large_may_have_reached_the_server(stub, survey, store):
    """So a withdrawal withdraws all of it, also what the next round did not come to."""
    client = kiosk(stub, survey, store, people=4)
    stub.script = [problem(413, "too-large"), plain(500)]
    client.flush()
    client.withdraw()

    assert client.status().withdrawing == 4


def test_what_comes_amid_a_flush_leaves_with_it(stub, survey, store):
    """A flush ends when nothing waits, and not with what waited when it began."""
    client = kiosk(stub, survey, store, people=3)
    stub.script = [lambda answer: (queued(client), answer)[1]]

    assert (client.flush().sent, len(stub.reports)) == (4, 4)


def test_a_limit_bounds_what_one_call_sends(stub, survey, store):
    """flush(limit=4) sends four reports and leaves six."""
    client = kiosk(stub, survey, store, people=10)
    result = client.flush(limit=4)

    assert (result.sent, result.pending, result.reason) == (4, 6, None)
    assert "limit" in result.explanation


def test_a_limit_counts_what_is_refused_too(stub, survey, store):
    """A limited flush does not run through a server that refuses everything."""
    client = kiosk(stub, survey, store, people=10)
    stub.script = [problem(400, "malformed")]
    result = client.flush(limit=4)

    assert (result.sent, result.quarantined, result.pending) == (0, 4, 6)


def test_each_question_travels_in_a_request_of_its_own(client, stub):
    """Reports of one device to two questions share no request, and no id."""
    queued(client, ANSWERS)
    client.flush()
    bodies = [strict_json.loads(b, 1 << 20) for m, _, _, b in stub.requests if m == "POST"]

    assert sorted(tuple(body["columns"]) for body in bodies) == [("ever_tried",), ("rating",)]
    assert bodies[0]["ids"] != bodies[1]["ids"]


def test_reports_outlive_a_new_version_of_the_manifest(client, stub, survey, publisher_key):
    """A report made under version 1 is sent under version 1, whatever came since."""
    queued(client)
    stub.publish(replace(survey, version=2, previous=survey.digest), publisher_key)
    assert client.survey().version == 2
    client.flush()

    assert [manifest for manifest, _, _ in stub.reports.values()] == [survey.digest]


def test_withdrawing_before_sending_deletes_and_sends_nothing(client, stub):
    """Unsent reports are gone; what was spent stays spent; no answer without new consent."""
    queued(client, ANSWERS)
    client.withdraw()
    client.flush()
    status = client.status()

    assert (status.pending, status.withdrawing, stub.reports, stub.withdrawn) == (0, 0, {}, set())
    assert (status.device.odds, status.consent) == (9, False)
    assert client.answer(ANSWERS) is Outcome.NO_CONSENT
    assert client.consent(True) is Outcome.STORED
    assert client.answer(ANSWERS) is Outcome.ALREADY_ANSWERED


def test_a_flush_that_waits_leaves_reports_unattempted(client, stub):
    """A report that was only ever waiting is deleted by a withdrawal, not withdrawn."""
    queued(client)
    stub.script = [plain(500)]
    client.flush()
    queued(client, {"rating": "r1", "region": "north"})
    assert client.flush().reason == "waiting"
    client.withdraw()

    assert client.status().withdrawing == 1


def test_what_a_round_did_not_come_to_is_deleted_by_a_withdrawal(client, stub):
    """Of two requests the first fails, so that the second is never made: its report stayed here."""
    queued(client, ANSWERS)
    stub.script = [plain(500)]
    client.flush()
    client.withdraw()

    assert (client.status().withdrawing, len(stub.requests)) == (1, 2)


def test_who_withdraws_amid_a_round_is_withdrawn_from_the_server(client, stub):
    """What was on its way and what followed is withdrawn by the same flush; nothing stays."""
    queued(client, ANSWERS)
    stub.script = [lambda answer: (client.withdraw(), answer)[1]]
    result = client.flush()

    assert (result.pending, result.withdrawn, stub.withdrawn) == (0, 2, set(stub.reports))


def test_withdrawing_after_sending_withdraws_from_the_server(client, stub):
    """Sent reports are withdrawn by their ids with the next flush, and then forgotten."""
    queued(client, ANSWERS)
    client.flush()
    client.withdraw()
    assert client.status().withdrawing == 2
    result = client.flush()

    assert (result.withdrawn, stub.withdrawn) == (2, set(stub.reports))
    assert client.status().withdrawing == 0


def test_no_withdrawal_joins_two_reports(client, stub):
    """A list of ids would tell which answers were given together, as no upload does."""
    queued(client, ANSWERS)
    client.flush()
    client.withdraw()
    client.flush()
    bodies = [body for _, path, _, body in stub.requests if path == "/v1/withdrawals"]

    assert [1, 1] == [len(wire.decode_withdrawal(body)[1]) for body in bodies]


def test_a_report_whose_receipt_was_lost_is_withdrawn_from_the_server(client, stub):
    """What may have arrived is withdrawn as if it had."""
    queued(client)
    stub.script = [half]
    client.flush()
    client.withdraw()
    client.flush()

    assert stub.withdrawn == set(stub.reports)
    assert len(stub.reports) == 1


def test_a_withdrawal_that_comes_too_late_is_said(client, stub):
    """If the server will not withdraw any more, status() says so."""
    queued(client)
    client.flush()
    client.withdraw()
    stub.script = [problem(410, "survey-closed")]
    result = client.flush()

    assert (client.status().unwithdrawn, client.status().withdrawing) == (1, 0)
    assert (result.unwithdrawn, "not withdraw 1 report(s)" in result.explanation) == (1, True)


def test_only_one_flusher_at_a_time(client, stub, survey, store):
    """A second flush while one is under way sends nothing and says so."""
    queued(client)
    other = Client(stub.link(survey), survey.publisher.key, store=store)
    seen = []
    stub.script = [lambda answer: (seen.append(other.flush(force=True).reason), answer)[1]]
    result = client.flush()

    assert (result.sent, seen) == (1, ["flushing"])


def test_a_transport_that_raises_anything_is_a_failed_request(stub, survey, store):
    """A host app's own transport cannot break the SDK."""

    class Broken:
        def request(self, *_):
            raise ZeroDivisionError

    client = Client(stub.link(survey), survey.publisher.key, store=store, transport=Broken())

    assert client.answer(ONE) is Outcome.UNREACHABLE
    assert client.survey() is None


def test_a_transport_can_be_replaced(survey, store, envelope):
    """A host app's transport sees the method, the address, the headers and the body."""
    seen = []

    class Own:
        def request(self, method, url, headers, body, timeout_seconds):
            seen.append((method, url, sorted(headers), timeout_seconds))
            if method == "GET":
                return Response(200, {"content-type": wire.MANIFEST_TYPE}, envelope)
            raise TransportError("off")

    link = f"https://survey.example/a/v1/surveys/{survey.id}"
    client = Client(link, survey.publisher.key, store=store, transport=Own(), timeout_seconds=3)
    client.answer(ONE)
    client.flush()

    assert seen == [
        ("GET", f"https://survey.example/a/v1/surveys/{survey.id}", ["Accept"], 3),
        ("POST", "https://survey.example/a/v1/reports", ["Accept", "Content-Type"], 3),
    ]


def captured(serve_once) -> tuple[str, list[bytes], threading.Thread]:
    """A raw socket that keeps the bytes it is sent, one request a connection."""
    listener = socket.create_server(("127.0.0.1", 0))
    kept: list[bytes] = []

    def serve() -> None:
        with listener:
            for answer in serve_once:
                connection, _ = listener.accept()
                with connection:
                    data = b""
                    while b"\r\n\r\n" not in data or not _complete(data):
                        data += connection.recv(65536)
                    kept.append(data)
                    connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}", kept, thread


def _complete(data: bytes) -> bool:
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length")
    ]
    return len(body) >= sum(lengths)


def test_a_request_carries_nothing_that_names_the_device(survey, store, envelope):
    """The raw bytes hold the allowed headers, constant, and the body; no cookie comes back."""
    head = b"HTTP/1.1 200 OK\r\nSet-Cookie: id=7\r\nETag: x\r\nContent-Type: "
    manifest = head + wire.MANIFEST_TYPE.encode() + b"\r\n\r\n" + envelope
    body = wire.encode_receipt(wire.Receipt(1))
    accepted = head + wire.RECEIPT_TYPE.encode() + b"\r\n\r\n" + body
    url, kept, thread = captured([manifest, accepted, accepted])
    client = Client(f"{url}/v1/surveys/{survey.id}", survey.publisher.key, store=store)
    client.answer(ANSWERS)
    result = client.flush()
    thread.join()

    assert result.sent == 2
    heads = [data.partition(b"\r\n\r\n")[0].decode().split("\r\n") for data in kept]
    host = url.removeprefix("http://")
    common = {f"Host: {host}", "User-Agent: tossup", "Connection: close"}
    assert heads[0][0] == f"GET /v1/surveys/{survey.id} HTTP/1.1"
    assert set(heads[0][1:]) == common | {f"Accept: {wire.MANIFEST_TYPE}"}
    for lines, data in zip(heads[1:], kept[1:], strict=True):
        sent = len(data.partition(b"\r\n\r\n")[2])
        assert lines[0] == "POST /v1/reports HTTP/1.1"
        assert set(lines[1:]) == common | {
            f"Accept: {wire.RECEIPT_TYPE}",
            f"Content-Type: {wire.REPORTS_TYPE}",
            f"Content-Length: {sent}",
        }


def test_the_length_of_a_request_does_not_depend_on_the_answers(stub, survey, tmp_path):
    """For every pair of answers the two requests have the same lengths."""
    lengths = set()
    for place, tried in enumerate([True, False] * 5):
        client = Client(stub.link(survey), survey.publisher.key, store=tmp_path / f"{place}.db")
        stub.requests.clear()
        client.answer({"ever_tried": tried, "rating": f"r{place % 5 + 1}", "region": "north"})
        client.flush()
        lengths.add(tuple(sorted(len(body) for _, _, _, body in stub.requests)))

    assert len(lengths) == 1


@pytest.fixture
def certificate(tmp_path):
    """A certificate for 127.0.0.1 that no system trusts."""
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(built.public_bytes(serialization.Encoding.PEM) + private)
    return path


@pytest.fixture
def secure(stub, certificate):
    """The same stub behind TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    stub.server.socket = context.wrap_socket(stub.server.socket, server_side=True)
    stub.url = stub.url.replace("http:", "https:")
    return stub


def test_an_untrusted_certificate_is_said_as_such(secure, survey, store):
    """A TLS failure is told apart from an unreachable server, and nothing is sent."""
    client = Client(secure.link(survey), survey.publisher.key, store=store)

    assert client.answer(ONE) is Outcome.UNREACHABLE
    assert "certificate" in client.status().problem
    assert secure.requests == []


def test_a_ca_file_adds_to_what_is_trusted(secure, survey, store, certificate):
    """With the certificate as ca_file the same server is fine."""
    key = survey.publisher.key
    client = Client(secure.link(survey), key, store=store, ca_file=certificate)
    queued(client)

    assert client.flush().sent == 1


@pytest.mark.parametrize(
    "nonsense",
    [None, 7, "200", Response(200, None, b""), Response("ok"), Response(200, {}, "text")],
    ids=repr,
)
def test_a_transport_that_returns_nonsense_is_a_failed_request(stub, survey, store, nonsense):
    """What is no answer is tried again later, as after a connection that broke."""

    class Broken:
        def request(self, *_):
            return nonsense

    queued(Client(stub.link(survey), survey.publisher.key, store=store))
    client = Client(stub.link(survey), survey.publisher.key, store=store, transport=Broken())
    result = client.flush()

    assert (result.pending, result.reason) == (1, "offline")
    assert 1 <= result.retry_after_seconds <= 30


@pytest.mark.parametrize("whole", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_timeout_bounds_the_whole_request(survey, store, whole):
    """Headers or a body that drip in, a byte each 0.2 s, end with the timeout of a second."""
    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        with listener, listener.accept()[0] as connection, contextlib.suppress(OSError):
            connection.sendall(whole)
            for _ in range(600):  # two minutes, unless the device hangs up
                if stop.wait(0.2):
                    return
                connection.sendall(b"x")

    thread = threading.Thread(target=drip)
    thread.start()
    link = f"http://127.0.0.1:{listener.getsockname()[1]}/v1/surveys/{survey.id}"
    client = Client(link, survey.publisher.key, store=store, timeout_seconds=1)
    found = client.survey()
    still_dripping = thread.is_alive()
    stop.set()
    thread.join()

    assert (found, still_dripping) == (None, True)
    assert client.status().problem.startswith("unreachable: ")


def test_a_closed_survey_stays_closed_when_offline(client, stub):
    """The device remembers what the server said, and does not offer the survey again."""
    queued(client)
    stub.script = [problem(410, "survey-closed")]
    client.flush()
    stub.script = [HANG_UP]

    assert client.survey() is None


def test_a_ca_file_that_is_not_there_is_a_wrong_setting(survey, store, tmp_path):
    """It is told when the client is made, and is not taken for a network that fails."""
    key, link = survey.publisher.key, f"https://survey.example/v1/surveys/{survey.id}"
    client = Client(link, key, store=store, ca_file=tmp_path / "nothing.pem")

    assert client.answer(ONE) is Outcome.MISCONFIGURED


def had(survey, numbers: Iterable[int]) -> list[outbox.Report]:
    """Reports that the server has."""
    return [
        outbox.Report(
            id=number.to_bytes(16, "big"),
            publisher=survey.publisher.key.hex(),
            survey=survey.id,
            manifest=survey.digest,
            question="ever_tried",
            columns={},
            attributes={},
            state="sent",
            attempted=True,
        )
        for number in numbers
    ]


def steps_of(call: Callable[[], object]) -> int:
    """Count the steps of SQLite's machine that a call takes."""
    steps = [0]
    connect = database.connect

    def counted(path):
        connection = connect(path)
        connection.set_progress_handler(lambda: steps.__setitem__(0, steps[0] + 1), 1)
        return connection

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "connect", counted)
        call()
    return steps[0]


def test_what_the_server_has_is_not_read_again(client, stub, store, survey, monkeypatch):
    """However many reports were sent, a flush reads those that wait, and a withdrawal all.

    A status counts those that were sent, by an index; an older SDK made the store without one.
    """
    client.survey()
    with contextlib.closing(sqlite3.connect(store)) as connection:
        connection.execute("DROP INDEX outbox_0_states")
    taken = []
    for some in (range(1, 3), range(3, 2_001)):
        Database(str(store)).run(lambda c, some=some: outbox.write(c, had(survey, some)))
        client.flush()
        taken.append([steps_of(client.flush), steps_of(client.status)])
    queued(client)
    read: list[object] = []
    report = outbox._report
    monkeypatch.setattr(outbox, "_report", lambda row: read.append(row) or report(row))

    assert client.flush().sent == 1
    assert len(read) <= 4
    (early, looked), (late, looked_later) = taken
    assert late - early <= 20
    assert looked_later - looked <= 8 * 1_998
    assert client.status().sent == 2_001
    client.withdraw()
    assert client.status().withdrawing == 2_001


def test_what_waits_is_read_no_oftener_the_more_of_it_there_is(stub, survey, store, monkeypatch):
    """Of a year's reports each is a request: it is read when it is sent and settled, not always."""
    client = kiosk(stub, survey, store, people=400)
    monkeypatch.setattr(uploader, "_company", lambda report: report.id)
    read: list[object] = []
    report = outbox._report
    monkeypatch.setattr(outbox, "_report", lambda row: read.append(row) or report(row))

    assert client.flush().sent == 400
    assert [len(batch) for batch in batches(stub)] == [1] * 400
    assert len(read) <= 400 * 4


def test_a_survey_that_is_fetched_ends_what_kept_it_from_being(client, stub):
    """``status().problem`` is not stale: the server that was out of reach is there again."""
    client.survey()
    stub.script.append((0, {}, b""))
    client.survey()
    assert client.status().problem == "offline"
    client.survey()
    assert client.status().problem is None
