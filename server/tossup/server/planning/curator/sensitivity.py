"""How far one person moves a query: everywhere, here, and smoothly between.

Neighbours are the same people, one of whom answers differently; how many they are is public.
Noise must never be scaled to the local sensitivity, which itself tells about the data. The smooth
one may be used: it changes by at most a factor e**beta between neighbours.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile
from math import ceil, exp, isfinite, log
from typing import Final

from tossup.server.planning.errors import PlanningError, count, positive, probability

#: Up to here Laplace noise of 2 S / epsilon keeps its promise, by numerical integration over every
#: neighbour; at 16 it gives away 2.7 times the delta promised.
LARGEST_EPSILON: Final = 8


def clipped(low: float, high: float) -> float:
    """Return the global sensitivity of one clipped number: high - low.

    Raises
    ------
    PlanningError
        If the bounds are not finite, or not in order.
    """
    if not isfinite(low) or not isfinite(high) or low >= high:
        raise PlanningError(f"bounds ({low}, {high}) must be finite and in order")
    return high - low


def mean_global(low: float, high: float, n: int) -> float:
    """Return the global sensitivity of a mean of n clipped numbers: (high - low) / n."""
    return clipped(low, high) / count(n, "n")


def smooth(at_distance: Callable[[int], float], beta: float, farthest: int) -> float:
    """Return the max over k of exp(-beta k) A(k), k = 0, ..., farthest.

    Parameters
    ----------
    at_distance
        A: the largest local sensitivity after k changes; it never falls with k.
    beta
        How fast the rest may be forgotten; see `beta_of`.
    farthest
        After so many changes, A no longer grows.

    References
    ----------
    Nissim, Raskhodnikova and Smith 2007, Smooth sensitivity, definition 2.2 and equation 5.
    """
    positive(beta, "beta")
    largest, end = 0.0, at_distance(farthest)
    still_matter = takewhile(lambda k: exp(-beta * k) * end > largest, range(farthest + 1))
    for k in still_matter:
        largest = max(largest, exp(-beta * k) * at_distance(k))
    return largest


def median_smooth(values: Sequence[float], low: float, high: float, beta: float) -> float:
    """Return the smooth sensitivity of the (lower) median of clipped numbers."""
    clipped(low, high)
    inside = sorted(min(max(value, low), high) for value in _numbers(values))
    return smooth(lambda k: _median_gap(inside, low, high, k), beta, len(inside))


def beta_of(epsilon: float, delta: float) -> float:
    """Return epsilon / (2 ln(2 / delta)), with which Laplace noise of 2 S / epsilon is enough.

    Raises
    ------
    PlanningError
        If epsilon is not above 0 and at most 8 (above, the noise is not enough), or delta is not
        in (0, 1).

    References
    ----------
    Nissim, Raskhodnikova and Smith 2007, Smooth sensitivity, corollary 2.4; Johnson, Near and Song
    2018, Towards practical differential privacy for SQL queries.
    """
    if positive(epsilon, "epsilon") > LARGEST_EPSILON:
        raise PlanningError(
            f"epsilon ({epsilon}) must be at most {LARGEST_EPSILON}: above, noise of the smooth"
            " sensitivity is not enough"
        )
    return epsilon / (2 * log(2 / probability(delta, "delta")))


def _median_gap(inside: Sequence[float], low: float, high: float, changed: int) -> float:
    """Return max over t of x[m + t] - x[m + t - changed - 1], t = 0, ..., changed + 1."""
    middle = ceil(len(inside) / 2) - 1

    def at(place: int) -> float:
        if place < 0:
            return low
        return inside[place] if place < len(inside) else high

    return max(at(middle + t) - at(middle + t - changed - 1) for t in range(changed + 2))


def _numbers(values: Sequence[float]) -> Sequence[float]:
    count(len(values), "n")
    if not all(isfinite(value) for value in values):
        raise PlanningError("values must be finite numbers")
    return values
