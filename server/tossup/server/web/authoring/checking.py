"""What is wrong with a draft, and which field it stands in.

Stage: authoring. The commonest faults are said here, in the visitor's language and about a field;
whatever else is wrong, `load_survey` says, as it does on the command line.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from tossup.server.kinds import FORMS
from tossup.server.surveys.file import TooCostlyError, load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.surveys.writing import written
from tossup.server.web.authoring.typed import (
    group_typed,
    languages_of,
    question_typed,
    survey_typed,
)
from tossup.server.web.pages.words.language import current_language, gettext
from tossup.server.web.pages.words.refusals import refused_at
from tossup.shared.survey import MAX_SHORT, Survey

_PLACE: Final = re.compile(r"(question|attribute) (?:(\d+)|'(.*?)')[ ,]*(.*)", re.DOTALL)
_PARTS: Final = {"question": "questions", "attribute": "groups"}
#: What is no choice with fewer options.
_FEWEST: Final = 2
#: Stands for the publisher's key where nothing is signed.
NO_KEY: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong.

    Attributes
    ----------
    what
        In words.
    part
        ``questions`` or ``groups``; empty for the survey itself.
    place
        Which of them, from 1.
    field
        The name of the field; empty for the part as a whole.
    """

    what: str
    part: str = ""
    place: int = 0
    field: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft's table; its survey if it can be published, and what is wrong with it if not."""

    table: Mapping[str, Any]
    survey: Survey | None
    problems: tuple[Problem, ...]

    @property
    def languages(self) -> list[str]:
        """The languages of the draft's texts."""
        return languages_of(self.table)

    def of(self, part: str, place: int) -> tuple[Problem, ...]:
        """Return the problems of one part."""
        return tuple(each for each in self.problems if (each.part, each.place) == (part, place))


def read(text: str) -> dict[str, Any]:
    """Return the table of a draft's file, which is always TOML."""
    return tomllib.loads(text, parse_float=Decimal)


def parts(table: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the questions, or the groups, of a table."""
    found = table.get({"questions": "question", "groups": "attribute"}[name], [])
    return [*found] if isinstance(found, list) else []


def title_of(table: Mapping[str, Any]) -> str:
    """Return a draft's title in the reader's language, else in the first that it has one in."""
    title = table.get("title")
    texts = [title]
    if isinstance(title, Mapping):
        texts = [title.get(current_language()), *title.values()]
    return next((text for text in texts if isinstance(text, str) and text), "")


def check(text: str) -> Checked:
    """Return what a draft's file is, or what is wrong with it."""
    table = read(text)
    ours = tuple(_ours(table))
    if ours:
        return Checked(table, None, ours)
    made = loaded(text, NO_KEY)
    if isinstance(made, Survey):
        return Checked(table, made, ())
    return Checked(table, None, tuple(_located(place, what, table) for place, what in made))


def question_alone(table: Mapping[str, Any], place: int) -> str:
    """Return the file of a survey that asks one of a draft's questions and nothing else."""
    languages = languages_of(table)
    words = dict.fromkeys(languages, "-")
    publisher = {"name": "-", "contact": "-"}
    asked = {**parts(table, "questions")[place - 1]}
    asked["text"] = words
    alone: dict[str, Any] = {
        "id": "draft",
        "title": words,
        "purpose": words,
        "publisher": publisher,
    }
    alone |= {"question_cap": 729, "question": [asked]}
    alone |= {"waves": table["waves"]} if "waves" in table else {}
    return written(alone)


@lru_cache(maxsize=64)
def loaded(text: str, key: bytes) -> Survey | tuple[tuple[str, str], ...]:
    """Return the survey of a file, or what is wrong with it: (place, what) pairs."""
    try:
        return load_survey(text, key)
    except SurveyFileError as error:
        return error.problems
    except TooCostlyError as error:
        return (("", str(error)),)


def _ours(table: Mapping[str, Any]) -> Iterator[Problem]:
    languages = languages_of(table)
    yield from _of_survey(survey_typed(table), languages)
    for place, part in enumerate(parts(table, "questions"), 1):
        yield from _of_question(question_typed(part, languages), languages, place)
    for place, part in enumerate(parts(table, "groups"), 1):
        typed = group_typed(part, languages)
        yield from _missing(typed, "text", languages, "groups", place)
        yield from _of_options(typed, languages, "groups", place)


def _of_survey(typed: Mapping[str, str], languages: Sequence[str]) -> Iterator[Problem]:
    for key in ("title", "purpose"):
        yield from _missing(typed, key, languages)
    for key in ("publisher.name", "publisher.contact"):
        if not typed[key]:
            yield Problem(gettext("Say who asks, and how they are reached."), field=key)


def _of_question(
    typed: Mapping[str, str], languages: Sequence[str], place: int
) -> Iterator[Problem]:
    yield from _missing(typed, "text", languages, "questions", place)
    yield from _of_short(typed, languages, place)
    form = FORMS.get(typed["form"])
    if form is None:
        return
    if form.labels is not None:
        yield from _of_options(typed, languages, "questions", place)
    for field in form.fields:
        name = f"{form.name}.{field.name}"
        if field.is_needed and not typed.get(name):
            yield Problem(gettext("This is missing."), "questions", place, name)


def _of_short(typed: Mapping[str, str], languages: Sequence[str], place: int) -> Iterator[Problem]:
    shorts = {tag: typed[f"short.{tag}"].strip() for tag in languages}
    for tag, short in shorts.items():
        field = f"short.{tag}"
        if len(short) > MAX_SHORT:
            what = gettext("At most %(most)s characters.", most=MAX_SHORT)
            yield Problem(_in(what, tag, languages), "questions", place, field)
        elif not short and any(shorts.values()):
            what = gettext("Give it in every language, or in none.")
            yield Problem(_in(what, tag, languages), "questions", place, field)


def _missing(
    typed: Mapping[str, str], key: str, languages: Sequence[str], part: str = "", place: int = 0
) -> Iterator[Problem]:
    of_survey = {
        "title": gettext("Write a title."),
        "purpose": gettext("Write what the survey is for."),
    }
    for tag in languages:
        if not typed[f"{key}.{tag}"].strip():
            what = of_survey.get(key) or gettext("Write what respondents read.")
            yield Problem(_in(what, tag, languages), part, place, f"{key}.{tag}")


def _of_options(
    typed: Mapping[str, str], languages: Sequence[str], part: str, place: int
) -> Iterator[Problem]:
    counts = set()
    for tag in languages:
        field = f"options.{tag}"
        lines = [line for line in typed.get(field, "").split("\n") if line.strip()]
        counts.add(len(lines))
        if len(lines) < _FEWEST:
            what = gettext("Give at least two options, one a line.")
            yield Problem(_in(what, tag, languages), part, place, field)
        twice = next((line for line in lines if lines.count(line) > 1), None)
        if twice is not None:
            what = gettext("“%(label)s” is there twice. Take one away.", label=twice)
            yield Problem(what, part, place, field)
    if len(counts) > 1:
        what = gettext("Every language needs as many options, in the same order.")
        yield Problem(what, part, place, f"options.{languages[-1]}")


def _in(what: str, tag: str, languages: Sequence[str]) -> str:
    return what if len(languages) == 1 else f"{what} ({tag})"


def _located(place: str, what: str, table: Mapping[str, Any]) -> Problem:
    """Return a problem of the file's check with its part and its field, where it names them."""
    found = _PLACE.match(place)
    if found is None:
        return Problem(refused_at(place, what), field=place.replace(" ", ".").replace(",", ""))
    kind, number, name, rest = found.groups()
    part = _PARTS[kind]
    ids = [each.get("id") for each in parts(table, part)]
    at = int(number) if number else ids.index(name) + 1 if name in ids else 1
    key = rest.split(" ")[0].strip(",")
    return Problem(refused_at(key, what), part, at, key)
