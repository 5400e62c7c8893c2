"""Kernel of block oracles: count reports by number, then add up each option's block."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import (
    Column,
    Counts,
    Indexes,
    Supports,
    Values,
    column_of,
    histogram,
    numbers,
)
from tossup.server.kernels.tossing.draws import uniform_below
from tossup.shared.mechanisms import (
    HadamardResponse,
    LocalHashing,
    ProjectiveGeometryResponse,
)
from tossup.shared.mechanisms.choices.oracle import BlockOracle

Index = NDArray[np.int32]

_CHUNK: Final = 1 << 20
_REPORTS: Final = 1 << 12
_READS: Final = 1 << 16  # of counts at once: what is gathered stays in the cache
_FEW: Final = 32  # fewer reports are compared with the options one by one


@dataclass(frozen=True)
class BlockKernel:
    """Counts and simulates numbers; `members` says which support which option.

    It asks the mechanism for every block once. Subclasses compute blocks with arrays.
    """

    mechanism: BlockOracle

    def supported(self, values: Values) -> Supports:
        """Return which options each report supports, by its number."""
        return self._asked[values]

    @cached_property
    def _asked(self) -> Supports:
        """Which options each report supports, as the mechanism says: one row a report."""
        design = self.mechanism
        table = np.zeros((design.reports, design.options), dtype=np.bool_)
        for option in range(design.options):
            table[[design.member(option, place) for place in range(design.block_size)], option] = (
                True
            )
        return table

    @cached_property
    def members(self) -> Index:
        """The reports in each option's block: one row an option."""
        supports = self.supported(np.arange(self.mechanism.reports))
        return np.nonzero(supports.T)[1].reshape(supports.shape[1], -1).astype(np.int32)

    def strangers(self, options: NDArray[np.int64], ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return reports outside of options' blocks, by their ranks among all of these.

        The members of a block rise. As many come before the stranger of a rank as are at most
        their own place above it; halving finds how many, without a table of strangers, which are
        millions.
        """
        low, high = np.zeros_like(ranks), np.full_like(ranks, self.mechanism.block_size)
        for _ in range(self.mechanism.block_size.bit_length()):
            middle = np.minimum((low + high) // 2, self.mechanism.block_size - 1)
            before = (self.members[options, middle] - middle <= ranks) & (low < high)
            low, high = np.where(before, middle + 1, low), np.where(before, high, middle)
        return ranks + low

    def admits(self, column: Column) -> bool:
        """Return whether the largest number is a report."""
        return int(numbers(column).max()) < self.mechanism.reports

    def count(self, column: Column) -> Counts:
        """Return the number of reports in each block, and of all."""
        values = numbers(column)
        if len(values) <= _FEW:
            return np.append(self.supports(column).sum(axis=0, dtype=np.int64), len(values))
        return self.supporters(histogram(values, self.mechanism.reports))

    def supports(self, column: Column) -> Supports:
        """Return which options each report supports."""
        return self.supported(numbers(column))

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return the tally of reports drawn as on a device, many at a time."""
        counts = np.zeros(self.mechanism.reports, dtype=np.int64)
        for answer, respondents in enumerate(truth):
            for start in range(0, respondents, _CHUNK):
                drawn = self._draw(answer, min(_CHUNK, respondents - start))
                counts += histogram(drawn, self.mechanism.reports)
        return self.supporters(counts)

    def together(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the chance that a report supports both of two options, for every two.

        Parameters
        ----------
        shares
            The share of each option among respondents.
        """
        design, n = self.mechanism, len(shares)
        held = np.zeros(design.reports)
        np.add.at(held, self.members, shares[:, np.newaxis])
        total = design.keep * design.block_size + design.lie * (design.reports - design.block_size)
        chances = (design.lie + (design.keep - design.lie) * held) / total
        both = np.zeros((n, n))
        supports = np.zeros((n, design.reports), dtype=np.bool_)
        np.put_along_axis(supports, self.members.astype(np.int64), values=True, axis=1)
        for at in range(0, design.reports, _REPORTS):
            part = supports[:, at : at + _REPORTS].astype(np.float64)
            both += part * chances[at : at + _REPORTS] @ part.T
        return both

    def _draw(self, answer: int, n: int) -> NDArray[np.int64]:
        design = self.mechanism
        block = self.members[answer]
        rest = np.setdiff1d(np.arange(design.reports), block)
        kept = design.keep * len(block)
        draws = uniform_below(kept + design.lie * len(rest), n)
        inside = block[np.minimum(draws, kept - 1) // design.keep]
        outside = rest[np.maximum(draws - kept, 0) // design.lie]
        drawn: NDArray[np.int64] = np.where(draws < kept, inside, outside)
        return drawn

    def report_each(self, options: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a freshly tossed report for each of many respondents, given their options."""
        design = self.mechanism
        kept = design.keep * design.block_size
        others = design.lie * (design.reports - design.block_size)
        draws = uniform_below(kept + others, len(options))
        inside = self.members[options, np.minimum(draws, kept - 1) // design.keep]
        outside = self.strangers(options, np.maximum(draws - kept, 0) // design.lie)
        drawn: NDArray[np.int64] = np.where(draws < kept, inside, outside).astype(np.int64)
        return drawn

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return the column of `report_each`."""
        options = np.array(answers, dtype=np.int64)[held]
        return column_of(self.report_each(options), self.mechanism.reports)

    def supporters(self, counts: Counts) -> Counts:
        """Return the tally of reports counted by their numbers."""
        return np.append(self._gathered(counts), counts.sum())

    def _gathered(self, counts: Counts) -> Counts:
        """Return the sum of the counts of each option's block, some options at a time."""
        step = max(1, _READS // self.mechanism.block_size)
        blocks = (self.members[at : at + step] for at in range(0, len(self.members), step))
        return np.concatenate([counts.take(block).sum(axis=1) for block in blocks])


@dataclass(frozen=True)
class HadamardKernel(BlockKernel):
    """Blocks are where rows of Sylvester's matrix are +1."""

    mechanism: HadamardResponse

    def supported(self, values: Values) -> Supports:
        """Return where the rows of the options are +1."""
        rows = np.arange(1, self.mechanism.options + 1)
        common = values.astype(np.int64)[:, np.newaxis] & rows
        pluses: Supports = np.bitwise_count(common) % 2 == 0
        return pluses

    def supporters(self, counts: Counts) -> Counts:
        """Return the tally by one transform of the counts."""
        n = counts.sum()
        pluses = (walsh_hadamard(counts) + n) // 2
        return np.append(pluses[1 : self.mechanism.options + 1], n)


@dataclass(frozen=True)
class ProjectiveKernel(BlockKernel):
    """Blocks are points on a hyperplane of a projective space."""

    mechanism: ProjectiveGeometryResponse

    def supported(self, values: Values) -> Supports:
        """Return which points are orthogonal to those of the options."""
        points = _points(self.mechanism)
        products: Index = points[values] @ points[: self.mechanism.options].T
        orthogonal: Supports = products % self.mechanism.field == 0
        return orthogonal


@dataclass(frozen=True)
class HashKernel(BlockKernel):
    """Blocks are pairs of a function and what it makes of the option."""

    mechanism: LocalHashing

    @cached_property
    def members(self) -> Index:
        """One report a function: with the hash of the option."""
        design = self.mechanism
        functions = np.arange(design.block_size)
        hashes = _hashes(design, _digits(functions, design.field, design.dimension))
        return (functions * design.field + hashes.T).astype(np.int32)

    def supported(self, values: Values) -> Supports:
        """Return which options have the hash of a report by its function."""
        design = self.mechanism
        functions, hashes = np.divmod(values.astype(np.int64), design.field)
        rows = _digits(functions, design.field, design.dimension)
        equal: Supports = _hashes(design, rows) == hashes[:, np.newaxis]
        return equal


def walsh_hadamard(values: Counts) -> Counts:
    """Return the sums of values with the signs of every row of Sylvester's matrix.

    In log2(len(values)) additions and subtractions a value instead of len(values).

    >>> walsh_hadamard(np.array([3, 1, 0, 2])).tolist()
    [6, 0, 2, 4]
    """
    sums = values.copy()
    half = 1
    while half < len(sums):
        pairs = sums.reshape(-1, 2, half)
        sums = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        half *= 2
    return sums


def _hashes(design: LocalHashing, functions: Index) -> Index:
    """Return every option's hash by some functions: one row a function."""
    options = _digits(np.arange(design.options), design.field, design.dimension)
    return functions @ options.T % design.field


@lru_cache(maxsize=16)
def _points(design: ProjectiveGeometryResponse) -> Index:
    """Return the coordinates of all points, in the order of their numbers."""
    parts = []
    for leading in range(design.dimension):
        before = _digits(np.arange(design.field**leading), design.field, leading)
        part = np.zeros((len(before), design.dimension), dtype=np.int32)
        part[:, :leading] = before
        part[:, leading] = 1
        parts.append(part)
    return np.concatenate(parts)


def _digits(values: NDArray[np.int64], base: int, length: int) -> Index:
    """Return the last digits of numbers, the least significant first, one row each."""
    powers = base ** np.arange(length)
    return (values[:, np.newaxis] // powers % base).astype(np.int32)
