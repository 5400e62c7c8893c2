"""Caps of the sphere: how long the mean of PrivUnit's directions is, and which cap is best.

All dimensions are even here, as those of `PrivUnit`, and integrals of powers of the
cosine have a recursion of positive terms.
"""

from functools import lru_cache
from math import asin, cos, pi, sin
from typing import Final

from tossup.shared.mechanisms import PrivUnit
from tossup.shared.mechanisms.vectors.privunit import CAP_UNIT

_GOLDEN: Final = (5**0.5 - 1) / 2


def mean_length(mechanism: PrivUnit) -> float:
    """Return m: the mean of a report's direction is m times the direction of the answer.

    (keep - lie) A / (keep V + lie (1 - V)), with V the share of the sphere that the cap is and A
    the integral over it of the component towards its middle.

    >>> round(1 / mean_length(PrivUnit(9, 64, cap=9224)) ** 2 - 1, 3)
    49.483
    """
    height = mechanism.cap / CAP_UNIT
    return _mean_length(mechanism.dimensions, height, mechanism.keep, mechanism.lie)


def mean_square(mechanism: PrivUnit) -> float:
    """Return the mean square of the component of a report's direction along the answer's.

    >>> round(mean_square(PrivUnit(9, 64, cap=9224)), 3)
    0.118
    """
    power, end = mechanism.dimensions - 2, asin(mechanism.cap / CAP_UNIT)
    half, squares = cosine_power(power, pi / 2), _sine_squares(power, pi / 2)
    share = (1 - cosine_power(power, end) / half) / 2
    within = (squares - _sine_squares(power, end)) / (2 * half)
    keep, lie = mechanism.keep, mechanism.lie
    beyond = squares / half - within
    return (keep * within + lie * beyond) / (keep * share + lie * (1 - share))


def _sine_squares(power: int, end: float) -> float:
    """Return the integral of sin(x)**2 cos(x)**power from 0 to ``end``."""
    return cosine_power(power, end) - cosine_power(power + 2, end)


@lru_cache(maxsize=256)
def best_cap(mechanism: PrivUnit) -> int:
    """Return the cap of the longest mean for a design's dimension and odds: of least variance.

    >>> best_cap(PrivUnit(9, 64, cap=0, keep=3, lie=1))
    9224
    """
    low, high = 0.0, 1.0

    def length(height: float) -> float:
        return _mean_length(mechanism.dimensions, height, mechanism.keep, mechanism.lie)

    for _ in range(60):  # the length rises to one maximum and falls
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, right) if length(left) > length(right) else (left, high)
    return min(round(CAP_UNIT * (low + high) / 2), CAP_UNIT - 1)


def _mean_length(dimensions: int, height: float, keep: int, lie: int) -> float:
    power = dimensions - 2
    half = cosine_power(power, pi / 2)
    share = (1 - cosine_power(power, asin(height)) / half) / 2
    moment = float((1 - height**2) ** ((power + 1) / 2)) / (power + 1) / (2 * half)
    return (keep - lie) * moment / (keep * share + lie * (1 - share))


def cosine_power(power: int, end: float) -> float:
    """Return the integral of cos(x)**power from 0 to ``end``, for an even power.

    >>> round(cosine_power(2, pi / 2) / pi, 6)
    0.25
    """
    integral = end
    for n in range(2, power + 1, 2):
        integral = sin(end) * cos(end) ** (n - 1) / n + (n - 1) / n * integral
    return integral
