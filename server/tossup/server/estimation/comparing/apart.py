"""How far several estimates are apart, by an interval of a weighted sum made of their intervals."""

from collections.abc import Callable, Sequence
from math import sqrt

from tossup.server.estimation.intervals.interval import Interval

#: An estimate, and its interval.
Known = tuple[float, Interval]


def apart(first: Known, second: Known, correlation: float | None) -> tuple[float, float]:
    """Return the ends of an interval of the first share less the second one.

    Parameters
    ----------
    first, second
        The raw estimate and its interval, at one confidence.
    correlation
        That of the estimates. None where it is not known: then the ends are those of both
        intervals, and hold wherever both do, however the estimates go together.

    Examples
    --------
    >>> half = 0.5, Interval(0.4, 0.6, 0.95, "normal")
    >>> quarter = 0.25, Interval(0.15, 0.35, 0.95, "normal")
    >>> [round(end, 3) for end in apart(half, quarter, correlation=0.0)]
    [0.109, 0.391]
    >>> [round(end, 3) for end in apart(half, quarter, correlation=None)]
    [0.05, 0.45]
    """
    rho = -1.0 if correlation is None else correlation
    return summed((first, second), (1.0, -1.0), lambda _one, _other: rho)


def summed(
    known: Sequence[Known], pulls: Sequence[float], correlation: Callable[[int, int], float]
) -> tuple[float, float]:
    """Return the ends of an interval of a weighted sum: the MOVER.

    An end is as far from the sum as the ends of the intervals that pull to that side are from
    their estimates, taken together as standard errors are. For normal intervals it is the normal
    interval of the sum.

    Parameters
    ----------
    known
        The raw estimates and their intervals, at one confidence.
    pulls
        What each estimate weighs; of any sign.
    correlation
        That of two of the estimates, by their places, the first below the second.

    References
    ----------
    Zou, Huang and Zhang 2009, Computational Statistics and Data Analysis 53:1080-1085, of any
    number of independent estimates; of two correlated ones Zou and Donner 2008, Statistics in
    Medicine 27:1693-1702.

    Examples
    --------
    >>> thirds = [(0.3, Interval(0.2, 0.5, 0.95, "score"))] * 3
    >>> [round(end, 3) for end in summed(thirds, (1 / 3, 1 / 3, 1 / 3), lambda *_: 0.0)]
    [0.242, 0.415]
    """
    value = sum(pull * own for pull, (own, _) in zip(pulls, known, strict=True))
    reaches = [(own - ends.low, ends.high - own) for own, ends in known]
    low, high = (
        [pull * reach[(pull > 0) == is_high] for pull, reach in zip(pulls, reaches, strict=True)]
        for is_high in (False, True)
    )
    return value - _length(low, correlation), value + _length(high, correlation)


def _length(away: Sequence[float], correlation: Callable[[int, int], float]) -> float:
    """Return how long a sum of vectors is whose angles have these correlations as cosines."""
    squares = sum(
        own * (own + 2 * sum(correlation(i, j) * away[j] for j in range(i + 1, len(away))))
        for i, own in enumerate(away)
    )
    return sqrt(max(0.0, squares))
