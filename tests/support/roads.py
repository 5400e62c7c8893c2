"""The two roads of a request: Flask alone, as under any WSGI server, and the server's gateway."""

import asyncio
from collections.abc import Iterable
from typing import Any

from flask import Flask

from tossup.server.web.serving.environ import Scope
from tossup.server.web.serving.gateway import Gateway


def put_behind_gateway(app: Flask) -> Gateway:
    """Let every request to an application, such as a test client's, take the gateway's road."""
    gateway = Gateway(app, threads=2)
    app.wsgi_app = _Through(gateway)  # type: ignore[method-assign]
    return gateway


class _Through:
    """A WSGI application that asks an ASGI one."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        started, body = asyncio.run(
            ask(self._gateway, _scope(environ), environ["wsgi.input"].read())
        )
        headers = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in started["headers"]
        ]
        start_response(f"{started['status']} -", headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


async def ask(gateway: Gateway, scope: Scope, body: bytes) -> tuple[dict[str, Any], bytes]:
    """Send a whole request to a gateway; return the start of its answer, and the body."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await gateway(scope, receive, send)
    return sent[0], b"".join(message["body"] for message in sent[1:])


def _scope(environ: dict[str, Any]) -> Scope:
    names = {
        key: key.removeprefix("HTTP_").replace("_", "-").lower().encode()
        for key in environ
        if key.startswith("HTTP_") or key in {"CONTENT_TYPE", "CONTENT_LENGTH"}
    }
    return {
        "method": environ["REQUEST_METHOD"],
        "raw_path": environ["PATH_INFO"].encode("latin-1"),
        "query_string": environ["QUERY_STRING"].encode("latin-1"),
        "http_version": "1.1",
        "server": ("localhost", 80),
        "client": (environ.get("REMOTE_ADDR", "127.0.0.1"), 1),
        "headers": [(name, str(environ[key]).encode("latin-1")) for key, name in names.items()],
    }
