"""The whole road for every mechanism of a number: file, device, wire, ingest, results, page."""

import csv
import io
import secrets
from collections.abc import Iterator
from decimal import Decimal

import pytest
from alarms import standard_errors
from flask.testing import FlaskClient
from in_process import InProcess, serving
from sweeps import each

from tossup.client import Client, Outcome
from tossup.server.ingest.recount import recount
from tossup.server.kinds.choosing.named import for_kind
from tossup.server.surveys.file import TooCostlyError, load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.shared import strict_json
from tossup.shared.coins import Coins
from tossup.shared.mechanisms import (
    MECHANISMS,
    GridMechanism,
    Hybrid,
    TruncatedGeometric,
)
from tossup.shared.signing import public_bytes
from tossup.shared.survey import Survey
from tossup.shared.wire import REPORTS_TYPE, Batch, b64, encode_batch

HEAD = """
id = "hours"
title = "Hours"
purpose = "To learn how long people wait."
results = "public"
minimum_batch = 100

[publisher]
name = "Example University"
contact = "irb@example.org"
"""

WHOLE = """
[[question]]
id = "{id}"
text = "How many?"
answers = {{ integers = [0, 10] }}
mechanism = "{name}"
odds = 3
"""

HALVES = """
[[question]]
id = "waited"
text = "How many hours have you waited?"
answers = { numbers = [0, 24], step = "1/2" }
epsilon = 1
"""

N = 2000

#: As survey files name them; those with a memo have tests of their own.
MAKERS = [name for name, kind in for_kind("number").items() if not kind.has_memo]

#: Mechanisms that the first survey has no room for: a device's cap of 729 allows six at odds 3.
WAITING = ("piecewise", "discrete-gaussian", *MAKERS[8:])


@pytest.fixture(scope="module")
def numbers(publisher_key) -> Survey:
    """Six questions about numbers."""
    kinds = [name for name in MAKERS if name not in WAITING]
    text = HEAD + "".join(WHOLE.format(id=name.replace("-", "_"), name=name) for name in kinds)
    return load_survey(text, public_bytes(publisher_key))


@pytest.fixture(scope="module")
def waiting(publisher_key) -> Survey:
    """One question about a number in steps of 1/2, and those mechanisms that are left."""
    text = HEAD + HALVES + "".join(WHOLE.format(id=n.replace("-", "_"), name=n) for n in WAITING)
    region = '\n[[attribute]]\nid = "region"\ntext = "Region"\nanswers = ["North", "South"]\n'
    return load_survey(text + region, public_bytes(publisher_key))


@pytest.fixture
def http(config, store, numbers: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, numbers, publisher_key) as client:
        yield client


@pytest.fixture
def waiting_room(config, store, waiting: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, waiting, publisher_key) as client:
        yield client


def collect(http: FlaskClient, survey: Survey, question_id: str, answers, attributes) -> None:
    """Send the reports that devices toss for these answers, a thousand at a time."""
    question = survey.question(question_id)
    reports = [question.perturb(question.place(answer), Coins()) for answer in answers]
    for at in range(0, len(reports), 1000):
        part = tuple(reports[at : at + 1000])
        ids = tuple(secrets.token_bytes(16) for _ in part)
        publics = {name: (option,) * len(part) for name, option in attributes.items()}
        body = encode_batch(Batch(survey.digest, ids, {question_id: part}, publics), survey)
        answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)
        assert (200, len(part)) == (answer.status_code, answer.json["received"])


def test_every_mechanism_for_numbers_can_be_named_in_a_file():
    """A new one cannot be left out."""
    kinds = {kind for kind in MECHANISMS.values() if issubclass(kind, GridMechanism)}

    assert kinds == {*for_kind("number").values()}


@pytest.mark.parametrize("name", [name for name in MAKERS if name not in WAITING])
def test_an_estimate_is_near_the_truth(http: FlaskClient, numbers: Survey, store, name: str):
    """The mean lies within 5 standard errors of the truth (false alarm below 1e-6).

    Recounted from the raw reports, the counters agree.
    """
    question = name.replace("-", "_")
    answers = [min(k % 17, 10) for k in range(N)]
    collect(http, numbers, question, answers, {})
    found = http.get("/v1/surveys/hours/results").json["questions"]
    mean = next(q for q in found if q["id"] == question)["estimates"][0]

    assert ("mean", N) == (mean["statistic"], mean["n"])
    assert abs(mean["value"] - sum(answers) / N) < 5 * mean["standard_error"]
    assert recount(store, "hours").agrees


def test_a_device_answers_with_a_number(waiting_room: FlaskClient, waiting: Survey, tmp_path):
    """Validated, rounded, tossed, stored and sent; a preview says that numbers are clipped."""
    client = Client(
        "https://survey.example/v1/surveys/hours",
        waiting.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(waiting_room),
        strict=True,
    )
    shown = str(client.preview({"waited": 0}))
    outcome = client.answer({"waited": Decimal("36.6"), "region": "north"})
    sent = client.flush()

    assert "counts as 0 or 24, and one between two steps as either, at random" in shown
    assert Outcome.QUEUED == outcome
    assert 1 == sent.sent


@pytest.mark.parametrize("answer", [True, "12", None, float("nan"), float("inf"), [1]])
def test_a_device_refuses_what_is_no_number(
    waiting_room: FlaskClient, waiting: Survey, tmp_path, answer: object
):
    """Nothing is tossed or spent, and the answer is not shown."""
    client = Client(
        "https://survey.example/v1/surveys/hours",
        waiting.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(waiting_room),
    )

    assert Outcome.REFUSED_ANSWER == client.answer({"waited": answer, "region": "north"})
    assert 0 == client.status().pending


def test_results_pages_and_tables_show_numbers_in_their_unit(
    waiting_room: FlaskClient, waiting: Survey
):
    """JSON, CSV and dashboard give the mean in hours, by group too, with its interval."""
    collect(waiting_room, waiting, "waited", [Decimal("3.3")] * N, {"region": 0})
    collect(waiting_room, waiting, "waited", [17.75] * N, {"region": 1})
    question = waiting_room.get("/v1/surveys/hours/results").json["questions"][0]
    north, south = (part["estimates"][0] for part in question["groups"])
    text = waiting_room.get("/v1/surveys/hours/results.csv").get_data(as_text=True)
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["question"] == "waited"]

    assert {"low": "0", "high": "24", "step": "1/2"} == question["numbers"]
    assert abs(north["value"] - 3.3) < standard_errors(2) * north["standard_error"]
    assert abs(south["value"] - 17.75) < standard_errors(2) * south["standard_error"]
    assert {"mean", "variance"} == {row["answer"] for row in rows if not row["attribute"]}
    assert str(question["estimates"][0]["value"]) == rows[0]["value"]
    assert pytest.approx(1) == sum(question["distribution"]["shares"])


@pytest.mark.parametrize("value", [1, 2, 7])
def test_values_that_are_no_reports_change_nothing(
    waiting_room: FlaskClient, waiting: Survey, store, value: int
):
    """A report beyond the last possible one is refused with its whole batch."""
    question = waiting.question("waited")
    reports = question.mechanism.reports
    width = -(-(reports - 1).bit_length() // 8)
    batch = Batch(waiting.digest, (bytes(16),), {"waited": (0,)}, {"region": (0,)})
    body = strict_json.loads(encode_batch(batch, waiting), 1 << 19)
    body["columns"]["waited"] = b64((reports - 1 + value).to_bytes(width, "little"))
    answer = waiting_room.post(
        "/v1/reports", data=strict_json.dumps(body), content_type=REPORTS_TYPE
    )

    assert 400 == answer.status_code
    assert [] == store.tally("hours")


def test_too_few_reports_say_nothing(waiting_room: FlaskClient, waiting: Survey):
    """Below the minimum there is a count and no estimate, view or table."""
    collect(waiting_room, waiting, "waited", [1] * 99, {"region": 0})
    question = waiting_room.get("/v1/surveys/hours/results").json["questions"][0]
    text = waiting_room.get("/v1/surveys/hours/results.csv").get_data(as_text=True)
    row = next(csv.DictReader(io.StringIO(text)))

    assert (99, True, [], None) == (
        question["n"],
        question["suppressed"],
        question["estimates"],
        question["distribution"],
    )
    assert ("mean", "true", "") == (row["answer"], row["suppressed"], row["value"])


def test_defaults_fit_the_kind_of_number(publisher_key):
    """Whole numbers are truncated geometric at odds 3; others take the best mean."""
    text = HEAD + HALVES + WHOLE.format(id="n", name="x").replace('mechanism = "x"\n', "")
    survey = load_survey(text, public_bytes(publisher_key))
    waited, whole = (question.mechanism for question in survey.questions)

    assert isinstance(waited, Hybrid)
    assert waited.odds < Decimal(1).exp()
    assert isinstance(whole, TruncatedGeometric)
    assert 3 == whole.odds


@each(
    "line",
    [
        "answers = { integers = [0] }",
        "answers = { integers = [0, 10], step = 2 }",
        "answers = { integers = [10, 0] }",
        "answers = { integers = [0, 5000] }",
        "answers = { integers = [true, 10] }",
        "answers = { integers = [0.5, 10] }",
        "answers = { numbers = [0, 10] }",
        'answers = { numbers = [0, 10], step = "1/0" }',
        "answers = { numbers = [0, 10], step = 3 }",
        "answers = { numbers = [0, nan], step = 1 }",
        "answers = { reals = [0, 1] }",
        'answers = { integers = [0, 10] }\nmechanism = "k-ary"',
        'answers = { integers = [0, 10] }\nmechanism = "two-coin"',
        "answers = { integers = [0, 10] }\nweights = [3, 1]",
        "answers = { integers = [0, 10] }\nodds = 1",
        "answers = { integers = [0, 10] }\nodds = 3\nepsilon = 1",
        *(
            f"answers = {{ integers = [0, 10] }}\n{asked}"
            for asked in (
                *("epsilon = nan", "epsilon = inf", "epsilon = 0", "epsilon = -1"),
                *("epsilon = 1e9", "epsilon = 1e-12", 'odds = "1/0"', "odds = -3", "odds = nan"),
                *("odds = inf", "odds = 1.0000000001", "odds = true"),
            )
        ),
        'answers = { integers = [0, 255] }\nodds = "60000/59999"',
        'answers = { integers = [0, 10] }\nodds = "1000001/1000000"',
        'answers = { integers = [0, 9] }\nmechanism = "discrete-laplace"\nodds = "999999/999998"',
        'answers = ["a", "b"]\nmechanism = "duchi"',
        'mechanism = "duchi"',
    ],
)
def test_files_that_do_not_fit_are_refused_by_their_place(publisher_key, line: str):
    """Every fault names its question; none becomes a manifest."""
    text = HEAD + f'\n[[question]]\nid = "q"\ntext = "?"\n{line}\n'

    with pytest.raises(SurveyFileError):
        load_survey(text, public_bytes(publisher_key))


def normal(lines: str) -> str:
    """Return a question for normal noise with these lines."""
    return f"""
[[question]]
id = "normal"
text = "How many?"
answers = {{ integers = [0, 10] }}
mechanism = "discrete-gaussian"
{lines}
"""


def test_normal_noise_over_the_whole_road(config, store, publisher_key, tmp_path):
    """File, manifest, preview, device, wire, recount, results: with its chance everywhere.

    The mean lies within 5 standard errors of the truth (false alarm below 1e-6).
    """
    survey = load_survey(HEAD + normal("odds = 3\ndelta = 1e-6"), public_bytes(publisher_key))
    with serving(config, store, survey, publisher_key) as http:
        client = Client(
            "https://survey.example/v1/surveys/hours",
            survey.publisher.key,
            store=tmp_path / "device.db",
            transport=InProcess(http),
        )
        shown = str(client.preview())
        answers = [client.answer({"normal": 7}), client.flush().sent]
        truth = [min(k % 17, 10) for k in range(N)]
        collect(http, survey, "normal", truth, {})
        found = http.get("/v1/surveys/hours/results").json
        row = next(csv.DictReader(io.StringIO(http.get("/v1/surveys/hours/results.csv").text)))
    design, mean = found["questions"][0]["design"], found["questions"][0]["estimates"][0]
    delta = str(survey.delta)

    assert "but for a chance of at most 1 in 1,000," in shown
    assert [Outcome.QUEUED, 1] == answers
    assert ("3", delta, delta) == (design["odds"], design["delta"], found["survey"]["delta"])
    assert delta.replace("/", " in ") == row["delta"]
    assert abs(mean["value"] - sum(truth) / N) < 5 * mean["standard_error"]
    assert recount(store, "hours").agrees


@pytest.mark.parametrize(
    ("lines", "odds", "delta"),
    [
        ("", "3", "1e-6"),
        ("odds = 3\ndelta = 1e-6", "3", "1e-6"),
        ('odds = "5/2"\ndelta = "1/200000"', "2.5", "5e-6"),
        ("epsilon = 1\ndelta = 0.00001", "2.718281828459046", "1e-5"),
        ("epsilon = 0.5\ndelta = 1e-9", "1.6487212707001282", "1e-9"),
    ],
)
def test_a_file_asks_for_odds_and_a_delta(publisher_key, lines: str, odds: str, delta: str):
    """The design's own are at most the asked ones, and close to them."""
    survey = load_survey(HEAD + normal(lines), public_bytes(publisher_key))
    asked_odds, asked_delta = float(odds), float(delta)

    assert 0.999999 * asked_odds < survey.odds <= asked_odds
    assert 0.5 * asked_delta < survey.delta <= asked_delta


@each(
    "lines",
    [
        *("delta = 0", "delta = 1", "delta = -1", "delta = nan", 'delta = "1/0"', "delta = true"),
        *("odds = 1", "odds = 3\nepsilon = 1", "weights = [3, 1]"),
    ],
)
def test_deltas_that_are_no_chances_are_refused(publisher_key, lines: str):
    """Each names its question; none becomes a manifest."""
    with pytest.raises(SurveyFileError):
        load_survey(HEAD + normal(lines), public_bytes(publisher_key))


@each("name", [name for name in MAKERS if name != "discrete-gaussian"])
def test_pure_mechanisms_take_no_delta(publisher_key, name: str):
    """Their odds hold without exception; a delta would be a misunderstanding."""
    text = HEAD + WHOLE.format(id="n", name=name) + "delta = 1e-6\n"

    with pytest.raises(SurveyFileError, match="discrete-gaussian"):
        load_survey(text, public_bytes(publisher_key))


@pytest.mark.parametrize("answers", ["", 'answers = ["a", "b"]'])
def test_questions_that_are_no_numbers_take_no_delta(publisher_key, answers: str):
    """Yes/no questions and choices keep their odds without exception, too."""
    text = HEAD + f'\n[[question]]\nid = "q"\ntext = "?"\n{answers}\ndelta = 1e-6\n'

    with pytest.raises(SurveyFileError, match="delta"):
        load_survey(text, public_bytes(publisher_key))


@pytest.mark.parametrize("delta", ["1e-3", "2e-5", "0.5"])
def test_a_delta_that_no_device_would_take_is_refused(publisher_key, delta: str):
    """Above one in 100,000 every device would refuse the answers, so nobody is asked."""
    with pytest.raises(TooCostlyError, match="1 in 100,000"):
        load_survey(HEAD + normal(f"delta = {delta}"), public_bytes(publisher_key))
