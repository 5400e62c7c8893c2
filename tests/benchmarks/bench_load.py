"""A load generator: keep-alive connections on one thread, each with one request under way."""

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

#: Seconds after which what a busy server did not let in is sent again.
PAUSE = 0.05


@dataclass
class _Exchange:
    """A request that waits for its answer on one connection."""

    request: bytes = b""
    answer: bytearray = field(default_factory=bytearray)
    sent: float = 0.0

    def send(self, connection: socket.socket, request: bytes) -> None:
        self.request, self.sent = request, time.perf_counter()
        self.send_again(connection)

    def send_again(self, connection: socket.socket) -> None:
        self.answer.clear()
        connection.sendall(self.request)

    @property
    def is_refused_for_now(self) -> bool:
        """Whether the server is busy, and asks for the same bytes later."""
        head, _, body = self.answer.partition(b"\r\n\r\n")
        return head.startswith(b"HTTP/1.1 503 ") and b"urn:tossup:error:busy" in body


def requests_per_second(
    port: int, requests: Iterator[bytes], *, connections: int, seconds: float, status: int = 200
) -> float:
    """Send requests over some connections for some seconds; return the answers a second.

    Raises
    ------
    RuntimeError
        As `waits` does.
    """
    start = time.perf_counter()
    found = waits(port, requests, connections=connections, seconds=seconds, status=status)
    return len(found) / (time.perf_counter() - start)


def waits(
    port: int, requests: Iterator[bytes], *, connections: int, seconds: float, status: int = 200
) -> list[float]:
    """Send requests over some connections for some seconds; return what each answer took.

    What a busy server does not let in is sent again, as devices do, and takes as long as both;
    so is what it closed a connection on. However slow the server is, one answer is waited for.

    Raises
    ------
    RuntimeError
        If an answer has another status, so that errors are never counted as speed.
    """
    expected = b"HTTP/1.1 %d " % status
    with selectors.DefaultSelector() as selector:
        try:
            for _ in range(connections):
                exchange, connection = _Exchange(), _connect(port)
                selector.register(connection, selectors.EVENT_READ, exchange)
                exchange.send(connection, next(requests))
            return _run(selector, port, requests, expected, seconds)
        finally:
            for key in [*selector.get_map().values()]:
                key.fileobj.close()  # type: ignore[union-attr]


def _connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def exchange_for_ever(port: int, request: bytes) -> None:
    """Send a request again after each answer, whatever it is; over a new connection if need be."""
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while True:
                connection.sendall(request)
                answer = bytearray()
                while not _is_whole(answer):
                    received = connection.recv(1 << 16)
                    if not received:
                        raise ConnectionResetError
                    answer += received


def _run(
    selector: selectors.BaseSelector,
    port: int,
    requests: Iterator[bytes],
    expected: bytes,
    seconds: float,
) -> list[float]:
    done: list[float] = []
    end = time.perf_counter() + seconds
    while not done or time.perf_counter() < end:
        for key, _ in selector.select(timeout=1):
            connection: socket.socket = key.fileobj  # type: ignore[assignment]
            exchange: _Exchange = key.data
            received = connection.recv(1 << 16)
            if not received:  # it waited too long for a busy machine to send
                selector.unregister(connection)
                connection.close()
                connection = _connect(port)
                selector.register(connection, selectors.EVENT_READ, exchange)
                exchange.send_again(connection)
                continue
            exchange.answer += received
            if not _is_whole(exchange.answer):
                continue
            if not exchange.answer.startswith(expected) and exchange.is_refused_for_now:
                time.sleep(PAUSE)
                exchange.send_again(connection)
                continue
            if not exchange.answer.startswith(expected):
                raise RuntimeError(f"expected {expected!r}, got {bytes(exchange.answer[:300])!r}")
            done.append(time.perf_counter() - exchange.sent)
            exchange.send(connection, next(requests))
    return done


def _is_whole(answer: bytearray) -> bool:
    head = answer.find(b"\r\n\r\n")
    if head < 0:
        return False
    at = answer.lower().find(b"content-length:", 0, head)
    length = int(answer[at + 15 : answer.index(b"\r\n", at)])
    return len(answer) >= head + 4 + length


def post(path: str, kind: str, body: bytes) -> bytes:
    """Return a whole request."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
