"""Every page in a real browser: accessible, in bounds, by keyboard, and talking to nobody else."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from threading import Thread

import pytest
from answering import on_that_day
from browsing import LENGTHEN, OPEN_ALL, barriers, follow, patient, sideways, sign_in
from every_kind import reports, surveys
from playwright.sync_api import Browser, Page
from sweeps import proving
from werkzeug.serving import make_server

from tossup.server.config import Config
from tossup.server.store.tally import Cell
from tossup.shared.wire import encode_batch

FOCUSED = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.tagName, style.outlineStyle, parseFloat(style.outlineWidth)];
}"""

SCREENS = {
    "list": "/",
    "results": "/surveys/marriage-1978",
    "other language": "/surveys/habits-7?lang=zh-Hans",
    "alarm": "/surveys/habits-7",
    "too few": "/surveys/too-few",
    "not open": "/surveys/next-year",
    "unknown": "/nowhere",
    "refused filter": "/surveys/marriage-1978?where.region=west",
    "used link": "/sign-in/used",
    "every look": "/surveys/marriage-1978?looks=every",
    "joint table": "/surveys/together/joint?rows=affair&columns=rating",
    "no joint table": "/surveys/marriage-1978/joint",
    "every kind": "/surveys/every-kind",
    "texts": "/surveys/brands",
    "waves": "/surveys/panel",
    "waves through a memo": "/surveys/counters",
}
MODES = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 320, "height": 640}},
    "chinese": {"locale": "zh-CN"},
    "forced": {"forced_colors": "active"},
}


@dataclass
class Site:
    """A running server, and what a browser noticed while on it."""

    url: str
    app: object
    cookies: list[dict] = field(default_factory=list)


@dataclass
class Visit:
    """A page, with the requests it made and the complaints it drew."""

    page: Page
    site: Site
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("request", lambda sent: self.requests.append(sent.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self.complaints.append(message.text))

    def go(self, path: str) -> None:
        self.page.goto(self.site.url + path)
        self.page.evaluate(OPEN_ALL)


@pytest.fixture(scope="module")
def site(
    tmp_path_factory, survey, bilingual, daily_cells, put, receive, publisher_key, day
) -> Iterator[Site]:
    """The application over HTTP, with a survey in every state."""
    app = on_that_day(Config(data=tmp_path_factory.mktemp("site")))
    # Of two questions that are drawn alike one will do: axe takes as long as a page is.
    shown = replace(bilingual, questions=bilingual.questions[:3])
    cells = [replace(c, manifest=shown.digest) for c in daily_cells if c.question != "health"]
    put(app, shown, cells, publisher_key)
    impossible = [Cell(survey.digest, "ever_tried", day(30), (0,), (900, 100))]
    put(app, survey, impossible, publisher_key)
    few = replace(bilingual, id="too-few")
    put(app, few, [Cell(few.digest, "affair", day(12), (0, 0), (5, 4))], publisher_key)
    put(app, replace(bilingual, id="next-year", opens=day(-200)), [], publisher_key)
    together = replace(bilingual, id="together", linkage="joint", attributes=())
    put(app, together, [], publisher_key)
    receive(app, together, 1500)
    for every in surveys(publisher_key.public_key().public_bytes_raw()):
        put(app, every, [], publisher_key)
        for batch in reports(every, 500):
            app.extensions["tossup"].ingest.receive(encode_batch(batch, every))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Site(f"http://127.0.0.1:{server.port}", app)
    server.shutdown()
    thread.join()
    server.server_close()
    app.extensions["tossup"].close()


@pytest.fixture(scope="module")
def cookies(browser: Browser, site: Site) -> list[dict]:
    """The cookie of a session begun by pressing the button of a set-up link."""
    context = patient(browser)
    sign_in(context.new_page(), site.app, site.url)
    found = context.cookies()
    context.close()
    return found


@pytest.fixture(scope="module")
def visits(browser: Browser, site: Site, cookies: list[dict]) -> Iterator[dict[str, Visit]]:
    """A signed-in visit in each mode; one page each, because making them takes time."""
    contexts = {mode: patient(browser, **settings) for mode, settings in MODES.items()}
    made = {}
    for mode, context in contexts.items():
        context.add_cookies(cookies)
        made[mode] = Visit(context.new_page(), site)
        made[mode].listen()
    yield made
    for context in contexts.values():
        context.close()


@pytest.fixture
def visit(visits: dict[str, Visit], request) -> Visit:
    """The visit in one of the modes, light by default."""
    chosen = visits[getattr(request, "param", "light")]
    chosen.requests.clear()
    chosen.complaints.clear()
    return chosen


every_screen = pytest.mark.parametrize("screen", SCREENS)


@pytest.mark.parametrize(
    ("screen", "visit"),
    proving(
        [(screen, mode) for screen in SCREENS for mode in MODES],
        but=[*((screen, "light") for screen in SCREENS), *(("every kind", mode) for mode in MODES)],
    ),
    indirect=["visit"],
)
def test_pages_are_accessible_and_talk_to_nobody_else(visit, screen, axe):
    """Every page in every mode, all details open: WCAG 2.2 AA and best practices.

    No request off the server's own origin; no complaint but that of an error's own status.
    """
    visit.go(SCREENS[screen])

    assert {url for url in visit.requests if not url.startswith(visit.site.url)} == set()
    assert [text for text in visit.complaints if "status of 4" not in text] == []

    assert barriers(visit.page, axe) == []


@pytest.mark.parametrize("visit", ["phone"], indirect=True)
@every_screen
def test_pages_fit_a_small_screen(visit, screen):
    """No sideways scrolling at 320 pixels, all details open, as it is and 40 % longer."""
    visit.go(SCREENS[screen])
    as_it_is = sideways(visit.page)
    visit.page.evaluate(LENGTHEN)

    assert as_it_is <= 0
    assert sideways(visit.page) <= 0


@pytest.mark.parametrize("visit", ["light", "phone"], indirect=True)
def test_the_table_is_a_table_to_screen_readers(visit):
    """In columns and as cards alike: rows, headers and cells with the numbers."""
    visit.go(SCREENS["results"])
    table = visit.page.get_by_role("table", name="All reports").first
    row = table.get_by_role("row").filter(has=visit.page.get_by_role("rowheader", name="Yes"))

    assert row.get_by_role("cell").count() == 4
    assert row.get_by_role("cell").nth(2).inner_text().count("%") == 2


@pytest.mark.parametrize(
    ("screen", "least"),
    [("results", 20), ("every look", 20), ("every kind", 12), ("texts", 1), ("waves", 2)],
)
def test_strips_draw_the_numbers_of_their_rows(visit, screen, least):
    """Read back from the drawing: dot and ends lie where the row's figures are on the axis.

    They differ by no more than the figures and the drawing are rounded, whatever chance drew.
    """
    visit.go(SCREENS[screen])
    rows = visit.page.evaluate(
        """() => [...document.querySelectorAll('.estimates tbody tr')].filter(
          row => row.querySelector('.estimate')).map(row => {
          const at = (part, name) => parseFloat(row.querySelector(part).getAttribute(name));
          const plain = text => text.replaceAll('−', '-').replaceAll(',', '');
          const ticks = [...row.querySelectorAll('.zero, .grid')].map(
            tick => parseFloat(tick.getAttribute('x1')));
          const marks = [...row.closest('table').querySelectorAll('.axis text')].map(
            text => [parseFloat(text.getAttribute('x')), parseFloat(plain(text.textContent))]);
          const figures = plain(row.querySelector('.value').textContent + ' '
            + row.querySelector('td.interval').textContent);
          return {
            drawn: [at('.estimate', 'cx'), at('line.interval', 'x1'), at('line.interval', 'x2')],
            ticks, marks: [marks[0], marks[marks.length - 1]],
            said: figures.match(/-?[0-9.]+/g)};
        })"""
    )

    assert len(rows) >= least
    for row in rows:
        (start, low), (end, high) = row["marks"]
        assert {start, end} <= set(row["ticks"])
        for at, said in zip(row["drawn"], row["said"], strict=True):
            part = (float(said) - low) / (high - low)
            rounded_figure = (end - start) / (high - low) * 10.0 ** -len(said.partition(".")[2]) / 2
            rounded_places = 0.005 * (1 + abs(part) + abs(1 - part))
            assert at == pytest.approx(
                start + part * (end - start), abs=rounded_figure + rounded_places + 1e-9
            )


@pytest.mark.parametrize("visit", ["forced"], indirect=True)
def test_marks_have_the_colours_that_a_reader_forces(visit):
    """Those of strips and of marks over time, which have colours of their own beside others."""
    visit.go(SCREENS["results"])
    colours = visit.page.evaluate(
        """() => {
            const text = getComputedStyle(document.body).color;
            const of = (marks, name) => [...document.querySelectorAll(marks)].map(
                (mark) => getComputedStyle(mark)[name] === text);
            return [of(".interval, .half, .weeks path", "stroke"), of(".estimate", "fill")];
        }"""
    )

    assert all(map(all, colours))
    assert all(map(len, colours))


def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit):
    """With all folds open: every stop has an outline, and all controls are stops."""
    visit.page.goto(visit.site.url + SCREENS["results"])
    visit.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    stops = []
    while not stops or stops[-1][0] != "BODY":
        assert len(stops) < 200, "Tab never leaves the page"
        visit.page.keyboard.press("Tab")
        stops.append(visit.page.evaluate(FOCUSED))
    del stops[-1]

    assert stops[0][0] == "A"
    assert {"A", "BUTTON", "INPUT", "SELECT", "SUMMARY"} <= {tag for tag, _, _ in stops}
    assert [stop for stop in stops if stop[1] == "none" or stop[2] < 2] == []


def test_filters_work_by_keyboard_and_keep_the_language(visit):
    """Choosing a group and pressing Enter shows that group, in the language chosen before."""
    visit.page.goto(visit.site.url + "/surveys/marriage-1978?lang=zh-Hans")
    visit.page.locator("details:has(select) > summary").first.press("Enter")
    visit.page.get_by_label("地区").select_option("south")
    visit.page.get_by_role("button", name="显示").press("Enter")
    visit.page.wait_for_url("**where.region=south**")

    assert visit.page.locator("html").get_attribute("lang") == "zh-Hans"
    assert visit.page.get_by_label("地区").input_value() == "south"


def test_signing_out_works_in_a_browser(browser, site):
    """Under the policy, with the form's token and the browser's own headers."""
    context = patient(browser)
    page = context.new_page()
    sign_in(page, site.app, site.url)
    follow(page.get_by_role("button", name="Sign out"))
    title = page.get_by_role("heading", level=1).inner_text()
    page.goto(site.url)
    after = page.get_by_role("heading", level=1).inner_text()
    context.close()

    assert (title, after) == ("You are signed out", "Sign in first")
