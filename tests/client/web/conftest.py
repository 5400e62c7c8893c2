"""The browser SDK as `make web` builds it, before a server that can fail."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from browser_sdk import WSGI, Site, Tab
from browsing import chromium, close_before, driver, patient
from compiling import compiled_once  # noqa: F401  (a fixture)
from playwright.sync_api import Browser, Playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from tossup.server.config import Config
from tossup.server.web.app import create_app
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "client/web"


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
def playwright() -> Playwright:
    """What drives browsers."""
    return driver()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Debian's Chromium, headless, with an empty profile."""
    return chromium()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """End the browser after the last test of pages in a row."""
    close_before(nextitem)


@pytest.fixture
def new_tab(browser, site):
    """The function that opens a tab in a fresh profile, or in that of another tab."""
    contexts = []

    def open_tab(beside: Tab | None = None) -> Tab:
        if beside is None:
            contexts.append(patient(browser))
        page = (beside.page.context if beside else contexts[-1]).new_page()
        tab = Tab(page)
        page.on("console", lambda message: tab.said.append(message.text))
        page.on("pageerror", lambda error: tab.said.append(str(error)))
        return tab

    yield open_tab
    for context in contexts:
        context.close()
