"""What is shown once, to the browser that made it: a key, or a member's link.

Stage: HTTP. A form that makes a secret leads to a page that shows it, so that loading the page
again makes no second one. In between the secret is in memory alone, for a minute at most.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Final, Literal

SECONDS: Final = 60
_MOST: Final = 256

What = Literal["key", "link"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret, and for whom it is."""

    text: str
    name: str


class ShownOnce:
    """Secrets on their way to a page. Safe to share between threads."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._lock = Lock()
        self._kept: OrderedDict[tuple[bytes, What], tuple[float, Secret]] = OrderedDict()

    def keep(self, session: bytes, what: What, secret: Secret) -> None:
        """Keep a secret for the next page of a session that shows such."""
        with self._lock:
            self._kept[session, what] = (self._now() + SECONDS, secret)
            self._forget()

    def take(self, session: bytes, what: What) -> Secret | None:
        """Return a secret and forget it; None if there is none, or it waited too long."""
        with self._lock:
            self._forget()
            found = self._kept.pop((session, what), None)
        return found[1] if found else None

    def _forget(self) -> None:
        while self._kept:
            until, _ = next(iter(self._kept.values()))
            if until > self._now() and len(self._kept) <= _MOST:
                return
            self._kept.popitem(last=False)
