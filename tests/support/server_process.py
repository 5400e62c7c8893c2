"""A real server in a process of its own, and devices that send to it until it acknowledges."""

import http.client
import logging
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO
from urllib.parse import urlsplit

import dying_server
from killing import child, wait
from stores import PostgreSQL, SQLite

from tossup.server.config import Config
from tossup.server.ingest.packing import split
from tossup.server.ingest.recount import recount
from tossup.shared.survey import Survey
from tossup.shared.wire import Receipt, decode_receipt, encode_withdrawal


class Server:
    """Servers on one store, one at a time; each may be told when to die.

    What starts them is a forked process, which need not import all modules anew.
    """

    def __init__(self, config: Config, log: IO[str] | None = None) -> None:
        self._folder = config.data
        self.url: str | None = None
        self.pid = 0
        orders, self._orders = _pipe()
        self._said, said = _pipe()
        streams = [orders.fileno(), said.fileno()] + ([log.fileno()] if log else [])
        self._starter = child(_start_servers, streams, config.database_url)
        orders.close()
        said.close()

    def start(
        self, statements: int = 0, when: str = "before", *, days: int = 0, sync: int = 0
    ) -> None:
        """Start one: it may die at a statement, be days ahead, and be slow to commit, by ms."""
        self._orders.write(f"{self._folder} {statements} {when} {days} {sync}\n")
        self._orders.flush()
        said = self._said.readline()
        assert said.startswith("ready "), f"the server did not start; its process said {said!r}"
        _, pid, self.url = said.split()
        self.pid = int(pid)

    def kill(self, number: int = signal.SIGKILL) -> None:
        os.kill(self.pid, number)

    def wait(self) -> None:
        assert self._said.readline() == "ended\n"
        self.url, self.pid = None, 0

    def close(self) -> None:
        if self.pid:
            self.kill()
        self._orders.close()
        wait(self._starter)
        self._said.close()


def _pipe() -> tuple[IO[str], IO[str]]:
    """Return the two ends of a pipe of lines."""
    reader, writer = os.pipe()
    return os.fdopen(reader), os.fdopen(writer, "w")


def _start_servers(streams: list[int], url: str | None) -> None:
    """Be `dying_server`, with these input, output and errors, and no other file open."""
    for standard, stream in enumerate(streams):
        os.dup2(stream, standard)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    logging.getLogger().handlers.clear()  # pytest's: a server's words go to its standard error
    if url:
        os.environ["TOSSUP_DATABASE_URL"] = url
    dying_server.main()


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
        self.given_up = False
        self.acknowledged: dict[bytes, int] = {}
        self.withdrawn: set[bytes] = set()

    def run(self) -> None:
        batches = 0
        while not self.stopping:
            n = 1 + batches % 4
            ids = tuple(secrets.token_bytes(16) for _ in range(n))
            values = tuple(secrets.randbelow(2) for _ in range(n))
            if not self._send("/v1/reports", self._make_body(values, ids=ids), n):
                return
            self.acknowledged |= dict(zip(ids, values, strict=True))
            batches += 1
            if batches % 10 == 0:
                if not self._send(
                    "/v1/withdrawals", encode_withdrawal(self._survey.id, ids[:1]), 1
                ):
                    return
                self.withdrawn.add(ids[0])

    def _send(self, path: str, body: bytes, n: int) -> bool:
        while not self.given_up:
            url = self._server.url
            try:
                if url is not None and post(url, path, body, n) == Receipt(n):
                    return True
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.002)
        return False


@contextmanager
def sending(devices: list[Device]) -> Iterator[None]:
    """Let devices send; in the end each has what it sends acknowledged, unless the block failed.

    Then there may be no server any more that acknowledges anything.
    """
    for device in devices:
        device.start()
    try:
        yield
    except BaseException:
        for device in devices:
            device.given_up = True
        raise
    finally:
        for device in devices:
            device.stopping = True
        for device in devices:
            device.join()


def check_each_counted_once(
    database: SQLite | PostgreSQL, survey: Survey, devices: list[Device]
) -> int:
    """Check that just what devices were acknowledged and did not withdraw is kept and counted.

    Returns how many reports were acknowledged.
    """
    withdrawn = {report_id for device in devices for report_id in device.withdrawn}
    values = {i: v for device in devices for i, v in device.acknowledged.items()}
    expected = {i: v for i, v in values.items() if i not in withdrawn}
    store = database.open()
    with store.audit(survey.id) as (cells, chunks):
        ids = [report_id for chunk in chunks for report_id in split(chunk.ids)]
    yes = sum(cell.counts[1] for cell in cells)
    checked = recount(store, survey.id)
    store.close()

    assert sorted(expected) == sorted(ids)
    assert checked.agrees
    assert sum(expected.values()) == yes
    return len(values)


def post(url: str, path: str, body: bytes, n: int) -> Receipt | None:
    """Send a body; return the receipt, or None for anything but a success."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=300)
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return decode_receipt(response.read(), n) if response.status == 200 else None
    finally:
        connection.close()
