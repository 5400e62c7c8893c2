"""SIGKILL at every step of ingest, of a real server under real clients that retry."""

import http.client
import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tossup.server.config import Config
from tossup.server.lifecycle import publish
from tossup.server.packing import split
from tossup.server.recount import recount
from tossup.server.store import SQLiteStore
from tossup.shared.survey import Survey
from tossup.shared.wire import Receipt, decode_receipt, encode_withdrawal

KILLS_AT_STATEMENTS = 120  # 60 statements, before and after each: several transactions deep
KILLS_AT_RANDOM = 120
DEVICES = 3


class Server:
    """Servers on one folder, one at a time; each may be told when to die."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url: str | None = None
        self.pid = 0
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("dying_server.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, statements: int = 0, when: str = "before") -> None:
        self._process.stdin.write(f"{self._folder} {statements} {when}\n")
        self._process.stdin.flush()
        word, pid, self.url = self._process.stdout.readline().split()
        assert word == "ready"
        self.pid = int(pid)

    def kill(self, number: int = signal.SIGKILL) -> None:
        os.kill(self.pid, number)

    def wait(self) -> None:
        assert self._process.stdout.readline() == "ended\n"
        self.url, self.pid = None, 0

    def close(self) -> None:
        if self.pid:
            self.kill()
        self._process.communicate(timeout=30)


class Device(threading.Thread):
    """Sends reports one batch at a time, each again and again until it is acknowledged.

    Every tenth batch it takes its first report back. ``acknowledged`` maps ids to values.
    """

    def __init__(self, server: Server, survey: Survey, make_body: Callable[..., bytes]) -> None:
        super().__init__()
        self._server = server
        self._survey = survey
        self._make_body = make_body
        self.stopping = False
        self.acknowledged: dict[bytes, int] = {}
        self.withdrawn: set[bytes] = set()

    def run(self) -> None:
        batches = 0
        while not self.stopping:
            n = 1 + batches % 4
            ids = tuple(secrets.token_bytes(16) for _ in range(n))
            values = tuple(secrets.randbelow(2) for _ in range(n))
            self._send("/v1/reports", self._make_body(values, ids=ids), n)
            self.acknowledged |= dict(zip(ids, values, strict=True))
            batches += 1
            if batches % 10 == 0:
                self._send("/v1/withdrawals", encode_withdrawal(self._survey.id, ids[:1]), 1)
                self.withdrawn.add(ids[0])

    def _send(self, path: str, body: bytes, n: int) -> None:
        while True:
            url = self._server.url
            try:
                if url is not None and post(url, path, body, n) == Receipt(n):
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.002)


def post(url: str, path: str, body: bytes, n: int) -> Receipt | None:
    """Send a body; return the receipt, or None for anything but a success."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return decode_receipt(response.read(), n) if response.status == 200 else None
    finally:
        connection.close()


@pytest.fixture
def server(config: Config, envelope: bytes) -> Iterator[Server]:
    store = SQLiteStore(config.database)
    publish(store, envelope)
    store.close()
    server = Server(config.data)
    yield server
    server.close()


def kill_many(server: Server, rng: random.Random) -> None:
    """Let servers die before and after every statement, and at random instants."""
    for number in range(KILLS_AT_STATEMENTS):
        server.start(1 + number // 2, ("before", "after")[number % 2])
        server.wait()
    for _ in range(KILLS_AT_RANDOM):
        server.start()
        time.sleep(rng.uniform(0, 0.03))
        server.kill()
        server.wait()


def test_nothing_acknowledged_is_lost_or_counted_twice(
    server: Server, config: Config, survey: Survey, make_body: Callable[..., bytes]
) -> None:
    """After 240 kills each acknowledged report is counted once with its value, others never."""
    devices = [Device(server, survey, make_body) for _ in range(DEVICES)]
    for device in devices:
        device.start()
    try:
        kill_many(server, random.Random(5))
        server.start()
    finally:
        for device in devices:
            device.stopping = True
    for device in devices:
        device.join()
    server.kill(signal.SIGTERM)
    server.wait()

    withdrawn = {report_id for device in devices for report_id in device.withdrawn}
    values = {i: v for device in devices for i, v in device.acknowledged.items()}
    expected = {i: v for i, v in values.items() if i not in withdrawn}
    store = SQLiteStore(config.database)
    with store.audit(survey.id) as (cells, chunks):
        ids = [report_id for chunk in chunks for report_id in split(chunk.ids)]
    yes = sum(cell.counts[1] for cell in cells)
    checked = recount(store, survey.id)
    store.close()

    assert len(values) > KILLS_AT_RANDOM
    assert sorted(expected) == sorted(ids)
    assert sum(expected.values()) == yes
    assert checked.agrees
