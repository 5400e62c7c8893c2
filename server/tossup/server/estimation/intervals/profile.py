"""The profile-likelihood interval over possible shares: what words and charts show.

A debiased estimate may lie below 0 or above 1, and so may its score interval; cut to [0, 1] that
interval is *empty* in about 2 % of surveys whose true share is 0. This one never is: it holds
every share from 0 to 1 whose likelihood is not much below the highest that a share from 0 to 1
can reach.
"""

from collections.abc import Callable
from math import inf, log

from tossup.server.estimation.intervals.interval import normal_quantile


def profile(
    k: int, n: int, rates: tuple[float, float], best: float, confidence: float
) -> tuple[float, float]:
    """Return the interval of shares in [0, 1] that k reports of n leave likely.

    It holds every share whose log-likelihood is at most z**2 / 2 below that of the best share,
    with z**2 the chi-squared quantile of one degree of freedom: Wilks 1938, Annals of
    Mathematical Statistics 9:60-62, with the maximum taken over possible shares.

    Parameters
    ----------
    k, n
        Reports of the answer, and reports in all.
    rates
        Pr[report | not the answer] and Pr[report | the answer].
    best
        The most likely share in [0, 1]: the estimate, cut to that range. The likelihood falls
        on both sides of it, because the log-likelihood is concave in the share.
    """
    drop = normal_quantile(confidence) ** 2 / 2
    highest = _log_likelihood(k, n, rates, best)

    def likely(share: float) -> bool:
        return highest - _log_likelihood(k, n, rates, share) <= drop

    return last_likely(likely, best, 0.0), last_likely(likely, best, 1.0)


def _log_likelihood(k: int, n: int, rates: tuple[float, float], share: float) -> float:
    fraction = rates[0] * (1 - share) + rates[1] * share
    return times_log(k, fraction) + times_log(n - k, 1 - fraction)


def times_log(count: int, probability: float) -> float:
    """Return count x log(probability), with 0 log 0 = 0 and log 0 = -inf."""
    if count == 0:
        return 0.0
    return count * log(probability) if probability > 0 else -inf


def last_likely(likely: Callable[[float], bool], best: float, edge: float) -> float:
    """Return the last likely share on the way from the best one to an edge, by bisection.

    >>> round(last_likely(lambda share: share <= 0.25, 0.0, 1.0), 9)
    0.25
    """
    if likely(edge):
        return edge
    inside, outside = best, edge
    while abs(outside - inside) > 1e-12:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if likely(middle) else (inside, middle)
    return inside
