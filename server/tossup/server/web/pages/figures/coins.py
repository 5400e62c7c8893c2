"""Coins filled as far as reports tell: a share as a field, a mean as a stack.

All ink of a field together is the estimate, and the edge that fades is the uncertainty: coin k of
100 is inked by how likely the share reaches k - 1/2 of 100, by area. No coin is a person.
"""

from collections.abc import Iterable
from math import ceil, floor, sqrt
from statistics import NormalDist
from typing import Final

from markupsafe import Markup

from tossup.server.estimation import Interval
from tossup.server.kinds.told.finding import Finding

_NORMAL: Final = NormalDist()
_WIDE: Final = 400
_RADIUS: Final = 6
_FULL: Final = 0.995
_EMPTY: Final = 0.005
_STACKED: Final = 20
_COIN: Final = 15


def drawn(finding: Finding) -> Markup:
    """Return a finding as SVG; what stands beside it says the same in numbers."""
    if finding.picture == "field":
        return _field(finding)
    return _stack(finding) if finding.picture == "stack" else Markup()


def _spread(interval: Interval) -> float:
    """Return the standard error of a normal distribution with such an interval."""
    z = _NORMAL.inv_cdf((1 + interval.confidence) / 2)
    return max((interval.high - interval.low) / (2 * z), 1e-12)


def inked(finding: Finding) -> list[float]:
    """Return how much of each of 100 coins is inked, from 0 to 1."""
    likely = NormalDist(100 * finding.value, 100 * _spread(finding.interval))
    return [1 - likely.cdf(k - 0.5) for k in range(1, 101)]


def _field(finding: Finding) -> Markup:
    chances = inked(finding)
    places = [(10 + 20 * (at // 5), 90 - 20 * (at % 5)) for at in range(100)]
    full = [place for place, chance in zip(places, chances, strict=True) if chance > _FULL]
    partly = Markup("").join(
        Markup('<circle class="c-part" cx="{}" cy="{}" r="{}"/>').format(
            *place, round(_RADIUS * sqrt(chance), 2)
        )
        for place, chance in zip(places, chances, strict=True)
        if _EMPTY < chance <= _FULL
    )
    inside = _path("c-ring", places) + _path("c-hole", places) + _path("c-full", full) + partly
    return _svg(100, inside)


def ends(finding: Finding) -> tuple[float, float]:
    """Return what the axis of a stack spans: the least answer, and a part of the range above it.

    The first of a quarter, a half and all of the range that the interval stays within.
    """
    low, high = finding.bounds
    parts = (low + (high - low) * part for part in (0.25, 0.5))
    inside = finding.possible.low >= low
    return low, next((end for end in parts if inside and finding.possible.high <= end), high)


def _stack(finding: Finding) -> Markup:
    """Return 20 coins at the quantiles (i + 1/2) / 20 of a mean, in columns as wide as a coin.

    One column stands on the estimate. Where coins would stand beyond what can be, a column stands
    within that end instead, and takes them.
    """
    low, high = ends(finding)
    wide = _COIN / _WIDE * (high - low)
    likely = NormalDist(finding.value, _spread(finding.interval))
    means = [likely.inv_cdf((each + 0.5) / _STACKED) for each in range(_STACKED)]
    inside = low + wide / 2, high - wide / 2
    base = _first_column(finding.value, (means[0], means[-1]), inside, wide)
    least, most = ceil((inside[0] - base) / wide - 1e-9), floor((inside[1] - base) / wide + 1e-9)
    columns: dict[int, int] = {}
    places = []
    for mean in means:
        column = min(max(round((mean - base) / wide), least), most)
        columns[column] = columns.get(column, 0) + 1
        middle = _WIDE * (base + column * wide - low) / (high - low)
        places.append((round(middle, 1), -_COIN * columns[column]))
    tall = _COIN * max(columns.values()) + 1
    placed = [(across, tall + up + _COIN / 2) for across, up in places]
    axis = Markup('<path class="zero" d="M0 {}H400"/>').format(tall)
    return _svg(tall + 1, _path("c-full", placed) + axis)


def _first_column(
    value: float, reach: tuple[float, float], inside: tuple[float, float], wide: float
) -> float:
    """Return where one column stands: on the value, or within the end that coins would cross."""
    low, high = (value + wide * round((mean - value) / wide) for mean in reach)
    return inside[0] if low < inside[0] else inside[1] if high > inside[1] else value


def _path(look: str, places: Iterable[tuple[float, float]]) -> Markup:
    """Return coins as one path of dots with round caps."""
    dots = "".join(f"M{across:g} {down:g}h.01" for across, down in places)
    return Markup('<path class="{}" d="{}"/>').format(look, dots) if dots else Markup()


def _svg(tall: int, inside: Markup) -> Markup:
    return Markup('<svg class="coins" viewBox="0 0 400 {}" aria-hidden="true">{}</svg>').format(
        tall, inside
    )
