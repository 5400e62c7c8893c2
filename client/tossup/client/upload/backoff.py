"""When to try again: whole seconds, full jitter, and no trust in the device's clock."""

import secrets
from typing import Final

from tossup.client.asking import now

FIRST_SECONDS: Final = 30
LONGEST_SECONDS: Final = 6 * 3600
LONGEST_ASKED_SECONDS: Final = 24 * 3600

_MAX_DOUBLINGS: Final = 10  # 30 s doubled ten times is above six hours


def delay_after(failures: int, asked: int | None = None) -> int:
    """Return how many seconds to wait after this many failures in a row.

    Parameters
    ----------
    failures
        1 for the first. The wait is uniform from 1 to 30 s doubled with every further failure,
        at most six hours ("full jitter": devices that failed together do not return together).
    asked
        What the server's Retry-After asked for, in seconds; followed up to a day.
    """
    if asked is not None:
        return min(max(asked, 1), LONGEST_ASKED_SECONDS)
    ceiling = min(FIRST_SECONDS << min(failures - 1, _MAX_DOUBLINGS), LONGEST_SECONDS)
    return 1 + secrets.randbelow(ceiling)


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
