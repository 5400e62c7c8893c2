"""Reports made with other coins than the manifest's are refused, over a sweep of mechanisms.

Of the kind of uProxy's report 1644: clients sent 8 bits where 16 were configured, and the server
found out late. A report names the SHA-256 of the manifest it answers, and with it the mechanism,
every parameter and the question; the server refuses what names another, and what does not fit.
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache

import pytest
from flask.testing import FlaskClient
from sweeps import each

from tossup.server.catalogue import design
from tossup.server.kinds.choosing.text import By, for_text
from tossup.server.kinds.choosing.vector import (
    entry_gaussian,
    entry_laplace,
    privunit,
    vector_laplace,
)
from tossup.server.surveys.lifecycle import publish
from tossup.server.surveys.meaning import changes
from tossup.server.surveys.verification import UnderstatedError, verify
from tossup.server.web.app import create_app
from tossup.shared import strict_json
from tossup.shared.coins import Coins
from tossup.shared.kinds import of_options
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.number import Grid
from tossup.shared.kinds.ranking import Ranking
from tossup.shared.kinds.several import Several
from tossup.shared.kinds.text import FreeText
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import (
    MECHANISMS,
    DBitFlip,
    GridMechanism,
    HadamardResponse,
    KaryRandomizedResponse,
    Kuk,
    LocalHashing,
    Mechanism,
    OptimizedUnary,
    PerOptionBits,
    PrefixExtending,
    ProjectiveGeometryResponse,
    RandomizedResponse,
    RankedChoice,
    SampledOptions,
    SetMechanism,
    SubsetSelection,
    SymmetricUnary,
    TwoCoin,
    UnrelatedQuestion,
    VectorMechanism,
)
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Option, Question, Survey
from tossup.shared.wire import REPORTS_TYPE, Batch, b64, encode_batch, unb64

TEXT = {"en": "?"}
NINE = 9  # reports of a batch: more than a byte of bits, and less than two
LETTERS = "abcdefghijklmnopqrstuvwxyz"
THREE, FOUR = Fraction(3), Fraction(4)


@cache
def kinds() -> dict[str, list[Mechanism]]:
    """Return designs of each kind of answers, neighbours by one parameter or by their size."""
    designs: dict[str, list[Mechanism]] = {
        "yes/no": [
            TwoCoin(),
            RandomizedResponse(((3, 1), (1, 3))),
            RandomizedResponse(((4, 1), (2, 3))),
        ],
        "k-ary": [
            KaryRandomizedResponse(8),
            KaryRandomizedResponse(8, 4),
            KaryRandomizedResponse(16),
        ],
        "subset": [SubsetSelection(16, 4), SubsetSelection(16, 5), SubsetSelection(8, 2)],
        "symmetric": [SymmetricUnary(16, 2, 1), SymmetricUnary(16, 3, 1), SymmetricUnary(8, 2, 1)],
        "optimized": [OptimizedUnary(16), OptimizedUnary(16, 4), OptimizedUnary(8)],
        "hadamard": [HadamardResponse(16), HadamardResponse(16, 4), HadamardResponse(300)],
        "projective": [
            ProjectiveGeometryResponse(16, 5),
            ProjectiveGeometryResponse(16, 3),
            ProjectiveGeometryResponse(300, 5),
        ],
        "hashing": [LocalHashing(16, 5), LocalHashing(16, 3), LocalHashing(300, 5)],
        "sampled": [
            SampledOptions.from_odds(*asked) for asked in ((THREE, 8), (FOUR, 8), (THREE, 12))
        ],
        "bits": [
            PerOptionBits.from_odds(Fraction(81), 4),
            PerOptionBits.from_odds(Fraction(81), 4, 1),
            PerOptionBits.from_odds(Fraction(81), 12),
        ],
        "unrelated": [UnrelatedQuestion.from_odds(odds) for odds in (THREE, FOUR, Fraction(9))],
        "kuk": [design("kuk", 2, odds) for odds in (THREE, FOUR, Fraction(9))],
        **{
            name: [design(name, *asked) for asked in ((8, THREE), (8, FOUR), (4, THREE))]
            for name in (
                *("exponential", "noisy-max-laplace", "permute-and-flip", "ranked-choice"),
                *("rappor", "permanent-instantaneous"),
            )
        },
        "lattice": [
            vector_laplace(2, 8, THREE),
            vector_laplace(2, 8, FOUR),
            vector_laplace(3, 8, THREE),
        ],
        "normal": [
            entry_gaussian(2, 8, THREE),
            entry_gaussian(2, 8, FOUR),
            entry_gaussian(3, 8, THREE),
        ],
        "entries": [
            entry_laplace(2, 8, THREE),
            entry_laplace(2, 8, FOUR),
            entry_laplace(3, 8, THREE),
        ],
        "sphere": [privunit(2, 8, THREE), privunit(2, 8, FOUR), privunit(3, 8, THREE)],
        "texts": [
            for_text(FreeText(LETTERS, 6), None, THREE),
            for_text(FreeText(LETTERS, 6), None, THREE, 1),
            for_text(FreeText(LETTERS, 12), None, FOUR),
        ],
        **{
            f"texts by {oracle}": [
                for_text(FreeText(LETTERS, 6), None, odds, by=By(oracle, buckets))
                for odds, buckets in ((FOUR, 30), (Fraction(9), 30), (FOUR, 60))
            ]
            for oracle in ("k-ary", "subset-selection", "symmetric-unary", "optimized-unary")
        },
        **{
            kind.name: [
                kind.for_odds(points, odds)
                for points, odds in ((11, THREE), (11, FOUR), (300, THREE))
            ]
            for kind in MECHANISMS.values()
            if issubclass(kind, GridMechanism) and kind is not DBitFlip
        },
        "kept bits": [
            DBitFlip.for_odds(points, odds)
            for points, odds in ((11, THREE), (11, FOUR), (4, THREE))
        ],
    }
    # Of mechanisms without neighbours here, the first of their own examples.
    tried = {made.name for several in designs.values() for made in several}
    others = {name: kind for name, kind in MECHANISMS.items() if name not in tried}
    return designs | {name: [*kind.examples()[:3]] for name, kind in others.items()}


def pairs() -> list[tuple[Mechanism, Mechanism]]:
    """Return every design with a neighbour, in turn."""
    turned = ((designs, designs[1:] + designs[:1]) for designs in kinds().values())
    return [pair for designs in turned for pair in zip(*designs, strict=True)]


def width(mechanism: Mechanism) -> int:
    """Return how many bits a report has on the wire."""
    return 1 if mechanism.reports == 2 else 8 * -(-(mechanism.reports - 1).bit_length() // 8)


def of_other_sizes() -> list[tuple[Mechanism, Mechanism]]:
    return [(asked, made) for asked, made in pairs() if width(asked) != width(made)]


def answers_of(mechanism: Mechanism) -> tuple[tuple[Option, ...], Domain]:
    """Return the options and the domain of a question for a mechanism."""
    match mechanism:
        case TwoCoin() | RandomizedResponse() | Kuk():
            return (), of_options(())
        case RankedChoice():
            options = tuple(Option(f"o{n}", TEXT) for n in range(len(mechanism.by_rank)))
            return options, Ranking(tuple(option.id for option in options))
        case GridMechanism():
            return (), Grid.integers(0, mechanism.answers - 1)
        case PrefixExtending():
            return (), FreeText(LETTERS[: mechanism.characters], mechanism.lengths[-1])
        case VectorMechanism():
            options = tuple(Option(f"o{n}", TEXT) for n in range(mechanism.dimension))
            ids = tuple(option.id for option in options)
            return options, VectorAnswer(ids, Fraction(mechanism.radius), Fraction(1))
        case SetMechanism():
            options = tuple(Option(f"o{n}", TEXT) for n in range(mechanism.options))
            return options, Several(tuple(option.id for option in options), mechanism.most)
        case _:
            options = tuple(Option(f"o{n}", TEXT) for n in range(mechanism.answers))
            return options, of_options(tuple(option.id for option in options))


@pytest.fixture
def asking(survey: Survey):
    """The survey with one question, asked with a mechanism."""

    def made(mechanism: Mechanism, survey_id: str = survey.id) -> Survey:
        options, domain = answers_of(mechanism)
        question = Question("asked", "asked", TEXT, options, mechanism, domain)
        return replace(survey, id=survey_id, questions=(question,), attributes=())

    return made


def fresh() -> str:
    """Return the id of a survey that the application of this test does not have yet."""
    return f"habits-{secrets.token_hex(8)}"


@pytest.fixture
def http(config, store) -> Iterator[FlaskClient]:
    app = create_app(config, store=store)
    yield app.test_client()
    app.extensions["tossup"].close()


def body(survey: Survey, digest: str | None = None) -> bytes:
    """Return nine reports as a device makes them that holds this survey."""
    mechanism = survey.questions[0].mechanism
    # The zero vector lies in the middle of its box; of all others the second answer will do.
    answer = mechanism.answers // 2 if isinstance(mechanism, VectorMechanism) else 1
    reports = tuple(mechanism.perturb(answer, Coins()) for _ in range(NINE))
    ids = tuple(secrets.token_bytes(16) for _ in reports)
    made = encode_batch(Batch(survey.digest, ids, {"asked": reports}, {}), survey)
    return made.replace(survey.digest.encode(), (digest or survey.digest).encode())


def test_every_mechanism_is_tried():
    """A new one without its neighbours here is found out."""
    tried = {made.name for designs in kinds().values() for made in designs}

    assert set(MECHANISMS) == tried


def test_the_digest_tells_every_design_apart(asking):
    """One parameter, the number of answers or the name: each changes the manifest's SHA-256."""
    designs = [made for designs in kinds().values() for made in designs]

    assert len(designs) == len({asking(made).digest for made in designs})


@each("asked, made", pairs)
def test_reports_of_another_design_are_refused(
    http, store, publisher_key, asking, asked: Mechanism, made: Mechanism
):
    """They name a manifest that the server does not hold: refused at once, and nothing changes."""
    survey_id = fresh()
    held, other = asking(asked, survey_id), asking(made, survey_id)
    publish(store, sign_manifest(held.payload, publisher_key))
    answer = http.post("/v1/reports", data=body(other), content_type=REPORTS_TYPE)

    assert (404, "urn:tossup:error:manifest-unknown") == (answer.status_code, answer.json["type"])
    assert [] == store.tally(held.id)
    again = http.post("/v1/reports", data=body(held), content_type=REPORTS_TYPE)
    assert 200 == again.status_code


@each("asked, made", of_other_sizes)
def test_reports_of_another_size_under_a_known_name_are_refused(
    http, store, publisher_key, asking, asked: Mechanism, made: Mechanism
):
    """8 bits where 16 are configured: though they name the right manifest, they do not fit it."""
    expected = asking(asked, fresh())
    publish(store, sign_manifest(expected.payload, publisher_key))
    answer = http.post(
        "/v1/reports", data=body(asking(made), expected.digest), content_type=REPORTS_TYPE
    )

    assert (400, "urn:tossup:error:malformed") == (answer.status_code, answer.json["type"])
    assert [] == store.tally(expected.id)


def test_every_digit_of_the_digest_counts(http, store, publisher_key, asking):
    """A digest that differs in one digit is another manifest's, wherever the digit stands."""
    survey = asking(TwoCoin())
    publish(store, sign_manifest(survey.payload, publisher_key))
    for place, digit in enumerate(survey.digest):
        changed = "1" if digit == "0" else "0"
        other = survey.digest[:place] + changed + survey.digest[place + 1 :]
        answer = http.post("/v1/reports", data=body(survey, other), content_type=REPORTS_TYPE)
        assert 404 == answer.status_code, place

    assert [] == store.tally("habits-7")


@each("designs", lambda: kinds().values())
def test_versions_with_other_coins_are_counted_apart(
    http, store, publisher_key, asking, designs: list[Mechanism]
):
    """A device that still holds the version before is counted under it, never under the new one."""
    survey_id = fresh()
    first = asking(designs[0], survey_id)
    second = replace(asking(designs[1], survey_id), version=2, previous=first.digest)
    otherwise = tuple(change.id for change in changes(second, [first]))
    second = replace(second, same_meaning=otherwise)
    for survey in (first, second):
        publish(store, sign_manifest(survey.payload, publisher_key))
        http.post("/v1/reports", data=body(survey), content_type=REPORTS_TYPE)
    http.post("/v1/reports", data=body(first), content_type=REPORTS_TYPE)
    counted = {
        cell.manifest: survey.questions[0].mechanism.reports_counted(cell.counts)
        for cell in store.tally(survey_id)
        for survey in (first, second)
        if survey.digest == cell.manifest
    }

    assert {first.digest: 18, second.digest: 9} == counted


def spoilt(mechanism: Mechanism, column: bytes) -> Iterator[bytes]:
    """Yield a column cut, lengthened, and with a number that is no report, first and last."""
    yield from (column[:-1], column + b"\0", column * 2)
    if mechanism.reports == 2:
        yield from (column[:-1] + bytes([column[-1] | 1 << bit]) for bit in range(NINE % 8, 8))
        return
    size = len(column) // NINE
    most = (1 << 8 * size) - 1
    # Of all numbers that fit 12, both ends among them.
    for bad in {0, most, mechanism.reports, *range(0, most, most // 12 + 1)}:
        if bad <= most and not mechanism.is_report(bad):
            yield bad.to_bytes(size, "little") + column[size:]
            yield column[:-size] + bad.to_bytes(size, "little")


@each("mechanism", lambda: [made for designs in kinds().values() for made in designs[::2]])
def test_a_malformed_column_changes_nothing(http, store, publisher_key, asking, mechanism):
    """Of any mechanism: one number that is no report, or a byte too few, and all are refused."""
    survey = asking(mechanism, fresh())
    publish(store, sign_manifest(survey.payload, publisher_key))
    good = json.loads(body(survey))
    for column in spoilt(mechanism, unb64(good["columns"]["asked"])):
        bad = json.dumps(good | {"columns": {"asked": b64(column)}})
        answer = http.post("/v1/reports", data=bad, content_type=REPORTS_TYPE)
        assert (400, "urn:tossup:error:malformed") == (answer.status_code, answer.json["type"])
    assert [] == store.tally(survey.id)
    assert 0 == store.survey(survey.id).reports

    answer = http.post("/v1/reports", data=json.dumps(good), content_type=REPORTS_TYPE)
    (cell,) = store.tally(survey.id)
    assert (200, NINE) == (answer.status_code, mechanism.reports_counted(cell.counts))


@each("mechanism", lambda: [designs[0] for designs in kinds().values()])
def test_a_manifest_of_any_mechanism_that_claims_less_is_refused(publisher_key, asking, mechanism):
    """A hair below the odds, or below epsilon: refused, and as it is, verified."""
    survey = asking(mechanism)
    verify(sign_manifest(survey.payload, publisher_key))
    fields = strict_json.loads(survey.payload, 1 << 20)
    hair = Fraction(10**9 - 1, 10**9)
    for claims in (
        {"odds": str(survey.odds * hair)},
        {"epsilon": str(Decimal(fields["epsilon"]) - Decimal("0.0001"))},
    ):
        envelope = sign_manifest(strict_json.dumps(fields | claims), publisher_key)
        with pytest.raises(UnderstatedError):
            verify(envelope)
