"""Forks wait until no thread is inside the store.

SQLite forbids carrying an open connection into a forked child: the locks and the bookkeeping of
the parent would be copied, but not held. So connections live only as long as one operation, and
this gate makes ``os.fork`` (and all that Python builds on it) wait for the operations of other
threads. A child that was forked in spite of this, by C code that runs no hooks or after the
patience ended, finds the gate broken and refuses, rather than risk the ledger.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tossup.client.errors import StoreUnavailable

_PATIENCE_SECONDS = 15


class _Gate:
    """Counts the operations of this process; one gate per process, renewed after a fork."""

    def __init__(self, *, broken: bool = False) -> None:
        self.pid = os.getpid()
        self.changed = threading.Condition()
        self.inside: list[int] = []
        self.forking = False
        self.broken = broken

    def enter(self) -> None:
        with self.changed:
            self.changed.wait_for(lambda: not self.forking, _PATIENCE_SECONDS)
            self.inside.append(threading.get_ident())

    def leave(self) -> None:
        with self.changed:
            self.inside.remove(threading.get_ident())
            self.changed.notify_all()

    def before_fork(self) -> None:
        me = threading.get_ident()
        with self.changed:
            self.forking = True
            self.changed.wait_for(lambda: set(self.inside) <= {me}, _PATIENCE_SECONDS)

    def after_fork_in_parent(self) -> None:
        with self.changed:
            self.forking = False
            self.changed.notify_all()


_gate = _Gate()


@contextmanager
def no_fork_meanwhile() -> Iterator[None]:
    """Keep Python's forks waiting while the block uses a database connection.

    Raises
    ------
    StoreUnavailable
        If this process was itself forked in the middle of an operation.
    """
    gate = _current()
    if gate.broken:
        raise StoreUnavailable(
            "this process was forked while another thread used the device's store; start a new"
            " process for answering (multiprocessing's spawn method does)"
        )
    gate.enter()
    try:
        yield
    finally:
        gate.leave()


def _current() -> _Gate:
    if _gate.pid != os.getpid():  # forked by code that runs no hooks
        _renew()
    return _gate


def _renew() -> None:
    global _gate  # noqa: PLW0603 - one gate per process is the point
    _gate = _Gate(broken=bool(_gate.inside) or _gate.broken)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lambda: _current().before_fork(),
        after_in_parent=lambda: _current().after_fork_in_parent(),
        after_in_child=_renew,
    )
