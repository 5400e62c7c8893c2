"""An answer as it goes to the connection: status, headers and body, whole.

Stage: HTTP. All answers of the server are made by Flask's own `Response`, so that none differs by
the road it takes.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, NamedTuple

from flask import Response
from werkzeug.datastructures import Headers

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: A body is handed to a slow reader in such pieces: the rest is held once for all who read it.
PIECE: Final = 1 << 16


class Answer(NamedTuple):
    """An answer to one request."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    @classmethod
    def of(cls, response: Response, *, closing: bool = False) -> "Answer":
        """Return a response as an answer; ``closing`` ends the connection after it."""
        body = response.get_data()
        headers = Headers(response.headers)
        headers["Content-Length"] = str(len(body))
        if closing:
            headers["Connection"] = "close"
        return cls(response.status_code, encoded(headers.to_wsgi_list()), body)

    async def send(self, send: Send) -> None:
        """Send it, as fast as the reader takes it."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        end = len(self.body)
        for start in range(0, max(end, 1), PIECE):
            piece = self.body if end <= PIECE else self.body[start : start + PIECE]
            more = start + PIECE < end
            await send({"type": "http.response.body", "body": piece, "more_body": more})


def encoded(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return headers as bytes."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
