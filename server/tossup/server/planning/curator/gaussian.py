"""How large normal noise must be for (epsilon, delta)."""

from math import erfc, exp, log, sqrt

from tossup.server.planning.curator.noise import LARGEST_EPSILON
from tossup.server.planning.errors import PlanningError, positive, probability


def classic_sigma(sensitivity: float, epsilon: float, delta: float) -> float:
    """Return sensitivity sqrt(2 ln(1.25 / delta)) / epsilon; for epsilon below 1 alone.

    Parameters
    ----------
    sensitivity
        How far one person moves the answers, as a Euclidean distance.
    epsilon
        In (0, 1): the proof needs it, and the claim fails for large epsilon.
    delta
        In (0, 1).

    Raises
    ------
    PlanningError
        If an argument is outside its range.

    References
    ----------
    Dwork and Roth 2014, theorem A.1.
    """
    positive(sensitivity, "sensitivity")
    if not 0 < epsilon < 1:
        raise PlanningError(
            f"epsilon ({epsilon}) must be in (0, 1) for the classic bound; use analytic_sigma"
        )
    return sensitivity * sqrt(2 * log(1.25 / probability(delta, "delta"))) / epsilon


def analytic_sigma(sensitivity: float, epsilon: float, delta: float) -> float:
    """Return the least sigma for which normal noise is (epsilon, delta)-DP, rounded up.

    By bisection on the exact condition, to the last float.

    Raises
    ------
    PlanningError
        If an argument is outside its range.

    References
    ----------
    Balle and Wang 2018, Improving the Gaussian mechanism, theorem 8.

    Examples
    --------
    >>> round(analytic_sigma(1, 1, 1e-6), 6)
    4.224679
    """
    positive(sensitivity, "sensitivity")
    probability(delta, "delta")
    if positive(epsilon, "epsilon") > LARGEST_EPSILON:
        raise PlanningError(f"epsilon ({epsilon}) must be at most {LARGEST_EPSILON}")
    too_small, enough = 0.0, 1.0
    while delta_of(enough, epsilon) > delta:
        too_small, enough = enough, 2 * enough
    while too_small < (tried := (too_small + enough) / 2) < enough:
        if delta_of(tried, epsilon) > delta:
            too_small = tried
        else:
            enough = tried
    # The condition itself is computed to about thirteen digits.
    return sensitivity * enough * (1 + 1e-12)


def delta_of(sigma: float, epsilon: float) -> float:
    """Return the delta of normal noise at sensitivity 1 (Balle and Wang 2018, equation 6)."""
    ahead = _normal(1 / (2 * sigma) - epsilon * sigma)
    behind = _normal(-1 / (2 * sigma) - epsilon * sigma)
    return ahead - exp(epsilon) * behind


def _normal(z: float) -> float:
    """Return Pr[Z <= z] for a standard normal Z, exact far below 0 too."""
    return erfc(-z / sqrt(2)) / 2
