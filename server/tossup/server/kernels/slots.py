"""Kernels of texts: count reports slot by slot, and simulate them text by text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha512
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import (
    Column,
    Counts,
    Indexes,
    Supports,
    column_of,
    histogram,
    numbers,
    packed_bits,
)
from tossup.server.kernels.blocks import BlockKernel
from tossup.server.kernels.masks import MaskKernel
from tossup.server.kernels.tossing.draws import uniform_below
from tossup.server.kernels.values import ValueKernel
from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.mechanisms.choices.prefix_extending import ROWS_PER_DIGEST

Numbers = NDArray[np.int64]

_CHUNK: Final = 1 << 18
_MASKS: Final = 1 << 14


@dataclass(frozen=True)
class SlotKernel:
    """Counts reports by their numbers; the oracle's kernel tosses those of a simulation."""

    mechanism: PrefixExtending
    oracle: BlockKernel | ValueKernel
    chunk: int = _CHUNK

    def admits(self, column: Column) -> bool:
        """Return whether the largest number is a report."""
        return int(numbers(column).max()) < self.mechanism.reports

    def count(self, column: Column) -> Counts:
        """Return the number of reports of each number."""
        return histogram(numbers(column), self.mechanism.counters)

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return the tally when truth[i] respondents give text number i."""
        return self.simulate_texts(dict(enumerate(truth)))

    def simulate_texts(self, truth: Mapping[int, int]) -> Counts:
        """Return the tally when truth[text] respondents give the text of this number."""
        design = self.mechanism
        buckets = all_buckets(design, tuple(truth))
        holders = np.repeat(np.arange(len(truth)), list(truth.values()))
        tally = np.zeros(design.counters, dtype=np.int64)
        for start in range(0, len(holders), self.chunk):
            texts = holders[start : start + self.chunk]
            slots = uniform_below(design.slots, len(texts))
            tally += self._tossed(slots, buckets[texts, slots])
        return tally

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return the reports of texts' buckets, each in a slot drawn at random."""
        slots = uniform_below(self.mechanism.slots, len(held))
        return self._column(slots, all_buckets(self.mechanism, tuple(answers))[held, slots])

    def _column(self, slots: Numbers, buckets: Numbers) -> Column:
        """Return one fresh report from each of these buckets."""
        reported = self.oracle.report_each(buckets)
        size = self.mechanism.oracle.reports
        return column_of(slots * size + reported, self.mechanism.reports)

    def _tossed(self, slots: Numbers, buckets: Numbers) -> Counts:
        """Return the tally of one fresh report from each of these buckets."""
        reported = self.oracle.report_each(buckets)
        size = self.mechanism.slot_counters
        return histogram(slots * size + reported, self.mechanism.counters)


@dataclass(frozen=True)
class MaskSlotKernel(SlotKernel):
    """Counts the set bits of each bucket in each slot, and the reports of each slot.

    A report is the mask, in as many bits as there are buckets, and above them the slot.
    """

    oracle: MaskKernel  # type: ignore[assignment]  # a mask is no number
    chunk: int = _MASKS

    def admits(self, column: Column) -> bool:
        """Return whether every report has a slot, and a mask of the oracle's."""
        return all(
            int(slots.max()) < self.mechanism.slots and self.oracle.admits(packed_bits(bits))
            for slots, bits in self._parts(column)
        )

    def count(self, column: Column) -> Counts:
        """Return the number of masks that name each bucket, and of all, slot by slot."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for slots, bits in self._parts(column):
            tally += self._tally(slots, bits)
        return tally

    def _parts(self, column: Column) -> Iterator[tuple[Numbers, Supports]]:
        """Yield the slots and the masks' bits of some reports at a time."""
        buckets = self.mechanism.buckets
        rows = column.reshape(len(column), -1)
        for start in range(0, len(rows), self.chunk):
            bits = np.unpackbits(rows[start : start + self.chunk], axis=1, bitorder="little")
            above = bits[:, buckets:].astype(np.int64)
            yield above @ (1 << np.arange(above.shape[1])), bits[:, :buckets].view(np.bool_)

    def _tally(self, slots: Numbers, bits: Supports) -> Counts:
        size, counters = self.mechanism.slot_counters, self.mechanism.counters
        reports, named = np.nonzero(bits)
        every = histogram(slots * size + size - 1, counters)
        return every + histogram(slots[reports] * size + named, counters)

    def _tossed(self, slots: Numbers, buckets: Numbers) -> Counts:
        return self._tally(slots, self.oracle.mask_each(buckets))

    def _column(self, slots: Numbers, buckets: Numbers) -> Column:
        above = np.arange((self.mechanism.slots - 1).bit_length())
        named = (slots[:, np.newaxis] >> above & 1).astype(np.bool_)
        return packed_bits(np.concatenate((self.oracle.mask_each(buckets), named), axis=1))


def buckets_of(design: PrefixExtending, text: int) -> Numbers:
    """Return a text's bucket in every slot."""
    slots = (divmod(slot, design.rows) for slot in range(design.slots))
    return np.array([design.bucket(text, level, row) for level, row in slots])


@lru_cache(maxsize=8)
def all_buckets(design: PrefixExtending, texts: tuple[int, ...]) -> Numbers:
    """Return the buckets of some texts, one row each: `buckets_of` for many.

    Prefixes that texts share are hashed once, and eight rows of a level with one digest.
    """
    buckets = np.empty((len(texts), design.slots), dtype=np.int64)
    for level in range(design.levels):
        base = design.base ** design.step(level)
        parts = [divmod(design.prefix(text, level), base) for text in texts]
        sums = sum(_hashes(design, level, part, [pair[part] for pair in parts]) for part in (0, 1))
        buckets[:, level * design.rows : (level + 1) * design.rows] = sums % design.buckets
    return buckets


def _hashes(design: PrefixExtending, level: int, part: int, numbers: Sequence[int]) -> Numbers:
    """Return the hashes of a part of some prefixes in every row, modulo the number of buckets."""
    places = range(-(-design.rows // ROWS_PER_DIGEST))
    heads = [sha512(design.preimage(level, part, place)) for place in places]
    different, width = list(dict.fromkeys(numbers)), design.number_width
    digests = bytearray()
    for number in different:
        written = number.to_bytes(width, "little")
        for head in heads:
            digest = head.copy()
            digest.update(written)
            digests += digest.digest()
    rows = np.frombuffer(bytes(digests), dtype="<u8").reshape(len(different), -1)
    row_of = {number: row for row, number in enumerate(different)}
    found = (rows[:, : design.rows] % np.uint64(design.buckets)).astype(np.int64)
    return found[[row_of[number] for number in numbers]]
