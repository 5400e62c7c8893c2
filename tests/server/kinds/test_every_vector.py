"""The whole road for every mechanism of a vector: file, device, wire, ingest, results, page."""

import csv
import io
import json
import secrets
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from in_process import InProcess, serving
from sweeps import each

from tossup.client import Client, Outcome
from tossup.server.cli.root import root
from tossup.server.ingest.recount import recount
from tossup.server.kinds import kind_of
from tossup.server.kinds.choosing.named import for_kind
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.surveys.verification import verify
from tossup.server.web.app import create_app
from tossup.shared.coins import Coins
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import MECHANISMS, PrivUnit, VectorLaplace, VectorMechanism
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import REPORTS_TYPE, Batch, encode_batch

HEAD = """
id = "moves"
title = "Moves"
purpose = "To learn how far people move."
results = "public"
minimum_batch = 100

[publisher]
name = "Example University"
contact = "irb@example.org"
"""

QUESTIONS = """
[[question]]
id = "laplace"
text = "How far east and north did you move?"
answers = { vector = ["East", "North"], norm = 10, step = "1/4" }
mechanism = "vector-laplace"
odds = 9

[[question]]
id = "privunit"
text = "How much of your time goes where?"
answers = { vector = ["Work", "Sleep", "Rest"], norm = 1 }
mechanism = "privunit"
odds = 9

[[question]]
id = "rates"
text = "How do they go together?"
answers = { moments = ["Speed", "Height"], norm = 2 }
odds = 3

[[question]]
id = "entries"
text = "How do these go together?"
answers = { moments = ["Depth", "Warmth"], norm = 2, step = "1/32" }
mechanism = "entry-laplace"
odds = 3

[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""

N = 1000
ANSWERS = {
    "laplace": [(3, 4), (-20, 5), (0.5, Decimal("-0.25"))],
    "privunit": [(0.5, 0.5, 0.1), (Fraction(1, 3), 0, -1)],
    "rates": [(1, 1.5), (-1, -1), (0.5, -0.2)],
    "entries": [(2, 0.5), (1, 1), (-0.5, 1.5)],
}


@pytest.fixture(scope="module")
def vectors(publisher_key) -> Survey:
    return load_survey(HEAD + QUESTIONS, public_bytes(publisher_key))


@pytest.fixture
def http(config, store, vectors: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, vectors, publisher_key) as client:
        yield client


def collect(http: FlaskClient, survey: Survey, question_id: str) -> None:
    """Send the reports that N devices toss for the answers in turn, half from either region."""
    question = survey.question(question_id)
    answers = ANSWERS[question_id]
    for region in (0, 1):
        for at in range(0, N // 2, 500):
            tossed = tuple(
                question.perturb(question.place(answers[i % len(answers)]), Coins())
                for i in range(at, at + 500)
            )
            ids = tuple(secrets.token_bytes(16) for _ in tossed)
            publics = {"region": (region,) * len(tossed)}
            batch = Batch(survey.digest, ids, {question_id: tossed}, publics)
            body = encode_batch(batch, survey)
            answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)
            assert (200, 500) == (answer.status_code, answer.json["received"])


def truth(survey: Survey, question_id: str) -> list[float]:
    domain = survey.question(question_id).domain
    turns = [ANSWERS[question_id][i % len(ANSWERS[question_id])] for i in range(N // 2)]
    clipped = [domain.clipped([Fraction(part) for part in answer]) for answer in turns]
    return [float(sum(column)) / len(clipped) for column in zip(*clipped, strict=True)]


def test_every_mechanism_for_vectors_can_be_named_in_a_file():
    """A new one cannot be left out."""
    kinds = {kind for kind in MECHANISMS.values() if issubclass(kind, VectorMechanism)}

    assert kinds == {*for_kind("vector").values()}


@pytest.mark.parametrize("name", ["laplace", "privunit", "rates", "entries"])
def test_means_come_out_of_reports(http, vectors: Survey, name: str):
    """Within 5.4 standard errors of the truth, component by component, in JSON and CSV."""
    collect(http, vectors, name)
    found = http.get("/v1/surveys/moves/results").json["questions"]
    (shown,) = [question for question in found if question["id"] == name]
    expected = truth(vectors, name)

    assert N == shown["n"]
    assert [answer["id"] for answer in shown["answers"]] == [
        mean["component"] for mean in shown["estimates"]
    ]
    for mean, part in zip(shown["estimates"], expected, strict=True):
        assert abs(mean["value"] - part) < 5.4 * mean["standard_error"]
        assert mean["joint_low"] < mean["low"] < mean["value"] < mean["high"] < mean["joint_high"]
    assert {"North": N // 2, "South": N // 2} == {
        group["option"].title(): group["n"] for group in shown["groups"]
    }
    rows = list(csv.DictReader(io.StringIO(http.get("/v1/surveys/moves/results.csv").text)))
    values = {
        row["answer"]: row["value"]
        for row in rows
        if row["question"] == name and not row["day"] and not row["attribute"]
    }
    assert {str(mean["value"]) for mean in shown["estimates"]} <= set(values.values())


def test_covariances_come_out_of_the_same_reports(http, vectors: Survey):
    """Raw entries with intervals, the view beside them, in the download and on the page."""
    collect(http, vectors, "rates")
    found = http.get("/v1/surveys/moves/results").json["questions"][2]
    rows = list(csv.DictReader(io.StringIO(http.get("/v1/surveys/moves/results.csv").text)))
    page = http.get("/surveys/moves").text

    entries = found["covariance"]["entries"]
    assert [["speed", "speed"], ["height", "speed"], ["height", "height"]] == [
        entry["components"] for entry in entries
    ]
    assert all(entry["low"] < entry["value"] < entry["high"] for entry in entries)
    assert "nearest-positive-semidefinite" == found["covariance"]["view"]["view"]
    total = [row for row in rows if row["question"] == "rates" and not row["day"]]
    (covariance, *_) = [r for r in total if r["answer"] == "covariance of height and speed"]
    assert str(entries[1]["value"]) == covariance["value"]
    assert "Covariance of the components" in page
    assert "Height × Speed" in page


def test_the_page_shows_components_by_group(http, vectors: Survey):
    """A row and a strip each, for all reports and for each region; bounds from minus the norm."""
    collect(http, vectors, "laplace")
    page = http.get("/surveys/moves").text

    assert 3 * 2 == page.count('<circle class="estimate"')
    assert "Averages of 2 components, from 1,000 reports." in page
    assert "Answers longer than 10 count as that long" in page
    assert ">−10</text>" in page


def test_256_components_travel_in_256_bytes(config, store, publisher_key, tmp_path):
    """The widest question over the whole road, with the SDK and in a batch."""
    names = ", ".join(f'"c{place}"' for place in range(256))
    text = f"""question_cap = 729
{HEAD.replace("minimum_batch = 100", "minimum_batch = 30")}
[[question]]
id = "wide"
text = "How much of each?"
answers = {{ vector = [{names}], norm = 1 }}
odds = 729
"""
    survey = load_survey(text, public_bytes(publisher_key))
    app = create_app(config, store=store)
    publish(store, sign_manifest(survey.payload, publisher_key))
    with app.test_client() as http:
        sent = device(http, survey, tmp_path, question_cap=729)
        assert Outcome.QUEUED == sent.answer({"wide": [0.0625] * 256})
        assert 1 == sent.flush().sent
        (question,) = survey.questions
        tossed = tuple(question.perturb(question.place([1] + [0] * 255), Coins()) for _ in "x" * 29)
        batch = Batch(survey.digest, wire_ids(29), {"wide": tossed}, {})
        assert (
            200
            == http.post(
                "/v1/reports", data=encode_batch(batch, survey), content_type=REPORTS_TYPE
            ).status_code
        )
        found = http.get("/v1/surveys/moves/results").json["questions"][0]
    app.extensions["tossup"].close()

    assert (30, 256, 513) == (found["n"], len(found["estimates"]), len(found["counts"]))
    assert found["estimates"][0]["value"] > 4 * found["estimates"][0]["standard_error"]


def wire_ids(n: int) -> tuple[bytes, ...]:
    return tuple(secrets.token_bytes(16) for _ in range(n))


def test_a_survey_is_shown_as_asking_for_numbers(vectors: Survey):
    """Not for one of the components, as a choice would be; and with the bound."""
    shown = [kind_of(question).choices(question) for question in vectors.questions]

    assert shown == [
        "numbers for east, north; longer than 10 count as that long",
        "numbers for work, sleep, rest; longer than 1 count as that long",
        "numbers for speed, height, and their products; longer than 2 count as that long",
        "numbers for depth, warmth, and their products; longer than 2 count as that long",
    ]


def test_a_recount_of_the_reports_is_the_tally(http, store, vectors: Survey):
    """Counters are sums of what is stored, so that they can be made again."""
    collect(http, vectors, "privunit")

    assert recount(store, "moves").differences == ()


def test_a_device_answers_with_a_list(http, vectors: Survey, tmp_path):
    """Through the SDK: preview in words, a list of numbers in, one report out."""
    client = device(http, vectors, tmp_path)
    words = str(client.preview(["laplace"]))
    outcome = client.answer({"laplace": [3, 4.5], "region": "north"})
    sent = client.flush()

    assert (Outcome.QUEUED, 1) == (outcome, sent.sent)
    assert "2 numbers (East, North). Together they count as at most 10 long" in words
    assert 1 == http.get("/v1/surveys/moves/results").json["questions"][0]["n"]


@pytest.mark.parametrize("answer", [[1], [1, 2, 3], [1, "2"], "1,2", None, [1, float("nan")]])
def test_a_device_refuses_what_is_no_vector(http, vectors: Survey, tmp_path, answer):
    """Nothing is tossed for a list of another length, or with anything but numbers."""
    client = Client(
        "https://survey.example/v1/surveys/moves",
        vectors.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(http),
    )

    assert Outcome.REFUSED_ANSWER == client.answer({"laplace": answer, "region": "north"})
    assert 0 == client.status().pending


def device(http, vectors: Survey, folder, **settings) -> Client:
    return Client(
        "https://survey.example/v1/surveys/moves",
        vectors.publisher.key,
        store=folder / "device.db",
        transport=InProcess(http),
        strict=True,
        **settings,
    )


@pytest.mark.parametrize(
    ("answers", "kind", "entries"),
    [
        ('{vector = ["x", "y"], norm = 1}', PrivUnit, 2),
        ('{vector = ["x", "y"], norm = "3/2", step = "1/20"}', PrivUnit, 2),
        ('{moments = ["x", "y"], norm = 1}', PrivUnit, 5),
    ],
)
def test_a_file_says_components_norm_and_step(answers: str, kind: type, entries: int):
    """The design of least variance at odds 3 unless a file says otherwise."""
    text = f'{HEAD}[[question]]\nid = "q"\ntext = "?"\nanswers = {answers}\n'
    question = load_survey(text, bytes(32)).questions[0]

    assert isinstance(question.domain, VectorAnswer)
    assert (kind, entries, 3) == (
        type(question.mechanism),
        question.mechanism.dimension,
        question.mechanism.odds,
    )


@each(
    "lines, what",
    [
        ('answers = {vector = ["x"], norm = 1}', "2 to 256 components"),
        ('answers = {vector = ["x", "y"]}', "norm = 1"),
        ('answers = {vector = ["x", 1], norm = 1}', "norm = 1"),
        ('answers = {vector = ["x", "y"], norm = 0}', "above 0"),
        ('answers = {vector = ["x", "y"], norm = 1, step = "2/3"}', "whole steps"),
        ('answers = {vector = ["x", "y"], norm = 1, more = 1}', "norm = 1"),
        ('answers = {vector = ["x", "y"], norm = 1}\nmechanism = "duchi"', "does not fit a vector"),
        ('answers = {vector = ["x", "y"], norm = 1}\nodds = 1', "above 1"),
        ('answers = {vector = ["x", "y"], norm = 1}\ndelta = 1e-6', "delta is for entry-gaussian"),
        (
            'answers = {vector = ["x", "y"], norm = 1, step = "1/1000"}\n'
            'mechanism = "entry-gaussian"',
            "take a larger step",
        ),
        ('answers = {integers = [0, 5]}\nmechanism = "privunit"', "does not fit a number"),
        ('answers = ["x", "y"]\nmechanism = "privunit"', "does not fit its answers"),
    ],
)
def test_a_file_that_asks_for_no_vector_is_refused(lines: str, what: str):
    """The message names what would do."""
    text = f'{HEAD}[[question]]\nid = "q"\ntext = "?"\n{lines}\n'
    with pytest.raises(SurveyFileError, match=what):
        load_survey(text, bytes(32))


def test_normal_noise_is_collected_and_verified(config, store, publisher_key, tmp_path):
    """Moments through entry-gaussian: the delta asked is kept, charged, shown and sent nowhere."""
    text = f"""{HEAD.replace("minimum_batch = 100", "minimum_batch = 30")}
[[question]]
id = "rates"
text = "How fast and how high?"
answers = {{ moments = ["speed", "height"], norm = 2 }}
mechanism = "entry-gaussian"
odds = 3
delta = "1/200000"
"""
    survey = load_survey(text, public_bytes(publisher_key))
    envelope = sign_manifest(survey.payload, publisher_key)
    app = create_app(config, store=store)
    publish(store, envelope)
    question, cost = survey.questions[0], verify(envelope).costs[0]
    with app.test_client() as http:
        client = device(http, survey, tmp_path)
        words = str(client.preview(["rates"]))
        assert Outcome.QUEUED == client.answer({"rates": [1, -0.5]})
        assert 1 == client.flush().sent
        tossed = tuple(question.perturb(question.place([1, -0.5]), Coins()) for _ in "x" * 39)
        batch = Batch(survey.digest, wire_ids(39), {"rates": tossed}, {})
        body = encode_batch(batch, survey)
        assert 200 == http.post("/v1/reports", data=body, content_type=REPORTS_TYPE).status_code
        found = http.get("/v1/surveys/moves/results").json["questions"][0]
        page = http.get("/surveys/moves").text
    app.extensions["tossup"].close()

    assert 0.9e-6 * 5 < cost.delta == survey.delta <= Fraction(1, 200_000)
    assert ("formula", 3) == (cost.proof, cost.odds)
    assert "but for a chance of at most 1 in 200,0" in words
    assert (40, 2, 3) == (found["n"], len(found["estimates"]), len(found["covariance"]["entries"]))
    assert "Covariance of the components" in page


def test_a_manifest_is_verified(vectors: Survey, publisher_key):
    """Odds by formula where a channel has too many cells, and the cost of all together."""
    found = verify(sign_manifest(vectors.payload, publisher_key))

    assert ["formula"] * 4 == [cost.proof for cost in found.costs]
    assert 729 == found.odds
    assert vectors == found.survey


def test_commands_know_vectors(tmp_path):
    """simulate, mechanism list and mechanism show."""
    file = tmp_path / "moves.toml"
    file.write_text(HEAD + QUESTIONS)
    truths = ["laplace=3,4", "privunit=0.5,0,0", "rates=1,1,-1,0.5", "entries=1,1,0,1"]
    words = [word for text in truths for word in ("--truth", text)]
    run = CliRunner().invoke(root, ["simulate", str(file), *words, "-n", "50", "--json"])
    shown = CliRunner().invoke(root, ["mechanism", "show", "privunit", "--options", "9", "--json"])

    assert 0 == run.exit_code, run.output
    assert {"rates/height:speed", "entries/warmth:depth"} <= {
        line["id"] for line in json.loads(run.stdout)["questions"]
    }
    assert ("3", 16, None) == tuple(
        json.loads(shown.stdout)[key] for key in ("odds", "report_bits", "channel")
    )


def test_designs_name_what_they_do():
    """A report of the vector mechanism is a few bytes, and one of PrivUnit a byte a component."""
    assert isinstance(MECHANISMS["vector-laplace/1"], type)
    assert 2**25 > VectorLaplace(2, 40, 2000).reports
    assert 256**3 == PrivUnit(3, 32, 0).reports
