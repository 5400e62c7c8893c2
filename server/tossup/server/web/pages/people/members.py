"""Pages of people: members, one's own sessions, API keys, and the record of who changed what."""

from http import HTTPStatus
from typing import cast
from urllib.parse import urljoin

from flask import Blueprint, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from tossup.server.refusals import Refused
from tossup.server.store.members import ROLES, KeyRecord, Member, NameTaken, Role, SessionRecord
from tossup.server.web.access import once_kept, require, subject
from tossup.server.web.auth import INVITATION_SECONDS, Caller
from tossup.server.web.pages.people.signing_in import signed_out
from tossup.server.web.people.shown_once import Secret, What
from tossup.server.web.people.sign_in import add
from tossup.server.web.services import services
from tossup.shared.wording import fault

Answer = AnyResponse | tuple[str, int]


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    blueprint.get("/members")(members)
    blueprint.post("/members", endpoint="add_member")(add_member)
    blueprint.post("/members/<int:number>/role", endpoint="set_role")(set_role)
    blueprint.post("/members/<int:number>/link", endpoint="member_link")(member_link)
    blueprint.get("/members/<int:number>/remove")(remove_form)
    blueprint.post("/members/<int:number>/remove", endpoint="remove_member")(remove_member)
    blueprint.get("/sessions")(sessions)
    blueprint.post("/sessions/end", endpoint="end_session")(end_session)
    blueprint.get("/keys")(keys)
    blueprint.post("/keys", endpoint="create_key")(create_key)
    blueprint.get("/keys/<int:number>/revoke")(revoke_form)
    blueprint.post("/keys/<int:number>/revoke", endpoint="revoke_key")(revoke_key)
    blueprint.get("/record")(record)


@require("owner")
def members() -> str:
    """List the members."""
    return _members()


@require("owner")
def add_member() -> Answer:
    """Add a member."""
    try:
        member = add(services().store, request.form.get("name", ""), _role())
    except NameTaken:
        return _members("taken"), HTTPStatus.UNPROCESSABLE_ENTITY
    except Refused:
        return _members("unfit"), HTTPStatus.UNPROCESSABLE_ENTITY
    subject(f"{member.name}, {member.role}")
    return _invite(member)


@require("owner")
def set_role(number: int) -> AnyResponse:
    """Change a member's role."""
    member, role = services().store.member(number), _role()
    _not_oneself(number)
    services().store.set_role(number, role)
    subject(f"{member.name}, {role}")
    return redirect(url_for("dashboard.members"), 303)


@require("owner")
def member_link(number: int) -> AnyResponse:
    """Make a one-time link for a member."""
    member = services().store.member(number)
    subject(member.name)
    return _invite(member)


@require("owner")
def remove_form(number: int) -> str:
    """Ask before a member is removed."""
    _not_oneself(number)
    return render_template("people/remove.html", member=services().store.member(number))


@require("owner")
def remove_member(number: int) -> AnyResponse:
    """Remove a member."""
    member = services().store.member(number)
    _not_oneself(number)
    services().store.remove_member(number)
    subject(member.name)
    return redirect(url_for("dashboard.members"), 303)


@require("viewer")
def sessions() -> str:
    """List one's own sessions."""
    return render_template("people/sessions.html", sessions=_own(), caller=_caller())


@require("viewer")
def end_session() -> AnyResponse:
    """End one of one's own sessions."""
    named, caller = request.form.get("session", ""), _caller()
    subject(caller.name)
    if caller.session and named == caller.session.hex():
        return signed_out()
    for session in _own():
        if session.digest.hex() == named:
            services().store.end_sessions(digest=session.digest)
    return redirect(url_for("dashboard.sessions"), 303)


@require("owner")
def keys() -> str:
    """List the API keys."""
    return _keys()


@require("owner")
def create_key() -> Answer:
    """Create an API key."""
    name, role = request.form.get("name", "").strip(), _role()
    if not name or fault(name):
        return _keys(is_unfit=True), HTTPStatus.UNPROCESSABLE_ENTITY
    _show_once("key", services().auth.create_key(name, role), name)
    subject(f"{name}, {role}")
    return redirect(url_for("dashboard.keys"), 303)


@require("owner")
def revoke_form(number: int) -> str:
    """Ask before an API key is revoked."""
    return render_template("people/revoke.html", key=_key(number))


@require("owner")
def revoke_key(number: int) -> AnyResponse:
    """Revoke an API key."""
    key = _key(number)
    services().store.revoke_key(number)
    subject(f"key {number} ({key.name})")
    return redirect(url_for("dashboard.keys"), 303)


@require("owner")
def record() -> str:
    """Show who changed what."""
    given = request.args.get("before", "")
    before = int(given) if given.isascii() and given.isdigit() and len(given) <= 18 else None
    return render_template("people/record.html", lines=services().store.record(before))


def _members(wrong: str = "") -> str:
    return render_template(
        "people/members.html",
        members=services().store.members(),
        roles=ROLES,
        own=_caller().member,
        made=_shown_once("link"),
        wrong=wrong,
        typed=request.form,
    )


def _keys(*, is_unfit: bool = False) -> str:
    return render_template(
        "people/keys.html",
        keys=services().store.keys(),
        roles=ROLES,
        made=_shown_once("key"),
        is_unfit=is_unfit,
        typed=request.form,
    )


def _invite(member: Member) -> AnyResponse:
    """Make a one-time link for a member, and show it once in the list."""
    secret = services().auth.create_link(INVITATION_SECONDS, member.number)
    base = urljoin(services().config.public_url or request.host_url, "/")
    address = urljoin(base, url_for("dashboard.sign_in", token=secret))
    _show_once("link", address, member.name)
    return redirect(url_for("dashboard.members"), 303)


def _key(number: int) -> KeyRecord:
    """Return a key that is in use."""
    kept = services().store.keys()
    found = [key for key in kept if key.number == number and not key.revoked]
    if found:
        return found[0]
    raise Refused("no such key is in use", "not-found")


def _show_once(what: What, text: str, name: str) -> None:
    """Keep a secret for the next page, once the store has what it opens."""
    session, secret = _caller().session or b"", Secret(text, name)
    once_kept(lambda: services().shown_once.keep(session, what, secret))


def _shown_once(what: What) -> Secret | None:
    return services().shown_once.take(_caller().session or b"", what)


def _own() -> list[SessionRecord]:
    own = _caller().member
    return [session for session in services().store.sessions() if session.member == own]


def _caller() -> Caller:
    return cast("Caller", g.caller)


def _role() -> Role:
    wanted = request.form.get("role")
    for role in ROLES:
        if role == wanted:
            return role
    raise Refused(f"the role is one of {', '.join(ROLES)}", "member-invalid")


def _not_oneself(number: int) -> None:
    if number == _caller().member:
        raise Refused("another owner changes your own role or removes you", "member-invalid")
