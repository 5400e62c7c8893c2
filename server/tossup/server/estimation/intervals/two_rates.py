"""A weighted sum of two rates, each counted in a sample of its own, and how surely it is known.

For every value of the sum some pair of rates is likeliest. Along these pairs go both the score
interval, whose variance is that of the pair (Mee 1984, Biometrics 40:1175-1176; Miettinen and
Nurminen 1985, Statistics in Medicine 4:213-226, for a difference), and likelihood intervals.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

from tossup.server.estimation.intervals.binomial import log_likelihood
from tossup.server.estimation.intervals.interval import normal_quantile
from tossup.server.estimation.intervals.sequence import log_evidence

_FARTHEST: Final = 1e18
_HALVINGS: Final = 60

#: How many of how many.
Part = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TwoRates:
    """Counts of two samples, and what a rate of each weighs in the sum.

    With Lagrange's multiplier t the likeliest pair has n (seen - rate) = -t slope rate (1 - rate)
    in both samples. So the sum is t V above the one seen, with V its variance under that pair, and
    rises with t: one number, t, goes through all sums in order.

    Attributes
    ----------
    parts
        Yes reports and all reports of each sample; none is empty.
    slopes
        What each rate weighs.
    """

    parts: tuple[Part, Part]
    slopes: tuple[float, float]

    def rates(self, t: float) -> tuple[float, float]:
        """Return the pair at t; at 0 it is the one that was seen."""
        first, second = (
            _tilted(k, n, t * slope) for (k, n), slope in zip(self.parts, self.slopes, strict=True)
        )
        return first, second

    def value(self, t: float = 0.0) -> float:
        """Return the weighted sum of the pair at t."""
        return sum(slope * rate for slope, rate in zip(self.slopes, self.rates(t), strict=True))

    def variance(self, t: float = 0.0) -> float:
        """Return the variance of the sum that is seen, under the pair at t."""
        terms = zip(self.slopes, self.rates(t), self.parts, strict=True)
        return sum(slope**2 * rate * (1 - rate) / n for slope, rate, (_, n) in terms)

    def likelihood(self, t: float) -> float:
        """Return the log-likelihood of the pair at t: the largest for its sum."""
        return sum(
            log_likelihood(k, n, rate)
            for (k, n), rate in zip(self.parts, self.rates(t), strict=True)
        )

    def score(self, confidence: float) -> tuple[float, float]:
        """Return the ends of the sums from which the one seen is at most z deviations away."""
        most = normal_quantile(confidence) ** 2
        return self._ends(lambda t: t * t * self.variance(t) <= most)

    def likely(self, confidence: float, near: float) -> tuple[float, float]:
        """Return the ends of the sums not much less likely than one nearby, by Wilks's theorem."""
        least = self.likelihood(self.at(near)) - normal_quantile(confidence) ** 2 / 2
        return self._ends(lambda t: self.likelihood(t) >= least)

    def anytime(self, confidence: float) -> tuple[float, float]:
        """Return ends that hold at every look together: see `anytime_interval`.

        The likelihood is compared with its mean over Jeffreys's prior of both rates.
        """
        least = sum(log_evidence(k, n) for k, n in self.parts) + log(1 - confidence)
        return self._ends(lambda t: self.likelihood(t) >= least)

    def deviations(self, end: float) -> float:
        """Return by how many standard deviations, under a sum, it is below the one seen."""
        t = self.at(end)
        return -t * sqrt(self.variance(t))

    def at(self, end: float) -> float:
        """Return the t of a sum that some pair has."""
        seen = self.value()
        if end == seen:
            return 0.0
        if end > seen:
            return _last(lambda t: self.value(t) <= end, 1.0)
        return _last(lambda t: self.value(t) >= end, -1.0)

    def _ends(self, inside: Callable[[float], bool]) -> tuple[float, float]:
        return self.value(_last(inside, -1.0)), self.value(_last(inside, 1.0))


def _tilted(k: int, n: int, weight: float) -> float:
    """Return the rate r from 0 to 1 with n r - k = weight r (1 - r)."""
    if weight < 0:
        return 1 - _tilted(n - k, n, -weight)
    free = n - weight
    root = sqrt(free**2 + 4 * weight * k)
    # Both are the same root; each is taken where nothing cancels.
    return 2 * k / (free + root) if free > 0 else (root - free) / (2 * weight)


def _last(inside: Callable[[float], bool], step: float) -> float:
    """Return the last t on the way from 0 that is inside, by doubling and then by halving."""
    outside = step
    while inside(outside):
        if abs(outside) > _FARTHEST:  # nothing is beyond
            return outside
        outside *= 2
    low, high = 0.0, outside
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) else (low, middle)
    return low
