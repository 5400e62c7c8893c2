"""What a server's answer means for what was sent: keep, try again and when, split, or set aside.

Stage: after the request. Only 200 with our media type and a receipt that accounts for every
report is a success; a captive portal's 200 is not. Only a problem document of ours about the
bytes themselves is a refusal: a server that is set up wrongly, an old backup or a proxy may say no
today and yes tomorrow, and a report that was given up cannot be given again. Waits have full
jitter, and do not trust the device's clock.
"""

import secrets
from dataclasses import dataclass
from typing import Final

from tossup.client.asking import now
from tossup.client.errors import pass_on
from tossup.client.upload.transport import Response, problem_code
from tossup.shared import wire
from tossup.shared.errors import WireError
from tossup.shared.wire import Receipt

CLOSED: Final = "survey-closed"

#: What a server will say again, whenever the same bytes come.
FINAL: Final = frozenset({"malformed", "media-type", "too-large", "too-many-reports", CLOSED})

FIRST_SECONDS: Final = 30
LONGEST_SECONDS: Final = 6 * 3600
LONGEST_ASKED_SECONDS: Final = 24 * 3600
_MAX_DOUBLINGS: Final = 14  # 2 s doubled 14 times is above six hours


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


def delay_after(failures: int, asked: int | None = None) -> int:
    """Return how many seconds to wait after this many failures in a row.

    Parameters
    ----------
    failures
        1 for the first. The wait is uniform from 1 to 30 s doubled with every further failure,
        at most six hours ("full jitter": devices that failed together do not return together).
    asked
        What the server's Retry-After asked for, in seconds; followed up to a day. The wait is
        uniform from that to twice that, doubled likewise, and at most six hours longer: a server
        asks all for the same, and does not know who comes again for the tenth time.
    """
    least, first = 1, FIRST_SECONDS
    if asked is not None:
        least = min(max(asked, 1), LONGEST_ASKED_SECONDS)
        first = 2 * least
    most = min(first << min(failures - 1, _MAX_DOUBLINGS), least - 1 + LONGEST_SECONDS)
    return least + secrets.randbelow(most - least + 1)


def remaining(retry_at: int, delay: int, clock: int) -> int:
    """Return how many seconds are left until ``retry_at``; 0 if it is due.

    If more than the ``delay`` seems to be left, the clock was set back, and the next try is due.
    A clock that is set forward ends the wait as well.
    """
    left = retry_at - clock
    return left if 0 < left <= delay else 0


def asked_seconds(retry_after: str | None, date: str | None) -> int | None:
    """Return a Retry-After header in seconds, or None if there is none to follow.

    A date is compared with the answer's own Date header, both being the server's clock.
    """
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return int(text[:9])
    until, since = _seconds(text), _seconds(date or "")
    if until is None:
        return None
    return max(0, until - (now.clock() if since is None else since))


def _seconds(date: str) -> int | None:
    import calendar
    from email.utils import parsedate_tz

    try:
        parsed = parsedate_tz(date)
        return parsed and calendar.timegm((*parsed[:6], 0, 1, 0)) - (parsed[9] or 0)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None  # the parser accepts years and months that do not exist
