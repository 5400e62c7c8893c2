"""A server's HTTP interface as researchers' programs use it: the standard library, typed errors.

The device SDK has a transport of its own, for reports. This one carries the API key of a
researcher, so it follows no redirect and sends no key in the clear to another machine.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tossup.shared.errors import TossupError

if TYPE_CHECKING:
    from email.message import Message
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector, Request

TIMEOUT_SECONDS: Final = 30
#: For how long an answer that is being worked out is asked for, and the pause between two times.
PREPARING_SECONDS: Final = 120.0
PAUSE_SECONDS: Final = 1.0
MAX_ANSWER_BYTES: Final = 64 << 20
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
JSON: Final = "application/json"


class RemoteError(TossupError):
    """A server gave no answer that is one. The message says why."""


class RemoteUnreachableError(RemoteError):
    """No server answers at the address."""


class RemoteCleartextError(RemoteError):
    """The API key would travel unencrypted to another machine; nothing was sent."""


class RemoteRefusedError(RemoteError):
    """The server answered, but not with what was asked for.

    Attributes
    ----------
    status
        Of the answer.
    code
        The last part of the problem's type, such as ``survey-unknown``; empty if there is none.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered: its media type, and its body."""

    kind: str
    body: bytes


def is_address(url: str) -> bool:
    """Return whether it is an address of http or https with a host."""
    if not url.isascii() or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def send(
    url: str,
    api_key: str | None = None,
    *,
    method: str = "GET",
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Return the answer to a request, with the API key shown if there is one.

    An answer that the server is still working out is asked for again, for two minutes.

    Raises
    ------
    RemoteCleartextError, RemoteUnreachableError, RemoteRefusedError, RemoteError
        If there is no answer with what was asked for.
    """
    end = time.monotonic() + PREPARING_SECONDS
    while True:
        try:
            return _sent(url, api_key, method, body, headers or {})
        except RemoteRefusedError as refusal:
            if refusal.code != "preparing" or time.monotonic() > end:
                raise
        time.sleep(PAUSE_SECONDS)


def _sent(
    url: str, api_key: str | None, method: str, body: bytes | None, headers: Mapping[str, str]
) -> Answer:
    """Return the answer to one request."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request

    shown = dict(headers)
    if api_key:
        _refuse_cleartext(url)
        shown["Authorization"] = f"Bearer {api_key}"
    request = Request(url, data=body, headers=shown, method=method)  # noqa: S310 - is_address
    try:
        return _read(request)
    except HTTPError as error:
        with error:
            raise _refused(error.code, error.headers, _start(error)) from error
    except (OSError, HTTPException) as error:
        place = urlsplit(url)
        raise RemoteUnreachableError(
            f"no server answers at {place.scheme}://{place.netloc}:"
            f" {getattr(error, 'reason', error)}"
        ) from error


def json_object(answer: Answer, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return the object of JSON that an answer is; it must have members of these names.

    Raises
    ------
    RemoteError
        If it is another thing, or names a key twice: of two the last would win.
    """
    try:
        value = strict_object(answer.body) if answer.kind == JSON else {}
    except ValueError:
        value = {}
    if not value or not value.keys() >= set(names):
        raise RemoteError("what answers is no Tossup server; is something before it, a proxy?")
    return value


def strict_object(text: bytes) -> dict[str, Any]:
    """Return the object of a text in JSON.

    Raises
    ------
    ValueError
        If it is none, or names a key twice: of two the last would win.
    """
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(value, dict):
        raise ValueError("no object of JSON")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("an object names the same key twice")
    return value


def _read(request: "Request") -> Answer:
    with _opener(request.full_url).open(request, timeout=TIMEOUT_SECONDS) as answer:
        kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        body: bytes = answer.read(MAX_ANSWER_BYTES + 1)
        missing = answer.length
    if len(body) > MAX_ANSWER_BYTES:
        raise RemoteError(f"the server's answer is longer than {MAX_ANSWER_BYTES >> 20} MiB")
    if missing:
        raise OSError("the connection broke before the answer was complete")
    return Answer(kind, body)


def _refuse_cleartext(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise RemoteCleartextError(
            f"the API key would travel to {parts.hostname} unencrypted, readable on the way; use"
            " https"
        )


def _start(error: "HTTPError") -> bytes:
    """Return the beginning of a refusal's body, which is a problem document if it is ours."""
    from http.client import HTTPException

    try:
        return error.read(1 << 16)
    except (OSError, HTTPException):
        return b""


def _opener(url: str) -> "OpenerDirector":
    """Return an opener that follows no redirect, and uses no proxy for this machine itself."""
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            """Follow nothing: a redirect would carry the key elsewhere."""

    local = [ProxyHandler({})] if urlsplit(url).hostname in LOOPBACK else []
    return build_opener(Stay, *local)


def _refused(status: int, headers: "Message", body: bytes) -> RemoteRefusedError:
    try:
        problem = json.loads(body) if "json" in headers.get("Content-Type", "") else {}
        code = str(problem["type"]).rpartition(":")[2]
        message = str(problem.get("detail") or problem["title"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return RemoteRefusedError(
            status, "", f"the server answered {status}, and no Tossup problem document"
        )
    return RemoteRefusedError(status, code, f"{message} ({code})")
