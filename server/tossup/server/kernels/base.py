"""What the server does with a column of reports, whatever their mechanism: the interface."""

from collections.abc import Sequence
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

#: Reports as they travel, unpacked: shape (n,) for values of one byte, else (n, bytes).
Column = NDArray[np.uint8]
Counts = NDArray[np.int64]
Indexes = NDArray[np.int64]
Values = NDArray[np.integer[Any]]
Supports = NDArray[np.bool_]  # one row a report, one column an option

_CHUNK: Final = 1 << 18  # values counted at once: as many as a processor keeps at hand
_PAIRS: Final = 1 << 17  # from so many bytes on, two are counted at once


class Kernel(Protocol):
    """The array code of one mechanism."""

    def admits(self, column: Column) -> bool:
        """Return whether every value of a column (at least one) is a possible report."""

    def count(self, column: Column) -> Counts:
        """Return the tally of a column: as many numbers as the mechanism has counters."""

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return a tally of freshly tossed reports when truth[i] respondents give answer i."""

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return one freshly tossed report for each respondent, as a column.

        Parameters
        ----------
        answers
            The answers that occur, as the mechanism takes them.
        held
            Which of these each respondent holds.
        """


@runtime_checkable
class NamingKernel(Kernel, Protocol):
    """The array code of a mechanism whose reports name options."""

    def supports(self, column: Column) -> Supports:
        """Return which options each report names."""


def numbers(column: Column) -> Values:
    """Return the values of a column of up to four bytes as integers.

    >>> numbers(np.array([[1, 0], [2, 1]], dtype=np.uint8)).tolist()
    [1, 258]
    """
    if column.ndim == 1:
        return column
    if column.shape[1] == 2:
        return np.ascontiguousarray(column).view("<u2")[:, 0]
    wide = np.zeros((len(column), 4), dtype=np.uint8)
    wide[:, : column.shape[1]] = column
    return wide.view("<u4")[:, 0]


def column_of(values: Indexes, reports: int) -> Column:
    """Return reports below ``reports`` as a column: the inverse of `numbers`.

    >>> column_of(np.array([1, 258]), 1000).tolist()
    [[1, 0], [2, 1]]
    """
    width = max(1, -(-(reports - 1).bit_length() // 8))
    if width == 1:
        return values.astype(np.uint8)
    return np.ascontiguousarray(values.astype("<i8").view(np.uint8).reshape(-1, 8)[:, :width])


def packed_bits(bits: Supports) -> Column:
    """Return masks, one row of bits each, as a column: the first bit is the least significant."""
    rows = np.packbits(bits, axis=1, bitorder="little")
    return rows[:, 0] if rows.shape[1] == 1 else rows


def mask_rows(masks: Sequence[int], bits: int) -> Supports:
    """Return which bits are set in some masks, one row each.

    >>> mask_rows([1, 6], 3).tolist()
    [[True, False, False], [False, True, True]]
    """
    width = -(-bits // 8)
    packed = b"".join(mask.to_bytes(width, "little") for mask in masks)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(masks), width)
    return np.unpackbits(rows, axis=1, count=bits, bitorder="little").view(np.bool_)


def histogram(values: Values, size: int) -> Counts:
    """Return how often each of 0, ..., size - 1 comes; no value may be larger.

    >>> histogram(np.array([3, 1, 3], dtype=np.uint8), 4).tolist()
    [0, 1, 0, 2]
    """
    if values.dtype == np.uint8 and len(values) >= _PAIRS:
        return _in_pairs(np.ascontiguousarray(values))[:size]
    counts = np.zeros(size, dtype=np.int64)
    for start in range(0, len(values), _CHUNK):
        counts += np.bincount(values[start : start + _CHUNK], minlength=size)
    return counts


def _in_pairs(values: Column) -> Counts:
    """Return how often each byte comes, counted as 16-bit numbers of two bytes each."""
    even = len(values) // 2 * 2
    pairs = histogram(values[:even].view("<u2"), 1 << 16).reshape(256, 256)
    counts: Counts = pairs.sum(axis=0) + pairs.sum(axis=1)
    counts[values[even:]] += 1
    return counts
