"""The trend: single days, thin, under a line that pools the seven days up to each one.

Days with 40 reports have intervals of 30 points; the pooled line with its band is what to read.
At most 120 points are drawn: longer surveys have several days in a point, and so have choices,
which are drawn once an answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, floor
from typing import Final

from tossup.server.results import AnswerEstimate, QuestionResult, Slice, pooled

MAX_POINTS: Final = 120
WINDOW_DAYS: Final = 7
_SIZE: Final = 1000  # of the drawing, in both directions


@dataclass(frozen=True, slots=True)
class Point:
    """One moment of a trend.

    Attributes
    ----------
    day
        Its last day.
    single
        The estimate from its own days; None with too few reports, or if `window` is the same.
    window
        The estimate from the days pooled up to it; None with too few reports.
    n
        Reports pooled.
    """

    day: date
    single: AnswerEstimate | None
    window: AnswerEstimate | None
    n: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the grid: its share, and how far down it is, in percent."""

    share: float
    top: float


@dataclass(frozen=True, slots=True)
class Trend:
    """The trend of one answer, ready to draw.

    Paths are in a square of 1000 units, stretched to fit.
    """

    answer: str
    points: tuple[Point, ...]
    days_a_point: int
    low: float
    high: float
    singles: str
    dots: str
    band: str
    line: str
    ticks: tuple[Tick, ...]
    zero: int

    @property
    def windows(self) -> tuple[Point, ...]:
        """The points that have a pooled estimate: the rows of the chart's table."""
        return tuple(point for point in self.points if point.window)


def trends(result: QuestionResult) -> tuple[Trend, ...]:
    """Return a trend an estimated answer; none if fewer than two pooled estimates exist."""
    answers = [estimate.answer for estimate in result.estimates]
    bins = _bins(result.days, 1 if len(answers) == 1 else WINDOW_DAYS)
    drawn = (_trend(answer, bins) for answer in answers)
    return tuple(trend for trend in drawn if len(trend.windows) >= 2)


@dataclass(frozen=True, slots=True)
class _Bin:
    """The days of a point, as one slice, and those of its window."""

    day: date
    days: int
    single: Slice | None
    window: Slice | None


def _bins(days: Sequence[Slice], least: int) -> list[_Bin]:
    by_day = {part.day: part for part in days if part.day}
    if not by_day:
        return []
    first, last = min(by_day), max(by_day)
    size = max(least, ceil(((last - first).days + 1) / MAX_POINTS))
    ends = [last - timedelta(size * step) for step in range(((last - first).days) // size + 1)]
    window = max(size, WINDOW_DAYS)
    return [
        _Bin(
            end,
            size,
            _until(by_day, end, size) if size < window else None,
            _until(by_day, end, window),
        )
        for end in reversed(ends)
    ]


def _until(by_day: dict[date, Slice], end: date, days: int) -> Slice | None:
    parts = [by_day.get(end - timedelta(back)) for back in range(days)]
    found = [part for part in parts if part]
    return pooled(found) if found else None


def _trend(answer: str, bins: list[_Bin]) -> Trend:
    points = tuple(_point(answer, part) for part in bins)
    low, high = _range(points)
    canvas = _Canvas(points[0].day, points[-1].day, low, high)
    runs = _runs(points)
    return Trend(
        answer=answer,
        points=points,
        days_a_point=bins[0].days,
        low=low,
        high=high,
        singles="".join(canvas.bar(point.day, point.single) for point in points if point.single),
        dots="".join(canvas.dot(point.day, point.single) for point in points if point.single),
        band="".join(canvas.band(run) for run in runs),
        line="".join(canvas.line(run) for run in runs),
        ticks=tuple(Tick(share, canvas.y(share) / 10) for share in _ticks(low, high)),
        zero=canvas.y(0),
    )


def _point(answer: str, part: _Bin) -> Point:
    single, window = _estimate(part.single, answer), _estimate(part.window, answer)
    return Point(part.day, single, window, window.n if window else 0)


def _estimate(part: Slice | None, answer: str) -> AnswerEstimate | None:
    found = part.estimates if part else ()
    return next((estimate for estimate in found if estimate.answer == answer), None)


def _range(points: Sequence[Point]) -> tuple[float, float]:
    """Return the shares to span, in whole tenths: every interval drawn, and 0."""
    drawn = [e.interval for point in points for e in (point.single, point.window) if e]
    low = min([0.0, *(interval.low for interval in drawn)])
    high = max([0.1, *(interval.high for interval in drawn)])
    return floor(10 * low) / 10, ceil(10 * high) / 10


def _ticks(low: float, high: float) -> list[float]:
    tenths = range(round(10 * low), round(10 * high) + 1)
    step = 1 if len(tenths) <= 5 else 2 if len(tenths) <= 11 else 5
    return [tenth / 10 for tenth in tenths if tenth % step == 0 and 0 <= tenth <= 10]


def _runs(points: Sequence[Point]) -> list[list[tuple[date, AnswerEstimate]]]:
    """Return the pooled estimates in runs without a gap."""
    runs: list[list[tuple[date, AnswerEstimate]]] = [[]]
    for point in points:
        if point.window:
            runs[-1].append((point.day, point.window))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


@dataclass(frozen=True, slots=True)
class _Canvas:
    """From days and shares to units of the drawing, and to the paths they make."""

    first: date
    last: date
    low: float
    high: float

    def x(self, when: date) -> int:
        span = (self.last - self.first).days or 1
        return round(_SIZE * (when - self.first).days / span)

    def y(self, share: float) -> int:
        return round(_SIZE * (self.high - share) / (self.high - self.low))

    def bar(self, when: date, estimate: AnswerEstimate) -> str:
        interval = estimate.interval
        return f"M{self.x(when)} {self.y(interval.low)}V{self.y(interval.high)}"

    def dot(self, when: date, estimate: AnswerEstimate) -> str:
        return f"M{self.x(when)} {self.y(estimate.value)}h0"

    def line(self, run: list[tuple[date, AnswerEstimate]]) -> str:
        return "M" + "L".join(f"{self.x(when)} {self.y(e.value)}" for when, e in run)

    def band(self, run: list[tuple[date, AnswerEstimate]]) -> str:
        upper = [f"{self.x(when)} {self.y(e.interval.high)}" for when, e in run]
        lower = [f"{self.x(when)} {self.y(e.interval.low)}" for when, e in reversed(run)]
        return "M" + "L".join([*upper, *lower]) + "Z"
