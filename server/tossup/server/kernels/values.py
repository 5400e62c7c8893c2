"""Kernel of mechanisms that count the reports of each value."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Column, Counts, Indexes, column_of, histogram, numbers
from tossup.server.kernels.tossing.draws import heads_of_both, spread, uniform_below
from tossup.shared.mechanisms import Mechanism, TableMechanism
from tossup.shared.mechanisms.noise.truncated_geometric import Decay


@dataclass(frozen=True, slots=True)
class CountingKernel:
    """Counts the reports of each value."""

    mechanism: Mechanism

    def admits(self, column: Column) -> bool:
        """Return whether the largest value is below the number of reports."""
        return int(numbers(column).max()) < self.mechanism.reports

    def count(self, column: Column) -> Counts:
        """Return the number of reports of each value."""
        if self.mechanism.reports == 2:
            ones = int(np.count_nonzero(column))
            return np.array([len(column) - ones, ones])
        return histogram(numbers(column), self.mechanism.counters)


@dataclass(frozen=True, slots=True)
class ValueKernel(CountingKernel):
    """Counts values; simulates from the table of weights."""

    mechanism: TableMechanism

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return multinomial counts, answer by answer."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for weights, respondents in zip(self.mechanism.weights, truth, strict=True):
            tally += spread(weights, respondents)
        return tally

    def report_each(self, options: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a freshly tossed report for each of many respondents, given their answers."""
        total, bounds = _bounds(self.mechanism)
        draws = uniform_below(total, len(options))
        # Each row of bounds lies above the one before, so that one search finds row and report.
        found = np.searchsorted(bounds, draws + options * total, side="right")
        return found - options * self.mechanism.reports

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return the column of `report_each`."""
        options = np.array(answers, dtype=np.int64)[held]
        return column_of(self.report_each(options), self.mechanism.reports)


@dataclass(frozen=True, slots=True)
class DecayKernel(ValueKernel):
    """Draws noise, adds it to the answer and clips: the table itself may be very large."""

    mechanism: Decay

    def report_each(self, options: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a freshly tossed report for each of many respondents, given their answers."""
        design = self.mechanism
        tails = np.array(design.tails, dtype=np.int64)
        bounds = np.concatenate((tails[:0:-1], design.total - tails[1:]))
        draws = uniform_below(design.total, len(options))
        noise = np.searchsorted(bounds, draws, side="right") - (len(tails) - 1)
        reported: NDArray[np.int64] = np.clip(
            options + noise + design.margin, 0, design.reports - 1
        )
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


@lru_cache(maxsize=4)
def _bounds(mechanism: TableMechanism) -> tuple[int, NDArray[np.int64]]:
    """Return the sum of a row's weights, and upper bounds of all draws, one row after the other."""
    bounds = np.cumsum(np.array(mechanism.weights, dtype=np.int64), axis=1)
    total = int(bounds[0, -1])
    return total, (bounds + total * np.arange(len(bounds))[:, np.newaxis]).ravel()
