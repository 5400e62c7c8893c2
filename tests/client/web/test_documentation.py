"""What the guide and the reference of the browser SDK say is what it does."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from browsing import follow, patient

DOCS = Path(__file__).parents[3] / "docs"
GUIDE = (DOCS / "how-to/embed-in-a-page.md").read_text(encoding="utf-8")
REFERENCE = (DOCS / "reference/browser-sdk.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


@pytest.fixture
def link(publish, survey, request):
    name = re.sub("[^a-z]", "-", request.node.name)[:60].strip("-")
    return publish(replace(survey, id=name, questions=survey.questions[:1], attributes=()))


def shown(tab, site, link: str, content: str) -> None:
    """Show a page of the app with this content; its scripts know the link."""
    site.content = f"<script>LINK = {json.dumps(link)}</script>{content}".encode()
    tab.page.goto(site.host)
    site.content = b""


def test_the_form_with_one_script_tag_works(site, link, new_tab):
    """A respondent answers by pressing a button, and the report arrives."""
    (form,) = blocks("html")
    tab = new_tab()
    shown(tab, site, link, form)
    tab.page.get_by_label("Yes").check()
    tab.page.get_by_role("button").click()
    tab.page.wait_for_function("document.querySelector('output').value")

    assert tab.page.locator("output").text_content() == "queued"
    assert len(site.bodies()) == 1


@pytest.mark.parametrize("form", ["guide", "example"])
def test_a_form_whose_script_does_not_run_sends_nothing(site, browser, form):
    """Blocked, not found, or without its link: the browser itself would send the answer along."""
    example = (DOCS / "examples/form.html").read_text(encoding="utf-8")
    content = {"guide": blocks("html")[0], "example": example}[form]
    site.content = f'{content}<a href="/later">Later</a>'.encode()
    context = patient(browser, java_script_enabled=False)
    page, asked = context.new_page(), []
    page.goto(site.host)
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Yes").check()
    page.get_by_label("Yes").press("Enter")
    page.get_by_role("button").click(force=True)
    follow(page.get_by_role("link", name="Later"))
    context.close()
    site.content = b""

    assert asked == [f"{site.host.rstrip('/')}/later"]


def test_every_other_block_works(site, link, new_tab):
    """Each runs as a module, in a browser of its own, and what it says of results is so."""
    programs = blocks("js")
    assert len(programs) == 3
    for program in programs:
        tab = new_tab()
        told = ", ".join(set(re.findall(r"const (?:\{ )?(outcome|pending)", program)))
        script = f"{program}\nwindow.told = {{ {told} }};"
        shown(tab, site, link, f'<script type="module">{script}</script>')
        tab.page.wait_for_function("window.told")
        said = tab.page.evaluate("told")
        assert (said.get("outcome", "queued"), said.get("pending", 0)) == ("queued", 0)
    assert len(site.bodies()) == 2


def test_the_reference_names_every_member(built):
    """Methods, options, fields and outcomes of the types, each in the reference."""
    types = built / "package/types"
    text = "".join((types / f"{name}.d.ts").read_text() for name in ("client", "status", "preview"))
    members = re.findall(r"^    (?:readonly )?(\w+)\??(?::|\()", text, re.MULTILINE)
    members += re.findall(r'"([a-z-]+)"', (types / "outcome.d.ts").read_text())
    assert len(members) > 60

    missing = {
        name
        for name in members
        if not re.search(rf"`(?:how\.)?{name}", REFERENCE) and name != "constructor"
    }
    assert missing == set()
