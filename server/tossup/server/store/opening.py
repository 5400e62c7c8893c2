"""The store that the settings name: a file in the data folder, or a PostgreSQL database."""

from collections.abc import Callable
from contextlib import closing
from datetime import date

from tossup.server.clock import today
from tossup.server.config import Config
from tossup.server.store.base import Store, StoreError
from tossup.server.store.sqlite import SQLiteStore


class DriverMissing(StoreError):  # noqa: N818 - reads as the condition, like SchemaTooNew
    """What speaks to this kind of database is not installed."""


def open_store(config: Config, *, day: Callable[[], date] = today) -> Store:
    """Open the store that the settings name, and make what is missing.

    Raises
    ------
    DriverMissing
        If PostgreSQL is named and psycopg is not installed.
    SchemaTooNew
        If a newer Tossup wrote it.
    StorageFailed
        If it cannot be opened durably.
    """
    if config.database_url is None:
        return SQLiteStore(config.database, day=day)
    try:
        from tossup.server.store.postgres import PostgresStore
    except ImportError as error:
        raise DriverMissing(
            "PostgreSQL needs psycopg; run: pip install 'tossup-server[postgres]'"
        ) from error
    return PostgresStore(config.database_url, day=day)


def holds_data(config: Config) -> bool:
    """Return whether a server has been here: a file, or a database with an API key or a survey.

    Raises
    ------
    StoreError
        As `open_store` does, for a database.
    """
    if config.uses_folder:
        return config.database.exists()
    with closing(open_store(config)) as store:
        return bool(store.keys() or store.surveys())
