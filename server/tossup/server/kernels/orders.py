"""Kernel of preference orders: a report is an option, and an answer one of many orders."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Column, Counts, Indexes, column_of
from tossup.server.kernels.tossing.draws import spread, uniform_below
from tossup.server.kernels.values import CountingKernel
from tossup.shared.mechanisms import RankedChoice
from tossup.shared.mechanisms.scores.ranked_choice import order_of


@dataclass(frozen=True, slots=True)
class OrderKernel(CountingKernel):
    """Counts options; simulates by rank, order by order."""

    mechanism: RankedChoice

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return multinomial counts by rank, given to the options of each order that is held."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for answer, respondents in enumerate(truth):
            if respondents:
                order = list(order_of(answer, self.mechanism.options))
                tally[order] += spread(self.mechanism.by_rank, respondents)
        return tally

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return the option at a rank drawn by weight, in each respondent's order."""
        bounds = np.cumsum(self.mechanism.by_rank)
        draws = uniform_below(int(bounds[-1]), len(held))
        ranks = np.searchsorted(bounds, draws, side="right")
        options = self.mechanism.options
        orders: NDArray[np.int64] = np.array([order_of(each, options) for each in answers])
        return column_of(orders[held, ranks], self.mechanism.reports)
