"""Mechanisms for several of k options: the answer is the set of those that are ticked.

Stage: answer to report. A set of options is an integer mask, the first option its least
significant bit. How many options one may tick belongs to the design, since two answers can
differ in no more than twice as many places.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import (
    AnswerKind,
    Channel,
    Mechanism,
    Readout,
    Stated,
    named_by,
    score_by,
)

MAX_OPTIONS: Final = 64


class SetMechanism(Mechanism):
    """A mechanism whose answers are sets of options, at most ``most`` of them.

    Attributes
    ----------
    options
        How many options there are, from 1 to 64.
    most
        How many of them one may tick at most.
    """

    answer_kind: ClassVar[AnswerKind] = "several"
    takes_most: ClassVar[bool] = True
    options: int
    most: int

    @property
    def shares(self) -> int:
        """One an option."""
        return self.options

    @property
    def answers(self) -> int:
        """Number of masks; those with more than ``most`` options are no answers."""
        return 1 << self.options

    def is_for(self, *sizes: int) -> bool:
        """Return whether these are its options, and how many of them one may tick."""
        return sizes == (self.options, self.most)

    @classmethod
    def answers_of(cls, options: int) -> int:
        """Return the number of masks."""
        return 1 << options

    @classmethod
    def told_by(cls, answers: int, given: Mapping[str, Any]) -> dict[str, int]:  # noqa: ARG003
        """Return the number of options, of which there are so many masks."""
        return {"options": options_of(answers, cls.name)}

    def is_answer(self, value: int) -> bool:
        """Return whether this is a mask of at most ``most`` of the options."""
        return 0 <= value < self.answers and value.bit_count() <= self.most

    @property
    @abstractmethod
    def worst_variance(self) -> Fraction:
        """n times the largest variance of an option's share, n being all reports."""


class SeveralMechanism(SetMechanism):
    """A mechanism for sets whose report says of each option by itself whether it is ticked.

    A report *asks* some options or all, and says of each of these whether it is ticked, by a
    coin of its own: ticked with probability p if it is, with probability q if not. Which options
    it asks does not depend on the answer. The share of those who tick an option is
    (s - q) / (p - q), unbiased, with s the fraction ticked of the reports that ask it.
    """

    readout: ClassVar[Readout] = "asked"
    names_each: ClassVar[bool] = True
    in_auto: ClassVar[bool] = True

    @property
    @abstractmethod
    def rates(self) -> tuple[Fraction, Fraction]:
        """q and p: Pr[ticked in a report that asks the option] if it is not, and if it is."""

    @property
    @abstractmethod
    def asked_share(self) -> Fraction:
        """Probability that a report asks an option, the same for all."""

    @property
    def windows(self) -> int:
        """How many sets of options a report may ask, each as likely: one, for most."""
        return 1

    @abstractmethod
    def told(self, report: int) -> Iterator[tuple[int, bool]]:
        """Yield each option that a report asks, and whether it says ticked."""

    @abstractmethod
    def by_option(self, counts: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Return for each option the reports that ask it and say not ticked, and ticked."""

    def stated(self) -> Stated:
        """Return the chances of an option that is asked, and how many are."""
        asked = int(self.asked_share * self.options)
        numbers = {"options": self.options, "most": self.most, "asked": asked}
        return Stated("ticks", self.naming_chances(), numbers=numbers, names_several=True)

    def naming_chances(self) -> Channel:
        """Return the channel of an option that is asked: ticked or not, if it is or not."""
        return named_by(*self.rates)

    def score(self, report: int, answer: int) -> Fraction:
        """Return the score of an option: 0 of a report that does not ask it.

        Others count for as much more as fewer ask it; the average is over all reports.
        """
        told = dict(self.told(report))
        if answer not in told:
            return Fraction(0)
        return Fraction(score_by(told[answer], *self.rates), self.asked_share)

    def reports_behind(self, counts: Sequence[int]) -> tuple[int, ...]:
        """Return how many reports ask each option."""
        return tuple(map(sum, self.by_option(counts)))

    @property
    def share_behind(self) -> Fraction:
        """The `asked_share`."""
        return self.asked_share

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design with these odds for so many options, of which ``most`` are ticked."""
        return cls.from_odds(odds, answers, part.get("most"))

    @classmethod
    @abstractmethod
    def from_odds(cls, odds: Fraction, options: int, most: int | None = None) -> Self:
        """Return the best design of this kind whose odds never exceed these.

        Raises
        ------
        MechanismError
            If the numbers do not fit, or the weights would be too large.
        """

    def variance_at(self, share: Fraction) -> Fraction:
        """Return n times the variance of the estimated share of an option, n being all reports.

        x (1 - x) / (a (p - q)**2), with x the probability of ticked in a report that asks the
        option and a the probability of asking it.
        """
        q, p = self.rates
        ticked = q + share * (p - q)
        return ticked * (1 - ticked) * (self.asked_share * (p - q) ** 2) ** -1

    @property
    def worst_variance(self) -> Fraction:
        """The largest `variance_at` over all shares: at half of the reports ticked, if possible."""
        q, p = self.rates
        ticked = min(max(Fraction(1, 2), q), p)
        return self.variance_at((ticked - q) * (p - q) ** -1)


def check_several(options: object, most: object, name: str) -> None:
    """Refuse what is not a number of options and of those that one may tick.

    Raises
    ------
    MechanismError
        If it is not.
    """
    if type(options) is not int or not 1 <= options <= MAX_OPTIONS:
        raise MechanismError(f"{name} takes 1 to {MAX_OPTIONS} options")
    if type(most) is not int or not 1 <= most <= options:
        raise MechanismError(f"most of {name} must be an integer from 1 to the number of options")


def options_of(answers: int, name: str) -> int:
    """Return how many options there are for this many masks; refuse what is no power of 2.

    Raises
    ------
    MechanismError
        If it is no power of 2.
    """
    options = answers.bit_length() - 1
    if answers != 1 << max(0, options):
        raise MechanismError(f"{name} is for sets of options, whose number is a power of 2")
    return options
