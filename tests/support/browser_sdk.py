"""A page of an app with the browser SDK, and a Tossup server that can be in trouble."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from socket import socket
from typing import Any

from flask import Flask
from playwright.sync_api import Page

from tossup.shared.signing import b64url
from tossup.shared.survey import Survey

PAGE = b'<!doctype html><html lang="en"><title>An app</title><h1>An app</h1>'
TYPES = {"js": "text/javascript", "map": "application/json", "json": "application/json"}

Respond = Callable[[str, list[tuple[str, str]]], object]
WSGI = Callable[[dict[str, Any], Respond], Iterable[bytes]]


@dataclass
class Request:
    """One request as the server saw it, and the connection that it came by."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: socket


@dataclass
class Site:
    """An app's page on one origin, and a real Tossup server on another that may be in trouble.

    Attributes
    ----------
    trouble
        Answers in the server's place, or returns None to let it answer.
    content
        What the app's page shows.
    told
        What pages posted to ``/told`` on their own origin, as JSON.
    """

    app: Flask
    built: Path
    requests: list[Request] = field(default_factory=list)
    trouble: Callable[[Request, Callable[[], Iterable[bytes]], Respond], Any] | None = None
    content: bytes = b""
    told: list[Any] = field(default_factory=list)
    url: str = ""
    host: str = ""

    def __call__(self, environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        """Note a request to Tossup, and answer it unless there is trouble."""
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        headers = {k[5:].lower(): v for k, v in environ.items() if k.startswith("HTTP_")}
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        request = Request(method, path, headers, body, environ["werkzeug.socket"])
        self.requests.append(request)

        def forward() -> Iterable[bytes]:
            return self.app.wsgi_app({**environ, "wsgi.input": BytesIO(body)}, respond)

        answer = self.trouble and self.trouble(request, forward, respond)
        return forward() if answer is None else answer

    def page(self, environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        """Answer with the app's page, or a file of the SDK beside it."""
        path = environ["PATH_INFO"]
        if path == "/told":
            size = int(environ["CONTENT_LENGTH"])
            self.told.append(json.loads(environ["wsgi.input"].read(size)))
        if path.startswith("/sdk/"):
            respond("200 OK", [("Content-Type", TYPES[path.rsplit(".")[-1]])])
            return [(self.built / "package" / path[5:]).read_bytes()]
        respond("200 OK", [("Content-Type", "text/html"), ("Cache-Control", "no-cache")])
        return [PAGE + self.content]

    def bodies(self, path: str = "/v1/reports") -> list[bytes]:
        """Return what was posted to a path."""
        return [r.body for r in self.requests if (r.method, r.path) == ("POST", path)]

    def link(self, survey: Survey) -> str:
        return f"{self.url}/v1/surveys/{survey.id}#key={b64url(survey.publisher.key)}"


@dataclass
class Tab:
    """A page of the app with one client, whose methods are called by name."""

    page: Page
    said: list[str] = field(default_factory=list)

    def open(self, url: str, link: str, **options: object) -> "Tab":
        self.page.goto(url)
        return self.client(link, **options)

    def client(self, link: str, **options: object) -> "Tab":
        self.page.evaluate(
            """async ([link, options]) => {
              const { Client } = await import("/sdk/index.js");
              window.client = new Client(link, options);
            }""",
            [link, options],
        )
        return self

    def call(self, method: str, *args: object) -> Any:
        """Return what a method of the client returns, as JSON would show it."""
        text = self.page.evaluate(
            """async ([method, args]) => JSON.stringify(await window.client[method](...args),
              (key, value) => (typeof value === "bigint" ? Number(value) : value)) ?? "null" """,
            [method, list(args)],
        )
        return json.loads(text)
