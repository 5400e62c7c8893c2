"""Strips: an estimate and its interval as a drawing one table row high.

Positions are percentages of the strip's width, so that a strip fits every screen while its dot
stays round and its lines stay thin.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor

from tossup.server.estimation import PointEstimate
from tossup.server.results import AnswerEstimate, FoundText


@dataclass(frozen=True, slots=True)
class Scale:
    """The shares that a set of strips spans, from ``low`` to ``high``; 0 to 1 at least."""

    low: float
    high: float

    def at(self, share: float) -> float:
        """Return where a share lies, in percent of the width."""
        return round(100 * (share - self.low) / (self.high - self.low), 2)

    @property
    def ticks(self) -> tuple[float, ...]:
        """The shares that get a line: those from 0 to 1 in quarters."""
        return (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Strip:
    """Where the dot and the ends of the interval lie, in percent of the width."""

    low: float
    value: float
    high: float

    @property
    def width(self) -> float:
        """Length of the interval."""
        return round(self.high - self.low, 2)


def scale_for(estimates: Iterable[AnswerEstimate | PointEstimate | FoundText]) -> Scale:
    """Return a scale in whole tenths that holds every interval and all shares from 0 to 1."""
    intervals = [estimate.interval for estimate in estimates]
    low = min([0.0, *(interval.low for interval in intervals)])
    high = max([1.0, *(interval.high for interval in intervals)])
    return Scale(floor(10 * low) / 10, ceil(10 * high) / 10)


def strip(estimate: AnswerEstimate | PointEstimate | FoundText, scale: Scale) -> Strip:
    """Return the strip of a raw estimate and its score interval: the numbers of its row."""
    interval = estimate.interval
    return Strip(scale.at(interval.low), scale.at(estimate.value), scale.at(interval.high))
