"""Kernel of mechanisms that count the reports of each value."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tossup.server.kernels.base import Column, Counts, histogram, numbers
from tossup.server.kernels.draws import heads_of_both, spread
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
        if self.mechanism.reports == 2:
            ones = int(np.count_nonzero(column))
            return np.array([len(column) - ones, ones])
        return histogram(numbers(column), self.mechanism.counters)

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return multinomial counts, answer by answer."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for weights, respondents in zip(self.mechanism.weights, truth, strict=True):
            tally += spread(weights, respondents)
        return tally


@dataclass(frozen=True, slots=True)
class TwoCoinKernel(ValueKernel):
    """Tosses both coins of eight respondents with two random bytes."""

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return the tally: an answer is turned if one coin is heads and the other denies it.

        Which face denies it makes no difference to how often it does.
        """
        no, yes = truth
        no_turned, yes_turned = heads_of_both(no), heads_of_both(yes)
        return np.array([no - no_turned + yes_turned, yes - yes_turned + no_turned])
