"""``tossup backup`` and ``tossup restore``: a server's data as one file, checked by a recount."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tossup.server.cli.operating.folder import data_option, load_config, open_store
from tossup.server.cli.output import Failure, emit, json_option, note

if TYPE_CHECKING:
    from tossup.server.config import Config

_LOST = (
    "It is as it was then: reports that came since are missing, withdrawals and revoked keys of"
    " since are undone, and everyone has to sign in again. See: tossup key list"
)


@click.command()
@click.argument("target", type=click.Path(path_type=Path), required=False)
@click.option(
    "--made",
    is_flag=True,
    help="Copy nothing, and note that another program, such as pg_dump, has made a copy.",
)
@data_option
@json_option
def backup(*, target: Path | None, made: bool, data: Path | None, as_json: bool) -> None:
    """Copy the server's data to TARGET, also while the server runs.

    TARGET is a new file, or a folder that gets one named by the time, UTC. The reports in the copy
    are counted again, and must agree with its counters; else there is no copy. It holds every
    report until you delete it, so delete it before the retention that surveys promise is over.
    The publisher's key is not in it. When it was made is noted in the data, and /metrics says so.
    """
    if made is (target is not None):
        raise click.UsageError("name TARGET, or give --made alone.")
    if target is None:
        _made(load_config(data=data), as_json=as_json)
    else:
        _backup(target, _folder(data), as_json=as_json)


def _made(config: "Config", *, as_json: bool) -> None:
    began = int(time.time())
    with open_store(config) as store:
        store.note_backup(began)
    at = time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(began))
    emit({"noted": at}, f"Noted: a copy was made at {at}.", as_json=as_json)


def _backup(target: Path, config: "Config", *, as_json: bool) -> None:
    from tossup.server.store.copies import copy_store
    from tossup.server.store.records import SchemaTooOld

    began = int(time.time())
    found: dict[str, int | None] = {}
    fix = "make room, or name a new file in a folder that you may write to"
    with _explained(f"{config.data} was not backed up to {target}", fix):
        if not config.database.exists():
            raise Failure("it holds no data of a server", "name its folder with --data")
        file = target / _name() if target.is_dir() else target
        try:
            copy_store(config.database, file, lambda copy: found.update(_counted(copy)))
        except SchemaTooOld as error:
            raise Failure(
                str(error),
                "back it up with the version that serves it, then upgrade",
            ) from error
    _tell("Backed up to", file, found, as_json=as_json)
    try:
        with open_store(config) as store:
            store.note_backup(began)
    except Failure as failure:
        note(f"The copy is whole, but was not noted, and an alarm may miss it: {failure.message}")


@click.command()
@click.argument("file", metavar="BACKUP", type=click.Path(path_type=Path, dir_okay=False))
@data_option
@json_option
def restore(*, file: Path, data: Path | None, as_json: bool) -> None:
    """Put BACKUP in a data folder that holds no data, and bring it to this version.

    Its reports are counted again, and must agree with its counters; else nothing is restored.
    All sessions and sign-in links end.
    """
    from tossup.server.store.copies import restore_store

    config = _folder(data)
    found: dict[str, int | None] = {}
    fix = "name a file that tossup backup made, and an empty folder that you may write to"
    with _explained(f"{file} was not restored to {config.data}", fix):
        if not file.exists():
            raise Failure("there is no such file", "tossup restore BACKUP")
        if config.database.exists():
            raise Failure(
                "the folder holds data, which is not written over",
                "stop the server and move away all that is in the folder, or name another with"
                " --data",
            )
        restore_store(file, config.database, lambda copy: found.update(_counted(copy)))
    _tell("Restored to", config.data, found, as_json=as_json)
    if not as_json:
        note(_LOST)


def _folder(data: Path | None) -> "Config":
    config = load_config(data=data)
    if not config.uses_folder:
        raise Failure(
            f"the data is in {config.place}, not in a folder",
            "pg_dump, and then: tossup backup --made",
        )
    return config


def _name() -> str:
    return time.strftime("tossup-%Y-%m-%dT%H%M%SZ.sqlite3", time.gmtime())


def _counted(copy: Path) -> dict[str, int | None]:
    """Return the stored reports of each survey, counted; None where only counters are left.

    Raises
    ------
    Failure
        If the file is damaged, or stored reports and counters disagree.
    """
    from tossup.server.ingest.recount import recount
    from tossup.server.store import SQLiteStore
    from tossup.server.store.records import ReportsExpired

    found: dict[str, int | None] = {}
    with closing(SQLiteStore(copy)) as store:
        if faults := store.faults():
            raise Failure(f"the data is damaged: {'; '.join(faults)}", "tossup doctor")
        for record in store.surveys():
            name = record.survey.id
            try:
                counted = recount(store, name)
            except ReportsExpired:
                found[name] = None
                continue
            if not counted.agrees or counted.reports != record.reports:
                raise Failure(
                    f"the counters and stored reports of {name} disagree", f"tossup recount {name}"
                )
            found[name] = counted.reports
    return found


def _tell(what: str, where: Path, found: dict[str, int | None], *, as_json: bool) -> None:
    surveys = {name: {"reports": reports} for name, reports in found.items()}
    total = sum(reports or 0 for reports in found.values())
    emit(
        {"path": str(where), "surveys": surveys, "reports": total},
        f"{what} {where}: {len(found)} survey(s) with {total} stored reports, and the counters"
        " agree.",
        as_json=as_json,
    )


@contextmanager
def _explained(message: str, fix: str) -> Iterator[None]:
    from tossup.server.store.records import ManifestDamaged, SchemaTooNew, StoreError

    try:
        yield
    except ManifestDamaged as error:
        raise Failure(f"{message}: {error}", "tossup doctor") from error
    except SchemaTooNew as error:
        raise Failure(f"{message}: {error}", "install the version that wrote it") from error
    except (StoreError, OSError) as error:
        raise Failure(f"{message}: {error}", fix) from error
    except Failure as failure:
        raise Failure(f"{message}: {failure.message}", failure.fix) from failure
