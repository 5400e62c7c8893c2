"""Results as values: a question's slices, and the estimates of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tossup.server.kinds.told.answer import AnswerEstimate, FoundText, Looks
from tossup.server.kinds.told.base import ToldLine
from tossup.server.results.changes import WaveChange, wave_changes
from tossup.server.results.comparisons import Comparison, compare_groups
from tossup.server.results.filters import Scope
from tossup.server.results.jumps import jump
from tossup.server.results.slices import Slice
from tossup.server.results.wordings import Wording
from tossup.shared.survey import WAVE, Attribute, Question, Survey, Text
from tossup.shared.waves import Waves

#: Under this probability the reports are called hard to explain by chance.
DESIGN_ALARM = 0.01


@dataclass(frozen=True)
class QuestionResult:
    """What a survey's reports say about one question.

    Attributes
    ----------
    question
        Its newest wording. Versions with the same answers and mechanism are pooled.
    versions
        Versions of the manifest whose reports are counted here.
    total
        All reports that the filters admit.
    days
        A slice a day with reports, oldest first.
    groups
        A slice an option of every public attribute.
    waves
        For a survey that asks again, its waves. Then `total`, `days` and `groups` are of one
        wave, but for the groups by wave.
    overlap
        How likely a device that tosses in one wave tosses in another, by all its versions.
    wordings
        The words that its reports were given to, the newest first, with their days; in a survey
        with waves those of all waves.
    """

    question: Question
    versions: tuple[int, ...]
    total: Slice
    days: tuple[Slice, ...]
    groups: tuple[Slice, ...]
    waves: Waves | None = None
    overlap: Fraction = Fraction(0)
    wordings: tuple[Wording, ...] = ()

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.total.n

    @property
    def suppressed(self) -> bool:
        """Whether there are too few reports to say anything."""
        return self.total.suppressed

    @property
    def minimum(self) -> int:
        """The fewest reports that an estimate may rest on."""
        return self.total.minimum

    @property
    def estimates(self) -> tuple[AnswerEstimate, ...]:
        """The estimates from all reports: one an option; for yes/no only that of yes."""
        return self.total.estimates

    @property
    def slices(self) -> tuple[Slice, ...]:
        """All slices: the total, the days, the groups."""
        return (self.total, *self.days, *self.groups)

    @cached_property
    def jump(self) -> Slice | None:
        """The latest day with far more reports than any day before it; None if there is none."""
        return jump(self.days)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The groups of every public attribute, compared; none for numbers, and not waves.

        Waves are no groups of different people; see `changes`.
        """
        groups = [part for part in self.groups if part.attribute != WAVE]
        return compare_groups(groups, self.total.confidence)

    @cached_property
    def changes(self) -> tuple[WaveChange, ...]:
        """The change from each wave with enough reports to the next such; none without waves."""
        if self.waves is None:
            return ()
        parts = [part for part in self.groups if part.attribute == WAVE and part.n]
        return wave_changes(parts, self.overlap)

    def by_option(self, attribute: Attribute) -> Iterator[tuple[Text, Slice]]:
        """Yield the groups of a public attribute, with their labels.

        Of waves from the first to the last with reports: one between them without any is a gap.
        """
        parts = {part.option: part for part in self.groups if part.attribute == attribute.id}
        options = attribute.options
        if attribute.id == WAVE:
            came = [place for place, option in enumerate(options) if parts[option.id].n]
            options = options[came[0] : came[-1] + 1] if came else ()
        for option in options:
            yield option.label, parts[option.id]

    def changes_by(self, attribute: Attribute) -> tuple[WaveChange, ...]:
        """Return the changes between the groups of an attribute: of waves, and of no other."""
        return self.changes if attribute.id == WAVE else ()

    def lines(self, part: Slice) -> tuple[ToldLine, ...]:
        """Return the lines of a slice: of a day none that are found in all reports alone."""
        return part.told.lines_of(self.total.told) if part.day is None else part.told.lines_of_day

    def texts(self, part: Slice) -> tuple[FoundText, ...]:
        """Return the texts found in all reports with their shares in a slice; none for days."""
        return () if part.day is not None else part.told.found_in(self.total.told)

    @property
    def design_p_value(self) -> float | None:
        """How likely reports this extreme are if every device follows the design.

        None when suppressed.
        """
        return self.total.told.design_p_value

    @property
    def possible_under_design(self) -> bool | None:
        """Whether chance may explain the reports; None when there are too few to say."""
        return None if self.design_p_value is None else self.design_p_value >= DESIGN_ALARM


@dataclass(frozen=True)
class Results:
    """What a survey's reports say, question by question.

    Attributes
    ----------
    survey
        Its current version.
    state
        ``"open"``, ``"closed"`` or ``"not-open"``.
    attributes
        The public attributes of all versions, newest wording first.
    scope
        The filters.
    questions
        The current questions in order, then those of older versions that differ.
    wave
        In a survey with waves, the one that totals, days and groups are of; None without reports.
    wordings
        Those of the title, the purpose and each public attribute, by `TITLE`, `PURPOSE` and the
        attribute's id.
    """

    survey: Survey
    state: str
    attributes: tuple[Attribute, ...]
    scope: Scope
    questions: tuple[QuestionResult, ...]
    wave: str | None = None
    wordings: Mapping[str, tuple[Wording, ...]] = field(default_factory=dict)

    @property
    def confidence(self) -> float:
        """The confidence of every interval, each on its own."""
        return self.scope.confidence

    @property
    def looks(self) -> Looks:
        """Whether intervals of shares hold at one look, or at every look together."""
        return self.scope.looks

    def question(self, question_id: str) -> QuestionResult:
        """Return the newest result of the question with this id.

        Raises
        ------
        KeyError
            If the survey never asked it.
        """
        return next(iter(self._by_id[question_id]))

    @cached_property
    def _by_id(self) -> Mapping[str, list[QuestionResult]]:
        by_id: dict[str, list[QuestionResult]] = {}
        for result in self.questions:
            by_id.setdefault(result.question.id, []).append(result)
        return by_id
