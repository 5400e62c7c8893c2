"""A survey signed in its author's browser, with a key that the server never sees."""

from collections.abc import Iterator

import pytest
from browsing import barriers, follow, patient, picture, sign_in
from playwright.sync_api import Page, expect

from tossup.server.surveys.publishing import publisher
from tossup.shared.signing import key_id, public_bytes

FILE = """
id = "habits"
title = "Habits"
purpose = "To learn how common a habit is."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
"""
#: What a page can learn of the key that the browser keeps: everything, if it can be read out.
READ_OUT = """async () => {
  const done = asked => new Promise(tell => { asked.onsuccess = () => tell(asked.result); });
  const base = await done(indexedDB.open("tossup-publisher"));
  const kept = await done(base.transaction("keys").objectStore("keys").get("publisher"));
  try { return JSON.stringify(await crypto.subtle.exportKey("jwk", kept.key)); }
  catch (error) { return error.name; }
}"""


@pytest.fixture
def page(browser, site) -> Iterator[Page]:
    context = patient(browser, locale="en", accept_downloads=True)
    page = context.new_page()
    sign_in(page, site.app, site.url)
    yield page
    context.close()


def take_in(page: Page, url: str, text: str) -> None:
    """Make a draft of a file, and go to where it is published by a key of the browser."""
    page.goto(f"{url}/drafts/import")
    page.locator("[name=text]").fill(text)
    follow(page.get_by_role("button", name="Make it a draft"))
    follow(page.get_by_role("link", name="Publish …"))
    page.locator("[name=by][value=browser]").check()


def test_a_key_of_the_browser_signs_a_survey_and_its_next_version(page, site, axe, tmp_path):
    """It never leaves, is never read out, and its file signs where the browser's data is gone."""
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(f"{asked.url} {asked.post_data or ''}"))
    take_in(page, site.url, FILE)
    found = []
    for width, scheme in ((1280, "light"), (320, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found += barriers(page, axe)
        found += [width] if page.evaluate("document.documentElement.scrollWidth") > width else []
        picture(page, f"author-signing-{scheme}-{width}")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("[data-signing] [role=status]")).to_contain_text("There is no key")
    with page.expect_download() as download:
        page.get_by_role("button", name="Make a key and save its file").click()
    file = tmp_path / "publisher.pem"
    download.value.save_as(file)
    key = publisher.load(file)
    page.get_by_text(key_id(public_bytes(key))).wait_for()
    assert page.evaluate(READ_OUT) == "InvalidAccessError"
    follow(page.get_by_role("button", name="Publish"))
    store = site.app.extensions["tossup"].store
    assert store.survey("habits").survey.publisher.key == public_bytes(key)

    take_in(page, site.url, FILE.replace("ever tried it", "tried it ever"))
    page.get_by_role("button", name="Forget the key here").click()
    page.get_by_text("There is no key").wait_for()
    page.locator("#f-key").set_input_files({"name": "a", "mimeType": "x/y", "buffer": b"none"})
    page.get_by_text("This file holds no Ed25519 key").wait_for()
    page.locator("#f-key").set_input_files(file)
    page.get_by_text(key_id(public_bytes(key))).wait_for()
    page.locator("[name=same]").check()
    follow(page.get_by_role("button", name="Publish"))

    assert store.survey("habits").survey.version == 2
    secret = file.read_text().split("\n")[1]
    assert not [each for each in sent if secret in each or secret[-40:] in each]
    assert found == []
