"""Pages of people: members, one's own sessions, API keys, and the record of who changed what."""

from typing import cast
from urllib.parse import urljoin

from flask import Blueprint, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from tossup.server.refusals import Refused
from tossup.server.store.members import ROLES, Role, SessionRecord
from tossup.server.web.access import require, subject
from tossup.server.web.auth import INVITATION_SECONDS, Caller
from tossup.server.web.people.sign_in import check_name
from tossup.server.web.services import services
from tossup.shared.wording import fault


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    blueprint.get("/members")(members)
    blueprint.post("/members", endpoint="add_member")(add_member)
    blueprint.post("/members/<int:number>/role", endpoint="set_role")(set_role)
    blueprint.post("/members/<int:number>/link", endpoint="member_link")(member_link)
    blueprint.post("/members/<int:number>/remove", endpoint="remove_member")(remove_member)
    blueprint.get("/sessions")(sessions)
    blueprint.post("/sessions/end", endpoint="end_session")(end_session)
    blueprint.get("/keys")(keys)
    blueprint.post("/keys", endpoint="create_key")(create_key)
    blueprint.post("/keys/<int:number>/revoke", endpoint="revoke_key")(revoke_key)
    blueprint.get("/record")(record)


@require("owner")
def members() -> str:
    """List the members."""
    return _members()


@require("owner")
def add_member() -> AnyResponse:
    """Add a member."""
    name, role = check_name(request.form.get("name", "")), _role()
    services().store.add_member(name, role)
    subject(f"{name}, {role}")
    return redirect(url_for("dashboard.members"), 303)


@require("owner")
def set_role(number: int) -> AnyResponse:
    """Change a member's role."""
    member, role = services().store.member(number), _role()
    _not_oneself(number)
    services().store.set_role(number, role)
    subject(f"{member.name}, {role}")
    return redirect(url_for("dashboard.members"), 303)


@require("owner")
def member_link(number: int) -> str:
    """Make a one-time link for a member."""
    # Shown in this answer alone: kept nowhere, there is no address to be redirected to.
    member = services().store.member(number)
    secret = services().auth.create_link(INVITATION_SECONDS, number)
    subject(member.name)
    base = urljoin(services().config.public_url or request.host_url, "/")
    address = urljoin(base, url_for("dashboard.sign_in", token=secret))
    return _members(made=address, made_for=member.name)


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
    return render_template("people/sessions.html", sessions=_own(), current=_caller().session)


@require("viewer")
def end_session() -> AnyResponse:
    """End one of one's own sessions."""
    named = request.form.get("session", "")
    for session in _own():
        if session.digest.hex() == named:
            services().store.end_sessions(digest=session.digest)
    subject(_caller().name)
    return redirect(url_for("dashboard.sessions"), 303)


@require("owner")
def keys() -> str:
    """List the API keys."""
    return _keys()


@require("owner")
def create_key() -> str:
    """Create an API key."""
    name, role = request.form.get("name", "").strip(), _role()
    if not name or fault(name):
        raise Refused(f"the name {fault(name) or 'is blank'}; take another", "member-invalid")
    made = services().auth.create_key(name, role)  # shown in this answer alone
    subject(f"{name}, {role}")
    return _keys(made=made)


@require("owner")
def revoke_key(number: int) -> AnyResponse:
    """Revoke an API key."""
    services().store.revoke_key(number)
    subject(f"key {number}")
    return redirect(url_for("dashboard.keys"), 303)


@require("owner")
def record() -> str:
    """Show who changed what."""
    given = request.args.get("before", "")
    before = int(given) if given.isascii() and given.isdigit() and len(given) <= 18 else None
    return render_template("people/record.html", lines=services().store.record(before))


def _members(**shown: str) -> str:
    kept = services().store.members()
    return render_template(
        "people/members.html", members=kept, roles=ROLES, own=_caller().member, **shown
    )


def _keys(**shown: str) -> str:
    return render_template("people/keys.html", keys=services().store.keys(), roles=ROLES, **shown)


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
