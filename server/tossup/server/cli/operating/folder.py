"""The data folder of a server, for the commands that work on it without HTTP."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.output import Failure

if TYPE_CHECKING:
    from tossup.server.config import Config
    from tossup.server.store import Store

data_option: Callable[[Any], Any] = click.option(
    "--data", type=click.Path(path_type=Path),
    help="The server's data folder; else TOSSUP_DATA, else tossup-data.",
)  # fmt: skip


def load_config(**arguments: Any) -> "Config":
    """Return the settings of arguments that are not None, then of the environment.

    Raises
    ------
    Failure
        If a setting is unknown or cannot be used.
    """
    from tossup.server.config import Config, ConfigError

    try:
        return Config.load(os.environ, **arguments)
    except ConfigError as error:
        raise Failure(str(error), "tossup serve --help") from error


@contextmanager
def failures_explained(config: "Config") -> Iterator[None]:
    """Turn what a store can do wrong into failures of the command."""
    from tossup.server.store.records import ReportsExpired, StoreError, SurveyUnknown

    try:
        yield
    except SurveyUnknown as error:
        raise Failure(str(error), "tossup survey list") from error
    except ReportsExpired as error:
        raise Failure(str(error)) from error
    except (StoreError, OSError) as error:
        if not config.uses_folder:
            raise Failure(
                f"the database {config.place} cannot be used: {error}",
                "psql with the same address, until it gets through",
            ) from error
        if config.data.exists() and not config.data.is_dir():
            raise Failure(f"{config.data} is no folder", "name a folder with --data") from error
        raise Failure(
            f"the data folder {config.data} cannot be used: {error}",
            f"tossup doctor --data {config.data}",
        ) from error


@contextmanager
def open_store(config: "Config", *, must_exist: bool = True) -> Iterator["Store"]:
    """Open the store that the settings name.

    Raises
    ------
    Failure
        If there is none where there must be one, or it cannot be used.
    """
    from tossup.server.store import holds_data, opening

    with failures_explained(config):
        if must_exist and not holds_data(config):
            raise Failure(
                f"{config.place} holds no data of a server",
                "name the folder with --data or TOSSUP_DATA, or run: tossup serve",
            )
        _leave_earlier_versions(config)
        with closing(opening.open_store(config)) as store:
            yield store


def _leave_earlier_versions(config: "Config") -> None:
    """Raise `Failure` for data that a server of an earlier version may run on.

    Opening would bring it to a form that such a server does not know.
    """
    from tossup.server.store.copies import require_this_version
    from tossup.server.store.records import SchemaTooOld, StoreError

    if not config.uses_folder or not config.database.exists():
        return
    try:
        require_this_version(config.database)
    except StoreError as error:
        if not isinstance(error, SchemaTooOld):
            return  # such as a file that a first start is about to fill: opening it tells
        raise Failure(
            f"{config.data}: {error}", "tossup serve, which brings it along; back it up before"
        ) from error
