"""A server's results as estimates: what it counted of a survey, its questions, days and groups.

Stage: results in JSON to a notebook. Everything is estimated again, from the counts and the exact
design that the results carry, so that it can be compared, weighed and computed with further.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.joint.tables import JointEstimate, estimate_joint
from tossup.server.estimation.numbers.statistics import NumberEstimate, estimate_numbers
from tossup.server.estimation.shares.answer_share import AnswerShare
from tossup.server.estimation.shares.answers import estimate_answers
from tossup.server.estimation.shares.several import SeveralEstimate, estimate_several
from tossup.server.estimation.shares.shares import SharesEstimate, estimate_shares
from tossup.server.estimation.shares.statements import StatementsEstimate, estimate_statements
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result, Results
from tossup.server.estimation.telling.wording import plain_name
from tossup.server.estimation.vectors.moments import VectorEstimate, estimate_vector
from tossup.shared.mechanisms import (
    Mechanism,
)
from tossup.shared.survey import YES, Question

#: What the counts of one question tell, as one object.
Told = (
    AnswerShare
    | SharesEstimate
    | SeveralEstimate
    | StatementsEstimate
    | VectorEstimate
    | tuple[AnswerShare, ...]
    | tuple[NumberEstimate, ...]
)


@dataclass(frozen=True, eq=False)
class PublishedSlice(Result):
    """What a server counted of one question: of all reports, of a day, or of a group.

    Attributes
    ----------
    name
        What it is called in tables: the question's text, or the day's, or the group's label.
    question
        The question, with its mechanism; labels and ids are its options'.
    counts
        The mechanism's tally; None where there are too few reports, or too many kinds of them.
    n, minimum
        Number of reports, and from how many on there is an estimate.
    given
        The estimates as the server gave them.
    language
        Of labels.
    """

    name: str
    question: Question = field(repr=False)
    counts: tuple[int, ...] | None
    n: int
    minimum: int
    given: tuple[Mapping[str, Any], ...] = field(repr=False)
    language: str = field(repr=False)

    @property
    def mechanism(self) -> Mechanism:
        """The design by which reports came from answers."""
        return self.question.mechanism

    @property
    def suppressed(self) -> bool:
        """Whether there are too few reports for an estimate."""
        return self.counts is None and not self.given

    @property
    def is_one_number(self) -> bool:
        """Whether it is a share of yes: of several answers, any may be told alone."""
        return self.question.is_yes_no

    @property
    def labels(self) -> tuple[str, ...]:
        """What the answers are called, in the order of their ids (`Question.answer_ids`)."""
        options = self.question.options
        known = tuple(option.label.get(self.language, option.id) for option in options)
        return known or self.question.answer_ids

    @cached_property
    def estimate(self) -> Told:
        """What the reports tell, as `tossup.server.estimation` has it.

        For yes/no the share of yes; for one of several options `SharesEstimate`, or the shares
        one by one where a report says something about every answer; for several options
        `SeveralEstimate` or `StatementsEstimate`; for numbers their statistics; for a vector
        `VectorEstimate`.

        Raises
        ------
        EstimationError
            If there are too few reports, or the question is about a text, whose counts are too many
            to export, or about options some of which too few reports ask; `lines` has what the
            server found.
        """
        if self.suppressed:
            raise EstimationError(
                f"{self.name}: too few reports to say anything, {self.n} of {self.minimum}"
            )
        if self.counts is None:
            raise EstimationError(
                f"{self.name}: counts of {self._uncounted} are not exported; `lines` has what was"
                " found"
            )
        return self._told(self.counts, 0.95)

    @property
    def _uncounted(self) -> str:
        """What the server gives no counts of."""
        is_text = any("text" in one for one in self.given)
        return "texts" if is_text else "options some of which too few reports ask"

    def _told(self, counts: tuple[int, ...], confidence: float) -> Told:
        domain: Any = self.question.domain
        mechanism: Any = self.mechanism
        if mechanism.answer_kind == "number":
            shown = {one.get("statistic") for one in self.given}  # without what says nothing
            found = estimate_numbers(counts, mechanism, domain, confidence)
            return tuple(number for number in found if number.statistic in shown)
        if mechanism.answer_kind == "vector":
            return estimate_vector(counts, mechanism, domain, confidence)
        if mechanism.readout == "asked":
            return estimate_several(counts, mechanism)
        if mechanism.readout == "samples":
            return estimate_statements(counts, mechanism)
        if mechanism.readout == "named" and not self.question.is_yes_no:
            return estimate_shares(counts, mechanism)
        shares = estimate_answers(counts, mechanism)
        return shares[YES] if self.question.is_yes_no else shares

    @property
    def shares(self) -> dict[str, AnswerShare]:
        """The share of every answer by its id (of an order its mean points); none for others.

        Answers that no report asks are left out.
        """
        told = None if self.counts is None else self.estimate
        match told:
            case SharesEstimate() | SeveralEstimate():
                found: tuple[Any, ...] = told.options
            case StatementsEstimate():
                found = told.statements
            case tuple():
                found = told
            case VectorEstimate() | None:
                found = ()
            case _:
                return {self.question.answer_ids[YES]: told}
        pairs = zip(self.question.answer_ids, found, strict=False)
        return {answer: share for answer, share in pairs if share is not None}

    @property
    def title(self) -> str:
        """What it is of."""
        return self.name

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        if self.counts is None:
            return f"Shares of {self._uncounted} are those that the server found."
        told = self.estimate
        if isinstance(told, Result):
            return told.procedure
        first = told[0] if isinstance(told, tuple) and told else None
        if isinstance(first, Result):
            return first.procedure
        return (
            f"Answers were randomized ({plain_name(self.mechanism.name)}); each estimate is the"
            " average of what the reports count for, unbiased for every answer."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return what is told, under the labels of answers; nothing from too few reports."""
        return () if self.suppressed else tuple(self._lines(confidence))

    def _lines(self, confidence: float) -> Iterator[Line]:
        if self.counts is None:
            yield from (_line_as_given(one, self._named(one)) for one in self.given)
            return
        labels = self._labels
        if self.question.domain.field and not self.shares:
            yield from self._statistics(confidence, labels)
            return
        shown = {one.get("answer") for one in self.given}  # each rests on enough reports
        for answer, share in self.shares.items():
            if answer not in shown:
                continue
            interval = share.interval(confidence, share.usual)
            yield Line(
                labels[answer], share.value, share.standard_error, interval, share.n, is_share=True
            )

    @property
    def _labels(self) -> dict[str, str]:
        return dict(zip(self.question.answer_ids, self.labels, strict=True))

    def _named(self, given: Mapping[str, Any]) -> str:
        """Return what an estimate is of that the server gave: an answer, or a text."""
        if "answer" in given:
            return self._labels[given["answer"]]
        return str(given["text"] or "(another text)")

    def _statistics(self, confidence: float, labels: Mapping[str, str]) -> Iterator[Line]:
        told = self._told(self.counts or (), confidence)
        if isinstance(told, VectorEstimate):
            for mean in told.means:
                name = labels.get(mean.names[0], mean.names[0])
                yield Line(name, mean.value, mean.standard_error, mean.interval, mean.n)
            return
        for number in told if isinstance(told, tuple) else ():
            if isinstance(number, NumberEstimate):
                yield Line(
                    number.statistic, number.value, number.standard_error, number.interval, number.n
                )


@dataclass(frozen=True, eq=False)
class PublishedQuestion(PublishedSlice):
    """What a server counted of one question, of all reports, by day and by group.

    Attributes
    ----------
    versions
        The survey's versions whose reports are counted here.
    days
        By day.
    groups
        By a public attribute's id, then its option's id (in a survey with waves also by ``wave``).
    """

    versions: tuple[int, ...] = ()
    days: Mapping[date, PublishedSlice] = field(default_factory=dict, repr=False)
    groups: Mapping[str, Mapping[str, PublishedSlice]] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, eq=False)
class Published(Results):
    """A survey's results: its questions in order, or one by its id.

    Attributes
    ----------
    survey
        The codebook as the server gave it.
    rows
        Joint reports, a mapping a row, of a survey with joint linkage that was fetched with a
        key: ``version``, ``attribute_ID``, ``report_ID`` and ``count``, as integers but for
        attributes. Empty for others.
    """

    survey: Mapping[str, Any] = field(default_factory=dict, repr=False)
    rows: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)

    def __getitem__(self, place: Any) -> Any:
        """Return a question by its id (the newest of several designs) or place, or a slice."""
        if not isinstance(place, str):
            return super().__getitem__(place)
        for question in self.questions:
            if question.question.id == place:
                return question
        known = ", ".join(dict.fromkeys(one.question.id for one in self.questions))
        raise EstimationError(f"the survey has no question {place!r}; it has {known}")

    @property
    def questions(self) -> tuple[PublishedQuestion, ...]:
        """All questions; one that was asked by several designs is there once for each."""
        return tuple(one for one in self.results if isinstance(one, PublishedQuestion))

    @property
    def title(self) -> str:
        """The survey's title."""
        title = self.survey.get("title", {})
        return str(next(iter(title.values()), self.survey.get("id", "")))

    @property
    def procedure(self) -> str:
        """Each different procedure once, of the questions that tell something."""
        told = (one.procedure for one in self.results if one.lines())
        return " ".join(dict.fromkeys(told)) or "There are too few reports for an estimate."

    def joint(self, *names: str) -> JointEstimate:
        """Return the shares of all combinations of answers to questions, by their ids.

        Raises
        ------
        EstimationError
            If there are no joint rows, or a question's reports fit no table.
        """
        questions = [self[name] for name in names]
        if not self.rows:
            raise EstimationError(
                "there are no joint rows: the survey's linkage is none, or they were fetched"
                " without a key"
            )
        designs = [question.mechanism for question in questions]
        counts: dict[tuple[Any, ...], int] = {}
        for row in self.rows:
            place = tuple(row.get(f"report_{name}") for name in names)
            asked = all(row["version"] in question.versions for question in questions)
            if asked and None not in place:
                counts[place] = counts.get(place, 0) + row["count"]
        table = np.zeros([design.reports for design in designs], dtype=np.int64)
        for place, count in counts.items():
            table[place] = count
        labels = tuple(question.labels for question in questions)
        return replace(estimate_joint(table, designs), labels=labels)


def _line_as_given(given: Mapping[str, Any], name: str) -> Line:
    interval = Interval(given["low"], given["high"], given["confidence"], given["method"])
    return Line(name, given["value"], given["standard_error"], interval, given["n"], is_share=True)
