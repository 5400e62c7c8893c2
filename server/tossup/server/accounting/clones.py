"""The exact sum behind amplification by shuffling, in one pass of floating point.

Of the n - 1 other people C ~ Bin(n - 1, 1 / odds0) are clones, odds0 = e**epsilon0. Given C = c,
what is seen is one count, A + B: A ~ Bin(c, 1/2) of the clones, and B = 1 with probability
odds0 / (1 + odds0) for one answer, 1 / (1 + odds0) for the other (Feldman, McMillan and Talwar
2021, theorem 3.2). The ratio of the two probabilities of a count grows with the count, so delta
takes a tail of each c, and tails of neighbouring c follow from each other.
"""

from math import comb, exp, expm1, floor, inf, lgamma, log, log1p, pi, sqrt
from typing import Final, NamedTuple

#: Error allowed for, of delta, per value of C: fifty times the roundings of one step.
_CAUTION_PER_STEP: Final = 5e-14
#: Values of C with a joint probability of this times delta are left out, within the caution.
_NEGLIGIBLE: Final = 1e-13
_ENOUGH_DIGITS: Final = 1e-11


class _Tails(NamedTuple):
    """Probabilities of one set of counts under both answers, and where it is most telling."""

    gain: float  # Pr - (1 + excess) Pr'
    there: float  # Pr'


class Clones:
    """The pair of distributions to which n reports of local epsilon0 reduce, for one delta."""

    def __init__(self, epsilon0: float, reports: int, delta: float) -> None:
        self._epsilon0 = epsilon0
        self._others = reports - 1
        self._clone = exp(-epsilon0)
        self._truth = 1 / (1 + self._clone)
        self._lie = self._clone / (1 + self._clone)
        self._fewest, self._most = self._likely(log(2 / (_NEGLIGIBLE * delta)))
        steps = self._most - self._fewest + 1
        self._delta = delta * (1 - _ENOUGH_DIGITS - _CAUTION_PER_STEP * steps)

    def least_excess(self) -> float:
        """Return e**epsilon - 1 for an epsilon just large enough for delta.

        Newton's method on ln(delta), kept between a value that is too small and one that is not.
        """
        too_small, enough = 0.0, expm1(self._epsilon0)
        tried = 0.0
        while enough - too_small > 1e-14 * enough:
            gain, there = self.tails(tried)
            if gain > self._delta:
                too_small = tried
            else:
                enough = tried
                if gain > self._delta * (1 - _ENOUGH_DIGITS):
                    break
            step = tried + log(gain / self._delta) * gain / there if gain > 0 else inf
            # A hair further, so that the last steps come from the safe side.
            tried = step * (1 + 1e-15)
            if not too_small < tried < enough:
                tried = (too_small + enough) / 2
        return enough

    def tails(self, excess: float) -> _Tails:
        """Return delta at epsilon = ln(1 + excess), and minus its slope there.

        For c from most to fewest: `single` = Pr[A = below], `tail` = Pr[A > below], and the set of
        counts above `below` has probability tail + truth * single, or tail + lie * single.
        """
        slant = (self._truth - self._lie) * (2 + excess)
        cut = (self._truth - self._lie + excess * self._truth) / slant
        c = self._most
        below = min(floor(cut * (c + 1)), c)
        single = half_binomial(c, below)
        tail = _tail_above(c, below, single)
        ratio = (1 - self._clone) / self._clone if self._clone < 1 else 0.0
        weight, weights, gain, there = 1.0, 0.0, 0.0, 0.0
        edge = self._truth - (1 + excess) * self._lie
        while True:
            weights += weight
            gain += weight * (edge * single - excess * tail)
            there += weight * (tail + self._lie * single)
            if c == self._fewest:
                return _Tails(gain / weights, there / weights)
            if below > min(floor(cut * c), c - 1):
                tail += single
                single *= below / (c - below + 1)
                below -= 1
            single *= 2 * (c - below) / c
            tail -= single / 2
            weight *= c * ratio / (self._others - c + 1)
            c -= 1

    def _likely(self, log_rarity: float) -> tuple[int, int]:
        """Return the values of C outside which there is at most 2 exp(-log_rarity): Bernstein."""
        mean = self._others * self._clone
        third = log_rarity / 3
        reach = third + sqrt(third**2 + 2 * mean * (1 - self._clone) * log_rarity)
        return max(0, floor(mean - reach)), min(self._others, floor(mean + reach) + 1)


def half_binomial(n: int, k: int) -> float:
    """Return Pr[A = k] for A ~ Bin(n, 1/2), to about 15 digits (Loader 2000, saddle point)."""
    if n <= 1000 or k in {0, n}:
        return comb(n, k) / 2**n if n <= 1000 else exp(-n * log(2))
    slant = (2 * k - n) / n
    deviance = n / 2 * ((1 + slant) * log1p(slant) + (1 - slant) * log1p(-slant))
    correction = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    return exp(correction - deviance) * sqrt(n / (2 * pi * k * (n - k)))


def _stirling_error(n: int) -> float:
    """Return ln(n!) minus Stirling's formula (DLMF 5.11.1)."""
    if n < 32:
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - log(2 * pi) / 2
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * n * n)) / (n * n)) / (n * n)) / n


def _tail_above(n: int, k: int, single: float) -> float:
    """Return Pr[A > k] for A ~ Bin(n, 1/2) from Pr[A = k], by its terms."""
    total = 0.0
    while k < n and single > 1e-18 * total:
        single *= (n - k) / (k + 1)
        k += 1
        total += single
    return total
