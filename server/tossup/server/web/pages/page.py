"""What a results page shows: one view a question, built from results."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import ceil
from typing import Final, Literal

from tossup.server.estimation import PointEstimate
from tossup.server.estimation.comparing.pairwise import Pair
from tossup.server.estimation.telling.strips import Scale, Strip, scale_for, strip
from tossup.server.results import (
    AnswerEstimate,
    Comparison,
    FoundText,
    QuestionResult,
    Results,
    Slice,
)
from tossup.server.results.changes import WaveChange
from tossup.server.results.comparisons import told_apart
from tossup.server.web.pages.facts import Facts, facts
from tossup.server.web.pages.figures.together import Together, together
from tossup.server.web.pages.figures.trend import Trend, change, trends
from tossup.server.web.pages.measured_table import MeasuredTable, number_table, vector_table
from tossup.server.web.pages.words.numbers import measured
from tossup.server.web.pages.words.texts import label as text_label
from tossup.shared.survey import Attribute, Text

#: Of more estimates than this a page shows the ten largest first.
_MANY: Final = 16


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an estimates table: an estimate with its strip, or how far it is from one.

    ``label`` is a survey's text; None stands for the page's own words (all reports). ``lead`` says
    whether it is the largest of all, for sure, or one that may be.
    """

    label: Text | None
    part: Slice
    estimate: AnswerEstimate | PointEstimate | FoundText | None
    strip: Strip | None
    answer: str = ""
    lead: Literal["", "first", "may lead"] = ""

    @property
    def n(self) -> int:
        """Reports that tell of the row's answer."""
        if self.estimate:
            return self.estimate.n
        return self.part.too_few.get(self.answer, self.part.behind)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under one heading; ``heading`` is None where the section's own heading suffices."""

    heading: Text | None
    rows: tuple[Row, ...]
    are_answers: bool = False

    @property
    def largest(self) -> tuple[Row, ...]:
        """Answers by their estimates, of many the ten largest; groups keep their order."""
        if not self.are_answers or any(row.estimate is None for row in self.rows):
            return self.rows
        ordered = sorted(self.rows, key=lambda row: -row.estimate.value if row.estimate else 0)
        return tuple(ordered if len(ordered) <= _MANY else ordered[:10])


@dataclass(frozen=True, slots=True)
class Higher:
    """A group whose share of an answer is higher than that of others, for sure.

    ``answer`` is the answer's label, None for yes.
    """

    answer: Text | None
    name: Text
    lower: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class GroupView:
    """A public attribute and its tables: one for yes/no, one an option for a choice.

    ``comparisons`` say whether the groups differ, ``names`` what they are called, by id, and
    ``higher`` which differ for sure, corrected for all that the page compares. Waves are no groups
    of different people: they have ``changes`` instead.
    """

    attribute: Attribute
    tables: tuple[Table, ...]
    comparisons: tuple[Comparison, ...]
    changes: tuple[WaveChange, ...] = ()
    higher: tuple[Higher, ...] = ()

    @property
    def people_for_ten_points(self) -> int | None:
        """How many people in each group tell ten points between any two apart; None if these do.

        By the least certain difference, whose interval narrows as the root of the reports.
        """
        pairs = [pair for found in self.comparisons for pair in found.pairs]
        if self.higher or not pairs:
            return None
        needed = max(
            (5 * (p.interval.high - p.interval.low)) ** 2 * (p.difference.n or 0) / 2 for p in pairs
        )
        size: int = 10 ** max(0, len(str(int(needed))) - 2)
        return ceil(needed / size) * size

    @property
    def intervals(self) -> int:
        """How many intervals the tables show."""
        return sum(row.estimate is not None for table in self.tables for row in table.rows)

    @property
    def names(self) -> Mapping[str, Text]:
        """The labels of the groups by their ids."""
        return {option.id: option.label for option in self.attribute.options}


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question on a results page.

    ``changed`` says whether its share changed for sure; None where no test tells.
    """

    result: QuestionResult
    facts: Facts
    scale: Scale
    together: Together | None
    table: Table
    groups: tuple[GroupView, ...]
    trends: tuple[Trend, ...]
    changed: bool | None = None
    numbers: MeasuredTable | None = None
    histogram: Table | None = None
    vector: MeasuredTable | None = None

    def label(self, answer: str) -> Text | None:
        """Return the label of an answer; None for yes and no."""
        return _labels(self.result).get(answer)


@dataclass(frozen=True, slots=True)
class Glance:
    """What a question found, for a row that has none of its tables."""

    result: QuestionResult

    def label(self, answer: str) -> Text | None:
        """Return the label of an answer; None for yes and no."""
        return _labels(self.result).get(answer)


def question_views(results: Results) -> list[QuestionView]:
    """Return the views of all questions, in order."""
    families = [result.comparisons for result in results.questions]
    drawn = [trends(result) for result in results.questions]
    chances = [change(each) for each in drawn]
    differ = told_apart(families, 1 - results.confidence, chances)
    views = [
        _view(result, results.attributes, found.pairs, each)
        for result, found, each in zip(results.questions, differ, drawn, strict=True)
    ]
    return [
        view if chance is None else replace(view, changed=found.changed)
        for view, found, chance in zip(views, differ, chances, strict=True)
    ]


def _view(
    result: QuestionResult,
    attributes: Sequence[Attribute],
    differ: Sequence[Pair],
    drawn: tuple[Trend, ...],
) -> QuestionView:
    parts = (result.total, *result.groups)
    scale = scale_for(
        e
        for part in parts
        for e in (part.estimates or result.total.told.histogram or result.texts(part))
    )
    return QuestionView(
        result=result,
        facts=facts(result.question, result.waves),
        scale=scale,
        together=together(result),
        table=Table(None, _rows(result, result.total, scale, None), are_answers=True),
        groups=tuple(_group(result, attribute, scale, differ) for attribute in attributes)
        if result.estimates or result.texts(result.total)
        else (),
        trends=drawn,
        numbers=number_table(result, attributes),
        histogram=_histogram(result, scale),
        vector=vector_table(result, attributes),
    )


def _histogram(result: QuestionResult, scale: Scale) -> Table | None:
    """Return the raw shares of all points of a number, where reports tell them."""
    part = result.total
    languages = result.question.text
    rows = tuple(
        Row(dict.fromkeys(languages, measured(float(p.number))), part, p, strip(p, scale))
        for p in part.told.histogram
    )
    return Table(None, rows) if rows else None


def _rows(result: QuestionResult, part: Slice, scale: Scale, label: Text | None) -> tuple[Row, ...]:
    """Return a row an estimate; one row that counts reports where there is none."""
    if part.suppressed:
        return (Row(label, part, None, None),)
    labels = _labels(result)
    told = {estimate.answer: estimate for estimate in part.estimates}
    leads = _leads(part)
    shares = tuple(
        Row(
            labels.get(answer, label),
            part,
            told.get(answer),
            _drawn(told, answer, scale),
            answer,
            leads.get(answer, ""),
        )
        for answer in result.question.answer_ids
        if answer in told or answer in part.too_few
    )
    return shares or tuple(
        Row(text_label(text, result.question.text), part, text, strip(text, scale))
        for text in result.texts(part)
    )


def _leads(part: Slice) -> Mapping[str, Literal["first", "may lead"]]:
    """Return which answers lead, or may."""
    found = part.leading
    if found is None:
        return {}
    if found.is_sure:
        return {found.top.answer: "first"}
    return dict.fromkeys((each.answer for each in (found.top, *found.not_told_apart)), "may lead")


def _drawn(told: Mapping[str, AnswerEstimate], answer: str, scale: Scale) -> Strip | None:
    return strip(told[answer], scale) if answer in told else None


def _group(
    result: QuestionResult, attribute: Attribute, scale: Scale, differ: Sequence[Pair]
) -> GroupView:
    by_option = [
        Table(label, _rows(result, part, scale, label), are_answers=True)
        for label, part in result.by_option(attribute)
    ]
    found = tuple(c for c in result.comparisons if c.attribute == attribute.id)
    changes = result.changes_by(attribute)
    higher = tuple(_higher(found, attribute, _labels(result), {id(pair) for pair in differ}))
    if not result.question.is_yes_no:
        return GroupView(attribute, tuple(by_option), found, changes, higher)
    one = Table(None, tuple(row for table in by_option for row in table.rows))
    return GroupView(attribute, (one,), found, changes, higher)


def _higher(
    comparisons: Sequence[Comparison],
    attribute: Attribute,
    answers: Mapping[str, Text],
    differ: Set[int],
) -> Iterator[Higher]:
    """Yield the groups that are higher than others, an answer at a time.

    ``differ`` has the identities of the pairs that do: there can be thousands of pairs.
    """
    names = {option.id: option.label for option in attribute.options}
    for found in comparisons:
        pairs = [pair for pair in found.pairs if id(pair) in differ]
        ordered = [pair.names if pair.difference.value > 0 else pair.names[::-1] for pair in pairs]
        for name in dict.fromkeys(high for high, _ in ordered):
            lower = tuple(names[low] for high, low in ordered if high == name)
            yield Higher(answers.get(found.answer), names[name], lower)


def _labels(result: QuestionResult) -> dict[str, Text]:
    return {option.id: option.label for option in result.question.options}
