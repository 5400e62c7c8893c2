"""What a request says, as PEP 3333 names it: Flask's own language, and that of our checks.

Stage: HTTP. Names of headers with an underscore are left out: they would pass for others.
"""

import sys
from collections.abc import MutableMapping
from functools import lru_cache
from io import BytesIO
from typing import Any, Final
from urllib.parse import unquote_to_bytes

#: White space around a value is no part of it; the parser leaves what follows it.
_AROUND: Final = b" \t"

Scope = MutableMapping[str, Any]
Environ = dict[str, Any]


def environ_of(scope: Scope) -> Environ:
    """Return the headers, method and addresses of an ASGI request."""
    host, port = scope["server"] or ("", None)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
    }
    for name, value in scope["headers"]:
        if key := _key(name):
            text = value.strip(_AROUND).decode("latin-1")
            environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


def with_body(environ: Environ, body: bytes) -> Environ:
    """Return a whole WSGI environment: what the application is called with."""
    return environ | {
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }


@lru_cache(maxsize=512)
def _key(name: bytes) -> str:
    if b"_" in name:
        return ""
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{key}"
