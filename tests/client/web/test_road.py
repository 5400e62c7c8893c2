"""One answer's whole way: a page of another origin, a real browser, a real server."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tossup.client import Outcome
from tossup.shared.mechanisms import TwoCoin
from tossup.shared.survey import Question
from tossup.shared.wire import decode_batch

SOURCE = Path(__file__).parents[3] / "client/web"


@pytest.fixture(scope="module")
def habit(survey):
    """A survey of one yes/no question and one attribute."""
    return replace(survey, id="habit", questions=survey.questions[:1])


def both(survey, name):
    """Return a survey of two yes/no questions without attributes."""
    questions = (
        Question("first", "topic-1", {"en": "First?"}, (), TwoCoin()),
        Question("second", "topic-2", {"en": "Second?"}, (), TwoCoin()),
    )
    return replace(survey, id=name, questions=questions, attributes=())


def test_it_works(site, publish, habit, new_tab):
    """The report arrives, is counted, and the device says so."""
    tab = new_tab().open(site.host, publish(habit))

    assert tab.call("survey")["digest"] == habit.digest
    assert tab.call("toAsk") == ["ever_tried"]
    assert tab.call("answer", {"ever_tried": True, "region": "south"}) == "queued"
    assert tab.call("toAsk") == []
    assert tab.call("flush") == {
        "sent": 1,
        "withdrawn": 0,
        "pending": 0,
        "quarantined": 0,
        "unwithdrawn": 0,
        "retryAfterSeconds": 0,
        "reason": None,
    }
    (body,) = site.bodies()
    batch = decode_batch(body, habit)
    assert (len(batch.ids), batch.attributes) == (1, {"region": (1,)})
    assert sum(sum(cell.counts) for cell in site.app.extensions["tossup"].store.tally("habit")) == 1
    status = tab.call("status")
    assert (status["sent"], status["pending"], status["answeredTopics"]) == (1, 0, ["habit"])
    assert (status["publisher"]["odds"], status["trouble"]) == ({"n": 3, "d": 1}, None)
    assert tab.said == []


def test_a_request_carries_nothing_of_the_page_or_the_device(site, publish, habit, new_tab):
    """No cookie, no referrer, no preflight, and no header that differs between devices."""
    tab = new_tab()
    tab.page.context.add_cookies([{"name": "c", "value": "1", "url": site.url}])
    tab.open(site.host + "/private/path?who=me", publish(replace(habit, id="habit-plain")))
    tab.call("answer", {"ever_tried": False, "region": "north"})
    tab.call("flush")

    assert [request.method for request in site.requests] == ["GET", "POST"]
    for request in site.requests:
        assert not {"cookie", "referer", "authorization"} & set(request.headers)
        assert request.headers["accept"].startswith("application/vnd.tossup.")
    assert "private" not in repr(site.requests)


def test_with_the_same_coins_heads_first_all_that_leaves_or_stays_is_the_same(
    site, publish, survey, new_tab
):
    """Requests, storage, history and console tell nothing of the answer."""
    link = publish(both(survey, "alike"))
    seen = []
    for answer in (True, False):
        site.requests.clear()
        tab = new_tab().open(site.host, link)
        tab.page.evaluate(
            """() => { crypto.getRandomValues = (bytes) => bytes.fill(bytes.length > 1 ? 7 : 3) }"""
        )
        assert tab.call("answer", {"first": answer}) == "queued"
        kept = everything_kept(tab)
        tab.call("flush")
        seen.append([site.bodies(), kept, everything_kept(tab), tab.page.url, tab.said])

    assert seen[0] == seen[1]
    assert len(seen[0][0]) == 1


def everything_kept(tab) -> str:
    """Return all that the browser stores for the page's origin, as text."""
    return tab.page.evaluate(
        """async () => {
          const all = { local: { ...localStorage }, session: { ...sessionStorage } };
          for (const { name } of await indexedDB.databases()) {
            const database = await new Promise((resolve) => {
              const opening = indexedDB.open(name);
              opening.onsuccess = () => resolve(opening.result);
            });
            for (const store of database.objectStoreNames) {
              const asked = database.transaction(store).objectStore(store).getAll();
              all[`${name}/${store}`] = await new Promise((resolve) => {
                asked.onsuccess = () => resolve(asked.result);
              });
            }
            database.close();
          }
          const plain = (value) => (ArrayBuffer.isView(value) ? [...value] : value);
          return JSON.stringify(all, (key, value) =>
            typeof value === "bigint" ? `${value}` : plain(value));
        }"""
    )


def test_outcomes_have_the_names_of_those_of_python():
    """An app reads the same names on every device."""
    source = (SOURCE / "src/outcome.ts").read_text()

    assert {outcome.value for outcome in Outcome} == set(re.findall(r'\| "([a-z-]+)"', source))


def test_an_answer_may_be_bound_to_what_was_shown(site, publish, survey, new_tab):
    """If the survey has another version by now, nothing is tossed."""
    shown = both(survey, "shown")
    tab = new_tab().open(site.host, publish(shown))

    assert tab.call("answer", {"first": True}, {"manifest": "0" * 64}) == "preview-again"
    assert tab.call("answer", {"first": True}, {"manifest": shown.digest}) == "queued"


def test_joint_answers_travel_together(site, publish, survey, new_tab):
    """One report for all questions; a part of them is refused."""
    joint = replace(both(survey, "together"), linkage="joint")
    tab = new_tab().open(site.host, publish(joint))

    assert tab.call("answer", {"first": True}) == "refused-answer"
    assert tab.call("answer", {"second": True, "first": True}) == "queued"
    assert tab.call("answer", {"second": True, "first": True}) == "already-answered"
    assert tab.call("flush")["sent"] == 1
    (body,) = site.bodies()
    assert list(json.loads(body)["columns"]) == ["first", "second"]
    decode_batch(body, joint)


def test_reports_of_one_device_travel_alone_in_the_order_of_their_ids(
    site, publish, survey, new_tab
):
    """Neither order nor company tells which answers were given together."""
    tab = new_tab().open(site.host, publish(both(survey, "alone")))
    tab.call("answer", {"first": True, "second": False})

    assert [tab.call("flush", {"limit": most})["sent"] for most in (0, 1)] == [0, 1]
    assert tab.call("flush")["sent"] == 1
    ids = [json.loads(body)["ids"] for body in site.bodies()]
    assert ids == sorted(ids)
    assert sorted(list(json.loads(body)["columns"]) for body in site.bodies()) == [
        ["first"],
        ["second"],
    ]


REFUSED = [
    {},
    {"ever_tried": "yes", "region": "north"},
    {"ever_tried": 1, "region": "north"},
    {"ever_tried": None, "region": "north"},
    {"ever_tried": True},
    {"ever_tried": True, "region": "west"},
    {"ever_tried": True, "region": 0},
    {"ever_tried": True, "region": "north", "other": 1},
    [],
    None,
    "ever_tried",
]


def test_what_is_no_answer_spends_nothing_and_is_not_repeated(site, publish, habit, new_tab):
    """A refusal names the question, never the answer, and the page sees no exception."""
    tab = new_tab().open(site.host, publish(replace(habit, id="habit-refused")))

    for answers in REFUSED:
        assert tab.call("answer", answers) == "refused-answer", answers
        assert "yes" not in (tab.call("status")["problem"] or "")
    assert tab.call("status")["publisher"]["odds"] == {"n": 1, "d": 1}
    assert (site.bodies(), tab.said) == ([], [])


def test_caps_hold_for_life_over_all_surveys_of_a_page(site, publish, survey, new_tab):
    """A question, a publisher and the device may cost no more than the app allows."""
    tab = new_tab()
    tab.open(site.host, publish(both(survey, "caps-1")), publisherCap=9)
    assert tab.call("answer", {"first": True, "second": True}) == "queued"
    third = replace(
        both(survey, "caps-2"),
        questions=(Question("third", "topic-3", {"en": "Third?"}, (), TwoCoin()),),
    )
    link = publish(third)
    for cap in ("publisherCap", "deviceCap"):
        tab.client(link, **{cap: 26})
        assert tab.call("answer", {"third": True}) == "refused-cap"
        assert cap in tab.call("status")["problem"]
    tab.client(link, questionCap="5/2")
    assert tab.call("answer", {"third": True}) == "refused-cap"
    tab.client(link, questionCap=3, publisherCap=27, deviceCap=27)
    assert tab.call("answer", {"third": True}) == "queued"


def test_consent_withdrawal_and_forgetting(site, publish, survey, new_tab):
    """Nothing is tossed without consent; what left is withdrawn; what is forgotten stays spent."""
    tab = new_tab().open(site.host, publish(both(survey, "rights")), requireConsent=True)
    assert tab.call("answer", {"first": True}) == "no-consent"
    assert tab.call("consent", True) == "stored"
    assert tab.call("answer", {"first": True}) == "queued"
    assert tab.call("flush")["sent"] == 1
    assert tab.call("answer", {"second": True}) == "queued"

    assert tab.call("withdraw") == "stored"
    status = tab.call("status")
    assert (status["pending"], status["withdrawing"], status["consent"]) == (0, 1, False)
    assert tab.call("flush")["withdrawn"] == 1
    assert tab.call("answer", {"second": True}) == "no-consent"
    (withdrawn,) = site.bodies("/v1/withdrawals")
    assert json.loads(withdrawn)["ids"] == json.loads(site.bodies()[0])["ids"]

    assert tab.call("forget") == "stored"
    assert "rights" not in everything_kept(tab)
    tab.call("consent", True)
    assert tab.call("answer", {"first": True, "second": True}) == "already-answered"
    assert tab.call("status")["publisher"]["odds"] == {"n": 9, "d": 1}


WRONG = [
    "",
    "http://survey.example/v1/surveys/habit",
    "http://survey.example/v1/surveys/habit#key=" + "A" * 43,
    "https://survey.example/v1/surveys/habit",
    "https://survey.example/v1/surveys/habit#key=AAAA",
    "https://survey.example/v1/surveys/habit?x=1#key=" + "A" * 43,
    "https://me@survey.example/v1/surveys/habit#key=" + "A" * 43,
    "https://survey.example/v1/surveys/Habit#key=" + "A" * 43,
    None,
]


def test_a_wrong_set_up_is_an_outcome(site, publish, habit, new_tab):
    """Links, keys and options that are none: misconfigured, never an exception."""
    tab = new_tab()
    right = publish(replace(habit, id="habit-setup"))
    tab.page.goto(site.host)
    for link in WRONG:
        tab.client(link)
        assert tab.call("answer", {"ever_tried": True}) == "misconfigured", link
        assert tab.call("flush")["reason"] == "misconfigured"
        status = tab.call("status")
        assert (status["trouble"], status["pending"]) == ("misconfigured", 0)
    for options in ({"persist": "no"}, {"questionCap": 0}, {"deltaCap": 1}, {"deviceCap": "x"}):
        tab.client(right, **options)
        assert tab.call("answer", {"ever_tried": True}) == "misconfigured", options
    tab.client(site.url + "/v1/surveys/unknown#key=" + "A" * 43)
    assert tab.call("answer", {"ever_tried": True}) == "misconfigured"
    assert tab.said[1:] == []


def test_strict_throws_the_outcome(site, publish, habit, new_tab):
    """An app that asks for it gets a Refusal, with its outcome."""
    tab = new_tab().open(site.host, publish(replace(habit, id="habit-strict")), strict=True)
    caught = tab.page.evaluate(
        """() => client.answer({}).catch((error) => [error.outcome, error instanceof Error])"""
    )
    assert caught == ["refused-answer", True]


def test_a_script_tag_is_enough(site, publish, habit, new_tab):
    """The script without modules puts `Tossup` into the page."""
    tab = new_tab()
    link = publish(replace(habit, id="habit-script"))
    tab.page.goto(site.host)
    tab.page.add_script_tag(url="/sdk/tossup.iife.js")
    tab.page.evaluate("(link) => { window.client = new Tossup.Client(link) }", link)

    assert tab.call("answer", {"ever_tried": True, "region": "north"}) == "queued"
    assert tab.call("flush")["sent"] == 1
