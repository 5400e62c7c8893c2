"""The store that the settings name: a file in the data folder, or a PostgreSQL database."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

from tossup.server.clock import today
from tossup.server.config import Config
from tossup.server.store.base import Store
from tossup.server.store.records import StoreError
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
    with _needing_driver():
        from tossup.server.store.postgres import PostgresStore
    return PostgresStore(config.database_url, replica=config.replica_url, day=day)


@contextmanager
def moving(file: Path, url: str) -> Iterator[tuple[Store, Store]]:
    """Lend a store in a file, and one in an empty PostgreSQL database.

    The file is only read; the database has all of it but its reports already, and is
    committed when the block ends, or left as it was.

    Raises
    ------
    DriverMissing
        If psycopg is not installed.
    StoreError
        As `tossup.server.store.postgres.moving` does.
    """
    with _needing_driver():
        from tossup.server.store.postgres.moving import moving as filled
    with filled(file, url) as stores:
        yield stores


@contextmanager
def _needing_driver() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise DriverMissing(
            "PostgreSQL needs psycopg; run: pip install 'tossup-server[postgres]'"
        ) from error


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
        return bool(store.keys() or store.survey_ids())
