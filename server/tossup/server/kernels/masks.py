"""Kernels of mask oracles: count set bits, option by option."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Column, Counts
from tossup.server.kernels.draws import spread, uniform_below
from tossup.shared.mechanisms import SubsetSelection
from tossup.shared.mechanisms.unary import UnaryEncoding

_LOWEST_BITS: Final = np.uint64(0x0101010101010101)
_ROWS: Final = 255  # as many as a byte can count
_CHUNK: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class UnaryKernel:
    """Counts and simulates independent bits."""

    mechanism: UnaryEncoding

    def admits(self, column: Column) -> bool:
        """Return whether no bit is set beyond the last option."""
        return _no_bit_beyond(_rows(column), self.mechanism.options)

    def count(self, column: Column) -> Counts:
        """Return the number of set bits of each option, and of reports."""
        return _tally(column, self.mechanism.options)

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return binomial counts: each option's bits are independent of the others."""
        total, hit, miss = self.mechanism.total, self.mechanism.hit, self.mechanism.miss
        n = sum(truth)
        hits = [int(spread((hit, total - hit), holders)[0]) for holders in truth]
        misses = [int(spread((miss, total - miss), n - holders)[0]) for holders in truth]
        return np.array([*map(sum, zip(hits, misses, strict=True)), n], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class SubsetKernel:
    """Counts and simulates sets of one size."""

    mechanism: SubsetSelection

    def admits(self, column: Column) -> bool:
        """Return whether every mask is of exactly the size, and of options."""
        rows = _rows(column)
        sizes = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
        whole = _no_bit_beyond(rows, self.mechanism.options)
        return whole and bool((sizes == self.mechanism.size).all())

    def count(self, column: Column) -> Counts:
        """Return the number of sets that hold each option, and of all."""
        return _tally(column, self.mechanism.options)

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return the tally of sets drawn as on a device, many at a time."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for answer, respondents in enumerate(truth):
            for start in range(0, respondents, _CHUNK):
                n = min(_CHUNK, respondents - start)
                # Sets hold places counted from the truth on.
                tally[:-1] += np.roll(self._places(n), answer)
                tally[-1] += n
        return tally

    def _places(self, n: int) -> Counts:
        """Return how many of n sets hold the truth (place 0) and each place after it."""
        design = self.mechanism
        kept = design.size * design.keep
        total = kept + (design.options - design.size) * design.lie
        included = uniform_below(total, n) < kept
        chosen = _shuffle(design.options - 1, design.size, n) + 1
        chosen[included, -1] = 0
        return np.bincount(chosen.ravel(), minlength=design.options).astype(np.int64)


def _shuffle(items: int, taken: int, n: int) -> NDArray[np.int64]:
    """Return the first ``taken`` of 0, ..., items - 1 in n random orders, one row each."""
    orders = np.tile(np.arange(items), (n, 1))
    rows = np.arange(n)
    for place in range(taken):
        other = place + uniform_below(items - place, n)
        orders[rows, other], orders[:, place] = orders[:, place].copy(), orders[rows, other]
    return orders[:, :taken]


def _rows(column: Column) -> Column:
    return column.reshape(len(column), -1)


def _no_bit_beyond(rows: Column, options: int) -> bool:
    return not options % 8 or not (rows[:, -1] >> (options % 8)).any()


def _tally(column: Column, options: int) -> Counts:
    return np.append(bit_sums(_rows(column))[:options], len(column))


def bit_sums(rows: Column) -> Counts:
    """Return how often each bit is set, least significant first, in rows of bytes.

    Eight bytes are a word; its lowest bits, byte by byte, are eight counters that are added up
    as one number. None overflows within 255 rows.

    >>> bit_sums(np.array([[3], [5]], dtype=np.uint8)).tolist()
    [2, 1, 1, 0, 0, 0, 0, 0]
    """
    n, width = rows.shape
    padded = np.zeros((n, -(-width // 8) * 8), dtype=np.uint8)
    padded[:, :width] = rows
    words = padded.view("<u8")
    sums = np.empty((padded.shape[1], 8), dtype=np.int64)
    starts = np.arange(0, n, _ROWS)
    for bit in range(8):
        counters = np.add.reduceat(words >> np.uint64(bit) & _LOWEST_BITS, starts, axis=0)
        sums[:, bit] = counters.view(np.uint8).sum(axis=0, dtype=np.int64)
    return sums.ravel()[: 8 * width]
