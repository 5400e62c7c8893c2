"""``tossup doctor``: is this machine, and is the server, fit for a survey?"""

import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from tossup.server.cli.api import Refused, Server, key_option, url_option
from tossup.server.cli.authoring.publisher import publisher_option
from tossup.server.cli.operating.folder import data_option, load_config
from tossup.server.cli.output import Failure, Unreachable, emit, json_option
from tossup.server.remote import LOOPBACK

if TYPE_CHECKING:
    from tossup.server.config import Config
    from tossup.server.store.base import Store

Check = tuple[str, str, str]  # ok, note or bad; what was looked at; what was found

_PACKAGES = ("tossup", "cryptography", "flask", "marshmallow", "numpy", "uvicorn")
_OLDEST_CLOCK = 1_767_225_600  # 2026-01-01: before it, no clock can be right
_OLDEST_SQLITE = (3, 35)  # the first that returns what it inserted
_LEAST_FREE_MB = 100
_MOST_BACKUP_HOURS = 26  # a night, and two hours for it to be copied


@click.command()
@data_option
@publisher_option
@url_option
@key_option
@json_option
def doctor(
    *,
    data: Path | None,
    publisher_key: Path,
    url: str,
    api_key_file: Path | None,
    as_json: bool,
) -> None:
    """Check Python, the clock, the environment, the data folder, keys and the server.

    Reads every page of the database, and counts the stored reports of each survey again.
    Of a server whose --url is https it looks at what the world sees: certificate, HSTS, prefix,
    clock, and whether the largest batch gets through what stands before the server.
    Secrets are named by fingerprints only. Exits with 1 if something is wrong, and with 5 if the
    server that --url or TOSSUP_URL names does not answer.
    """
    checks = [
        *_machine(),
        *_environment(),
        *_data(load_config(data=data)),
        *_publisher(publisher_key),
        *_server(Server.of(url, api_key_file)),
    ]
    rows = [{"result": result, "check": what, "found": found} for result, what, found in checks]
    text = "\n".join(f"{result:4}  {what}: {found}" for result, what, found in checks)
    emit({"checks": rows}, text, as_json=as_json)
    bad = [what for result, what, _ in checks if result == "bad"]
    if bad:
        raise Failure(f"not fit for a survey: {', '.join(bad)}")
    if _is_named("url") and ("note", "server") in {(result, what) for result, what, _ in checks}:
        raise Unreachable(f"{url} does not answer as it should")


def _is_named(option: str) -> bool:
    """Return whether an option was given, rather than left to its default."""
    source = click.get_current_context().get_parameter_source(option)
    return source is not ParameterSource.DEFAULT


def _machine() -> Iterator[Check]:
    import sqlite3

    found = ".".join(map(str, sys.version_info[:3]))
    yield "ok" if sys.version_info >= (3, 11) else "bad", "python", f"{found}, {platform.system()}"
    is_new = sqlite3.sqlite_version_info >= _OLDEST_SQLITE
    yield "ok" if is_new else "bad", "sqlite", sqlite3.sqlite_version
    for package in _PACKAGES:
        try:
            yield "ok", package, version(package)
        except PackageNotFoundError:
            yield "note", package, "not installed"
    today = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    yield "ok" if time.time() > _OLDEST_CLOCK else "bad", "clock", today


def _environment() -> Iterator[Check]:
    from tossup.server.config import ignored_variables

    if ignored := ignored_variables():
        yield "note", "environment", f"no settings, so ignored: {', '.join(ignored)}"


def _data(config: "Config") -> Iterator[Check]:
    return _folder(config) if config.uses_folder else _store(config)


def _folder(config: "Config") -> Iterator[Check]:
    if (found := _not_there(config)) is not None:
        yield found
        return
    mode = config.data.stat().st_mode & 0o077
    hint = f"others can look into {config.data}; run: chmod 700 {config.data}"
    yield "bad" if mode else "ok", "data folder", hint if mode else str(config.data)
    if others := _others(config):
        told = f"{', '.join(others)}: what copies reports keeps them beyond their retention"
        yield "note", "other files", f"{told}; delete what is not needed"
    free = disk_usage(config.data).free >> 20
    yield "ok" if free >= _LEAST_FREE_MB else "bad", "disk", f"{free} MB free"
    if (found := _of_another_version(config)) is not None:
        yield found
        return
    yield from _store(config)


def _others(config: "Config") -> list[str]:
    """Return what lies beside the database and is not SQLite's, but for hidden files.

    Such as what was moved away for a copy to come back, or is left of a command that was ended.
    """
    own = {config.database.name + end for end in ("", "-wal", "-shm", "-journal")}
    names = sorted(path.name for path in config.data.iterdir())
    return [name for name in names if name not in own and not name.startswith(".")]


def _not_there(config: "Config") -> Check | None:
    """Return why there is nothing to look at, or nothing that the server could use."""
    data, file, what = config.data, config.database, "data folder"
    try:
        if not file.exists():
            return "note", what, f"{data} holds no data yet; tossup serve makes it"
    except OSError as error:
        return "bad", what, f"{data}: {error.strerror}; {_as_its_owner(data)}"
    if not all(os.access(path, os.R_OK | os.W_OK) for path in (data, file)):
        return "bad", what, f"{file} cannot be written; {_as_its_owner(file)}"
    if file.stat().st_uid != (owner := data.stat().st_uid) != 0:
        told = f"{file} is not its owner's, and the server cannot use it"
        return "bad", what, f"{told}; run: chown {owner} {file}"
    return None


def _of_another_version(config: "Config") -> Check | None:
    """Return of which version the data is, if not of this one: opening it would change it."""
    from tossup.server.store.copies import require_this_version
    from tossup.server.store.records import SchemaTooOld, StoreError

    try:
        require_this_version(config.database)
    except SchemaTooOld as error:
        told = f"{error}; back it up with the version that serves it, and start this one"
        return "bad", "database", told
    except StoreError as error:
        return "bad", "database", str(error)
    return None


def _as_its_owner(path: Path) -> str:
    """Return what to do where a file cannot be used: mostly it is another user's."""
    with suppress(OSError, KeyError, NotImplementedError):  # no names of users on Windows
        return f"it belongs to {path.owner()}: run this as that user, on a disk that can be written"
    return "run this as the user who serves"


def _store(config: "Config") -> Iterator[Check]:
    from tossup.server.store import StoreError, open_store

    try:
        store = open_store(config)
    except (StoreError, OSError) as error:
        yield "bad", "database", str(error)
        return
    with closing(store):
        yield _writable(store)
        if config.replica_url is not None:
            yield _replica(store)
        yield _pages(store)
        yield _day(store)
        yield _backup(store)
        yield from _surveys(store)


def _day(store: "Store") -> Check:
    from tossup.server.clock import today
    from tossup.server.ingest.known_day import doubt

    try:
        found, known = doubt(store, today()), store.known_day()
    except Exception as error:
        return "bad", "day", _unreadable(error)
    if found is not None:
        return "bad", "day", found
    return "ok", "day", f"last noted {known}" if known else "none noted yet"


def _backup(store: "Store") -> Check:
    try:
        last = store.last_backup()
    except Exception as error:
        return "bad", "backup", _unreadable(error)
    if not last:
        return "note", "backup", "none yet; tossup backup makes one"
    hours = (time.time() - last) / 3600
    told = f"the last was begun {hours:.0f} hours ago"
    return "ok" if 0 <= hours <= _MOST_BACKUP_HOURS else "note", "backup", told


def _writable(store: "Store") -> Check:
    from tossup.server.store.records import StorageFailed

    try:
        store.check_writable()
    except StorageFailed as error:
        return "bad", "database", str(error)
    return "ok", "database", "reports can be written"


def _replica(store: "Store") -> Check:
    from tossup.server.store.records import StorageFailed

    try:
        store.check_replica()
    except StorageFailed as error:
        return "bad", "replica", f"results are read from the primary: {error}"
    return "ok", "replica", "has what its primary has"


def _pages(store: "Store") -> Check:
    faults = store.faults()
    if not faults:
        return "ok", "pages", "the database's own check finds nothing wrong"
    return "bad", "pages", f"{'; '.join(faults)}; restore the data from a backup"


def _surveys(store: "Store") -> Iterator[Check]:
    """Look at every survey; a damaged page may make any of them fail in any way."""
    try:
        names = store.survey_ids()
    except Exception as error:
        yield "bad", "surveys", _unreadable(error)
        return
    yield "ok", "surveys", str(len(names))
    for name in names:
        try:
            yield _survey(store, name)
        except Exception as error:
            yield "bad", f"survey {name}", _unreadable(error)


def _unreadable(error: Exception) -> str:
    return f"cannot be read ({type(error).__name__}); restore the data from a backup"


def _survey(store: "Store", name: str) -> Check:
    from tossup.server.clock import today
    from tossup.server.ingest.recount import recount
    from tossup.server.store.records import ReportsExpired

    what, before = f"survey {name}", store.survey(name)
    last = store.last_day(name)
    if last is not None and last > today():
        return "bad", what, f"has reports of {last}, which is to come: was the clock set back?"
    try:
        found = recount(store, name)
    except ReportsExpired:
        return "ok", what, f"{before.reports} reports; single ones were deleted as promised"
    is_still = store.survey(name).revision == before.revision
    if not found.agrees or (is_still and found.reports != before.reports):
        return "bad", what, f"its counters and stored reports disagree; tossup recount {name}"
    return "ok", what, f"{found.reports} stored reports and the counters agree"


def _publisher(path: Path) -> Iterator[Check]:
    from tossup.server.cli.authoring.publisher import default_path, load_or_create
    from tossup.shared.signing import key_id, public_bytes

    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path == default_path():
            yield "note", "publisher key", f"none at {path}; tossup survey create makes it"
        else:
            yield "bad", "publisher key", f"none at {path}; correct TOSSUP_PUBLISHER_KEY"
        return
    except OSError as error:
        yield "bad", "publisher key", f"{path} cannot be used: {error.strerror}"
        return
    if mode & 0o077:
        yield "bad", "publisher key", f"others can read it; run: chmod 600 {path}"
        return
    try:
        yield "ok", "publisher key", key_id(public_bytes(load_or_create(path)))
    except Failure as failure:
        yield "bad", "publisher key", failure.message


def _server(server: Server) -> Iterator[Check]:
    if server.api_key:
        yield "ok", "API key", f"fingerprint {sha256(server.api_key.encode()).hexdigest()[:16]}"
    else:
        yield "note", "API key", "none; set TOSSUP_API_KEY or TOSSUP_API_KEY_FILE"
    parts = urlsplit(server.url)
    is_safe = parts.scheme == "https" or parts.hostname in LOOPBACK
    found = server.url if is_safe else f"{server.url} is not encrypted; use https://"
    yield "ok" if is_safe else "bad", "address", found
    if parts.scheme == "https":
        from tossup.server.cli.operating.outside import look

        yield from look(server.url)
    try:
        said = Server(server.url).get_bytes("/readyz", "text/plain")
        if said != b"ready\n":
            raise server.stranger()
        yield "ok", "server", "answers and can store"
    except Refused as refused:
        yield "bad", "server", refused.message
        return
    except Failure as failure:
        yield "note", "server", failure.message
        return
    if server.api_key and is_safe:
        yield _access(server)


def _access(server: Server) -> Check:
    try:
        surveys = server.get("/v1/surveys", "surveys")["surveys"]
    except Failure as failure:
        return "bad", "access", failure.message
    return "ok", "access", f"{len(surveys)} survey(s) to see"
