"""Answers are compressed for those who accept gzip, and keep a tag of their own.

Stage: HTTP. What an attacker writes into an answer next to a secret can be guessed from the length
of the compressed whole (BREACH, Gluck, Harris and Prado 2013). Pages for a browser with a cookie
hold its form token, and sign-in pages repeat a link's secret: neither is ever compressed. Other
answers hold no secret of the one who asks.

A costly answer comes compressed from where it was made. What else is larger than 8 MB, which takes
0.1 s to compress, goes out as it is.
"""

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import Final

from flask import Flask, Response, request

from tossup.server.web.middleware.packed import PackedResponse, pack, unpack

#: Shorter answers gain nothing.
_SHORTEST: Final = 1024
_TYPES: Final = ("text/", "application/json", "application/javascript", "image/svg+xml")
#: Longer answers are not compressed in a request.
_LONGEST: Final = 8 << 20
_KEPT_BYTES: Final = 32 << 20
_SUFFIX: Final = "-gzip"


def register(app: Flask) -> None:
    """Compress the answers of an application."""
    kept = _Kept()

    @app.before_request
    def know_compressed_copies() -> None:
        # A copy is as current as the answer it was compressed from.
        known = request.headers.get("If-None-Match", "")
        if _SUFFIX in known:
            request.environ["HTTP_IF_NONE_MATCH"] = known.replace(f'{_SUFFIX}"', '"')

    @app.after_request
    def compress(response: Response) -> Response:
        if request.path.startswith("/sign-in") or not _is_text(response):
            return _plain(response)
        response.vary.add("Accept-Encoding")
        if not takes_packed():
            return _plain(response)
        if response.status_code == 200:
            packed = _packed(response, kept)
            if packed is None:
                return response
            response.set_data(packed)
            response.headers["Content-Encoding"] = "gzip"
        tag, is_weak = response.get_etag()
        if tag is not None:
            response.set_etag(f"{tag}{_SUFFIX}", weak=bool(is_weak))
        return response


def takes_packed() -> bool:
    """Return whether this request may be answered with compressed text."""
    return (
        request.method == "GET" and not request.cookies and bool(request.accept_encodings["gzip"])
    )


def _is_text(response: Response) -> bool:
    return (
        request.method == "GET"
        and response.status_code in (200, 304)
        and (response.content_type or "").startswith(_TYPES)
        and "Content-Encoding" not in response.headers
    )


def _plain(response: Response) -> Response:
    """Return a response with its body as it is written."""
    if isinstance(response, PackedResponse) and response.status_code == 200:
        response.set_data(unpack(response.packed))
    return response


def _packed(response: Response, kept: "_Kept") -> bytes | None:
    """Return a body compressed; None where it goes out as it is."""
    if isinstance(response, PackedResponse):
        return response.packed
    response.direct_passthrough = False
    body = response.get_data()
    return kept.compressed(body) if _SHORTEST <= len(body) <= _LONGEST else None


class _Kept:
    """Compressed answers by the digest of what they say, the longest unused forgotten first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def compressed(self, body: bytes) -> bytes:
        digest = sha256(body).digest()
        with self._lock:
            if digest in self._found:
                self._found.move_to_end(digest)
                return self._found[digest]
        made = pack(body)
        with self._lock:
            self._bytes += len(made) - len(self._found.pop(digest, b""))
            self._found[digest] = made
            while self._bytes > _KEPT_BYTES:
                self._bytes -= len(self._found.popitem(last=False)[1])
        return made
