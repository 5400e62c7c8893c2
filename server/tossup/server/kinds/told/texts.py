"""What reports tell of texts: which were found, by name, and their shares in all and in groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, cast

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.texts import (
    TextEstimate,
    TextsEstimate,
    estimate_texts,
    shares_of_texts,
)
from tossup.server.kinds.told.answer import FoundText
from tossup.server.kinds.told.base import Json, Told, ToldLine, estimated
from tossup.server.kinds.told.finding import Finding
from tossup.shared.kinds.text import FreeText
from tossup.shared.mechanisms import PrefixExtending

#: Searches that are remembered: pages and downloads ask for the same ones again and again.
_REMEMBERED: Final = 8

#: The label of texts that do not fit, and of all that were not found.
OTHER_TEXT: Final = "(another text)"
REST: Final = "(all texts that were not found)"


@dataclass(frozen=True)
class TextsTold(Told):
    """Texts that were found in all reports, and their shares."""

    @property
    def domain(self) -> FreeText:
        """The texts that the question takes."""
        return cast("FreeText", self.question.domain)

    @property
    def mechanism(self) -> PrefixExtending:
        """The question's coins."""
        return cast("PrefixExtending", self.question.mechanism)

    @cached_property
    def texts(self) -> TextsEstimate | None:
        """Which are common, of these reports alone; None where they say nothing."""
        if self.suppressed:
            return None
        others = self.domain.others
        try:
            return _searched(self.counts, self.mechanism, self.confidence, others)
        except EstimationError:  # of so few reports that the last level has none
            return None

    @cached_property
    def found(self) -> tuple[FoundText, ...]:
        """The texts that were found, most common first."""
        return self._named(self.texts.found) if self.texts else ()

    @property
    def finding(self) -> Finding | None:
        """The most common text."""
        if not self.found:
            return None
        top = self.found[0]
        possible = top.interval.cut(0.0, 1.0) or top.interval
        return Finding(top.text, top.value, top.interval, possible, top.n)

    def found_in(self, everyone: Told) -> tuple[FoundText, ...]:
        """Return the shares here of the texts found in all reports; none if this says nothing.

        Here, too, only reports count by which no text was found; the search is not repeated.
        """
        if everyone is self:
            return self.found
        if id(everyone) not in self._searched_for:
            self._searched_for[id(everyone)] = self._shares_of(everyone)
        return self._searched_for[id(everyone)]

    @cached_property
    def _searched_for(self) -> dict[int, tuple[FoundText, ...]]:
        """What was asked for before: pages ask for each several times."""
        return {}

    def _shares_of(self, everyone: Told) -> tuple[FoundText, ...]:
        search = everyone.texts
        if search is None or self.suppressed:
            return ()
        numbers = [text.number for text in search.found]
        try:
            shares = shares_of_texts(
                self.counts, self.mechanism, numbers, self.confidence, among=len(search.examined)
            )
        except EstimationError:  # of so few reports that the last level has none
            return ()
        return self._named(shares)

    def _named(self, texts: Sequence[TextEstimate]) -> tuple[FoundText, ...]:
        return tuple(FoundText(self.domain.text(text.number), text) for text in texts)

    @property
    def lists_counts(self) -> bool:
        """False: counters are too many to be listed."""
        return False

    @property
    def lines(self) -> tuple[ToldLine, ...]:
        """A line a text."""
        return self.lines_of(self)

    def lines_of(self, everyone: Told) -> tuple[ToldLine, ...]:
        """Return a line a text that was found in all reports."""
        return tuple(
            ToldLine(
                text.text,
                {
                    "text": text.text or None,
                    "reports": text.share.reports,
                    **estimated(text.share),
                },
                "" if text.text else OTHER_TEXT,
            )
            for text in self.found_in(everyone)
        )

    @property
    def lines_of_day(self) -> tuple[ToldLine, ...]:
        """None: a day's reports are too few to look for texts."""
        return ()

    @property
    def more_lines(self) -> tuple[ToldLine, ...]:
        """The line of all texts that were not found, together."""
        if self.texts is None or not self.texts.examined:
            return ()
        return (ToldLine("", estimated(self.texts.rest), REST),)

    def more_to_json(self) -> Json:
        """Return how texts were found, and all others together."""
        found = self.texts
        if found is None:
            return {"search": None}
        return {
            "search": {
                "examined": len(found.examined),
                "levels": list(found.levels),
                "smallest_found": found.smallest_found,
                "rest": estimated(found.rest) if found.examined else None,
            }
        }


@lru_cache(maxsize=_REMEMBERED)
def _searched(
    counts: tuple[int, ...],
    mechanism: PrefixExtending,
    confidence: float,
    others: bool,  # noqa: FBT001
) -> TextsEstimate:
    return estimate_texts(counts, mechanism, confidence, others=others)
