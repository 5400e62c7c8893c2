"""Every error answer: one RFC 9457 document, and nothing of the request in it.

Stage: HTTP. ``{"type": "urn:tossup:error:<code>", "title", "status", "detail"}``
"""

import logging
from typing import Final

from flask import Flask, Response
from werkzeug.exceptions import HTTPException, InternalServerError

from tossup.server.refusals import Refused
from tossup.server.store.members import MemberUnknown, NameTaken
from tossup.server.store.records import (
    ManifestDamaged,
    StorageFailed,
    SurveyDeleted,
    SurveyUnknown,
)
from tossup.server.web.metrics import Metrics
from tossup.shared.errors import WireError
from tossup.shared.strict_json import dumps
from tossup.shared.wire import PROBLEM_PREFIX, PROBLEM_TYPE

_log = logging.getLogger(__name__)

#: Status and title of every code.
CODES: Final[dict[str, tuple[int, str]]] = {
    "malformed": (400, "The request is not what the protocol allows"),
    "host-unknown": (400, "This server does not answer to that host name"),
    "key-required": (401, "An API key is required"),
    "sign-in-required": (401, "Sign in first"),
    "role-required": (403, "This needs a higher role"),
    "results-not-yet": (403, "These results come when the survey is closed"),
    "sign-in-refused": (403, "Name and password do not fit together"),
    "cross-site": (403, "The request comes from another site"),
    "not-found": (404, "There is nothing here"),
    "survey-unknown": (404, "No survey has this id"),
    "manifest-unknown": (404, "No survey has this manifest"),
    "method-not-allowed": (405, "The method is not allowed here"),
    "survey-conflict": (409, "The manifest does not follow the one that is here"),
    "meaning-changed": (409, "Ids of the survey mean something else than before"),
    "survey-has-reports": (409, "The survey has reports that would be lost"),
    "survey-not-open": (409, "The survey is not open yet"),
    "not-joint": (409, "There are no joint reports to give out"),
    "survey-closed": (410, "The survey is closed"),
    "reports-expired": (410, "The single reports were deleted at the end of their retention"),
    "length-required": (411, "A Content-Length is required"),
    "too-large": (413, "The body is too large"),
    "too-many-reports": (413, "A batch holds too many reports"),
    "media-type": (415, "The media type is not accepted here"),
    "password-unfit": (422, "The password is too short or too long"),
    "member-invalid": (422, "The member cannot be so"),
    "filter-invalid": (422, "The filter is not one of this survey"),
    "manifest-invalid": (422, "The manifest is not valid"),
    "too-dear": (422, "The answer is too large to be worked out"),
    "headers-too-large": (431, "The headers are too large"),
    "too-many-attempts": (429, "Too many attempts to sign in"),
    "internal": (500, "The server made a mistake"),
    "preparing": (503, "The answer is being worked out"),
    "survey-full": (503, "The survey holds as many reports as it may"),
    "survey-damaged": (503, "The survey is damaged"),
    "clock-jumped": (503, "The server's clock has jumped"),
    "too-many-withdrawals": (503, "More was withdrawn than ever came"),
    "busy": (503, "The server is busy"),
    "storage": (503, "The server cannot store anything now"),
}

RETRY_AFTER_SECONDS: Final = {
    "too-many-attempts": 900,
    "busy": 1,
    "preparing": 5,
    "storage": 5,
    "survey-full": 3600,
    "survey-damaged": 3600,
    "clock-jumped": 3600,
    "too-many-withdrawals": 3600,
}
_OF_STORE: Final[dict[type, str]] = {
    SurveyUnknown: "survey-unknown",
    ManifestDamaged: "survey-damaged",
    MemberUnknown: "not-found",
    NameTaken: "member-invalid",
}
_OF_STATUS: Final = {
    400: "malformed",
    404: "not-found",
    405: "method-not-allowed",
    411: "length-required",
    413: "too-large",
    415: "media-type",
}


def problem(code: str, detail: str) -> Response:
    """Return the answer for a code."""
    status = CODES[code][0]
    response = Response(problem_body(code, detail), status, content_type=PROBLEM_TYPE)
    response.headers.update(when_to_retry(None, code))
    if status == CODES["key-required"][0]:
        response.headers["WWW-Authenticate"] = 'Bearer realm="tossup"'
    return response


def problem_body(code: str, detail: str) -> bytes:
    """Return the problem document for a code, as bytes."""
    status, title = CODES[code]
    return dumps(
        {"type": PROBLEM_PREFIX + code, "title": title, "status": status, "detail": detail}
    )


def when_to_retry(error: Exception | None, code: str) -> dict[str, str]:
    """Return the header that says when to come again, where that helps."""
    known = error.seconds if isinstance(error, Refused) else None
    seconds = RETRY_AFTER_SECONDS.get(code) if known is None else known
    return {} if seconds is None else {"Retry-After": str(seconds)}


def register(app: Flask, metrics: Metrics) -> None:
    """Answer every error of the application with a problem document, and count it."""

    def answer(error: Exception) -> Response:
        code, detail = explain(error)
        metrics.count_problem(code)
        response = problem(code, detail)
        response.headers.update(when_to_retry(error, code))
        if isinstance(error, HTTPException):
            # Headers such as Allow are part of the meaning; the HTML body is not.
            wanted = ("Allow", "Retry-After")
            response.headers.update(h for h in error.get_headers() if h[0] in wanted)
        return response

    for kind in (Exception, HTTPException):
        app.register_error_handler(kind, answer)


def explain(error: Exception) -> tuple[str, str]:
    """Return code and detail of an error; a mistake of ours is logged by its place."""
    match error:
        case WireError() | Refused():
            return error.code, str(error)
        case SurveyDeleted():  # to a device it is closed, so that it sends nothing more
            return "survey-closed", str(error)
        case SurveyUnknown() | ManifestDamaged() | MemberUnknown() | NameTaken():
            return _OF_STORE[type(error)], str(error)
        case StorageFailed():
            return "storage", "nothing of this request was kept; send the same bytes again later"
        case HTTPException(code=int(status)) if 400 <= status < 500:
            # Whatever else Flask refuses, such as a Range outside a file, is the request's fault.
            code = _OF_STATUS.get(status, "malformed")
            return code, "/v1/openapi.json describes what this server answers"
    log_mistake(error)
    return "internal", "it was noted without your request; please tell the operator"


def log_mistake(error: BaseException) -> None:
    """Log where an unexpected error was raised: never its message, which may quote a request."""
    if isinstance(error, InternalServerError) and error.original_exception:
        error = error.original_exception
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f"{place.tb_frame.f_code.co_qualname}:{place.tb_lineno}" if place else "unknown"
    _log.error("%s in %s", type(error).__name__, where)
