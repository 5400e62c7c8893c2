"""``tossup member`` and ``tossup record``: who may sign in, and who changed what."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from tossup.server.cli.operating.access import authorized, server_address
from tossup.server.cli.operating.folder import data_option, load_config, open_store
from tossup.server.cli.operating.serve import sign_in_address
from tossup.server.cli.output import Failure, emit, json_option, note, table

if TYPE_CHECKING:
    from tossup.server.store.base import Store
    from tossup.server.store.members import Member, RecordLine, Role

_WHO = "command line"
_ROLES = ("viewer", "analyst", "owner")

role_option = click.option(
    "--role", type=click.Choice(_ROLES), default="viewer", show_default=True,
    help="viewer reads results, analyst also takes joint reports along, owner does everything.",
)  # fmt: skip


@click.group()
def member() -> None:
    """Add, list and remove the people who sign in, and make links for them."""


@member.command()
@click.argument("name")
@role_option
@click.option("--url", help="Address of the server; else TOSSUP_PUBLIC_URL, or TOSSUP_URL.")
@data_option
@json_option
def add(*, name: str, role: str, url: str | None, data: Path | None, as_json: bool) -> None:
    """Add a member called NAME, and show the link by which they choose a password."""
    from tossup.server.refusals import Refused
    from tossup.server.store.members import NameTaken
    from tossup.server.web.people.sign_in import add as add_member

    config = load_config(data=data)
    with authorized(config, must_exist=False) as (store, auth), store.together():
        try:
            made = add_member(store, name, cast("Role", role))
        except (Refused, NameTaken) as error:
            raise Failure(f"{error}", "tossup member list") from error
        store.note(auth.time(), _WHO, "Add a member", f"{made.name}, {role}")
        secret = auth.create_link(_invitation_seconds(), made.number)
    address = sign_in_address(url or server_address(config), secret)
    emit({"name": made.name, "role": role, "link": address}, address, as_json=as_json)
    if not as_json:
        note("Send it by a way that only they read. It works once and for three days.")


@member.command(name="list")
@data_option
@json_option
def list_(*, data: Path | None, as_json: bool) -> None:
    """List the members by name, with their roles."""
    with open_store(load_config(data=data)) as store:
        rows: list[dict[str, object]] = [
            {
                "name": kept.name,
                "role": kept.role,
                "since": kept.created.isoformat(),
                "password": bool(kept.password),
            }
            for kept in store.members()
        ]
    shown = [{**row, "password": "yes" if row["password"] else "no"} for row in rows]
    text = table(shown, list(shown[0])) if shown else "No member yet."
    emit({"members": rows}, text, as_json=as_json)


@member.command()
@click.argument("name")
@data_option
@json_option
def remove(*, name: str, data: Path | None, as_json: bool) -> None:
    """Remove the member called NAME, and end their sessions at once."""
    with authorized(load_config(data=data)) as (store, auth), store.together():
        found = _named(store, name)
        store.remove_member(found.number)
        store.note(auth.time(), _WHO, "Remove a member", found.name)
    emit({"name": found.name, "removed": True}, f"{found.name} is removed.", as_json=as_json)


@member.command()
@click.argument("name")
@click.option("--url", help="Address of the server; else TOSSUP_PUBLIC_URL, or TOSSUP_URL.")
@data_option
@json_option
def link(*, name: str, url: str | None, data: Path | None, as_json: bool) -> None:
    """Make a new one-time link by which the member called NAME chooses a password."""
    config = load_config(data=data)
    with authorized(config) as (store, auth), store.together():
        found = _named(store, name)
        secret = auth.create_link(_invitation_seconds(), found.number)
        store.note(auth.time(), _WHO, "Make a one-time link for a member", found.name)
    address = sign_in_address(url or server_address(config), secret)
    emit({"name": found.name, "link": address}, address, as_json=as_json)


@click.command()
@click.option("--check", is_flag=True, help="Fail if a line was changed or taken out.")
@data_option
@json_option
def record(*, check: bool, data: Path | None, as_json: bool) -> None:
    """Show who changed what on the server, oldest first.

    Each line's digest covers the line before it, so that a line that was changed in the file is
    found by --check; one who rewrites the whole file is not: keep the last digest elsewhere.
    """
    with open_store(load_config(data=data)) as store:
        lines = list(_lines(store))
    before = b""
    for line in lines if check else ():
        if not line.continues(before):
            raise Failure(f"the record was changed at line {line.number} or just before it")
        before = line.digest
    rows: list[dict[str, object]] = [
        {
            "number": line.number,
            "at": f"{datetime.fromtimestamp(line.at, UTC):%Y-%m-%dT%H:%MZ}",
            "who": line.who,
            "what": line.what,
            "subject": line.subject,
        }
        for line in lines
    ]
    text = table(rows, ["number", "at", "who", "what", "subject"]) if rows else "Nothing yet."
    last = lines[-1].digest.hex() if lines else None
    emit({"record": rows, "last_digest": last}, text, as_json=as_json)
    if check and not as_json:
        note(f"The record is whole. Its last digest: {last}")


def _lines(store: "Store") -> "Iterator[RecordLine]":
    newest: list[RecordLine] = []
    while page := store.record(newest[-1].number if newest else None):
        newest += page
    return reversed(newest)


def _named(store: "Store", name: str) -> "Member":
    from tossup.server.web.people.sign_in import normalized

    for found in store.members():
        if normalized(found.name) == normalized(name):
            return found
    raise Failure(f"there is no member called {name}", "tossup member list")


def _invitation_seconds() -> int:
    from tossup.server.web.auth import INVITATION_SECONDS

    return INVITATION_SECONDS
