"""Tail probabilities and quantiles that the standard library does not have.

Chi-squared by the incomplete gamma function, Student's t by the incomplete beta function; tested
against scipy. They spare everyone who installs the server a package of 100 MB.
"""

from functools import lru_cache
from math import exp, inf, isfinite, lgamma, log, sqrt
from statistics import NormalDist

from tossup.server.estimation.checks import checked_confidence
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.binomial import incomplete_beta

_PRECISION = 1e-16
_MAX_TERMS = 100_000
_TINY = 1e-300


def chi_squared_tail(statistic: float, df: int) -> float:
    """Return Pr[X >= statistic] for X chi-squared with df degrees of freedom.

    >>> round(chi_squared_tail(3.841459, 1), 6)
    0.05
    """
    if df < 1:
        raise EstimationError(f"df ({df}) must be at least 1")
    return _gamma_tail(df / 2, statistic / 2) if statistic > 0 else 1.0


def chi_squared_below(statistic: float, df: int) -> float:
    """Return Pr[X <= statistic] for X chi-squared with df degrees of freedom.

    Small values keep their digits, which one minus the tail would lose.

    >>> round(chi_squared_below(3.841459, 1), 6), chi_squared_below(1e-6, 4)
    (0.95, 1.249999583333414e-13)
    """
    if df < 1:
        raise EstimationError(f"df ({df}) must be at least 1")
    a, x = df / 2, statistic / 2
    if x <= 0:
        return 0.0
    if x >= a + 1:
        return 1 - _gamma_tail(a, x)
    return exp(a * log(x) - x - lgamma(a)) * _gamma_series(a, x)


def normal_two_sided(z: float) -> float:
    """Return Pr[|Z| >= |z|] for a standard normal Z."""
    return chi_squared_tail(z * z, 1)


@lru_cache(maxsize=1024)
def t_quantile(confidence: float, df: float) -> float:
    """Return t with Pr[-t < T < t] = confidence for Student's T; the normal one for df = inf.

    >>> round(t_quantile(0.95, 23), 6)
    2.068658
    """
    checked_confidence(confidence)
    if df <= 0:
        raise EstimationError(f"df ({df}) must be above 0: one cluster a stratum leaves no spread")
    if not isfinite(df):
        return -NormalDist().inv_cdf((1 - confidence) / 2)
    # Pr[|T| >= t] is the incomplete beta function at df / (df + t**2), which rises with x.
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        under = incomplete_beta(df / 2, 0.5, middle) < 1 - confidence
        low, high = (middle, high) if under else (low, middle)
    return sqrt(df * (1 - high) / high)


def t_two_sided(t: float, df: float) -> float:
    """Return Pr[|T| >= |t|] for Student's T; the normal one for df = inf.

    >>> round(t_two_sided(2.068658, 23), 6), round(t_two_sided(-1.959964, inf), 6)
    (0.05, 0.05)
    """
    return incomplete_beta(df / 2, 0.5, df / (df + t * t)) if isfinite(df) else normal_two_sided(t)


def _gamma_tail(a: float, x: float) -> float:
    """Return the regularized upper incomplete gamma function: DLMF 8.7.1 or 8.9.2."""
    if x == inf:
        return 0.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        return 1 - front * _gamma_series(a, x)
    return front * _gamma_fraction(a, x)


def _gamma_series(a: float, x: float) -> float:
    term = total = 1 / a
    for k in range(1, _MAX_TERMS):
        term *= x / (a + k)
        total += term
        if term < total * _PRECISION:
            break
    return total


def _gamma_fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    for k in range(1, _MAX_TERMS):
        b += 2
        term = -k * (k - a)
        d = 1 / (term * d + b or _TINY)
        c = b + term / c or _TINY
        value *= c * d
        if abs(c * d - 1) < _PRECISION * 10:
            break
    return value
