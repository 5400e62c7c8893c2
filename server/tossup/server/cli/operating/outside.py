"""What ``tossup doctor`` sees of a server from outside: through TLS, and through its proxy."""

import re
import ssl
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlsplit

from tossup.server.remote import TIMEOUT_SECONDS
from tossup.shared.wire import MAX_BODY_BYTES, PROBLEM_PREFIX, REPORTS_TYPE

Check = tuple[str, str, str]  # ok, note or bad; what was looked at; what was found

#: Renewers begin with a third of a certificate's life left; less than this means they failed.
_LEAST_LIFE: Final = 1 / 5
_MOST_SECONDS_APART: Final = 60
#: The usual ports of https and of http.
_TLS_PORT: Final = 443
_PLAIN_PORT: Final = 80
_MOST_ANSWER_BYTES: Final = 1 << 20
_ADDRESS: Final = re.compile(r"""\b(?:href|src|action)="(/[^"#?]*)""")


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """The last part of the problem's type; empty where the answer is no problem of ours."""
        found = re.search(rb'"type": ?"' + PROBLEM_PREFIX.encode() + rb'([a-z-]+)"', self.body)
        return found[1].decode() if found else ""


def look(url: str) -> Iterator[Check]:
    """Look at an address of https: certificate, headers, prefix, sizes and clock.

    Nothing that is sent is counted; two of the requests are refused, and so are two of the
    server's ``tossup_problems``.
    """
    parts = urlsplit(url)
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    connection = HTTPSConnection(
        str(parts.hostname), parts.port or _TLS_PORT, timeout=TIMEOUT_SECONDS, context=context
    )
    with closing(connection):
        try:
            connection.connect()
        except ssl.SSLError as error:
            reason = getattr(error, "verify_message", "") or error.reason
            yield "bad", "TLS", f"the certificate or the handshake is not accepted: {reason}"
            return
        except OSError as error:
            yield "note", "TLS", f"no connection: {error}"
            return
        yield _certificate(connection.sock)
        yield _protocols(str(parts.hostname), parts.port or _TLS_PORT)
        yield from _encrypted_only(parts.hostname, parts.port)
        try:
            yield from _answers(connection, parts.path.rstrip("/"), url)
        except (OSError, HTTPException) as error:
            yield "bad", "proxy", f"the connection broke: {type(error).__name__}"


def _certificate(sock: Any) -> Check:
    found = sock.getpeercert()
    begins, ends = (ssl.cert_time_to_seconds(found[name]) for name in ("notBefore", "notAfter"))
    until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(ends))
    told = f"{sock.version()}, the certificate holds until {until}"
    if (ends - time.time()) / (ends - begins) < _LEAST_LIFE:
        return "bad", "TLS", f"{told}, which is soon: is it renewed?"
    return "ok", "TLS", told


def _protocols(host: str, port: int) -> Check:
    """Ask for HTTP/2 on a connection of its own, on which nothing is sent."""
    import socket

    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        suppress(OSError),
        socket.create_connection((host, port), TIMEOUT_SECONDS) as bare,
        context.wrap_socket(bare, server_hostname=host) as wrapped,
    ):
        if wrapped.selected_alpn_protocol() == "h2":
            return "ok", "HTTP/2", "is spoken"
    return "note", "HTTP/2", "is not spoken; browsers then open several connections each"


def _encrypted_only(host: str | None, port: int | None) -> Iterator[Check]:
    """Look whether the usual port without TLS does anything but lead to https."""
    if port not in (None, _TLS_PORT):
        return
    plain = HTTPConnection(str(host), _PLAIN_PORT, timeout=TIMEOUT_SECONDS)
    try:
        with closing(plain):
            plain.request("GET", "/healthz")
            answer = plain.getresponse()
            target = answer.headers.get("Location", "")
    except (OSError, HTTPException):
        yield "ok", "http", "nothing answers without TLS"
        return
    if answer.status in (301, 302, 307, 308) and target.startswith("https://"):
        yield "ok", "http", "leads to https"
    else:
        told = f"port {_PLAIN_PORT} answers {answer.status} without TLS; redirect it to https"
        yield "bad", "http", told


def _answers(connection: HTTPSConnection, prefix: str, url: str) -> Iterator[Check]:
    alive = _ask(connection, "GET", f"{prefix}/healthz")
    if alive.status != 200 or alive.body != b"ok\n":
        yield "bad", "proxy", _not_through(alive, prefix)
        return
    first = connection.sock
    yield _hsts(alive, url)
    yield _clock(alive)
    page = _ask(connection, "GET", f"{prefix}/sign-in")
    is_kept = connection.sock is first
    yield (
        ("ok", "keep-alive", "a connection carries several requests")
        if is_kept
        else ("note", "keep-alive", "every request opens a connection anew")
    )
    yield _policy(page)
    yield _prefix(connection, page, prefix, url)
    yield from _sizes(connection, f"{prefix}/v1/reports")
    metrics = _ask(connection, "GET", f"{prefix}/metrics")
    if metrics.status == 200:
        yield "note", "metrics", "anyone may read /metrics; the proxy can keep it to this machine"


def _not_through(answer: _Answer, prefix: str) -> str:
    if prefix and answer.status == 404 and _has_policy(answer):  # our own page of what is not there
        return f"the proxy hands {prefix} on to the server; it must take it away first"
    if answer.code == "host-unknown":
        return "the server does not know this host: set TOSSUP_PUBLIC_URL, and pass Host on"
    if answer.code:
        return f"the server answers {answer.code}"
    if target := answer.headers.get("location"):
        return f"{answer.status} leads to {target}; name the server's own address"
    return f"{answer.status} comes from something that is no Tossup server; does it run?"


def _hsts(answer: _Answer, url: str) -> Check:
    found = answer.headers.get("strict-transport-security", "")
    if re.search(r"\bmax-age=\"?[1-9]", found, re.IGNORECASE):
        return "ok", "HSTS", found
    told = f"is {found}, which ends it" if found else "is not sent"
    return (
        "bad",
        "HSTS",
        (
            f"{told}; set TOSSUP_PUBLIC_URL={url} and start the server again, and let the proxy"
            " leave the header as it is"
        ),
    )


def _clock(answer: _Answer) -> Check:
    try:
        theirs = parsedate_to_datetime(answer.headers.get("date", "")).timestamp()
    except ValueError:
        return "note", "server's clock", "the answer has no date"
    apart = round(theirs - time.time())
    if abs(apart) > _MOST_SECONDS_APART:
        return "bad", "server's clock", f"{apart:+d} seconds from this machine's; one is wrong"
    return "ok", "server's clock", f"within {_MOST_SECONDS_APART} seconds of this machine's"


def _has_policy(answer: _Answer) -> bool:
    return "default-src 'none'" in answer.headers.get("content-security-policy", "")


def _policy(page: _Answer) -> Check:
    if _has_policy(page):
        return "ok", "headers", "the content security policy reaches browsers"
    return "bad", "headers", "the content security policy is lost on the way; leave it to tossup"


def _prefix(connection: HTTPSConnection, page: _Answer, prefix: str, url: str) -> Check:
    found = _ADDRESS.findall(page.body.decode("utf-8", "replace"))
    outside = [address for address in found if not address.startswith(f"{prefix}/")]
    if outside or not found:
        return (
            "bad",
            "addresses",
            (
                f"pages lead to {outside[0] if outside else 'nothing'}, which is not below"
                f" {prefix or '/'}; set TOSSUP_PUBLIC_URL={url} and start the server again"
            ),
        )
    broken = [a for a in sorted(set(found)) if _is_broken(_ask(connection, "GET", a).status)]
    if broken:
        return "bad", "addresses", f"pages lead to {broken[0]}, which is not there"
    return "ok", "addresses", f"what pages lead to and load is below {prefix or '/'}"


def _is_broken(status: int) -> bool:
    """Return whether an address leads nowhere: one that asks to sign in, or for a form, does."""
    return status == 404 or status >= 500


def _sizes(connection: HTTPSConnection, path: str) -> Iterator[Check]:
    """Send the largest body that the protocol allows, and one byte more; both are nonsense."""
    fits = _ask(connection, "POST", path, b"x" * MAX_BODY_BYTES)
    if fits.code == "malformed":
        yield "ok", "largest batch", f"{MAX_BODY_BYTES} bytes reach the server"
    else:
        yield (
            "bad",
            "largest batch",
            (
                f"a body of {MAX_BODY_BYTES} bytes is answered with {fits.status}"
                f" {fits.code or 'by the proxy'}; let it through"
            ),
        )
    try:
        status = _ask(connection, "POST", path, b"x" * (MAX_BODY_BYTES + 1)).status
    except (OSError, HTTPException):
        status = 413  # as closing the connection while it was sent means
    connection.close()
    # A proxy says 502 where the server refused, and closed, before it had sent the whole body.
    told = f"is refused with {status}" if status >= 400 else f"is answered with {status}"
    yield "ok" if status >= 400 else "bad", "larger than that", told


def _ask(connection: HTTPSConnection, method: str, path: str, body: bytes | None = None) -> _Answer:
    headers = {"Accept": "*/*"} | ({"Content-Type": REPORTS_TYPE} if body is not None else {})
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    read = answer.read(_MOST_ANSWER_BYTES)
    if not answer.isclosed():  # longer than anything of ours
        connection.close()
    return _Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, read)
