"""The languages of a survey's texts: which one a respondent reads, its name and its direction.

A survey may speak languages that the pages do not. The address chooses one (``?lang=ar``), or the
browser does; the page's own words are in the nearest language that they exist in.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flask import g
from markupsafe import Markup

from tossup.server.web.pages.words.language import LANGUAGES, current_language
from tossup.shared.survey import Survey, Text

#: What languages call themselves; others are called by their tag.
_NAMES: Final[Mapping[str, str]] = {
    "ar": "العربية",
    "bn": "বাংলা",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "el": "Ελληνικά",
    "es": "Español",
    "fa": "فارسی",
    "fi": "Suomi",
    "fr": "Français",
    "he": "עברית",
    "hi": "हिन्दी",
    "hu": "Magyar",
    "id": "Bahasa Indonesia",
    "it": "Italiano",
    "ja": "日本語",
    "ko": "한국어",
    "nb": "Norsk bokmål",
    "nl": "Nederlands",
    "no": "Norsk",
    "pl": "Polski",
    "pt": "Português",
    "ro": "Română",
    "ru": "Русский",
    "sv": "Svenska",
    "sw": "Kiswahili",
    "th": "ไทย",
    "tr": "Türkçe",
    "uk": "Українська",
    "ur": "اردو",
    "vi": "Tiếng Việt",
    "zh": "中文",
    "zh-Hant": "繁體中文",
    **LANGUAGES,
}
_RIGHT_TO_LEFT: Final = frozenset(
    {"ar", "ckb", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi", "Arab", "Hebr", "Thaa"}
)


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language that a respondent can choose: its tag, and what it calls itself."""

    tag: str
    name: str


def choose(survey: Survey, wanted: Sequence[str]) -> None:
    """Choose the languages of this page: of the survey's texts, and of the page's own words.

    Parameters
    ----------
    wanted
        Tags, the one that is liked best first.
    """
    known = [tongue.tag for tongue in tongues(survey)]
    g.tongue = _first([*wanted, "en"], known) or known[0]
    g.language = _first([g.tongue, *wanted], LANGUAGES) or next(iter(LANGUAGES))
    g.survey_language = _first([g.tongue, g.language], survey.languages) or survey.languages[0]


def survey_language() -> str:
    """Return the tag of the language that survey texts are shown in."""
    return str(g.survey_language)


def tongues(survey: Survey) -> list[Tongue]:
    """Return the languages to choose from: the survey's, then the page's that it does not have."""
    more = [tag for tag in LANGUAGES if not _near(tag, survey.languages)]
    return [Tongue(tag, name(tag)) for tag in (*survey.languages, *more)]


def chosen() -> str:
    """Return the tag of the language that was chosen."""
    return str(g.tongue)


def is_current(tag: str) -> bool:
    """Return whether a language is the one that was chosen."""
    return bool(tag == g.tongue)


def name(tag: str) -> str:
    """Return what a language calls itself.

    >>> name("zh-Hans"), name("fr-CA"), name("gsw")
    ('简体中文', 'Français', 'gsw')
    """
    return _NAMES.get(tag) or _NAMES.get(_family(tag), tag)


def direction(tag: str) -> str:
    """Return in which direction a language is written.

    >>> direction("ar-EG"), direction("uz-Arab"), direction("zh-Hans")
    ('rtl', 'rtl', 'ltr')
    """
    return "rtl" if _RIGHT_TO_LEFT & set(tag.split("-")) else "ltr"


def said(value: Text) -> Markup:
    """Return a survey's text as markup that says its language, if that is not the page's."""
    tag = survey_language()
    if tag == current_language():
        return Markup('<bdi class="survey-text">{}</bdi>').format(value[tag])
    return Markup('<bdi class="survey-text" lang="{}">{}</bdi>').format(tag, value[tag])


def written(value: Text) -> str:
    """Return a survey's text as it is."""
    return value[survey_language()]


def _first(wanted: Iterable[str], among: Collection[str]) -> str | None:
    """Return what the first of some wanted languages finds among others."""
    return next(filter(None, (_near(tag, among) for tag in wanted if tag)), None)


def _near(tag: str, among: Collection[str]) -> str | None:
    """Return the tag among some that is asked for, or else the first of its family."""
    if tag in among:
        return tag
    return next((one for one in among if _family(one) == _family(tag)), None)


def _family(tag: str) -> str:
    return tag.split("-", maxsplit=1)[0].lower()
