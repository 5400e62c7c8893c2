"""A whole survey at the respondents' page, in the engines that are not Chromium."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from answering import ANSWER, FIRST, NIGHTLIFE, Site, serving
from engines import told_by
from werkzeug.wrappers import Response

from tossup.server.ingest.recount import recount
from tossup.server.surveys.link import respondent_link

pytestmark = pytest.mark.prove

#: Answers the page it stands on, and tells how it ended; whatever goes wrong is told as well.
DRIVER = f"""
const answer = {ANSWER};
const told = await answer({json.dumps(FIRST)}).catch((error) => `${{error.stack}}`);
const heading = document.querySelector("[data-screen]:not([hidden]) h1")?.innerText;
await fetch("/told", {{ method: "POST", body: JSON.stringify([told, heading.trim()]) }});
"""
TAG = b'<script type="module" src="/driver.js"></script></body>'


@dataclass
class Driven:
    """An application whose respondents' page is answered by a script of its own origin."""

    app: Callable[..., Iterable[bytes]]
    told: list[Any] = field(default_factory=list)

    def __call__(self, environ: dict[str, Any], respond: Any) -> Iterable[bytes]:
        """Answer as the application does, and put the script's tag into its pages."""
        path = environ["PATH_INFO"]
        if path == "/driver.js":
            respond("200 OK", [("Content-Type", "text/javascript")])
            return [DRIVER.encode()]
        if path == "/told":
            size = int(environ["CONTENT_LENGTH"])
            self.told.append(json.loads(environ["wsgi.input"].read(size)))
            respond("204 No Content", [])
            return []
        environ.pop("HTTP_ACCEPT_ENCODING", None)
        answer = Response.from_app(self.app, environ, buffered=True)
        if answer.mimetype == "text/html":
            answer.set_data(answer.get_data().replace(b"</body>", TAG))
        return answer(environ, respond)


@pytest.mark.parametrize("engine", ["firefox-esr", "webkit2gtk-driver"])
def test_a_whole_survey_is_answered_once(site: Site, tmp_path, engine: str):
    """Six kinds of question are sent and counted; after a kill the page says so, and sends none."""
    site.survey(NIGHTLIFE, id=engine)
    store = site.app.extensions["tossup"].store
    driven = Driven(site.app)
    with serving(driven) as url:
        link = respondent_link(url, store.survey(engine).survey)
        ends = [told_by(engine, tmp_path, link, driven.told) for _ in range(2)]

    assert ends == [
        ["receipt", "Tossed, sent, done."],
        ["receipt", "This device has already answered."],
    ]
    assert store.survey(engine).reports == 6
    assert recount(store, engine).agrees
