"""The server's HTTP interface as commands use it: the standard library, typed errors.

The device SDK has a transport of its own, for reports. This one carries the API key of a
researcher, so it follows no redirect and sends no key in the clear to another machine.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from tossup.server.cli.output import Failure, RefusedForPrivacy, Unreachable

if TYPE_CHECKING:
    from email.message import Message
    from urllib.request import OpenerDirector, Request

DEFAULT_URL: Final = "http://127.0.0.1:8080"
TIMEOUT_SECONDS: Final = 30
MAX_ANSWER_BYTES: Final = 64 << 20
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

url_option: Callable[[Any], Any] = click.option(
    "--url", envvar="TOSSUP_URL", default=DEFAULT_URL, show_default=True, show_envvar=True,
    help="Address of the server.",
)  # fmt: skip
key_option: Callable[[Any], Any] = click.option(
    "--api-key-file", envvar="TOSSUP_API_KEY_FILE", type=click.Path(path_type=Path),
    show_envvar=True, help="File that holds the API key; or set TOSSUP_API_KEY.",
)  # fmt: skip


class Refused(Failure):
    """The server answered, but not with what was asked for.

    ``code`` is the last part of the problem's type, such as ``survey-unknown``.
    """

    def __init__(self, status: int, code: str, message: str, fix: str = "") -> None:
        super().__init__(message, fix)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True, repr=False)
class Server:
    """A server's address, and the API key to show it."""

    url: str
    api_key: str | None = None

    @classmethod
    def of(cls, url: str, api_key_file: Path | None) -> "Server":
        """Return the server with the key from the file or from TOSSUP_API_KEY.

        Raises
        ------
        Failure
            If the file cannot be read, or the address is not one of http or https.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise Failure(f"{url!r} is not an address of a server", f"--url {DEFAULT_URL}")
        return cls(url.rstrip("/"), _api_key(api_key_file))

    def get(self, path: str) -> Any:
        """Return the JSON value at a path."""
        return json.loads(self.get_bytes(path))

    def get_bytes(self, path: str) -> bytes:
        """Return the body at a path."""
        return self._send("GET", path, None, {})

    def post(self, path: str, body: bytes = b"", kind: str = "application/json") -> Any:
        """Post a body and return the JSON value of the answer."""
        return json.loads(self._send("POST", path, body, {"Content-Type": kind}))

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request

        if self.api_key:
            self._refuse_cleartext()
            headers = {**headers, "Authorization": f"Bearer {self.api_key}"}
        request = Request(self.url + path, data=body, headers=headers, method=method)  # noqa: S310
        try:
            return self._read(request)
        except HTTPError as error:
            with error:
                raise _refused(error.code, error.headers, error.read(1 << 16)) from error
        except (OSError, HTTPException) as error:
            raise Unreachable(
                f"no server answers at {self.url}: {getattr(error, 'reason', error)}",
                "tossup serve, or name another address with --url or TOSSUP_URL",
            ) from error

    def _read(self, request: "Request") -> bytes:
        with _opener(self.url).open(request, timeout=TIMEOUT_SECONDS) as answer:
            body: bytes = answer.read(MAX_ANSWER_BYTES)
        return body

    def _refuse_cleartext(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise RefusedForPrivacy(
                f"the API key would travel to {parts.hostname} unencrypted, readable on the way",
                f"--url https://{parts.netloc}",
            )


def _opener(url: str) -> "OpenerDirector":
    """Return an opener that follows no redirect, and uses no proxy for this machine itself."""
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            """Follow nothing: a redirect would carry the key elsewhere."""

    local = [ProxyHandler({})] if urlsplit(url).hostname in LOOPBACK else []
    return build_opener(Stay, *local)


def _api_key(path: Path | None) -> str | None:
    if path is None:
        return os.environ.get("TOSSUP_API_KEY") or None
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise Failure(f"the API key file {path} cannot be read: {error}") from error


def _refused(status: int, headers: "Message", body: bytes) -> Refused:
    try:
        problem = json.loads(body) if "json" in headers.get("Content-Type", "") else {}
        code = str(problem["type"]).rpartition(":")[2]
        message = str(problem.get("detail") or problem["title"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return Refused(status, "", f"the server answered {status}, and no Tossup problem document")
    fix = {
        "key-required": "export TOSSUP_API_KEY=...; `tossup key create` on the server makes one",
        "survey-unknown": "tossup survey list",
        "survey-conflict": "tossup survey create --next-version FILE, or another id in the file",
    }.get(code, "")
    return Refused(status, code, f"{message} ({code})", fix)
