"""A respondent's page as a folder of files, for any web host but the publisher's own.

Who publishes a survey can change what their own server hands out, not what lies at somebody else's.
The files talk to the survey's server alone, and pin the key that signed the survey.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, render_template

from tossup.server.web.pages.respondent import tongues
from tossup.server.web.pages.respondent.policy import policy
from tossup.server.web.pages.respondent.views import shown
from tossup.shared.signing import b64url
from tossup.shared.survey import Survey

_PAGES: Final = {"index": "respondent/survey.html", "privacy": "respondent/privacy.html"}
_STATIC: Final = Path(__file__).parents[1] / "static"
_LOADED: Final = ("coin.svg", "keyed.js", "offline.js", "respondent.css", "tokens.css")
_WORKER: Final = "worker.js"


@dataclass(frozen=True, slots=True)
class InFolder:
    """The addresses of one page in such a folder, beside the others.

    Parameters
    ----------
    of
        The survey.
    server
        The address of the server that it is on, without a slash at its end.
    stem
        Which page it is.
    tag
        The language it is in.
    is_offline
        Whether a browser may keep the folder, to open it without a network.
    """

    of: Survey
    server: str
    stem: str
    tag: str
    is_offline: bool = False
    is_trial: bool = False

    @property
    def survey(self) -> str:
        """The survey's address on its server."""
        return f"{self.server}/v1/surveys/{self.of.id}"

    @property
    def privacy(self) -> str:
        """The privacy page, in the same language."""
        return self._named("privacy", self.tag)

    @property
    def results(self) -> str:
        """The page of the results on the survey's server."""
        return f"{self.server}/surveys/{self.of.id}"

    @property
    def code(self) -> str:
        """Nothing: the link to this folder is not known here."""
        return ""

    @property
    def is_encrypted(self) -> bool:
        """Whether reports travel over https; the page itself is as its host serves it."""
        return self.server.startswith("https:")

    @property
    def policy(self) -> str:
        """What a browser may do here; a folder has no headers of its own."""
        parts = urlsplit(self.server)
        origin = f"{parts.scheme}://{parts.netloc}"
        return policy(server=origin, is_header=False, has_worker=self.is_offline)

    @property
    def key(self) -> str:
        """The key that every manifest must be signed with, whatever the address says."""
        return b64url(self.of.publisher.key)

    def asset(self, name: str) -> str:
        """Return the address of a static file."""
        return f"assets/{name}"

    def here(self, tag: str) -> str:
        """Return this page's address in another language."""
        return self._named(self.stem, tag)

    def page(self) -> str:
        """Return the address of the questions, in the same language."""
        return self._named("index", self.tag)

    def _named(self, stem: str, tag: str) -> str:
        return f"{stem}.html" if tag == self.of.languages[0] else f"{stem}.{tag}.html"


def write(app: Flask, survey: Survey, server: str, folder: Path, *, offline: bool = False) -> int:
    """Write the page of a survey in all its languages, and all that it loads.

    Parameters
    ----------
    app
        An application that has the templates.
    survey
        Verified; its digest and its key are pinned in the pages.
    server
        The address of the survey's server, such as ``https://survey.example``.
    folder
        Where to write; made if it is not there.
    offline
        Whether a browser may keep the folder, and open it without a network.

    Returns
    -------
    int
        How many files there are now.
    """
    for part in ("respondent", "readable/respondent"):
        sdk = Path("sdk") / part
        shutil.copytree(_STATIC / sdk, folder / "assets" / sdk, dirs_exist_ok=True)
    for name in _LOADED:
        shutil.copyfile(_STATIC / name, folder / "assets" / name)
    for name, page in _rendered(app, survey, server, offline=offline):
        (folder / name).write_text(page, encoding="utf-8")
    if offline:
        _keep(folder, survey)
    return sum(path.is_file() for path in folder.rglob("*"))


def _rendered(
    app: Flask, survey: Survey, server: str, *, offline: bool
) -> Iterator[tuple[str, str]]:
    """Return the pages by the names of their files."""
    for tongue in tongues.tongues(survey):
        for stem, template in _PAGES.items():
            where = InFolder(survey, server, stem, tongue.tag, offline)
            with app.test_request_context():
                tongues.choose(survey, [tongue.tag])
                yield where.here(tongue.tag), render_template(template, **shown(survey, where))


def _keep(folder: Path, survey: Survey) -> None:
    """Write what lets a browser install the folder: a worker, what it keeps, and a name."""
    shutil.copyfile(_STATIC / _WORKER, folder / _WORKER)
    language = survey.languages[0]
    about = {
        "name": survey.title[language],
        "lang": language,
        "start_url": "index.html",
        "display": "standalone",
        "icons": [{"src": "assets/coin.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    (folder / "app.webmanifest").write_text(json.dumps(about, ensure_ascii=False), "utf-8")
    kept = [
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".map") and "readable" not in path.parts
    ]
    files = {"version": survey.digest, "files": [name for name in kept if name != "files.json"]}
    (folder / "files.json").write_text(json.dumps(files), "utf-8")
