"""Kernels of mask oracles: count set bits, option by option."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import (
    Column,
    Counts,
    Indexes,
    Supports,
    histogram,
    numbers,
    packed_bits,
)
from tossup.server.kernels.tossing.draws import spread, uniform_below
from tossup.shared.mechanisms import SubsetSelection
from tossup.shared.mechanisms.choices.oracle import MaskOracle
from tossup.shared.mechanisms.choices.unary import UnaryEncoding

_CHUNK: Final = 1 << 14
_ROWS: Final = 1 << 16
_NARROW: Final = 4
_BITS: Final = np.arange(256)[:, np.newaxis] >> np.arange(8) & 1  # of every byte value
_FEW: Final = 24  # fewer rows are taken apart sooner than added up


@dataclass(frozen=True)
class MaskKernel(ABC):
    """Counts masks of options."""

    mechanism: MaskOracle

    def admits(self, column: Column) -> bool:
        """Return whether no bit is set beyond the last option."""
        return not any_bit_beyond(column, self.mechanism.options)

    def count(self, column: Column) -> Counts:
        """Return the number of masks that hold each option, and of all."""
        return mask_tally(column, self.mechanism.options)

    def supports(self, column: Column) -> Supports:
        """Return which options each mask holds."""
        return mask_bits(column, self.mechanism.options)

    def together(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the chance that a report supports both of two options, for every two.

        Parameters
        ----------
        shares
            The share of each option among respondents.
        """
        neither, one = (float(rate) for rate in self.mechanism.pair_rates)
        held: NDArray[np.float64] = np.add.outer(shares, shares)
        return neither + (one - neither) * held

    @abstractmethod
    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return a tally of freshly tossed reports when truth[i] respondents give answer i."""

    @abstractmethod
    def mask_each(self, options: NDArray[np.int64]) -> Supports:
        """Return the bits of a freshly tossed mask for each respondent, given their answers."""

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return the masks of `mask_each` as a column."""
        return packed_bits(self.mask_each(np.array(answers, dtype=np.int64)[held]))


@dataclass(frozen=True)
class UnaryKernel(MaskKernel):
    """Counts and simulates independent bits."""

    mechanism: UnaryEncoding

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return binomial counts: each option's bits are independent of the others."""
        total, hit, miss = self.mechanism.total, self.mechanism.hit, self.mechanism.miss
        n = sum(truth)
        hits = [int(spread((hit, total - hit), holders)[0]) for holders in truth]
        misses = [int(spread((miss, total - miss), n - holders)[0]) for holders in truth]
        return np.array([*map(sum, zip(hits, misses, strict=True)), n], dtype=np.int64)

    def mask_each(self, options: NDArray[np.int64]) -> Supports:
        """Return the bits of a freshly tossed mask for each respondent, given their answers."""
        design, n = self.mechanism, len(options)
        draws = uniform_below(design.total, n * design.options).reshape(n, design.options)
        set_bits: Supports = draws < design.miss
        rows = np.arange(n)
        set_bits[rows, options] = draws[rows, options] < design.hit
        return set_bits


@dataclass(frozen=True)
class SubsetKernel(MaskKernel):
    """Counts and simulates sets of one size."""

    mechanism: SubsetSelection

    def admits(self, column: Column) -> bool:
        """Return whether every mask is of exactly the size, and of options."""
        rows = _rows(column)
        if rows.shape[1] <= _NARROW:
            sizes = np.bitwise_count(numbers(column))
        else:
            sizes = np.bitwise_count(_words(rows)).sum(axis=1, dtype=np.int64)
        beyond = any_bit_beyond(column, self.mechanism.options)
        return not beyond and bool((sizes == self.mechanism.size).all())

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return the tally of sets drawn as on a device, many at a time."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for answer, respondents in enumerate(truth):
            for start in range(0, respondents, _CHUNK):
                n = min(_CHUNK, respondents - start)
                # Sets hold places counted from the truth on.
                places = np.bincount(self._places(n).ravel(), minlength=self.mechanism.options)
                tally[:-1] += np.roll(places, answer)
                tally[-1] += n
        return tally

    def mask_each(self, options: NDArray[np.int64]) -> Supports:
        """Return the bits of a freshly tossed set for each respondent, given their answers."""
        size = self.mechanism.options
        places = self._places(len(options)) + options[:, np.newaxis]
        places -= size * (places >= size)
        places += size * np.arange(len(options))[:, np.newaxis]
        set_bits = np.zeros((len(options), size), dtype=np.bool_)
        set_bits.reshape(-1)[places] = True
        return set_bits

    def _places(self, n: int) -> NDArray[np.int64]:
        """Return what n sets hold, one row each: the truth is place 0, others come after it."""
        design = self.mechanism
        kept = design.size * design.keep
        total = kept + (design.options - design.size) * design.lie
        included = uniform_below(total, n) < kept
        chosen = _shuffle(design.options - 1, design.size, n) + 1
        chosen[included, -1] = 0
        return chosen


def _shuffle(items: int, taken: int, n: int) -> NDArray[np.int64]:
    """Return the first ``taken`` of 0, ..., items - 1 in n random orders, one row each."""
    # A row a place, so that what a step looks at lies together.
    orders = np.repeat(np.arange(items, dtype=np.int16)[:, np.newaxis], n, axis=1)
    flat, columns = orders.reshape(-1), np.arange(n)
    for place in range(taken):
        other = (place + uniform_below(items - place, n)) * n + columns
        before = orders[place].copy()
        orders[place] = flat[other]
        flat[other] = before
    return orders[:taken].T.astype(np.int64)


def _rows(column: Column) -> Column:
    return column.reshape(len(column), -1)


def any_bit_beyond(column: Column, options: int) -> bool:
    """Return whether a mask in a column has a bit set beyond its last option."""
    return bool(options % 8) and bool((_rows(column)[:, -1] >> (options % 8)).any())


def mask_bits(column: Column, options: int) -> Supports:
    """Return which options each mask of a column holds."""
    bits = np.unpackbits(_rows(column), axis=1, count=options, bitorder="little")
    return bits.view(np.bool_)


def mask_tally(column: Column, options: int) -> Counts:
    """Return how many masks of a column hold each option, and how many there are."""
    return np.append(bit_sums(_rows(column))[:options], len(column))


def bit_sums(rows: Column) -> Counts:
    """Return how often each bit is set, least significant first, in rows of bytes.

    Narrow rows are counted by byte values, wide ones by carry-save adders: three rows, bit by bit,
    add up to a row of ones and a row of carries, which count twice. So most of the work is a few
    logical operations on whole words, and few rows of each weight are taken apart bit by bit.

    >>> bit_sums(np.array([[3], [5]], dtype=np.uint8)).tolist()
    [2, 1, 1, 0, 0, 0, 0, 0]
    """
    width = rows.shape[1]
    if width <= _NARROW:
        values = np.array([histogram(column, 256) for column in rows.T])
        counted: Counts = (values @ _BITS).ravel()
        return counted
    sums = np.zeros(-(-width // 8) * 64, dtype=np.int64)
    for start in range(0, len(rows), _ROWS):
        _add_up(_words(rows[start : start + _ROWS]), sums)
    return sums[: 8 * width]


def _words(rows: Column) -> NDArray[np.uint64]:
    """Return rows of bytes as rows of 64-bit words, with zeros after the last byte."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : rows.shape[1]] = rows
    return padded.view("<u8")


def _add_up(words: NDArray[np.uint64], sums: Counts) -> None:
    """Add the set bits of rows of words to sums."""
    weight = 1
    while len(words):
        carries = []
        while len(words) >= _FEW:
            third = len(words) // 3
            first, second, last = words[:third], words[third : 2 * third], words[2 * third :]
            _take_apart(last[third:], weight, sums)
            either = first ^ second
            carries.append(first & second | either & last[:third])
            words = either ^ last[:third]
        _take_apart(words, weight, sums)
        words = np.concatenate(carries) if carries else words[:0]
        weight *= 2


def _take_apart(words: NDArray[np.uint64], weight: int, sums: Counts) -> None:
    if len(words):
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
        sums += weight * bits.sum(axis=0, dtype=np.int64)
