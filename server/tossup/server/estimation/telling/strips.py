"""Strips: an estimate and its interval as a drawing one table row high.

Positions are percentages of the strip's width, so that a strip fits every screen while its dot
stays round and its lines stay thin.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor
from typing import Final, Protocol

from markupsafe import Markup

from tossup.server.estimation.intervals.interval import Interval

#: Of an interval that holds in 95 of 100 cases, the part that holds in half of them.
_HALF: Final = 0.6745 / 1.96


class Drawable(Protocol):
    """What a strip shows: an estimate with its interval."""

    @property
    def value(self) -> float:
        """The raw estimate."""

    @property
    def interval(self) -> Interval:
        """Around it."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The shares that a set of strips spans, from ``low``, at most 0, to ``high``."""

    low: float
    high: float

    def at(self, share: float) -> float:
        """Return where a share lies, in percent of the width."""
        return round(100 * (share - self.low) / (self.high - self.low), 2)

    @property
    def ticks(self) -> tuple[float, ...]:
        """The possible shares that get a line: in quarters of the highest one."""
        return tuple(min(self.high, 1.0) * part / 4 for part in range(5))

    @property
    def labels(self) -> tuple[tuple[float, str], ...]:
        """What an axis says, and where: its least, middle and highest possible share."""
        return tuple((share, f"{100 * share:g}%") for share in self.ticks[::2])


#: All possible shares.
PERCENT: Final = Scale(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Strip:
    """Where the dot and the ends of the interval lie, in percent of the width."""

    low: float
    value: float
    high: float

    @property
    def half(self) -> tuple[float, float]:
        """The ends of what holds in half of all cases, as far as chance is normal."""
        down, up = self.value - self.low, self.high - self.value
        return round(self.value - _HALF * down, 2), round(self.value + _HALF * up, 2)


def scale_for(estimates: Iterable[Drawable]) -> Scale:
    """Return a scale that holds every interval: from 0 or below to 25, 50, 100 % or above.

    With nothing to draw all shares from 0 to 1.
    """
    intervals = [estimate.interval for estimate in estimates]
    low = min([0.0, *(interval.low for interval in intervals)])
    high = max([interval.high for interval in intervals], default=1.0)
    above = next((end for end in (0.25, 0.5, 1.0) if high <= end), ceil(10 * high) / 10)
    return Scale(floor(10 * low) / 10, above)


def strip(estimate: Drawable, scale: Scale) -> Strip:
    """Return the strip of a raw estimate and its score interval: the numbers of its row."""
    interval = estimate.interval
    return Strip(scale.at(interval.low), scale.at(estimate.value), scale.at(interval.high))


def drawn(place: Strip, scale: Scale) -> Markup:
    """Return a strip as SVG; the cells of its row say the same in numbers."""
    start, end = place.half
    # Numbers alone, so nothing needs to be escaped: a page has hundreds of strips.
    return Markup(  # noqa: S704
        '<svg class="strip" aria-hidden="true" width="100%" height="24">'
        f"{_ground(scale)}"
        f'<line class="interval" x1="{place.low}%" x2="{place.high}%" y1="12" y2="12"/>'
        f'<line class="half" x1="{start}%" x2="{end}%" y1="12" y2="12"/>'
        f'<circle class="estimate" cx="{place.value}%" cy="12" r="5"/>'
        "</svg>"
    )


@lru_cache(64)
def _ground(scale: Scale) -> str:
    """Return what all strips of a scale share: where no share can be, and the grid."""
    line = '<line class="{}" x1="{}%" x2="{}%" y2="24"/>'
    grid = [
        line.format("grid" if share else "zero", scale.at(share), scale.at(share))
        for share in scale.ticks
    ]
    return "".join([_impossible(scale), *grid])


def axis(scale: Scale, labels: Sequence[tuple[float, object]] = ()) -> Markup:
    """Return the labels of a scale as SVG, each with its share, above a column of strips."""
    label = Markup('<text x="{}%" y="12" text-anchor="{}">{}</text>')
    texts = Markup("").join(
        label.format(scale.at(share), _anchor(scale.at(share)), text)
        for share, text in labels or scale.labels
    )
    return Markup(
        '<svg class="strip axis" aria-hidden="true" width="100%" height="16">{}</svg>'
    ).format(texts)


def _anchor(at: float) -> str:
    if at < 4:
        return "start"
    return "end" if at > 96 else "middle"


def _impossible(scale: Scale) -> str:
    """Return where no true share can be: below 0 and above 100 percent."""
    part = '<rect class="outside" x="{}" y="0" width="{}%" height="24"/>'
    below = part.format("0", scale.at(0)) if scale.low < 0 else ""
    above = part.format(f"{scale.at(1)}%", 100 - scale.at(1)) if scale.high > 1 else ""
    return below + above
