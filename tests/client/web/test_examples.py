"""Every example of ``docs/examples``, as it stands there, before a real server and browser."""

import importlib.util
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from werkzeug.serving import make_server

from tossup.client import Client
from tossup.shared.wire import decode_batch

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs/examples"
VENDOR = ROOT / "build/web/node_modules"
ESBUILD = ROOT / "client/web/node_modules/.bin/esbuild"

MODEL = """
import { Model } from "survey-core";
import { protect } from "./surveyjs.js";
window.begin = (client) => {
  const model = new Model({ elements: [
    { type: "boolean", name: "ever_tried" },
    { type: "dropdown", name: "region", choices: ["north", "south"] },
    { type: "text", name: "satisfied" } ] });
  window.kept = [];
  window.model = model;
  protect(model, client, { questions: ["ever_tried"], attributes: ["region"] }, (outcome) => {
    window.outcome = outcome;
  });
  model.onComplete.add((sender) => window.kept.push(sender.data));
  model.data = { ever_tried: true, region: "south", satisfied: "4" };
  model.doComplete();
};
"""
REACT = """
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { Sensitive } from "./sensitive.jsx";
window.begin = (client) => {
  document.body.innerHTML = "<main></main>";
  const props = { client, id: "ever_tried", text: "Ever?", attributes: { region: "south" } };
  createRoot(document.querySelector("main")).render(createElement(Sensitive, props));
};
"""


@pytest.fixture(scope="module")
def habit(survey):
    """A survey of one yes/no question and one attribute."""
    return replace(survey, id="habit", questions=survey.questions[:1])


@pytest.fixture
def bundled(tmp_path):
    """The function that bundles an entry beside the examples, for a script tag."""

    def bundle(entry: str) -> str:
        made = subprocess.run(
            [
                *(ESBUILD, "--bundle", "--format=iife", "--loader=jsx", "--jsx=automatic"),
                '--define:process.env.NODE_ENV="production"',
            ],
            input=entry,
            cwd=EXAMPLES,
            env={**os.environ, "NODE_PATH": str(VENDOR)},
            capture_output=True,
            text=True,
            check=True,
        )
        return made.stdout

    return bundle


def received(site, survey) -> list[int]:
    """The reports of `ever_tried` that arrived, each with the place of the region it named."""
    batches = [decode_batch(body, survey) for body in site.bodies()]
    assert all(set(batch.columns) == {"ever_tried"} for batch in batches)
    return [place for batch in batches for place in batch.attributes["region"]]


def test_the_plain_form_sends_a_report_and_posts_nothing(site, publish, habit, new_tab):
    """Chosen, tossed, sent, said."""
    link, page = publish(habit), new_tab().page
    html = (EXAMPLES / "form.html").read_text(encoding="utf-8")
    page.goto(f"{site.host}/form#survey={quote(link, safe='')}")
    page.set_content(html)
    page.check("input[value=yes]")
    page.click("button")
    assert page.evaluate("document.querySelector('select').validity.valueMissing")
    page.select_option("select", "south")
    page.click("button")
    page.wait_for_function("document.querySelector('output').textContent")

    assert page.text_content("output") == "Tossed, sent, done."
    assert received(site, habit) == [1]
    assert not page.is_checked("input[value=yes]")

    page.check("input[value=no]")
    page.select_option("select", "north")
    page.click("button")
    expect(page.locator("output")).to_have_text("Nothing was sent (already-answered).")


def test_surveyjs_keeps_no_protected_answer(site, publish, habit, new_tab, bundled):
    """The result holds the rest, with the public attribute; the toss is sent.

    The last page thanks for it, and says so where nothing was tossed.
    """
    tab = new_tab().open(site.host, publish(replace(habit, id="habit-surveyjs")))
    tab.page.add_script_tag(content=bundled(MODEL))
    tab.page.evaluate("window.begin(window.client)")
    tab.page.wait_for_function("window.outcome")

    assert tab.page.evaluate("window.outcome") == "queued"
    assert tab.page.evaluate("window.kept") == [{"region": "south", "satisfied": "4"}]
    assert received(site, replace(habit, id="habit-surveyjs")) == [1]
    assert "Thank you" in tab.page.evaluate("window.model.processedCompletedHtml")

    tab.page.evaluate("delete window.outcome; window.begin(window.client)")
    # What is chosen anew while they are tossed stays in the page, too.
    tab.page.evaluate("window.model.setValue('ever_tried', false); window.model.doComplete()")
    tab.page.wait_for_function("window.outcome")
    said = tab.page.evaluate("window.model.processedCompletedHtml")
    assert "Nothing was sent (already-answered)." in said
    assert tab.page.evaluate("window.kept") == [{"region": "south", "satisfied": "4"}]


def test_the_react_component_asks_and_says_what_became_of_it(
    site, publish, habit, new_tab, bundled
):
    """Two buttons, one toss; a form around them is not sent."""
    survey = replace(habit, id="habit-react")
    tab = new_tab().open(site.host, publish(survey))
    tab.page.add_script_tag(content=bundled(REACT))
    tab.page.evaluate("window.begin(window.client)")
    yes = tab.page.get_by_role("button", name="Yes")
    assert yes.get_attribute("type") == "button"
    yes.click()
    tab.page.get_by_text("Tossed, sent, done.").wait_for()

    assert received(site, survey) == [1]


def test_the_react_component_claims_no_report_that_is_still_kept(
    site, publish, habit, new_tab, bundled
):
    """Without a network it says that it keeps the report."""
    tab = new_tab().open(site.host, publish(replace(habit, id="habit-react-kept")))
    tab.page.add_script_tag(content=bundled(REACT))
    tab.page.evaluate("window.client.preview().then(() => window.begin(window.client))")
    tab.page.get_by_role("button", name="Yes").wait_for()
    tab.page.route("**/v1/reports", lambda route: route.abort())
    tab.page.get_by_role("button", name="Yes").click()

    tab.page.get_by_text("Tossed, and kept until you are online.").wait_for()


def test_the_flask_site_never_gets_the_sensitive_answer(site, publish, habit, new_tab, monkeypatch):
    """Its own answer is posted to it; of the other one nothing, and its policy allows the toss.

    Where the collector is not reached, what was chosen stands, and nobody is thanked.
    """
    survey = replace(habit, id="habit-flask")
    monkeypatch.setenv("SURVEY_LINK", publish(survey))
    monkeypatch.setenv("SDK", str(site.built / "package"))
    spec = importlib.util.spec_from_file_location("flask_app", EXAMPLES / "flask_app.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tab = new_tab()
    server = make_server("127.0.0.1", 0, module.app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        tab.page.goto(f"http://127.0.0.1:{server.port}")
        tab.page.fill("input[name=satisfied]", "4")
        tab.page.check("[data-answer=no]")
        tab.page.check("[data-answer=yes]")
        assert not tab.page.is_checked("[data-answer=no]")
        tab.page.route(f"{module.COLLECTOR}/**", lambda route: route.abort())
        tab.page.click("button")
        tab.page.get_by_text("Nothing was sent (").wait_for()
        assert tab.page.is_checked("[data-answer=yes]")
        assert module.answers == []
        tab.page.unroute_all()
        tab.said.clear()
        tab.page.click("button")
        tab.page.get_by_role("heading", name="Thank you").wait_for()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

    assert module.answers == [{"satisfied": "4"}]
    assert received(site, survey) == [0]
    assert [line for line in tab.said if "favicon" not in line and "404" not in line] == []


def test_a_kiosk_asks_until_it_has_an_answer_and_stops_where_it_cannot_ask(
    site, publish, habit, tmp_path
):
    """What is no answer is no "no"; without a survey it says why, once."""
    survey = replace(habit, id="habit-mistyped")
    link, folder = publish(survey), tmp_path / "kiosk"
    command = [sys.executable, EXAMPLES / "kiosk.py", link, folder]
    typed = "maybe\n\nyse\nyes\nnon\n"
    asked = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    command[2] = link.replace("habit-mistyped", "habit-unknown")
    lost = subprocess.run(
        command, input="yes\n", capture_output=True, text=True, check=False, timeout=300
    )

    assert asked.stdout.count("Thank you.") == 1
    assert asked.stdout.count("Please type yes or no") == 4
    assert len([*folder.glob("*.db")]) == 1
    assert lost.returncode == 1
    assert (lost.stdout, lost.stderr.count("Nobody can be asked: ")) == ("", 1)


def test_on_the_kiosk_nobody_sends_anothers_report(site, publish, habit, tmp_path):
    """Three people, three reports, no store left; the device forgets none by itself."""
    survey = replace(habit, id="habit-kiosk")
    link, folder = publish(survey), tmp_path / "kiosk"
    command = [sys.executable, EXAMPLES / "kiosk.py", link, folder]
    asked = subprocess.run(
        command, input="yes\nno\nYES\n", capture_output=True, text=True, check=True
    )
    assert asked.stdout.count("The coins were tossed") == 3
    assert received(site, survey) == []
    sent = subprocess.run([*command, "--send"], capture_output=True, text=True, check=False)

    assert (sent.returncode, sent.stderr) == (0, "")
    assert received(site, survey) == [0, 0, 0]
    assert [path for path in folder.iterdir() if path.suffix == ".db"] == []
    assert Client(link, store=folder / "new.db").status().sent == 0
