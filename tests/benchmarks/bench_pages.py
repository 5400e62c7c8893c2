"""The respondents' page: its bytes, and when it can be answered, beside SurveyJS.

Both are loaded by Chromium without a cache, as on a phone: 1.6 Mbit/s, 150 ms from the server, a
processor a quarter as fast. SurveyJS is its model and its styles alone, without the library that
draws it, which comes on top; ready means that the model is made.
"""

import gzip
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from bench_device import KEY, ROOT, survey_of
from bench_figures import Figure, interleave, ratio_of, unmeasured
from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import run_wsgi_app

from tossup.server.config import Config
from tossup.server.surveys.link import respondent_link
from tossup.server.web.app import create_app
from tossup.shared.signing import sign_manifest

CHROMIUM = Path("/usr/bin/chromium")
SURVEYJS = ROOT / "build/web/node_modules/survey-core"
ROUNDS = 5
PHONE = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
#: SurveyJS as its documentation loads it, for one question.
THEIRS = b"""<!doctype html><html lang="en"><title>Survey</title>
<link rel="stylesheet" href="/survey-core.min.css"><script src="/survey.core.min.js"></script>
<script>window.survey = new Survey.Model({ elements: [
  { type: "boolean", name: "q0", title: "Question 0?" }] });</script>"""
#: What tells that a page can be answered, and when it first could, in milliseconds.
IS_READY = {"ours": "document.querySelector('#start')?.hidden === false", "theirs": "window.survey"}
WATCH = """const look = () => {
  if (READY) window.readyAt = performance.now();
  else requestAnimationFrame(look);
};
look();"""
WAIT = """new Promise(done => {
  const look = () => window.readyAt ? done(readyAt) : setTimeout(look, 20);
  look();
})"""

WSGI = Callable[[dict[str, Any], Any], Iterable[bytes]]
NAMES = ("respondents' page, bytes, ours / SurveyJS", "respondents' page, ready, ours / SurveyJS")


def pages() -> list[Figure]:
    """Return the figures of a page with one yes/no question."""
    if not (CHROMIUM.exists() and SURVEYJS.is_dir()):
        note = "needs Debian's chromium, and `make test` once, which fetches SurveyJS"
        return [unmeasured(name, better="lower", gate=0.1, goal=0.1, note=note) for name in NAMES]
    with ExitStack() as running:
        browser = running.enter_context(sync_playwright()).chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        ours = running.enter_context(_our_link())
        theirs = running.enter_context(_serving(_surveyjs)) + "/"
        loaded: dict[str, set[int]] = {"ours": set(), "theirs": set()}
        visits = [
            partial(_ready_after, browser, address, whose, loaded[whose])
            for whose, address in (("ours", ours), ("theirs", theirs))
        ]
        times = interleave(*visits, ROUNDS)
        browser.close()
    weights = [max(loaded["ours"])], [max(loaded["theirs"])]
    note = f"{weights[0][0]:,} bytes to {weights[1][0]:,}, everything that is loaded, gzipped"
    first, second = (sorted(each)[ROUNDS // 2] for each in times)
    when = f"{first:,.0f} ms to {second:,.0f} ms on such a phone"
    return [
        ratio_of(NAMES[0], weights, better="lower", gate=0.1, goal=0.1, note=note),
        ratio_of(NAMES[1], times, better="lower", gate=1, goal=0.5, note=when),
    ]


def _ready_after(browser: Browser, address: str, whose: str, loaded: set[int]) -> float:
    """Return after how many milliseconds a page is ready, on a device that was never there."""
    context = browser.new_context()
    page = context.new_page()
    phone = context.new_cdp_session(page)
    phone.send("Network.emulateNetworkConditions", PHONE)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    bodies: list[int] = []
    page.on("response", lambda got: bodies.append(int(got.headers.get("content-length", 0))))
    page.add_init_script(WATCH.replace("READY", IS_READY[whose]))
    page.goto(address)
    taken: float = page.evaluate(WAIT)
    context.close()
    loaded.add(sum(bodies))
    return taken


@contextmanager
def _our_link() -> Iterator[str]:
    """A server of ours with one survey; its link."""
    with TemporaryDirectory() as folder:
        app = create_app(Config(data=Path(folder)))
        survey = survey_of("bench", 1)
        services = app.extensions["tossup"]
        with services.store.write() as transaction:
            transaction.add_manifest(survey, sign_manifest(survey.payload, KEY))
        with _serving(_packed(app)) as address:
            yield respondent_link(address, survey)
        services.close()


def _packed(app: WSGI) -> WSGI:
    """Return an application with everything gzipped, as a proxy before it would."""

    def packed(environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
        body, status, headers = run_wsgi_app(app, environ)
        content = b"".join(body)
        if "Content-Encoding" not in headers:
            content = gzip.compress(content, 6)
            headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(content))
        respond(status, headers.to_wsgi_list())
        return [content]

    return packed


def _surveyjs(environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
    path = SURVEYJS / environ["PATH_INFO"][1:]
    content = gzip.compress(path.read_bytes() if path.is_file() else THEIRS, 6)
    kind = {".js": "text/javascript", ".css": "text/css"}.get(path.suffix, "text/html")
    size = ("Content-Length", str(len(content)))
    respond("200 OK", [("Content-Type", kind), ("Content-Encoding", "gzip"), size])
    return [content]


class _Quiet(WSGIRequestHandler):
    def log(self, *_: object) -> None:
        pass


@contextmanager
def _serving(app: WSGI) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()
