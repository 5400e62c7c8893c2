"""Error pages: what happened and what to do, in the visitor's language, nothing of the request."""

from typing import Final

from flask import Blueprint, Response, make_response, render_template, request
from flask.typing import ResponseReturnValue

from tossup.server.refusals import Refused
from tossup.server.web.auth import CSRF_FIELD, check_same_origin
from tossup.server.web.middleware import problems
from tossup.server.web.services import services

#: Codes whose page has its own words; the words of others follow their status.
_SIGN_IN: Final = ("sign-in-required", "key-required")
#: A form that comes after its session is refused by the first, and one of an earlier session by the
#: second.
_TOO_LATE: Final = ("sign-in-required", "cross-site")


def install(blueprint: Blueprint) -> None:
    """Answer the dashboard's errors, and unknown addresses, with pages."""
    blueprint.register_error_handler(Exception, error_page)
    blueprint.app_errorhandler(404)(unknown_address)


def error_page(error: Exception) -> Response:
    """Return the page for an error, and when to come again where that helps."""
    code, _ = problems.explain(error)
    services().metrics.count_problem(code)
    status = problems.CODES[code][0]
    name = "sign_in_required" if code in _SIGN_IN else "error"
    headers = problems.when_to_retry(error, code)
    if code == "preparing":
        headers["Refresh"] = headers["Retry-After"]  # the page comes by itself, without a script
    typed = _typed() if code in _TOO_LATE else []
    auth = services().auth
    secret = auth.form_secret() if typed and name != "error" else None
    token = auth.csrf_token() if secret is None else auth.form_token(secret)
    shown = {"code": code, "status": status, "typed": typed, "token": token}
    response = make_response(render_template(f"dashboard/{name}.html", **shown), status, headers)
    if secret is not None:
        auth.set_form_cookie(response, secret)
    return response


def _typed() -> list[tuple[str, str]]:
    """Return what was typed into a form of our own and not kept, to be sent again.

    A person has to press a button for that, and to be signed in: another site's form is not shown.
    """
    if request.method != "POST" or request.files:
        return []
    try:
        check_same_origin()
    except Refused:
        return []
    return [(name, text) for name, text in request.form.items(multi=True) if name != CSRF_FIELD]


def unknown_address(error: Exception) -> ResponseReturnValue:
    """Answer for an address that no route has: a page, or under ``/v1/`` a problem document."""
    if not request.path.startswith("/v1/"):
        return error_page(error)
    code, detail = problems.explain(error)
    services().metrics.count_problem(code)
    return problems.problem(code, detail)
