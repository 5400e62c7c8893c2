"""A results page that follows new reports, and what it says of an estimate that is on its way."""

from dataclasses import replace
from datetime import timedelta

import pytest
from browsing import patient
from playwright.sync_api import Browser

from tossup.server.store.records import Count
from tossup.server.store.tally import Cell
from tossup.server.web.pages.figures.progress import Way


@pytest.fixture
def asked(bilingual):
    """One yes/no question, of which anyone may read."""
    return replace(bilingual, id="live", questions=bilingual.questions[:1], results="public")


def add(app, survey, day, no: int, yes: int) -> None:
    """Count some reports more, of the first group."""
    question = survey.questions[0].id
    counts = [
        Count(survey.digest, question, day, 0, value, count)
        for value, count in ((0, no), (1, yes))
        if count
    ]
    with app.extensions["tossup"].store.write() as transaction:
        transaction.count(survey.id, counts, no + yes)


def cells(survey, day, no: int, yes: int) -> list[Cell]:
    return [Cell(survey.digest, survey.questions[0].id, day, (0, 0), (no, yes))]


def test_nothing_is_sent_to_who_has_it(app, client, asked, put, publisher_key, day):
    """Not modified, in no bytes, until a report comes; in each language by itself."""
    put(app, asked, cells(asked, day(0), 60, 60), publisher_key)
    first = client.get("/surveys/live/live")
    again = client.get("/surveys/live/live", headers={"If-None-Match": first.headers["ETag"]})
    page = client.get("/surveys/live").text

    assert (304, b"") == (again.status_code, again.data)
    assert f'data-tag="&#34;{first.get_etag()[0]}&#34;"' in page
    assert 'data-live="/surveys/live/live?' in page
    assert first.text in page
    add(app, asked, day(0), 0, 1)
    new = client.get("/surveys/live/live", headers={"If-None-Match": first.headers["ETag"]})
    assert 200 == new.status_code
    assert "121 reports" in new.text
    assert client.get("/surveys/live/live?lang=zh-Hans").headers["ETag"] != new.headers["ETag"]


def test_the_results_of_a_closed_survey_are_not_asked_for_again(
    app, client, asked, put, publisher_key, day
):
    """They are final."""
    put(app, asked, cells(asked, day(0), 60, 60), publisher_key)
    with app.extensions["tossup"].store.write() as transaction:
        transaction.close_survey("live")
    page = client.get("/surveys/live").text

    assert "live.js" not in page
    assert "data-live" not in page
    assert "coins are filled" not in page


@pytest.mark.prove
def test_a_page_puts_new_reports_in_their_place(
    browser: Browser, site, asked, put, publisher_key, day
):
    """Without a reload; what was unfolded and what has the focus stay so."""
    put(site.app, asked, cells(asked, day(0), 60, 60), publisher_key)
    context = patient(browser, locale="en")
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.clock.install()
    page.goto(f"{site.url}/surveys/live")
    page.get_by_text("This page follows new reports by itself.").wait_for()
    fold = page.locator("#results summary").first
    fold.click()
    with page.expect_response("**/live?*"):
        page.clock.run_for(16_000)
    add(site.app, asked, day(0), 10, 20)
    page.clock.run_for(31_000)
    page.get_by_text("150 reports").first.wait_for()

    assert page.locator("#results details").first.get_attribute("open") is not None
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    assert page.locator("[data-live]").inner_text().startswith("New reports, put in at")
    assert [text for text in said if "304" not in text] == []
    context.close()


def test_the_way_to_an_estimate_is_told_in_reports_and_days(app, day):
    """How far, how long at this pace, and whether the survey ends before."""
    today = day(0)
    way = Way(30, 100, is_first=False, a_day=10.0, closes=None, today=today)
    told = {
        "in 7 days": way,
        "within a day": replace(way, so_far=95),
        "in about 10 weeks": replace(way, a_day=1.0),
        "in about 23 months": replace(way, a_day=0.1),
        "takes years": replace(way, a_day=0.01),
        "No report came": replace(way, a_day=0.0),
        "ends before": replace(way, closes=today + timedelta(6)),
    }
    with app.test_request_context("/"):
        for words, each in told.items():
            assert words in each.how_long, (words, each.how_long)
        assert "30 of about 100 reports" in way.how_far
        assert "ends before" not in replace(way, closes=today + timedelta(7)).how_long
    assert [6, 19] == [way.filled, replace(way, so_far=99).filled]
