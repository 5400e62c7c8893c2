"""The reports of one level as a sketch: how many respondents each bucket of each row has.

A sketch is linear in the shares of prefixes. The pooled estimate of a prefix, the sum of its own
buckets over all rows, is its share plus the shares of what collides with it; what is known to be
common is subtracted, and everything else collides once in so many buckets on average.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.texts.hashing import Buckets
from tossup.server.kernels import kernel_of
from tossup.server.kernels.blocks import BlockKernel
from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.mechanisms.choices.prefix_extending import Oracle

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

_RIDGE: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Sketch:
    """One level's reports.

    Attributes
    ----------
    supporters
        Reports that support each bucket: one row a hash function, one column a bucket.
    reports
        Reports of each row.
    rates
        q and p: the chance that a report supports a bucket without and with it being the answer.
    """

    supporters: NDArray[np.int64]
    reports: NDArray[np.int64]
    rates: tuple[float, float]

    @cached_property
    def n(self) -> int:
        """Reports of the level."""
        return int(self.reports.sum())

    @property
    def buckets(self) -> int:
        """Buckets of a row."""
        return int(self.supporters.shape[1])

    @property
    def gap(self) -> float:
        """p - q."""
        return self.rates[1] - self.rates[0]

    @property
    def skewness(self) -> float:
        """That of the share of a prefix that nobody has: of few reports, few support it."""
        return skewness_of(self.n, self.rates[0] + self.gap / self.buckets)

    @cached_property
    def weights(self) -> Floats:
        """The part of the level's reports that each row has."""
        return self.reports / max(1, self.n)

    @cached_property
    def cells(self) -> Floats:
        """Unbiased shares of respondents in each bucket of each row; all sum to 1 on average."""
        expected = self.rates[0] * self.reports[:, np.newaxis]
        return (self.supporters - expected) / (self.gap * max(1, self.n))

    def pooled(self, buckets: Buckets) -> Floats:
        """Return the sum over rows of the cells at the buckets of some prefixes."""
        sums: Floats = np.take_along_axis(self.cells, buckets, axis=1).sum(axis=0)
        return sums

    def supporting(self, buckets: Buckets) -> Buckets:
        """Return how many reports support the buckets of some prefixes."""
        sums: Buckets = np.take_along_axis(self.supporters, buckets, axis=1).sum(axis=0)
        return sums

    def together(self, buckets: Buckets) -> Floats:
        """Return in which part of the reports each two prefixes share a bucket, less 1 / buckets.

        This times the shares is what `pooled` has on average above 1 / buckets, over the hashes
        of all other prefixes.
        """
        same = np.zeros((buckets.shape[1],) * 2)
        for row, weight in zip(buckets, self.weights, strict=True):
            same += weight * (row[:, np.newaxis] == row)
        return same - 1 / self.buckets

    def shares(self, buckets: Buckets) -> Floats:
        """Return the shares of some prefixes, each corrected for collisions with the others."""
        excess = self.pooled(buckets) - 1 / self.buckets
        # Prefixes that collide in every row share what they have: the ridge keeps them apart.
        ridge = _RIDGE * np.eye(len(excess))
        return np.asarray(np.linalg.solve(self.together(buckets) + ridge, excess), np.float64)

    def without(self, buckets: Buckets, shares: Floats) -> Floats:
        """Return the cells less what prefixes of these shares, and all others, put there."""
        rest = (1 - shares.sum()) / self.buckets
        left: Floats = self.cells - rest * self.weights[:, np.newaxis]
        for row, (places, weight) in enumerate(zip(buckets, self.weights, strict=True)):
            np.subtract.at(left[row], places, weight * shares)
        return left

    def error_of_none(self, left: Floats) -> float:
        """Return the standard error of the share of a prefix that nobody has.

        Over coins, respondents and collisions with what is left, as seen in what is left.
        """
        spread = float(np.sqrt((left**2).mean(axis=1).sum()))
        return spread * self.buckets / (self.buckets - 1)

    def collisions(self, left: Floats) -> float:
        """Return the variance that collisions with what is left add to a pooled estimate.

        What is left varies by this beyond what coins and respondents explain; never below 0.
        """
        some = self.reports > 1
        n = self.reports[some, np.newaxis]
        named = self.supporters[some] / n
        explained = named * (1 - named) / (n - 1) * (self.weights[some, np.newaxis] / self.gap) ** 2
        spread = (left[some] ** 2).mean(axis=1).sum() - explained.mean(axis=1).sum()
        return max(0.0, float(spread))


def skewness_of(n: float, chance: float) -> float:
    """Return the skewness of how many of n reports come with a chance.

    >>> skewness_of(100, 0.1)
    0.26666666666666666
    """
    return (1 - 2 * chance) / sqrt(max(1.0, n) * chance * (1 - chance))


def sketch(counts: Sequence[int], design: PrefixExtending, level: int) -> Sketch:
    """Return the sketch of one level, from a question's tally."""
    size = design.rows * design.slot_counters
    tally = np.array(counts[level * size :][:size], dtype=np.int64).reshape(design.rows, -1)
    supporters, reports = _supporters(tally, design.oracle)
    q, p = (float(rate) for rate in design.oracle.rates)
    return Sketch(supporters, reports, (q, p))


def _supporters(tally: Rows, oracle: Oracle) -> tuple[Rows, Rows]:
    """Return how many reports of each row support each bucket, and how many there are."""
    if not oracle.names_each:
        return tally, tally.sum(axis=1)
    kernel = kernel_of(oracle)
    if isinstance(kernel, BlockKernel):
        tally = np.array([kernel.supporters(row) for row in tally])
    return tally[:, :-1], tally[:, -1]
