"""Pages of signing in and out: by a one-time link, or by name and password."""

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, render_template, request, url_for

from tossup.server.refusals import Refused
from tossup.server.web.access import public, require
from tossup.server.web.auth import check_same_origin
from tossup.server.web.middleware.problems import CODES, RETRY_AFTER_SECONDS
from tossup.server.web.people import passwords
from tossup.server.web.services import services

_FORM_CODES: Final = ("sign-in-refused", "too-many-attempts", "password-unfit")


def install(blueprint: Blueprint) -> None:
    """Add the routes."""
    blueprint.get("/sign-in")(sign_in_form)
    blueprint.post("/sign-in", endpoint="password")(sign_in_by_password)
    blueprint.get("/sign-in/<token>")(sign_in)
    blueprint.post("/sign-in/<token>", endpoint="redeem")(redeem)
    blueprint.post("/sign-out")(sign_out)


@public
def sign_in_form() -> str:
    """Ask for name and password."""
    return render_template("people/sign_in.html", wrong=None, name="")


@public
def sign_in_by_password() -> Response | tuple[str, int, dict[str, str]]:
    """Sign a member in by a password."""
    check_same_origin()
    name = request.form.get("name", "")
    try:
        member = services().sign_in.member(name, request.form.get("password", ""))
    except Refused as error:
        return _again("people/sign_in.html", error, name=name)
    return _signed_in(services().auth.begin_session(member.number))


@public
def sign_in(token: str) -> str | tuple[str, int]:
    """Show a button. Only pressing it uses up the link: programs that preview links do not."""
    if not services().auth.opens(token):
        return _link_used()
    member = services().auth.invited(token)
    if member is None:
        return render_template("dashboard/sign_in.html", token=token)
    return render_template("people/choose.html", token=token, member=member, wrong=None)


@public
def redeem(token: str) -> Response | tuple[str, int] | tuple[str, int, dict[str, str]]:
    """Use up the link, keep a member's new password, and sign the browser in."""
    check_same_origin()
    auth = services().auth
    member, kept = auth.invited(token), None
    if member is not None:
        password = request.form.get("password", "")
        try:
            passwords.check(password)
            kept = passwords.hashed(password)
        except Refused as error:
            return _again("people/choose.html", error, token=token, member=member)
    now = auth.time()
    with services().store.together():
        session = auth.redeem_link(token, kept)
        if session is not None and member is not None:
            services().store.note(now, member.name, "Choose a password", member.name)
    if session is None:
        return _link_used()
    return _signed_in(session)


@require("viewer")
def sign_out() -> Response:
    """Sign out."""
    return signed_out()


def signed_out() -> Response:
    """End the session of this request, and say so."""
    response = Response(render_template("dashboard/signed_out.html"))
    services().auth.sign_out(response)
    return response


def _link_used() -> tuple[str, int]:
    return render_template("dashboard/link_used.html"), HTTPStatus.FORBIDDEN


def _again(template: str, error: Refused, **shown: object) -> tuple[str, int, dict[str, str]]:
    """Return the form again, saying what is wrong."""
    if error.code not in _FORM_CODES:
        raise error
    services().metrics.count_problem(error.code)
    wait = RETRY_AFTER_SECONDS.get(error.code)
    headers = {"Retry-After": str(wait)} if wait else {}
    return render_template(template, wrong=error.code, **shown), CODES[error.code][0], headers


def _signed_in(session: str) -> Response:
    response = Response(status=HTTPStatus.SEE_OTHER)
    response.headers["Location"] = url_for("dashboard.surveys")
    services().auth.set_cookie(response, session)
    return response
