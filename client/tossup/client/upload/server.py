"""The survey's server as the device sees it: manifests to get, two things to post."""

from typing import TYPE_CHECKING, Final

from tossup.client.errors import (
    ManifestRefused,
    Misconfigured,
    SurveyClosed,
    TLSFailure,
    TransportError,
    Unreachable,
)
from tossup.client.link import Link
from tossup.client.upload.transport import Response, Transport
from tossup.shared import wire

if TYPE_CHECKING:
    from tossup.client.upload.verdicts import Verdict

TLS: Final = "tls"
OFFLINE: Final = "offline"


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
        from tossup.client.upload.verdicts import problem_code

        return b"", problem_code(response)

    def post(self, path: str, media_type: str, body: bytes, sent: int) -> "Verdict":
        """Post ``sent`` reports or report ids, and return what became of them."""
        from tossup.client.upload.verdicts import Later, judge

        try:
            response = self._request("POST", path, wire.RECEIPT_TYPE, media_type, body)
        except TransportError as error:
            return Later(problem_of(error))
        return judge(response, sent)

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


def problem_of(error: TransportError) -> str:
    """Return the code under which `status()` shows a failed request."""
    return TLS if isinstance(error, TLSFailure) else OFFLINE
