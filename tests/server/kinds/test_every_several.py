"""The whole road for several answers: file, device, wire, ingest, tally, recount, results, page."""

import csv
import io
import secrets
from collections.abc import Iterator
from fractions import Fraction
from http import HTTPStatus
from time import sleep

import pytest
from alarms import least_inside
from flask.testing import FlaskClient
from in_process import InProcess, send, serving
from sweeps import each

from tossup.client import Client, Outcome
from tossup.client.errors import AnswerRefused
from tossup.server.estimation import EstimationError, estimate_several
from tossup.server.estimation.papers.asking import estimate_counts
from tossup.server.ingest.recount import recount
from tossup.server.kinds import simulate
from tossup.server.kinds.needed import minimum_batch
from tossup.server.results import results
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.surveys.verification import recomputed_odds, verify
from tossup.server.web.app import create_app
from tossup.shared import strict_json
from tossup.shared.kinds.several import Several
from tossup.shared.mechanisms import (
    PerOptionBits,
    SampledOptions,
)
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import (
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
    b64,
    encode_withdrawal,
)

HEAD = """
id = "workplace"
title = "Work"
purpose = "To learn what people work with."
results = "public"
minimum_batch = 100

[publisher]
name = "Example University"
contact = "irb@example.org"
"""

QUESTIONS = (
    """
[[question]]
id = "languages"
text = "Which languages do you use?"
answers = { several = ["Python", "Rust", "C", "Lisp", "Go", "Java", "R", "Julia"] }

[[question]]
id = "pets"
text = "Which is in the room with you?"
answers = { several = ["Cat", "Dog", "Bird", "Fish", "Snake", "Cow"], most = 1 }

[[question]]
id = "tools"
text = "Which two do you use most?"
answers = { several = true, most = 2 }
mechanism = "per-option-bits"
odds = 3
"""
    + "".join(
        f'[[question.option]]\nid = "t{place}"\nlabel = "Tool {place}"\n' for place in range(11)
    )
    + """
[[question]]
id = "places"
text = "Where have you worked?"
answers = { several = [LABELS], most = 30 }
odds = 27
""".replace("LABELS", ", ".join(f'"Place {place}"' for place in range(30)))
)

N = 2000  # respondents of each question


@pytest.fixture(scope="module")
def work(publisher_key) -> Survey:
    """Four questions that cost 729 together, as much as a device allows."""
    return load_survey("question_cap = 27\n" + HEAD + QUESTIONS, public_bytes(publisher_key))


@pytest.fixture
def http(config, store, work: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, work, publisher_key) as client:
        yield client


@pytest.fixture
def device(http, work, tmp_path) -> Client:
    return Client(
        "https://survey.example/v1/surveys/workplace",
        work.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(http),
        strict=True,
        question_cap=27,
    )


def answers_of(options: tuple[str, ...], most: int) -> list[list[str]]:
    """What the respondents tick: nothing, the first option, and more, unevenly and together."""
    sizes = [(place * place) % (most + 1) for place in range(N)]
    return [list(options[place % 3 % len(options) :][:size]) for place, size in enumerate(sizes)]


def test_the_file_is_asked_with_the_best_mechanisms(work: Survey):
    """One of eight; a bit for each where one may be ticked; two of thirty at higher odds."""
    kinds = {question.id: question.mechanism for question in work.questions}

    assert kinds["languages"] == SampledOptions(8, 8, 1, 3, 1)
    assert isinstance(kinds["pets"], PerOptionBits)
    assert (kinds["tools"].options, kinds["tools"].most) == (11, 2)
    assert (kinds["places"].asked, kinds["places"].most) == (2, 30)
    assert 728 < work.odds <= 729
    assert {type(kind) for kind in kinds.values()} == {PerOptionBits, SampledOptions}


def test_true_shares_are_in_the_simultaneous_intervals(http, store, work):
    """For 2,000 respondents to each of four questions, all 55 true shares are inside.

    Intervals hold together with 1 - 1e-7 a question, so that a false alarm comes in at most 4e-7
    of runs.
    """
    truths = {}
    for question in work.questions:
        ids = question.answer_ids
        ticked = answers_of(ids, question.mechanism.most)
        reports = [question.mechanism.perturb(question.place(answer)) for answer in ticked]
        send(http, work, question.id, reports)
        truths[question.id] = [sum(option in answer for answer in ticked) / N for option in ids]

    found = results(store.survey("workplace"), store.tally("workplace"))
    assert recount(store, "workplace").agrees
    for question in work.questions:
        total = found.question(question.id).total
        estimate = estimate_several(total.counts, question.mechanism)
        intervals = estimate.simultaneous(1 - 1e-7, "exact")
        pairs = zip(truths[question.id], intervals, strict=True)
        assert (N, N) == (total.n, estimate.n)
        assert {len(question.options)} == {interval.intervals for interval in intervals}
        assert [] == [truth for truth, interval in pairs if truth not in interval]


def test_a_device_ticks_several_and_sends_one_report_each(device, store, work):
    """The SDK shows, tosses, stores and sends; each report is counted once."""
    ticked = {
        "languages": ["rust", "python"],
        "pets": set(),
        "tools": ("t10", "t0"),
        "places": frozenset({"place_3", "place_29"}),
    }

    assert Outcome.QUEUED == device.answer(ticked)
    assert 4 == device.flush().sent == store.survey("workplace").reports
    counted = {cell.question: cell for cell in store.tally("workplace")}
    for question in work.questions:
        assert 1 == question.mechanism.reports_counted(counted[question.id].counts)
        asked = sum(map(sum, question.mechanism.by_option(counted[question.id].counts)))
        assert asked == question.mechanism.asked_share * len(question.options)
    assert recount(store, "workplace").agrees


def test_a_preview_says_what_can_be_sent(device):
    """How many one may tick, which are asked, and the chances of each."""
    shown = str(device.preview())

    assert (
        "of 8 options you may tick any of them; one of them, drawn by chance, is sent, and nothing"
        " of the others:\n    if it is not ticked, ticked is sent 25 of 100 times\n"
        "    if it is ticked, ticked is sent 75 of 100 times"
    ) in shown
    assert "of 6 options you may tick at most 1; each is sent by a coin of its own" in shown
    assert "of 30 options you may tick any of them; 2 drawn by chance are sent, each by a" in shown


@pytest.mark.parametrize(
    "answer", ["python", ["python", "python"], ["cobol"], 3, True, None, {"python": True}]
)
def test_what_is_no_answer_is_refused_and_nothing_is_spent(device, store, answer):
    """The message does not show it; nothing is tossed."""
    with pytest.raises(AnswerRefused) as refused:
        device.answer({"languages": answer})

    assert "cobol" not in str(refused.value)
    assert 1 == device.status().publisher.odds
    assert 0 == store.survey("workplace").reports


def test_one_tick_too_many_is_refused(device):
    """Two pets where one may be ticked: the odds hold for at most one."""
    with pytest.raises(AnswerRefused, match="at most 1"):
        device.answer({"pets": ["cat", "dog"]})


@pytest.mark.parametrize("name", ["languages", "pets", "tools", "places"])
def test_a_withdrawal_takes_all_that_a_report_added(http, store, work, name):
    """Every counter goes back to what it was without the report."""
    design = work.question(name).mechanism
    kept = send(http, work, name, [design.perturb(place % 2) for place in range(40)])
    before = store.tally("workplace")
    more = send(http, work, name, [design.perturb(1) for _ in range(10)])
    body = encode_withdrawal("workplace", more)
    answer = http.post("/v1/withdrawals", data=body, content_type=WITHDRAWALS_TYPE)

    assert 200 == answer.status_code
    assert before == store.tally("workplace")
    assert len(kept) == store.survey("workplace").reports
    assert recount(store, "workplace").agrees


MALFORMED = {
    "languages": bytes([16]),
    "pets": bytes([64]),
    "tools": (1 << 11).to_bytes(2, "little"),
    "tools, one byte": bytes(1),
    "places": bytes([120]),
    "places, two bytes": bytes(2),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_an_impossible_report_changes_nothing(http, store, work, case):
    """Beside a good report it makes the whole batch malformed: 400, and nothing is stored."""
    name, column = case.split(",")[0], MALFORMED[case]
    design = work.question(name).mechanism
    width = -(-(design.reports - 1).bit_length() // 8)
    good = design.perturb(0).to_bytes(width, "little")
    body = strict_json.dumps(
        {
            "v": 1,
            "manifest": work.digest,
            "ids": b64(secrets.token_bytes(32)),
            "columns": {name: b64(good + column)},
        }
    )
    answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)

    assert (400, "urn:tossup:error:malformed") == (answer.status_code, answer.json["type"])
    assert 0 == store.survey("workplace").reports


def test_results_say_how_many_were_asked_each_option(http, work):
    """JSON and CSV: the limit, the share asked, and for each option its own n and reports."""
    design = work.question("languages").mechanism
    send(http, work, "languages", [design.perturb(0b11) for _ in range(1600)])
    question = http.get("/v1/surveys/workplace/results").json["questions"][0]
    table = csv.DictReader(io.StringIO(http.get("/v1/surveys/workplace/results.csv").text))
    rows = [row for row in table if row["question"] == "languages" and not row["day"]]

    assert {"most": 8} == question["several"]
    assert ("1/8", [["3/4", "1/4"], ["1/4", "3/4"]]) == (
        question["design"]["asked"],
        question["design"]["channel"],
    )
    assert 1600 == question["n"] == sum(each["n"] for each in question["estimates"])
    assert len(question["counts"]) == 16
    pairs = design.by_option(question["counts"])
    assert [(sum(pair), pair[1]) for pair in pairs] == [
        (each["n"], each["reports"]) for each in question["estimates"]
    ]
    assert [str(sum(pair)) for pair in pairs] == [row["n"] for row in rows]
    assert {("1 in 4", "3 in 4")} == {(row["named_otherwise"], row["named"]) for row in rows}


def fetched(http, path: str) -> str:
    """Return a page; one that is worked out aside says so with 503, and is asked for again."""
    for _ in range(600):
        answer = http.get(path)
        if answer.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
            return answer.text
        sleep(0.1)
    raise TimeoutError(path)


def test_the_page_says_that_shares_need_not_add_up(http, work):
    """In both languages: the limit, who is asked, and each option's own estimate."""
    for question in work.questions:
        send(http, work, question.id, [question.mechanism.perturb(1) for _ in range(1600)])
    page = fetched(http, "/surveys/workplace")
    chinese = fetched(http, "/surveys/workplace?lang=zh-Hans")

    assert "Each person may tick up to 8: the shares need not add up to a whole" in page
    assert "A report asks 1 of the 8 options, drawn by chance" in page
    assert "A report says of each option whether it is ticked" in page
    assert "Of 100 people who tick an option that is asked, 75 send that they do" in page
    assert "每人最多可选 8 项" in chinese


def test_an_option_that_nobody_was_asked_has_no_estimate(http, store, work):
    """With one report of one of eight options, seven have none; the page stands."""
    design = work.question("languages").mechanism
    total = estimate_several(tuple(int(place == 3) for place in range(16)), design)

    assert (1, [None] * 3) == (total.n, list(total.values[:3]))
    assert total.options[3].n == 1
    assert [None] * 7 == [each for each in total.simultaneous() if each is None]
    with pytest.raises(EstimationError):
        estimate_several((0,) * 16, design)
    with pytest.raises(EstimationError):
        estimate_several((11, *[0] * 6, 10), work.question("pets").mechanism)


def test_reports_that_ask_one_option_too_often_are_hard_to_explain():
    """800 reports ask each of 8 options 100 times, give or take; 200 times is no chance."""
    design = SampledOptions(8, 8)
    fair, forged = (75,) * 8 + (25,) * 8, (150, *[63] * 7, 50, *[23] * 7)

    assert estimate_several(fair, design).design_p_value > 0.9
    assert all(option.design_p_value == 1 for option in estimate_several(forged, design).options)
    assert estimate_several(forged, design).design_p_value < 1e-6


def test_how_often_an_option_is_asked_is_tested_exactly_on_both_sides():
    """All of 10 reports ask the first of two options: 2 x 2**-10, times the three tests made."""
    found = estimate_several((5, 0, 5, 0), SampledOptions(2, 2))

    assert 3 * 2 * 2**-10 == pytest.approx(found.design_p_value)


def test_counts_from_elsewhere_are_estimated_as_several_options():
    """A notebook's one call takes them, and its summary says what a reader must know."""
    found = estimate_counts((50, 60, 50, 40), SampledOptions(2, 2))
    told = found.summary()

    assert found == estimate_several((50, 60, 50, 40), SampledOptions(2, 2))
    assert ["option 0", "option 1"] == [line.name for line in found.lines()]
    assert "shares need not sum to 1" in " ".join(told.split())
    assert "1/2 of all, by chance" in told
    assert "Asked" not in estimate_counts((50, 60, 100), PerOptionBits(2, 2)).summary()


def test_bits_that_are_set_too_rarely_are_hard_to_explain():
    """Where every option is told, only what is said can be off: 10 of 400 where 100 are least."""
    design = PerOptionBits(3, 3, 3, 1, 4)

    assert estimate_several((200, 150, 300, 400), design).design_p_value == 1.0
    assert estimate_several((200, 10, 300, 400), design).design_p_value < 1e-6


def test_results_with_few_reports_leave_out_who_was_not_asked(publisher_key, config, store):
    """Where a survey shows estimates from one report on, JSON, CSV and page do so, too."""
    text = "question_cap = 27\n" + HEAD.replace("100", "1") + QUESTIONS
    survey = load_survey(text, public_bytes(publisher_key))
    app = create_app(config, store=store)
    publish(store, sign_manifest(survey.payload, publisher_key))
    http = app.test_client()
    send(http, survey, "languages", [6 << 1 | 1])
    estimates = http.get("/v1/surveys/workplace/results").json["questions"][0]["estimates"]

    assert [("r", 1, 1)] == [(each["answer"], each["n"], each["reports"]) for each in estimates]
    assert 200 == http.get("/v1/surveys/workplace/results.csv").status_code
    assert 200 == http.get("/surveys/workplace").status_code
    app.extensions["tossup"].close()


def test_the_signed_manifest_is_verified_by_enumeration(work, publisher_key):
    """Odds recomputed over all sets one may tick; more options go by the formula."""
    found = verify(sign_manifest(work.payload, publisher_key))
    proofs = {cost.question: cost.proof for cost in found.costs}

    assert work.odds == found.odds
    assert {
        "languages": "enumeration",
        "pets": "enumeration",
        "tools": "formula",
        "places": "formula",
    } == proofs


@each("most", [1, 2, 5])
@each("kind", [SampledOptions, PerOptionBits])
def test_recomputed_odds_are_those_of_sets_one_may_tick(kind, most):
    """Larger sets are no answers, and do not count."""
    design = kind.from_odds(Fraction(9), 5, most)

    assert design.odds == recomputed_odds(design)


def test_the_default_minimum_counts_who_is_asked():
    """Where one of eight options is asked, eight times as many reports as for yes/no."""
    assert 8 * 97 - 8 <= minimum_batch([SampledOptions(8, 8)]) <= 8 * 97
    assert 97 == minimum_batch([PerOptionBits(8, 1)])


def file_with(lines: str) -> str:
    return HEAD + f'\n[[question]]\nid = "which"\ntext = "Which?"\n{lines}\n'


@each(
    "lines, words",
    [
        ("answers = { several = [] }", "no options to tick"),
        ("answers = { several = true }", "no options to tick"),
        ('answers = { several = ["a", "b"], most = 3 }', "most must be from 1"),
        ('answers = { several = ["a", "b"], most = 0 }', "most must be from 1"),
        ('answers = { several = ["a", "b"], most = "2" }', "most = 2"),
        ('answers = { several = ["a", "b"], least = 1 }', "most = 2"),
        ('answers = { several = "a" }', "most = 2"),
        ('answers = { several = ["a", "b"] }\nmechanism = "k-ary"', "use one of auto, per-option"),
        ('answers = { several = ["a", "b"] }\nweights = [3, 1]', "no weights"),
        ('answers = { several = ["a", "b"] }\nodds = 1', "must be above 1"),
        ('answers = ["a", "b"]\nmechanism = "sampled-options"', "does not fit"),
        ('mechanism = "per-option-bits"', "does not fit"),
        (f"answers = {{ several = {[str(n) for n in range(65)]} }}", "1 to 64"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_its_place(lines, words):
    """What is wrong, and what would be right."""
    with pytest.raises(SurveyFileError, match=words) as refused:
        load_survey(file_with(lines), bytes(32))

    assert "question" in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('several = ["a", "b", "c"]', SampledOptions(3, 3, 1, 3, 1)),
        ('several = ["a", "b", "c"], most = 1', SampledOptions(3, 1, 1, 3, 1)),
    ],
)
def test_labels_become_ids_and_all_may_be_ticked(lines, expected):
    """The default limit is all of them, the default odds are 3, the mechanism is the best."""
    question = load_survey(file_with(f"answers = {{ {lines} }}"), bytes(32)).questions[0]

    assert expected == question.mechanism
    assert Several(("a", "b", "c"), expected.most) == question.domain


def test_an_epsilon_is_never_exceeded():
    """The largest ratio of small integers up to e, and its root for bits."""
    lines = 'answers = { several = ["a", "b", "c", "d"], most = 1 }\nepsilon = 1'
    question = load_survey(file_with(lines), bytes(32)).questions[0]

    assert 2.7182 < float(question.mechanism.odds) < 2.718281828459045


def test_simulated_intervals_hold_the_truth(work):
    """Of 100 runs of each of 55 options 95 % intervals hold the truth in 76 or more.

    At a coverage of at least 93 % that fails in one of a million runs.
    """
    lines = [
        line
        for question in work.questions
        for line in simulate(
            question, [Fraction(1, 2 * len(question.options))] * len(question.options), 1000, 100
        )
    ]

    assert ("languages/python", 55) == (lines[0].id, len(lines))
    assert min(line.inside for line in lines) >= least_inside(100, 0.93, 55)


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ([Fraction(1, 2)] * 5, "takes 6 shares"),
        ([Fraction(3, 2), *[Fraction(0)] * 5], "from 0 to 1"),
        ([Fraction(1, 2)] * 6, "sum to more than 1"),
        ([Fraction(1, (1 << 32) + 1)] * 6, "denominators"),
    ],
)
def test_shares_that_no_population_has_are_refused(work, shares, words):
    """Too few, above 1, or more ticks than allowed."""
    with pytest.raises(ValueError, match=words):
        simulate(work.question("pets"), shares, 100)
