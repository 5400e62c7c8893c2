"""When everybody may read public results: at once, of whole days, or when the survey is closed."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from flask import Flask

from tossup.server.store import open_store
from tossup.server.store.records import Count
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.publishing.promised import weaker
from tossup.server.web.app import create_app
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey

TODAY = date(2026, 3, 14)
#: Every route that tells results, after the survey's id.
PAGES = ("/surveys/{}", "/surveys/{}/live", "/surveys/{}/results.csv", "/surveys/{}/results.json")
API = ("/v1/surveys/{}/results", "/v1/surveys/{}/results.csv")


@pytest.fixture
def app(config) -> Iterable[Flask]:
    app = create_app(config, store=open_store(config, day=lambda: TODAY))
    yield app
    app.extensions["tossup"].close()


def put(app: Flask, survey: Survey, key, shown: str) -> Survey:
    """Publish a survey whose results are public, with 40 reports of yesterday and 7 of today."""
    made = replace(
        survey, id=f"survey-{shown}", results="public", shown=shown, opens=None, closes=None
    )
    question = made.questions[0]
    with app.extensions["tossup"].store.write() as transaction:
        transaction.add_manifest(made, sign_manifest(made.payload, key))
        for day, reports in ((TODAY - timedelta(1), 40), (TODAY, 7)):
            count = Count(made.digest, question.id, day, 0, 1, reports)
            transaction.count(made.id, [count], reports)
    return made


def test_everybody_reads_at_once_daily_or_when_it_is_closed(app: Flask, survey, publisher_key):
    """By every route; who has a key reads all at any time, and a closed survey is shown whole."""
    browser = app.test_client()
    key = app.extensions["tossup"].auth.create_key("nightly", "viewer")
    wrong = []
    for shown, n in (("live", 47), ("daily", 40), ("closed", None)):
        made = put(app, survey, publisher_key, shown)
        for route in (*PAGES, *API):
            path = route.format(made.id)
            wrong += [(path, "open", what) for what in unlike(browser.get(path), n)]
            # A day in the address opens nothing.
            forward = f"{path}?to={TODAY.isoformat()}"
            wrong += [(forward, "open", what) for what in unlike(browser.get(forward), n)]
            own = browser.get(path, headers={"Authorization": f"Bearer {key}"})
            wrong += [(path, "with a key", what) for what in unlike(own, 47)]
        with app.extensions["tossup"].store.write() as transaction:
            transaction.close_survey(made.id)
        for route in (*PAGES, *API):
            path = route.format(made.id)
            wrong += [(path, "closed", what) for what in unlike(browser.get(path), 47)]

    assert [] == wrong


def unlike(answer, n: int | None) -> list[str]:
    """Return what an answer says other than results of n reports; None is a refusal."""
    if n is None:
        return [] if answer.status_code == 403 else [f"status {answer.status_code}"]
    if answer.status_code != 200:
        return [f"status {answer.status_code}"]
    if answer.is_json:
        found = [str(question["n"]) for question in answer.json["questions"][:1]]
    elif answer.mimetype == "text/csv":
        found = re.findall(r",(40|47|7),", answer.text)
    else:
        found = re.findall(r"\b(40|47|7) (?:reports|of the)\b", answer.text)
    # What tells all has a row for each day, too.
    is_right = str(n) in found and (n != 40 or {"40"} == set(found))
    return [] if is_right else [f"it tells of {found} reports, not of {n}"]


def test_a_manifest_says_it_only_where_it_is_so(survey: Survey, publisher_key):
    """Manifests of before stay as they are; private results are shown to nobody, at any time."""
    assert b'"shown"' not in survey.payload
    daily = replace(survey, results="public", shown="daily")
    assert daily == Survey.parse(daily.payload)
    with pytest.raises(ManifestError, match="private"):
        replace(survey, results="private", shown="daily")
    for value in (b'"live"', b'"never"', b"null"):
        with pytest.raises((WireError, ManifestError)):
            Survey.parse(daily.payload.replace(b'"shown":"daily"', b'"shown":' + value))


def test_showing_sooner_is_a_weaker_promise(survey: Survey):
    """A publisher has to say that it is meant; showing later needs nothing."""
    closed, daily, live = (
        replace(survey, results="public", shown=shown) for shown in ("closed", "daily", "live")
    )

    assert ["shown"] == [key for key, _ in weaker(daily, closed)]
    assert ["shown"] == [key for key, _ in weaker(live, daily)]
    assert [] == [*weaker(closed, live), *weaker(daily, daily)]


def test_a_survey_file_says_it():
    """As one line, whose values are named where another is given."""
    text = """
    id = "habits"
    title = "Habits"
    purpose = "To learn."
    publisher = {name = "U", contact = "a@example.org"}
    results = "public"
    shown = "daily"
    [[question]]
    id = "q"
    text = "Q?"
    """
    assert "daily" == load_survey(text, bytes(32)).shown
    with pytest.raises(Exception, match="live, daily or closed"):
        load_survey(text.replace('"daily"', '"weekly"'), bytes(32))
