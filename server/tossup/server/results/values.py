"""Results as values: a question's slices, and the estimates of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from math import inf

from tossup.server.estimation import (
    AnswerShare,
    EstimationError,
    Forged,
    Interval,
    NumberEstimate,
    PointEstimate,
    SharesCovariance,
    Shown,
    Supposed,
    VectorEstimate,
    anytime_interval,
    design_p_value,
    distribution_view,
    estimate_answers,
    estimate_histogram,
    estimate_numbers,
    estimate_several,
    estimate_vector,
    forged_intervals,
    if_some_deny,
    norm_sub,
    shares_covariance,
    vector_p_value,
)
from tossup.server.estimation.numbers.statistics import MOST_CELLS, Statistic, statistics_of
from tossup.server.estimation.shares.statements import sizes
from tossup.server.estimation.texts import TextsEstimate
from tossup.server.results.changes import WaveChange, wave_changes
from tossup.server.results.comparisons import Comparison, compare_groups
from tossup.server.results.filters import Looks, Scope
from tossup.server.results.jumps import jump
from tossup.server.results.leading import Leading, leading
from tossup.server.results.texts import FoundText, found_texts_in, named, texts_in
from tossup.server.results.wordings import Wording
from tossup.server.store.tally import add
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import (
    FrequencyOracle,
    GridMechanism,
    KaryRandomizedResponse,
    Mechanism,
    SeveralMechanism,
    UnrelatedQuestion,
    VectorMechanism,
)
from tossup.shared.survey import YES, Attribute, Question, Survey
from tossup.shared.waves import WAVE, Waves

#: Under this probability the reports are called hard to explain by chance.
DESIGN_ALARM = 0.01


@dataclass(frozen=True)
class AnswerEstimate:
    """The estimated share of one answer, always with its interval and n.

    Attributes
    ----------
    answer
        The answer's id.
    share
        The estimate itself.
    confidence
        That of both intervals.
    looks
        Whether they hold at one look fixed beforehand, or at every look together.
    """

    answer: str
    share: AnswerShare
    confidence: float
    looks: Looks = "one"

    @property
    def value(self) -> float:
        """The raw estimate, negative ones included."""
        return self.share.value

    @property
    def standard_error(self) -> float:
        """The estimate's standard error, for the population."""
        return self.share.standard_error

    @property
    def respondents_standard_error(self) -> float:
        """The estimate's standard error over the coins alone, for these respondents."""
        return self.share.respondents_standard_error

    @property
    def n(self) -> int:
        """Reports the estimate rests on."""
        return self.share.n

    @property
    def reports(self) -> int | None:
        """Reports among them that name this answer; None where reports name none."""
        return self.share.named

    @cached_property
    def interval(self) -> Interval:
        """The interval of the raw estimate: the usual one, or the one safe to peek at."""
        return self.shared_interval(among=1)

    def shared_interval(self, *, among: int) -> Interval:
        """Return one of ``among`` intervals that hold together (Bonferroni)."""
        if self.looks == "one":
            return self.share.shared_interval(self.confidence, self.share.usual, among=among)
        single = anytime_interval(self.share, 1 - (1 - self.confidence) / among)
        return replace(single, confidence=self.confidence, intervals=among)

    @cached_property
    def shown(self) -> Shown:
        """The estimate and interval for words and charts, within [0, 1]."""
        shown = self.share.shown_at(self.confidence)
        if self.looks == "one":
            return shown
        low, high = (min(max(end, 0.0), 1.0) for end in (self.interval.low, self.interval.high))
        return replace(shown, interval=replace(self.interval, low=low, high=high))

    @cached_property
    def forged(self) -> tuple[Forged, ...]:
        """The interval of the honest share, for a slider's worth of shares of forged reports."""
        return forged_intervals(self.share, confidence=self.confidence, method=self.share.usual)

    @cached_property
    def denied(self) -> tuple[Supposed, ...]:
        """The share, should so many of those with this answer give another one instead."""
        return if_some_deny(self.share, confidence=self.confidence, method=self.share.usual)


@dataclass(frozen=True)
class Slice:
    """The reports to one question that results look at together.

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
    day
        The day they arrived, for a slice of one day.
    attribute, option
        The public attribute and the option they share, for a slice of one group.
    looks
        Whether intervals of shares hold at one look, or at every look together.
    """

    question: Question
    counts: tuple[int, ...]
    minimum: int
    confidence: float
    day: date | None = None
    attribute: str | None = None
    option: str | None = None
    looks: Looks = "one"

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.question.mechanism.reports_counted(self.counts)

    @cached_property
    def behind(self) -> int:
        """The most reports that one of the estimates rests on: `n`, unless a report tells a part.

        Where a report asks some of several options, those that ask one; of texts, those of the
        last level; of two statements, as many as equal samples would need.
        """
        return max(self.question.mechanism.reports_behind(self.counts))

    @property
    def suppressed(self) -> bool:
        """Whether there are too few reports to say anything."""
        return self.behind < self.minimum

    @cached_property
    def too_few(self) -> Mapping[str, int]:
        """The options, of several, that too few reports ask, and how many ask them."""
        asked = self.question.mechanism.reports_behind(self.counts)
        if len(asked) == 1:
            return {}
        options = zip(self.question.answer_ids, asked, strict=True)
        return {option: n for option, n in options if n < self.minimum}

    @cached_property
    def estimates(self) -> tuple[AnswerEstimate, ...]:
        """One estimate an option; for yes/no only that of yes. None for numbers or suppressed.

        Of several options none for one that too few reports ask. Of options that are ordered the
        mean points, as `RankedChoice.points` counts them.
        """
        if self.suppressed:
            return ()
        answers = tuple(zip(self.question.answer_ids, self._shares, strict=False))
        return tuple(
            AnswerEstimate(answer, share, self.confidence, self.looks)
            for answer, share in (answers[YES:] if self.question.is_yes_no else answers)
            if share is not None and answer not in self.too_few
        )

    @property
    def _shares(self) -> Sequence[AnswerShare | None]:
        """The share of each answer, where reports name answers."""
        mechanism = self.question.mechanism
        if isinstance(mechanism, SeveralMechanism):
            return estimate_several(self.counts, mechanism).options
        if isinstance(mechanism, UnrelatedQuestion):
            return () if 0 in sizes(self.counts) else estimate_answers(self.counts, mechanism)
        if self.question.kind not in {"yes_no", "choice", "ranking"}:
            return ()
        return estimate_answers(self.counts, mechanism)

    @cached_property
    def covariance(self) -> SharesCovariance | None:
        """How the errors of the estimates go together; None for fewer than two estimates."""
        if len(self.estimates) < 2:
            return None
        found = shares_covariance(self.counts, self.question.mechanism)
        if not self.too_few:
            return found
        asked = zip(self.question.answer_ids, self._shares, strict=True)
        told = [answer not in self.too_few for answer, share in asked if share is not None]
        return found.among([place for place, is_told in enumerate(told) if is_told])

    @cached_property
    def leading(self) -> Leading | None:
        """The largest estimate and how far it is ahead; None for fewer than two estimates.

        None, too, where too few reports tell of some option: it may be larger than all others.
        """
        if self.too_few:
            return None
        covariance = self.covariance
        population = covariance.population if covariance else None
        return leading(self.estimates, population, _one_report(self.question.mechanism, self.n))

    @cached_property
    def possible(self) -> tuple[float, ...]:
        """For one of several options the nearest possible shares: a view, not an estimate.

        None for yes/no, of which `AnswerEstimate.shown` is that view, and where estimates are not
        shares that sum to 1.
        """
        if len(self.estimates) < 2 or self.question.domain.field:
            return ()
        return norm_sub([estimate.value for estimate in self.estimates])

    @cached_property
    def numbers(self) -> tuple[NumberEstimate, ...]:
        """For a number its mean and what else its reports tell.

        Without what says nothing: see `not_told_yet`. None when suppressed, and for a design whose
        reports tell no mean, kept from before such were refused: one question must not keep the
        others from being shown.
        """
        grid, mechanism = self.question.grid, self.question.mechanism
        if self.suppressed or grid is None or not isinstance(mechanism, GridMechanism):
            return ()
        try:
            found = estimate_numbers(self.counts, mechanism, grid, self.confidence)
        except EstimationError:
            return ()
        wide = float(grid.high - grid.low)
        possible = {"mean": inf, "variance": wide**2 / 4}  # half of all answers at either bound
        return tuple(
            number
            for number in found
            if _says_something(number.interval, possible.get(number.statistic, wide) / 2)
        )

    @cached_property
    def not_told_yet(self) -> tuple[Statistic, ...]:
        """For a number what its reports would tell if there were more of them.

        A quartile or a variance whose interval is wider than half of all that is possible: the
        point that would be named is drawn by the coins.
        """
        mechanism = self.question.mechanism
        if not self.numbers or not isinstance(mechanism, GridMechanism):
            return ()
        told = {number.statistic for number in self.numbers}
        return tuple(each for each in statistics_of(mechanism) if each not in told)

    @cached_property
    def vector(self) -> VectorEstimate | None:
        """For a vector the means of its components, and their covariance if products are asked.

        None when suppressed.
        """
        vector, mechanism = self.question.domain, self.question.mechanism
        if self.suppressed or not isinstance(vector, VectorAnswer):
            return None
        if not isinstance(mechanism, VectorMechanism):
            return None
        return estimate_vector(self.counts, mechanism, vector, self.confidence)

    @cached_property
    def histogram(self) -> tuple[PointEstimate, ...]:
        """For a number the raw share of every point whose interval is below 100 points wide.

        None where reports do not tell them.
        """
        grid, mechanism = self.question.grid, self.question.mechanism
        if not self.numbers or grid is None or not isinstance(mechanism, GridMechanism):
            return ()
        try:
            found = estimate_histogram(self.counts, mechanism, grid, self.confidence)
        except EstimationError:
            return ()
        return tuple(point for point in found if point.interval.high - point.interval.low < 1)

    @cached_property
    def distribution(self) -> tuple[float, ...]:
        """For a number the likeliest share of every point: a view, smoothed, not an estimate.

        None when suppressed, where reports tell a mean only, and for tables above 2**18 cells.
        """
        mechanism = self.question.mechanism
        if not self.numbers or not isinstance(mechanism, GridMechanism):
            return ()
        if mechanism.answers * mechanism.reports > MOST_CELLS or not mechanism.tells_distribution:
            return ()
        return distribution_view(self.counts, mechanism, smooth=True)

    @cached_property
    def texts(self) -> TextsEstimate | None:
        """For a text which are common, of these reports alone; None when suppressed."""
        return None if self.suppressed else texts_in(self.question, self.counts, self.confidence)


def _says_something(interval: Interval, widest: float) -> bool:
    """Return whether an interval is no wider than it may be."""
    return interval.high - interval.low <= widest


def _one_report(mechanism: Mechanism, n: int) -> float:
    """Return what one report that names an option, or not, counts for in its share; 0 elsewhere."""
    if not n or not isinstance(mechanism, FrequencyOracle | KaryRandomizedResponse):
        return 0.0
    without, with_it = mechanism.rates
    return float(1 / (n * (with_it - without)))


def pooled(slices: Sequence[Slice]) -> Slice:
    """Return all reports of some slices of one question as one slice, of no day and no group."""
    first = slices[0]
    counts = add((part.counts for part in slices), first.question.mechanism.counters)
    return replace(first, counts=counts, day=None, attribute=None, option=None)


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

    def texts(self, part: Slice) -> tuple[FoundText, ...]:
        """Return the texts found in all reports with their shares in a slice; none for days.

        In a group, too, only reports count by which no text was found; the search is not
        repeated there.
        """
        found = self.total.texts
        if found is None or part.suppressed or part.day is not None:
            return ()
        if part is self.total:
            return named(self.question, found.found)
        place = part.attribute, part.option
        if place not in self._texts_of_groups:
            self._texts_of_groups[place] = found_texts_in(
                self.question, part.counts, part.confidence, found
            )
        return self._texts_of_groups[place]

    @cached_property
    def _texts_of_groups(self) -> dict[tuple[str | None, str | None], tuple[FoundText, ...]]:
        """The texts of groups that were asked for: pages ask for each several times."""
        return {}

    @cached_property
    def design_p_value(self) -> float | None:
        """How likely reports this extreme are if every device follows the design.

        The smallest over the answers, times their number (Bonferroni); for a number or a vector,
        of a mean so far outside its bounds; for several options also of how many reports ask
        each. None when suppressed.
        """
        if isinstance(self.question.domain, VectorAnswer):
            vector = self.total.vector
            return vector_p_value(vector, self.question.domain) if vector else None
        mechanism = self.question.mechanism
        if isinstance(mechanism, SeveralMechanism) and not self.suppressed:
            return estimate_several(self.total.counts, mechanism).design_p_value
        if self.question.grid is not None:
            numbers = self.total.numbers
            return design_p_value(numbers[0], self.question.grid) if numbers else None
        chances = [estimate.share.design_p_value for estimate in self.estimates]
        return min(1.0, len(chances) * min(chances)) if chances else None

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
