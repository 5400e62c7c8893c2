"""Connections to one database, each lent to one thread at a time.

All statements go through ``execute``, with ``?`` for a parameter, which sqlite3, apsw and our
connection to PostgreSQL all offer: tests run the code that ingests on a connection that records,
fails, or dies.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement returns."""

    def fetchone(self) -> Any: ...  # noqa: D102
    def fetchall(self) -> list[Any]: ...  # noqa: D102
    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """The part of a database connection that the store uses."""

    def execute(self, sql: str, parameters: tuple[object, ...] = (), /) -> Rows: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


class Pool(ABC):
    """Connections that come back unless what was done with them failed.

    Parameters
    ----------
    connect
        Opens a connection; tests pass one that records, fails or dies.
    """

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._idle: deque[Connection] = deque()
        self._closed = False

    @abstractmethod
    def _set_up(self, connection: Connection) -> None:
        """Make a new connection ready for use, and read back that it is durable."""

    def open(self) -> Connection:
        """Open a connection that is ready for use."""
        connection = self._connect()
        try:
            self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def is_alive(self, _connection: Connection) -> bool:
        """Return whether a connection that was idle can still be used."""
        return True

    def lend(self) -> AbstractContextManager[Connection]:
        """Lend a connection; it comes back unless the block raised."""
        return _Lent(self)

    def close(self) -> None:
        """Close idle connections now, and others when they come back."""
        self._closed = True
        with suppress(IndexError):
            while True:
                self.let_go(self._idle.pop())

    def let_go(self, connection: Connection) -> None:
        """Close a connection."""
        connection.close()

    def give_back(self, connection: Connection) -> None:
        """Take a connection back."""
        self._idle.append(connection)
        if self._closed:
            self.close()

    def take(self) -> Connection:
        """Return an idle connection that is alive, or a new one."""
        with suppress(IndexError):
            while True:
                connection = self._idle.pop()
                if self.is_alive(connection):
                    return connection
                with suppress(Exception):
                    self.let_go(connection)
        return self.open()


class _Lent:
    """A connection of a pool for one block. It is no generator, as small commits would feel."""

    __slots__ = ("_connection", "_pool")

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def __enter__(self) -> Connection:
        self._connection = self._pool.take()
        return self._connection

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is None:
            self._pool.give_back(self._connection)
        else:
            with suppress(Exception):
                self._pool.let_go(self._connection)
