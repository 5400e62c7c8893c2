"""Exact binomial tails, and the interval they give.

The tails are the regularized incomplete beta function (DLMF 8.17.5), by its continued fraction
(DLMF 8.17.22) with Lentz's method. Tested against sums of exact ratios.
"""

from math import exp, inf, lgamma, log, log1p

from tossup.server.estimation.checks import checked_confidence
from tossup.server.estimation.errors import EstimationError

_TINY = 1e-300
_PRECISION = 1e-15
_MAX_TERMS = 1_000_000


def tail_from(k: float, n: float, p: float) -> float:
    """Return Pr[K >= k] for K ~ Binomial(n, p).

    >>> round(tail_from(2, 2, 0.5), 12)
    0.25
    """
    if k <= 0:
        return 1.0
    if k > n:
        return 0.0
    return incomplete_beta(k, n - k + 1, p)


def tail_to(k: float, n: float, p: float) -> float:
    """Return Pr[K <= k] for K ~ Binomial(n, p)."""
    return tail_from(n - k, n, 1 - p)


def log_likelihood(k: int, n: int, p: float) -> float:
    """Return k log p + (n - k) log(1 - p), in nats, with 0 log 0 = 0 and log 0 = -inf.

    >>> round(log_likelihood(1, 2, 0.5), 6), log_likelihood(1, 2, 0.0), log_likelihood(0, 2, 0.0)
    (-1.386294, -inf, 0.0)
    """
    return _times_log(k, p) + _times_log(n - k, 1 - p)


def _times_log(count: int, probability: float) -> float:
    if count == 0:
        return 0.0
    return count * log(probability) if probability > 0 else -inf


def clopper_pearson(k: float, n: float, confidence: float) -> tuple[float, float]:
    """Return the exact interval for a probability of which k of n trials succeeded.

    It covers with at least the stated confidence, whatever the probability: Clopper and
    Pearson 1934, Biometrika 26:404-413. An effective number of trials need not be whole: Korn and
    Graubard 1998, Survey Methodology 24:193-201.

    >>> [round(end, 4) for end in clopper_pearson(5, 20, 0.95)]
    [0.0866, 0.491]
    """
    checked_confidence(confidence)
    tail = (1 - confidence) / 2
    low = 0.0 if k == 0 else _beta_quantile(tail, k, n - k + 1)
    high = 1.0 if k == n else 1 - _beta_quantile(tail, n - k, k + 1)
    return low, high


def _beta_quantile(chance: float, a: float, b: float) -> float:
    """Return x with I_x(a, b) = chance, by Newton's steps on the logarithm, kept between bounds."""
    low, high, x = 0.0, 1.0, a / (a + b)
    while low < x < high:
        reached = incomplete_beta(a, b, x)
        low, high = (low, x) if reached >= chance else (x, high)
        slope = a * _front(a, b, x) / (x * (1 - x))
        step = log(reached / chance) * reached / slope if reached and slope else inf
        if abs(step) <= _PRECISION * x:
            return x
        x = x - step if low < x - step < high else (low + high) / 2
    return high


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function I_x(a, b), for a and b above 0."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The fraction converges fast below the mean; beyond it, the other tail is taken.
    if x > (a + 1) / (a + b + 2):
        return 1 - _front(b, a, 1 - x) * _fraction(b, a, 1 - x)
    return _front(a, b, x) * _fraction(a, b, x)


def _front(a: float, b: float, x: float) -> float:
    """Return x**a (1 - x)**b / (a B(a, b))."""
    logarithm = lgamma(a + b) - lgamma(a + 1) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(logarithm)


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function (DLMF 8.17.22)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / (1 + term * d or _TINY)
            c = 1 + term / c or _TINY
            value *= c * d
        if abs(c * d - 1) < _PRECISION:
            return value
    raise EstimationError("too many reports for the exact interval; use the score interval")
