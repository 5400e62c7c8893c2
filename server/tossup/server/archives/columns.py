"""Columns of reports as Arrow arrays, and their tallies: what a file of an archive holds.

Stage: after a survey. Two possible reports are booleans, numbers of one or two bytes integers, and
all others, such as masks, bytes of a fixed width. Every type is asserted before its buffer is read:
an engine that widens bytes would be miscounted in silence.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tossup.server.archives.errors import ArchiveDamaged
from tossup.server.ingest.packing import strata_of
from tossup.server.kernels import Column, Counts, kernel_of
from tossup.shared.survey import Attribute, Question, Survey
from tossup.shared.wire import is_bit_column, report_bytes

_INTEGERS: Final = {1: pa.uint8(), 2: pa.uint16()}


def field_of_question(question: Question) -> pa.Field:
    """Return the column of the reports to a question; no author's name is a name of ours."""
    width = report_bytes(question)
    number = _INTEGERS.get(width, pa.binary(width))
    return _field(f"report.{question.id}", pa.bool_() if is_bit_column(question) else number)


def field_of_attribute(attribute: Attribute) -> pa.Field:
    """Return the column of a public attribute: the index of its option."""
    return _field(f"attribute.{attribute.id}", pa.uint8())


def array_of_question(question: Question, column: Column) -> Any:
    """Return a column of reports as an array of the type of `field_of_question`."""
    kind = field_of_question(question).type
    if pa.types.is_boolean(kind):
        return pa.array(column.view(np.bool_))
    if pa.types.is_uint8(kind):
        return pa.array(column)
    if pa.types.is_uint16(kind):
        return pa.array(np.ascontiguousarray(column).view("<u2")[:, 0])
    data = pa.py_buffer(np.ascontiguousarray(column))
    return pa.FixedSizeBinaryArray.from_buffers(kind, len(column), [None, data])


def arrays_of_attributes(indexes: NDArray[np.uint8]) -> list[Any]:
    """Return the option indexes of attributes, one row each, as arrays."""
    return [pa.array(np.ascontiguousarray(row)) for row in indexes]


def check_types(found: pa.Schema, wanted: pa.Schema) -> None:
    """Refuse a file, or what an engine made of it, with columns of other names or types.

    Raises
    ------
    ArchiveDamaged
        Naming the first that differs.
    """
    if len(found) != len(wanted):
        raise ArchiveDamaged(f"the file has {len(found)} columns instead of {len(wanted)}")
    for column, right in zip(found, wanted, strict=True):
        if (column.name, column.type) != (right.name, right.type):
            raise ArchiveDamaged(
                f"column {column.name!r} is {column.type}; it must be {right.name!r}, {right.type}"
            )


def stretches(attributes: Sequence[Any], survey: Survey, n: int) -> list[tuple[int, slice]]:
    """Return where the stratum changes: each stretch's stratum, and its place among n reports.

    Parameters
    ----------
    attributes
        The arrays of option indexes; none is one stretch, of stratum 0.

    Raises
    ------
    ArchiveDamaged
        If an index is none of the manifest's options.
    """
    if not attributes or n == 0:
        return [(0, slice(0, n))] if n else []
    indexes = np.array([array.to_numpy() for array in attributes], dtype=np.uint8).reshape(-1, n)
    for row, attribute in zip(indexes, survey.attributes, strict=True):
        if int(row.max()) >= len(attribute.options):
            raise ArchiveDamaged(f"attribute {attribute.id!r} has no option {int(row.max())}")
    strata = strata_of(indexes, survey)
    ends = [0, *(np.flatnonzero(np.diff(strata)) + 1).tolist(), n]
    return [(int(strata[start]), slice(start, end)) for start, end in pairwise(ends)]


def count(question: Question, array: Any, place: slice) -> Counts:
    """Return the tally of some reports, from an array of the type of `field_of_question`."""
    kernel = kernel_of(question.mechanism)
    n = place.stop - place.start
    part = array.slice(place.start, n)
    if not is_bit_column(question):
        return kernel.count(_column(part))
    no, yes = (kernel.count(np.array([report], dtype=np.uint8)) for report in (0, 1))
    tally: Counts = (n - part.true_count) * no + part.true_count * yes
    return tally


def _field(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


def _column(array: Any) -> Column:
    """Return an array as a column: one byte, or a row of bytes, a report."""
    if not pa.types.is_fixed_size_binary(array.type):
        values: Column = array.to_numpy(zero_copy_only=True)
        return values if values.dtype == np.uint8 else values.view(np.uint8).reshape(-1, 2)
    width = array.type.byte_width
    data = np.frombuffer(array.buffers()[1], dtype=np.uint8)
    return data.reshape(-1, width)[array.offset : array.offset + len(array)]
