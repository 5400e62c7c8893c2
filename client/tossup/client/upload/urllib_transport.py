"""The default transport: the standard library's HTTP, with the system's trust store and proxies.

Imported when the first request is made. Requests carry exactly Host, Content-Type,
Content-Length, Accept, User-Agent and Connection, all constant but the length.
"""

import http.client
import io
import socket
import ssl
import time
import urllib.request
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Final

from tossup.client.errors import TLSFailure, TransportError, pass_on
from tossup.client.upload.transport import Response

MAX_RESPONSE_BYTES: Final = 1 << 20
_CHUNK: Final = 1 << 14
_USER_AGENT: Final = "tossup"


class UrllibTransport:
    """HTTP by urllib: system trust store, proxies of the environment, no redirects, no cookies.

    Parameters
    ----------
    ca_file
        A PEM file of further certificates to trust, beside the system's.
    """

    def __init__(self, ca_file: str | None = None) -> None:
        self._ca_file = ca_file

    def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout_seconds: int,
    ) -> Response:
        """Return the server's answer, at most 1 MiB of it.

        The timeout is for all of it, connecting and headers included, but for the system's own
        look-up of the name.
        """
        request = urllib.request.Request(  # noqa: S310 - the link allows http(s) only
            url, data=body, headers={**headers, "User-Agent": _USER_AGENT}, method=method
        )
        try:
            with self._open(request, timeout_seconds) as answer:
                return Response(
                    status=answer.status,
                    headers={name.lower(): value for name, value in answer.headers.items()},
                    body=_read(answer),
                )
        except (OSError, http.client.HTTPException, ValueError) as error:
            pass_on(error)
            failure = _failure(error)
        raise failure

    def _open(
        self, request: urllib.request.Request, timeout_seconds: int
    ) -> http.client.HTTPResponse:
        secure = request.type == "https"
        opener = _by_tls(self._ca_file) if secure else _to_this_machine()
        return opener.open(request, timeout=timeout_seconds)  # type: ignore[no-any-return]


def _by_tls(ca_file: str | None) -> urllib.request.OpenerDirector:
    """Return what sends by TLS, through the proxies that the environment names now."""
    return _bare(urllib.request.ProxyHandler(), _HTTPSHandler(context=_trust(ca_file)))


@cache
def _to_this_machine() -> urllib.request.OpenerDirector:
    """Return what sends to this machine, never through a proxy; made once a process."""
    return _bare(_HTTPHandler())


def _bare(*handlers: urllib.request.BaseHandler) -> urllib.request.OpenerDirector:
    """Return an opener that follows no redirect, keeps no cookie and judges no status."""
    opener = urllib.request.OpenerDirector()
    opener.addheaders = []
    for handler in handlers:
        opener.add_handler(handler)
    return opener


@cache
def _trust(ca_file: str | None) -> ssl.SSLContext:
    """Return the trust store, read once a process: that takes longer than all the rest."""
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context


def _read(answer: http.client.HTTPResponse) -> bytes:
    body = b""
    while chunk := answer.read1(_CHUNK):
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise TransportError("the answer is longer than any of ours")
    if answer.length:
        raise TransportError("the connection broke before the answer was complete")
    return body


def _failure(error: Exception) -> TransportError:
    reason = getattr(error, "reason", error)
    if isinstance(error, ssl.SSLError) or isinstance(reason, ssl.SSLError):
        return TLSFailure(
            "the server's certificate or the TLS handshake was not accepted; check the clock, the"
            " trust store and ca_file"
        )
    return TransportError(f"no answer from the server ({type(reason).__name__})")


class _Deadline:
    """The end of a request, in the clock that nobody sets."""

    def __init__(self, seconds: int) -> None:
        self._end = time.monotonic_ns() + seconds * 10**9

    def seconds_left(self) -> int:
        """Return the whole seconds left, rounded up.

        Raises
        ------
        TimeoutError
            If none are left.
        """
        left = -((time.monotonic_ns() - self._end) // 10**9)
        if left <= 0:
            raise TimeoutError
        return left


class _BoundedReader(io.RawIOBase):
    """Reads from a socket until the deadline, however slowly the bytes drip in."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, deadline: _Deadline) -> None:
        self._raw = raw
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._deadline.seconds_left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, deadline: _Deadline, **more: Any) -> None:
        super().__init__(sock, *args, **more)
        self.fp = io.BufferedReader(_BoundedReader(self.fp.detach(), sock, deadline))


class _HTTPConnection(http.client.HTTPConnection):
    """One request with one deadline, without the Accept-Encoding that http.client adds."""

    def __init__(self, host: str, *, timeout: Any = 10, **more: Any) -> None:
        super().__init__(host, timeout=timeout, **more)
        self._deadline = _Deadline(timeout)
        self.response_class = partial(_Response, deadline=self._deadline)  # type: ignore[assignment]
        self._create_connection = self._connect_to_any

    def _connect_to_any(self, address: tuple[str, int], *_: Any) -> socket.socket:
        """Connect to the first of a host's addresses that answers before the deadline."""
        failure: OSError = OSError("the name has no address")
        for *_kind, place in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
            try:
                left = self._deadline.seconds_left()
                return socket.create_connection((str(place[0]), int(place[1])), left)
            except OSError as error:
                pass_on(error)
                failure = error
        raise failure

    def send(self, data: Any) -> None:
        if self.sock is not None:
            self.sock.settimeout(self._deadline.seconds_left())
        super().send(data)

    def putheader(self, header: str | bytes, *values: Any) -> None:
        if header != "Accept-Encoding":
            super().putheader(header, *values)


class _HTTPSConnection(_HTTPConnection, http.client.HTTPSConnection):
    """The same over TLS."""


class _HTTPHandler(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_HTTPConnection, request)


class _HTTPSHandler(urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_HTTPSConnection, request, context=self._context)  # type: ignore[attr-defined]
