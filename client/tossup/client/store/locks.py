"""A lock file between processes and threads: one flusher at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

_held: set[int] = set()


@contextmanager
def file_lock(path: str) -> Iterator[bool]:
    """Hold the lock of a file during the block, and tell it whether the lock was free.

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
        yield _acquire(descriptor)
    finally:
        _let_go(descriptor)


def _acquire(descriptor: int) -> bool:
    if fcntl is None:  # pragma: no cover - Windows
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
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


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_the_parents_locks)
