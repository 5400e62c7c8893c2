"""Answers to two questions together: for surveys whose answers travel together.

Stage: stored reports to page. Tallies hold each question by itself, so a joint table is counted
from the stored reports, whose retention it needs.

As JSON a joint table has ``v`` (1), ``survey``, ``questions`` (two ids), ``languages``,
``codebook`` (of each question ``id``, ``text`` and ``answers`` [{``id``, ``label``}], labels null
for yes and no, texts by language), ``n``, ``minimum``, ``suppressed``, ``confidence``, ``warning``
(or null), ``wordings`` (those of either question, as in results), and, unless suppressed,
``cells``: for every
pair of answers ``answers``, ``n``, ``value`` (the raw share of both), ``standard_error``, ``low``,
``high``, ``confidence``, ``method``, ``shown_value`` (the likeliest possible share: a view);
``conditional``: for every pair ``given`` (an answer to the first question), ``answer`` (to the
second), ``n``, ``value``, ``low``, ``high`` (null where unbounded), ``confidence``, ``method``;
``independence`` {``method``, ``statistic``, ``df``, ``p_value``}; and for two yes/no questions
``phi`` and ``odds_ratio``, each {``n``, ``value``, ``low``, ``high``, ``confidence``, ``method``}
or null where the raw cells give none.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, isfinite
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation import (
    Association,
    Conditional,
    EstimationError,
    Interval,
    JointEstimate,
    Significance,
    estimate_joint,
    independence,
    odds_ratio,
    phi,
    tabulate,
)
from tossup.server.ingest.packing import Reports
from tossup.server.results.filters import FilterError, Scope
from tossup.server.results.minimum import joint_minimum
from tossup.server.results.wordings import Came, Said, Wording, wording_to_json, wordings
from tossup.shared.survey import WAVE, Question, Survey

Told = TypeVar("Told")

#: Larger tables have more cells than a survey's reports can tell.
MOST_ANSWERS: Final = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """One pair of answers: the raw share of both, and the likeliest possible one.

    Attributes
    ----------
    answers
        The answer to the first question, and to the second.
    value, standard_error, interval, n
        The raw share; method ``"score"``.
    shown
        A view within [0, 1], for reading only.
    """

    answers: tuple[str, str]
    value: float
    standard_error: float
    interval: Interval
    n: int
    shown: float


@dataclass(frozen=True)
class JointResult:
    """What the reports say about two questions together.

    Attributes
    ----------
    questions
        The two.
    counts
        Reports of each pair: ``counts[first][second]``.
    minimum
        The fewest reports of which a table is made.
    confidence
        That of every interval, each on its own.
    wordings
        Those of either question that the reports were given to, the newest first.
    pairs
        How many pairs of the survey's questions have such a table.
    """

    questions: tuple[Question, Question]
    counts: NDArray[np.int64]
    minimum: int
    confidence: float
    wordings: tuple[tuple[Wording, ...], tuple[Wording, ...]] = ((), ())
    pairs: int = 1

    @property
    def n(self) -> int:
        """Respondents whose reports are counted."""
        return int(self.counts.sum())

    @property
    def suppressed(self) -> bool:
        """Whether there are too few reports to say anything."""
        return self.n < self.minimum

    @cached_property
    def table(self) -> JointEstimate:
        """The estimate; only where it is not suppressed."""
        return estimate_joint(self.counts, [q.mechanism for q in self.questions])

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every pair of answers, the second question's changing fastest; none if suppressed."""
        return () if self.suppressed else tuple(self._cells())

    @property
    def independence(self) -> Significance | None:
        """The test whether the answers are independent; None if it cannot be made."""
        return self._told(independence)

    @property
    def phi(self) -> Association | None:
        """The correlation of two yes/no answers; None for others, or where there is none."""
        return self._told(lambda table: phi(table, self.confidence))

    @property
    def odds_ratio(self) -> Association | None:
        """The odds ratio of two yes/no answers; None for others, or where there is none."""
        return self._told(lambda table: odds_ratio(table, self.confidence))

    def conditional(self, answer: int, given: int) -> Conditional:
        """Return the share of an answer to the second question among those with one to the first.

        By their places; see `JointEstimate.conditional`.
        """
        return self.table.conditional(answer, given)

    def _cells(self) -> Iterator[Cell]:
        intervals, shown = iter(self.table.intervals(self.confidence)), self.table.shown
        first, second = self.questions
        for row, answer in enumerate(first.answer_ids):
            for column, other in enumerate(second.answer_ids):
                value = float(self.table.cells[row, column])
                error = float(self.table.standard_errors()[row, column])
                view = float(shown[row, column])
                yield Cell((answer, other), value, error, next(intervals), self.n, view)

    def _told(self, measure: Callable[[JointEstimate], Told]) -> Told | None:
        if self.suppressed:
            return None
        try:
            return measure(self.table)
        except EstimationError:
            return None


def joint_result(
    survey: Survey, names: Sequence[str], reports: Iterable[Reports], scope: Scope
) -> JointResult:
    """Count the reports to two questions together.

    Parameters
    ----------
    survey
        The current version. Reports to others count where both questions have the same answers
        and mechanism.
    names
        The ids of the two questions.
    reports
        All stored ones.
    scope
        Days, public attributes and confidence, checked against the survey.

    Raises
    ------
    FilterError
        If the survey's answers do not travel together, there is no joint table of these
        questions, or several waves may hold the same people.
    """
    refuse_several_waves(survey, scope)
    questions = _questions(survey, names)
    sizes = [question.mechanism.reports for question in questions]
    counts = np.zeros(sizes, dtype=np.int64)
    versions: dict[int, Survey] = {}
    came: dict[int, list[Came]] = {}
    for group in reports:
        columns = _columns(group, questions)
        if columns:
            refuse_several_waves(group.survey, scope)
            kept = _admitted(group, scope)
            counts += tabulate([column[kept] for column in columns], sizes)
            if kept.any():
                versions[group.survey.version] = group.survey
                day = Came(group.day, group.day, int(kept.sum()))
                came.setdefault(group.survey.version, []).append(day)
    first, second = (_wordings(question.id, versions, came) for question in questions)
    minimum = joint_minimum(questions, survey)
    pairs = comb(sum(map(is_tabled, survey.questions)), 2)
    return JointResult(questions, counts, minimum, scope.confidence, (first, second), pairs)


def _wordings(
    name: str, versions: Mapping[int, Survey], came: Mapping[int, Sequence[Came]]
) -> tuple[Wording, ...]:
    asked = ((survey, survey.question(name)) for survey in versions.values())
    said = (Said(survey, name, own.text, own.options) for survey, own in asked)
    return wordings(said, came)


def refuse_several_waves(survey: Survey, scope: Scope) -> None:
    """Refuse a table in which one device may stand several times.

    Raises
    ------
    FilterError
        If a device may answer several waves, and the scope is not one of them.
    """
    if survey.waves is not None and survey.waves.times != 1 and WAVE not in scope.where:
        raise FilterError(
            "a device may have answered several waves; look at one, such as where.wave=1"
        )


def is_tabled(question: Question) -> bool:
    """Return whether joint tables can be made of a question."""
    mechanism = question.mechanism
    return (
        not question.domain.field
        and mechanism.has_table
        and mechanism.reports == mechanism.answers <= MOST_ANSWERS
    )


def joint_to_json(survey: Survey, found: JointResult) -> dict[str, object]:
    """Return a joint table as plain JSON types, as this module's text describes."""
    return {
        "v": 1,
        "survey": survey.id,
        "questions": [question.id for question in found.questions],
        "languages": list(survey.languages),
        "codebook": [_codebook(question) for question in found.questions],
        "n": found.n,
        "minimum": found.minimum,
        "suppressed": found.suppressed,
        "confidence": found.confidence,
        "wordings": [
            [wording_to_json(wording, "answers") for wording in each] for each in found.wordings
        ],
        "warning": None if found.suppressed else found.table.warning,
        "cells": [_cell_to_json(cell) for cell in found.cells],
        "conditional": list(_conditionals(found)),
        "independence": _test_to_json(found.independence),
        "phi": _association_to_json(found.phi),
        "odds_ratio": _association_to_json(found.odds_ratio),
    }


def _codebook(question: Question) -> dict[str, object]:
    """Return what a question and its answers are called; yes and no are called so."""
    labels = {option.id: dict(option.label) for option in question.options}
    answers = [{"id": answer, "label": labels.get(answer)} for answer in question.answer_ids]
    return {"id": question.id, "text": dict(question.text), "answers": answers}


def _questions(survey: Survey, names: Sequence[str]) -> tuple[Question, Question]:
    if survey.linkage != "joint":
        raise FilterError(
            "the answers of this survey travel apart (linkage none), so that nobody can put them"
            " together; a joint table needs a survey with linkage joint"
        )
    known = {question.id: question for question in survey.questions if is_tabled(question)}
    if len(known) < 2:
        raise FilterError(
            "a joint table is of two questions that are yes/no, or one of at most"
            f" {MOST_ANSWERS} options with reports that name one of them; this survey has"
            f" {', '.join(known) or 'none'}"
        )
    if len(names) != 2 or len(set(names)) != 2 or not all(name in known for name in names):
        raise FilterError(
            f"questions are two of {', '.join(known)}: yes/no, or one of at most {MOST_ANSWERS}"
            " options with reports that name one of them"
        )
    first, second = (known[name] for name in names)
    return first, second


def _columns(reports: Reports, questions: Sequence[Question]) -> list[NDArray[np.uint8]]:
    """Return the columns of the questions; none if these reports answer others."""
    own = {question.id: place for place, question in enumerate(reports.questions)}
    places = [own.get(question.id) for question in questions]
    columns = []
    for question, place in zip(questions, places, strict=True):
        if place is None:
            return []
        asked = reports.questions[place]
        if (asked.answer_ids, asked.mechanism) != (question.answer_ids, question.mechanism):
            return []
        columns.append(reports.values[place])
    return columns


def _admitted(reports: Reports, scope: Scope) -> NDArray[np.bool_]:
    """Return which reports the scope admits, by their day and public attributes."""
    kept = np.full(len(reports.ids), scope.admits(reports.day, scope.where))
    for attribute, indexes in zip(reports.survey.attributes, reports.attributes, strict=True):
        if attribute.id in scope.where:
            ids = [option.id for option in attribute.options]
            wanted = scope.where[attribute.id]
            kept &= indexes == ids.index(wanted) if wanted in ids else np.zeros_like(kept)
    asked = {attribute.id for attribute in reports.survey.attributes}
    return kept if asked.issuperset(scope.where) else np.zeros_like(kept)


def _cell_to_json(cell: Cell) -> dict[str, object]:
    return {
        "answers": list(cell.answers),
        "n": cell.n,
        "value": cell.value,
        "standard_error": cell.standard_error,
        **_interval(cell.interval),
        "shown_value": cell.shown,
    }


def _conditionals(found: JointResult) -> Iterator[dict[str, object]]:
    if found.suppressed:
        return
    first, second = found.questions
    for given, condition in enumerate(first.answer_ids):
        for place, answer in enumerate(second.answer_ids):
            share = found.conditional(place, given)
            value = share.value if share.base else None
            interval = _interval(share.interval(found.confidence))
            yield {"given": condition, "answer": answer, "n": found.n, "value": value, **interval}


def _association_to_json(found: Association | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {"n": found.n, "value": found.value, **_interval(found.interval)}


def _test_to_json(test: Significance | None) -> dict[str, object] | None:
    if test is None:
        return None
    return {
        "method": test.method,
        "statistic": test.statistic,
        "df": test.df,
        "p_value": test.p_value,
    }


def _interval(interval: Interval) -> dict[str, object]:
    """Return an interval; null for an end that nothing bounds."""
    return {
        "low": interval.low if isfinite(interval.low) else None,
        "high": interval.high if isfinite(interval.high) else None,
        "confidence": interval.confidence,
        "method": interval.method,
    }
