"""Reports become bytes and back, in one form, within bounds."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.shared import strict_json, wire
from tossup.shared.errors import WireError
from tossup.shared.survey import Attribute, Question, Survey
from tossup.shared.wire import Batch, Failure, Receipt


def values_of(part: Question | Attribute) -> int:
    return part.mechanism.reports if isinstance(part, Question) else len(part.options)


def make_batch(survey: Survey, n: int, data: st.DataObject) -> Batch:
    questions = survey.questions
    if survey.linkage == "none":
        questions = (data.draw(st.sampled_from(questions)),)

    def column(part: Question | Attribute) -> tuple[int, ...]:
        values = st.integers(0, values_of(part) - 1)
        return tuple(data.draw(st.lists(values, min_size=n, max_size=n)))

    ids = data.draw(
        st.lists(st.binary(min_size=16, max_size=16), min_size=n, max_size=n, unique=True)
    )
    return Batch(
        survey.digest,
        tuple(ids),
        {question.id: column(question) for question in questions},
        {attribute.id: column(attribute) for attribute in survey.attributes},
    )


@given(n=st.integers(1, 20), data=st.data())
def test_a_batch_comes_back(survey: Survey, joint_survey: Survey, n: int, data: st.DataObject):
    """Decoding inverts encoding for both linkages."""
    for one in (survey, joint_survey):
        batch = make_batch(one, n, data)

        assert batch == wire.decode_batch(wire.encode_batch(batch, one), one)


@given(data=st.data())
def test_accepted_bodies_have_one_form(survey: Survey, data: st.DataObject):
    """Whatever a mutated body decodes to encodes to the same columns; else a WireError."""
    body = bytearray(
        wire.encode_batch(make_batch(survey, data.draw(st.integers(1, 9)), data), survey)
    )
    body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    try:
        batch = wire.decode_batch(bytes(body), survey)
    except WireError:
        return

    assert batch == wire.decode_batch(wire.encode_batch(batch, survey), survey)
    assert strict_json.loads(bytes(body), 10**6) == strict_json.loads(
        wire.encode_batch(batch, survey), 10**6
    )


def one_report(survey: Survey) -> dict[str, object]:
    batch = Batch(survey.digest, (b"\x01" * 16,), {"ever_tried": (1,)}, {"region": (0,)})
    value = json.loads(wire.encode_batch(batch, survey))
    assert isinstance(value, dict)
    return value


@each(
    "change",
    [
        {"v": 2},
        {"v": "1"},
        {"manifest": "0" * 64},
        {"manifest": None},
        {"ids": ""},
        {"ids": "AQEBAQEBAQEBAQEBAQEBAQ==\n"},
        {"ids": "AQEBAQEBAQEBAQEBAQEBAR=="},
        {"ids": "AQEB"},
        {"ids": 7},
        {"columns": {}},
        {"columns": []},
        {"columns": {"ever_tried": "AQ==", "rating": "AQ=="}},
        {"columns": {"never": "AQ=="}},
        {"columns": {"ever_tried": "Aw=="}},
        {"columns": {"ever_tried": "AQA="}},
        {"columns": {"ever_tried": ""}},
        {"columns": {"ever_tried": [1]}},
        {"columns": {"rating": "BQ=="}},
        {"attributes": {}},
        {"attributes": {"region": "Ag=="}},
        {"attributes": {"region": "AAA="}},
        {"attributes": {"region": "AA==", "age": "AA=="}},
        {"attributes": None},
        {"device": "abc"},
    ],
)
def test_a_changed_batch_is_refused(survey: Survey, change: dict[str, object]):
    """Other versions, manifests, lengths, ranges, padding bits and fields are refused."""
    with pytest.raises(WireError):
        wire.decode_batch(json.dumps({**one_report(survey), **change}).encode(), survey)


def test_a_yes_no_report_costs_at_most_22_bytes(survey: Survey):
    """In a batch of 1,000 a report of a survey without attributes stays within 22 bytes."""
    plain = replace(survey, attributes=())
    ids = tuple(n.to_bytes(16, "little") for n in range(1000))
    body = wire.encode_batch(Batch(plain.digest, ids, {"ever_tried": (0, 1) * 500}, {}), plain)

    assert len(body) <= 22 * 1000


def test_yes_and_no_are_equally_long(survey: Survey):
    """Length does not depend on what is reported."""
    for question, values in (("ever_tried", (0, 1)), ("rating", range(5))):
        bodies = [
            wire.encode_batch(
                Batch(survey.digest, (b"\x01" * 16,), {question: (value,)}, {"region": (0,)}),
                survey,
            )
            for value in values
        ]

        assert 1 == len({len(body) for body in bodies})


@pytest.mark.parametrize("n", [0, 10_001])
def test_batches_are_bounded(survey: Survey, n: int):
    """Empty and oversized batches are not written."""
    ids = tuple(place.to_bytes(16, "little") for place in range(n))
    batch = Batch(survey.digest, ids, {"ever_tried": (0,) * n}, {"region": (0,) * n})

    with pytest.raises(WireError, match="1 to 10000 reports"):
        wire.encode_batch(batch, survey)


@pytest.mark.parametrize("value", [-1, 2, True, 1.0, None])
def test_columns_hold_only_their_range(survey: Survey, value: object):
    """A value outside the mechanism's reports is not written."""
    with pytest.raises(WireError, match="outside its range"):
        wire.pack_column([value], survey.questions[0])  # type: ignore[list-item]


def test_repeated_ids_in_one_batch_are_refused():
    """One id stands for one report."""
    with pytest.raises(WireError, match="twice"):
        wire.split_ids(b"\x01" * 32)


def test_a_withdrawal_comes_back():
    """Decoding inverts encoding; other fields are refused."""
    body = wire.encode_withdrawal("habits-7", [b"\x01" * 16, b"\x02" * 16])

    assert ("habits-7", (b"\x01" * 16, b"\x02" * 16)) == wire.decode_withdrawal(body)
    with pytest.raises(WireError):
        wire.decode_withdrawal(body.replace(b'"v":1', b'"v":1,"why":"x"'))


def test_a_receipt_comes_back():
    """Decoding inverts encoding."""
    receipt = Receipt(2, (Failure(0, "survey-closed"), Failure(2, "malformed")))

    assert receipt == wire.decode_receipt(wire.encode_receipt(receipt), sent=4)


@each(
    "body",
    [
        b"<html>Welcome to the hotel</html>",
        b"",
        b"{}",
        b'{"v":1,"received":1}',
        b'{"v":2,"received":1,"failed":[]}',
        b'{"v":1,"received":true,"failed":[]}',
        b'{"v":1,"received":2,"failed":[]}',
        b'{"v":1,"received":0,"failed":[]}',
        b'{"v":1,"received":1,"failed":[],"more":1}',
        b'{"v":1,"received":0,"failed":[{"i":1,"code":"x"}]}',
        b'{"v":1,"received":0,"failed":[{"i":0,"code":"X!"}]}',
        b'{"v":1,"received":0,"failed":[{"i":0}]}',
        b'{"v":1,"received":-1,"failed":[{"i":0,"code":"a"},{"i":0,"code":"a"}]}',
        b'{"v":1,"received":1,"failed":[',
    ],
)
def test_what_does_not_account_for_one_report_is_no_receipt(body: bytes):
    """A portal's page, half a receipt and a wrong count are refused."""
    with pytest.raises(WireError):
        wire.decode_receipt(body, sent=1)
