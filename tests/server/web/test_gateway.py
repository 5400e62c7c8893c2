"""What the gateway bounds before a request is answered, and what takes which road."""

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from roads import ask, put_behind_gateway

from tossup.server.web.access import public, require
from tossup.server.web.middleware.headers import cross_origin
from tossup.server.web.middleware.receiving import commits, committing
from tossup.server.web.serving import gateway as module
from tossup.server.web.serving import reports
from tossup.server.web.serving.admission import Admission
from tossup.server.web.serving.answer import Answer
from tossup.server.web.serving.gateway import Gateway
from tossup.server.web.serving.threads import started
from tossup.shared.wire import MAX_BODY_BYTES, REPORTS_TYPE


@pytest.fixture
def gateway(app: Flask):
    made = Gateway(app, threads=2)
    yield made
    made.close()


def scope(path: str = "/v1/reports", length: int | str = 0, **headers: str) -> dict[str, Any]:
    given = {"host": "localhost", "content-type": REPORTS_TYPE, "content-length": length} | headers
    return {
        "method": "POST",
        "raw_path": path.encode(),
        "query_string": b"",
        "http_version": "1.1",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
        "headers": [(name.encode(), str(value).encode()) for name, value in given.items()],
    }


def test_it_works(gateway: Gateway, services, survey, make_body) -> None:
    """A report is acknowledged past Flask, and counted; a page comes from Flask."""
    body = make_body((1,))
    gateway._threads.answer = None  # it is not called
    start, answered = asyncio.run(ask(gateway, scope(length=len(body)), body))

    assert (200, b'{"v":1,"received":1,"failed":[]}') == (start["status"], answered)
    assert 1 == services.store.survey(survey.id).reports


def test_white_space_after_a_value_is_no_part_of_it(gateway: Gateway, make_body) -> None:
    """A length with a space after it is a length; the parser takes away what is before."""
    body = make_body((1,))
    spaced = {"host": "localhost\t", "content-type": f"{REPORTS_TYPE} "}
    for path, status in (("/v1/reports", 200), ("/v1/surveys", 401)):
        start, _ = asyncio.run(ask(gateway, scope(path, f"{len(body)} \t", **spaced), body))

        assert status == start["status"], path


def test_the_first_report_to_a_manifest_is_read_in_a_thread(gateway, services, make_body) -> None:
    """The loop never waits for the store: what is in no memory yet is decoded elsewhere."""
    seen = []
    plain = gateway._reports._pool.submit
    gateway._reports._pool.submit = lambda *given: seen.append(given) or plain(*given)
    for _ in range(3):
        body = make_body((1,))
        asyncio.run(ask(gateway, scope(length=len(body)), body))

    assert 1 == len(seen)


def test_it_answers_where_the_system_has_no_thread_left(gateway, monkeypatch, make_body) -> None:
    """All that it needs are there from the start."""

    def none_left(_thread: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", none_left)
    body = make_body((1,))
    for path in ("/v1/reports", "/v1/surveys"):
        start, _ = asyncio.run(ask(gateway, scope(path, len(body)), body))
        assert start["status"] == {"/v1/reports": 200, "/v1/surveys": 401}[path]
    with pytest.raises(RuntimeError):
        started(1, "tossup-test")


def test_a_mistake_of_the_gateway_is_a_problem_document(gateway, monkeypatch, caplog) -> None:
    """It was uvicorn's plain text, and nothing in the log."""
    monkeypatch.setattr(module, "_whole", AsyncMock(side_effect=MemoryError))
    start, body = asyncio.run(ask(gateway, scope(length=3), b"..."))

    assert (500, b"application/problem+json") == (
        start["status"],
        dict(start["headers"])[b"Content-Type"],
    )
    assert b"urn:tossup:error:internal" in body
    assert "MemoryError in " in caplog.text


def test_bodies_that_never_end_are_bounded_together(gateway, monkeypatch) -> None:
    """The one too many is refused at once, to come again; those that went make room again.

    Small ones, as devices send them, are read in any case.
    """
    monkeypatch.setattr(module, "MOST_BODY_BYTES", 250)
    monkeypatch.setattr(module, "SMALL_BODY_BYTES", 10)

    async def scenario() -> list[dict[str, Any]]:
        async def never() -> dict[str, Any]:
            await asyncio.sleep(3600)
            raise AssertionError

        async def drop(message: Any) -> None:
            raise AssertionError(message)

        held = [asyncio.create_task(gateway(scope(length=100), never, drop)) for _ in range(2)]
        await asyncio.sleep(0)
        refused, _ = await ask(gateway, scope(length=100), b"{" * 100)
        small, _ = await ask(gateway, scope(length=10), b"{" * 10)
        held[0].cancel()
        await asyncio.wait(held[:1])
        read, _ = await ask(gateway, scope(length=100), b"{" * 100)
        held[1].cancel()
        return [refused, small, read]

    refused, small, read = asyncio.run(scenario())

    assert [503, 400, 400] == [refused["status"], small["status"], read["status"]]
    assert {(b"Retry-After", b"1"), (b"Connection", b"close")} <= set(refused["headers"])


def test_what_is_refused_for_what_it_is_has_no_more_turns(
    gateway, monkeypatch, survey, make_body
) -> None:
    """A report that comes later is answered first; what may come again is refused at once."""
    monkeypatch.setattr(reports, "_REFUSAL_SECONDS", 3600)
    bodies = {
        "no JSON": b"{",
        "no survey id": b'{"v":1,"survey":"\\ud800","ids":"AAAAAAAAAAAAAAAAAAAAAA=="}',
        "no manifest": make_body((1,)).replace(survey.digest.encode(), b"0" * 64),
    }

    async def scenario() -> tuple[int, int, set[str]]:
        asked = {
            asyncio.create_task(ask(gateway, scope(length=len(body)), body), name=name)
            for name, body in bodies.items()
        }
        report = make_body((1,))
        received, _ = await ask(gateway, scope(length=len(report)), report)
        gateway._reports._small = Admission(0, 2, lambda: 1)
        busy, _ = await ask(gateway, scope(length=len(report)), report)
        waiting = {each.get_name() for each in asked if not each.done()}
        for each in asked:
            each.cancel()
        return received["status"], busy["status"], waiting

    assert (200, 503, set(bodies)) == asyncio.run(scenario())


def test_a_sender_who_goes_is_not_answered(gateway) -> None:
    """Nothing of half a body is kept, and its room is free again."""

    async def gone() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def drop(message: Any) -> None:
        raise AssertionError(message)

    asyncio.run(gateway(scope(length=100), gone, drop))

    assert 0 == gateway._held


def test_nothing_is_read_of_a_body_that_is_too_long(gateway) -> None:
    """It is refused by what it declares."""

    async def never() -> dict[str, Any]:
        raise AssertionError

    sent = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(gateway(scope(length=MAX_BODY_BYTES + 1), never, send))

    assert 413 == sent[0]["status"]


def test_a_commit_that_takes_too_long_is_answered(gateway, make_body, monkeypatch) -> None:
    """The client is asked to send the same again, which counts once; a late result harms nobody."""
    monkeypatch.setattr(reports, "PATIENCE_SECONDS", 0.01)
    late = []
    monkeypatch.setattr(
        gateway._reports._services.ingest, "submit", lambda _, then: late.append(then)
    )
    body = make_body((1,))
    start, _ = asyncio.run(ask(gateway, scope(length=len(body)), body))
    late[0](RuntimeError())

    assert 503 == start["status"]


def test_requests_that_find_no_room_are_asked_to_come_again(gateway, make_body) -> None:
    """On both roads: how much room there is, and when, `test_admission` holds."""
    body = make_body((1,))
    refused = []
    for admission, path, sent in (
        (gateway._reports._small, "/v1/reports", body),
        (gateway._threads._waiting, "/healthz", b""),
    ):
        asyncio.run(ask(gateway, scope(path, len(sent)), sent))
        assert 0 == admission._held
        admission._held = 1 << 40
        refused.append(asyncio.run(ask(gateway, scope(path, len(sent)), sent))[0])

    assert [503, 503] == [start["status"] for start in refused]
    assert all((b"Retry-After", b"1") in start["headers"] for start in refused)


def test_a_report_is_not_late_for_what_the_disk_takes(gateway, services) -> None:
    """A slow disk takes as long for few reports as for many, so many are let in."""
    rooms = (gateway._reports._small, gateway._reports._large)
    alone = [room._seconds() for room in rooms]
    services.writer._writers[0]._commit.store_seconds = 0.5

    assert [seconds + 4 * 0.5 for seconds in alone] == [room._seconds() for room in rooms]


def test_large_batches_and_single_reports_keep_each_other_out_of_nothing(gateway, make_body):
    """Each has room of its own, however many of the others wait."""
    bodies, statuses = {"_small": make_body((1,)), "_large": make_body((1,) * 300)}, []
    for full in bodies:
        admission = getattr(gateway._reports, full)
        held, admission._held = admission._held, 1 << 40
        for body in bodies.values():
            start, _ = asyncio.run(ask(gateway, scope(length=len(body)), body))
            statuses.append(start["status"])
        admission._held = held

    assert [503, 200, 200, 503] == statuses


def test_long_answers_on_their_way_are_bounded_together(gateway, monkeypatch) -> None:
    """Slow readers hold two pages; a third one is refused, the same page and a receipt are not."""
    size = 1 << 17
    monkeypatch.setattr(module, "MOST_ANSWER_BYTES", 2 * size)
    bodies = {name: name.encode() * size for name in "abc"} | {"r": b"receipt"}
    gateway._answer = answer_of = AsyncMock()
    statuses = []

    async def read(name: str, taken: asyncio.Event) -> None:
        async def send(message):
            statuses.extend([message["status"]] if "status" in message else [])
            await taken.wait()

        answer_of.return_value = Answer(200, [], bodies[name])
        await gateway(scope(), None, send)

    async def all_of_them() -> None:
        taken = asyncio.Event()
        slow = [asyncio.create_task(read(name, taken)) for name in "aab"]
        await asyncio.sleep(0)
        late = [asyncio.create_task(read(name, taken)) for name in "cr"]
        await asyncio.sleep(0)
        taken.set()
        await asyncio.gather(*slow, *late)
        await read("c", taken)

    asyncio.run(all_of_them())

    assert [200, 200, 200, 503, 200, 200] == statuses


def test_only_views_that_anyone_may_call_commit_past_flask(app: Flask) -> None:
    """The road past Flask asks for no key and no origin, so what declares it must need none."""
    decode = SimpleNamespace()

    def view() -> Response:
        return Response()

    def declared(view: Any) -> Flask:
        other = Flask("other")
        other.add_url_rule("/x", view_func=view)
        return other

    marked = commits(decode, REPORTS_TYPE)(view)
    with pytest.raises(RuntimeError, match="/x commits"):
        committing(declared(cross_origin(require("viewer")(marked))))
    with pytest.raises(RuntimeError, match="/x commits"):
        committing(declared(public(marked)))
    assert {"/v1/reports", "/v1/withdrawals"} == set(committing(app))


def test_a_large_answer_is_sent_in_pieces(app: Flask, client: FlaskClient) -> None:
    """So that it is held once for many slow readers; nothing of it is lost."""
    large = b"0123456789" * 20_000
    app.view_functions["ops.healthz"] = lambda: Response(large)
    put_behind_gateway(app)

    assert large == client.get("/healthz").data
