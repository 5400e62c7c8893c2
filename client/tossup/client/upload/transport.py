"""The small interface between the SDK and a network, which a host app may replace."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


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
