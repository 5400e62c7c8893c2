"""Slices: reports to one question that results look at together, and what they tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from tossup.server.kinds import kind_of
from tossup.server.kinds.told.answer import AnswerEstimate
from tossup.server.kinds.told.base import Reports, Told
from tossup.server.kinds.told.leading import Leading
from tossup.server.store.tally import add


@dataclass(frozen=True)
class Slice(Reports):
    """The reports to one question of a day, of a group, or all.

    Attributes
    ----------
    day
        The day they arrived, for a slice of one day.
    attribute, option
        The public attribute and the option they share, for a slice of one group.
    """

    day: date | None = None
    attribute: str | None = None
    option: str | None = None

    @property
    def n(self) -> int:
        """Number of reports."""
        return self.question.mechanism.reports_counted(self.counts)

    @cached_property
    def told(self) -> Told:
        """What the reports tell, as the question's kind says it."""
        tell = kind_of(self.question).told
        return tell(self.question, self.counts, self.minimum, self.confidence, self.looks)

    @property
    def behind(self) -> int:
        """The most reports that one of the estimates rests on: `n`, unless a report tells a part.

        Where a report asks some of several options, those that ask one; of texts, those of the
        last level; of two statements, as many as equal samples would need.
        """
        return max(self.told.asked)

    @property
    def suppressed(self) -> bool:
        """Whether there are too few reports to say anything."""
        return self.told.suppressed

    @property
    def too_few(self) -> Mapping[str, int]:
        """The options, of several, that too few reports ask, and how many ask them."""
        return self.told.too_few

    @property
    def estimates(self) -> tuple[AnswerEstimate, ...]:
        """The share of each answer; for yes/no only that of yes. None where no shares are told."""
        return self.told.estimates

    @property
    def leading(self) -> Leading | None:
        """The largest estimate and how far it is ahead; None for fewer than two estimates."""
        return self.told.leading


def pooled(slices: Sequence[Slice]) -> Slice:
    """Return all reports of some slices of one question as one slice, of no day and no group."""
    first = slices[0]
    counts = add((part.counts for part in slices), first.question.mechanism.counters)
    return replace(first, counts=counts, day=None, attribute=None, option=None)
