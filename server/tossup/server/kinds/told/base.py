"""What all kinds of questions tell of a slice of reports: lines, each an estimate with its n."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tossup.server.estimation import (
    NumberEstimate,
    PointEstimate,
    SharesCovariance,
    VectorEstimate,
)
from tossup.server.estimation.comparing.change import Measured
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.texts import TextsEstimate
from tossup.server.kinds.told.answer import AnswerEstimate, FoundText, Looks
from tossup.server.kinds.told.finding import Finding, Reproduced
from tossup.server.kinds.told.leading import Leading
from tossup.shared.kinds.number import Grid
from tossup.shared.survey import Question

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class ToldLine:
    """One estimate, as JSON, CSV, pages and the command line show it.

    Attributes
    ----------
    answer
        What it is of: an option's id, a statistic's name, a text.
    figures
        Its figures by their names in JSON, in order; those that are columns of the CSV have the
        same names there. Empty where more reports would tell it, but for saying so.
    label
        What `answer` is called where it does not say it itself.
    """

    answer: str
    figures: Mapping[str, object] = field(default_factory=dict)
    label: str = ""

    def to_json(self) -> Json:
        """Return its figures as plain JSON types."""
        return dict(self.figures)


@dataclass(frozen=True)
class Reports:
    """Reports to one question that are looked at together.

    Attributes
    ----------
    question
        The question they answer.
    counts
        The mechanism's counters: for most, the reports of each value.
    minimum
        The fewest reports that an estimate may rest on.
    confidence
        That of the intervals.
    looks
        Whether intervals of shares hold at one look, or at every look together.
    """

    question: Question
    counts: tuple[int, ...]
    minimum: int
    confidence: float
    looks: Looks = "one"


@dataclass(frozen=True)
class Told(Reports):
    """What some reports to a question tell."""

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """Reports that an estimate rests on: one number for all, or one an option."""
        return self.question.mechanism.reports_behind(self.counts)

    @property
    def suppressed(self) -> bool:
        """Whether there are too few reports to say anything."""
        return max(self.asked) < self.minimum

    @cached_property
    def too_few(self) -> Mapping[str, int]:
        """The options, of several, that too few reports ask, and how many ask them."""
        if len(self.asked) == 1:
            return {}
        options = zip(self.question.answer_ids, self.asked, strict=True)
        return {option: n for option, n in options if n < self.minimum}

    @property
    def lists_counts(self) -> bool:
        """Whether the counters are few enough to be listed, and of enough reports."""
        return not self.suppressed and not self.too_few

    @property
    def lines(self) -> tuple[ToldLine, ...]:
        """The estimates, in order; none when suppressed."""
        return ()

    def lines_of(self, everyone: "Told") -> tuple[ToldLine, ...]:  # noqa: ARG002
        """Return the lines of a group, given what all reports tell: for most the group's own."""
        return self.lines

    @property
    def lines_of_day(self) -> tuple[ToldLine, ...]:
        """The lines of a day's reports: for most the same."""
        return self.lines

    @property
    def estimates(self) -> tuple[AnswerEstimate, ...]:
        """The shares of answers that were listed before; none where none are."""
        return ()

    @property
    def finding(self) -> Finding | None:
        """What a page says first; None where no one estimate stands for the others."""
        return None

    @property
    def reproduced(self) -> Reproduced | None:
        """How to get the finding again, in a paper, in Python and in R; None without a finding."""
        return None

    @property
    def leading(self) -> Leading | None:
        """The largest of these, and how far it is ahead; None for fewer than two."""
        return None

    @property
    def grid(self) -> Grid | None:
        """The numbers that are taken; None where none are."""
        return None

    @property
    def norm(self) -> Fraction | None:
        """The norm of vectors that are taken; None where none are."""
        return None

    @property
    def numbers(self) -> tuple[NumberEstimate, ...]:
        """Statistics of a number; none where no number is told."""
        return ()

    @property
    def histogram(self) -> tuple[PointEstimate, ...]:
        """Shares of the points of a number; none where they are not told."""
        return ()

    @property
    def vector(self) -> VectorEstimate | None:
        """Means of a vector; None where none is told."""
        return None

    @property
    def texts(self) -> TextsEstimate | None:
        """Texts that were found; None where none are looked for, or too few reports tell."""
        return None

    def found_in(self, everyone: "Told") -> tuple[FoundText, ...]:  # noqa: ARG002
        """Return the shares here of the texts that were found in all reports; none elsewhere."""
        return ()

    @property
    def covariance(self) -> SharesCovariance | None:
        """How the errors of the shares go together; None for fewer than two."""
        return None

    @property
    def possible(self) -> tuple[float, ...]:
        """The nearest possible shares, a view; none where the estimates are not such shares."""
        return ()

    @property
    def entries(self) -> tuple[ToldLine, ...]:
        """Lines beside those that all kinds have: entries of a covariance."""
        return ()

    @property
    def compared(self) -> Mapping[str, Json]:
        """What columns of the CSV say of all lines together, by answer, of all reports."""
        return {}

    @property
    def more_lines(self) -> tuple[ToldLine, ...]:
        """What stands in tables of all reports alone, beside `lines`."""
        return ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """What more reports of the kind would tell, by the names of lines."""
        return ()

    def to_json(self) -> Json:
        """Return what a slice has in JSON beside its lines: nothing, for most."""
        return {}

    def more_to_json(self) -> Json:
        """Return what all reports have in JSON beside what every slice has."""
        return {}

    @property
    def measured(self) -> Mapping[str, Measured]:
        """What is followed from wave to wave, by name."""
        return {}

    @property
    def covariance_of_waves(self) -> float:
        """The least covariance of what one person reports in two waves."""
        return 0.0

    @property
    def design_p_value(self) -> float | None:
        """How likely reports this extreme are if every device follows the design.

        None when suppressed.
        """
        return None


def ends(interval: Interval) -> Json:
    """Return an interval as plain JSON types."""
    return {
        "low": interval.low,
        "high": interval.high,
        "confidence": interval.confidence,
        "method": interval.method,
    }


def estimated(estimate: Any) -> Json:
    """Return an estimate's figures as plain JSON types: n, value, error and interval."""
    return {
        "n": estimate.n,
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        **ends(estimate.interval),
    }


def conventions(estimate: Any) -> Json:
    """Return the standard error in both conventions, by name."""
    return {
        "population_standard_error": estimate.standard_error,
        "respondents_standard_error": estimate.respondents_standard_error,
    }
