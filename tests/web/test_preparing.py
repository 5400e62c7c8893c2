"""The first results page after a start costs its reader no more than the next one."""

from cProfile import Profile
from dataclasses import replace
from types import SimpleNamespace

from answering import on_that_day

from tossup.server.config import Config
from tossup.server.surveys.lifecycle import publish
from tossup.server.web import answers
from tossup.server.web.answers import MAKERS, Asked, is_dear
from tossup.server.web.pages.templating import load
from tossup.server.web.serving.preparing import prepare
from tossup.shared.signing import sign_manifest

#: Python functions called to make the page anew: 400,000 take a quarter of a second.
MOST_CALLS = 145_000
#: The counters and days of `clubs`, and what a server takes for costly (see ``conftest.py``).
CLUBS = (2600, 33)
USUAL = 450


def test_pages_are_made_before_the_first_reader_asks(
    tmp_path, clubs_cells, put, enter, publisher_key, monkeypatch
):
    """In both languages of the survey; asked for, they are not made again, nor is a dear one."""
    app = on_that_day(Config(data=tmp_path))
    put(app, *clubs_cells, publisher_key)
    made, make = [], MAKERS["survey-page"]
    monkeypatch.setitem(
        MAKERS, "survey-page", lambda *given: made.append(given[0].language) or make(*given)
    )
    load(app)
    prepare(app)
    reader = enter(app)
    pages = [
        reader.get("/surveys/clubs", headers={"Accept-Language": tag}) for tag in ("en", "zh-CN")
    ]
    app.extensions["tossup"].close()

    assert made == ["en", "zh-Hans"]
    assert [page.status_code for page in pages] == [200, 200]


def test_a_page_that_cannot_be_made_keeps_no_server_from_starting(
    tmp_path, clubs_cells, put, publisher_key, monkeypatch
):
    """Whatever is wrong with a survey is for those who ask for it."""
    app = on_that_day(Config(data=tmp_path))
    put(app, *clubs_cells, publisher_key)
    begun = []

    def fail(asked, *_):
        begun.append(asked.language)
        raise ZeroDivisionError

    monkeypatch.setitem(MAKERS, "survey-page", fail)
    store = app.extensions["tossup"].store
    damaged = replace(store.survey("clubs").survey, id="a-damaged")
    publish(store, sign_manifest(damaged.payload, publisher_key))
    store._change("UPDATE manifests SET envelope = zeroblob(9) WHERE survey = 'a-damaged'")
    store._parsed._surveys.clear()
    prepare(app)
    app.extensions["tossup"].close()

    assert begun == ["en", "zh-Hans"]


def test_five_questions_and_four_groups_are_made_in_the_request_in_few_calls(
    clubs_reader, clubs_cells, monkeypatch
):
    """Not in a process of its own, whose start alone takes seconds; counted, never timed."""
    monkeypatch.setattr(answers, "_MOST_ESTIMATES", USUAL)
    survey, _ = clubs_cells
    record = clubs_reader.application.extensions["tossup"].store.survey(survey.id)
    asked = Asked("survey-page", survey.id, (), "en", "/surveys/clubs?")
    with clubs_reader.application.test_request_context(asked.address):
        MAKERS["survey-page"](asked, record)
    counting = Profile(builtins=False)
    with clubs_reader.application.test_request_context(asked.address):
        counting.runcall(MAKERS["survey-page"], asked, record)
    calls = sum(function.callcount for function in counting.getstats())

    assert not is_dear("survey-page", SimpleNamespace(tally_size=lambda *_: CLUBS), record)
    assert calls <= MOST_CALLS
