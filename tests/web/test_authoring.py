"""A survey without a terminal, in Chromium: written, tried, answered, read, closed, deleted."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from browsing import PATIENCE, SCREENS, barriers
from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server

from tossup.server.web.app import create_app

ASKED = [
    ("yes_no", "Have you taken an opioid painkiller in the last month?", {}),
    ("choice", "How do you get to work?", {"options.en": "Bus\nTram\nBike"}),
    ("several", "Which do you use?", {"options.en": "Python\nRust\nC", "several.most": "2"}),
    ("ranking", "In which order do you like them?", {"options.en": "Red\nGreen\nBlue"}),
    ("integers", "How many days off?", {"integers.low": "0", "integers.high": "10"}),
]
PEOPLE = 2
#: How a page is looked at: as what, how wide, and in which colours. The last one is the usual one.
MANNERS = (
    ("dark-320", 320, {"color_scheme": "dark", "forced_colors": "none"}),
    ("forced", 1280, {"color_scheme": "light", "forced_colors": "active"}),
    ("light", 1280, {"color_scheme": "light", "forced_colors": "none"}),
)


@pytest.fixture
def address(app, tmp_path) -> Iterator[tuple[str, str]]:
    """A server that listens, and the link that signs in."""
    config = replace(app.extensions["tossup"].config, data=tmp_path / "road")
    app = create_app(replace(config, publisher_key=tmp_path / "publisher.pem"))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    home = f"http://127.0.0.1:{server.server_port}"
    yield home, f"{home}/sign-in/{app.extensions['tossup'].auth.create_link()}"
    server.shutdown()
    thread.join()
    app.extensions["tossup"].close()


class Road:
    """An author's browser, and what axe finds where it goes."""

    def __init__(self, page: Page, axe: str, *, has_script: bool) -> None:
        self.page, self.axe, self.has_script = page, axe, has_script
        self.found: list[object] = []

    def look(self, name: str) -> None:
        """Note barriers in light, dark, forced colours and Chinese, wide and on a phone."""
        if not self.has_script:  # a page without scripts cannot run axe
            return
        for manner, width, colours in MANNERS:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.emulate_media(**colours)
            self._note(name, manner, width)
        self.page.set_viewport_size({"width": 320, "height": 900})
        here = self.page.url
        page = here.partition("#")[0]
        self.page.goto(f"{page}{'&' if '?' in page else '?'}lang=zh-Hans")
        assert self.page.locator("html").get_attribute("lang") == "zh-Hans"
        self._note(name, "zh-320", 320)
        self.page.goto(here)
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def _note(self, name: str, manner: str, width: int) -> None:
        """Note what axe finds, and whether the page scrolls sideways; keep what it looks like."""
        self.found += [(name, manner, *each) for each in barriers(self.page, self.axe)]
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        self.found += [(name, manner, "scrolls", wide)] if wide > width else []
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENS / f"author-{name}-{manner}.png", full_page=True)

    def fill(self, **fields: str) -> None:
        """Fill in fields by their names."""
        for name, value in fields.items():
            self.page.locator(f'[name="{name}"]').fill(value)

    def press(self, text: str) -> None:
        """Press a button, and wait for the page that follows."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=text, exact=True).first.click()


@pytest.mark.parametrize("has_script", [pytest.param(True, marks=pytest.mark.prove), False])
def test_a_survey_without_a_terminal(browser: Browser, axe: str, address, has_script: bool):
    """The whole road by forms; without scripts as well, but for answering."""
    home, link = address
    context = browser.new_context(java_script_enabled=has_script, locale="en")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    road = Road(page, axe, has_script=has_script)
    page.goto(link)
    road.press("Sign in on this browser")
    road.look("empty")
    page.get_by_role("link", name="Planner").click()
    page.locator('[name=want][value="demands"]').check()
    road.press("Plan")
    assert "Odds of" in page.locator("#answer").inner_text()
    road.look("planner")
    page.goto(home)
    published = write_and_publish(road)
    for _ in range(PEOPLE):
        answer(browser, published)

    page.goto(home)
    road.look("list")
    assert f"{PEOPLE * len(ASKED)} reports · 5 questions" in page.locator(".surveys").inner_text()
    page.get_by_role("link", name="Nightlife").first.click()
    exported = json.loads(page.request.get(f"{home}/surveys/nightlife/results.json").text())
    assert len(ASKED) == len(exported["questions"])
    close_and_delete(road, home)
    assert "No survey yet" in page.locator("main").inner_text()
    assert road.found == []
    context.close()


def write_and_publish(road: Road) -> str:
    """Write five kinds of question, look at every page, publish; return respondents' link."""
    page = road.page
    page.get_by_role("link", name="New survey").click()
    about = {"title": "Nightlife", "purpose": "To learn how common some private things are."}
    who = {"publisher.name": "Example University", "publisher.contact": "irb@example.org"}
    road.fill(**about, **who)
    road.press("Begin the draft")
    for place, (form, words, fields) in enumerate(ASKED):
        if place:
            road.press("Save and add a question")
        page.locator(f'[name=form][value="{form}"]').check()
        road.fill(**{"text.en": words}, **fields)
        page.locator('[name=odds][value="own"]').check()
        road.fill(odds_own="2")
        if place == 1:
            road.fill(**{"options.en": "Bus\nBus"})
            road.press("Save draft")
            assert page.title().startswith("Error:")
            road.look("error")
            road.fill(**fields)
    road.press("Save draft")
    road.look("question")
    assert "Nothing is missing" in page.locator("[role=status]").inner_text()
    page.get_by_role("link", name="The survey").click()
    road.look("survey")
    page.get_by_role("link", name="Preview as respondent").click()
    assert "nothing counts" in page.locator("main").inner_text()
    if road.has_script:
        answer_all(page)
    page.go_back()
    page.get_by_role("link", name="Publish …").click()
    road.look("publish")
    road.press("Publish")
    road.look("share")
    return page.locator("#link").input_value()


def answer(browser: Browser, link: str) -> None:
    """Answer every question on a respondent's page, in a browser of their own."""
    context = browser.new_context(locale="en")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(link)
    answer_all(page)
    context.close()


def answer_all(page: Page) -> None:
    """Answer every question of a respondent's page, up to the receipt."""
    page.locator("#start").click()
    for number, (form, _, _) in enumerate(ASKED, 1):
        step = page.locator(f'form[data-step="{number}"]:visible')
        step.wait_for()
        if form == "integers":
            step.locator("input").first.fill("3")
        elif step.locator("input").count():
            step.locator("input").first.check()
        step.get_by_role("button", name="Toss and send").click()
    page.locator("[data-screen=receipt]:visible").wait_for()


def close_and_delete(road: Road, home: str) -> None:
    """End the survey for good, each on a page of its own."""
    page = road.page
    page.goto(home)
    page.get_by_role("link", name="Close …").click()
    road.look("close")
    road.press("Close it now")
    page.goto(home)
    page.get_by_role("link", name="Delete …").click()
    road.look("delete")
    assert f"{PEOPLE * len(ASKED)} reports are lost" in page.locator("main").inner_text()
    road.fill(address="nightlife")
    road.press("Delete it for good")
