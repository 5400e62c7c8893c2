"""What the server does with a column of reports, whatever their mechanism: the interface."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

#: Reports as they travel, unpacked: shape (n,) for values of one byte, else (n, bytes).
Column = NDArray[np.uint8]
Counts = NDArray[np.int64]


class Kernel(Protocol):
    """The array code of one mechanism."""

    def admits(self, column: Column) -> bool:
        """Return whether every value of a column (at least one) is a possible report."""

    def count(self, column: Column) -> Counts:
        """Return the tally of a column: as many numbers as the mechanism has counters."""

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return a tally of freshly tossed reports when truth[i] respondents give answer i."""


def numbers(column: Column) -> NDArray[np.unsignedinteger]:
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
