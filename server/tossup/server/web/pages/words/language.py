"""Languages: which one a visitor reads, and the page's messages in it.

Standard-library ``gettext`` with compiled catalogues; Babel is a development tool only. A visitor's
choice travels in the address (``?lang=zh-Hans``); without one the browser's preference counts.
"""

from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, g, has_request_context, request
from flask.blueprints import BlueprintSetupState

from tossup.shared.survey import Text

#: Language tags of the pages, and what each calls itself.
LANGUAGES: Final = {"en": "English", "zh-Hans": "简体中文"}
_SOURCE: Final = "en"
_CATALOGUES: Final = Path(__file__).parents[1] / "translations"


def current_language() -> str:
    """Return the tag of the language that this request is answered in."""
    # Asked for a thousand times by a page: known already but the first time.
    try:
        known: str = g.language
    except (RuntimeError, AttributeError):
        if not has_request_context():
            return _SOURCE
        known = g.language = chosen_language() or _preferred(request.accept_languages.values())
    return known


def chosen_language() -> str | None:
    """Return the language that the address asks for, if it is one of ours."""
    asked = request.args.get("lang")
    return asked if asked in LANGUAGES else None


def gettext(message: str, **values: object) -> str:
    """Return a message in the visitor's language, with its ``%(name)s`` filled in."""
    return _catalogue(current_language()).gettext(message) % values


def ngettext(singular: str, plural: str, count: int, **values: object) -> str:
    """Return the form of a message that fits a count."""
    return _catalogue(current_language()).ngettext(singular, plural, count) % values


def localized(text: Text) -> tuple[str, str]:
    """Return a survey's text for this visitor, and the tag of the language it is in.

    The page's language if the survey has it, one of the same family otherwise, and the survey's
    first as a last resort: a text in another language is better than none, if labelled so.
    """
    wanted = current_language()
    if wanted in text:
        return text[wanted], wanted
    family = [tag for tag in text if tag.split("-")[0] == wanted.split("-")[0]]
    tag = next(iter(family or text))
    return text[tag], tag


def install(blueprint: Blueprint) -> None:
    """Give the app's templates their messages, and keep a chosen language in every link."""
    blueprint.record_once(_install_messages)

    @blueprint.url_defaults
    def keep_language(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint != "dashboard.static" and has_request_context() and chosen_language():
            values.setdefault("lang", chosen_language())


def load_catalogues() -> None:
    """Read the messages of every language, so that no request has to."""
    for language in LANGUAGES:
        _catalogue(language)


def _install_messages(state: BlueprintSetupState) -> None:
    environment: Any = state.app.jinja_env
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(
        lambda message: _catalogue(current_language()).gettext(message),
        lambda one, many, count: _catalogue(current_language()).ngettext(one, many, count),
        newstyle=True,
    )


def _preferred(accepted: Any) -> str:
    """Return the first accepted language that is ours, by its family."""
    families = {tag.split("-")[0]: tag for tag in LANGUAGES}
    known = (families.get(str(tag).lower().split("-")[0]) for tag in accepted)
    return next((tag for tag in known if tag), _SOURCE)


@cache
def _catalogue(language: str) -> NullTranslations:
    if language == _SOURCE:
        return NullTranslations()
    return translation("messages", _CATALOGUES, [language.replace("-", "_")])
