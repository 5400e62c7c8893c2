"""SIGKILL at every step of ingest, of a real server under real clients that retry."""

import random
import signal
import time
from collections.abc import Callable, Iterator

import pytest
from server_process import Device, Server, check_each_counted_once, sending
from sweeps import proving

from tossup.server.surveys.lifecycle import publish
from tossup.shared.survey import Survey

ON_BOTH_STORES = True
#: Before the 1st statement, after it, before the 2nd, ..., after the 60th: several transactions.
AT_STATEMENTS = range(120)
DEVICES = 3


@pytest.fixture
def server(database, envelope: bytes) -> Iterator[Server]:
    store = database.open()
    publish(store, envelope)
    store.close()
    server = Server(database.config)
    yield server
    server.close()


def kill_many(server: Server, statements: range, instants: int, rng: random.Random) -> None:
    """Let servers die before and after these statements, and at random instants."""
    for number in statements:
        server.start(1 + number // 2, ("before", "after")[number % 2])
        server.wait()
    for _ in range(instants):
        server.start()
        time.sleep(rng.uniform(0, 0.03))
        server.kill()
        server.wait()


@pytest.mark.parametrize(
    ("statements", "instants"),
    proving([(AT_STATEMENTS[::9], 6), (AT_STATEMENTS, 120)], but=[(AT_STATEMENTS[::9], 6)]),
    ids=["20 kills", "240 kills"],
)
def test_nothing_acknowledged_is_lost_or_counted_twice(
    server: Server,
    database,
    survey: Survey,
    make_body: Callable[..., bytes],
    statements: range,
    instants: int,
) -> None:
    """After all kills each acknowledged report is counted once with its value, others never."""
    devices = [Device(server, survey, make_body) for _ in range(DEVICES)]
    with sending(devices):
        instants //= database.cost
        kill_many(server, statements[:: database.cost], instants, random.Random(5))
        server.start()
    server.kill(signal.SIGTERM)
    server.wait()

    assert check_each_counted_once(database, survey, devices) > instants
