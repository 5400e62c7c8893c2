"""Texts in results: which were found, by name, and their shares in all reports and in groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.texts import (
    TextEstimate,
    TextsEstimate,
    estimate_texts,
    shares_of_texts,
)
from tossup.shared.kinds.text import FreeText
from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.survey import Question

#: Searches that are remembered: pages and downloads ask for the same ones again and again.
_REMEMBERED: Final = 8


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


def texts_in(
    question: Question, counts: tuple[int, ...], confidence: float
) -> TextsEstimate | None:
    """Return what reports say about texts; None for other questions, and if they say nothing."""
    domain, mechanism = question.domain, question.mechanism
    if not isinstance(domain, FreeText) or not isinstance(mechanism, PrefixExtending):
        return None
    try:
        return _searched(counts, mechanism, confidence, domain.others)
    except EstimationError:  # of so few reports that the last level has none
        return None


@lru_cache(maxsize=_REMEMBERED)
def _searched(
    counts: tuple[int, ...],
    mechanism: PrefixExtending,
    confidence: float,
    others: bool,  # noqa: FBT001
) -> TextsEstimate:
    return estimate_texts(counts, mechanism, confidence, others=others)


def found_texts_in(
    question: Question, counts: tuple[int, ...], confidence: float, everyone: TextsEstimate
) -> tuple[FoundText, ...]:
    """Return the shares in a group of the texts found in all reports; none if it says nothing."""
    mechanism = question.mechanism
    if not isinstance(mechanism, PrefixExtending):
        return ()
    found, among = [text.number for text in everyone.found], len(everyone.examined)
    try:
        shares = shares_of_texts(counts, mechanism, found, confidence, among=among)
    except EstimationError:  # of so few reports that the last level has none
        return ()
    return named(question, shares)


def named(question: Question, texts: Sequence[TextEstimate]) -> tuple[FoundText, ...]:
    """Return estimates with their texts."""
    domain = question.domain
    if not isinstance(domain, FreeText):
        return ()
    return tuple(FoundText(domain.text(text.number), text) for text in texts)
