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
from tossup.server.web.pages.words.refusal_sentences import SENTENCES

_SOURCE = "en"
_VARIES = re.compile(r"%\((\w+)\)s")


def refused(message: str) -> Markup:
    """Return a refusal as markup, line by line."""
    if current_language() == _SOURCE:
        return escape(message)
    return Markup("\n").join(_line(line) for line in message.split("\n"))


def _line(line: str) -> Markup:
    said = _said(line)
    if said is not None:
        return escape(said)
    # Attributes of the markup are ours; what is formatted in is escaped.
    own = gettext("It does not pass the check, which says in English:")
    return Markup('{} <span lang="en">{}</span>').format(own, line)


def _said(sentence: str) -> str | None:
    """Return a sentence in the visitor's language; None if it is none of ours."""
    for known, pattern in _patterns():
        found = pattern.fullmatch(sentence)
        if found:
            return gettext(known, **{key: _said(v) or v for key, v in found.groupdict().items()})
    place, colon, what = sentence.partition(": ")
    said = _said(what) if colon else None
    if said is None:
        return None
    return gettext("%(place)s: %(what)s", place=_said(place) or place, what=said)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((sentence, pattern_of(sentence)) for sentence in SENTENCES)


def pattern_of(sentence: str) -> re.Pattern[str]:
    """Return what matches a sentence, whatever stands for what varies in it."""
    parts = _VARIES.split(sentence)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = [f"(?P<{name}>.+?)" for name in parts[1::2]]
    return re.compile("".join(parts), re.DOTALL)
