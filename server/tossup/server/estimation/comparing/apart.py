"""How far two estimates from the same reports are apart, by an interval of the difference."""

from math import sqrt

from tossup.server.estimation.intervals.interval import Interval


def apart(
    first: tuple[float, Interval], second: tuple[float, Interval], correlation: float | None
) -> tuple[float, float]:
    """Return the ends of an interval of the first share less the second one.

    Parameters
    ----------
    first, second
        The raw estimate and its interval, at one confidence.
    correlation
        That of the estimates. None where it is not known: then the ends are those of both
        intervals, and hold wherever both do, however the estimates go together.

    References
    ----------
    The MOVER of Zou and Donner 2008, Statistics in Medicine 27:1693-1702, of correlated estimates;
    for two normal intervals it is the normal interval of the difference.

    Examples
    --------
    >>> half = 0.5, Interval(0.4, 0.6, 0.95, "normal")
    >>> quarter = 0.25, Interval(0.15, 0.35, 0.95, "normal")
    >>> [round(end, 3) for end in apart(half, quarter, correlation=0.0)]
    [0.109, 0.391]
    >>> [round(end, 3) for end in apart(half, quarter, correlation=None)]
    [0.05, 0.45]
    """
    (value, interval), (other, other_interval) = first, second
    down, up = value - interval.low, interval.high - value
    other_down, other_up = other - other_interval.low, other_interval.high - other
    rho = -1.0 if correlation is None else correlation
    low = value - other - _length(down, other_up, rho)
    high = value - other + _length(up, other_down, rho)
    return low, high


def _length(own: float, other: float, correlation: float) -> float:
    return sqrt(max(0.0, own**2 + other**2 - 2 * correlation * own * other))
