"""``tossup link`` and ``tossup key``: who may see the pages, and who may use the API."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from tossup.server.cli.operating.folder import data_option, load_config, open_store
from tossup.server.cli.operating.serve import sign_in_address
from tossup.server.cli.output import Failure, emit, json_option, note, table

if TYPE_CHECKING:
    from tossup.server.config import Config
    from tossup.server.store.base import Store
    from tossup.server.store.members import Role
    from tossup.server.web.auth import Auth


@click.command()
@data_option
@click.option("--url", help="Address of the server; else TOSSUP_PUBLIC_URL, or TOSSUP_URL.")
@json_option
def link(*, data: Path | None, url: str | None, as_json: bool) -> None:
    """Make a new one-time sign-in link, good for an hour."""
    config = load_config(data=data)
    with authorized(config) as (_, auth):
        made = sign_in_address(url or server_address(config), auth.create_link())
    emit({"sign_in": made}, made, as_json=as_json)


@click.group()
def key() -> None:
    """Create, list and revoke API keys."""


def _name(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Return the name of a key, which is stored and listed."""
    from tossup.shared.wording import fault

    wrong = fault(value)
    if wrong or not value.strip():
        raise click.BadParameter(f"it {wrong or 'is blank'}; take another name")
    return value


@key.command()
@click.argument("name", callback=_name)
@click.option(
    "--role", type=click.Choice(["viewer", "analyst", "owner"]), default="owner",
    show_default=True, help="What the key may do.",
)  # fmt: skip
@data_option
@json_option
def create(*, name: str, role: str, data: Path | None, as_json: bool) -> None:
    """Create an API key called NAME and show it, this once."""
    with authorized(load_config(data=data), must_exist=False) as (store, auth), store.together():
        made = auth.create_key(name, cast("Role", role))
        store.note(auth.time(), "command line", "Create an API key", f"{name}, {role}")
    emit({"name": name, "api_key": made}, made, as_json=as_json)
    if not as_json:
        note("Shown this once. Use it by: export TOSSUP_API_KEY=...")


@key.command(name="list")
@data_option
@json_option
def list_(*, data: Path | None, as_json: bool) -> None:
    """List API keys by number and name; the keys themselves are not kept."""
    with open_store(load_config(data=data)) as store:
        kept_keys = store.keys()
        rows: list[dict[str, object]] = [
            {
                "number": key.number,
                "name": key.name,
                "role": key.role,
                "created": key.created.isoformat(),
                "used": key.used.isoformat() if key.used else "",
                "revoked": "yes" if key.revoked else "no",
            }
            for key in kept_keys
        ]
    text = (
        table(rows, ["number", "name", "role", "created", "used", "revoked"])
        if rows
        else "No key yet."
    )
    emit({"keys": [{**row, "revoked": row["revoked"] == "yes"} for row in rows]}, text,
         as_json=as_json)  # fmt: skip


@key.command()
@click.argument("number", type=int)
@data_option
@json_option
def revoke(*, number: int, data: Path | None, as_json: bool) -> None:
    """Make the API key with this NUMBER useless, at once."""
    with authorized(load_config(data=data)) as (store, auth):
        kept_keys = store.keys()
        if number not in {kept.number for kept in kept_keys}:
            raise Failure(f"there is no key number {number}", "tossup key list")
        with store.together():
            store.revoke_key(number)
            store.note(auth.time(), "command line", "Revoke an API key", f"key {number}")
    emit({"number": number, "revoked": True}, f"Key {number} is revoked.", as_json=as_json)


@contextmanager
def authorized(config: "Config", *, must_exist: bool = True) -> "Iterator[tuple[Store, Auth]]":
    """Open the store, and what makes secrets for it."""
    from tossup.server.web.auth import Auth

    with open_store(config, must_exist=must_exist) as store:
        yield store, Auth(store, secure=config.secure)


def server_address(config: "Config") -> str:
    """Return where browsers reach the server, as its settings say; or else where commands do."""
    elsewhere = config.public_url or os.environ.get("TOSSUP_URL")
    return elsewhere or config.address(config.port)
