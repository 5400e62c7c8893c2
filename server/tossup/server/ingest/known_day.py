"""Whether the server's day can be believed, before anything is decided by it for good.

Stage: ingest and after a survey. A clock that is set years ahead by mistake would end every
retention, and close every survey that has a last day: reports would be deleted, and devices told
that theirs are not counted. So a day is believed only if it is not far beyond one that was believed
before, which is noted once an hour while a server runs. A later day waits until the clock is right
again, or until whoever runs the server confirms it.

Sign-ins and sign-in links end by the clock as well; what they lose is one more `tossup link`.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from tossup.server.store.base import Store

#: So many days may pass from one noted day to the next, such as while a server is switched off.
MOST_DAYS: Final = 7
#: No clock is right before it: that of a machine without a battery starts decades earlier.
_EARLIEST: Final = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Jump:
    """A day that is too far beyond the latest one that was believed."""

    known: date
    day: date

    def __str__(self) -> str:
        days = (self.day - self.known).days
        return (
            f"the clock says {self.day}, {days} days after {self.known}, the last day that this"
            " server knows; no report is deleted, and no survey ends by its last day, until the"
            " clock is right or `tossup clock --confirm` says that it is"
        )


def jump(store: Store, day: date) -> Jump | None:
    """Return the jump that a day would be; None if it can be believed."""
    known = store.known_day()
    if known is None or day <= known + timedelta(days=MOST_DAYS):
        return None
    return Jump(known, day)


def doubt(store: Store, day: date) -> str | None:
    """Return why the clock's day is not believed: it is a jump, or before a day noted; or None.

    A noted tomorrow is no reason: another server on the same data may be past midnight already.
    """
    found, known = jump(store, day), store.known_day()
    if found is not None:
        return str(found)
    if known is None or known <= day + timedelta(days=1):
        return None
    return (
        f"the clock says {day}, and the last day noted is {known}, which is to come; the server"
        " goes by that day until it is over, or until the clock is right and"
        " `tossup clock --confirm` says so"
    )


def note_day(store: Store, day: date) -> Jump | None:
    """Note a day that can be believed; return the jump of one that cannot."""
    found = jump(store, day)
    if found is None and day >= _EARLIEST:
        store.note_day(day)
    return found
