"""How much work is let in at once, so that what is accepted is answered soon, and the rest at once.

Stage: HTTP. More work in a queue makes nothing faster: everyone waits longer. So the amount that
may be under way follows how long it takes, as a sender on a network adapts to its way: it grows by
an eighth of what is answered in time, and halves when answers are late (T. Kelly, "Scalable TCP",
2003). What finds no room is refused, and its sender comes again.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from tossup.server.refusals import Busy

_GROWTH: Final = 8


class Admission:
    """Room for work, in a unit that its cost goes by; may be used by several threads.

    Parameters
    ----------
    start, least
        The room at first, and the smallest. A piece of work takes half of the smallest at most,
        however large it is: else many small ones would keep a large one out for ever.
    seconds
        Tells how long work may take before it is late. What takes as long whatever is let in,
        such as the disk for a commit, is to be part of it: else no room would be in time, and the
        least is what is under way.
    clock
        Tells seconds.
    """

    def __init__(
        self,
        start: int,
        least: int,
        seconds: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._room, self._least, self._largest = start, least, least // 2
        self._seconds = seconds
        self._clock = clock
        self._held = 0
        self._narrowed = clock()
        self._lock = threading.Lock()

    @contextmanager
    def place(self, size: int) -> Iterator[None]:
        """Hold a place while a block does its work.

        Raises
        ------
        Busy
            If there is no room.
        """
        began = self.enter(size)
        try:
            yield
        finally:
            self.leave(size, began)

    def enter(self, size: int) -> float:
        """Take a place, and return when: `leave` is to be told.

        Raises
        ------
        Busy
            If there is no room.
        """
        size = min(size, self._largest)
        with self._lock:
            if self._held + size > self._room:
                raise Busy
            self._held += size
            return self._clock()

    def leave(self, size: int, began: float) -> None:
        """Give a place back, and learn from how long it was held."""
        now, size = self._clock(), min(size, self._largest)
        with self._lock:
            was_narrow = 2 * self._held > self._room
            self._held -= size
            if now - began <= self._seconds():
                self._room += -(-size // _GROWTH) if was_narrow else 0
            elif began >= self._narrowed:  # what came before is late for the room as it was
                self._room = max(self._least, self._room // 2)
                self._narrowed = now
