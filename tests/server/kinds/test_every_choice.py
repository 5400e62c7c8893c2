"""The whole road for every mechanism of a choice: device, wire, ingest, tally, recount, results."""

import secrets
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest
from flask.testing import FlaskClient
from in_process import InProcess, send, serving
from small_designs import registered

from tossup.client import Client, Outcome
from tossup.server.config import Config
from tossup.server.estimation import estimate_shares
from tossup.server.ingest.recount import recount
from tossup.server.results import results
from tossup.server.store import SQLiteStore
from tossup.shared import strict_json
from tossup.shared.mechanisms import (
    FrequencyOracle,
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    OptimizedUnary,
    PermanentInstantaneous,
    ProjectiveGeometryResponse,
    Rappor,
    SubsetSelection,
    SymmetricUnary,
)
from tossup.shared.survey import Option, Question, Survey
from tossup.shared.wire import (
    REPORTS_TYPE,
    WITHDRAWALS_TYPE,
    Batch,
    b64,
    encode_batch,
    encode_withdrawal,
    unb64,
)

CHOSEN = {
    "k_ary": KaryRandomizedResponse(6),
    "subset": SubsetSelection(12, 3),
    "symmetric": SymmetricUnary(10, 2, 1),
    "optimized": OptimizedUnary(9),
    "hadamard": HadamardResponse(16),
    "projective": ProjectiveGeometryResponse(160, 5),
    "hashing": LocalHashing(20, 5),
    "wide": SubsetSelection(70, 18),
    "permanent": PermanentInstantaneous(5, 9, 1, 9, 1),
    "rappor": Rappor(9, 5, 1, 4, 1, 5),
}
#: And one of every oracle that is none of these.
DESIGNS = CHOSEN | {
    kind.name.partition("/")[0].replace("-", "_"): kind.from_odds(Fraction(3), 9)
    for kind in registered(FrequencyOracle)
    if kind not in {type(design) for design in CHOSEN.values()}
}
N = 1500  # respondents of each question


def text(words: str) -> dict[str, str]:
    return {"en": words}


@pytest.fixture(scope="module")
def choices(survey: Survey) -> Survey:
    """A survey that asks one question with each mechanism."""
    questions = tuple(
        Question(
            name,
            name,
            text(name),
            tuple(Option(f"o{place}", text(f"{place}")) for place in range(design.answers)),
            design,
        )
        for name, design in DESIGNS.items()
    )
    return replace(survey, id="choices", questions=questions, attributes=(), results="public")


@pytest.fixture
def http(config, store, choices: Survey, publisher_key) -> Iterator[FlaskClient]:
    with serving(config, store, choices, publisher_key) as client:
        yield client


def shares_of(options: int) -> list[int]:
    """How many of the respondents have each option: half the first, the rest spread unevenly."""
    rest = [N // 2 // (options - 1)] * (options - 1)
    rest[0] += N // 2 - sum(rest)
    return [N // 2, *rest]


def perturbed(design) -> list[int]:
    """The reports of all respondents, as devices toss them."""
    return [
        design.perturb(answer)
        for answer, holders in enumerate(shares_of(design.answers))
        for _ in range(holders)
    ]


def test_true_shares_are_in_the_simultaneous_intervals(http, store, choices):
    """For 1,500 respondents to each question, all true shares are inside.

    Intervals hold together with 1 - 1e-7 a question, so that a false alarm comes in at most 1e-6
    of runs.
    """
    for name, design in DESIGNS.items():
        send(http, choices, name, perturbed(design))

    found = results(store.survey("choices"), store.tally("choices"))
    assert recount(store, "choices").agrees
    for name, design in DESIGNS.items():
        total = found.question(name).total
        truths = [holders / N for holders in shares_of(design.answers)]
        intervals = estimate_shares(total.counts, design).simultaneous(1 - 1e-7, "exact")
        assert (N, design.answers) == (total.n, len(intervals))
        outside = [t for t, interval in zip(truths, intervals, strict=True) if t not in interval]
        assert outside == []


def test_a_device_answers_every_mechanism(http, store, choices, publisher_key, tmp_path):
    """The SDK shows, tosses, stores and sends each report, however wide; each is counted once."""
    asked = {name: f"o{design.answers - 1}" for name, design in DESIGNS.items()}
    client = Client(
        "https://survey.example/v1/surveys/choices",
        choices.publisher.key,
        store=tmp_path / "device.db",
        transport=InProcess(http),
        publisher_cap=Fraction(10**9),
        device_cap=Fraction(10**9),
    )

    assert "is named 50 of 100 times if it is your answer" in str(client.preview())
    assert Outcome.QUEUED == client.answer(asked)
    assert len(DESIGNS) == client.flush().sent == store.survey("choices").reports
    counted = {cell.question: cell for cell in store.tally("choices")}
    for name, design in DESIGNS.items():
        assert 1 == design.reports_counted(counted[name].counts)
    assert recount(store, "choices").agrees


@pytest.mark.parametrize("name", DESIGNS)
def test_a_withdrawal_takes_all_that_a_report_added(http, store, choices, name):
    """Every counter goes back to what it was without the report."""
    reports = [DESIGNS[name].perturb(place % 5) for place in range(40)]
    kept = send(http, choices, name, reports)
    before = store.tally("choices")
    more = send(http, choices, name, [DESIGNS[name].perturb(1) for _ in range(10)])
    body = encode_withdrawal("choices", more)
    answer = http.post("/v1/withdrawals", data=body, content_type=WITHDRAWALS_TYPE)

    assert 200 == answer.status_code
    assert before == store.tally("choices")
    assert len(kept) == store.survey("choices").reports
    assert recount(store, "choices").agrees


def body_with(choices: Survey, name: str, column: bytes, n: int) -> bytes:
    """A body whose packed column is these bytes."""
    return strict_json.dumps(
        {
            "v": 1,
            "manifest": choices.digest,
            "ids": b64(secrets.token_bytes(16 * n)),
            "columns": {name: b64(column)},
        }
    )


MALFORMED = {
    "k_ary": bytes([6]),
    "subset": (0b1111).to_bytes(2, "little"),
    "subset, too few": (0b11).to_bytes(2, "little"),
    "subset, none": bytes(2),
    "subset, a bit beyond": (0b1000000000000011).to_bytes(2, "little"),
    "symmetric": (1 << 10).to_bytes(2, "little"),
    "optimized": (1 << 9).to_bytes(2, "little"),
    "hadamard": bytes([32]),
    "projective": (781).to_bytes(2, "little"),
    "hashing": bytes([125]),
    "wide": b"\xff" * 9,
    "wide, one byte less": bytes(8),
    "wide, one byte more": bytes(10),
    "projective, one byte": bytes(1),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_an_impossible_report_changes_nothing(http, store, choices, case):
    """Beside a good report it makes the whole batch malformed: 400, and nothing is stored."""
    name, column = case.split(",")[0], MALFORMED[case]
    design = DESIGNS[name]
    width = -(-(design.reports - 1).bit_length() // 8)
    good = design.perturb(0).to_bytes(width, "little")
    send(http, choices, name, [design.perturb(0)])
    before = store.tally("choices")
    answer = http.post(
        "/v1/reports", data=body_with(choices, name, good + column, 2), content_type=REPORTS_TYPE
    )

    assert (400, "urn:tossup:error:malformed") == (answer.status_code, answer.json["type"])
    assert before == store.tally("choices")
    assert 1 == store.survey("choices").reports


@pytest.fixture(scope="module")
def answered(tmp_path_factory, choices: Survey, publisher_key) -> Iterator[FlaskClient]:
    """150 reports to each question, to be read."""
    config = Config(data=tmp_path_factory.mktemp("answered"))
    store = SQLiteStore(config.database)
    with serving(config, store, choices, publisher_key) as client:
        for name, design in DESIGNS.items():
            send(client, choices, name, [design.perturb(0) for _ in range(150)])
        yield client
    store.close()


def test_results_over_http_say_what_is_named(answered):
    """JSON and CSV of every mechanism: its own channel, or that of an option named or not."""
    document = answered.get("/v1/surveys/choices/results").json
    table = answered.get("/v1/surveys/choices/results.csv")

    assert table.status_code == 200
    for question in document["questions"]:
        design = DESIGNS[question["id"]]
        assert (150, design.answers) == (question["n"], len(question["estimates"]))
        assert design.spec() == question["design"]["mechanism"]
        if isinstance(design, FrequencyOracle):
            q, p = design.rates
            expected = [[str(1 - q), str(q)], [str(1 - p), str(p)]]
            assert expected == question["design"]["channel"]
            assert 150 == question["counts"][-1]


def test_the_page_of_results_shows_every_mechanism(answered):
    """The public page says how often an option is named, and estimates every option."""
    page = answered.get("/surveys/choices")

    assert 200 == page.status_code
    for design in DESIGNS.values():
        assert design.name in page.text


def test_a_batch_that_is_too_large_is_not_written(choices):
    """The SDK refuses what the server would, rather than sending it."""
    from tossup.shared.errors import WireError

    wide = DESIGNS["wide"]
    reports = tuple(wide.perturb(0) for _ in range(10))
    ids = tuple(secrets.token_bytes(16) for _ in range(10))
    body = encode_batch(Batch(choices.digest, ids, {"wide": reports}, {}), choices)

    assert 90 == len(unb64(strict_json.loads(body, 1 << 19)["columns"]["wide"]))
    many, their_ids = reports[:1] * 20_000, tuple(secrets.token_bytes(16) for _ in range(20_000))
    with pytest.raises(WireError):
        encode_batch(Batch(choices.digest, their_ids, {"wide": many}, {}), choices)
