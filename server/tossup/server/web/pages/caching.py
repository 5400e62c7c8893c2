"""Headers of pages: static files are cached for a year under a versioned address, pages never.

The version of a file is in its query. That of the respondents' script is in its path: modules that
it loads from beside itself are of the same version then, and none is loaded twice.
A static file under another address is asked for anew each time, and not sent if it is the same.

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
#: The folder whose files load one another.
_TOGETHER: Final = "sdk/respondent/"
_FOR_EVER: Final = "public, max-age=31536000, immutable"


def install(blueprint: Blueprint) -> None:
    """Give static files an address that changes with their content, and pages no cache."""

    @blueprint.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        name = values.get("filename", "")
        if endpoint == _STATIC_ENDPOINT and name.startswith(_TOGETHER):
            values["filename"] = _versioned_folder() + name.removeprefix(_TOGETHER)
        elif endpoint == _STATIC_ENDPOINT and name in _fingerprints():
            values.setdefault("v", _fingerprints()[name])

    @blueprint.url_value_preprocessor
    def find_folder(endpoint: str | None, values: dict[str, Any] | None) -> None:
        name = (values or {}).get("filename", "")
        if values and endpoint == _STATIC_ENDPOINT and name.startswith(_versioned_folder()):
            values["filename"] = _TOGETHER + name.removeprefix(_versioned_folder())

    @blueprint.after_request
    def set_headers(response: Response) -> Response:
        if request.endpoint == _STATIC_ENDPOINT and response.status_code in (200, 304):
            response.headers["Cache-Control"] = _FOR_EVER if _is_versioned() else "no-cache"
        else:
            response.headers["Cache-Control"] = "no-store"
            response.headers["Referrer-Policy"] = "same-origin"
            response.vary.update(["Accept-Language", "Cookie"])
        return response


def load_fingerprints() -> None:
    """Read every static file once, so that no request has to."""
    _versioned_folder()


def _is_versioned() -> bool:
    """Return whether the address names the content."""
    name = str((request.view_args or {}).get("filename"))
    if name.startswith(_TOGETHER):
        return f"/{_versioned_folder()}" in request.path
    return name in _fingerprints() and request.args.get("v") == _fingerprints()[name]


@cache
def _versioned_folder() -> str:
    files = {name: made for name, made in _fingerprints().items() if name.startswith(_TOGETHER)}
    version = sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]
    return f"{_TOGETHER.rstrip('/')}@{version}/"


@cache
def _fingerprints() -> dict[str, str]:
    # The files that are there, all at once: a name may come from a visitor and point anywhere.
    files = (path for path in _STATIC.rglob("*") if path.is_file())
    return {
        path.relative_to(_STATIC).as_posix(): sha256(path.read_bytes()).hexdigest()[:12]
        for path in files
    }
