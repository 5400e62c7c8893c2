"""Copies of a large answer that one visitor alone needs: two at once are made.

Stage: HTTP. An answer is kept once for all, but a page has a frame that is its visitor's, and who
takes no gzip gets an answer unpacked: up to 48 MB for each. A thread that makes such a copy holds
one of two slots until its request is answered. A part of the threads may wait for one; further
visitors are told to come again, so that small answers find a thread.
"""

import threading
from typing import Final, cast

from flask import Flask, current_app, g, has_request_context

from tossup.server.refusals import Busy

#: Copies of fewer bytes do not count: all threads together hold little in them.
LARGE: Final = 1 << 19
SLOTS: Final = 2
#: A visitor waits so long for a slot, then comes again.
PATIENCE_SECONDS: Final = 15.0
_EXTENSION: Final = "tossup-copies"


class _Copies:
    """The slots of an application, and the places to wait for them."""

    def __init__(self, waiting: int) -> None:
        self._slots = threading.Semaphore(SLOTS)
        self._places = threading.Semaphore(max(SLOTS, waiting))

    def take(self) -> None:
        if not self._places.acquire(blocking=False):
            raise Busy
        if not self._slots.acquire(timeout=PATIENCE_SECONDS):
            self._places.release()
            raise Busy

    def give_back(self) -> None:
        self._slots.release()
        self._places.release()


def register(app: Flask, waiting: int) -> None:
    """Bound the copies of an application; so many threads hold or wait for a slot at most."""
    copies = app.extensions[_EXTENSION] = _Copies(waiting)

    @app.teardown_request
    def end(_error: BaseException | None) -> None:
        if g.pop("holds_copy", False):
            copies.give_back()


def hold_copy(size: int) -> None:
    """Let this request hold a copy of so many bytes, until it is answered.

    Raises
    ------
    Busy
        If it is large, and too many are made already.
    """
    if size < LARGE or not has_request_context() or "holds_copy" in g:
        return
    cast("_Copies", current_app.extensions[_EXTENSION]).take()
    g.holds_copy = True
