"""The tables of a question about a vector: means of its components, and their covariances."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from tossup.server.estimation import EntryEstimate, VectorEstimate
from tossup.server.estimation.telling.strips import Scale, Strip
from tossup.server.results import QuestionResult, Slice
from tossup.server.results.changes import WaveChange
from tossup.server.web.pages.words.numbers import measured
from tossup.shared.survey import WAVE, Attribute, Text


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of one slice; without an estimate where there are too few reports.

    A covariance has no strip: it is in products of units.
    """

    label: Text | None
    part: Slice
    estimate: EntryEstimate | None
    strip: Strip | None


@dataclass(frozen=True, slots=True)
class EntryGroup:
    """An option of a public attribute, and the means of its group."""

    label: Text
    rows: tuple[EntryRow, ...]


@dataclass(frozen=True, slots=True)
class AttributeGroups:
    """A public attribute and its groups; for waves, their changes."""

    attribute: Attribute
    groups: tuple[EntryGroup, ...]
    changes: tuple[WaveChange, ...] = ()


@dataclass(frozen=True, slots=True)
class VectorTable:
    """The means of all reports and by group, on one scale, and the covariances of all reports.

    The scale is in parts of the declared range of a component: 0 is minus the norm, 1 the norm.
    ``projected`` has a row a component: a label and the numbers of the view.
    """

    low: str
    high: str
    scale: Scale
    rows: tuple[EntryRow, ...]
    attributes: tuple[AttributeGroups, ...]
    covariance: tuple[EntryRow, ...]
    projected: tuple[tuple[Text, tuple[float, ...]], ...]
    is_possible: bool


def vector_table(result: QuestionResult, attributes: Sequence[Attribute]) -> VectorTable | None:
    """Return the tables of a vector; None for other questions."""
    if result.total.told.norm is None:
        return None
    norm = float(result.total.told.norm)
    scale = _scale(
        [part.told.vector for part in (result.total, *result.groups) if part.told.vector], norm
    )
    found = result.total.told.vector.covariance if result.total.told.vector else None
    labels = _labels(result)
    return VectorTable(
        low=measured(-norm),
        high=measured(norm),
        scale=scale,
        rows=_rows(result.total, labels, norm, scale),
        attributes=tuple(_groups(result, attribute, norm, scale) for attribute in attributes),
        covariance=_covariance(result) if found else (),
        projected=tuple(zip(labels, found.projected, strict=True)) if found else (),
        is_possible=found.is_possible if found else True,
    )


def _labels(result: QuestionResult) -> list[Text]:
    return [option.label for option in result.question.options]


def _rows(part: Slice, labels: Sequence[Text], norm: float, scale: Scale) -> tuple[EntryRow, ...]:
    if part.told.vector is None:
        return (EntryRow(None, part, None, None),)
    return tuple(
        EntryRow(label, part, mean, _strip(mean, norm, scale))
        for label, mean in zip(labels, part.told.vector.means, strict=True)
    )


def _groups(
    result: QuestionResult, attribute: Attribute, norm: float, scale: Scale
) -> AttributeGroups:
    parts = {part.option: part for part in result.groups if part.attribute == attribute.id}
    labels = _labels(result)
    groups = tuple(
        EntryGroup(option.label, _rows(parts[option.id], labels, norm, scale))
        for option in attribute.options
        if attribute.id != WAVE or parts[option.id].n
    )
    return AttributeGroups(attribute, groups, result.changes if attribute.id == WAVE else ())


def _covariance(result: QuestionResult) -> tuple[EntryRow, ...]:
    """Return a row an entry of the lower triangle; its label names both components."""
    estimate, labels = result.total.told.vector, _labels(result)
    places = {
        name: place for place, name in enumerate(option.id for option in result.question.options)
    }
    if estimate is None or estimate.covariance is None:
        return ()
    rows = []
    for entry in estimate.covariance.entries:
        first, second = (labels[places[name]] for name in entry.names)
        label = {tag: f"{first[tag]} × {second[tag]}" for tag in first}
        rows.append(EntryRow(label, result.total, entry, None))
    return tuple(rows)


def _part(value: float, norm: float) -> float:
    return (value + norm) / (2 * norm)


def _scale(estimates: Sequence[VectorEstimate], norm: float) -> Scale:
    drawn = [mean.interval for estimate in estimates for mean in estimate.means]
    low = min([0.0, *(_part(interval.low, norm) for interval in drawn)])
    high = max([1.0, *(_part(interval.high, norm) for interval in drawn)])
    return Scale(floor(10 * low) / 10, ceil(10 * high) / 10)


def _strip(mean: EntryEstimate, norm: float, scale: Scale) -> Strip:
    ends = (mean.interval.low, mean.value, mean.interval.high)
    return Strip(*(scale.at(_part(value, norm)) for value in ends))
