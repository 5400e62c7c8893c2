"""``tossup migrate``: a server's data from its folder to PostgreSQL, counted on both sides."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tossup.server.cli.operating.folder import load_config
from tossup.server.cli.output import Failure, emit, json_option, note

if TYPE_CHECKING:
    from tossup.server.ingest.moving import Moved

_NEXT = (
    "Serve from the database now, and never again from {source}: reports that it took would be"
    " counted apart. Move it away, and delete it before the retention that surveys promise is over."
)


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("url", metavar="[URL]", required=False)
@json_option
def migrate(*, source: Path, url: str | None, as_json: bool) -> None:
    """Move the data in SOURCE to the empty PostgreSQL database at URL.

    SOURCE is a server's data folder, or a file such as tossup backup writes. Stop its server
    first. It is only read. URL is as for tossup serve; else TOSSUP_DATABASE_URL.

    Surveys, reports, withdrawals, members, keys, drafts and the record go over in one transaction:
    all of it or nothing. Before it ends, the reports are counted again on both sides, and the
    tallies must be equal. A report that was received before still counts once when it comes again.
    """
    config = load_config(database_url=url)
    if config.database_url is None:
        raise Failure(
            "no database is named", f"tossup migrate {source} postgresql://user@host/name"
        )
    file = load_config(data=source).database if source.is_dir() else source
    if not file.is_file():
        raise Failure(f"{source} holds no data of a server", "name its data folder")
    moved = _moved(file, config.database_url, config.place)
    reports = sum(each.reports or 0 for each in moved.values())
    found = {
        name: {"reports": each.reports, "counters": each.counters} for name, each in moved.items()
    }
    emit(
        {"path": str(file), "database": config.place, "surveys": found, "reports": reports},
        f"Moved {len(moved)} survey(s) with {reports} stored reports to {config.place}."
        " Counted again on both sides, the tallies are equal.",
        as_json=as_json,
    )
    if not as_json:
        note(_NEXT.format(source=source))


def _moved(file: Path, url: str, place: str) -> "dict[str, Moved]":
    from tossup.server.ingest.moving import move
    from tossup.server.store.opening import moving
    from tossup.server.store.records import OutcomeUnknown, StoreError

    try:
        with moving(file, url) as (source, target):
            return move(source, target)
    except OutcomeUnknown as error:
        raise Failure(
            f"either everything was moved to {place}, or nothing: {error}",
            "tossup migrate again: a database that holds data already has everything",
        ) from error
    except (StoreError, OSError) as error:
        raise Failure(f"nothing was moved to {place}: {error}", _fix(error)) from error


def _fix(error: Exception) -> str:
    from tossup.server.store.records import InUse, Occupied, SchemaTooOld

    if isinstance(error, InUse):
        return "stop its server, then run tossup migrate again"
    if isinstance(error, Occupied):
        return "make another database with createdb, and name that"
    if isinstance(error, SchemaTooOld):
        return "tossup restore BACKUP --data FOLDER, which brings a backup to this version"
    return "tossup doctor"
