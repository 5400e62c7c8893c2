"""Kernel of mechanisms that count the reports of each value."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Column, Counts, histogram, numbers
from tossup.server.kernels.draws import heads_of_both, spread, uniform_below
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

    def report_each(self, options: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a freshly tossed report for each of many respondents, given their answers."""
        bounds = np.cumsum(np.array(self.mechanism.weights, dtype=np.int64), axis=1)
        draws = uniform_below(int(bounds[0, -1]), len(options))
        reported = np.empty(len(options), dtype=np.int64)
        for option in np.unique(options).tolist():
            given = options == option
            reported[given] = np.searchsorted(bounds[option], draws[given], side="right")
        return reported


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
