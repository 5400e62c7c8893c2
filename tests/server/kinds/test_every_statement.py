"""The whole road for an unrelated question: file, device, wire, ingest, tally, results, page."""

import csv
import io
import json
import secrets
from collections.abc import Iterator
from fractions import Fraction

import pytest
from alarms import least_inside
from click.testing import CliRunner
from flask.testing import FlaskClient
from in_process import InProcess, send, serving
from sweeps import each

from tossup.client import Client, Outcome
from tossup.client.errors import AnswerRefused
from tossup.server.auditing import judge
from tossup.server.cli.root import root
from tossup.server.estimation import estimate_statements
from tossup.server.ingest.recount import recount
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.draws import spread
from tossup.server.kinds import reasons, simulate
from tossup.server.kinds.needed import minimum_batch
from tossup.server.results import results
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.surveys.verification import verify
from tossup.shared import strict_json
from tossup.shared.kinds.several import Several
from tossup.shared.mechanisms import RandomizedResponse, UnrelatedQuestion
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import (
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
    b64,
    encode_withdrawal,
)

HEAD = """
id = "exams"
title = "Exams"
purpose = "To go on with a series that was begun on paper."
results = "public"
minimum_batch = 100

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "true"
text = "Which of these are true of you?"
"""
QUESTION = """
answers = { several = ["I cheated", "I was born in spring"] }
mechanism = "unrelated-question"
selected = "4/5"
odds = 9
"""
ATTRIBUTE = """
[[attribute]]
id = "faculty"
text = "Which faculty?"
answers = ["Arts", "Science"]
"""
DESIGN = UnrelatedQuestion(32, 8, 5)
N = 2000
TRUE = [["i_cheated"], ["i_was_born_in_spring"], [], ["i_was_born_in_spring", "i_cheated"], []]


@pytest.fixture(scope="module")
def exams(publisher_key) -> Survey:
    """One unrelated question at odds of 9, and a faculty that is told openly."""
    return load_survey(HEAD + QUESTION + ATTRIBUTE, public_bytes(publisher_key))


@pytest.fixture
def http(config, store, exams: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, exams, publisher_key) as client:
        yield client


@pytest.fixture
def device(http, exams, tmp_path) -> Client:
    return Client(
        "https://survey.example/v1/surveys/exams",
        exams.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(http),
        strict=True,
    )


def send_from_both(http: FlaskClient, survey: Survey, reports: list[int]) -> list[bytes]:
    """Send reports from both faculties in turn; return their ids."""
    faculties = [place % 2 for place in range(len(reports))]
    return send(http, survey, "true", reports, {"faculty": faculties})


def perturbed(survey: Survey, n: int) -> list[int]:
    """The reports of n people, two fifths of whom have each statement, and a fifth both."""
    question = survey.question("true")
    places = [question.place(answer) for answer in TRUE]
    return [DESIGN.perturb(places[person % len(places)]) for person in range(n)]


def test_the_file_is_a_design_with_just_these_odds(exams):
    """Own and other statement 4 to 1; the answers are sets of both."""
    (question,) = exams.questions

    assert (DESIGN, 9) == (question.mechanism, exams.odds)
    assert Several(question.answer_ids, 2) == question.domain
    assert exams == Survey.parse(exams.payload)


def test_true_shares_are_in_the_intervals(http, store, exams):
    """2,000 respondents: both shares inside, with a false alarm of 2e-7."""
    send_from_both(http, exams, perturbed(exams, N))
    total = results(store.survey("exams"), store.tally("exams")).question("true").total

    assert recount(store, "exams").agrees
    assert N == total.n
    for share in estimate_statements(total.counts, DESIGN).statements:
        assert 0.4 in share.interval(1 - 1e-7)


def test_a_device_sends_one_report_of_both(device, store):
    """The SDK tosses, stores and sends; the report is counted once."""
    answer = {"true": ["i_was_born_in_spring", "i_cheated"], "faculty": "arts"}

    assert Outcome.QUEUED == device.answer(answer)
    assert 1 == device.flush().sent == store.survey("exams").reports
    (cell,) = store.tally("exams")
    assert (4, 1) == (len(cell.counts), sum(cell.counts))
    assert 9 == device.status().publisher.odds


def test_a_preview_says_what_the_coins_decide(device):
    """Which statement a report is about, or neither, how often, and what is never sent."""
    shown = str(device.preview())

    assert "two statements (I cheated; I was born in spring): none, one or both may be" in shown
    assert "Coins decide which of the two a report is about, or neither." in shown
    assert "is about the one that was drawn 64 of 100 times\n" in shown
    assert "is about the other one 16 of 100 times\n" in shown
    assert "says yes, whatever is true, 10 of 100 times, and no as often\n" in shown
    assert "never which one it is about" in shown
    assert "yes is sent 10 of 100 times at least, and 90 of 100 times at most" in shown


@pytest.mark.parametrize("answer", ["i_cheated", ["i_cheated"] * 2, ["other"], True, None, 3])
def test_what_is_no_answer_is_refused_and_nothing_is_spent(device, store, answer):
    """A collection of ids, each once; the message does not show it."""
    with pytest.raises(AnswerRefused) as refused:
        device.answer({"true": answer, "faculty": "arts"})

    assert "'other'" not in str(refused.value)
    assert 1 == device.status().publisher.odds
    assert 0 == store.survey("exams").reports


def test_a_withdrawal_takes_what_a_report_added(http, store, exams):
    """The tally goes back to what it was."""
    send_from_both(http, exams, perturbed(exams, 40))
    before = store.tally("exams")
    more = send_from_both(http, exams, perturbed(exams, 10))
    body = encode_withdrawal("exams", more)
    answer = http.post("/v1/withdrawals", data=body, content_type=WITHDRAWALS_TYPE)

    assert (200, before) == (answer.status_code, store.tally("exams"))


def test_an_impossible_report_changes_nothing(http, store, exams):
    """4 is none, beside a good one: 400, and nothing is stored."""
    body = strict_json.dumps(
        {
            "v": 1,
            "manifest": exams.digest,
            "ids": b64(secrets.token_bytes(32)),
            "columns": {"true": b64(bytes([3, 4]))},
            "attributes": {"faculty": b64(bytes([0, 1]))},
        }
    )
    answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)

    assert (400, "urn:tossup:error:malformed") == (answer.status_code, answer.json["type"])
    assert 0 == store.survey("exams").reports


@pytest.fixture
def filled(http, exams) -> FlaskClient:
    """800 reports, half of them from either faculty."""
    send_from_both(http, exams, perturbed(exams, 800))
    return http


@pytest.mark.parametrize("looks", ["one", "every"])
def test_results_over_http_have_both_shares(filled, looks):
    """Channel of the four sets, estimator, both standard errors, groups, what forgers could do."""
    document = filled.get(f"/v1/surveys/exams/results?looks={looks}").json
    (question,) = document["questions"]
    first, second = question["estimates"]

    assert ({"most": 2}, 800) == (question["several"], question["n"])
    assert DESIGN.spec() == question["design"]["mechanism"]
    assert [4, 4, 4, 4] == [len(row) for row in question["design"]["channel"]]
    assert "both samples" in question["design"]["estimator"]
    assert ["i_cheated", "i_was_born_in_spring"] == [first["answer"], second["answer"]]
    for line in (first, second):
        assert (800, None) == (line["n"], line["reports"])
        assert line["respondents_standard_error"] < line["population_standard_error"]
        assert line["low"] < line["value"] < line["high"]
        assert 0 <= line["shown_low"] <= line["shown_value"] <= line["shown_high"] <= 1
        assert line["method"] == ("score" if looks == "one" else "anytime")
        assert line["forged"][-1]["low"] < line["low"]
    assert [400, 400] == [group["n"] for group in question["groups"]]
    assert [2, 2] == [len(group["estimates"]) for group in question["groups"]]


def test_the_csv_has_a_row_a_statement(filled):
    """No report names one, so no rates and no number of reports stand there."""
    rows = list(csv.DictReader(io.StringIO(filled.get("/v1/surveys/exams/results.csv").text)))
    total = [row for row in rows if not row["day"] and not row["attribute"]]

    assert ["I cheated", "I was born in spring"] == [row["answer_label"] for row in total]
    for row in total:
        assert ("800", "", "", "") == tuple(
            row[key] for key in ("n", "reports", "named", "named_otherwise")
        )
        assert float(row["low"]) < float(row["value"]) < float(row["high"])


def test_the_page_says_what_is_told_and_what_is_not(filled):
    """In both languages; nobody is told that a report names a statement."""
    page = filled.get("/surveys/exams").text
    chinese = filled.get("/surveys/exams?lang=zh-Hans").text

    assert "Coins decide which of the two statements a report is about, or neither." in page
    assert "64 are about that statement, 16 about the other one, 10 are yes and 10 are no" in page
    assert "How many people both statements are true of is not told by these reports." in page
    assert "None, one or both of these statements may be true of a person" in page
    assert "unrelated-question/1" in page
    assert "由硬币决定一份报告说的是两个陈述中的哪一个" in chinese
    assert "Coins decide" not in chinese


def test_a_sample_without_reports_has_no_estimate(exams, store, http, config):
    """Where a survey shows estimates from one report on, results and page stand without one."""
    send_from_both(http, exams, [0])
    found = results(store.survey("exams"), store.tally("exams")).question("true")

    assert () == found.estimates
    assert 200 == http.get("/surveys/exams").status_code
    assert 200 == http.get("/v1/surveys/exams/results.csv").status_code


def test_few_reports_of_one_sample_are_shown_without_shares(publisher_key, config, store):
    """The minimum is one report, but neither share rests on any while a sample is empty."""
    text = (HEAD + QUESTION + ATTRIBUTE).replace("minimum_batch = 100", "minimum_batch = 1")
    survey = load_survey(text, public_bytes(publisher_key))
    with serving(config, store, survey, publisher_key) as http:
        send_from_both(http, survey, [0, 1, 1])
        (question,) = http.get("/v1/surveys/exams/results").json["questions"]
        page = http.get("/surveys/exams").status_code
        send_from_both(http, survey, [3])
        (more,) = http.get("/v1/surveys/exams/results").json["questions"]

    assert ([], True, 3, 200) == (
        question["estimates"],
        question["suppressed"],
        question["n"],
        page,
    )
    assert 2 == len(more["estimates"])


def test_the_signed_manifest_is_verified_by_enumeration(exams, publisher_key):
    """Odds recomputed over all four answers and reports."""
    (cost,) = verify(sign_manifest(exams.payload, publisher_key)).costs

    assert (9, "enumeration") == (cost.odds, cost.proof)
    assert "docs/proofs/unrelated-question.md" == cost.proof_page


def test_an_audit_accepts_the_coins_and_refuses_those_of_paper():
    """200,000 trials of each answer: without forced answers a report proves a statement.

    A correct program is refused with a probability of 1e-6 at most.
    """
    trials = [[200_000 if row == answer else 0 for row in range(4)] for answer in range(4)]
    shipped = [tuple(kernel_of(DESIGN).simulate(truth).tolist()) for truth in trials]
    paper = [tuple(spread(weights, 200_000).tolist()) for weights in
             ((5, 0, 5, 0), (1, 4, 4, 1), (4, 1, 1, 4), (0, 5, 0, 5))]  # fmt: skip

    assert judge(tuple(shipped), DESIGN).accepted
    verdict = judge(tuple(paper), DESIGN)
    assert verdict.violates
    assert verdict.deviates


def test_creating_the_survey_tells_what_it_costs(exams):
    """Against one statement alone, and against the best for both."""
    told = reasons(exams)["true"]

    assert told.startswith("it needs 3.778 times as many people as yes/no coins for one statement")
    assert "1.889 times as many as sampled-options" in told


def test_the_default_minimum_follows_from_both_samples():
    """7.25 times the 97 of two coins, at the same odds."""
    assert 97 * 7 < minimum_batch([UnrelatedQuestion(7, 3, 5)]) < 97 * 7.3


@each(
    "lines, words",
    [
        ('answers = { several = ["a", "b", "c"] }', "two statements, of which both"),
        ('answers = { several = ["a", "b"], most = 1 }', "two statements, of which both"),
        ('answers = { several = ["a"] }', "two statements, of which both"),
        ('answers = { several = ["a", "b"] }\nselected = "1/2"', "above 1/2, below 1"),
        ('answers = { several = ["a", "b"] }\nselected = 1', "above 1/2, below 1"),
        ('answers = { several = ["a", "b"] }\nselected = 0', "above 1/2, below 1"),
        ('answers = { several = ["a", "b"] }\nodds = 1', "must be above 1"),
        ('answers = { several = ["a", "b"] }\nprevalence = "1/4"', "no prevalence"),
        ('answers = { several = ["a", "b"] }\nweights = [7, 3, 5]', "no weights"),
        ('answers = ["a", "b"]', "does not fit its answers"),
        ('answers = { ranking = ["a", "b"] }\nselected = "7/10"', "does not fit an order"),
        ("answers = { integers = [0, 3] }", "does not fit"),
        ("", "takes prevalence.*ask for both statements, answers = { several"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_what_would(lines, words):
    """Also a classic unrelated question: the message says what to write instead."""
    text = f'{HEAD}{lines}\nmechanism = "unrelated-question"\n'
    with pytest.raises(SurveyFileError, match=words):
        load_survey(text, bytes(32))


def test_other_mechanisms_take_no_selected():
    """Nor do several answers by any other design."""
    lines = 'answers = { several = ["a", "b"] }\nselected = "7/10"\n'
    with pytest.raises(SurveyFileError, match="selected with mechanism unrelated-question alone"):
        load_survey(HEAD + lines, bytes(32))
    with pytest.raises(SurveyFileError, match="unrelated-question"):
        load_survey(HEAD + 'answers = { several = ["a", "b"] }\nmechanism = "k-ary"', bytes(32))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [("", UnrelatedQuestion(7, 3, 5)), ("epsilon = 1", UnrelatedQuestion(1204, 516, 1001))],
)
def test_defaults_and_an_epsilon(lines, expected):
    """Odds of 3 and 7 to 3 unless the file says otherwise; an epsilon is never exceeded."""
    text = 'answers = { several = ["a", "b"] }\nmechanism = "unrelated-question"\n' + lines
    question = load_survey(HEAD + text, bytes(32)).questions[0]

    assert expected == question.mechanism
    assert question.mechanism.odds in {3, Fraction(2721, 1001)}


def test_a_known_share_is_a_table_and_no_question_of_its_own():
    """Nobody is asked the innocent question then: the coins of `randomized-response`."""
    lines = 'mechanism = "unrelated-question"\nprevalence = "1/4"\n'
    question = load_survey(HEAD + lines, bytes(32)).questions[0]

    assert RandomizedResponse(((5, 1), (3, 3))) == question.mechanism
    assert question.is_yes_no


def test_simulated_intervals_hold_the_truth(exams):
    """Of 100 runs 95 % intervals hold either truth in 78 or more.

    At a coverage of at least 93 % that fails in one of a million runs.
    """
    lines = simulate(exams.questions[0], [Fraction(1, 10), Fraction(1, 3)], 1000, 100)

    assert ["true/i_cheated", "true/i_was_born_in_spring"] == [line.id for line in lines]
    assert min(line.inside for line in lines) >= least_inside(100, 0.93, 2)


def test_a_simulation_without_one_of_the_samples_says_nothing(exams):
    """One respondent is in one sample: everything that is possible."""
    lines = simulate(exams.questions[0], [Fraction(1, 10), Fraction(1, 3)], 1)

    assert {(0.0, 1.0)} == {(line.low, line.high) for line in lines}


def test_the_command_line_shows_it():
    """By its parameters of survey files, and those of manifests; 4 answers and 4 reports."""

    def shown(*arguments: str) -> dict:
        done = CliRunner().invoke(
            root, ["mechanism", "show", "unrelated-question", *arguments, "--json"]
        )
        return json.loads(done.stdout) if done.exit_code == 0 else {"exit": done.exit_code}

    assert ("3", 4, 4) == tuple(shown()[key] for key in ("odds", "answers", "reports"))
    chosen = shown("--odds", "9", "--set", "selected=4/5")
    assert DESIGN.spec() == {key: chosen[key] for key in DESIGN.spec()}
    given = shown("--set", "own=32", "--set", "other=8", "--set", "forced=5", "--share", "1/2")
    assert ("9", "425/288") == (given["odds"], given["variance"]["population"])
    assert "randomized-response/1" == shown("--set", "prevalence=1/4")["name"]
    assert {"exit": 2} == shown("--options", "3") == shown("--set", "selected=a")
    assert {"exit": 2} == shown("--set", "selected=1/4")
