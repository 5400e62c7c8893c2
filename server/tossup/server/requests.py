"""Requests bounded before anything reads them: for whom, and how long.

Stage: HTTP. A length must be declared, so that nothing is read from a body that is too long.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, request
from werkzeug.exceptions import ClientDisconnected

from tossup.server.refusals import Refused
from tossup.shared.errors import WireError
from tossup.shared.wire import MAX_BODY_BYTES


def register(app: Flask, hosts: Collection[str]) -> None:
    """Refuse, before any view, other hosts and bodies of unknown length or above the limit."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES

    @app.before_request
    def check() -> None:
        # Not Flask's TRUSTED_HOSTS, which cannot name an IPv6 address.
        if _host_name(request.host) not in hosts:
            raise Refused("the operator names its hosts in TOSSUP_TRUSTED_HOSTS", "host-unknown")
        check_length()


def check_length() -> None:
    """Refuse a body of unknown length or above the limit.

    Raises
    ------
    Refused
        ``length-required`` or ``too-large``.
    """
    if "Transfer-Encoding" in request.headers:
        raise Refused("send the body whole, with a Content-Length", "length-required")
    length = request.content_length
    if length is not None and length > MAX_BODY_BYTES:
        raise Refused(f"a body has at most {MAX_BODY_BYTES} bytes", "too-large")


def _host_name(host: str) -> str | None:
    """Return the name in a Host header, without its port; None if it has none."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def read_body(*media_types: str) -> bytes:
    """Return the body of a request that declares one of these media types.

    Raises
    ------
    Refused
        ``length-required`` or ``media-type``.
    WireError
        If the body is shorter than declared.
    """
    if request.content_length is None:
        raise Refused("send a Content-Length", "length-required")
    if request.mimetype not in media_types:
        raise Refused(f"send {media_types[0]}", "media-type")
    if "Content-Encoding" in request.headers:
        raise Refused("send the body as it is, without a Content-Encoding", "media-type")
    try:
        return request.get_data(cache=False)
    except ClientDisconnected as error:
        raise WireError("the body is shorter than its Content-Length") from error
