"""Locks between processes and between threads: one flusher at a time, and no fork amid a call.

A file's lock is the operating system's, which frees it when its process dies.

SQLite forbids carrying an open connection into a forked child: the locks and the bookkeeping of
the parent would be copied, but not held. So connections live only as long as one operation, and
this gate makes ``os.fork`` (and all that Python builds on it) wait for the operations of other
threads. A child that was forked in spite of this, by C code that runs no hooks or after the
patience ended, finds the gate broken and refuses, rather than risk the ledger.

Each thread holds a lock of its own while it is inside. A ``with`` statement takes and frees such
a lock without a step at which a signal's handler could raise, so an interrupted operation leaves
nothing behind that a fork would wait for.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Final
from weakref import WeakSet

from tossup.client.errors import StoreUnavailable

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

#: Whether this system has such locks.
CAN_LOCK: Final = fcntl is not None

_PATIENCE_SECONDS: Final = 15


_held: set[int] = set()


@contextmanager
def file_lock(path: str, *, waits: bool = False) -> Iterator[int | None]:
    """Hold the lock of a file during the block, which gets its descriptor; None if it is not free.

    Parameters
    ----------
    path
        The file, made if it is not there.
    waits
        Whether to wait until it is free.

    The operating system frees the lock when its process dies, however it dies. Where no such
    lock exists the block runs as if it held it: SQLite's own locks still keep the ledger whole,
    and the server counts a report that arrives twice once.

    Raises
    ------
    OSError
        If the lock file cannot be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    _held.add(descriptor)
    try:
        yield descriptor if _acquire(descriptor, waits=waits) else None
    finally:
        _let_go(descriptor)


def _acquire(descriptor: int, *, waits: bool) -> bool:
    if fcntl is None:  # pragma: no cover - Windows
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def _let_go(descriptor: int) -> None:
    if descriptor not in _held:
        return  # a forked child came out of the block: the lock is its parent's
    _held.discard(descriptor)
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # also for the copies of children forked meanwhile
    os.close(descriptor)


def _forget_the_parents_locks() -> None:
    """Close a forked child's copies, so that no lock outlives the process that took it."""
    while _held:
        with suppress(OSError):
            os.close(_held.pop())


class _Turn:
    """The right of one thread to be inside the store."""

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def is_mine(self) -> bool:
        """Return whether the calling thread holds it."""
        return bool(self.lock._is_owned())  # type: ignore[attr-defined] # as `Condition` asks it

    def is_free(self) -> bool:
        """Return whether nobody holds it; the caller does from then on."""
        return not self.is_mine() and self.lock.acquire(blocking=False)


class _Gate:
    """The turns of all threads of this process; one gate per process, renewed after a fork."""

    def __init__(self, *, broken: bool = False) -> None:
        self.pid = os.getpid()
        self.broken = broken
        self._mine = threading.local()
        self._turns: WeakSet[_Turn] = WeakSet()  # of threads that live
        self._changing = threading.Lock()
        self._taken: list[_Turn] = []
        self._was_patient = True

    def turn(self) -> AbstractContextManager[object]:
        """Return this thread's lock, to be held while it is inside."""
        if self.broken:
            raise StoreUnavailable(
                "this process was forked while another thread used the device's store; start a new"
                " process for answering (multiprocessing's spawn method does)"
            )
        mine: _Turn | None = getattr(self._mine, "turn", None)
        if mine is None:
            mine = _Turn()
            with self._changing:  # waits for a fork that has begun
                self._turns.add(mine)
            self._mine.turn = mine
        elif mine.is_mine():
            raise StoreUnavailable(
                "the SDK was called by a signal handler, or another callback, that interrupted it"
                " in the same thread. Nothing was changed; call it again when that call is over"
            )
        return mine.lock

    def before_fork(self) -> None:
        """Take the turns of all other threads, and wait for those that are inside."""
        self._changing.acquire()
        self._was_patient = True
        until = time.monotonic_ns() + _PATIENCE_SECONDS * 10**9
        for turn in list(self._turns):
            seconds = max(0, until - time.monotonic_ns()) // 10**9
            if not turn.is_mine() and turn.lock.acquire(timeout=seconds):
                self._taken.append(turn)
            else:
                self._was_patient = False

    def after_fork_in_parent(self) -> None:
        """Give all turns back."""
        while self._taken:
            self._taken.pop().lock.release()
        self._changing.release()

    def renewed(self, *, by_hook: bool) -> "_Gate":
        """Return the gate of a forked child: broken if it was forked amid an operation."""
        is_whole = self._was_patient if by_hook else all(t.is_free() for t in self._turns)
        return _Gate(broken=self.broken or not is_whole)


_gate = _Gate()


def no_fork_meanwhile() -> AbstractContextManager[object]:
    """Return what keeps Python's forks waiting while a ``with`` block uses a connection.

    Raises
    ------
    StoreUnavailable
        If this process was itself forked in the middle of an operation, or this thread is amid
        one: a signal's handler that calls the SDK must not wait for what it interrupted.
    """
    return _current().turn()


def _current() -> _Gate:
    if _gate.pid != os.getpid():  # forked by code that runs no hooks
        _renew(by_hook=False)
    return _gate


def _renew(*, by_hook: bool = True) -> None:
    global _gate  # noqa: PLW0603 - one gate per process is the point
    _gate = _gate.renewed(by_hook=by_hook)


def _start_anew() -> None:
    """In a forked child: leave the parent's locks to it, and begin with a gate of its own."""
    _forget_the_parents_locks()
    _renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lambda: _current().before_fork(),
        after_in_parent=lambda: _current().after_fork_in_parent(),
        after_in_child=_start_anew,
    )
