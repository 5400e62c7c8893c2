"""Ingest: durable reports a second, one by one and in batches, beside a route that does nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench_device import KEY, survey_of
from bench_figures import Figure, interleave, ratio_of
from bench_load import post, requests_per_second

from tossup.server.cli.api import Server
from tossup.shared import wire
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey

ROUNDS = 7
SECONDS = 2.0
CONNECTIONS = 32
BATCH = 1000
POISONERS = 4


def ingest() -> list[Figure]:
    """Measure single reports and batches against the same server."""
    with TemporaryDirectory() as folder, _server(folder) as (port, api_key):
        server = Server(f"http://127.0.0.1:{port}", api_key)
        open_, later = survey_of("open", 1), _not_open(survey_of("later", 1))
        for survey in (open_, later):
            server.post("/v1/surveys", sign_manifest(survey.payload, KEY), wire.MANIFEST_TYPE)
        return [_single(port, open_), _poisoned(port, open_), *_batches(port, open_, later)]


def _not_open(survey: Survey) -> Survey:
    return replace(survey, opens=(datetime.now(UTC) + timedelta(days=30)).date())


@contextmanager
def _server(folder: str) -> Iterator[tuple[int, str]]:
    program = Path(__file__).parent / "bench_server.py"
    command = [sys.executable, str(program), folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = json.loads(process.stdout.readline()) if process.stdout else {}
            yield said["port"], said["api_key"]
        finally:
            process.terminate()


def _single(port: int, survey: Survey) -> Figure:
    nothing = post("/nothing", wire.REPORTS_TYPE, _body(survey, 1))

    def run(requests: Iterator[bytes]) -> float:
        return requests_per_second(port, requests, connections=CONNECTIONS, seconds=SECONDS)

    measured = interleave(lambda: run(_reports(survey, 1)), lambda: run(repeat(nothing)), ROUNDS)
    ours, theirs = (median(values) for values in measured)
    note = f"{ours:.0f} and {theirs:.0f} requests/s, {CONNECTIONS} connections"
    name = "durable single report / no-op route, requests"
    return ratio_of(name, measured, better="higher", gate=0.35, goal=0.7, note=note)


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
    return ratio_of(name, measured, better="higher", gate=0.5, goal=0.8, note=note)


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
        return requests_per_second(port, requests, connections=8, seconds=SECONDS, status=status)

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
        ratio_of(name, measured, better="higher", gate=0.4, goal=0.8, note=note),
        ratio_of("microseconds a report, batches of 1,000 / 10", (limit, [10.0] * ROUNDS),
                 better="lower", gate=1, goal=0.2),
    ]  # fmt: skip


def _reports(survey: Survey, n: int) -> Iterator[bytes]:
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
        yield post("/v1/reports", wire.REPORTS_TYPE, head + ids + tail)


def _body(survey: Survey, n: int) -> bytes:
    ids = tuple(os.urandom(16) for _ in range(n))
    bits = tuple(byte & 1 for byte in os.urandom(n))
    return wire.encode_batch(wire.Batch(survey.digest, ids, {"q0": bits}, {}), survey)
