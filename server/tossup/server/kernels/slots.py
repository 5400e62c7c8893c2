"""Kernel of texts: count reports by their numbers, and simulate them text by text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Column, Counts, histogram, numbers
from tossup.server.kernels.blocks import BlockKernel
from tossup.server.kernels.draws import uniform_below
from tossup.shared.mechanisms import PrefixExtending

_CHUNK: Final = 1 << 18


@dataclass(frozen=True)
class SlotKernel:
    """Counts reports; the oracle's kernel tosses those of a simulation."""

    mechanism: PrefixExtending

    @cached_property
    def oracle(self) -> BlockKernel:
        """The kernel that tosses what a bucket reports."""
        return BlockKernel(self.mechanism.oracle)

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
        buckets = np.array([buckets_of(design, text) for text in truth], dtype=np.int64)
        holders = np.repeat(np.arange(len(truth)), list(truth.values()))
        tally = np.zeros(design.counters, dtype=np.int64)
        for start in range(0, len(holders), _CHUNK):
            texts = holders[start : start + _CHUNK]
            slots = uniform_below(design.slots, len(texts))
            reported = self.oracle.report_each(buckets[texts, slots])
            tally += histogram(slots * design.oracle.reports + reported, design.counters)
        return tally


def buckets_of(design: PrefixExtending, text: int) -> NDArray[np.int64]:
    """Return a text's bucket in every slot."""
    slots = (divmod(slot, design.rows) for slot in range(design.slots))
    return np.array([design.bucket(text, level, row) for level, row in slots])
