"""Pages of people in a browser: an owner invites, a colleague chooses a password, and signs in."""

import re

import pytest
from browsing import barriers, follow, patient, picture, sign_in
from playwright.sync_api import Browser
from sweeps import proving

from tossup.server.web.people import passwords

MODES = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
    "dark-320": {"color_scheme": "dark", "viewport": {"width": 320, "height": 640}},
    "zh": {"locale": "zh-CN", "viewport": {"width": 1280, "height": 900}},
    "zh-320": {"locale": "zh-CN", "viewport": {"width": 320, "height": 640}},
}
PAGES = (
    *("/members", "/members/1/remove", "/keys", "/keys/1/revoke"),
    *("/sessions", "/record", "/sign-in"),
)
PASSWORD = "four coins on a table"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep passwords by a scrypt that takes no tenths of a second."""
    monkeypatch.setattr(passwords, "_LOG2_N", 4)


@pytest.fixture
def context(browser: Browser):
    """A browser of somebody, closed at the end."""
    made = patient(browser, java_script_enabled=False)
    yield made
    made.close()


def test_a_colleague_comes_in_without_a_script(browser: Browser, site, context) -> None:
    """From the owner's link to the colleague's second sign-in, by plain forms."""
    owner = context.new_page()
    sign_in(owner, site.app, site.url)
    follow(owner.get_by_role("link", name="Members"))
    owner.get_by_label("Name").fill("Grace Hopper")
    follow(owner.get_by_role("button", name="Add"))
    link = owner.locator(".box code").inner_text()
    other = patient(browser, java_script_enabled=False)
    page = other.new_page()
    page.goto(link)
    page.get_by_label("New password").fill(PASSWORD)
    follow(page.get_by_role("button", name="Keep the password and sign in"))
    seen = page.url
    follow(page.get_by_role("button", name="Sign out"))
    page.goto(f"{site.url}/sign-in")
    page.get_by_label("Name").fill("Grace Hopper")
    page.get_by_label("Password").fill(PASSWORD)
    follow(page.get_by_role("button", name="Sign in"))
    links = page.get_by_role("navigation").get_by_role("link").all_inner_texts()
    other.close()
    owner.goto(f"{site.url}/record?lang=zh-Hans")
    recorded = owner.locator(".record").inner_text()

    assert f"{site.url}/" == seen
    assert "My sessions" in links
    assert "Members" not in links
    assert re.search("日 ..:.. 本机所有者：添加成员（Grace Hopper, viewer）", recorded)
    assert "Grace Hopper：选择密码（Grace Hopper）" in recorded


@pytest.mark.parametrize("mode", proving(["dark-320", "zh", "light", "zh-320"], but=["dark-320"]))
def test_pages_of_people_have_no_barriers_and_fit(
    browser: Browser, site, axe: str, mode: str
) -> None:
    """In light, dark, two languages and on a small screen; what a form says is wrong, too."""
    services, found = site.app.extensions["tossup"], []
    services.auth.create_key("nightly export", "viewer")
    name = f"ada lovelace, {mode}, of the analytical engine"
    ada = services.store.add_member(name, "analyst")
    context = patient(browser, **MODES[mode])
    page, complaints = context.new_page(), []
    page.on("console", lambda message, said=complaints: said.append(message.text))
    page.goto(f"{site.url}/sign-in/{services.auth.create_link(member=ada.number)}")
    found += [(mode, "choose", fault) for fault in _faults(page, axe, f"choose-{mode}")]
    page.goto(f"{site.url}/sign-in/{services.auth.create_link()}")
    follow(page.locator("main button"))
    for path in PAGES:
        page.goto(site.url + path)
        found += [
            (mode, path, fault)
            for fault in _faults(page, axe, f"{path[1:].replace('/', '-')}-{mode}")
        ]
    page.locator("#name").fill("ada")
    page.locator("#password").fill("x")
    follow(page.locator("main button"))
    assert page.locator("[role=alert]").is_visible()
    found += [(mode, "wrong", fault) for fault in _faults(page, axe, f"wrong-{mode}")]
    page.goto(f"{site.url}/members")
    follow(page.locator("form[action$='/link'] button").first)
    assert page.locator(".box code").is_visible()
    found += [(mode, "link", fault) for fault in _faults(page, axe, f"link-{mode}")]
    # Chromium itself writes the status of a refused form there.
    found += [(mode, "says", said) for said in complaints if "403" not in said]
    context.close()

    assert found == []


def _faults(page, axe: str, name: str) -> list[object]:
    picture(page, f"people-{name}")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return barriers(page, axe) + (["it scrolls sideways"] if wide else [])
