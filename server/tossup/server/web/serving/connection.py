"""One connection: what is no request is refused, and nobody keeps one open by doing nothing.

Stage: HTTP. Uvicorn's protocol with three limits that it lacks: the size of a head, the time that a
client may take for what it has to do, and the number of connections. Its own refusals are plain
text; here they are problem documents, like all others.
"""

import asyncio
from http import HTTPStatus
from typing import Any, Final, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tossup.server.web.serving.connections import IDLE_SECONDS, LEAST_BYTES_A_SECOND
from tossup.server.web.serving.gateway import Gateway

MOST_HEAD_BYTES: Final = 16 * 1024


class _Parser(httptools.HttpRequestParser):
    """Reads a request that offers another protocol like any other: the offer is not taken.

    Java's client and ``curl --http2`` make such an offer with a body; the parser of httptools stops
    at its head.
    """

    def __init__(self, connection: "Connection") -> None:
        super().__init__(connection)
        self._connection = connection
        self._offers = False

    def feed_data(self, data: Any) -> None:
        if not self._offers:
            try:
                super().feed_data(data)
                return
            except httptools.HttpParserUpgrade as offer:
                self._offers = True
                data = data[offer.args[0] :]
        self._connection.on_rest(data)


class Connection(HttpToolsProtocol):
    """Parses requests, and has them answered by a `Gateway`.

    A client has ``IDLE_SECONDS`` for each thing that is its turn: to send the head of a request, to
    send its body, to take the answer. `end_late` ends the connections of those that take longer.
    """

    #: Set by the server, for all of its connections.
    most: int = 0
    #: When the client is late; None while it is the server's turn.
    _late: float | None = None
    #: Bytes that are to come of a body that the parser does not read.
    _rest: int = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many."""
        super().connection_made(transport)
        self.parser = _Parser(self)
        self._fault = "malformed"
        self._begin_head()
        if len(self.connections) > self.most:
            self._refuse("busy")

    def data_received(self, data: bytes) -> None:
        """Parse what came, unless the head of a request gets too long."""
        if self.transport.is_closing():
            return
        self._head += len(data) if self._in_head else 0
        super().data_received(data)
        if self._in_head and self._head > MOST_HEAD_BYTES and not self.transport.is_closing():
            self._refuse("headers-too-large")

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words
        """Refuse what is no request."""
        self._refuse(self._fault)

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        super().on_message_begin()
        if self._in_head:  # what came so far counts
            self._give_time()
        else:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """Have the request answered, unless its head is too long."""
        sizes = (len(name) + len(value) + 4 for name, value in self.headers)
        if len(self.url) + sum(sizes) > MOST_HEAD_BYTES:
            self._fault = "headers-too-large"
            raise ValueError(self._fault)
        super().on_headers_complete()
        self._in_head = False
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        self._give_time(int(length) / LEAST_BYTES_A_SECOND)
        if self.parser.should_upgrade():
            self._rest = int(length)
            self.cycle.keep_alive = False  # what follows the body would be of another protocol

    def on_rest(self, data: bytes) -> None:
        """Read some of the body of a request that offers another protocol."""
        body = data[: self._rest]
        self._rest -= len(body)
        if body:
            self.on_body(body)
            self.on_message_complete()

    def on_message_complete(self) -> None:
        """Let the client wait, once the request is whole: it is the server's turn."""
        if not self._rest:
            super().on_message_complete()
            self._late = None

    def on_response_complete(self) -> None:
        """Give the client time to take the answer, and to say more."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._begin_head()

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Answer requests that are whole, though their sender says nothing more after them."""
        if self.cycle is None or self.cycle.more_body or self.cycle.response_complete:
            return None
        self.cycle.keep_alive = False
        return True

    def pause_writing(self) -> None:
        """Give the client time to take some of the answer."""
        super().pause_writing()
        self._give_time()

    def resume_writing(self) -> None:
        """Note that it took some."""
        super().resume_writing()
        self._late = None

    def end_late(self, now: float) -> None:
        """End the connection if its client has taken too long."""
        if self._late is not None and self._late < now:
            self.transport.abort()

    def _begin_head(self) -> None:
        self._in_head, self._head = True, 0
        self._give_time()

    def _give_time(self, more: float = 0) -> None:
        self._late = self.loop.time() + IDLE_SECONDS + more

    def _refuse(self, code: str) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            # The answer to the request before is not to be taken for the answer to this.
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        status, headers, body = cast("Gateway", self.app).refusal(code)
        dated = [*self.server_state.default_headers, *headers]
        status_line = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()
        lines = [status_line, *(b"%s: %s" % header for header in dated), b"", body]
        self.transport.write(b"\r\n".join(lines))
        self.transport.close()
