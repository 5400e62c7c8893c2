"""The estimated share of one answer, of one that was listed or of a text that was found."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from tossup.server.estimation import (
    AnswerShare,
    Forged,
    Interval,
    Shown,
    Supposed,
    anytime_interval,
    forged_intervals,
    if_some_deny,
)
from tossup.server.estimation.texts import TextEstimate

#: Whether intervals of shares hold at one look, or at every look together.
Looks = Literal["one", "every"]


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
        return self.shared_shown(among=1)

    def shared_shown(self, *, among: int) -> Shown:
        """Return `shown` with one of ``among`` intervals that hold together (Bonferroni)."""
        shown = self.share.shown_at(1 - (1 - self.confidence) / among)
        if self.looks == "one":
            single = replace(shown.interval, confidence=self.confidence, intervals=among)
            return replace(shown, interval=single)
        interval = self.shared_interval(among=among)
        low, high = (min(max(end, 0.0), 1.0) for end in (interval.low, interval.high))
        return replace(shown, interval=replace(interval, low=low, high=high))

    @cached_property
    def forged(self) -> tuple[Forged, ...]:
        """The interval of the honest share, for a slider's worth of shares of forged reports."""
        return forged_intervals(self.share, confidence=self.confidence, method=self.share.usual)

    @cached_property
    def denied(self) -> tuple[Supposed, ...]:
        """The share, should so many of those with this answer give another one instead."""
        return if_some_deny(self.share, confidence=self.confidence, method=self.share.usual)


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text that was found, and its share.

    Attributes
    ----------
    text
        The text; empty for "another text", where a question counts those.
    share
        Its estimate.
    """

    text: str
    share: TextEstimate

    @property
    def value(self) -> float:
        """The raw estimate."""
        return self.share.value

    @property
    def n(self) -> int:
        """Reports it rests on: those of the last level."""
        return self.share.n

    @property
    def interval(self) -> Interval:
        """Its interval, which holds together with those of all texts that were examined."""
        return self.share.interval
