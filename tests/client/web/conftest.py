"""The browser SDK as `make web` builds it, before a server that can fail."""

import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from tossup.server.config import Config
from tossup.server.web.app import create_app
from tossup.shared.signing import b64url, sign_manifest
from tossup.shared.survey import Survey

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "client/web"
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
#: How long to wait for a page, in milliseconds: a busy machine must not fail a test.
PATIENCE = 300_000

PAGE = b'<!doctype html><html lang="en"><title>An app</title><h1>An app</h1>'
TYPES = {"js": "text/javascript", "map": "application/json", "json": "application/json"}

Respond = Callable[[str, list[tuple[str, str]]], object]
WSGI = Callable[[dict[str, Any], Respond], Iterable[bytes]]


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Path:
    """A folder with ``served`` and ``package``, built from the sources as they are."""
    if shutil.which("node") is None:
        pytest.skip("the browser SDK is built by node: apt-get install nodejs npm")
    assert (SOURCE / "node_modules").is_dir(), "run `make web` once, which installs the compiler"
    folder = tmp_path_factory.mktemp("sdk")
    command = ["node", SOURCE / "build.mjs", "--served", folder / "served"]
    subprocess.run([*command, "--package", folder / "package"], check=True)
    return folder


@dataclass
class Request:
    """One request as the server saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    """An app's page on one origin, and a real Tossup server on another that may be in trouble.

    Attributes
    ----------
    trouble
        Answers in the server's place, or returns None to let it answer.
    """

    app: Flask
    built: Path
    requests: list[Request] = field(default_factory=list)
    trouble: Callable[[Request, Callable[[], Iterable[bytes]], Respond], Any] | None = None
    url: str = ""
    host: str = ""

    def __call__(self, environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        """Note a request to Tossup, and answer it unless there is trouble."""
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        headers = {k[5:].lower(): v for k, v in environ.items() if k.startswith("HTTP_")}
        request = Request(environ["REQUEST_METHOD"], environ["PATH_INFO"], headers, body)
        self.requests.append(request)

        def forward() -> Iterable[bytes]:
            from io import BytesIO

            return self.app.wsgi_app({**environ, "wsgi.input": BytesIO(body)}, respond)

        answer = self.trouble and self.trouble(request, forward, respond)
        return forward() if answer is None else answer

    def page(self, environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        """Answer with the app's page, or a file of the SDK beside it."""
        path = environ["PATH_INFO"]
        if path.startswith("/sdk/"):
            respond("200 OK", [("Content-Type", TYPES[path.rsplit(".")[-1]])])
            return [(self.built / "package" / path[5:]).read_bytes()]
        respond("200 OK", [("Content-Type", "text/html"), ("Cache-Control", "no-cache")])
        return [PAGE]

    def bodies(self, path: str = "/v1/reports") -> list[bytes]:
        """Return what was posted to a path."""
        return [r.body for r in self.requests if (r.method, r.path) == ("POST", path)]

    def link(self, survey: Survey) -> str:
        return f"{self.url}/v1/surveys/{survey.id}#key={b64url(survey.publisher.key)}"


class Quiet(WSGIRequestHandler):
    def log(self, *_: object) -> None:
        pass


@contextmanager
def serving(app: WSGI) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def site(built, tmp_path_factory) -> Iterator[Site]:
    """A server and an app's page."""
    app = create_app(Config(data=tmp_path_factory.mktemp("site")))
    site = Site(app, built)
    with serving(site) as site.url, serving(site.page) as site.host:
        yield site
    app.extensions["tossup"].close()


@pytest.fixture
def publish(site, publisher_key):
    """The function that publishes a survey, and returns its link."""

    def publish(survey: Survey) -> str:
        with site.app.extensions["tossup"].store.write() as transaction:
            transaction.add_manifest(survey, sign_manifest(survey.payload, publisher_key))
        return site.link(survey)

    site.requests.clear()
    yield publish
    site.trouble = None


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless, with an empty profile."""
    if not CHROMIUM.exists():
        pytest.fail("the browser tests need Debian's package chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


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
        import json

        return json.loads(text)


@pytest.fixture
def new_tab(browser, site):
    """The function that opens a tab in a fresh profile, or in that of another tab."""
    contexts = []

    def open_tab(beside: Tab | None = None) -> Tab:
        if beside is None:
            contexts.append(browser.new_context())
            contexts[-1].set_default_timeout(PATIENCE)
        page = (beside.page.context if beside else contexts[-1]).new_page()
        tab = Tab(page)
        page.on("console", lambda message: tab.said.append(message.text))
        page.on("pageerror", lambda error: tab.said.append(str(error)))
        return tab

    yield open_tab
    for context in contexts:
        context.close()
