"""The profile-likelihood interval over possible shares: what words and charts show.

A debiased estimate may lie below 0 or above 1, and so may its score interval; cut to [0, 1] that
interval is *empty* in about 2 % of surveys whose true share is 0. This one never is: it holds
every share from 0 to 1 whose likelihood is not much below the highest that a share from 0 to 1
can reach.
"""

from collections.abc import Callable

from tossup.server.estimation.intervals.interval import normal_quantile


def profile(
    log_likelihood: Callable[[float], float], best: float, confidence: float
) -> tuple[float, float]:
    """Return the ends of the shares in [0, 1] that reports leave likely.

    They hold every share whose log-likelihood is at most z**2 / 2 below that of the best share,
    with z**2 the chi-squared quantile of one degree of freedom: Wilks 1938, Annals of
    Mathematical Statistics 9:60-62, with the maximum taken over possible shares.

    Parameters
    ----------
    log_likelihood
        Of a share from 0 to 1, in nats; concave in the share.
    best
        The most likely share in [0, 1]. The likelihood falls on both sides of it.
    confidence
        In (0, 1).

    Returns
    -------
    tuple
        Both ends, the lower one first, each off by at most 1e-12.
    """
    drop = normal_quantile(confidence) ** 2 / 2
    highest = log_likelihood(best)

    def likely(share: float) -> bool:
        return highest - log_likelihood(share) <= drop

    return last_likely(likely, best, 0.0), last_likely(likely, best, 1.0)


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
