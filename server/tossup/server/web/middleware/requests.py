"""Requests are bounded before anything reads them: their host and their length.

Stage: HTTP. A length must be declared, so that nothing is read from a body that is too long.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from flask import Flask, request

from tossup.server.refusals import Refused
from tossup.shared.errors import WireError
from tossup.shared.wire import MAX_BODY_BYTES

_HOST: Final = re.compile(r"(\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(:[0-9]{1,5})?")


def register(app: Flask, hosts: Collection[str]) -> None:
    """Refuse, before any view, other hosts and bodies of unknown length or above the limit."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES

    @app.before_request
    def check() -> None:
        # Not Flask's TRUSTED_HOSTS, which cannot name an IPv6 address.
        if _host_name(request.environ.get("HTTP_HOST", "")) not in hosts:
            raise Refused("the operator names its hosts in TOSSUP_TRUSTED_HOSTS", "host-unknown")
        check_length()


def check_length() -> None:
    """Refuse a body of unknown length or above the limit.

    Raises
    ------
    Refused
        ``length-required`` or ``too-large``.
    """
    if "HTTP_TRANSFER_ENCODING" in request.environ:
        raise Refused("send the body whole, with a Content-Length", "length-required")
    if (_length() or 0) > MAX_BODY_BYTES:
        raise Refused(f"a body has at most {MAX_BODY_BYTES} bytes", "too-large")


def read_body(*media_types: str) -> bytes:
    """Return the body of a request that declares one of these media types.

    Raises
    ------
    Refused
        ``length-required`` or ``media-type``.
    WireError
        If the body is shorter than declared.
    """
    length = _length()
    if length is None:
        raise Refused("send a Content-Length", "length-required")
    exact = request.environ.get("CONTENT_TYPE")
    if exact not in media_types and request.mimetype not in media_types:
        raise Refused(f"send {media_types[0]}", "media-type")
    if "HTTP_CONTENT_ENCODING" in request.environ:
        raise Refused("send the body as it is, without a Content-Encoding", "media-type")
    body: bytes = request.environ["wsgi.input"].read(length)
    if len(body) != length:
        raise WireError("the body is shorter than its Content-Length")
    return body


def _length() -> int | None:
    """Return the declared length of the body; None if there is none or it is no number."""
    text = request.environ.get("CONTENT_LENGTH", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


@lru_cache(maxsize=256)
def _host_name(host: str) -> str | None:
    """Return the name in a Host header, without its port; None if it is no such header."""
    parts = _HOST.fullmatch(host)
    return parts and (parts["ipv6"] or parts["name"]).lower()
