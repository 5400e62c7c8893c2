"""What templates may call: survey texts with their language, numbers, days, sentences."""

import re
from datetime import UTC, date, datetime
from typing import Final

from flask import Blueprint, Flask, request, url_for
from jinja2.ext import Extension
from markupsafe import Markup, escape

from tossup.server.estimation.telling import strips
from tossup.server.shortening import shortened
from tossup.server.web.auth import CSRF_FIELD
from tossup.server.web.pages import joint_table, measured_table
from tossup.server.web.pages.caching import load_fingerprints
from tossup.server.web.pages.figures import coins, trend
from tossup.server.web.pages.words import numbers, texts, verdicts
from tossup.server.web.pages.words import sentences as words
from tossup.server.web.pages.words import wordings as worded
from tossup.server.web.pages.words.language import (
    LANGUAGES,
    current_language,
    gettext,
    load_catalogues,
    localized,
)
from tossup.server.web.pages.words.refusals import reason, refused
from tossup.server.web.services import services
from tossup.shared.survey import MAX_SHORT, Question, Text

_FILTERS: Final = (
    numbers.number,
    numbers.plain,
    numbers.measured,
    numbers.percent,
    numbers.points,
    numbers.p_value,
    numbers.day,
    numbers.short_period,
    numbers.odds_in_words,
    numbers.epsilon_of,
)


class Dense(Extension):
    """Leaves out what indents a template's lines, and the empty lines that its statements leave.

    A fifth of a page of results was that; ``pre`` stays as it is written.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return a template's source with as many lines."""
        del name, filename
        parts = re.split(r"(<pre\b.*?</pre>)", source, flags=re.DOTALL)
        parts[::2] = map(_dense, parts[::2])
        return "".join(parts)


def _dense(source: str) -> str:
    unindented = re.sub(r"\n[ \t]+", "\n", source)
    # Where the line end before a statement stays, the one after it parts nothing.
    alone = r"(?<!-[%}]\}\n)^(\{% [^\n%]*[^\n%+-])%\}$"
    return re.sub(alone, r"\1-%}", unindented, flags=re.MULTILINE)


def install(blueprint: Blueprint) -> None:
    """Give the app's templates the dashboard's helpers."""
    blueprint.record(lambda state: state.app.jinja_env.add_extension(Dense))
    for helper in _FILTERS:
        blueprint.add_app_template_filter(helper)
    blueprint.add_app_template_filter(text)
    blueprint.add_app_template_filter(short)
    blueprint.add_app_template_filter(as_of_day)
    blueprint.add_app_template_filter(refused)
    blueprint.add_app_template_filter(reason)

    @blueprint.app_context_processor
    def helpers() -> dict[str, object]:
        return {
            "languages": LANGUAGES,
            "language": current_language(),
            # Between two sentences; and a colon with what follows it. Chinese marks are wide.
            "gap": "" if current_language().startswith("zh") else " ",
            "colon": "：" if current_language().startswith("zh") else ": ",
            "in_language": in_language,
            "signed_in": services().auth.has_session,
            "signed_in_as": services().auth.session_caller,
            "moment": moment,
            "csrf_token": services().auth.csrf_token,
            "csrf_field": CSRF_FIELD,
            "today": services().store.today,
            "words": words,
            "statistics": measured_table,
            "texts": texts,
            "joint_table": joint_table,
            "worded": worded,
            "strips": strips,
            "verdicts": verdicts,
            "coins": coins,
            "figures": {"trend": trend},
            "most_short": MAX_SHORT,
        }


def load(app: Flask) -> None:
    """Compile every template and read all messages and files: the first page costs no more."""
    for name in app.jinja_env.list_templates(extensions=["html", "svg"]):
        app.jinja_env.get_template(name)
    load_catalogues()
    load_fingerprints()


def text(value: Text) -> Markup:
    """Return a survey's text as markup that says its language and lets it set its direction."""
    string, tag = localized(value)
    said = "" if tag == current_language() else f' lang="{escape(tag)}"'
    return Markup(f'<bdi class="survey-text"{said}>{escape(string)}</bdi>')  # noqa: S704


def short(question: Question) -> Markup:
    """Return what names a question in a row: its short title, or its text, cut at a word."""
    cut = {tag: shortened(words, MAX_SHORT) for tag, words in question.text.items()}
    return text(question.short or cut)


def as_of_day(as_of: str) -> str:
    """Return the day of a moment that is written ``2026-03-14T09:30Z``, in words."""
    return numbers.day(date.fromisoformat(as_of[:10]))


def moment(seconds: int) -> str:
    """Return a second since 1970 as a day in words and the time of day, UTC."""
    at = datetime.fromtimestamp(seconds, UTC)
    clock = f"{at:%H:%M}"
    return gettext("%(day)s, %(time)s", day=numbers.day(at.date()), time=clock)


def in_language(tag: str) -> str:
    """Return the address of this page in another language."""
    if request.endpoint is None:
        return f"{request.script_root}{request.path}?lang={tag}"
    query = request.args.to_dict() | {"lang": tag}
    return url_for(request.endpoint, **{**(request.view_args or {}), **query})
