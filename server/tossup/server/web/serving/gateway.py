"""The application that the server calls: bodies are bounded, then reports part from all else.

Stage: HTTP. An ASGI application of one loop. Thousands of connections could each send a body but
for its last byte, so all that are on their way have a bound together.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Final

from flask import Flask

from tossup.server.refusals import Busy, Refused
from tossup.server.web.middleware.requests import check_length
from tossup.server.web.serving.answer import PIECE, Answer, Send
from tossup.server.web.serving.environ import Environ, Scope, environ_of
from tossup.server.web.serving.reports import Reports
from tossup.server.web.serving.threads import Threads

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

#: Bytes of all bodies together that are on their way or wait to be handled, as they are declared.
MOST_BODY_BYTES: Final = 128 << 20
#: Bytes of all long answers together that are on their way; one that many read is held once.
#: What is sent in one piece is never refused: a report that is committed is acknowledged.
MOST_ANSWER_BYTES: Final = 256 << 20
#: Smaller bodies do not count, so that a few hundred large ones that never end keep out no device.
#: All connections together hold half of the above in such bodies.
SMALL_BODY_BYTES: Final = 16 << 10


class Gateway:
    """Answers every request of a server; called by one loop."""

    def __init__(self, app: Flask, threads: int) -> None:
        self._reports = Reports(app)
        self._threads = Threads(app, threads)
        self._held = 0
        self._read: Counter[int] = Counter()  # readers of each body on its way, by its identity
        self._sent = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or nothing if its sender goes before it is whole."""
        answer = await self._answer(environ_of(scope), receive)
        if answer is None:
            return
        try:
            with self._reader(answer.body):
                await answer.send(send)
        except Refused as refused:
            await self._refusal(refused).send(send)

    def refusal(self, code: str) -> Answer:
        """Return the answer to what is no request; the connection ends with it."""
        return self._refusal(
            Refused("the HTTP request itself was refused, before it was read", code)
        )

    def close(self) -> None:
        """Let go of all threads, once they are done."""
        self._reports.close()
        self._threads.close()

    async def _answer(self, environ: Environ, receive: Receive) -> Answer | None:
        try:
            length = check_length(environ) or 0
            with self._room(length):
                body = await _whole(receive, length)
                if body is None:
                    return None
                receiving = self._reports.receiving(environ)
                if receiving is not None:
                    return await self._reports.answer(receiving, environ, body)
                return await self._threads.answer(environ, body)
        except Exception as error:
            # What comes of its body is not read.
            return self._refusal(error)

    def _refusal(self, error: Exception) -> Answer:
        return self._reports.refusal(error, closing=True)

    @contextmanager
    def _room(self, length: int) -> Iterator[None]:
        if length <= SMALL_BODY_BYTES:
            yield
            return
        if self._held + length > MOST_BODY_BYTES:
            raise Busy
        self._held += length
        try:
            yield
        finally:
            self._held -= length

    @contextmanager
    def _reader(self, body: bytes) -> Iterator[None]:
        """Count a long body while it is sent: readers who take their time hold it in memory."""
        if len(body) <= PIECE:
            yield
            return
        place = id(body)  # of no other body, while this one is held
        if place not in self._read:
            if self._sent + len(body) > MOST_ANSWER_BYTES:
                raise Busy
            self._sent += len(body)
        self._read[place] += 1
        try:
            yield
        finally:
            self._read[place] -= 1
            if not self._read[place]:
                del self._read[place]
                self._sent -= len(body)


async def _whole(receive: Receive, length: int) -> bytes | None:
    """Return the body of a request; None if its sender goes before it is whole."""
    if not length:
        return b""
    parts = []
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return parts[0] if len(parts) == 1 else b"".join(parts)
