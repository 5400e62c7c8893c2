"""The server's HTTP interface as commands use it: the standard library, typed errors.

The device SDK has a transport of its own, for reports. This one carries the API key of a
researcher, so it follows no redirect and sends no key in the clear to another machine.
"""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from tossup.server.cli.output import Failure, RefusedForPrivacy, Unreachable

if TYPE_CHECKING:
    from email.message import Message
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector, Request

DEFAULT_URL: Final = "http://127.0.0.1:8080"
TIMEOUT_SECONDS: Final = 30
MAX_ANSWER_BYTES: Final = 64 << 20
_JSON: Final = "application/json"
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_KEY: Final = re.compile(r"[A-Za-z0-9_-]*")
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def _survey_id(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Return the id of a survey, which becomes a part of an address."""
    return survey_id_of(value)


def survey_id_of(value: str) -> str:
    """Return the id of a survey that an argument may be, checked.

    Raises
    ------
    click.BadParameter
        If it cannot be one.
    """
    if not _ID.fullmatch(value):
        raise click.BadParameter("a survey's id is made of a-z, 0-9, - and _")
    return value


survey_argument: Callable[[Any], Any] = click.argument(
    "survey_id", metavar="SURVEY", callback=_survey_id
)
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
        if not _is_address(url):
            raise Failure(f"{url!r} is not an address of a server", f"--url {DEFAULT_URL}")
        return cls(url.rstrip("/"), _api_key(api_key_file))

    def get(self, path: str, *names: str) -> Any:
        """Return the JSON object at a path, which must have members of these names."""
        return self._object(self._send("GET", path, None, {}), names)

    def get_json(self, path: str, *names: str) -> bytes:
        """Return the bytes of the JSON object at a path, as they came."""
        answer = self._send("GET", path, None, {})
        self._object(answer, names)
        return answer.body

    def get_bytes(self, path: str, kind: str) -> bytes:
        """Return the body at a path, which must be of this media type."""
        return self._of_kind(self._send("GET", path, None, {}), kind)

    def post(self, path: str, body: bytes = b"", kind: str = _JSON) -> Any:
        """Post a body and return the JSON object of the answer."""
        return self._object(self._send("POST", path, body, {"Content-Type": kind}), ())

    def post_reports(self, body: bytes) -> bytes:
        """Post a batch of reports, as devices do without a key, and return the receipt's bytes."""
        from tossup.shared.wire import RECEIPT_TYPE, REPORTS_TYPE

        keyless = Server(self.url)
        answer = keyless._send("POST", "/v1/reports", body, {"Content-Type": REPORTS_TYPE})
        return keyless._of_kind(answer, RECEIPT_TYPE)

    def _object(self, answer: "_Answer", names: Sequence[str]) -> Any:
        try:
            value = json.loads(self._of_kind(answer, _JSON))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or not value.keys() >= set(names):
            raise self.stranger()
        return value

    def _of_kind(self, answer: "_Answer", kind: str) -> bytes:
        if answer.kind != kind:
            raise self.stranger()
        return answer.body

    def stranger(self) -> Failure:
        """Return the failure of an answer that is none of a Tossup server's."""
        return Failure(
            f"{self.url} answers, but not as a Tossup server does; is something else there, or a"
            " proxy before it?",
            "name the server's address with --url or TOSSUP_URL",
        )

    def _send(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> "_Answer":
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
                raise _refused(error.code, error.headers, _start(error)) from error
        except (OSError, HTTPException) as error:
            raise Unreachable(
                f"no server answers at {self.url}: {getattr(error, 'reason', error)}",
                "tossup serve, or name another address with --url or TOSSUP_URL",
            ) from error

    def _read(self, request: "Request") -> "_Answer":
        with _opener(self.url).open(request, timeout=TIMEOUT_SECONDS) as answer:
            kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            body: bytes = answer.read(MAX_ANSWER_BYTES + 1)
            missing = answer.length
        if len(body) > MAX_ANSWER_BYTES:
            raise Failure(f"the answer of {self.url} is longer than {MAX_ANSWER_BYTES >> 20} MiB")
        if missing:
            raise OSError("the connection broke before the answer was complete")
        return _Answer(kind, body)

    def _refuse_cleartext(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise RefusedForPrivacy(
                f"the API key would travel to {parts.hostname} unencrypted, readable on the way",
                f"--url https://{parts.netloc}",
            )


@dataclass(frozen=True, slots=True)
class _Answer:
    kind: str
    body: bytes


def _is_address(url: str) -> bool:
    if not url.isascii() or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


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


def _api_key(path: Path | None) -> str | None:
    if path is None:
        key, place = os.environ.get("TOSSUP_API_KEY", ""), "TOSSUP_API_KEY"
    else:
        key, place = _read_key(path), f"the API key file {path}"
    if not _KEY.fullmatch(key):
        raise Failure(f"{place} holds no API key: one is a word of ASCII letters and digits")
    return key or None


def _read_key(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").strip()
    except UnicodeError:
        return "not a key"  # which is told as that, without the file's content
    except OSError as error:
        raise Failure(f"the API key file {path} cannot be read: {error.strerror}") from error


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
