"""What a server's answer means for what was sent: keep, try again, split, or set aside.

Stage: after the request. Only 200 with our media type and a receipt that accounts for every
report is a success; a captive portal's 200 is not. Only a problem document of ours about the
bytes themselves is a refusal: a server that is set up wrongly, an old backup or a proxy may say no
today and yes tomorrow, and a report that was given up cannot be given again.
"""

from dataclasses import dataclass
from typing import Final

from tossup.client.errors import pass_on
from tossup.client.upload.backoff import asked_seconds
from tossup.client.upload.transport import Response, problem_code
from tossup.shared import wire
from tossup.shared.errors import WireError
from tossup.shared.wire import Receipt

CLOSED: Final = "survey-closed"

#: What a server will say again, whenever the same bytes come.
FINAL: Final = frozenset({"malformed", "media-type", "too-large", "too-many-reports", CLOSED})


@dataclass(frozen=True, slots=True)
class Accepted:
    """The server has every report but those that the receipt names."""

    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Later:
    """Nothing is known to have arrived; try again."""

    problem: str
    asked_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class TooLarge:
    """The request is too large; send fewer reports at once."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The server will never take this."""

    code: str


Verdict = Accepted | Later | TooLarge | Refused


def judge(response: Response, sent: int) -> Verdict:
    """Return what an answer to a request of ``sent`` reports means."""
    if response.status == 200:
        return _receipt(response, sent)
    if response.status == 413 and sent > 1:
        return TooLarge()
    code = problem_code(response)
    return Refused(code) if code in FINAL else Later(code, asked_wait(response))


def asked_wait(response: Response) -> int | None:
    """Return the seconds that Retry-After asks for, where it counts: with 429 and 503."""
    if response.status not in (429, 503):
        return None
    return asked_seconds(response.headers.get("retry-after"), response.headers.get("date"))


def _receipt(response: Response, sent: int) -> Verdict:
    if response.media_type != wire.RECEIPT_TYPE:
        return Later("not-our-server")
    try:
        return Accepted(wire.decode_receipt(response.body, sent))
    except WireError as error:
        pass_on(error)
        return Later("not-our-server")
