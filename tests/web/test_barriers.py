"""Every screen in every state and manner: without barriers, and inside its window."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import components
import pytest
from answering import Site, on_that_day, serving
from browsing import CONTRAST, LENGTHEN, OPEN_ALL, barriers, follow, patient, sideways
from playwright.sync_api import Browser, Page

from tossup.server.config import Config
from tossup.server.store.tally import Cell
from tossup.server.surveys.lifecycle import close
from tossup.server.web.access import actions
from tossup.server.web.authoring.drafts import keep

pytestmark = pytest.mark.prove
#: Colours of which a page is made anew by its style sheet alone: only contrast can differ.
COLOURS = (
    ("dark", {"color_scheme": "dark", "forced_colors": "none"}),
    ("forced colours", {"color_scheme": "light", "forced_colors": "active"}),
)
LIGHT = {"color_scheme": "light", "forced_colors": "none"}
DRAFT = {
    "id": "nights",
    "title": "Nights",
    "purpose": "To learn how common it is.",
    "publisher": {"name": "Example University", "contact": "irb@example.org"},
    "question": [{"id": "ever", "text": "Have you?"}],
}
#: A page of results in every state, then all other screens; {draft} and the like are filled in.
STATES = ("marriage-1978", "few", "empty", "closed", "next-year")
SCREENS = (
    *(f"/surveys/{state}" for state in STATES),
    *(f"/v1/surveys/{state}{page}" for state in ("few", "closed") for page in ("", "/privacy")),
    *("/v1/surveys/few/poster", "/surveys/marriage-1978/methods", "/surveys/marriage-1978/joint"),
    *("/surveys/together", "/surveys/together/joint", "/surveys/together/joint?where.region=west"),
    "/surveys/together/joint?rows=rating&columns=health",
    *(f"/surveys/{state}/close" for state in ("few", "closed")),
    *("/surveys/few/share", "/surveys/few/next", "/surveys/few/delete"),
    *("/", "/?find=nothing", "/drafts/new", "/drafts/import", "/drafts/{draft}"),
    *("/drafts/{draft}/questions/1", "/drafts/{draft}/groups/1", "/drafts/{draft}/publish"),
    *("/drafts/{draft}/read", "/drafts/{draft}/delete", "/drafts/{hollow}?checked=1"),
    *("/plan", "/plan?want=people&people=1&form=integers", "/members", "/members/1/remove"),
    *("/keys", "/keys/1/revoke", "/record", "/sessions", "/sign-in", "/sign-in/{link}"),
    *("/sign-in/used", "/try/{trial}", "/try/none", "/_components"),
    *("/nowhere", "/surveys/few?where.region=west"),
)
#: What others than an owner see of it, and who they are: a member by role, or nobody.
SEEN_BY = {
    "analyst": ("/", "/drafts/{draft}/read", "/surveys/few"),
    "viewer": ("/", "/members"),
    "": ("/", "/surveys/few", "/surveys/closed"),
}
#: Addresses of no page: data, pictures, what devices ask for.
NO_PAGES = re.compile(
    r".*(\.csv|\.json|\.svg|\.toml|/payload|/results|/live|/joint)$|(/try/<secret>)?/v1/.*|/\w+z?"
)


@pytest.fixture(scope="module")
def site(
    tmp_path_factory, bilingual, daily_cells, put, receive, publisher_key, day
) -> Iterator[Site]:
    """The application over HTTP, with a survey in every state."""
    data = tmp_path_factory.mktemp("site")
    app = on_that_day(Config(data=data, publisher_key=data / "publisher.pem"))
    components.register(app)
    put(app, bilingual, daily_cells, publisher_key)
    for name, n in (("few", 5), ("empty", 0), ("closed", 400)):
        made = replace(bilingual, id=name, results="public")
        cells = [Cell(made.digest, "affair", day(3), (0, 0), (n, n))] if n else []
        put(app, made, cells, publisher_key)
    together = replace(bilingual, id="together", linkage="joint")
    put(app, together, [], publisher_key)
    receive(app, together, 600)
    put(app, replace(bilingual, id="next-year", opens=day(-200)), [], publisher_key)
    close(app.extensions["tossup"].store, "closed")
    with serving(app) as url:
        yield Site(app, url, put, publisher_key)
    app.extensions["tossup"].close()


@pytest.fixture(scope="module")
def named(site: Site) -> dict[str, object]:
    """What stands in addresses: a draft, one with nothing in it, its trial, a member's link."""
    services = site.app.extensions["tossup"]
    member = services.store.add_member("ada", "viewer").number
    services.auth.create_key("program", "viewer")
    with site.app.test_request_context():
        draft, hollow = keep(DRAFT), keep({"id": "hollow"})
    trial = services.store.draft(draft).trial
    link = services.auth.create_link(member=member)
    return {"draft": draft, "hollow": hollow, "trial": trial, "link": link}


def test_every_page_is_among_the_screens(site: Site) -> None:
    """A new one is put there by hand."""
    missing = [
        rule
        for method, rule, _, _ in actions(site.app)
        if method == "GET"
        and not NO_PAGES.fullmatch(rule)
        and not any(re.fullmatch(_pattern(rule), screen.split("?")[0]) for screen in SCREENS)
    ]

    assert missing == []


def _pattern(rule: str) -> str:
    return re.sub(r"<[^>]*>", "[^/]+", rule)


def test_no_screen_has_a_barrier_in_any_manner(browser: Browser, site: Site, named, axe) -> None:
    """All rules in English, wide, and in Chinese at 320 pixels; contrast in other colours.

    All details are open. No screen scrolls sideways at 320 pixels in either language, nor with
    texts that are 40 % longer.
    """
    page = entered(browser, site, None)
    found = swept(page, site, [screen.format(**named) for screen in SCREENS], axe)
    page.context.close()

    assert found == []


@pytest.mark.parametrize("role", SEEN_BY, ids=lambda role: role or "nobody")
def test_what_others_see_has_no_barrier(browser: Browser, site: Site, named, axe, role) -> None:
    """Readers have fewer links and see no forms of a draft; strangers are told to sign in."""
    services = site.app.extensions["tossup"]
    if role:
        member = services.store.add_member(f"a {role} who reads", role).number
        page = entered(browser, site, member)
    else:
        page = patient(browser, locale="en").new_page()
    found = swept(page, site, [screen.format(**named) for screen in SEEN_BY[role]], axe)
    page.context.close()

    assert found == []


@pytest.mark.parametrize("way", ["server", "browser", "elsewhere"])
def test_no_way_to_sign_has_a_barrier(browser: Browser, site: Site, named, axe, way) -> None:
    """Each unfolds a box of its own when it is chosen."""
    page = entered(browser, site, None)
    draft = f"/drafts/{named['draft']}/publish"

    def choose() -> None:
        page.locator(f"[value={way}]").check()  # once the page's script offers it
        boxes = page.locator(f".way:has([value={way}]) .own")
        assert [box.is_visible() for box in boxes.all()] == ([] if way == "server" else [True])

    found = swept(page, site, [draft], axe, choose)
    page.context.close()

    assert found == []


def entered(browser: Browser, site: Site, member: int | None) -> Page:
    """Return a page of somebody who has signed in: a member, or whoever runs the machine."""
    page = patient(browser, locale="en").new_page()
    page.goto(f"{site.url}/sign-in/{site.app.extensions['tossup'].auth.create_link(member=member)}")
    if member is not None:
        page.get_by_label("New password").fill("four coins on a table")
    follow(page.locator("main button"))
    return page


def swept(
    page: Page,
    site: Site,
    screens: Sequence[str],
    axe: str,
    first: Callable[[], None] = lambda: None,
) -> list[object]:
    """Return what is found on screens, in both languages and every manner; first do something."""
    found: list[object] = []
    for screen in screens:
        address = site.url + screen
        for language, looked_at in (("en", in_english), ("zh-Hans", in_chinese)):
            page.goto(f"{address}{'&' if '?' in address else '?'}lang={language}")
            page.evaluate(OPEN_ALL)
            first()
            found += [(screen, language, *each) for each in looked_at(page, axe)]
    return found


def in_english(page: Page, axe: str) -> list[tuple[object, ...]]:
    """Return what is found on a page, wide in each sort of colours, and narrow, longer at last."""
    page.set_viewport_size({"width": 1280, "height": 900})
    found: list[tuple[object, ...]] = [("wide", *each) for each in barriers(page, axe)]
    for manner, colours in COLOURS:
        page.emulate_media(**colours)
        found += [(manner, *each) for each in barriers(page, axe, CONTRAST)]
    page.emulate_media(**LIGHT)
    page.set_viewport_size({"width": 320, "height": 640})
    found += scrolling(page)
    page.evaluate(LENGTHEN)
    return found + scrolling(page)


def in_chinese(page: Page, axe: str) -> list[tuple[object, ...]]:
    """Return what is found on a page at 320 pixels."""
    return [("320", *each) for each in barriers(page, axe)] + scrolling(page)


def scrolling(page: Page) -> list[tuple[object, ...]]:
    """Return whether a page scrolls sideways."""
    return [("320", "it scrolls sideways")] if sideways(page) > 0 else []
