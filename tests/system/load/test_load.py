"""Load that nobody planned, on real servers: nothing acknowledged is lost, and all goes on after.

Run by ``make load``. In each test 64 devices send reports, and withdrawals, as fast as they are
answered; each sends the same until it is acknowledged. At the end every acknowledged report stands
in the store once, with its value, and no other.
"""

import json
import random
import resource
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from postgres import Cluster
from server_process import Device, Server, check_each_counted_once, post, sending
from stores import PostgreSQL, SQLite

from tossup.server.config import Config
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.serving.connections import MOST_CONNECTIONS
from tossup.server.web.serving.gateway import MOST_BODY_BYTES
from tossup.shared.survey import Survey
from tossup.shared.wire import MAX_BODY_BYTES, Batch, encode_batch

pytestmark = pytest.mark.load
CLIENTS = 64
KILLS = 100
SECONDS = 10
BATCH = 1000


class Either:
    """One of several servers: whoever asks again may be sent to another."""

    def __init__(self, servers: list[Server]) -> None:
        self.servers = servers

    @property
    def url(self) -> str | None:
        return secrets.choice(self.servers).url


class Load:
    """Servers on one store, and devices that send to them."""

    def __init__(self, database: SQLite | PostgreSQL, survey: Survey, processes: int) -> None:
        self.servers = [Server(database.config) for _ in range(processes)]
        either = Either(self.servers)
        self.devices = [Device(either, survey, body_of(survey)) for _ in range(CLIENTS)]

    @property
    def server(self) -> Server:
        return self.servers[0]

    def start_servers(self) -> None:
        """Start those that do not run."""
        for server in self.servers:
            if server.url is None:
                server.start()

    def acknowledged(self) -> int:
        return sum(len(device.acknowledged) for device in self.devices)

    def goes_on(self) -> bool:
        """Wait for each device to have a report acknowledged from now on."""
        before = [len(device.acknowledged) for device in self.devices]
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            now = [len(device.acknowledged) for device in self.devices]
            if all(a < b for a, b in zip(before, now, strict=True)):
                return True
            time.sleep(0.1)
        return False


def body_of(survey: Survey) -> Callable[..., bytes]:
    def make(values: tuple[int, ...], *, ids: tuple[bytes, ...]) -> bytes:
        attributes = {"region": (0,) * len(ids)}
        return encode_batch(Batch(survey.digest, ids, {"ever_tried": values}, attributes), survey)

    return make


@contextmanager
def under_load(
    database: SQLite | PostgreSQL, survey: Survey, envelope: bytes, processes: int = 1
) -> Iterator[Load]:
    """Have devices send; at the end, stop everything, and count."""
    store = database.open()
    publish(store, envelope)
    store.close()
    load = Load(database, survey, processes)
    load.start_servers()
    with ExitStack() as servers, sending(load.devices):
        for server in load.servers:
            servers.callback(server.close)
        assert load.goes_on(), "nothing was acknowledged before any trouble"
        yield load
        assert load.goes_on(), "a device was kept out after the trouble"
        load.start_servers()
        for server in load.servers:
            servers.callback(server.wait)
            servers.callback(server.kill, signal.SIGTERM)
    number = check_each_counted_once(database, survey, load.devices)
    print(f"{number} reports acknowledged, each counted once")


@pytest.fixture
def sqlite(tmp_path: Path) -> SQLite:
    return SQLite(Config(data=tmp_path / "data"))


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[tuple[Cluster, PostgreSQL]]:
    cluster = Cluster()
    yield cluster, PostgreSQL(Config(data=tmp_path / "data"), cluster)
    cluster.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> SQLite | PostgreSQL:
    if request.param == "sqlite":
        return request.getfixturevalue("sqlite")
    return request.getfixturevalue("postgres")[1]


def test_a_hundred_kills(database, survey: Survey, envelope: bytes) -> None:
    """Of two processes on one store, at random instants, while 64 clients send to both."""
    rng = random.Random(14)
    with under_load(database, survey, envelope, processes=2) as load:
        for number in range(KILLS):
            server = load.servers[number % 2]
            server.kill()
            server.wait()
            time.sleep(rng.uniform(0, 0.05))
            server.start()
            time.sleep(rng.uniform(0, 0.3))


def test_a_database_that_goes_and_comes_back(postgres, survey: Survey, envelope: bytes) -> None:
    """It crashes, is away for half a minute, and crashes again while it is asked."""
    cluster, database = postgres
    with under_load(database, survey, envelope, processes=2) as load:
        for away in (30, 0.1):
            cluster.stop("immediate")
            time.sleep(1)
            before = load.acknowledged()
            time.sleep(away)
            assert before == load.acknowledged()
            cluster.start()
            assert load.goes_on()


def test_a_disk_that_is_full_and_has_room_again(sqlite, survey: Survey, envelope: bytes) -> None:
    """No file may grow: reports are refused with 503, and `/readyz` says so."""
    with under_load(sqlite, survey, envelope) as load:
        _, most = resource.prlimit(load.server.pid, resource.RLIMIT_FSIZE)
        for _ in range(3):
            resource.prlimit(load.server.pid, resource.RLIMIT_FSIZE, (4096, most))
            time.sleep(1)
            before = load.acknowledged()
            time.sleep(2)
            assert before == load.acknowledged()
            assert (503, "5") == status(load.server, "/readyz")
            resource.prlimit(load.server.pid, resource.RLIMIT_FSIZE, (most, most))
            assert load.goes_on()


def test_a_slow_disk(database, survey: Survey, envelope: bytes) -> None:
    """Five milliseconds more for each commit."""
    with under_load(database, survey, envelope) as load:
        load.server.kill()
        load.server.wait()
        load.server.start(sync=5)
        before = load.acknowledged()
        time.sleep(SECONDS)
        print(f"{(load.acknowledged() - before) / SECONDS:.0f} reports a second")


def test_a_clock_that_jumps(database, survey: Survey, envelope: bytes) -> None:
    """Forwards by ten years and back, and a day at a time."""
    with under_load(database, survey, envelope) as load:
        for days in (3650, 0, 1, -1, 30, 0):
            load.server.kill()
            load.server.wait()
            load.server.start(days=days)
            time.sleep(1)


def test_idle_and_slow_clients(sqlite, survey: Survey, envelope: bytes) -> None:
    """As many sockets as the server holds say nothing, dribble, or take no answer."""
    raise_files()
    with under_load(sqlite, survey, envelope) as load, ExitStack() as stack:
        open_ = [stack.enter_context(connected(load.server)) for _ in range(MOST_CONNECTIONS)]
        for place, each in enumerate(open_):
            send(each, (b"", b"GET /healthz HTT", b"GET /v1/openapi.json HTTP/1.1\r\n")[place % 3])
        assert load.goes_on()
        assert memory_mb(load.server) < 400


def test_bodies_that_never_end(sqlite, survey: Survey, envelope: bytes) -> None:
    """The largest bodies but for their last bytes: memory is bounded, and devices get through."""
    raise_files()
    with under_load(sqlite, survey, envelope) as load, ExitStack() as stack:
        before = memory_mb(load.server)
        head = (
            "POST /v1/reports HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Type: application/json\r\nContent-Length: {MAX_BODY_BYTES}\r\n\r\n"
        ).encode()
        for _ in range(2 * MOST_BODY_BYTES // MAX_BODY_BYTES):
            send(stack.enter_context(connected(load.server)), head + b"x" * (MAX_BODY_BYTES - 1))
        assert load.goes_on()
        more = memory_mb(load.server) - before
        print(f"{more} MB for bodies without an end")
        assert more < 2 * (MOST_BODY_BYTES >> 20)


class Probe(threading.Thread):
    """Sends a batch, again and again, and notes how long those that are accepted take."""

    def __init__(self, url: str, make: Callable[[], bytes]) -> None:
        super().__init__(daemon=True)
        self._url, self._make = url, make
        self.seconds: list[float] = []
        self.stopping = False

    def run(self) -> None:
        while not self.stopping:
            body = self._make()
            began = time.perf_counter()
            if post(self._url, "/v1/reports", body, BATCH) is not None:
                self.seconds.append(time.perf_counter() - began)
            time.sleep(0.02)

    def p99_ms(self) -> float:
        """Return what 99 of 100 took at most since the last look; the longest of fewer."""
        taken, self.seconds = sorted(self.seconds), []
        return round(1e3 * taken[len(taken) * 99 // 100], 1)


def climb(url: str, probe: Probe, batch: Path) -> tuple[float, list[dict[str, float]]]:
    """Return the probe's p99 with no other client, in ms, and every step of the ramp with its."""
    time.sleep(2)
    probe.seconds.clear()
    time.sleep(SECONDS)
    alone, steps = probe.p99_ms(), []
    print(f"alone: p99 {alone} ms")
    command = [sys.executable, Path(__file__).with_name("ramp.py"), url, batch]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ramp:
        for line in ramp.stdout:
            step = json.loads(line)
            p99 = probe.p99_ms()
            if "failed" in step:
                steps.append(step | {"p99_ms": p99})
                print(steps[-1])
    return alone, steps


def test_too_much_is_refused_before_what_is_accepted_waits(
    sqlite, survey: Survey, envelope: bytes, tmp_path: Path
) -> None:
    """99 of 100 accepted batches take at most 10 times as long as 99 of 100 of one client alone."""
    store = sqlite.open()
    publish(store, envelope)
    store.close()
    server = Server(sqlite.config)
    server.start()

    def make() -> bytes:
        ids = tuple(secrets.token_bytes(16) for _ in range(BATCH))
        return body_of(survey)((1,) * BATCH, ids=ids)

    (tmp_path / "batch").write_bytes(make())
    probe = Probe(server.url, make)
    probe.start()
    try:
        alone, steps = climb(server.url, probe, tmp_path / "batch")
    finally:
        probe.stopping = True
        probe.join()
        server.close()

    assert steps[-1]["refused_a_second"]
    assert [0] * len(steps) == [step["failed"] + step["without_retry_after"] for step in steps]
    assert max(step["p99_ms"] for step in steps) <= 10 * alone


def raise_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def connected(server: Server) -> socket.socket:
    host = urlsplit(server.url)
    return socket.create_connection((host.hostname, host.port), timeout=30)


def send(connection: socket.socket, data: bytes) -> None:
    """Send what the server takes; it may refuse, and end the connection, meanwhile."""
    connection.settimeout(1)
    with suppress(OSError):
        connection.sendall(data)


def status(server: Server, path: str) -> tuple[int, str | None]:
    """Return the status of an answer, and when to come again."""
    try:
        with urlopen(f"{server.url}{path}", timeout=30) as answer:
            return answer.status, None
    except HTTPError as error:
        return error.code, error.headers["Retry-After"]


def memory_mb(server: Server) -> int:
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 20
