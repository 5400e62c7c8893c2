"""A share or a mean over time: one mark a week, with its interval.

No report is counted twice, so marks may be compared with one another, and no line joins them. A
week without reports is a gap; one with too few is an empty coin at 0, with its count in words. More
than twelve weeks are drawn by month, then by quarter, then by year.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil
from typing import Final, Literal

from markupsafe import Markup

from tossup.server.estimation import EstimationError, NumberEstimate, ShareEstimate, same_shares
from tossup.server.estimation.telling.strips import Scale, Strip, scale_for, strip
from tossup.server.results import AnswerEstimate, QuestionResult, Slice, pooled
from tossup.server.web.answers import MOST_MARKS
from tossup.server.web.pages.measured_table import Span
from tossup.server.web.pages.words.numbers import measured, short_period

Period = Literal["week", "month", "quarter", "year"]

_MOST_LABELS: Final = 4
#: Of the drawing, in pixels: the plot, and the labels below it.
_TOP: Final = 8
_TALL: Final = 112
_BELOW: Final = 24
HEIGHT: Final = _TOP + _TALL + _BELOW
#: Where marks may stand, in percent of the width: labels of the scale stand at the left.
_LEFT: Final = 12
_RIGHT: Final = 96


@dataclass(frozen=True, slots=True)
class Mark:
    """One week, month, quarter or year.

    Attributes
    ----------
    first
        Its first day.
    n
        Reports that the estimate rests on, or would.
    estimate
        None where there are too few reports.
    place
        Where it lies on the trend's scale; None without an estimate.
    across
        Where it stands, in percent of the width.
    """

    first: date
    n: int
    estimate: AnswerEstimate | NumberEstimate | None
    place: Strip | None
    across: float


@dataclass(frozen=True, slots=True)
class Trend:
    """The trend of one answer, or of a mean, ready to draw.

    Attributes
    ----------
    answer
        The answer's id; empty for a mean.
    period
        What a mark stands for.
    marks
        The oldest first; periods without reports have none.
    scale
        What all marks are drawn on.
    labels
        What the scale says, and where.
    """

    answer: str
    period: Period
    marks: tuple[Mark, ...]
    scale: Scale
    labels: tuple[tuple[float, str], ...]

    @property
    def told(self) -> tuple[Mark, ...]:
        """The marks that have an estimate."""
        return tuple(mark for mark in self.marks if mark.estimate)

    @property
    def too_few(self) -> tuple[Mark, ...]:
        """The marks that have none."""
        return tuple(mark for mark in self.marks if not mark.estimate)


def trends(result: QuestionResult) -> tuple[Trend, ...]:
    """Return a trend an estimated answer, or that of a mean; none of fewer than two estimates.

    In a survey that asks again, waves are compared instead.
    """
    if result.waves is not None or result.suppressed:
        return ()
    period, parts = _periods(result.days)
    if result.estimates:
        found = [_of_share(each.answer, period, parts) for each in result.estimates]
    else:
        found = [_of_mean(result, period, parts)] if result.total.told.numbers else []
    return tuple(trend for trend in found if len(trend.told) > 1)


def change(drawn: Sequence[Trend]) -> float | None:
    """Return how likely marks differ as much if nothing changed; None where no test tells.

    The smallest of all answers, times their number (Bonferroni).
    """
    chances = []
    for trend in drawn:
        shares = [m.estimate.share for m in trend.told if isinstance(m.estimate, AnswerEstimate)]
        told = [share for share in shares if isinstance(share, ShareEstimate)]
        with suppress(EstimationError):
            if len(told) > 1:
                chances.append(same_shares(told).p_value)
    return min(1.0, len(chances) * min(chances)) if chances else None


def svg(trend: Trend) -> Markup:
    """Return a trend as SVG; a table beside it says the same in numbers."""
    grid = Markup("").join(
        Markup('<line class="{}" x1="{}%" x2="100%" y1="{y:g}" y2="{y:g}"/>').format(
            "zero" if share == 0 else "grid", _LEFT - 4, y=_y(trend.scale.at(share))
        )
        + Markup('<text x="{}%" y="{:g}" text-anchor="end">{}</text>').format(
            _LEFT - 5, _y(trend.scale.at(share)) + 4, label
        )
        for share, label in trend.labels
    )
    step = ceil(len(trend.marks) / _MOST_LABELS)
    named = Markup("").join(
        Markup('<text x="{:g}%" y="{}" text-anchor="middle">{}</text>').format(
            mark.across, HEIGHT - 4, short_period(mark.first, trend.period)
        )
        for mark in trend.marks[::-step][::-1]
    )
    zero = _y(trend.scale.at(0))
    marks = Markup("").join(_mark(mark, zero) for mark in trend.marks)
    return Markup('<svg class="weeks" aria-hidden="true" width="100%" height="{}">{}</svg>').format(
        HEIGHT, grid + named + marks
    )


def _mark(mark: Mark, zero: float) -> Markup:
    """Return a mark, which says once how far across it is: a page has hundreds, and is to be light.

    Its interval is the first path.
    """
    if mark.place is None:
        return Markup('<circle class="few" cx="{:g}%" cy="{:g}" r="4"/>').format(mark.across, zero)
    start, end = mark.place.half
    # Numbers alone, so nothing needs to be escaped.
    return Markup(  # noqa: S704
        f'<svg x="{mark.across:g}%"><path d="{_line(mark.place.low, mark.place.high)}"/>'
        f'<path class="half" d="{_line(start, end)}"/>'
        f'<circle cy="{_y(mark.place.value):g}" r="5"/></svg>'
    )


def _line(start: float, end: float) -> str:
    return f"M0 {_y(start):g}V{_y(end):g}"


def _y(at: float) -> float:
    """Return how far down a place on the scale is, in pixels."""
    return round(_TOP + _TALL * (1 - at / 100), 1)


def _of_share(answer: str, period: Period, parts: Mapping[date, Slice]) -> Trend:
    told = {
        first: next((each for each in part.estimates if each.answer == answer), None)
        for first, part in parts.items()
    }
    scale = scale_for([each for each in told.values() if each])
    marks = tuple(
        Mark(
            first,
            each.n if each else part.too_few.get(answer, part.behind),
            each,
            strip(each, scale) if each else None,
            _across(first, parts),
        )
        for (first, part), each in zip(parts.items(), told.values(), strict=True)
    )
    return Trend(answer, period, marks, scale, scale.labels)


def _of_mean(result: QuestionResult, period: Period, parts: Mapping[date, Slice]) -> Trend:
    grid = result.total.told.grid
    if grid is None:
        raise LookupError("only a number has a mean")
    told = {
        first: part.told.numbers[0] if part.told.numbers else None for first, part in parts.items()
    }
    span = Span.of_grid(grid)
    scale = span.scale([each for each in told.values() if each])
    marks = tuple(
        Mark(
            first,
            part.behind,
            each,
            span.strip(each, scale) if each else None,
            _across(first, parts),
        )
        for (first, part), each in zip(parts.items(), told.values(), strict=True)
    )
    labels = ((0.0, measured(float(grid.low))), (1.0, measured(float(grid.high))))
    return Trend("", period, marks, scale, labels)


def _across(first: date, parts: Mapping[date, Slice]) -> float:
    """Return where a period stands: as far from the others as in time, so that gaps show."""
    start, end = min(parts), max(parts)
    if start == end:
        return (_LEFT + _RIGHT) / 2
    return round(_LEFT + (_RIGHT - _LEFT) * ((first - start) / (end - start)), 2)


def _periods(days: Sequence[Slice]) -> tuple[Period, dict[date, Slice]]:
    """Return the shortest periods of which at most twelve pass, and the reports of each."""
    dated = {part.day: part for part in days if part.day}
    if not dated:
        return "week", {}
    periods: tuple[Period, ...] = ("week", "month", "quarter", "year")
    chosen = next(
        (p for p in periods if _passed(min(dated), max(dated), p) <= MOST_MARKS), periods[-1]
    )
    parts: dict[date, list[Slice]] = {}
    for day in sorted(dated):
        parts.setdefault(_first_day(day, chosen), []).append(dated[day])
    return chosen, {first: pooled(found) for first, found in parts.items()}


def _passed(first: date, last: date, period: Period) -> int:
    """Return how many periods there are from that of a day to that of another one."""
    if period == "week":
        return (_first_day(last, period) - _first_day(first, period)).days // 7 + 1
    if period == "month":
        return _months(last) - _months(first) + 1
    size = 3 if period == "quarter" else 12
    return _months(last) // size - _months(first) // size + 1


def _months(day: date) -> int:
    return 12 * day.year + day.month - 1


def _first_day(day: date, period: Period) -> date:
    if period == "week":
        return day - timedelta(day.weekday())
    if period == "month":
        return day.replace(day=1)
    month = 1 if period == "year" else 3 * ((day.month - 1) // 3) + 1
    return date(day.year, month, 1)
