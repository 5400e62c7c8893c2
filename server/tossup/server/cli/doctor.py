"""``tossup doctor``: is this machine, and is the server, fit for a survey?"""

import os
import platform
import sqlite3
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from tossup.server.cli.api import LOOPBACK, Server, key_option, url_option
from tossup.server.cli.folder import data_option, load_config
from tossup.server.cli.output import Failure, Unreachable, emit, json_option
from tossup.server.cli.publisher import publisher_option

if TYPE_CHECKING:
    from tossup.server.config import Config

Check = tuple[str, str, str]  # ok, note or bad; what was looked at; what was found

_PACKAGES = ("tossup", "cryptography", "flask", "marshmallow", "numpy", "waitress")
_OLDEST_CLOCK = 1_767_225_600  # 2026-01-01: before it, no clock can be right


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
    """Check Python, the clock, the data folder, keys and the server.

    Secrets are named by fingerprints only. Exits with 1 if something is wrong, and with 5 if the
    server that --url or TOSSUP_URL names does not answer.
    """
    checks = [
        *_machine(),
        *_folder(load_config(data=data)),
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
    found = ".".join(map(str, sys.version_info[:3]))
    yield "ok" if sys.version_info >= (3, 11) else "bad", "python", f"{found}, {platform.system()}"
    yield "ok", "sqlite", sqlite3.sqlite_version
    for package in _PACKAGES:
        try:
            yield "ok", package, version(package)
        except PackageNotFoundError:
            yield "note", package, "not installed"
    today = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    yield "ok" if time.time() > _OLDEST_CLOCK else "bad", "clock", today


def _folder(config: "Config") -> Iterator[Check]:
    from tossup.server.store import SQLiteStore
    from tossup.server.store.base import StoreError

    if not config.database.exists():
        yield "note", "data folder", f"{config.data} holds no data yet; tossup serve makes it"
        return
    mode = config.data.stat().st_mode & 0o077
    hint = f"others can look into {config.data}; run: chmod 700 {config.data}"
    yield "bad" if mode else "ok", "data folder", hint if mode else str(config.data)
    try:
        store = SQLiteStore(config.database)
        store.check_writable()
    except (StoreError, OSError) as error:
        yield "bad", "database", str(error)
        return
    yield "ok", "database", f"writable, {len(store.surveys())} survey(s), {_free(config.data)} free"
    store.close()


def _free(folder: Path) -> str:
    space = os.statvfs(folder)
    return f"{space.f_bavail * space.f_frsize >> 20} MB"


def _publisher(path: Path) -> Iterator[Check]:
    from tossup.server.cli.publisher import load_or_create
    from tossup.shared.signing import key_id, public_bytes

    if not path.exists():
        yield "note", "publisher key", f"none at {path}; tossup survey create makes it"
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
    try:
        Server(server.url).get_bytes("/readyz", "text/plain")
        yield "ok", "server", "answers and can store"
        if server.api_key and is_safe:
            yield (
                "ok",
                "access",
                f"{len(server.get('/v1/surveys', 'surveys')['surveys'])} survey(s) to see",
            )
    except Failure as failure:
        yield "note", "server", failure.message
