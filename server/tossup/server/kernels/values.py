"""Kernel of mechanisms that count the reports of each value."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tossup.server.kernels.base import Column, Counts, numbers
from tossup.server.kernels.draws import spread
from tossup.shared.mechanisms import TableMechanism


@dataclass(frozen=True, slots=True)
class ValueKernel:
    """Counts values; simulates from the table of weights."""

    mechanism: TableMechanism

    def admits(self, column: Column) -> bool:
        """Return whether the largest value is below the number of reports."""
        return int(numbers(column).max()) < self.mechanism.reports

    def count(self, column: Column) -> Counts:
        """Return the number of reports of each value."""
        values = column if column.ndim == 1 else numbers(column)
        return np.bincount(values, minlength=self.mechanism.counters).astype(np.int64)

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return multinomial counts, answer by answer."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for weights, respondents in zip(self.mechanism.weights, truth, strict=True):
            tally += spread(weights, respondents)
        return tally
