"""The default transport: the standard library's HTTP, with the system's trust store and proxies.

Imported when the first request is made. Requests carry exactly Host, Content-Type,
Content-Length, Accept, User-Agent and Connection, all constant but the length.
"""

import http.client
import ssl
import time
import urllib.request
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from tossup.client.errors import TLSFailure, TransportError
from tossup.client.transport import Response

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
        """Return the server's answer within the timeout, at most 1 MiB of it."""
        request = urllib.request.Request(  # noqa: S310 - the link allows http(s) only
            url, data=body, headers={**headers, "User-Agent": _USER_AGENT}, method=method
        )
        deadline = time.monotonic_ns() + timeout_seconds * 10**9
        try:
            with self._open(request, timeout_seconds) as answer:
                return Response(
                    status=answer.status,
                    headers={name.lower(): value for name, value in answer.headers.items()},
                    body=_read(answer, deadline),
                )
        except (OSError, http.client.HTTPException, ValueError) as error:
            failure = _failure(error)
        raise failure

    def _open(
        self, request: urllib.request.Request, timeout_seconds: int
    ) -> http.client.HTTPResponse:
        opener = _opener(self._ca_file, secure=request.type == "https")
        return opener.open(request, timeout=timeout_seconds)  # type: ignore[no-any-return]


def _opener(ca_file: str | None, *, secure: bool) -> urllib.request.OpenerDirector:
    opener = urllib.request.OpenerDirector()  # bare: no redirect, cookie or error handlers
    opener.addheaders = []
    if secure:
        opener.add_handler(urllib.request.ProxyHandler())
        opener.add_handler(_HTTPSHandler(context=_trust(ca_file)))
    else:  # to this machine only, so never through a proxy
        opener.add_handler(_HTTPHandler())
    return opener


@cache
def _trust(ca_file: str | None) -> ssl.SSLContext:
    """Return the trust store, read once a process: that takes longer than all the rest."""
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context


def _read(answer: http.client.HTTPResponse, deadline: int) -> bytes:
    body = b""
    while chunk := answer.read1(_CHUNK):
        body += chunk
        if len(body) > MAX_RESPONSE_BYTES:
            raise TransportError("the answer is longer than any of ours")
        if time.monotonic_ns() > deadline:
            raise TransportError("the answer took longer than the timeout")
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


class _HTTPConnection(http.client.HTTPConnection):
    """Leaves out the Accept-Encoding header that http.client adds by itself."""

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
