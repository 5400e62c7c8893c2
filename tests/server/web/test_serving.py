"""The production server, as a real process."""

import gc
import json
import platform
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import urlsplit

import pytest
from server_process import Device, Server, post, sending
from sweeps import each

from tossup.server.config import Config
from tossup.server.ingest.packing import split
from tossup.server.ingest.recount import recount
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.server.web.serving.connections import within
from tossup.server.web.serving.run import serve
from tossup.shared.survey import Survey
from tossup.shared.wire import REPORTS_TYPE, Receipt


@contextmanager
def serving(data: Path, envelope: bytes, log: IO[str] | None = None) -> Iterator[Server]:
    """Start a server with one survey, and end it."""
    store = SQLiteStore(Config(data=data).database)
    publish(store, envelope)
    store.close()
    server = Server(Config(data=data), log)
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `long_up` writes to its standard error."""
    return tmp_path_factory.mktemp("log") / "stderr"


@pytest.fixture(scope="module")
def long_up(
    tmp_path_factory: pytest.TempPathFactory, envelope: bytes, log: Path
) -> Iterator[Server]:
    """A server that nothing is stored at, and that no request may end."""
    with log.open("w") as stream, serving(tmp_path_factory.mktemp("up"), envelope, stream) as up:
        yield up


@pytest.fixture
def server(config: Config, envelope: bytes) -> Iterator[Server]:
    """A server that is up, for one test."""
    with serving(config.data, envelope) as up:
        yield up


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

#: Whoever waits longer waits in vain, however busy this machine is.
PATIENCE_SECONDS = 300


def connect(url: str) -> socket.socket:
    """Return a connection to a server."""
    host = urlsplit(url)
    return socket.create_connection((host.hostname, host.port), timeout=PATIENCE_SECONDS)


def exchange(url: str, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send raw bytes; return status, headers in lower case, and the body."""
    with connect(url) as connection:
        connection.sendall(request)
        return told(connection)


def told(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Return what a connection answers: status, headers in lower case, and the body."""
    with connection.makefile("rb") as answer:
        status = int(answer.readline().split()[1])
        headers = {}
        while line := answer.readline().strip():
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        return status, headers, answer.read(int(headers.get("content-length", 0)))


def test_it_works(long_up: Server) -> None:
    """It listens on a free port and does not say what it runs on."""
    status, headers, body = exchange(long_up.url, HEALTH)

    assert (200, b"ok\n") == (status, body)
    assert "server" not in headers
    assert "via" not in headers


def test_nothing_is_acknowledged_into_a_journal_that_was_deleted(
    tmp_path: Path, survey: Survey, envelope: bytes, make_body: Callable[..., bytes]
) -> None:
    """SQLite goes on writing there, and a kill would take it; whoever stops in order keeps all."""
    with serving(tmp_path, envelope) as server:
        assert Receipt(3) == post(server.url, "/v1/reports", make_body(), 3)
        Config(data=tmp_path).database.with_name("tossup.sqlite3-wal").unlink()
        assert None is post(server.url, "/v1/reports", make_body(), 3)
        _, _, said = exchange(server.url, HEALTH.replace(b"healthz", b"readyz"))
        assert b"tossup.sqlite3-wal was deleted or replaced while it was open; stop the" in said
        server.kill(signal.SIGTERM)
        server.wait()
        server.start()
        assert Receipt(3) == post(server.url, "/v1/reports", make_body(), 3)
    store = SQLiteStore(Config(data=tmp_path).database)

    assert 6 == store.survey(survey.id).reports
    assert recount(store, survey.id).agrees
    store.close()


def test_idle_connections_keep_nobody_out(long_up: Server) -> None:
    """Beside 300 sockets that say nothing, and 100 in the middle of a request, it answers."""
    with ExitStack() as stack:
        for place in range(400):
            idle = stack.enter_context(connect(long_up.url))
            if place >= 300:
                idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: local")
        status, _, _ = exchange(long_up.url, HEALTH)

    assert 200 == status


def test_connections_are_as_many_as_files_allow() -> None:
    """What threads and the database need is kept free; some connections there always are."""
    assert (704, 4096, 64) == (within(1024, 320), within(10**6, 320), within(256, 320))


HOSTILE = {
    "chunked": (
        411,
        b"POST /v1/reports HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\nhello\r\n0\r\n\r\n",
    ),
    "a gigabyte announced": (
        413,
        b"POST /v1/reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n",
    ),
    "two lengths": (
        400,
        b"POST /v1/reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
        b"Content-Length: 6\r\n\r\nhello",
    ),
    "length is no number": (
        400,
        b"POST /v1/reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5\r\n\r\nhello",
    ),
    "long headers": (
        431,
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    ),
    "a length and chunks": (
        400,
        b"POST /v1/reports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ),
    "a line that goes on": (400, b"GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n"),
    "a space before the colon": (400, b"GET / HTTP/1.1\r\nHost: localhost\r\nA : b\r\n\r\n"),
    "two hosts": (400, b"GET /v1/x HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"),
    "no host": (400, b"GET /v1/x HTTP/1.1\r\n\r\n"),
    "no HTTP": (400, b"hello\r\n\r\n"),
    "bare line feeds in a header": (400, b"GET / HTTP/1.1\r\nHost: localhost\r\nA: b\nc\r\n\r\n"),
}


@each("name", HOSTILE)
def test_hostile_requests_get_problem_documents(long_up: Server, name: str) -> None:
    """What is refused before the application looks like every other refusal."""
    expected, request = HOSTILE[name]
    status, headers, body = exchange(long_up.url, request)

    assert (expected, "application/problem+json") == (status, headers["content-type"])
    assert expected == json.loads(body)["status"]
    assert "default-src 'none'" in headers["content-security-policy"]


class Request(NamedTuple):
    """A request as a test writes it: raw for a socket, or taken apart for Flask alone."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def raw(self) -> bytes:
        head = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        return f"{self.method} {self.path} HTTP/1.1\r\n{head}\r\n".encode() + self.body


def request(body: bytes, method: str = "POST", path: str = "/v1/reports", **more: str) -> Request:
    """Return a request; an empty value takes a header out."""
    headers = {"Host": "localhost", "Content-Type": REPORTS_TYPE, "Content-Length": str(len(body))}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    return Request(method, path, {n: value for n, value in headers.items() if value}, body)


def every_request(body: bytes) -> dict[str, Request]:
    """Requests that reach the application on every server."""
    unknown = body.replace(body[21:85], b"0" * 64)
    return {
        "good": request(body),
        "again": request(body),
        "JSON": request(body, Content_Type="application/json; charset=utf-8"),
        "text": request(body, Content_Type="text/plain"),
        "HTML": request(body, Content_Type="text/html"),
        "no type": request(body, Content_Type=""),
        "another host": request(body, Host="evil.example"),
        "no name": request(body, Host="localhost, localhost"),
        "a port": request(body, Host="localhost:99"),
        "gzip": request(body, Content_Encoding="gzip"),
        "no length": request(b"", Content_Length=""),
        "cut JSON": request(b"{"),
        "NUL": request(b"\0"),
        "no such manifest": request(unknown),
        "GET": request(b"", "GET"),
        "PUT": request(body, "PUT"),
        "OPTIONS": request(b"", "OPTIONS", Origin="https://a.example"),
        "query": request(body, path="/v1/reports?x=1"),
        "slash": request(body, path="/v1/reports/"),
        "encoded": request(body, path="/v1/%72eports"),
        "close": request(body, Connection="close"),
        "withdrawal": request(b"{}", path="/v1/withdrawals"),
        "sign in": request(b"", "GET", "/sign-in"),
        "compressed": request(b"", "GET", "/v1/openapi.json", Accept_Encoding="gzip"),
        "published": request(b"", "GET", "/v1/surveys/habits-7", Accept_Language="zh"),
        "key": request(b"", "GET", "/v1/surveys", Authorization="Bearer tsk_x"),
        "nothing there": request(b"", "GET", "/nothing"),
    }


def test_both_roads_answer_alike(
    server: Server, config: Config, make_body: Callable[..., bytes]
) -> None:
    """Byte by byte: raw requests to our server, and the same to Flask alone."""
    app = create_app(config)
    for name, each_ in every_request(make_body((1, 0), ids=(b"1" * 16, b"2" * 16))).items():
        status, headers, body = exchange(server.url, each_.raw())
        flask = app.test_client().open(
            each_.path, method=each_.method, headers=each_.headers, data=each_.body
        )

        assert (flask.status_code, flask.data) == (status, body), name
        assert _compared({key.lower(): value for key, value in flask.headers}) == _compared(
            headers
        ), name
    app.extensions["tossup"].close()


def _compared(headers: dict[str, str]) -> dict[str, object]:
    """Return headers without those of the connection; methods have no order."""
    kept = {name: value for name, value in headers.items() if name not in {"date", "connection"}}
    return kept | {"allow": sorted(headers.get("allow", "").split(", "))}


def test_what_was_accepted_is_answered_before_the_end(
    server: Server, config: Config, make_body: Callable[..., bytes]
) -> None:
    """SIGTERM while a commit waits for the disk: first the receipt, then the end."""
    disk = sqlite3.connect(config.database, isolation_level=None)
    disk.execute("BEGIN IMMEDIATE")
    with connect(server.url) as sender:
        sender.sendall(request(make_body((1,))).raw())
        exchange(server.url, HEALTH)  # it reads in turn: by now it has the reports
        server.kill(signal.SIGTERM)
        time.sleep(0.3)
        disk.execute("ROLLBACK")
        status, _, _ = told(sender)
    disk.close()
    server.wait()

    assert 200 == status


@pytest.mark.prove
def test_who_never_finishes_keeps_no_server_from_ending(server: Server) -> None:
    """Half a head and half a body are given up."""
    with ExitStack() as stack:
        for half in (b"GET / HT", request(b"hello").raw()[:-1]):
            stack.enter_context(connect(server.url)).sendall(half)
        time.sleep(0.1)
        server.kill(signal.SIGTERM)
        server.wait()


def test_nothing_is_logged_about_a_request(long_up: Server, log: Path) -> None:
    """There is no access log, and refusals, here and in the tests before, are not logged either."""
    exchange(
        long_up.url,
        b"GET /sentinel?sentinel HTTP/1.1\r\nHost: localhost\r\nUser-Agent: sentinel\r\n\r\n",
    )
    exchange(long_up.url, b"sentinel\r\n\r\n")

    assert "" == log.read_text()


def test_an_orderly_stop_loses_nothing(
    server: Server, config: Config, survey: Survey, make_body: Callable[..., bytes]
) -> None:
    """SIGTERM in full run: what was acknowledged is stored, and the process ends."""
    devices = [Device(server, survey, make_body) for _ in range(3)]
    with sending(devices):
        while sum(len(device.acknowledged) for device in devices) < 30:
            time.sleep(0.01)
        server.kill(signal.SIGTERM)
        server.wait()
        server.start()
    server.kill(signal.SIGTERM)
    server.wait()

    store = SQLiteStore(config.database)
    with store.audit(survey.id) as (_, chunks):
        stored = {report_id for chunk in chunks for report_id in split(chunk.ids)}
    agrees = recount(store, survey.id).agrees
    store.close()
    sent = {i for device in devices for i in device.acknowledged.keys() - device.withdrawn}
    assert sent == stored
    assert agrees


def test_two_processes_count_a_report_once(
    server: Server, config: Config, survey: Survey, make_body: Callable[..., bytes]
) -> None:
    """Two servers on one folder receive the same reports at the same time."""
    other = Server(config)
    other.start()
    bodies = [make_body((1, 0)) for _ in range(60)]
    urls = [server.url, other.url]
    with ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(post, url, "/v1/reports", body, 2) for body in bodies for url in urls]
        receipts = [sending.result() for sending in sent]
    other.close()
    store = SQLiteStore(config.database)
    days = [cell.counts for cell in store.tally(survey.id)]  # two at midnight
    checked = recount(store, survey.id)
    store.close()

    assert [Receipt(2)] * 120 == receipts
    assert [60, 60] == [sum(day) for day in zip(*days, strict=True)]
    assert (120, True) == (checked.reports, checked.agrees)


def test_no_collection_looks_through_the_application(config: Config) -> None:
    """It would take as long as two hundred reports."""
    app, before = create_app(config), gc.get_freeze_count()
    left_out: list[int] = []

    def ready(_url: str) -> None:
        left_out.append(gc.get_freeze_count())
        signal.raise_signal(signal.SIGTERM)

    serve(replace(config, port=0), ready, app=app)

    assert before + 1000 < left_out[0]


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others keep memory as they do")
def test_memory_that_was_freed_is_taken_again_without_the_system() -> None:
    """In any thread; else each of 500 pages comes anew, filled with zeros, every time."""
    program = """
import resource, sys, threading
from tossup.server.web.serving.run import keep_freed_memory

def take():
    return [bytes([1]) * 100_000 for _ in range(20)]

def count():
    take()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        take()
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)

keep_freed_memory()
count()
thread = threading.Thread(target=count)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert max(map(int, done.stdout.split())) < 200


def test_a_port_that_is_taken_is_an_error(config: Config) -> None:
    """Nothing is left open when the server cannot listen."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            serve(Config(data=config.data, port=port), ready=lambda url: None)
