"""A results page as its readers hold it: on a phone, on paper, and as files, in a real browser."""

import struct
from collections.abc import Iterator

import pytest
from answering import on_that_day, serving
from browsing import patient, sideways, sign_in
from playwright.sync_api import Browser, Page

from tossup.server.config import Config

PAGE = "/surveys/clubs"
TOGETHER = "/surveys/habits-joint/joint"
PHONE = {"width": 375, "height": 667}
#: A4 in CSS pixels, less the margins of a printer.
PAPER = {"width": 720, "height": 1040}


@pytest.fixture(scope="module")
def page(
    tmp_path_factory, browser: Browser, clubs_cells, joint_survey, put, receive, publisher_key
) -> Iterator[Page]:
    """A signed-in tab at a survey of five questions and four groups: a reader's bar is shorter."""
    app = on_that_day(Config(data=tmp_path_factory.mktemp("reading")))
    put(app, *clubs_cells, publisher_key)
    put(app, joint_survey, [], publisher_key)
    receive(app, joint_survey, 900)
    with serving(app) as url:
        context = patient(browser, base_url=url, viewport=PHONE, accept_downloads=True)
        page = context.new_page()
        sign_in(page, app, url)
        yield page
        context.close()
    app.extensions["tossup"].close()


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_phone_shows_every_finding_on_its_first_screen(page: Page, language: str):
    """One row each, links to their questions; the page is six screens long, details folded."""
    page.goto(f"{PAGE}?lang={language}")
    rows = page.locator(".glance li")
    ends = rows.evaluate_all("rows => rows.map(row => row.getBoundingClientRect().bottom)")

    assert rows.count() == 5
    assert max(ends) <= PHONE["height"], ends
    assert all("(" in row for row in rows.all_inner_texts())  # with the reports that it rests on
    assert page.evaluate("document.documentElement.scrollHeight") <= 6 * PHONE["height"]
    assert sideways(page) == 0


def test_figures_are_downloaded_as_svg_and_png(page: Page):
    """Pressed in the browser: of every question both, and of two together."""
    page.goto(PAGE)
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    page.locator("a[download$='.png']").nth(9).wait_for()
    for place in (0, 9):  # the first and the last of ten figures
        assert_taken_along(page, place)
    page.goto(TOGETHER)
    page.locator("a[download$='.png']").wait_for()
    assert_taken_along(page, 0)


def assert_taken_along(page: Page, place: int):
    """Take a figure along as SVG and as PNG, which is twice as large."""
    with page.expect_download() as drawn:
        page.locator("a[download$='.svg']").nth(place).click()
    svg = drawn.value.path().read_text()
    with page.expect_download() as drawn:
        page.locator("a[download$='.png']").nth(place).click()
    png = drawn.value.path().read_bytes()
    width, height = struct.unpack(">II", png[16:24])

    assert drawn.value.suggested_filename.endswith(".png")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert f'width="{width // 2}" height="{height // 2}"' in svg
    assert len(png) > 20_000  # something is drawn on it


def test_a_page_on_paper_has_the_findings_and_nothing_to_press(page: Page):
    """Folds stay as the reader left them: five pages and not the twenty of everything opened."""
    page.goto(PAGE)
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print", color_scheme="dark")
    visible = page.locator("main a.btn, main button, form, .menu, .top nav").evaluate_all(
        "parts => parts.filter(part => part.checkVisibility()).length"
    )
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    sheets = page.pdf(format="A4").count(b"/Type /Page\n")
    wide = sideways(page)
    page.emulate_media(media="screen", color_scheme="light")
    page.set_viewport_size(PHONE)

    assert (visible, ground, wide) == (0, "rgb(255, 255, 255)", 0)
    assert 2 <= sheets <= 6
