"""Sentences about texts that nobody listed: which is most common, and what may be missing."""

from math import ceil

from tossup.server.decimals import decimals_within
from tossup.server.estimation.texts import TextsEstimate
from tossup.server.results import FoundText
from tossup.server.web.pages.words.language import gettext, ngettext
from tossup.server.web.pages.words.numbers import number
from tossup.server.web.pages.words.sentences import decimals_for
from tossup.shared.survey import Text


def label(text: FoundText, languages: Text) -> Text:
    """Return a found text as a label, the same in every language of a question."""
    return dict.fromkeys(languages, text.text or gettext("Another text"))


def is_surely_first(texts: tuple[FoundText, ...]) -> bool:
    """Return whether the first text's interval lies above all others'; they hold together."""
    first, *others = texts
    return all(first.interval.low > other.interval.high for other in others)


def what_is_missing(found: TextsEstimate) -> str:
    """Return how common a text must be to be found, and how many people have another."""
    if found.smallest_found is None:
        return gettext("Texts may be missing however common they are: there are too few reports.")
    return gettext(
        "A text that at least %(smallest)s of 100 people have is found with a chance of 95 in 100;"
        " rarer ones may be missing.",
        smallest=_rounded_up(100 * found.smallest_found),
    )


def _rounded_up(points: float) -> str:
    places = max(1, decimals_within(points, digits=1))
    return number(ceil(points * 10**places - 1e-9) / 10**places, places)


def what_is_left(found: TextsEstimate) -> str:
    """Return the share of everyone whose text was not found."""
    ends = (found.rest.interval.low, found.rest.interval.high)
    low, high = (min(max(end, 0.0), 1.0) for end in ends)
    decimals = decimals_for(high - low)
    return gettext(
        "All texts that were not found: together between %(low)s and %(high)s of 100.",
        low=number(100 * low, decimals),
        high=number(100 * high, decimals),
    )


def how_many(found: TextsEstimate) -> str:
    """Return how many texts were found, and what their intervals rest on."""
    count = len(found.found)
    return ngettext(
        "%(texts)s text was found.", "%(texts)s texts were found.", count, texts=number(count)
    )
