"""Which wordings a page's estimates add up: a row a wording, the newest first."""

from collections.abc import Sequence
from dataclasses import dataclass

from tossup.server.results import Wording, pooled_wordings
from tossup.server.web.pages.words.language import gettext
from tossup.server.web.pages.words.numbers import day
from tossup.shared.survey import Text


@dataclass(frozen=True, slots=True)
class Worded:
    """A wording, in the languages in which it is not that of the others.

    ``labels`` are those of the options that are not labelled alike in all of them.
    """

    wording: Wording
    text: Text
    labels: tuple[Text, ...]

    @property
    def days(self) -> str:
        """The days on which its reports came."""
        first, last = self.wording.first_day, self.wording.last_day
        if first is None or last is None or first == last:
            return day(first) if first else ""
        return gettext("%(first)s to %(last)s", first=day(first), last=day(last))


def worded(found: Sequence[Wording]) -> tuple[Worded, ...]:
    """Return the wordings that reports were given to; none where all answer the same words."""
    pool = pooled_wordings(found)
    texts = _apart([wording.text for wording in pool])
    said = [{option.id: option.label for option in wording.options} for wording in pool]
    labels: list[list[Text]] = [[] for _ in pool]
    for name in dict.fromkeys(name for options in said for name in options):
        alike = [options.get(name, {}) for options in said]
        given = [label for label in alike if label]
        if any(label != given[0] for label in given):
            for own, label in zip(labels, _apart(alike), strict=True):
                own.extend([label] if label else [])
    rows = zip(pool, texts, labels, strict=True)
    return tuple(Worded(wording, text, tuple(own)) for wording, text, own in rows)


def _apart(texts: Sequence[Text]) -> list[Text]:
    """Return texts in the languages in which they differ; whole where they do not."""
    languages = {
        language
        for language in (language for text in texts for language in text)
        if len({text[language] for text in texts if language in text}) > 1
    }
    kept = [{tag: words for tag, words in text.items() if tag in languages} for text in texts]
    return [own or text for own, text in zip(kept, texts, strict=True)]


def are_declared(pool: Sequence[Worded]) -> bool:
    """Return whether the publisher signed of every wording that it means the same."""
    return all(row.wording.declared for row in pool[:-1])
