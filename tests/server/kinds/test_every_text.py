"""The whole road of a text: file, device, wire, ingest, tally, results, tables, command line."""

import csv
import io
import json
import secrets
from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from in_process import InProcess, serving
from sweeps import each

from tossup.client import Client, Outcome
from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.estimation.texts import reports_needed
from tossup.server.ingest.recount import recount
from tossup.server.kinds import reasons
from tossup.server.store import SQLiteStore
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.surveys.verification import verify
from tossup.server.web.answers import is_dear
from tossup.shared.coins import Coins
from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import REPORTS_TYPE, Batch, encode_batch

HEAD = """
question_cap = 81
id = "brands"
title = "Brands"
purpose = "To learn what people drink."
results = "public"

[publisher]
name = "Example University"
contact = "irb@example.org"
"""

WORD = """
[[question]]
id = "brand"
text = "Which brand?"
answers = { text = "a-z=&", longest = 4, others = true }
odds = 81
"""

REGION = '\n[[attribute]]\nid = "region"\ntext = "Region"\nanswers = ["North", "South"]\n'


@pytest.fixture(scope="module")
def brands(publisher_key) -> Survey:
    """One question that takes a text, and a public attribute."""
    return load_survey(HEAD + WORD + REGION, public_bytes(publisher_key))


@pytest.fixture
def http(config, store, brands: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, brands, publisher_key) as client:
        yield client


@pytest.fixture
def device(http: FlaskClient, brands: Survey, tmp_path) -> Client:
    return Client(
        "https://survey.example/v1/surveys/brands",
        brands.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(http),
        question_cap=81,
    )


def collect(http: FlaskClient, survey: Survey, answers: list[str], region: int) -> None:
    """Send the reports that devices toss for these answers."""
    question = survey.questions[0]
    send(http, survey, [question.perturb(question.place(a), Coins()) for a in answers], region)


def send(http: FlaskClient, survey: Survey, reports: list[int], region: int) -> None:
    """Send reports, a thousand at a time."""
    for at in range(0, len(reports), 1000):
        part = tuple(reports[at : at + 1000])
        ids = tuple(secrets.token_bytes(16) for _ in part)
        publics = {"region": (region,) * len(part)}
        body = encode_batch(Batch(survey.digest, ids, {"brand": part}, publics), survey)
        answer = http.post("/v1/reports", data=body, content_type=REPORTS_TYPE)
        assert (200, len(part)) == (answer.status_code, answer.json["received"])


@pytest.fixture(scope="module")
def at(tmp_path_factory) -> Config:
    """Where the reports of `collected` lie."""
    return Config(data=tmp_path_factory.mktemp("kept") / "data")


@pytest.fixture(scope="module")
def kept(at: Config) -> Iterator[SQLiteStore]:
    """The store of `collected`."""
    made = SQLiteStore(at.database)
    yield made
    made.close()


@pytest.fixture(scope="module")
def collected(
    at: Config, kept: SQLiteStore, brands: Survey, publisher_key
) -> Iterator[FlaskClient]:
    """4,000 reports, to be read: most ``Cola``, then ``=tea``, and what is no declared text.

    Their shares lie 6 standard errors apart, so that they come in this order.
    """
    others = ["whisky", "7up", "", "é"]
    with serving(at, kept, brands, publisher_key) as http:
        collect(http, brands, ["Cola", " cola "] * 700 + ["=tea"] * 600, 0)
        collect(http, brands, ["cola"] * 920 + ["=tea"] * 600 + others * 120, 1)
        yield http


def shares(http: FlaskClient, address: str = "/v1/surveys/brands/results") -> dict:
    return http.get(address).json["questions"][0]


def test_it_works(collected: FlaskClient, kept: SQLiteStore):
    """The three texts come first, within 6 standard errors of the truth (false alarm below 1e-6).

    Recounted from the raw reports, the counters agree.
    """
    first = shares(collected)["estimates"][:3]

    assert ["cola", "=tea", None] == [line["text"] for line in first]
    for line, share in zip(first, (0.58, 0.3, 0.12), strict=True):
        assert abs(line["value"] - share) < 6 * line["standard_error"]
    assert recount(kept, "brands").agrees


@pytest.mark.parametrize(
    "oracle", ["k-ary", "subset-selection", "symmetric-unary", "optimized-unary"]
)
def test_every_oracle_goes_the_whole_road(config, store, publisher_key, oracle: str):
    """From the file over the wire to a share, within 6 standard errors (false alarm below 1e-6).

    1,500 reports: two in three of them one text, and a third another.
    """
    asked = WORD.replace("a-z=&", "aceilot=")
    asked = asked.replace("longest", f'oracle = "{oracle}", buckets = 30, longest')
    survey = load_survey(HEAD + asked + REGION, public_bytes(publisher_key))
    with serving(config, store, survey, publisher_key) as http:
        collect(http, survey, ["cola"] * 1000 + ["tea"] * 500, 0)
        first = shares(http)["estimates"][:2]

    assert ["cola", "tea"] == [line["text"] for line in first]
    for line, share in zip(first, (2 / 3, 1 / 3), strict=True):
        assert abs(line["value"] - share) < 6 * line["standard_error"]
    assert recount(store, "brands").agrees


@each(
    "asked, what",
    [
        (
            'oracle = "optimized-unary", buckets = 65536',
            "a bit for each, which would be 8,192 bytes",
        ),
        ('oracle = "k-ary", buckets = 257', "from 2 to 256 for k-ary"),
        ("buckets = 1025", "from 2 to 1,024"),
        ("buckets = 1", "from 2 to 1,024"),
        ('oracle = "rappor"', "use one of k-ary, "),
        ('oracle = "local-hashing", buckets = 1000', "at most 2730 counters"),
        ("buckets = true", "must be"),
        ("oracle = 3", "must be"),
    ],
)
def test_what_an_oracle_cannot_hold_is_refused_with_its_limit(publisher_key, asked: str, what: str):
    """The file is refused, and says what would fit."""
    text = HEAD + WORD.replace("longest", f"{asked}, longest").replace("odds = 81", "odds = 3")

    with pytest.raises(SurveyFileError, match=what):
        load_survey(text, public_bytes(publisher_key))


def test_the_reason_of_a_design_that_was_left_open_is_said(publisher_key):
    """All oracles with their figures; nothing where the file names another one."""
    open_, named = (
        load_survey(HEAD + WORD.replace("longest", f"{asked}longest"), public_bytes(publisher_key))
        for asked in ("", 'oracle = "hadamard-response", ')
    )
    why = reasons(open_)["brand"]

    assert "projective-geometry-response over 132 buckets has the shortest reports" in why
    for figures in ("k-ary 0.05063 (2 B)", "subset-selection 0.05252 (31 B)"):
        assert figures in why
    assert {} == reasons(named)


def test_results_say_how_texts_were_found(collected: FlaskClient, brands: Survey):
    """The reports of each level, how common a text must be, and all that were not found."""
    found = shares(collected)
    search, design = found["search"], brands.questions[0].mechanism

    assert 4000 == found["n"] == sum(search["levels"])
    assert design.levels == len(search["levels"])
    assert {search["levels"][-1]} == {line["n"] for line in found["estimates"]}
    assert 0.02 < search["smallest_found"] < 0.2
    assert abs(search["rest"]["value"]) < 6 * search["rest"]["standard_error"]
    assert found["counts"] is None
    assert {"characters": ["&", "=", "a-z"], "longest": 4, "others": True} == found["texts"]
    assert "channel" not in found["design"]


def test_groups_have_shares_of_the_texts_found_in_all(collected: FlaskClient):
    """Nobody in the north has another text, and many in the south do; days have none."""
    found = shares(collected)
    north, south = found["groups"]
    other = [part["estimates"][2] for part in (north, south)]

    assert ["cola", "=tea", None] == [line["text"] for line in north["estimates"][:3]]
    assert abs(other[0]["value"]) < 6 * other[0]["standard_error"]
    assert abs(other[1]["value"] - 0.24) < 6 * other[1]["standard_error"]
    assert [[]] == [day["estimates"] for day in found["days"]]


def test_a_filter_searches_again(collected: FlaskClient):
    """What is looked at is what is searched: the north has two texts, and hardly any other."""
    found = shares(collected, "/v1/surveys/brands/results?where.region=north")

    assert ["cola", "=tea"] == [line["text"] for line in found["estimates"][:2]]
    assert all(line["value"] < 0.15 for line in found["estimates"][2:])
    assert 2000 == found["n"]


def test_a_table_runs_no_text_as_a_formula(collected: FlaskClient):
    """The answer is the text; what starts with a sign gets an apostrophe."""
    text = collected.get("/v1/surveys/brands/results.csv").get_data(as_text=True)
    rows = [row for row in csv.DictReader(io.StringIO(text)) if not row["day"]]
    total = [row for row in rows if not row["attribute"]]

    assert ["cola", "'=tea", ""] == [row["answer"] for row in total[:3]]
    assert ["", "", "(another text)"] == [row["answer_label"] for row in total[:3]]
    assert ("", "(all texts that were not found)") == (
        total[-1]["answer"],
        total[-1]["answer_label"],
    )
    assert "cola" == next(row for row in rows if row["option"] == "south")["answer"]


def test_a_device_answers_with_a_text(device: Client):
    """Validated, tossed, stored and sent; a preview says in words what can be sent."""
    shown = str(device.preview({"brand": ""}))
    outcome = device.answer({"brand": "Cola", "region": "north"})

    assert "any text of 1 to 4 of the characters &, = and a-z, capitals as small letters" in shown
    assert 'any other counts as "another text"' in shown
    assert Outcome.QUEUED == outcome
    assert 1 == device.flush().sent


@pytest.mark.parametrize("answer", [7, True, None, b"cola", ["cola"]])
def test_a_device_refuses_what_is_no_text(device: Client, answer: object):
    """Nothing is tossed or spent."""
    assert Outcome.REFUSED_ANSWER == device.answer({"brand": answer, "region": "north"})
    assert 0 == device.status().pending


def test_too_few_reports_say_nothing(config, store, publisher_key):
    """Below the minimum there is a count and no text; the table has one empty row."""
    asked = f"minimum_batch = 300\n{HEAD}{WORD}{REGION}"
    few = load_survey(asked, public_bytes(publisher_key))
    with serving(config, store, few, publisher_key) as http:
        send(http, few, [0] * 299, 0)
        found = shares(http)
        text = http.get("/v1/surveys/brands/results.csv").get_data(as_text=True)
    row = next(csv.DictReader(io.StringIO(text)))

    assert (True, [], None) == (found["suppressed"], found["estimates"], found["search"])
    assert ("", "true", "") == (row["answer"], row["suppressed"], row["value"])


def test_a_search_is_made_aside(store, brands: Survey):
    """Whatever the number of reports is: no request waits for it in the server's process."""
    assert is_dear("json", store, SimpleNamespace(survey=brands, reports=1))


def test_withdrawn_reports_are_not_counted(device: Client, http: FlaskClient, store):
    """A text's counters are taken back with its report."""
    device.answer({"brand": "cola", "region": "north"})
    device.flush()
    device.withdraw()
    device.flush()

    assert 0 == store.survey("brands").reports
    assert 0 == sum(sum(cell.counts) for cell in store.tally("brands"))


def test_defaults_follow_from_characters_and_length(publisher_key):
    """Odds 3, steps that a server can search, and a minimum at which 20 % are found."""
    text = HEAD + WORD.replace("odds = 81\n", "").replace(", others = true", "")
    survey = load_survey(text, public_bytes(publisher_key))
    design = survey.questions[0].mechanism

    assert isinstance(design, PrefixExtending)
    assert (3, (2, 4), 0) == (design.odds, design.lengths, design.salt)
    assert reports_needed(0.2, design) == survey.minimum_batch
    assert survey == Survey.parse(survey.payload)


def test_epsilon_and_salt_can_be_asked(publisher_key):
    """The largest ratio of small integers up to e; other functions of the family."""
    text = HEAD + WORD.replace("odds = 81", "epsilon = 1").replace("longest", "salt = 5, longest")
    design = load_survey(text, public_bytes(publisher_key)).questions[0].mechanism

    assert Fraction(27, 10) < design.odds < Fraction(2719, 1000)
    assert 5 == design.salt


def test_a_manifest_is_verified(brands: Survey, publisher_key):
    """Odds are the oracle's, by the formula of the proof: there are too many texts to list."""
    verified = verify(sign_manifest(brands.payload, publisher_key), public_bytes(publisher_key))
    (cost,) = verified.costs

    assert (81, "formula") == (cost.odds, cost.proof)


@each(
    "line",
    [
        'answers = { text = "a-z" }',
        "answers = { longest = 4 }",
        'answers = { text = "z-a", longest = 4 }',
        'answers = { text = "", longest = 4 }',
        'answers = { text = " ", longest = 4 }',
        'answers = { text = "a-z", longest = 0 }',
        'answers = { text = "a-z", longest = 65 }',
        'answers = { text = "a-z", longest = true }',
        'answers = { text = "a-z", longest = "4" }',
        'answers = { text = ["a", "b"], longest = 4 }',
        'answers = { text = "a-z", longest = 4, others = 1 }',
        'answers = { text = "a-z", longest = 4, salt = -1 }',
        'answers = { text = "a-z", longest = 4, step = 1 }',
        'answers = { text = "a-z", longest = 4 }\nmechanism = "k-ary"',
        'answers = { text = "a-z", longest = 4 }\nmechanism = "duchi"',
        'answers = { text = "a-z", longest = 4 }\nweights = [3, 1]',
        'answers = { text = "a-z", longest = 4 }\nodds = 1',
        'answers = ["a", "b"]\nmechanism = "prefix-extending"',
        'mechanism = "prefix-extending"',
    ],
)
def test_what_does_not_fit_together_is_refused(publisher_key, line: str):
    """The file is refused with its place, before anyone could answer."""
    text = HEAD + f'[[question]]\nid = "brand"\ntext = "Which?"\n{line}\n'

    with pytest.raises(SurveyFileError):
        load_survey(text, public_bytes(publisher_key))


def test_the_command_line_simulates_texts(tmp_path):
    """Shares by text; what is found has its estimate."""
    file = tmp_path / "brands.toml"
    file.write_text(HEAD + WORD)
    arguments = ["simulate", str(file), "--truth", "brand=Cola:0.5,=tea:0.3", "-n", "4000"]
    done = CliRunner().invoke(root, [*arguments, "--json"])
    cola, tea = json.loads(done.stdout)["questions"]

    assert ("brand/cola", "brand/=tea") == (cola["id"], tea["id"])
    assert cola["low"] < 0.6
    assert cola["high"] > 0.4
    assert "simulate" not in done.stderr


def test_the_command_line_says_what_was_not_found(tmp_path):
    """A text that nobody has is no candidate but by chance, and found in fewer than 1e-6."""
    file = tmp_path / "brands.toml"
    file.write_text(HEAD + WORD)
    done = CliRunner().invoke(root, ["simulate", str(file), "--truth", "brand=gin:0"])

    assert 0 == done.exit_code
    assert "not found" in done.stdout


@pytest.mark.parametrize("truth", ["brand=0.5", "brand=cola:half", "brand=cola:2", "brand=cola:-1"])
def test_the_command_line_refuses_what_are_no_shares_of_texts(tmp_path, truth: str):
    """A wrong usage, with an example."""
    file = tmp_path / "brands.toml"
    file.write_text(HEAD + WORD)

    assert 2 == CliRunner().invoke(root, ["simulate", str(file), "--truth", truth]).exit_code
