"""The server's HTTP interface as commands use it: what fails says which command helps."""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import click

from tossup.server import remote
from tossup.server.cli.output import Failure, RefusedForPrivacy, Unreachable
from tossup.server.cli.suggestions import did_you_mean

DEFAULT_URL: Final = "http://127.0.0.1:8080"
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_KEY: Final = re.compile(r"[A-Za-z0-9_-]*")


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

    def with_end(self, end: str) -> "Refused":
        """Return the same with more at the end of its message."""
        return Refused(self.status, self.code, self.message + end, self.fix)


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
        if not remote.is_address(url):
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

    def post(self, path: str, body: bytes = b"", kind: str = remote.JSON) -> Any:
        """Post a body and return the JSON object of the answer."""
        return self._object(self._send("POST", path, body, {"Content-Type": kind}), ())

    def delete(self, path: str) -> Any:
        """Delete what is at a path and return the JSON object of the answer."""
        return self._object(self._send("DELETE", path, None, {}), ())

    def post_reports(self, body: bytes) -> bytes:
        """Post a batch of reports, as devices do without a key, and return the receipt's bytes."""
        from tossup.shared.wire import RECEIPT_TYPE, REPORTS_TYPE

        keyless = Server(self.url)
        answer = keyless._send("POST", "/v1/reports", body, {"Content-Type": REPORTS_TYPE})
        return keyless._of_kind(answer, RECEIPT_TYPE)

    def _object(self, answer: remote.Answer, names: Sequence[str]) -> Any:
        try:
            return remote.json_object(answer, names)
        except remote.RemoteError as error:
            raise self.stranger() from error

    def _of_kind(self, answer: remote.Answer, kind: str) -> bytes:
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
    ) -> remote.Answer:
        try:
            return remote.send(
                self.url + path, self.api_key, method=method, body=body, headers=headers
            )
        except remote.RemoteRefusedError as error:
            refused = _refused(error)
            near = did_you_mean(_survey_in(path), self._survey_ids(refused))
            raise refused.with_end(near) from error
        except remote.RemoteCleartextError as error:
            raise RefusedForPrivacy(
                str(error), f"--url https://{urlsplit(self.url).netloc}"
            ) from error
        except remote.RemoteUnreachableError as error:
            raise Unreachable(
                str(error), "tossup serve, or name another address with --url or TOSSUP_URL"
            ) from error
        except remote.RemoteError as error:
            raise Failure(str(error)) from error

    def _survey_ids(self, refused: Refused) -> list[str]:
        """Return which surveys there are, where one is unknown; none to who may not see them."""
        if refused.code != "survey-unknown":
            return []
        with suppress(Failure, KeyError, TypeError):
            return [entry["id"] for entry in self.get("/v1/surveys", "surveys")["surveys"]]
        return []


def _survey_in(path: str) -> str:
    """Return the id of a survey in a path of the API; empty where there is none."""
    _, _, rest = path.partition("/v1/surveys/")
    return unquote(rest.partition("?")[0].partition("/")[0])


def _api_key(path: Path | None) -> str | None:
    if path is None:
        key, place = os.environ.get("TOSSUP_API_KEY", ""), "TOSSUP_API_KEY"
    else:
        key, place = _read_key(path), f"the API key file {path}"
    if not _KEY.fullmatch(key) or (path is not None and not key):
        raise Failure(f"{place} holds no API key: one is a word of ASCII letters and digits")
    return key or None


def _read_key(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").strip()
    except UnicodeError:
        return "not a key"  # which is told as that, without the file's content
    except OSError as error:
        raise Failure(f"the API key file {path} cannot be read: {error.strerror}") from error


def _refused(error: remote.RemoteRefusedError) -> Refused:
    fix = {
        "key-required": "export TOSSUP_API_KEY=...; `tossup key create` on the server makes one",
        "survey-unknown": "tossup survey list",
        "survey-conflict": "tossup survey create --next-version FILE, or another id in the file",
    }.get(error.code, "")
    return Refused(error.status, error.code, str(error), fix)
