"""A respondent's page in a real browser: from the link to the receipt, and every screen between."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from html import escape
from pathlib import Path

import pytest
from answering import HABITS, KEPT, NIGHTLIFE, serving
from browsing import LENGTHEN, OPEN_ALL, PATIENCE, barriers, patient, picture, sideways
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from sweeps import proving

from tossup.server.web import pages
from tossup.server.web.pages.respondent import folder
from tossup.shared.signing import sign_manifest
from tossup.shared.wire import MANIFEST_TYPE

STATIC = Path(pages.__file__).parent / "static"
#: What scripts of a yes/no survey may weigh as a browser gets them.
MOST_BYTES = 8 * 1024

MODES = {
    "light": {"viewport": {"width": 375, "height": 740}},
    "dark": {"viewport": {"width": 375, "height": 740}, "color_scheme": "dark"},
    "small": {"viewport": {"width": 320, "height": 640}, "reduced_motion": "reduce"},
    "chinese": {"viewport": {"width": 375, "height": 740}, "locale": "zh-CN"},
    "arabic": {"viewport": {"width": 320, "height": 640}, "locale": "ar-EG"},
    "wide": {"viewport": {"width": 1280, "height": 900}},
}
#: Screens that differ in their words alone: looked at in one mode.
ALIKE = {
    *(
        "not-encrypted",
        "store-too-new",
        "ledger-damaged",
        "not-open",
        "not-asked",
        "refused-cap",
        "odds-raised",
        "refused-manifest",
        "misconfigured",
    ),
    *("store-unavailable", "unreachable", "unsupported", "preview-again", "failed"),
}
#: Answers that are for programs: the coins of vectors are not in browsers.
DEAR = "odds = 27\n"
VECTOR = 'answers = { vector = ["north", "east"], norm = 10 }\n'
#: What a browser offers to a page that is not encrypted.
WITHOUT_HTTPS = """Object.defineProperty(self, 'isSecureContext', { value: false });
Object.defineProperty(crypto, 'subtle', { value: undefined });"""
#: Shows one screen of the page, as its script does, and returns how many there are.
SHOW = """at => {
  const screens = [...document.querySelectorAll('[data-screen]')];
  screens.forEach((screen, place) => { screen.hidden = place !== at; });
  const shown = screens[at];
  for (const part of shown?.querySelectorAll('.error') ?? []) part.textContent = 'Choose one.';
  return [screens.length, shown?.dataset.screen + (shown?.dataset.step ?? '')];
}"""
#: The browser's coins, made to fall the same way on every page: bytes of a fixed row.
SAME_COINS = """(() => {
  let at = 0;
  crypto.getRandomValues = array => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = (at++ * 37 + FIRST) & 255;
    return array;
  };
})()"""


@dataclass
class Visit:
    """A page on a device of its own, with all it sent and all that the browser said."""

    page: Page
    sent: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", self._note)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def _note(self, request) -> None:
        self.urls.append(request.url)
        if request.post_data:
            self.sent.append(f"{request.url} {request.post_data}")

    def heading(self, words: str) -> None:
        """Wait for a screen."""
        self.page.get_by_role("heading", level=1, name=words).wait_for()

    def has_focus(self, words: str) -> None:
        """Wait for a screen, where the keyboard is at its heading."""
        expect(self.page.get_by_role("heading", level=1, name=words)).to_be_focused()

    def press(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def shot(self, name: str) -> None:
        """Write what is on the screen."""
        picture(self.page, name)

    def answer(self, answer: str) -> None:
        """Answer the one question of `HABITS`."""
        self.press("Start")
        self.page.get_by_label(answer, exact=True).check()
        self.press("Toss and send")


@pytest.fixture
def device(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Devices that have never been here, each with a page."""
    contexts: list[BrowserContext] = []

    def made(script: str = "", **settings: object) -> Visit:
        context = patient(browser, **(MODES["light"] | settings))
        if script:
            context.add_init_script(script)
        contexts.append(context)
        return Visit(context.new_page())

    yield made
    for context in contexts:
        context.close()


def test_it_works(site, device):
    """From the link to the receipt: one report, which is counted, and no other host is asked."""
    link = site.survey(id="works")
    visit = device()
    visit.page.goto(link)
    visit.press("Toss for practice")
    visit.page.get_by_text(re.compile("is sent, by chance|the truth is sent")).wait_for()
    visit.shot("intro")
    visit.press("Start")
    visit.shot("question")
    visit.press("Toss and send")
    visit.page.get_by_text("Choose an answer first.").wait_for()
    visit.page.get_by_label("Yes").check()
    visit.press("Toss and send")
    visit.heading("Tossed, sent, done.")
    visit.shot("receipt")

    assert len(visit.sent) == 1
    assert sum(map(sum, site.tally("works"))) == 1
    assert {url for url in visit.urls if not url.startswith(site.url)} == set()
    assert visit.said == []


def test_a_device_answers_once(site, device):
    """Opened again, the link shows the receipt and tosses nothing; withdrawn, nothing counts."""
    link = site.survey(id="once")
    visit = device()
    visit.page.goto(link)
    visit.answer("No")
    visit.heading("Tossed, sent, done.")
    visit.page.goto("about:blank")
    visit.page.goto(link)
    visit.heading("This device has already answered.")
    visit.shot("already")
    assert len(visit.sent) == 1

    visit.page.get_by_text("Take your reports back", exact=True).click()
    visit.press("Withdraw my reports")
    visit.page.get_by_text("Your reports do not count any more.").wait_for()
    assert sum(map(sum, site.tally("once"))) == 0
    visit.page.get_by_text("Forget on this device", exact=True).click()
    visit.press("Forget the receipt")
    visit.page.get_by_text("Forgotten.").wait_for()
    visit.page.goto("about:blank")
    visit.page.goto(link)
    visit.heading("This device has already answered.")


def test_not_answering_sends_nothing(site, device):
    """No coin, no report, and the page says so."""
    visit = device()
    visit.page.goto(site.survey(id="silent"))
    visit.press("Start")
    visit.page.get_by_label("Rather not answer").check()
    visit.press("Toss and send")
    visit.heading("Nothing was sent.")
    visit.shot("declined")

    assert visit.sent == []


def test_who_is_faster_in_another_tab_is_told_in_the_slower_one(site, device):
    """It tossed for nobody a second time, and nobody chose not to answer."""
    slow = device()
    slow.page.goto(site.survey(id="two-tabs"))
    fast = Visit(slow.page.context.new_page())
    fast.page.goto(slow.page.url)
    slow.press("Start")
    slow.page.get_by_label("No", exact=True).check()
    fast.answer("Yes")
    fast.heading("Tossed, sent, done.")
    slow.press("Toss and send")
    slow.heading("This device has already answered.")

    assert len(fast.sent) == 1
    assert slow.sent == []


def test_an_impatient_finger_tosses_once(site, device):
    """Two presses are one answer."""
    visit = device()
    visit.page.goto(site.survey(id="twice"))
    visit.press("Start")
    visit.page.get_by_label("Yes").check()
    visit.page.get_by_role("button", name="Toss and send").dblclick()
    visit.heading("Tossed, sent, done.")

    assert len(visit.sent) == 1


def test_offline_the_report_is_kept_and_sent_later(site, device):
    """The same bytes go out when there is a network."""
    visit = device()
    visit.page.goto(site.survey(id="offline"))
    visit.page.get_by_role("button", name="Start").wait_for()
    visit.page.context.set_offline(True)
    visit.answer("Yes")
    visit.heading("Tossed, kept, to be sent.")
    visit.shot("kept")
    visit.page.context.set_offline(False)
    visit.heading("Tossed, sent, done.")

    assert len(set(visit.sent)) == 1
    assert sum(map(sum, site.tally("offline"))) == 1


def test_a_closed_survey_gets_what_was_kept(site, device):
    """A survey that counts late reports is sent them by its closed page; too late is said, too."""
    for name, days, late, words, counted in (
        ("late", 1, 7, "It has sent them now, and they count.", 1),
        ("too-late", 400, 0, "they came too late: they do not count.", 0),
    ):
        link = site.survey(id=name)
        visit = device()
        visit.page.goto(link)
        visit.page.get_by_role("button", name="Start").wait_for()
        visit.page.context.set_offline(True)
        visit.answer("Yes")
        visit.heading("Tossed, kept, to be sent.")
        visit.page.goto("about:blank")
        close(site, name, datetime.now(UTC).date() - timedelta(days), late)
        visit.page.context.set_offline(False)
        visit.page.goto(link)
        visit.page.get_by_text(words).wait_for()
        visit.heading("This survey closed on")
        visit.shot(name)

        assert sum(map(sum, site.tally(name))) == counted, name
        assert len(set(visit.sent)) == 1, name


def close(site, survey_id: str, closes: date, late_days: int) -> None:
    """Publish a next version of a survey, whose last day is over."""
    survey = site.app.extensions["tossup"].store.survey(survey_id).survey
    last = replace(survey, version=2, previous=survey.digest, closes=closes, late_days=late_days)
    site.put(site.app, last, [], site.key)


def test_what_is_wrong_is_said_above_its_field_where_it_is_seen(site, device):
    """On a screen of many questions, too: a message at its end would be a thousand pixels away."""
    more = "".join(f'[[question]]\nid = "q{place}"\ntext = "And {place}?"\n' for place in range(4))
    visit = device()
    visit.page.set_viewport_size({"width": 375, "height": 600})
    visit.page.goto(site.survey(f'linkage = "joint"\n{HABITS}{more}', id="long"))
    visit.press("Start")
    for question in ("ever_tried", "q0", "q2", "q3"):
        visit.page.locator(f"[data-question={question}]").get_by_label("No").check()
    visit.press("Toss and send")
    asked = visit.page.locator("[data-question=q1]")
    said = asked.get_by_text("Choose an answer first.")
    said.wait_for()
    above, field = said.bounding_box(), asked.get_by_label("Yes").bounding_box()

    assert 0 <= above["y"] < field["y"] < 600
    assert asked.get_attribute("aria-invalid") == "true"


def test_trouble_is_told_apart(site, device):
    """What is newer than the page, what no browser can toss for, and a signature of another."""
    link = site.survey(id="newer")
    vector = site.survey(HABITS + VECTOR, id="vector")
    wrong = f"{link.partition('#')[0]}#key={'A' * 43}"
    cannot = "This browser cannot toss the coins of this survey."
    unasked = "This survey is not answered in a browser."
    dear = site.survey(HABITS.replace("title =", "question_cap = 27\ntitle =") + DEAR, id="dear")
    for name, address, script, words in (
        ("newer", link, "", cannot),
        ("vector", vector, "", unasked),
        ("dear", dear, "", unasked),
        ("no-ed25519", link, "crypto.subtle.importKey = async () => { throw 0 }", cannot),
        ("wrong-key", wrong, "", "This page cannot trust these questions."),
        ("http", link, WITHOUT_HTTPS, "This page is not encrypted."),
    ):
        visit = device(script)
        if name == "newer":
            visit.page.route("**/v1/surveys/newer", partial(answer_with, newer(site, name)))
        visit.page.goto(address)
        visit.heading(words)
        visit.shot(name)
        assert visit.page.get_by_role("button", name="Start").count() == 0, name


def newer(site, survey_id: str) -> bytes:
    """Return a survey's manifest with a field that this version does not know, signed."""
    survey = site.app.extensions["tossup"].store.survey(survey_id).survey
    payload = json.loads(survey.payload) | {"more": 1}
    return sign_manifest(json.dumps(payload, separators=(",", ":")).encode(), site.key)


def answer_with(manifest: bytes, route: Route) -> None:
    """Give programs this manifest, and browsers the page with it."""
    if "text/html" in route.request.headers["accept"]:
        answer = route.fetch(timeout=PATIENCE)
        brought = f'data-manifest="{escape(manifest.decode())}"'
        body, count = re.subn('data-manifest="[^"]*"', brought, answer.text())
        assert count == 1
        route.fulfill(response=answer, body=body)
    else:
        route.fulfill(body=manifest, content_type=MANIFEST_TYPE)


def test_a_link_that_is_not_whole_is_answered_in_plain_words(site, device):
    """Without its key, and with another's; nothing is asked."""
    link = site.survey(id="keys")
    address, _, key = link.partition("#key=")
    wrong = "A" * 42 + ("A" if key[-1] != "A" else "E")
    for name, given, words in (
        ("key-missing", address, "A part of the link is missing."),
        ("key-wrong", f"{address}#key={wrong}", "This page cannot trust these questions."),
    ):
        visit = device()
        visit.page.goto(given)
        visit.heading(words)
        visit.shot(name)
        assert visit.page.get_by_role("button", name="Start").count() == 0


def test_without_storage_nothing_is_tossed(site, device):
    """A device that cannot remember its toss does not toss."""
    visit = device("Object.defineProperty(self, 'indexedDB', { get() { throw new Error('off') } })")
    visit.page.goto(site.survey(id="storage"))
    visit.heading("This browser cannot keep what the coins say.")
    visit.shot("no-storage")

    assert visit.sent == []


def test_a_full_disk_is_told_and_tosses_nothing(site, device):
    """The browser's own limit; with room again the same link is answered."""
    link = site.survey(id="full")
    visit = device()
    browser = visit.page.context.new_cdp_session(visit.page)
    browser.send("Storage.overrideQuotaForOrigin", {"origin": site.url, "quotaSize": 1})
    visit.page.goto(link)
    visit.heading("This browser cannot keep what the coins say.")
    assert visit.sent == []

    browser.send("Storage.overrideQuotaForOrigin", {"origin": site.url})
    visit.page.goto("about:blank")
    visit.page.goto(link)
    visit.answer("Yes")
    visit.heading("Tossed, sent, done.")
    assert len(visit.sent) == 1


def test_without_a_script_the_page_says_why_nothing_can_be_sent(site, device):
    """And has nothing to press."""
    visit = device(java_script_enabled=False)
    visit.page.goto(site.survey(id="script"))
    visit.page.locator("noscript strong").wait_for()
    visit.shot("no-script")

    assert visit.page.get_by_role("button").count() == 0


def test_the_language_switch_keeps_the_key(site, device):
    """The key stands behind the #, which servers never see and links drop."""
    link = site.survey(id="speaks")
    visit = device()
    visit.page.goto(link)
    visit.page.get_by_role("link", name="简体中文").click()
    visit.page.get_by_role("button", name="开始").wait_for()

    assert visit.page.url == link.replace("#", "?lang=zh-Hans#")


def test_it_is_answered_by_keyboard_in_a_few_keys(site, device):
    """From Start on: choose, toss, read the receipt; the focus is always where one reads on."""
    visit = device()
    visit.page.goto(site.survey(id="keyboard"))
    press = visit.page.keyboard.press
    visit.page.get_by_role("button", name="Start").focus()
    press("Enter")
    visit.has_focus("Have you ever tried it?")
    press("Tab")
    press("Space")
    expect(visit.page.locator("form:visible :focus")).to_be_checked()
    press("Enter")
    visit.has_focus("Tossed, sent, done.")


def test_the_answer_is_nowhere(site, device):
    """Where the coins fall the same and the first is heads, yes and no leave the same bytes.

    In requests, addresses, storage, console and history.
    """
    link = site.survey(id="nowhere")
    for first in (1, 3):  # the first coin is heads; the second says no, and yes
        traces = []
        for answer in ("Yes", "No"):
            visit = device(SAME_COINS.replace("FIRST", str(first)))
            visit.page.goto(link)
            visit.answer(answer)
            visit.heading("Tossed, sent, done.")
            traces.append((visit.sent, visit.said, visit.page.evaluate(KEPT), visit.page.title()))

        assert traces[0] == traces[1], f"first byte {first}"
        assert traces[0][0]


@pytest.mark.parametrize(
    "mode", proving(["arabic", "dark", "small", "light", "chinese"], but=["arabic"])
)
def test_every_screen_is_accessible(site, browser, axe, mode):
    """axe finds nothing, and nothing is wider than the window; with texts 40 % longer, too."""
    link = site.survey(NIGHTLIFE, id=f"screens-{mode}").partition("#")[0]
    unknown = f"{site.url}/v1/surveys/none"
    more = {"privacy": f"{link}/privacy", "poster": f"{link}/poster", "none": unknown}
    context = patient(browser, **MODES[mode])
    visit = Visit(context.new_page())
    visit.page.goto(link)
    # Without a key the page's script shows this one; from then on it shows no other by itself.
    visit.page.locator("[data-screen=misconfigured]").wait_for()
    found, at, count = [], 0, 1
    while at < count:
        count, name = visit.page.evaluate(SHOW, at)
        at += 1
        if mode == "light" or name not in ALIKE:
            found += looked_at(visit, axe, name, mode)
    for name, address in more.items():
        visit.page.goto(address)
        found += looked_at(visit, axe, name, mode)
    context.close()

    assert found == []


def looked_at(visit: Visit, axe: str, name: str, mode: str) -> list[object]:
    """Return what is wrong with a screen, and write it."""
    visit.page.evaluate(OPEN_ALL)
    visit.shot(f"{name}-{mode}")
    wrong: list[object] = [(name, mode, barrier) for barrier in barriers(visit.page, axe)]
    over = [sideways(visit.page)]
    if mode == "small":
        visit.page.evaluate(LENGTHEN)
        over.append(sideways(visit.page))
    return wrong + [(name, mode, "is too wide", pixels) for pixels in over if pixels > 0]


def test_an_exported_page_answers_from_another_host_and_without_a_network(site, device, tmp_path):
    """It pins the key, is installed by a browser, and sends to the survey's server alone."""
    link = site.survey(id="exported")
    made = tmp_path / "page"
    survey = site.app.extensions["tossup"].store.survey("exported").survey
    folder.write(site.app, survey, site.url, made, offline=True)
    with serving(Folder(made)) as host:
        visit = device()
        visit.page.goto(f"{host}/index.html")
        visit.page.get_by_role("button", name="Start").wait_for()
        visit.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        visit.page.context.set_offline(True)
        visit.page.reload()
        visit.answer("Yes")
        visit.heading("Tossed, kept, to be sent.")
        visit.page.context.set_offline(False)
        visit.heading("Tossed, sent, done.")

        assert {url for url in visit.urls if not url.startswith((host, site.url))} == set()
    assert sum(map(sum, site.tally("exported"))) == 1
    assert link.partition("#")[0].startswith(site.url)


TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


class Folder:
    """A web host that hands out a folder, as it lies there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, environ, start_response):
        name = environ["PATH_INFO"].lstrip("/") or "index.html"
        path = self.folder / name
        kind = TYPES.get(path.suffix, "application/octet-stream")
        if not path.is_file():
            start_response("404 NOT FOUND", [("Content-Type", "text/plain")])
            return [b""]
        start_response("200 OK", [("Content-Type", kind)])
        return [path.read_bytes()]


def test_a_yes_no_survey_loads_few_bytes(site, device):
    """From the link to the receipt: every script that the browser asks for, as a server packs it.

    The practice coin comes when it is pressed, and what a receipt can undo when that is opened.
    """
    visit = device()
    visit.page.goto(site.survey(id="light"))
    visit.answer("Yes")
    visit.heading("Tossed, sent, done.")
    scripts = {url.partition("?")[0] for url in visit.urls if url.partition("?")[0].endswith(".js")}
    sizes = {
        name: len(gzip.compress((STATIC / name).read_bytes(), 6))
        for name in (re.sub(r".*/assets/|@\w+", "", url) for url in scripts)
    }

    assert sizes
    assert sum(sizes.values()) <= MOST_BYTES, sizes
