"""Ingest: durable reports a second, one by one and in batches, beside a route that does nothing."""

import json
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import repeat
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from bench_device import KEY, seconds, sqlite, survey_of
from bench_figures import Figure, interleave, ratio_of
from bench_load import post, requests_per_second, waits

from tossup.server.cli.api import Server
from tossup.shared import wire
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey

ROUNDS = 7
SECONDS = 2.0
CONNECTIONS = 32
IDLE = 3000
CROWD = 128
BATCH = 1000
POISONERS = 4


def ingest() -> list[Figure]:
    """Measure single reports and batches, against a route that does nothing on waitress."""
    with (
        TemporaryDirectory() as folder,
        TemporaryDirectory() as elsewhere,
        _server(folder) as (port, api_key),
        _server(elsewhere, "waitress") as (nothing, _),
    ):
        open_, _ = _published(port, api_key)
        figures = [
            *_single(port, nothing, open_),
            _more_connections(port, open_),
            _beside_idle(port, open_),
            _longest_waits(port, open_, Path(folder)),
            _poisoned(port, open_),
        ]
    with TemporaryDirectory() as folder, _server(folder, "unpaused") as (port, api_key):
        return figures + _batches(port, *_published(port, api_key))


def _published(port: int, api_key: str) -> tuple[Survey, Survey]:
    """Publish a survey that is open, and one that opens later."""
    server = Server(f"http://127.0.0.1:{port}", api_key)
    surveys = survey_of("open", 1), _not_open(survey_of("later", 1))
    for survey in surveys:
        server.post("/v1/surveys", sign_manifest(survey.payload, KEY), wire.MANIFEST_TYPE)
    return surveys


def _not_open(survey: Survey) -> Survey:
    return replace(survey, opens=(datetime.now(UTC) + timedelta(days=30)).date())


@contextmanager
def _server(folder: str, *other: str) -> Iterator[tuple[int, str]]:
    program = Path(__file__).parent / "bench_server.py"
    command = [sys.executable, str(program), folder, *other]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = json.loads(process.stdout.readline()) if process.stdout else {}
            yield said["port"], said["api_key"]
        finally:
            process.terminate()


def _single(port: int, noop: int, survey: Survey) -> list[Figure]:
    """Measure reports on both roads of our server."""
    nothing = post("/nothing", wire.REPORTS_TYPE, _body(survey, 1))

    def run(port: int, requests: Iterator[bytes]) -> float:
        return requests_per_second(port, requests, connections=CONNECTIONS, seconds=SECONDS)

    figures = []
    for name, path, gate, goal in (
        ("durable single report", "/v1/reports", 1.5, 3.0),
        ("Flask route for reports", "/by-flask", 0.5, 0.9),
    ):
        measured = interleave(
            partial(_run_reports, run, port, survey, path),
            lambda: run(noop, repeat(nothing)),
            ROUNDS,
        )
        ours, theirs = (median(values) for values in measured)
        note = f"{ours:.0f} and {theirs:.0f} requests/s, {CONNECTIONS} connections"
        title = f"{name} / no-op on waitress, requests"
        figures.append(ratio_of(title, measured, better="higher", gate=gate, goal=goal, note=note))
    return figures


def _run_reports(
    run: Callable[[int, Iterator[bytes]], float], port: int, survey: Survey, path: str
) -> float:
    return run(port, _reports(survey, 1, path))


def _more_connections(port: int, survey: Survey) -> Figure:
    """Measure whether clients that come together get more answers than one alone."""

    def run(connections: int) -> float:
        return requests_per_second(
            port, _reports(survey, 1), connections=connections, seconds=SECONDS
        )

    measured = interleave(lambda: run(4), lambda: run(1), ROUNDS)
    four, one = (median(values) for values in measured)
    note = f"{four:.0f} and {one:.0f} requests/s"
    name = "durable single reports at 4 connections / at 1"
    return ratio_of(name, measured, better="higher", gate=1.2, goal=2.5, note=note)


def _beside_idle(port: int, survey: Survey) -> Figure:
    """Measure reports beside connections that say nothing."""

    def run() -> float:
        return requests_per_second(
            port, _reports(survey, 1), connections=CONNECTIONS, seconds=SECONDS
        )

    def run_beside() -> float:
        with ExitStack() as stack:
            stack.callback(time.sleep, 1)  # the server notes that they are gone
            for _ in range(IDLE):
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            time.sleep(1)
            return run()

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * IDLE)), hard))
    measured = interleave(run_beside, run, ROUNDS)
    ours, theirs = (median(values) for values in measured)
    note = f"{ours:.0f} and {theirs:.0f} requests/s, {CONNECTIONS} connections"
    name = f"durable single reports beside {IDLE} idle connections / without"
    return ratio_of(name, measured, better="higher", gate=0.6, goal=0.95, note=note)


def _longest_waits(port: int, survey: Survey, folder: Path) -> Figure:
    """Measure how long the slowest of a hundred waits, against a commit on the same disk."""

    def slowest() -> float:
        reports = _reports(survey, 1)
        found = waits(port, reports, connections=CROWD, seconds=SECONDS)
        return quantiles(found, n=100)[98]

    with closing(sqlite(folder / "commits.db")) as commits:

        def commit() -> float:
            write = partial(commits.execute, "INSERT INTO t VALUES (randomblob(40))")
            return median(seconds(write) for _ in range(100))

        measured = interleave(slowest, commit, ROUNDS)
    ours, theirs = (median(values) * 1e3 for values in measured)
    name = f"p99 at {CROWD} connections / fsynced commit p50"
    note = f"{ours:.0f} ms and {theirs:.2f} ms"
    return ratio_of(name, measured, better="lower", gate=400, goal=100, note=note)


def _poisoned(port: int, survey: Survey) -> Figure:
    """Measure reports beside clients that send, as fast as they can, what cannot be stored."""

    def run() -> float:
        return requests_per_second(
            port, _reports(survey, 1), connections=CONNECTIONS - POISONERS, seconds=SECONDS
        )

    def run_beside() -> float:
        with _clients(port, poison(), POISONERS):
            return run()

    measured = interleave(run_beside, run, ROUNDS)
    ours, theirs = (median(values) for values in measured)
    note = f"{ours:.0f} and {theirs:.0f} requests/s; {POISONERS} clients send a lone surrogate"
    name = "durable single reports beside poisoners / without them"
    return ratio_of(name, measured, better="higher", gate=0.7, goal=0.8, note=note)


def poison() -> bytes:
    """Return a withdrawal whose survey id no database can hold."""
    ids = wire.b64(os.urandom(16)).encode()
    body = b'{"v":1,"survey":"\\ud800","ids":"' + ids + b'"}'
    return post("/v1/withdrawals", wire.WITHDRAWALS_TYPE, body)


@contextmanager
def _clients(port: int, request: bytes, count: int) -> Iterator[None]:
    """Run a process of clients that send the same request, one answer each, until the end."""
    program = Path(__file__).parent / "bench_clients.py"
    command = [sys.executable, str(program), str(port), str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        try:
            if process.stdin:
                process.stdin.write(request)
                process.stdin.close()
            yield
        finally:
            process.kill()


def _batches(port: int, survey: Survey, later: Survey) -> list[Figure]:
    def run(requests: Iterator[bytes], status: int) -> float:
        time.sleep(1)  # until what the last round had under way is done
        # So many batches a server lets in at once, however busy it was.
        return requests_per_second(port, requests, connections=4, seconds=SECONDS, status=status)

    measured = interleave(
        lambda: run(_reports(survey, BATCH), 200),
        lambda: run(_reports(later, BATCH), 409),
        ROUNDS,
    )
    ours, theirs = (median(values) * BATCH for values in measured)
    note = (
        f"{ours / 1e3:.0f}k reports/s durable, {1e6 / ours:.2f} us a report; decoded and then"
        f" refused, as the survey is not open yet: {theirs / 1e3:.0f}k/s"
    )
    name = "durable batch of 1,000 / decoded and refused"
    limit = [1e6 / (rate * BATCH) for rate in measured[0]]
    return [
        ratio_of(name, measured, better="higher", gate=0.5, goal=0.8, note=note),
        ratio_of("microseconds a report, batches of 1,000 / 10", (limit, [10.0] * ROUNDS),
                 better="lower", gate=1, goal=0.2),
    ]  # fmt: skip


def _reports(survey: Survey, n: int, path: str = "/v1/reports") -> Iterator[bytes]:
    """Yield requests of n new reports each, cheaply: only the ids change."""
    body = _body(survey, n)
    start = body.index(b'"ids":"') + 7
    length = 4 * -(-16 * n // 3)
    head, tail = body[:start], body[start + length :]
    pool = [os.urandom(16 * n) for _ in range(8)]
    for number in range(1 << 40):
        fresh = bytearray(pool[number % 8])
        # A new prefix a request makes every id new; the other bytes stay random.
        for at in range(0, 16 * n, 16):
            fresh[at : at + 6] = number.to_bytes(6, "big")
        ids = wire.b64(bytes(fresh)).encode()
        yield post(path, wire.REPORTS_TYPE, head + ids + tail)


def _body(survey: Survey, n: int) -> bytes:
    ids = tuple(os.urandom(16) for _ in range(n))
    bits = tuple(byte & 1 for byte in os.urandom(n))
    return wire.encode_batch(wire.Batch(survey.digest, ids, {"q0": bits}, {}), survey)
