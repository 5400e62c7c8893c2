"""A survey without a terminal, in Chromium: written, tried, answered, read, closed, deleted."""

import csv
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from answering import ANSWER, FORGET
from browsing import CONTRAST, TAGS, barriers, follow, patient, picture
from playwright.sync_api import Browser, BrowserContext, Locator, Page
from werkzeug.serving import make_server

from tossup.server.web.app import create_app

#: Form, words, what else is filled in, and odds: together as many as a device spends on one
#: publisher, 729 to 1.
ASKED = [
    ("yes_no", "Have you taken an opioid painkiller in the last month?", {}, "9"),
    ("choice", "How do you get to work?", {"options.en": "Bus\nTram\nBike"}, "3"),
    ("several", "Which do you use?", {"options.en": "Python\nRust\nC", "several.most": "2"}, "3"),
    ("ranking", "In which order do you like them?", {"options.en": "Red\nGreen\nBlue"}, "3"),
    ("integers", "How many days off?", {"integers.low": "0", "integers.high": "10"}, "3"),
]
#: True shares of yes to the first question: so far apart that 150 reports from each district miss
#: the difference with a chance below 1e-6.
DISTRICTS = {"north": 0.9, "south": 0.1}
#: What has the focus: its name, its words, and the outline that shows it.
FOCUSED = """() => {
  const part = document.activeElement, style = getComputedStyle(part);
  const has = part !== document.body;
  return [has && (part.name || ''), has && part.innerText.trim(),
    style.outlineStyle, parseFloat(style.outlineWidth)];
}"""
#: A password of a member.
PASSWORD = "four coins on a table"
#: How a page is looked at: as what, how wide, in which colours, and by which rules of axe. In
#: forced colours as wide as usual only contrast can differ. The last manner is the usual one.
MANNERS = (
    ("dark-320", 320, {"color_scheme": "dark", "forced_colors": "none"}, TAGS),
    ("forced", 1280, {"color_scheme": "light", "forced_colors": "active"}, CONTRAST),
    ("light", 1280, {"color_scheme": "light", "forced_colors": "none"}, TAGS),
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
        for manner, width, colours, rules in MANNERS:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.emulate_media(**colours)
            self._note(name, manner, width, rules)
        self.page.set_viewport_size({"width": 320, "height": 900})
        here = self.page.url
        page = here.partition("#")[0]
        self.page.goto(f"{page}{'&' if '?' in page else '?'}lang=zh-Hans")
        assert self.page.locator("html").get_attribute("lang") == "zh-Hans"
        self._note(name, "zh-320", 320, TAGS)
        self.page.goto(here)
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def _note(self, name: str, manner: str, width: int, rules: object) -> None:
        """Note what axe finds, and whether the page scrolls sideways; keep what it looks like."""
        self.found += [(name, manner, *each) for each in barriers(self.page, self.axe, rules)]
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        self.found += [(name, manner, "scrolls", wide)] if wide > width else []
        picture(self.page, f"author-{name}-{manner}")

    def fill(self, **fields: str) -> None:
        """Fill in fields by their names."""
        for name, value in fields.items():
            self.page.locator(f'[name="{name}"]').fill(value)

    def press(self, text: str) -> None:
        """Press a button, and wait for the page that follows."""
        follow(self.page.get_by_role("button", name=text, exact=True).first)

    def go(self, text: str) -> None:
        """Follow a link."""
        follow(self.page.get_by_role("link", name=text).first)


def test_a_survey_without_a_terminal(browser: Browser, address):
    """All that an owner does, by forms and without scripts, with two respondents."""
    walk(browser, "", address, people=2, has_script=False)


@pytest.mark.prove
def test_a_survey_by_keyboard_alone(browser: Browser, address):
    """From signing in to the file of results; wherever the focus stands, it is to be seen."""
    page = patient(browser, locale="en").new_page()
    page.goto(address[1])
    reach(page, "Sign in on this browser")
    press_enter(page)
    reach(page, "New survey")
    press_enter(page)
    for field, words in (
        ("title", "Habits"),
        ("purpose", "To learn how common a habit is."),
        ("publisher.name", "Example University"),
        ("publisher.contact", "irb@example.org"),
    ):
        reach(page, field)
        page.keyboard.type(words)
    reach(page, "Begin the draft")
    press_enter(page)
    reach(page, "text.en")
    page.keyboard.type("Have you ever tried it?")
    reach(page, "Save draft")
    press_enter(page)
    for name in ("Publish …", "Publish", "The results"):
        reach(page, name)
        press_enter(page)
    reach(page, "Take along")
    page.keyboard.press("Enter")
    reach(page, "CSV")
    with page.expect_download() as taken:
        page.keyboard.press("Enter")
    assert taken.value.path().read_text().startswith("survey,")
    page.context.close()


def reach(page: Page, name: str) -> None:
    """Press Tab until what has this name or words has the focus; there is an outline around it."""
    for _ in range(100):
        page.keyboard.press("Tab")
        named, words, outline, width = page.evaluate(FOCUSED)
        if named or words:
            assert outline != "none", (named, words)
            assert width > 0, (named, words)
        if name in (named, words):
            return
    pytest.fail(f"Tab never reaches {name!r}")


def press_enter(page: Page) -> None:
    """Press Enter, and wait for the page that follows."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.mark.prove
def test_a_whole_road_with_300_respondents(browser: Browser, axe: str, address):
    """An analyst comes in by a link, reads, compares groups and takes files along, too.

    All that is read is read without scripts as well, by the owner and by another analyst.
    """
    walk(browser, axe, address, people=300, has_script=True)


def walk(browser: Browser, axe: str, address, *, people: int, has_script: bool) -> None:
    """Go the whole road as an owner; let analysts read where reports are enough."""
    home, link = address
    context = patient(browser, java_script_enabled=has_script, locale="en")
    page = context.new_page()
    road = Road(page, axe, has_script=has_script)
    page.goto(link)
    road.press("Sign in on this browser")
    road.look("empty")
    road.go("Planner")
    page.locator('[name=want][value="demands"]').check()
    road.press("Plan")
    assert "Odds of" in page.locator("#answer").inner_text()
    road.look("planner")
    page.goto(home)
    published = write_and_publish(road)
    answer(browser, published, people)

    look_up(road, home, people)
    if people >= 100:
        read(browser, axe, invite(road, home, "Ada Lovelace"), has_script=has_script)
        read_without_scripts(browser, context, home, people)
    close_and_delete(road, home, people)
    assert "No survey yet" in page.locator("main").inner_text()
    assert road.found == []
    context.close()


def look_up(road: Road, home: str, people: int) -> None:
    """Look at what the list, the page on privacy, the results and their JSON say of the reports."""
    page = road.page
    page.goto(home)
    road.look("list")
    said = f"{people * len(ASKED):,} reports · 5 questions"
    assert said in page.locator(".surveys").inner_text()
    page.goto(f"{home}/v1/surveys/nightlife/privacy")
    assert "729 to 1" in page.locator("main").inner_text()
    road.look("privacy")
    page.goto(home)
    road.go("Nightlife")
    road.look("results")
    exported = json.loads(page.request.get(f"{home}/surveys/nightlife/results.json").text())
    assert [people] * len(ASKED) == [part["n"] for part in exported["questions"]]


def read_without_scripts(browser: Browser, owner: BrowserContext, home: str, people: int) -> None:
    """Look up and invite as the same owner, and read as another analyst, both without scripts."""
    same = owner.storage_state()
    plain = patient(browser, java_script_enabled=False, locale="en", storage_state=same)
    road = Road(plain.new_page(), "", has_script=False)
    look_up(road, home, people)
    read(browser, "", invite(road, home, "Grace Hopper"), has_script=False)
    plain.close()


def write_and_publish(road: Road) -> str:
    """Write five kinds of question, look at every page, publish; return respondents' link."""
    page = road.page
    road.go("New survey")
    about = {"title": "Nightlife", "purpose": "To learn how common some private things are."}
    who = {"publisher.name": "Example University", "publisher.contact": "irb@example.org"}
    road.fill(**about, **who)
    road.press("Begin the draft")
    for place, (form, words, fields, odds) in enumerate(ASKED):
        if place:
            road.press("Save and add a question")
        page.locator(f'[name=form][value="{form}"]').check()
        road.fill(**{"text.en": words}, **fields)
        page.locator('[name=odds][value="own"]').check()
        road.fill(odds_own=odds)
        if place == 1:
            road.fill(**{"options.en": "Bus\nBus"})
            road.press("Save draft")
            assert page.title().startswith("Error:")
            road.look("error")
            road.fill(**fields)
    road.press("Save and add a group to compare")
    road.fill(**{"text.en": "Where do you live?", "options.en": "North\nSouth"})
    road.press("Save draft")
    road.look("group")
    road.go(ASKED[-1][1])
    road.press("Save draft")
    road.look("question")
    assert "Nothing is missing" in page.locator("[role=status]").inner_text()
    road.go("The survey")
    road.look("survey")
    road.go("Preview as respondent")
    assert "nothing counts" in page.locator("main").inner_text()
    if road.has_script:
        assert page.evaluate(ANSWER, answers(page, Random(1), "north")) == "receipt"
    page.go_back()
    road.go("Publish …")
    road.look("publish")
    road.press("Publish")
    road.look("share")
    return page.locator("#link").input_value()


def answers(page: Page, random: Random, district: str) -> dict[str, object]:
    """Make up what somebody of a district answers to what a respondent's page asks."""
    drawn = (
        random.random() < DISTRICTS[district],
        random.choice(["bus", "tram", "tram"]),
        random.sample(["python", "rust", "c"], random.randint(0, 2)),
        random.sample(["red", "green", "blue"], 3),
        random.randint(0, 10),
    )
    names = page.locator("fieldset").evaluate_all(
        "sets => sets.map(set => set.dataset.question ?? set.dataset.attribute)"
    )
    return dict(zip(names, (district, *drawn), strict=True))


def answer(browser: Browser, link: str, people: int) -> None:
    """Answer every question on a respondent's page, time and again as somebody never here."""
    # A small window: what is drawn takes a tenth of the time.
    context = patient(browser, locale="en", viewport={"width": 320, "height": 160})
    page, random = context.new_page(), Random(300)
    page.goto(link)
    for number in range(people):
        given = answers(page, random, ("north", "south")[number % 2])
        assert page.evaluate(ANSWER, given) == "receipt"
        page.evaluate(FORGET)
        page.reload()
    context.close()


def invite(road: Road, home: str, name: str) -> str:
    """Add an analyst; return the link that lets her in once."""
    page = road.page
    page.goto(home)
    road.go("Members")
    page.get_by_label("Name").fill(name)
    page.locator("#role").select_option("analyst")
    road.press("Add")
    link = page.locator(".box code").inner_text()
    road.look("members")
    return link


def read(browser: Browser, axe: str, link: str, *, has_script: bool) -> None:
    """Read as an analyst: which district is higher, and all of it in files."""
    context = patient(browser, java_script_enabled=has_script, locale="en")
    page = context.new_page()
    road = Road(page, axe, has_script=has_script)
    page.goto(link)
    page.get_by_label("New password").fill(PASSWORD)
    road.press("Keep the password and sign in")
    road.go("Nightlife")
    road.look("analyst")
    compare(page)
    take_along(page)
    page.locator("details:has(select) > summary").first.click()
    page.get_by_label("Where do you live?").select_option("south")
    road.press("Show")
    assert "Only reports that fit the filters" in page.locator("main").inner_text()
    take_along(page)
    page.goto(link)
    assert "This link no longer works" in page.locator("main").inner_text()
    assert road.found == []
    context.close()


def compare(page: Page) -> None:
    """Unfold groups: North is higher than South for sure, and the interval says so as well."""
    fold = page.locator("section.question").first.locator("details.group").first
    said = fold.locator("summary").inner_text()
    assert said.endswith("North is higher than South. Nothing else differs."), said
    fold.locator("summary").click()
    pair = fold.get_by_role("row").filter(has_text="North less South")
    assert min(numbers(pair.locator(".interval").inner_text())) > 0


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, in their order."""
    plain = text.replace("−", "-").replace(",", "")
    return [float(each) for each in re.findall(r"-?[\d.]+", plain)]


def take_along(page: Page) -> None:
    """Download both files by their links; they say what the page's tables of all reports say."""
    page.locator(".downloads summary").click()
    files = []
    for name in ("CSV", "JSON"):
        with page.expect_download() as taken:
            page.locator(".downloads").get_by_role("link", name=name, exact=True).click()
        files.append(Path(taken.value.path()).read_text(encoding="utf-8"))
    table, told = list(csv.DictReader(files[0].splitlines())), json.loads(files[1])["questions"]
    for section, question in zip(page.locator("section.question").all(), told, strict=True):
        rows = {row["answer"]: row for row in table if is_total(row, question)}
        shown = section.get_by_role("table", name="All reports").locator("tbody tr").all()
        assert question["suppressed"] is not bool(shown)
        for row in shown:
            agree(row, question, rows)


def agree(row: Locator, question: dict[str, object], rows: dict[str, dict[str, str]]) -> None:
    """Hold a row of a page's table to JSON and CSV: estimate, interval and n, or too few."""
    answer = row.get_by_role("rowheader").inner_text().split()[0].lower()
    if row.locator(".waiting").count():
        assert answer in [part["answer"] for part in question["too_few"]]
        assert rows[answer]["value"] == ""
        return
    cells = " ".join(row.locator(f"td.{name}").inner_text() for name in ("value", "interval", "n"))
    (estimate,) = [part for part in question["estimates"] if answer in part.values()]
    for kept in (estimate, rows[answer]):
        *shares, n = (float(kept[name]) for name in ("value", "low", "high", "n"))
        wanted = [100 * share if "%" in cells else share for share in shares]
        assert numbers(cells) == pytest.approx([*wanted, n], abs=0.051), (cells, kept)


def is_total(row: dict[str, str], question: dict[str, object]) -> bool:
    """Whether a row of the CSV is of all reports to a question: of no day and no group."""
    return row["question"] == question["id"] and not row["day"] + row["attribute"]


def close_and_delete(road: Road, home: str, people: int) -> None:
    """End the survey for good, each on a page of its own."""
    page = road.page
    page.goto(home)
    road.go("Close …")
    road.look("close")
    road.press("Close it now")
    page.goto(home)
    road.go("Delete …")
    road.look("delete")
    lost = f"{people * len(ASKED):,} reports are lost"
    assert lost in page.locator("main").inner_text()
    road.fill(address="nightlife")
    road.press("Delete it for good")
