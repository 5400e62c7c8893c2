"""Requests are bounded before anything reads them: their host, their length and their type.

Stage: HTTP. A length must be declared, so that nothing is read from a body that is too long. The
checks are functions of a WSGI environment: views call them, and so does the road of reports that
goes past Flask.
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any, Final

from flask import Flask, request
from werkzeug.http import parse_options_header

from tossup.server.refusals import Refused
from tossup.shared.errors import WireError
from tossup.shared.wire import MAX_BODY_BYTES

#: What a web server knows of a request, as PEP 3333 names it.
Environ = Mapping[str, Any]

_HOST: Final = re.compile(r"(\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(:[0-9]{1,5})?")


def register(app: Flask, hosts: Collection[str]) -> None:
    """Refuse, before any view, other hosts and bodies of unknown length or above the limit."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES

    @app.before_request
    def check() -> None:
        check_host(request.environ, hosts)
        check_length(request.environ)


def check_host(environ: Environ, hosts: Collection[str]) -> None:
    """Refuse a host name that is not one of ours.

    Raises
    ------
    Refused
        ``host-unknown``.
    """
    # Not Flask's TRUSTED_HOSTS, which cannot name an IPv6 address.
    if _host_name(environ.get("HTTP_HOST", "")) not in hosts:
        raise Refused("the operator names its hosts in TOSSUP_TRUSTED_HOSTS", "host-unknown")


def check_length(environ: Environ) -> int | None:
    """Return the declared length of a body; None if there is none, or it is no number.

    Raises
    ------
    Refused
        ``length-required`` if the body comes in chunks, ``too-large`` above the limit.
    """
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise Refused("send the body whole, with a Content-Length", "length-required")
    text = environ.get("CONTENT_LENGTH", "")
    length = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
    if (length or 0) > MAX_BODY_BYTES:
        raise Refused(f"a body has at most {MAX_BODY_BYTES} bytes", "too-large")
    return length


def body_of(environ: Environ, read: Callable[[int], bytes], *media_types: str) -> bytes:
    """Return a body that is declared to be of one of these media types, read by its length.

    Raises
    ------
    Refused
        ``length-required``, ``too-large`` or ``media-type``.
    WireError
        If the body is shorter than declared.
    """
    length = check_length(environ)
    if length is None:
        raise Refused("send a Content-Length", "length-required")
    declared = environ.get("CONTENT_TYPE", "")
    if declared not in media_types and parse_options_header(declared)[0].lower() not in media_types:
        raise Refused(f"send {media_types[0]}", "media-type")
    if "HTTP_CONTENT_ENCODING" in environ:
        raise Refused("send the body as it is, without a Content-Encoding", "media-type")
    body = read(length)
    if len(body) != length:
        raise WireError("the body is shorter than its Content-Length")
    return body


def read_body(*media_types: str) -> bytes:
    """Return the body of the request, which declares one of these media types.

    Raises
    ------
    Refused, WireError
        As `body_of`.
    """
    return body_of(request.environ, request.environ["wsgi.input"].read, *media_types)


@lru_cache(maxsize=256)
def _host_name(host: str) -> str | None:
    """Return the name in a Host header, without its port; None if it is no such header."""
    parts = _HOST.fullmatch(host)
    return parts and (parts["ipv6"] or parts["name"]).lower()
