"""What the checks below the pages refuse, in the visitor's language.

Stage: pages. Surveys, plans and keys are checked in rooms that know no language: what they refuse
is an English sentence, as the command line shows it. A page finds it among `SENTENCES` and fills
what varies into its translation. One that stands nowhere there is shown as it is, marked as
English, after words of the page's own.
"""

import re
from functools import cache

from markupsafe import Markup, escape

from tossup.server.web.pages.words.language import current_language, gettext
from tossup.server.web.pages.words.mechanism_sentences import REASONS, REFUSED
from tossup.server.web.pages.words.refusal_sentences import PLACES, SENTENCES

_SOURCE = "en"
_REFUSED = (*SENTENCES, *REFUSED)
_VARIES = re.compile(r"%\((\w+)\)s")


def refused(message: str) -> Markup:
    """Return a refusal as markup, line by line."""
    if current_language() == _SOURCE:
        return escape(message)
    return Markup("\n").join(_line(line) for line in message.split("\n"))


def refused_at(key: str, what: str) -> Markup:
    """Return a refusal of what stands under a key, which the sentence itself may leave out."""
    if not key or key.rsplit(maxsplit=1)[-1].strip(",") in what:
        return refused(what)
    found = gettext("%(place)s: %(what)s", place=escape(key), what=refused(what))
    return Markup(found)  # noqa: S704 - both were escaped


def reason(why: str) -> Markup:
    """Return why a question is asked as it is, as markup, with a stop at its end."""
    said = why if current_language() == _SOURCE else _among(REASONS, why)
    if said is None:
        return Markup('<span lang="{}">{}.</span>').format(_SOURCE, why)
    return escape(gettext("%(sentence)s.", sentence=said))


def _line(line: str) -> Markup:
    said = _said(line)
    if said is not None:
        return escape(said)
    # Attributes of the markup are ours; what is formatted in is escaped.
    own = gettext("It does not pass the check, which says in English:")
    return Markup('{} <span lang="en">{}</span>').format(own, line)


def _said(sentence: str) -> str | None:
    """Return a sentence in the visitor's language; None if it is none of ours."""
    head, _, what = sentence.partition(": ")
    place = _among(PLACES, head)
    said = None if place is None else _said(what)
    if said is None:  # a colon of the sentence's own may stand after what looks like a place
        return _among(_REFUSED, sentence)
    return gettext("%(place)s: %(what)s", place=place, what=said)


def _among(sentences: tuple[str, ...], said: str) -> str | None:
    for known, pattern in _patterns(sentences):
        found = pattern.fullmatch(said)
        if found:
            parts = found.groupdict().items()
            return gettext(known, **{name: _part(sentences, part) for name, part in parts})
    return None


def _part(sentences: tuple[str, ...], part: str) -> str:
    """Return what varies in a sentence: a name, or what is one of the same sentences itself."""
    return _among(sentences, part) or part


@cache
def _patterns(sentences: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what each sentence matches, first those with the most words of their own."""
    own = sorted(sentences, key=lambda each: len(_VARIES.sub("", each)), reverse=True)
    return tuple((sentence, _pattern(sentence)) for sentence in own)


def _pattern(sentence: str) -> re.Pattern[str]:
    """Return what matches a sentence, whatever stands for what varies in it."""
    parts = _VARIES.split(sentence)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [f"(?P<{name}>.+?)" for name in parts[1::2]]
    return re.compile("".join(parts), re.DOTALL)
