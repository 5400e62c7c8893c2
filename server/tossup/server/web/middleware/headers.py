"""Security headers on every answer, errors included, and CORS where anyone may send."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from flask import Flask, Response, current_app, request

View = TypeVar("View", bound=Callable[..., Any])

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
#: On every answer, whatever it is.
ALWAYS: Final = (
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
#: Where a page of any origin may read the answer.
CROSS_ORIGIN: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "Retry-After"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
_SAME_ORIGIN: Final = (("Cross-Origin-Resource-Policy", "same-origin"),)
_PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", "GET, POST"),
    ("Access-Control-Allow-Headers", "Content-Type"),
    ("Access-Control-Max-Age", "86400"),
)
_NO_STORE: Final = ("Cache-Control", "no-store")
_HSTS: Final = ("Strict-Transport-Security", "max-age=31536000")


def cross_origin(view: View) -> View:
    """Let pages of any origin call this route, without credentials."""
    view.cross_origin = True  # type: ignore[attr-defined]
    return view


def register(app: Flask, *, secure: bool) -> None:
    """Put the headers on every answer of an application."""

    @app.after_request
    def add(response: Response) -> Response:
        view = current_app.view_functions.get(request.endpoint or "")
        return complete(
            response,
            secure=secure,
            shared=getattr(view, "cross_origin", False),
            preflight=request.method == "OPTIONS",
        )


def complete(
    response: Response, *, secure: bool, shared: bool, preflight: bool = False
) -> Response:
    """Add the headers that an answer lacks: a view may have said something stricter.

    Parameters
    ----------
    secure
        Whether browsers reach the server over https.
    shared
        Whether pages of any origin may read it.
    preflight
        Whether it answers a browser that asks what it may send.
    """
    sharing = CROSS_ORIGIN + (_PREFLIGHT if preflight else ()) if shared else _SAME_ORIGIN
    wanted = (*ALWAYS, *((_HSTS,) if secure else ()), *sharing, _NO_STORE)
    said = {name.lower() for name in response.headers.keys()}  # noqa: SIM118 - not a dict
    response.headers.extend([h for h in wanted if h[0].lower() not in said])
    return response
