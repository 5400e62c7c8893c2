"""Changes of one thread that stand or fall together, however many methods of the store make them.

Stage: ingest to tally. The transaction begins with the first change, so that who only reads, or
works something out first, holds no writer up.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress

from tossup.server.store.records import StorageFailed
from tossup.server.store.sql.pool import Connection


class _Undone(Exception):  # noqa: N818 - nobody sees it
    """Ends the transaction without a commit."""


class Together:
    """What one thread changes between the beginning and the end of a block.

    Attributes
    ----------
    connection
        The one with the transaction; None before the first change, and after all was undone.
    afterwards
        What is done once everything is durable.
    """

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.afterwards: list[Callable[[], None]] = []
        self._transaction = ExitStack()
        self._is_undone = False

    @contextmanager
    def change(
        self, begin: Callable[[], AbstractContextManager[Connection]]
    ) -> Iterator[Connection]:
        """Lend the connection, in its transaction; a change that raises undoes all of them."""
        if self._is_undone:
            raise StorageFailed("nothing is changed: what belongs together with it was undone")
        if self.connection is None:
            self.connection = self._transaction.enter_context(begin())
        try:
            yield self.connection
        except BaseException:
            self.undo()
            raise

    def undo(self) -> None:
        """Undo all of it; nothing more can be changed in the block."""
        self._is_undone, self.connection = True, None
        self.afterwards.clear()
        with suppress(_Undone), self._transaction:
            raise _Undone

    def commit(self) -> None:
        """Make durable what was changed."""
        self._transaction.close()


class Scopes(threading.local):
    """The block that each thread is in; None outside of all."""

    now: Together | None = None
