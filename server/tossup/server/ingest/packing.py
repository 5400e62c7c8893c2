"""Batches to stored chunks and counters, and back, in whole arrays.

Stage: ingest to tally. Within a chunk reports are sorted by their random ids, so that the order
in which they arrived is not kept.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NewType

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.decoding import (
    Bytes,
    count_columns,
    id_rows,
    pack_columns,
    rows,
    unpack_columns,
)
from tossup.server.kernels import Column, Counts, kernel_of
from tossup.server.store.records import Chunk, Count
from tossup.shared.survey import Question, Survey
from tossup.shared.wire import ID_BYTES


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Reports of one manifest, question and day, as arrays of equal length.

    Attributes
    ----------
    survey, question
        The manifest, and the question's id or None for all questions.
    day
        The server's day on which they arrived.
    ids
        One row of 16 bytes a report.
    values, attributes
        As in `tossup.server.ingest.decoding.ReportBatch`.
    """

    survey: Survey
    question: str | None
    day: date
    ids: Bytes
    values: tuple[Column, ...]
    attributes: Bytes

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that each report answers."""
        return questions_of(self.survey, self.question)

    def take(self, places: NDArray[np.intp] | NDArray[np.bool_]) -> "Reports":
        """Return the reports at some places."""
        if places.dtype == np.bool_:
            places = places.nonzero()[0]
        return Reports(
            self.survey,
            self.question,
            self.day,
            self.ids.take(places, axis=0),
            tuple([column.take(places, axis=0) for column in self.values]),
            self.attributes.take(places, axis=1),
        )


_LEADING: Final = np.dtype(">u8")
_WHOLE: Final = np.dtype((np.void, ID_BYTES))
#: So few numbers are sorted as fast by all their bits; and of so few random ones, the upper 32
#: bits of two are the same in one case of a hundred.
_FEW: Final = 256
_SOME: Final = 1 << 13
#: A tally of so few counters is read as fast one by one.
_SHORT: Final = 32

#: Reports in the order of their random ids, which is none of arrival; `by_id` makes them.
Ordered = NewType("Ordered", Reports)


def split(ids: bytes | Bytes) -> list[bytes]:
    """Return the single ids of a blob, or of an array with a row for each."""
    rows = ids if isinstance(ids, np.ndarray) else id_rows(ids)
    singles: list[bytes] = rows.view(_WHOLE)[:, 0].tolist()
    return singles


def to_chunk(reports: Ordered) -> Chunk:
    """Return reports as they are stored."""
    return Chunk(
        manifest=reports.survey.digest,
        question=reports.question,
        day=reports.day,
        ids=reports.ids.tobytes(),
        columns=pack_columns(reports.values, reports.questions),
        attributes=reports.attributes.tobytes(),
    )


def from_chunk(chunk: Chunk, survey: Survey) -> Reports:
    """Return stored reports as arrays.

    Raises
    ------
    WireError
        If the stored bytes are not what `to_chunk` writes for this survey.
    """
    ids = id_rows(chunk.ids)
    n = len(ids)
    return Reports(
        survey,
        chunk.question,
        chunk.day,
        ids,
        unpack_columns(chunk.columns, questions_of(survey, chunk.question), n),
        rows(unpack_columns(chunk.attributes, survey.attributes, n), n),
    )


def counts(reports: Reports, sign: int = 1) -> Iterator[Count]:
    """Yield what these reports add to the counters, or take from them (``sign`` -1)."""
    questions = reports.questions
    for stratum, places in _by_stratum(reports):
        for question, column in zip(questions, reports.values, strict=True):
            tally = kernel_of(question.mechanism).count(column[places])
            for value, n in _above_zero(tally):
                yield Count(
                    reports.survey.digest, question.id, reports.day, stratum, value, sign * n
                )


def stored_counts(chunk: Chunk, survey: Survey) -> Iterator[Count]:
    """Yield what stored reports add to the counters, as `counts` does once they are unpacked.

    Raises
    ------
    WireError
        As `from_chunk` does.
    """
    if survey.attributes or chunk.attributes:
        yield from counts(from_chunk(chunk, survey))
        return
    # Without attributes there is one stratum, and the columns are counted as they stand.
    questions = questions_of(survey, chunk.question)
    tallies = count_columns(chunk.columns, questions, len(id_rows(chunk.ids)))
    for question, tally in zip(questions, tallies, strict=True):
        for value, n in _above_zero(tally):
            yield Count(survey.digest, question.id, chunk.day, 0, value, n)


def questions_of(survey: Survey, question: str | None) -> tuple[Question, ...]:
    """Return the questions that a report answers: one, or all for None."""
    return survey.questions if question is None else (survey.question(question),)


def _above_zero(tally: Counts) -> Iterable[tuple[int, int]]:
    """Return the places of the counters above 0, and what they count."""
    if len(tally) <= _SHORT:
        return [(value, n) for value, n in enumerate(tally.tolist()) if n]
    (places,) = tally.nonzero()
    return zip(places.tolist(), tally.take(places).tolist(), strict=True)


def strata_of(attributes: Bytes, survey: Survey) -> NDArray[np.int64]:
    """Return every report's stratum number: its option indexes in mixed radix."""
    strata = np.zeros(attributes.shape[1], dtype=np.int64)
    for indexes, attribute in zip(attributes, survey.attributes, strict=True):
        strata = strata * len(attribute.options) + indexes
    return strata


def _by_stratum(reports: Reports) -> Iterator[tuple[int, NDArray[np.intp] | slice]]:
    """Yield every stratum that has reports, and where these stand."""
    if not len(reports.ids):
        return
    if not reports.survey.attributes:
        yield 0, slice(None)
        return
    strata = strata_of(reports.attributes, reports.survey)
    if (strata == strata[0]).all():
        yield int(strata[0]), slice(None)
        return
    order = np.argsort(strata, kind="stable")
    present, starts = np.unique(strata[order], return_index=True)
    yield from zip(present.tolist(), np.split(order, starts[1:]), strict=True)


def by_id(reports: Reports) -> Ordered:
    """Return reports in the order of their random ids, which is none of arrival."""
    return Ordered(reports if len(reports.ids) < 2 else reports.take(order_of(reports.ids)))


def order_of(ids: Bytes) -> NDArray[np.intp]:
    """Return the places of ids in their order.

    The first 8 of 16 random bytes order them; equal ones keep their order.
    """
    return stable_order(ids.view(_LEADING)[:, 0].astype(np.uint64))


def stable_order(numbers: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return the places of numbers in their order; equal ones keep theirs.

    It is made for random numbers, of which the upper 32 or 48 bits tell nearly all apart: 16 bits
    after 16, from the lower to the upper ones, numpy sorts in linear time. All 64 take longer.
    """
    n = len(numbers)
    if n <= _FEW:
        return numbers.argsort(kind="stable")
    lowest, *others = (_digits(numbers, bits) for bits in range(32 if n <= _SOME else 16, 64, 16))
    order = lowest.argsort(kind="stable")
    for digits in others:
        order = order.take(digits.take(order).argsort(kind="stable"))
    ordered = numbers.take(order)
    if (ordered[1:] < ordered[:-1]).any():
        return numbers.argsort(kind="stable")
    return order


def _digits(numbers: NDArray[np.uint64], bits: int) -> NDArray[np.uint16]:
    """Return the 16 bits above so many others of each number."""
    return (numbers >> np.uint64(bits)).astype(np.uint16)
