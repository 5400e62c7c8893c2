"""The databases that a server's tests run on, behind one way to open a store."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from postgres import Cluster

from tossup.server.clock import today
from tossup.server.config import Config
from tossup.server.store import SQLiteStore, Store
from tossup.server.store import connection as sqlite
from tossup.server.store.postgres import PostgresStore
from tossup.server.store.postgres import connection as postgresql

Wrap = Callable[[Any], Any]


class SQLite:
    """The file in a test's data folder."""

    begin = "BEGIN IMMEDIATE"
    growth = "UPDATE chunks"
    counts = "INSERT INTO tallies"
    revision = "UPDATE surveys"
    #: How many times as long a transaction takes as in SQLite.
    cost = 1

    def __init__(self, config: Config) -> None:
        self.config = config

    def open(
        self, *, day: Callable[[], date] = today, wrap: Wrap = lambda connection: connection
    ) -> Store:
        """Open the store; ``wrap`` may stand between it and each of its connections."""
        return open_wrapped(self.config, wrap, day=day)


class PostgreSQL:
    """A new database of the tests' cluster."""

    begin = "BEGIN ISOLATION"
    growth = "INSERT INTO chunks"
    counts = "INSERT INTO tallies"
    revision = "WITH kept AS (INSERT INTO commits"
    cost = 4

    def __init__(self, config: Config, cluster: Cluster) -> None:
        self.config = replace(config, database_url=cluster.database())

    def open(
        self, *, day: Callable[[], date] = today, wrap: Wrap = lambda connection: connection
    ) -> Store:
        """Open the store; ``wrap`` may stand between it and each of its connections."""
        return open_wrapped(self.config, wrap, day=day)


def open_wrapped(config: Config, wrap: Wrap, *, day: Callable[[], date] = today) -> Store:
    """Open the store that the settings name, with ``wrap`` around each connection."""
    if config.database_url is None:
        path = config.database
        return SQLiteStore(path, day=day, connect=lambda at: wrap(sqlite.connect(at)))
    url = config.database_url
    return PostgresStore(url, day=day, connect=lambda at: wrap(postgresql.connect(at)))
