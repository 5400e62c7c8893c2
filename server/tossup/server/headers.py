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
_CROSS_ORIGIN: Final = (
    ("Access-Control-Allow-Origin", "*"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
_PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", "GET, POST"),
    ("Access-Control-Allow-Headers", "Content-Type"),
    ("Access-Control-Max-Age", "86400"),
)
_HSTS: Final = ("Strict-Transport-Security", "max-age=31536000")


def cross_origin(view: View) -> View:
    """Let pages of any origin call this route, without credentials."""
    view.cross_origin = True  # type: ignore[attr-defined]
    return view


def register(app: Flask, *, secure: bool) -> None:
    """Put the headers on every answer of an application."""
    always = (*ALWAYS, _HSTS) if secure else ALWAYS

    @app.after_request
    def add(response: Response) -> Response:
        response.headers.extend(always)
        if _is_cross_origin():
            response.headers.extend(_CROSS_ORIGIN)
            if request.method == "OPTIONS":
                response.headers.extend(_PREFLIGHT)
        else:
            response.headers.add("Cross-Origin-Resource-Policy", "same-origin")
        if "Cache-Control" not in response.headers:
            response.headers.add("Cache-Control", "no-store")
        return response


def _is_cross_origin() -> bool:
    view = current_app.view_functions.get(request.endpoint or "")
    return getattr(view, "cross_origin", False)
