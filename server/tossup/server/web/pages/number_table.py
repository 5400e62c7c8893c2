"""The table of a question about a number: its statistics, on the declared range."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from tossup.server.estimation import NumberEstimate
from tossup.server.estimation.telling.strips import Scale, Strip
from tossup.server.results import QuestionResult, Slice
from tossup.server.results.changes import WaveChange
from tossup.server.web.pages.words.language import gettext
from tossup.server.web.pages.words.numbers import measured
from tossup.shared.kinds.number import Grid
from tossup.shared.survey import WAVE, Attribute, Text


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One statistic of one slice; without an estimate where there are too few reports.

    ``label`` is a survey's text, for a group; None stands for the statistic's own name. A
    variance has no strip: it is in squared units. ``not_told_yet`` is a statistic that more reports
    would tell.
    """

    label: Text | None
    part: Slice
    estimate: NumberEstimate | None
    strip: Strip | None
    not_told_yet: str | None = None


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """A public attribute and the mean of each of its options; for waves, its changes."""

    attribute: Attribute
    rows: tuple[NumberRow, ...]
    changes: tuple[WaveChange, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberTable:
    """The statistics of all reports, and the means by group, on one scale.

    The scale is in parts of the declared range: 0 is its low bound, 1 its high one.
    """

    low: str
    high: str
    scale: Scale
    rows: tuple[NumberRow, ...]
    groups: tuple[NumberGroup, ...]

    @property
    def shown(self) -> tuple[NumberRow, ...]:
        """The rows to read first: the mean, and quartiles that reports tell."""
        return tuple(row for row in self.rows if row.strip)

    @property
    def behind(self) -> tuple[NumberRow, ...]:
        """The other ones: the variance, and what more reports would tell."""
        return tuple(row for row in self.rows if not row.strip)


def number_table(result: QuestionResult, attributes: Sequence[Attribute]) -> NumberTable | None:
    """Return the table of a number; None for other questions."""
    grid = result.total.told.grid
    if grid is None:
        return None
    shown = [
        *result.total.told.numbers,
        *(part.told.numbers[0] for part in result.groups if part.told.numbers),
    ]
    scale = number_scale(shown, grid)
    return NumberTable(
        low=measured(float(grid.low)),
        high=measured(float(grid.high)),
        scale=scale,
        rows=_rows(result.total, grid, scale),
        groups=tuple(_group(result, attribute, grid, scale) for attribute in attributes),
    )


def statistic_name(statistic: str) -> str:
    """Return what a statistic is called."""
    return {
        "mean": gettext("Mean"),
        "variance": gettext("Variance"),
        "q1": gettext("Lower quartile"),
        "median": gettext("Median"),
        "q3": gettext("Upper quartile"),
    }[statistic]


def _rows(part: Slice, grid: Grid, scale: Scale) -> tuple[NumberRow, ...]:
    if part.suppressed:
        return (NumberRow(None, part, None, None),)
    told = [NumberRow(None, part, e, number_strip(e, grid, scale)) for e in part.told.numbers]
    return (*told, *(NumberRow(None, part, None, None, each) for each in part.told.waiting))


def _group(result: QuestionResult, attribute: Attribute, grid: Grid, scale: Scale) -> NumberGroup:
    parts = {part.option: part for part in result.groups if part.attribute == attribute.id}
    rows = []
    for option in attribute.options:
        part = parts[option.id]
        if attribute.id == WAVE and not part.n:
            continue
        mean = part.told.numbers[0] if part.told.numbers else None
        strip = number_strip(mean, grid, scale) if mean else None
        rows.append(NumberRow(option.label, part, mean, strip))
    return NumberGroup(attribute, tuple(rows), result.changes if attribute.id == WAVE else ())


def _part(number: float, grid: Grid) -> float:
    """Return where a number lies in the declared range, from 0 to 1 within it."""
    return (number - float(grid.low)) / float(grid.high - grid.low)


def number_scale(estimates: Sequence[NumberEstimate], grid: Grid) -> Scale:
    """Return a scale in parts of the declared range that holds every interval but variances."""
    drawn = [e.interval for e in estimates if e.statistic != "variance"]
    low = min([0.0, *(_part(interval.low, grid) for interval in drawn)])
    high = max([1.0, *(_part(interval.high, grid) for interval in drawn)])
    return Scale(floor(10 * low) / 10, ceil(10 * high) / 10)


def number_strip(estimate: NumberEstimate, grid: Grid, scale: Scale) -> Strip | None:
    """Return the strip of a statistic; None for a variance, which is in squared units."""
    if estimate.statistic == "variance":
        return None
    ends = (estimate.interval.low, estimate.value, estimate.interval.high)
    return Strip(*(scale.at(_part(number, grid)) for number in ends))
