"""Headers of pages: static files are cached for a year under a versioned address, pages never.

A static file under another address is asked for anew each time, and not sent if it is the same: the
modules that the browser SDK loads from beside itself keep their names when they change.

The application sets the other response headers, the content security policy among them, except
one. Under its ``no-referrer`` a browser sends forms with the origin "null", which cannot be told
from another site's; under ``same-origin`` no other site learns anything either.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, request

_STATIC: Final = Path(__file__).parent / "static"
_STATIC_ENDPOINT: Final = "dashboard.static"
_FOR_EVER: Final = "public, max-age=31536000, immutable"


def install(blueprint: Blueprint) -> None:
    """Give static files an address that changes with their content, and pages no cache."""

    @blueprint.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == _STATIC_ENDPOINT and values["filename"] in _fingerprints():
            values.setdefault("v", _fingerprints()[values["filename"]])

    @blueprint.after_request
    def set_headers(response: Response) -> Response:
        if request.endpoint == _STATIC_ENDPOINT and response.status_code in (200, 304):
            response.headers["Cache-Control"] = _FOR_EVER if _is_versioned() else "no-cache"
        else:
            response.headers["Cache-Control"] = "no-store"
            response.headers["Referrer-Policy"] = "same-origin"
            response.vary.update(["Accept-Language", "Cookie"])
        return response


def _is_versioned() -> bool:
    """Return whether the address names the content; modules that load others name none."""
    name = str((request.view_args or {}).get("filename"))
    return name in _fingerprints() and request.args.get("v") == _fingerprints()[name]


@cache
def _fingerprints() -> dict[str, str]:
    # The files that are there, all at once: a name may come from a visitor and point anywhere.
    files = (path for path in _STATIC.rglob("*") if path.is_file())
    return {
        path.relative_to(_STATIC).as_posix(): sha256(path.read_bytes()).hexdigest()[:12]
        for path in files
    }
