"""The profile-likelihood interval over possible shares: what words and charts show.

A debiased estimate may lie below 0 or above 1, and so may its score interval; cut to [0, 1] that
interval is *empty* in about 2 % of surveys whose true share is 0. This one never is: it holds
every share from 0 to 1 whose likelihood is not much below the highest that a share from 0 to 1
can reach.
"""

from collections.abc import Callable
from itertools import count
from math import inf, sqrt
from typing import Final

from tossup.server.estimation.intervals.interval import normal_quantile

_PRECISION: Final = 1e-12


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
    most = normal_quantile(confidence) / sqrt(2)
    highest = log_likelihood(best)

    def excess(share: float) -> float:
        # Of roots: they grow almost in proportion to the distance from the best share.
        return sqrt(max(highest - log_likelihood(share), 0.0)) - most

    return _last_below(excess, best, 0.0), _last_below(excess, best, 1.0)


def _last_below(excess: Callable[[float], float], best: float, edge: float) -> float:
    """Return the last share with an excess of at most 0 on the way from the best one to an edge.

    By false position that halves the excess of an end which stays (Dowell and Jarratt 1971, BIT
    11:168-174), and by halves where the excess has no end, and at every fourth step: a quarter of
    the steps that halving takes, and never many more.
    """
    inside, outside = best, edge
    below, above = excess(inside), excess(outside)
    if above <= 0:
        return edge
    was_inside = None
    for step in count(1):
        gap = outside - inside
        if abs(gap) <= _PRECISION:
            break
        part = 0.5 if step % 4 == 0 or above == inf else below / (below - above)
        least = _PRECISION / 2 / abs(gap)  # shorter steps would not bring the ends together
        middle = inside + gap * min(max(part, least), 1 - least)
        found = excess(middle)
        is_inside = found <= 0
        if is_inside:
            inside, below = middle, found
            above = above / 2 if was_inside is True else above
        else:
            outside, above = middle, found
            below = below / 2 if was_inside is False else below
        was_inside = is_inside
    return inside


def last_likely(likely: Callable[[float], bool], best: float, edge: float) -> float:
    """Return the last likely share on the way from the best one to an edge, by bisection.

    >>> round(last_likely(lambda share: share <= 0.25, 0.0, 1.0), 9)
    0.25
    """
    if likely(edge):
        return edge
    inside, outside = best, edge
    while abs(outside - inside) > _PRECISION:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if likely(middle) else (inside, middle)
    return inside
