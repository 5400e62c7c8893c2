"""The server's day, the only time that is kept with a report, and a clock that never goes back."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from threading import Lock


def today() -> date:
    """Return the server's day: UTC."""
    return datetime.now(UTC).date()


class ForwardClock:
    """Seconds since 1970 that only grow, and at least as fast as time passes.

    A machine's clock may be set back; what has ended by this clock stays ended.

    Parameters
    ----------
    latest
        The latest time known before; 0 for none.
    monotonic
        Returns seconds since any moment; nothing sets it.
    """

    def __init__(self, latest: int, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = Lock()
        self._looked = monotonic()
        self._latest = float(latest)

    def at(self, wall: float) -> int:
        """Return the time now, where the machine's clock shows ``wall``."""
        with self._lock:
            looked = self._monotonic()
            self._latest = max(wall, self._latest + looked - self._looked)
            self._looked = looked
            return int(self._latest)
