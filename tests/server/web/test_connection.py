"""One connection: limits on heads and on time, and requests that come in odd ways."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
import uvicorn
from sweeps import each
from uvicorn.server import ServerState

from tossup.server.web.serving.answer import Answer
from tossup.server.web.serving.connection import MOST_HEAD_BYTES, Connection
from tossup.server.web.serving.connections import IDLE_SECONDS

HEAD = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"


class Stub:
    """Answers with the body of a request, once it may."""

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.may.set()

    async def __call__(self, scope, receive, send) -> None:
        body = b""
        while (message := await receive()).get("more_body", False):
            body += message["body"]
        if message["type"] == "http.disconnect":
            return
        await self.may.wait()
        await Answer(200, [(b"Content-Length", b"5")], body + message["body"]).send(send)

    def refusal(self, code: str) -> Answer:
        return Answer(400, [(b"Content-Length", b"%d" % len(code))], code.encode())


class Exchange:
    """A server of `Stub`, and a client; `late` says whether the server would end its connection."""

    def __init__(self, most: int = 100, stub: type[Stub] = Stub) -> None:
        self.stub = stub()
        self._state = ServerState()
        kind = type("Connection", (Connection,), {"most": most})
        self._config = uvicorn.Config(
            self.stub, http=kind, ws="none", lifespan="off", proxy_headers=False, log_config=None
        )
        self._kind = kind

    async def __aenter__(self) -> "Exchange":
        make = lambda: self._kind(self._config, self._state, {})  # noqa: E731
        self._server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        self.reader, self.writer = await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()
        self._server.close()

    def connect(self):
        return asyncio.open_connection("127.0.0.1", self._port)

    async def send(self, *parts: bytes) -> None:
        for part in parts:
            self.writer.write(part)
            await settled()

    async def late(self) -> bool:
        """Let a little more than the time of a client pass."""
        [connection] = self._state.connections
        connection.end_late(asyncio.get_running_loop().time() + IDLE_SECONDS + 1)
        await settled()
        return not self._state.connections


async def settled() -> None:
    """Wait until both ends have done what they can, however slow each of their steps is."""
    await asyncio.sleep(0.02)
    for _ in range(50):
        await asyncio.sleep(0)


def run(scenario: Callable[[Exchange], Awaitable[object]], **options: object) -> object:
    """Run a scenario with a server and a client."""

    async def whole() -> object:
        async with Exchange(**options) as exchange:
            return await asyncio.wait_for(scenario(exchange), 300)

    return asyncio.run(whole())


@each(
    "parts",
    [
        (),
        (b"\r\n",),
        (HEAD[:20],),
        (HEAD, b"X: a\r\n"),
        (HEAD + b"\r\n", b"he"),
        (HEAD + b"\r\nhello",),  # it was answered, and says nothing more
        (HEAD + b"\r\nhello" + HEAD[:9],),
    ],
)
def test_who_does_nothing_is_not_waited_for(parts: tuple[bytes, ...]) -> None:
    """Neither before a request, nor in its head or body, nor after it: a byte more is no excuse."""

    async def scenario(exchange: Exchange) -> bool:
        await exchange.send(*parts)
        return await exchange.late()

    assert run(scenario)


def test_who_waits_for_an_answer_is_never_late() -> None:
    """However long the server takes."""

    async def scenario(exchange: Exchange) -> tuple[bool, bytes]:
        exchange.stub.may.clear()
        await exchange.send(HEAD + b"\r\nhello")
        late = await exchange.late()
        exchange.stub.may.set()
        return late, (await exchange.reader.readuntil(b"hello"))[:15]

    assert (False, b"HTTP/1.1 200 OK") == run(scenario)


@each("cut", [16, 25, len(HEAD), len(HEAD) + 2, len(HEAD) + 4])
def test_a_request_may_come_in_pieces(cut: int) -> None:
    """Wherever it is cut."""
    request = HEAD + b"\r\nhello"

    async def scenario(exchange: Exchange) -> bytes:
        await exchange.send(request[:cut], request[cut:])
        return await exchange.reader.readuntil(b"hello")

    assert run(scenario).startswith(b"HTTP/1.1 200")


@each(
    "parts, answers",
    [
        ((HEAD + b"\r\nhello",), 1),
        ((HEAD + b"\r\nhello" + HEAD + b"\r\nhello",), 2),
        ((HEAD + b"\r\nhello" + HEAD,), 1),
        ((HEAD + b"\r\nhell",), 0),
        ((HEAD,), 0),
        ((), 0),
    ],
)
def test_who_says_that_nothing_more_comes_is_answered(parts: tuple[bytes, ...], answers: int):
    """What came whole is answered, and the connection ends with it; with nothing if none did."""

    async def scenario(exchange: Exchange) -> bytes:
        exchange.stub.may.clear()
        await exchange.send(*parts)
        exchange.writer.write_eof()
        await settled()
        exchange.stub.may.set()
        return await exchange.reader.read()

    assert answers == run(scenario).count(b"HTTP/1.1 200")


@each("cut", [len(HEAD), -9, -7, -3])
def test_an_offer_of_another_protocol_is_not_taken(cut: int) -> None:
    """As Java's client makes it: the request is read whole and answered, and nothing after it."""
    request = HEAD + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nhelloPRI *"

    async def scenario(exchange: Exchange) -> bytes:
        await exchange.send(request[:cut], request[cut:])
        return await exchange.reader.read()

    answer = run(scenario)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"hello")


@each(
    "head",
    [
        b"GET / HTTP/1.1\r\nX: " + b"x" * MOST_HEAD_BYTES + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 2 * MOST_HEAD_BYTES,  # and never ends
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * MOST_HEAD_BYTES,
        b"GET /" + b"x" * MOST_HEAD_BYTES + b" HTTP/1.1\r\n\r\n",
    ],
)
def test_a_head_that_is_too_long_is_refused(head: bytes) -> None:
    """Whether it ends or not."""

    async def scenario(exchange: Exchange) -> bytes:
        await exchange.send(head)
        return await exchange.reader.read()

    assert b"headers-too-large" in run(scenario)


def test_what_is_no_request_is_not_answered_before_the_request_before_it() -> None:
    """The refusal of the second would be taken for the answer to the first."""

    async def scenario(exchange: Exchange) -> bytes:
        exchange.stub.may.clear()
        await exchange.send(HEAD + b"\r\nhello", b"no request\r\n\r\n")
        exchange.stub.may.set()
        return await exchange.reader.read()

    answer = run(scenario)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"hello")


def test_one_connection_too_many_is_told_so() -> None:
    """It is refused at once, and the others stay."""

    async def scenario(exchange: Exchange) -> tuple[bytes, bytes]:
        reader, writer = await exchange.connect()
        told = await reader.read()
        writer.close()
        await exchange.send(HEAD + b"\r\nhello")
        return told, await exchange.reader.readuntil(b"hello")

    told, answer = run(scenario, most=1)

    assert told.endswith(b"busy")
    assert answer.startswith(b"HTTP/1.1 200")


class Long(Stub):
    """Answers with more than any buffer holds."""

    async def __call__(self, scope, receive, send) -> None:
        size = 1 << 24
        await Answer(200, [(b"Content-Length", b"%d" % size)], bytes(size)).send(send)


def test_a_slow_reader_is_not_waited_for() -> None:
    """Who takes nothing of a long answer holds neither the connection nor the answer for ever."""

    async def scenario(exchange: Exchange) -> tuple[bytes, bool]:
        await exchange.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return await exchange.reader.read(8), await exchange.late()

    assert (b"HTTP/1.1", True) == run(scenario, stub=Long)


def test_a_long_answer_is_whole() -> None:
    """For who takes it."""

    async def scenario(exchange: Exchange) -> int:
        await exchange.send(b"GET / HTTP/1.0\r\n\r\n")
        return len(await exchange.reader.read())

    assert 1 << 24 < run(scenario, stub=Long)


def test_uvicorn_still_has_what_is_overridden() -> None:
    """A new version that calls something else would leave the limits out."""
    for name in vars(Connection):
        if not name.startswith("_") and name not in {"most", "on_rest", "end_late"}:
            assert hasattr(Connection.__mro__[1], name), name


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture):
    """Uvicorn says what it refuses; `run` keeps it quiet."""
    caplog.set_level("CRITICAL", logger="uvicorn")
