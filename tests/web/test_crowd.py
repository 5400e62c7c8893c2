"""Every kind of question at the page: alone, together, in waves, and from a crowd."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random

import pytest
from answering import ANSWER, FIRST, FORGET, KEPT, NIGHTLIFE, SECRET, Site
from browsing import patient
from playwright.sync_api import Browser, Page

from tossup.server.config import Config
from tossup.server.ingest.recount import recount
from tossup.server.web.app import create_app
from tossup.shared.coins import Coins
from tossup.shared.survey import Question
from tossup.shared.wire import decode_batch

#: Lets coins fall as they are told to: a row of bytes for each question, which begins with an id.
ROWS = """(() => {
  const firsts = FIRSTS;
  let first = 0, at = 0;
  window.fall = question => { first = firsts[question] ?? 0; at = 0; };
  crypto.getRandomValues = array => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = (at++ * 37 + first) & 255;
    return array;
  };
})()"""
#: 16 random bytes in base64.
ID = r"[A-Za-z0-9+/]{22}=="
RESPONDENTS = 200
#: So many devices answer at the same time.
AT_ONCE = 10
#: Answers that differ from these in every question.
OTHER = {
    "region": "south",
    "cocaine": False,
    "often": "never",
    "tried": [],
    "drinks": 19,
    "worry": ["police", "health", "money"],
    "word": "fun",
}
NOW = datetime.now(UTC)


def someone(random: Random) -> dict[str, object]:
    """Return made-up answers to `NIGHTLIFE`."""
    return {
        "region": random.choice(["north", "south"]),
        "cocaine": random.random() < 0.3,
        "often": random.choice(["never", "weekly", "weekly"]),
        "tried": random.sample(["mdma", "ketamine", "speed"], random.randint(0, 2)),
        "drinks": random.randint(0, 20),
        "worry": random.sample(["health", "police", "money"], 3),
        # Found nowhere else, so that whoever looks for it finds the truth or nothing.
        "word": "zq" + "".join(random.choices("abcdefgh", k=10)),
    }


def visited(
    browser: Browser, link: str, answers: dict[str, object], script: str = ""
) -> tuple[Page, list[str]]:
    """Answer on a device of its own; return its page, and all that it sent and said."""
    context = patient(browser, reduced_motion="reduce", viewport={"width": 320, "height": 240})
    if script:
        context.add_init_script(script)
        context.clock.set_fixed_time(NOW)  # a receipt has the day
    page = context.new_page()
    traces: list[str] = []
    page.on("console", lambda message: traces.append(message.text))
    page.on("pageerror", lambda error: traces.append(str(error)))
    page.on("request", lambda asked: traces.append(f"{asked.url} {asked.post_data or ''}"))
    page.goto(link)
    assert page.evaluate(ANSWER, answers) == "receipt", traces
    return page, traces


def reports_in(traces: list[str]) -> list[str]:
    """Return the bodies of the reports that were sent."""
    return [trace.partition("/v1/reports ")[2] for trace in traces if "/v1/reports {" in trace]


def test_every_kind_is_answered_at_the_page(site: Site, browser: Browser):
    """One report for each question is counted; what was written in plain text is nowhere."""
    page, traces = visited(browser, site.survey(NIGHTLIFE, id="kinds"), FIRST)
    store = site.app.extensions["tossup"].store
    survey = store.survey("kinds").survey
    sent = [decode_batch(body.encode(), survey) for body in reports_in(traces)]

    assert {name for batch in sent for name in batch.columns} == set(FIRST) - {"region"}
    assert [len(batch.ids) for batch in sent] == [1] * 6
    assert store.survey("kinds").reports == 6
    assert recount(store, "kinds").agrees
    kept = page.evaluate(KEPT)
    title = page.title()
    assert not [trace for trace in (*traces, kept, title) if SECRET in trace or "zebra" in trace]
    page.context.close()


def test_heads_first_every_kind_leaves_the_same_bytes(site: Site, browser: Browser):
    """Where chance decides, all that is sent, kept, said and shown is alike for other answers.

    Of several options the coins move the answer, other answers to other reports: there all but the
    report itself is alike.
    """
    link = site.survey(NIGHTLIFE, id="alike")
    questions = site.app.extensions["tossup"].store.survey("alike").survey.questions
    firsts = {question.id: heads(question, FIRST, OTHER) for question in questions}
    moved = [name for name, first in firsts.items() if first is None]
    script = ROWS.replace("FIRSTS", json.dumps(firsts))
    left = []
    for answers in (FIRST, OTHER):
        page, traces = visited(browser, link, answers, script)
        # Modules are loaded side by side, and reports leave while one answers: in any order.
        sent = sorted(re.sub(rf'("{"|".join(moved)}":)"[^"]+"', r"\1...", each) for each in traces)
        left.append((sent, page.evaluate(KEPT), page.url, page.inner_text("body")))
        page.context.close()

    assert moved == ["often"]
    assert len(reports_in(left[0][0])) == len(questions) == 6
    assert left[0] == left[1]


def heads(question: Question, *answers: dict[str, object]) -> int | None:
    """Return the first byte of a row with which a question's report is the same for all answers."""
    domain, mechanism = question.domain, question.mechanism
    for first in range(256):
        found = set()
        for given in answers:
            place = domain.place(given[question.id])
            row = (bytes([(at * 37 + first) & 255]) for at in range(16, 1 << 12))
            coins = Coins(lambda count, row=row: b"".join(islice(row, count)))
            assert place is not None
            found.add(mechanism.perturb(domain.index(place, mechanism, coins), coins))
        if len(found) == 1:
            return first
    return None


def test_joint_answers_are_one_report_and_waves_come_again(site: Site, browser: Browser):
    """Answers that travel together are one screen and one report; a next wave asks anew."""
    head, _, rest = NIGHTLIFE.partition("[publisher]")
    joint = f'{head}linkage = "joint"\n[publisher]{rest}'
    page, traces = visited(browser, site.survey(joint, id="joint"), FIRST)
    (body,) = reports_in(traces)
    assert list(json.loads(body)["columns"]) == [name for name in FIRST if name != "region"]
    page.context.close()

    # Two days each: at midnight the first wave is still the first one.
    waves = f'[waves]\ncount = 2\nfirst = "{NOW:%Y-%m-%d}"\ndays = 2\ntimes = 2\n'
    few = head + "[publisher]" + rest.partition('id = "often"')[0].rpartition("[[question]]")[0]
    page, traces = visited(browser, site.survey(few + waves, id="waves"), FIRST)
    link = page.url
    assert len(reports_in(traces)) == 1
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=2))
    page.goto("about:blank")
    page.goto(link)
    assert page.evaluate(ANSWER, FIRST) == "receipt"
    assert len(reports_in(traces)) == 2, "the second wave asks again"
    page.goto("about:blank")
    page.goto(link)
    page.get_by_role("heading", level=1, name="This device has already answered.").wait_for()
    assert len(reports_in(traces)) == 2
    page.context.close()


def crowd(browser: Browser, link: str, random: Random) -> Iterator[str]:
    """Let all respondents answer, some at a time; yield the bodies that were sent.

    A device is made one that has never been here when its respondent is done. The page is loaded
    anew and not left in between: for another site's page a browser starts another process.
    """
    people = [someone(random) for _ in range(AT_ONCE)]
    visits = [visited(browser, link, answers) for answers in people]
    for turn in range(RESPONDENTS // AT_ONCE):
        if turn:
            people = [someone(random) for _ in visits]
            for (page, traces), answers in zip(visits, people, strict=True):
                page.evaluate(FORGET)
                traces.clear()
                page.reload(wait_until="domcontentloaded")
                page.evaluate(f"answers => {{ window.done = ({ANSWER})(answers); }}", answers)
            assert {page.evaluate("window.done") for page, _ in visits} == {"receipt"}
        for (page, traces), answers in zip(visits, people, strict=True):
            check_silent(page, link, traces, answers)
            yield from reports_in(traces)
    for page, _ in visits:
        page.context.close()


def check_silent(page: Page, link: str, traces: list[str], answers: dict[str, object]) -> None:
    """Check that no answer is in what a page asked for, sent, said, keeps or has as address.

    The options are known, the word is the respondent's own. Of numbers and of yes and no it is the
    same bytes for other answers that show it. An id is chance alone, in which any word may come.
    """
    origin = "/".join(link.split("/")[:3])
    assert all(trace.startswith(origin) for trace in traces), "nothing is said in the console"
    shown = "[location.href, history.length, document.title]"
    address, pages, title = page.evaluate(shown)
    assert (address, pages) == (link, 2), "a blank page, and this one"
    words = {answers["word"], answers["often"], *answers["tried"], *answers["worry"]}
    spoken = re.sub(ID, "", "\n".join([*traces, page.evaluate(KEPT), title]))
    assert not [word for word in words if re.search(rf"\b{word}\b", spoken)]


@pytest.mark.prove
def test_the_estimate_of_200_respondents_is_that_of_their_reports(
    site: Site, browser: Browser, tmp_path, publisher_key
):
    """Every report is counted, and a second server that is given their bytes says the same.

    Of yes and no the estimate is twice the share of yes in the bytes, less a half.
    """
    link = site.survey(NIGHTLIFE, id="crowd", minimum_batch=RESPONDENTS // 2)
    bodies = list(crowd(browser, link, Random(200)))
    told = site.app.test_client().get("/v1/surveys/crowd/results").json

    store = site.app.extensions["tossup"].store
    survey = store.survey("crowd").survey
    assert len(bodies) == len(set(bodies)) == store.survey("crowd").reports == 6 * RESPONDENTS
    assert recount(store, "crowd").agrees
    again = Site(create_app(Config(data=tmp_path)), "", site.put, publisher_key)
    again.put(again.app, survey, [], publisher_key)
    client = again.app.test_client()
    for body in bodies:
        assert client.post("/v1/reports", data=body, content_type="text/plain").status_code == 200
    assert client.get("/v1/surveys/crowd/results").json["questions"] == told["questions"]
    again.app.extensions["tossup"].close()
    batches = [decode_batch(body.encode(), survey) for body in bodies]
    said = [batch.columns["cocaine"][0] for batch in batches if "cocaine" in batch.columns]
    (yes,) = [part for part in told["questions"] if part["id"] == "cocaine"]
    (estimate,) = [part["value"] for part in yes["estimates"] if part["answer"] == "yes"]
    assert estimate == pytest.approx(2 * sum(said) / RESPONDENTS - 0.5)
