"""The small interface between the SDK and a network, and the survey's server behind it.

A host app may replace the first. The server gives manifests, and two things are posted to it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from tossup.client.errors import (
    ManifestRefused,
    Misconfigured,
    SurveyClosed,
    TLSFailure,
    TransportError,
    Unreachable,
    pass_on,
)
from tossup.client.settings import Link
from tossup.shared import strict_json, wire
from tossup.shared.errors import WireError

TLS: Final = "tls"
OFFLINE: Final = "offline"

_MAX_PROBLEM_BYTES: Final = 1 << 14
_CODE: Final = re.compile(re.escape(wire.PROBLEM_PREFIX) + r"[a-z][a-z-]{0,63}")


@dataclass(frozen=True, slots=True)
class Response:
    """An answer over HTTP, whatever its status.

    Attributes
    ----------
    headers
        By lower-case name.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def media_type(self) -> str:
        """The media type without parameters, in lower case; empty if there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Transport(Protocol):
    """Sends one request. Follow no redirect, keep no cookie, add nothing that names the device."""

    def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout_seconds: int,
    ) -> Response:
        """Return the server's answer.

        Raises
        ------
        TransportError
            If there is none; `TLSFailure` if the server's certificate is to blame.
        """
        ...


class Server:
    """Speaks protocol v1 to the server of one link."""

    def __init__(self, link: Link, transport: Transport, timeout_seconds: int) -> None:
        self._link = link
        self._transport = transport
        self._timeout_seconds = timeout_seconds

    def manifest(self) -> bytes:
        """Return the current signed manifest, as it came.

        Raises
        ------
        SurveyClosed
            If the server says so.
        Misconfigured
            If the server knows no such survey.
        TransportError
            If there is no answer.
        Unreachable
            If the answer is not one of a Tossup server. It is ignored.
        """
        envelope, code = self._get(f"/v1/surveys/{self._link.survey}")
        if code == "survey-closed":
            raise SurveyClosed
        if code == "survey-unknown":
            raise Misconfigured(f"the server knows no survey {self._link.survey!r}; check the link")
        return _only(envelope, code)

    def version(self, digest: str) -> bytes:
        """Return one version of the signed manifest by its digest, as it came.

        Raises
        ------
        ManifestRefused
            If the server does not hold it.
        TransportError, Unreachable
            As `manifest`.
        """
        envelope, code = self._get(f"/v1/manifests/{digest}")
        if code == "manifest-unknown":
            raise ManifestRefused(
                f"the server does not hold the version before that its manifest names, {digest};"
                " ask the publisher why"
            )
        return _only(envelope, code)

    def _get(self, path: str) -> tuple[bytes, str]:
        """Return a manifest as it came, or none and the code of the problem."""
        response = self._request("GET", path, wire.MANIFEST_TYPE)
        if response.status == 200 and response.media_type == wire.MANIFEST_TYPE:
            return response.body, ""
        return b"", problem_code(response)

    def post(self, path: str, media_type: str, body: bytes) -> Response:
        """Return the answer to reports or report ids, whatever it says.

        Raises
        ------
        TransportError
            If there is none.
        """
        return self._request("POST", path, wire.RECEIPT_TYPE, media_type, body)

    def _request(
        self,
        method: str,
        path: str,
        accept: str,
        content_type: str | None = None,
        body: bytes | None = None,
    ) -> Response:
        headers = {"Accept": accept}
        if content_type is not None:
            headers["Content-Type"] = content_type
        url = self._link.server + path
        try:
            return _plain(
                self._transport.request(method, url, headers, body, self._timeout_seconds)
            )
        except TransportError:
            raise
        except Exception as error:  # a host app's own transport may raise or return anything
            pass_on(error)
            kind = type(error).__name__
        raise TransportError(f"the transport failed ({kind})")


def _only(envelope: bytes, code: str) -> bytes:
    if code:
        raise Unreachable(f"the answer ({code}) is not a manifest; is a proxy or portal between?")
    return envelope


def _plain(response: Response) -> Response:
    """Return an answer anew, of plain values; raise anything if it is none."""
    headers = {str(name).lower(): str(value) for name, value in response.headers.items()}
    return Response(int(response.status), headers, bytes(memoryview(response.body)))


def problem_code(response: Response) -> str:
    """Return the code of a problem document of ours, or ``http-<status>`` for any other answer."""
    other = f"http-{response.status}"
    if response.media_type != wire.PROBLEM_TYPE:
        return other
    try:
        match strict_json.loads(response.body, _MAX_PROBLEM_BYTES):
            case {"type": str(kind)} if _CODE.fullmatch(kind):
                return kind.removeprefix(wire.PROBLEM_PREFIX)
    except WireError as error:
        pass_on(error)
    return other


def problem_of(error: TransportError) -> str:
    """Return the code under which `status()` shows a failed request."""
    return TLS if isinstance(error, TLSFailure) else OFFLINE
