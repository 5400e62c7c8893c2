"""The tables of numbers and vectors: what was measured, with strips on the declared range."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from tossup.server.estimation import EntryEstimate, NumberEstimate
from tossup.server.estimation.telling.strips import Drawable, Scale, Strip
from tossup.server.results import QuestionResult, Slice
from tossup.server.results.changes import WaveChange
from tossup.server.web.pages.words.language import gettext
from tossup.server.web.pages.words.numbers import measured
from tossup.shared.kinds.number import Grid
from tossup.shared.survey import Attribute, Text


@dataclass(frozen=True, slots=True)
class Span:
    """The declared range of what is drawn: on a scale 0 is its low bound, and 1 its high one."""

    low: float
    high: float

    @classmethod
    def of_grid(cls, grid: Grid) -> "Span":
        """Return the range of a number."""
        return cls(float(grid.low), float(grid.high))

    def scale(self, drawn: Iterable[Drawable]) -> Scale:
        """Return a scale that holds the range, and every interval that has a strip."""
        found = [estimate.interval for estimate in drawn if not is_squared(estimate)]
        low = min([0.0, *(self._part(interval.low) for interval in found)])
        high = max([1.0, *(self._part(interval.high) for interval in found)])
        return Scale(floor(10 * low) / 10, ceil(10 * high) / 10)

    def strip(self, estimate: Drawable, scale: Scale) -> Strip | None:
        """Return the strip of an estimate; None for a variance, which is in squared units."""
        if is_squared(estimate):
            return None
        ends = (estimate.interval.low, estimate.value, estimate.interval.high)
        return Strip(*(scale.at(self._part(number)) for number in ends))

    def _part(self, number: float) -> float:
        """Return where a number lies, from 0 to 1 within the range."""
        return (number - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One statistic or component of one slice; without an estimate where there are too few reports.

    ``label`` is a survey's text; None stands for the statistic's own name. A variance and a
    covariance have no strip: they are in squared units. ``not_told_yet`` is a statistic that more
    reports would tell.
    """

    label: Text | None
    part: Slice
    estimate: NumberEstimate | EntryEstimate | None
    strip: Strip | None
    not_told_yet: str | None = None


@dataclass(frozen=True, slots=True)
class MeasuredGroups:
    """A public attribute, and its options with a table each; for waves, their changes."""

    attribute: Attribute
    tables: tuple[tuple[Text, tuple[MeasuredRow, ...]], ...]
    changes: tuple[WaveChange, ...]

    @property
    def rows(self) -> tuple[MeasuredRow, ...]:
        """The rows of all options, where each has one."""
        return tuple(row for _, rows in self.tables for row in rows)


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """What all reports and each group tell, on one scale: of the declared range, from 0 to 1.

    Of a vector there are the covariances of all reports beside it, and ``projected`` has a row a
    component of the nearest possible ones: a label and the numbers of the view.
    """

    low: str
    high: str
    scale: Scale
    rows: tuple[MeasuredRow, ...]
    groups: tuple[MeasuredGroups, ...]
    covariance: tuple[MeasuredRow, ...] = ()
    projected: tuple[tuple[Text, tuple[float, ...]], ...] = ()
    is_possible: bool = True

    @property
    def shown(self) -> tuple[MeasuredRow, ...]:
        """The rows to read first: the mean, and quartiles that reports tell."""
        return tuple(row for row in self.rows if row.strip)

    @property
    def behind(self) -> tuple[MeasuredRow, ...]:
        """The other ones: the variance, and what more reports would tell."""
        return tuple(row for row in self.rows if not row.strip)


def number_table(result: QuestionResult, attributes: Sequence[Attribute]) -> MeasuredTable | None:
    """Return the table of a number, with the mean of every group; None for other questions."""
    grid = result.total.told.grid
    if grid is None:
        return None
    span, numbers = Span.of_grid(grid), result.total.told.numbers
    means = [part.told.numbers[0] for part in result.groups if part.told.numbers]
    scale = span.scale([*numbers, *means])

    def mean(part: Slice, label: Text) -> tuple[MeasuredRow, ...]:
        found = part.told.numbers[0] if part.told.numbers else None
        return (MeasuredRow(label, part, found, span.strip(found, scale) if found else None),)

    told = [MeasuredRow(None, result.total, each, span.strip(each, scale)) for each in numbers]
    waiting = result.total.told.waiting
    told += [MeasuredRow(None, result.total, None, None, each) for each in waiting]
    few = [MeasuredRow(None, result.total, None, None)]
    return MeasuredTable(
        low=measured(span.low),
        high=measured(span.high),
        scale=scale,
        rows=tuple(few if result.suppressed else told),
        groups=tuple(
            MeasuredGroups(
                attribute,
                tuple((label, mean(part, label)) for label, part in result.by_option(attribute)),
                result.changes_by(attribute),
            )
            for attribute in attributes
        ),
    )


def vector_table(result: QuestionResult, attributes: Sequence[Attribute]) -> MeasuredTable | None:
    """Return the tables of a vector, with the means of every group; None for other questions."""
    told = result.total.told
    if told.norm is None:
        return None
    span = Span(-float(told.norm), float(told.norm))
    vectors = [part.told.vector for part in (result.total, *result.groups)]
    scale = span.scale(mean for vector in vectors if vector for mean in vector.means)
    labels = [option.label for option in result.question.options]

    def means(part: Slice) -> tuple[MeasuredRow, ...]:
        if part.told.vector is None:
            return (MeasuredRow(None, part, None, None),)
        pairs = zip(labels, part.told.vector.means, strict=True)
        return tuple(MeasuredRow(name, part, m, span.strip(m, scale)) for name, m in pairs)

    found = told.vector.covariance if told.vector else None
    return MeasuredTable(
        low=measured(span.low),
        high=measured(span.high),
        scale=scale,
        rows=means(result.total),
        groups=tuple(
            MeasuredGroups(
                attribute,
                tuple((label, means(part)) for label, part in result.by_option(attribute)),
                result.changes_by(attribute),
            )
            for attribute in attributes
        ),
        covariance=tuple(_covariance(result, found.entries)) if found else (),
        projected=tuple(zip(labels, found.projected, strict=True)) if found else (),
        is_possible=found.is_possible if found else True,
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


def is_squared(estimate: Drawable) -> bool:
    """Return whether an estimate is in squared units, so that no range holds it."""
    return isinstance(estimate, NumberEstimate) and estimate.statistic == "variance"


def _covariance(result: QuestionResult, entries: Iterable[EntryEstimate]) -> Iterator[MeasuredRow]:
    """Yield a row an entry of the lower triangle; its label names both components."""
    labels = {option.id: option.label for option in result.question.options}
    for entry in entries:
        first, second = (labels[name] for name in entry.names)
        label = {tag: f"{first[tag]} × {second[tag]}" for tag in first}
        yield MeasuredRow(label, result.total, entry, None)
