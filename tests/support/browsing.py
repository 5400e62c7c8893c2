"""Debian's Chromium for tests of pages, and what they look for in one."""

import json
import os
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

CHROMIUM = Path("/usr/bin/chromium")
#: The same engine without a browser's windows and menus: a tab opens in a fifth of the time.
SHELL = Path("/usr/bin/chromium-headless-shell")
ROOT = Path(__file__).parents[2]
AXE = ROOT / "build/web/node_modules/axe-core/axe.min.js"
#: The folder for what pages look like; without one, no picture is taken.
SCREENS = os.environ.get("SCREENS")
#: Where tests of pages are.
ROOMS = (ROOT / "tests/web", ROOT / "tests/client/web")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
)
#: How long to wait for a page, in milliseconds: a busy machine must not fail a test.
PATIENCE = 300_000
expect.set_options(timeout=PATIENCE)
#: Rules of axe-core: WCAG 2.2 AA and best practices, or contrast alone.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = {"type": "rule", "values": ["color-contrast"]}

#: Lets a page wait for a server as long as a test waits for a page: it gives up after 10 seconds.
NO_HURRY = "AbortSignal.timeout = () => new AbortController().signal"
#: Makes of what axe-core returns the rules that are broken, and where each is first.
BROKEN = "({violations}) => violations.map(({id, nodes}) => [id, nodes[0].html.slice(0, 200)])"
OPEN_ALL = "document.querySelectorAll('details').forEach(part => part.open = true)"
LENGTHEN = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode;
  if (text.data.trim()) text.data += ' ' + text.data.slice(0, Math.ceil(text.data.length * 0.4));
}
"""


_RUNNING = ExitStack()


@cache
def driver() -> Playwright:
    """Return what drives browsers, started by the first test that needs it."""
    if not CHROMIUM.exists():
        pytest.fail("the browser tests need Debian's package chromium: apt-get install chromium")
    return _RUNNING.enter_context(sync_playwright())


@cache
def chromium() -> Browser:
    """Return Debian's Chromium, headless, with an empty profile: one for all tests in a row.

    Its shell where that is installed; the whole browser shows the same, and takes longer.
    """
    program = SHELL if SHELL.exists() else CHROMIUM
    browser = driver().chromium.launch(executable_path=program, args=list(FLAGS), timeout=PATIENCE)
    return _RUNNING.enter_context(browser)


def patient(browser: Browser, **settings: Any) -> BrowserContext:
    """Return a device of its own, with an empty profile, whose pages are waited for patiently."""
    context = browser.new_context(**settings)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(NO_HURRY)
    return context


def follow(part: Locator) -> None:
    """Press a link or a button, and wait for the page that it brings.

    A click alone may come back before that page: what is read next would be read of the old one,
    and what is opened next would stop the new one.
    """
    with part.page.expect_navigation():
        part.click()


def sign_in(page: Page, app: Flask, home: str) -> None:
    """Sign in as whoever runs the machine of an application that is served at an address."""
    page.goto(f"{home}/sign-in/{app.extensions['tossup'].auth.create_link()}")
    follow(page.get_by_role("button", name="Sign in on this browser"))


def close_before(following: pytest.Item | None) -> None:
    """End the browser and its driver, unless the following test is one of pages as well.

    The driver's event loop would be in the way of tests that run one.
    """
    if following is None or following.path.parent not in ROOMS:
        _RUNNING.close()
        driver.cache_clear()
        chromium.cache_clear()


def axe_source() -> str:
    """Return the source of axe-core."""
    if not AXE.exists():
        pytest.fail(
            "axe-core is missing; `make test` installs it, and so does: mkdir -p build/web &&"
            " cp tests/web/package*.json build/web && npm ci --prefix build/web --ignore-scripts"
        )
    return AXE.read_text()


def barriers(page: Page, axe: str, rules: object = TAGS) -> list[tuple[str, str]]:
    """Return what axe-core finds on a page as it is, by these rules: each rule, and a place."""
    if page.evaluate("!window.axe"):
        page.evaluate(axe)
    options = json.dumps({"runOnly": rules, "resultTypes": ["violations"]})
    return [
        (rule, at) for rule, at in page.evaluate(f"axe.run(document, {options}).then({BROKEN})")
    ]


def sideways(page: Page) -> int:
    """Return how many pixels a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def picture(page: Page, name: str, *, whole: bool = True) -> None:
    """Write what a page looks like to the folder `SCREENS`, for people to look at.

    A test asserts nothing of a picture, and Chromium refuses one now and then on a busy machine
    ("Unable to capture screenshot"): so pictures are taken where they are asked for alone.
    """
    if SCREENS:
        page.screenshot(path=Path(SCREENS) / f"{name}.png", full_page=whole)
