"""The server's decoder against the shared one: they accept and read exactly the same."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.packing import split
from tossup.server.kernels.base import numbers
from tossup.server.refusals import Refused
from tossup.shared.errors import WireError
from tossup.shared.mechanisms import (
    HadamardResponse,
    LocalHashing,
    Mechanism,
    OptimizedUnary,
    ProjectiveGeometryResponse,
    SubsetSelection,
)
from tossup.shared.survey import Option, Question, Survey
from tossup.shared.wire import Batch, b64, decode_batch, encode_batch, unb64

Found = tuple[tuple[bytes, ...], dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]


def by_shared(body: bytes, survey: Survey) -> Found | None:
    """What the shared decoder reads, or None if it refuses."""
    try:
        batch = decode_batch(body, survey)
    except WireError:
        return None
    return batch.ids, dict(batch.columns), dict(batch.attributes)


def by_server(body: bytes, survey: Survey) -> Found | None:
    """What the server's decoder reads, or None if it refuses."""

    def find(digest: str) -> Survey:
        if digest != survey.digest:
            raise Refused("unknown", "manifest-unknown")
        return survey

    try:
        batch = decode_reports(body, find)
    except (WireError, Refused):
        return None
    questions = [batch.question] if batch.question else [q.id for q in survey.questions]
    columns = dict(
        zip(questions, (tuple(numbers(column).tolist()) for column in batch.values), strict=True)
    )
    publics = [attribute.id for attribute in survey.attributes]
    return (
        tuple(split(batch.ids)),
        columns,
        dict(zip(publics, map(tuple, batch.attributes.tolist()), strict=True)),
    )


@cache
def possible(mechanism: Mechanism) -> list[int]:
    """All reports of a mechanism."""
    return [value for value in range(mechanism.reports) if mechanism.is_report(value)]


@st.composite
def bodies(draw: st.DrawFn, survey: Survey) -> bytes:
    """A good body of 1 to 40 reports; what they are follows from a seed, which is drawn quickly."""
    n, random = draw(st.integers(1, 40)), Random(draw(st.integers(0, 2**64 - 1)))
    ids = tuple(random.randbytes(16) for _ in range(n))
    joint = survey.linkage == "joint"
    chosen = survey.questions if joint else [draw(st.sampled_from(survey.questions))]
    column = {q.id: tuple(random.choices(possible(q.mechanism), k=n)) for q in chosen}
    regions = tuple(random.choices((0, 1), k=n))
    return encode_batch(Batch(survey.digest, ids, column, {"region": regions}), survey)


@st.composite
def mutated(draw: st.DrawFn, survey: Survey) -> bytes:
    """A body with bytes changed, other packed bytes in a column, or another value in a field."""
    body = draw(bodies(survey))
    kind = draw(st.sampled_from(["bytes", "column", "field"]))
    if kind == "bytes":
        at = draw(st.integers(0, len(body)))
        cut = draw(st.integers(0, 3))
        return body[:at] + draw(st.binary(max_size=3)) + body[at + cut :]
    value = json.loads(body)
    if kind == "column":
        columns = value[draw(st.sampled_from(["columns", "attributes"]))]
        name = draw(st.sampled_from(sorted(columns)))
        size = len(unb64(columns[name])) + draw(st.sampled_from([0, 0, 0, 1, -1]))
        most, random = draw(st.sampled_from([1, 7, 255])), Random(draw(st.integers(0, 2**64 - 1)))
        columns[name] = b64(bytes(random.randint(0, most) for _ in range(size)))
        return json.dumps(value).encode()
    name = draw(st.sampled_from(["v", "manifest", "ids", "columns", "attributes", "more"]))
    text = st.text("AQ=B/+\n", max_size=8)
    simple = st.one_of(st.none(), st.booleans(), st.integers(-1, 2), text)
    value[name] = draw(st.one_of(simple, st.lists(text, max_size=2), st.dictionaries(text, simple)))
    return json.dumps(value).encode()


OPTIONS = tuple(Option(f"o{place}", {"en": f"{place}"}) for place in range(40))


@pytest.fixture(scope="module")
def wide(survey: Survey) -> Survey:
    """A survey whose reports have one byte, two bytes, and bits that may not be set."""
    mechanisms = [
        SubsetSelection(9, 3),
        OptimizedUnary(9),
        OptimizedUnary(7),
        HadamardResponse(20),
        ProjectiveGeometryResponse(40, 7),
        LocalHashing(40, 7),
    ]
    questions = tuple(
        Question(f"q{place}", f"q{place}", {"en": "?"}, OPTIONS[: mechanism.answers], mechanism)
        for place, mechanism in enumerate(mechanisms)
    )
    return replace(survey, id="wide", questions=questions)


@pytest.fixture(scope="module", params=["none", "joint", "wide"])
def of_linkage(
    request: pytest.FixtureRequest, survey: Survey, joint_survey: Survey, wide: Survey
) -> Survey:
    return {"none": survey, "joint": joint_survey, "wide": wide}[request.param]


@settings(max_examples=100)
@given(data=st.data())
def test_both_decoders_read_the_same_values(of_linkage: Survey, data: st.DataObject) -> None:
    """A good body is accepted by both, with equal ids, values and attributes."""
    body = data.draw(bodies(of_linkage))
    expected = by_shared(body, of_linkage)

    assert expected is not None
    assert expected == by_server(body, of_linkage)


@settings(max_examples=300)
@given(data=st.data())
def test_both_decoders_refuse_the_same_bodies(of_linkage: Survey, data: st.DataObject) -> None:
    """A changed body is refused by both or read alike by both."""
    body = data.draw(mutated(of_linkage))

    assert by_shared(body, of_linkage) == by_server(body, of_linkage)


@settings(max_examples=200)
@given(body=st.binary(max_size=200))
def test_no_bytes_raise_anything_else(survey: Survey, body: bytes) -> None:
    """Random bytes are refused with a WireError, never with another exception."""
    assert by_server(body, survey) is None


def test_a_batch_keeps_its_order(survey: Survey, make_body: Callable[..., bytes]) -> None:
    """Values stand in the order of the ids."""
    values = (1, 0, 0, 1, 1, 1, 0, 1, 0)
    batch = decode_reports(make_body(values), lambda digest: survey)

    assert list(values) == batch.values[0].tolist()
