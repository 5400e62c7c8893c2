"""Behind a proxy that gives the server a part of its host: every address begins with that part."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from http import HTTPStatus

import pytest
from flask import Flask

from tossup.server.config import Config
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.answers import Asked
from tossup.server.web.app import create_app
from tossup.server.web.aside import make_aside
from tossup.server.web.middleware.packed import unpack
from tossup.server.web.pages.templating import load
from tossup.shared.survey import Survey

PUBLIC = "https://example.org/opinions/tossup"
PREFIX = "/opinions/tossup"
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
HOST = {"Host": "example.org"}


@pytest.fixture
def prefixed(config: Config, store: SQLiteStore, envelope: bytes) -> Iterator[Flask]:
    """An application whose proxy takes the prefix away, with one open survey."""
    app = create_app(replace(config, public_url=PUBLIC), store=store)
    load(app)
    publish(store, envelope)
    yield app
    app.extensions["tossup"].close()


def addresses(body: str) -> set[str]:
    """Return the addresses on this host that a page or a style names."""
    found = re.findall(r"""(?:\b(?:href|src|action|data-[\w-]+)=|url\()["']?(/[^"')\s>]*)""", body)
    return {address.partition("#")[0].replace("&amp;", "&") for address in found}


def test_every_page_leads_to_addresses_with_the_prefix(prefixed: Flask) -> None:
    """Whoever signs in reaches every page, script and style, and never leaves the prefix."""
    client = prefixed.test_client()
    secret = prefixed.extensions["tossup"].auth.create_link()
    signed_in = client.post(
        f"/sign-in/{secret}", headers=HOST | SAME_ORIGIN, base_url=PUBLIC, content_length=0
    )
    waiting = deque([signed_in.headers["Location"].partition("#")[0]])
    waiting += [f"{PREFIX}/v1/surveys/habits-7", f"{PREFIX}/v1/surveys/habits-7/poster"]
    seen = set(waiting)
    outside, broken = [], []
    while waiting:
        address = waiting.popleft()
        if not address.startswith(f"{PREFIX}/"):
            outside.append(address)
            continue
        answer = client.get(
            address.removeprefix(PREFIX),
            headers=HOST | {"Accept": "text/html"},
            base_url=PUBLIC,
            buffered=True,
        )
        if answer.status_code >= HTTPStatus.BAD_REQUEST:
            if answer.status_code != HTTPStatus.METHOD_NOT_ALLOWED:  # a form's
                broken.append((address, answer.status_code))
            continue
        found = addresses(answer.text) if answer.mimetype in {"text/html", "text/css"} else set()
        found |= {answer.headers[name] for name in ("Location",) if name in answer.headers}
        waiting += sorted(found - seen)
        seen |= found

    assert ([], []) == (outside, broken)
    assert len(seen) > 20


def test_links_that_are_handed_on_have_the_prefix_once(prefixed: Flask, survey: Survey) -> None:
    """The respondents' link on the poster, and what is made aside in a process of its own."""
    poster = prefixed.test_client().get(
        "/v1/surveys/habits-7/poster", headers=HOST, base_url=PUBLIC
    )
    config = prefixed.extensions["tossup"].config
    asked = Asked("survey-page", "habits-7", (), language="en", address="/surveys/habits-7?")
    page = unpack(make_aside(config, date(2026, 3, 14), asked)).decode()

    assert f"{PUBLIC}/v1/surveys/habits-7#key=" in poster.text
    assert addresses(page)
    assert {address for address in addresses(page) if not address.startswith(PREFIX)} == set()
    assert PREFIX * 2 not in page + poster.text
