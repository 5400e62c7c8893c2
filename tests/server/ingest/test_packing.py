"""Chunks and counters against the plain way: one report at a time."""

from collections import Counter
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tossup.server.ingest.packing import (
    Reports,
    by_id,
    counts,
    from_chunk,
    id_rows,
    split,
    stable_order,
    stored_counts,
    to_chunk,
)
from tossup.server.kernels.base import numbers
from tossup.server.store.parsed import radix_digits
from tossup.shared.errors import WireError
from tossup.shared.survey import Attribute, Option, Survey

DAY = date(2026, 3, 14)


@pytest.fixture(scope="module")
def wide(joint_survey: Survey) -> Survey:
    """Two questions, and attributes of two, three and four options."""

    def attribute(name: str, options: int) -> Attribute:
        text = {"en": name}
        return Attribute(name, text, tuple(Option(f"o{n}", text) for n in range(options)))

    attributes = (attribute("a", 2), attribute("b", 3), attribute("c", 4))
    return replace(joint_survey, id="wide", attributes=attributes)


@pytest.fixture(scope="module")
def plain(wide: Survey) -> Survey:
    """The same without attributes."""
    return replace(wide, id="plain", attributes=())


@st.composite
def reports(draw: st.DrawFn, survey: Survey) -> Reports:
    n = draw(st.integers(1, 30))
    ids = draw(st.lists(st.binary(min_size=16, max_size=16), min_size=n, max_size=n, unique=True))

    def rows(sizes: list[int]) -> np.ndarray:
        drawn = [draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)) for k in sizes]
        return np.array(drawn, dtype=np.uint8).reshape(len(sizes), n)

    return Reports(
        survey,
        None,
        DAY,
        id_rows(b"".join(ids)),
        tuple(rows([question.mechanism.reports for question in survey.questions])),
        rows([len(attribute.options) for attribute in survey.attributes]),
    )


def one_by_one(found: Reports) -> dict[bytes, tuple[int, ...]]:
    """Values and attributes by id."""
    columns = [*map(numbers, found.values), *found.attributes]
    rows = np.array(columns).T.tolist()
    return dict(zip(split(found.ids.tobytes()), map(tuple, rows), strict=True))


@settings(max_examples=100)
@given(data=st.data())
def test_a_chunk_keeps_every_report(wide: Survey, data: st.DataObject) -> None:
    """What comes out of a chunk is what went in, by id, in the order of the ids."""
    made = data.draw(reports(wide))
    chunk = to_chunk(by_id(made))

    assert one_by_one(made) == one_by_one(from_chunk(chunk, wide))
    leading = [report_id[:8] for report_id in split(chunk.ids)]
    assert sorted(leading) == leading


@settings(max_examples=100)
@given(data=st.data())
def test_counts_are_those_of_counting_one_by_one(wide: Survey, data: st.DataObject) -> None:
    """Every question, stratum and value has the number of reports that say so."""
    made = data.draw(reports(wide))
    expected: Counter[tuple[str, tuple[int, ...], int]] = Counter()
    for rated in one_by_one(made).values():
        for question, value in zip(wide.questions, rated, strict=False):
            expected[question.id, rated[len(wide.questions) :], value] += 1

    assert expected == {
        (count.question, radix_digits(count.stratum, wide), count.value): count.change
        for count in counts(made)
    }


@settings(max_examples=100)
@given(data=st.data())
def test_stored_reports_are_counted_as_they_stand(
    wide: Survey, plain: Survey, data: st.DataObject
) -> None:
    """With attributes and without: as if they were unpacked first."""
    for survey in (wide, plain):
        chunk = to_chunk(by_id(data.draw(reports(survey))))

        assert list(counts(from_chunk(chunk, survey))) == list(stored_counts(chunk, survey))


@pytest.mark.parametrize("field", ["columns", "attributes"])
@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data + b"\0"])
def test_a_damaged_chunk_is_not_read(wide: Survey, field: str, change) -> None:
    """Stored bytes of another length are refused, not guessed at."""
    made = Reports(
        wide,
        None,
        DAY,
        id_rows(bytes(range(16))),
        tuple(np.zeros((2, 1), dtype=np.uint8)),
        np.zeros((3, 1), dtype=np.uint8),
    )
    chunk = to_chunk(by_id(made))
    damaged = replace(chunk, **{field: change(getattr(chunk, field))})
    with pytest.raises(WireError):
        from_chunk(damaged, wide)


@pytest.mark.parametrize(
    ("field", "stored"),
    [("columns", b"\1"), ("columns", b"\1\0\0"), ("columns", b"\3\0"), ("attributes", b"\0")],
    ids=["too short", "too long", "a bit after the last", "another attribute"],
)
def test_a_damaged_chunk_is_not_counted(plain: Survey, field: str, stored: bytes) -> None:
    """Nor are bytes that are counted as they stand."""
    ids = id_rows(bytes(range(16)))
    column = np.zeros(1, dtype=np.uint8)
    made = Reports(plain, None, DAY, ids, (column, column), np.zeros((0, 1), dtype=np.uint8))
    with pytest.raises(WireError):
        list(stored_counts(replace(to_chunk(by_id(made)), **{field: stored}), plain))


@pytest.mark.parametrize("n", [0, 1, 255, 257, 8191, 8193])
def test_places_are_those_of_a_stable_sort(n: int) -> None:
    """Of random numbers; of some that share their upper bits; and of many that are the same."""
    random = np.random.default_rng(n)
    alike = random.integers(0, 1 << 63, n, dtype=np.uint64)
    for bits in (0, 17, 33, 49, 60, 63):
        low = alike >> np.uint64(bits)
        for each in (low, low << np.uint64(bits), low[::-1]):
            assert each.argsort(kind="stable").tolist() == stable_order(each).tolist(), bits
