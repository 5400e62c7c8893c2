"""The parts of a survey file as what people type into a form, and back.

Stage: authoring. Nothing is lost either way: what no field stands for is in one field more, as the
file writes it. What is typed is never refused here; the check of the file says what is wrong.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import zip_longest
from typing import Any, Final

from tossup.server.kinds import FORMS
from tossup.server.kinds.editing.forms import is_labels, value_of
from tossup.server.surveys.labels import ids_of
from tossup.server.surveys.writing import inline

Table = dict[str, Any]
#: What stands in a form's fields, by their names.
Typed = dict[str, str]

#: The field of what no other field stands for.
MORE: Final = "more"
_NUMBERS: Final = ("late_days", "minimum_batch", "retention_days", "question_cap")
_DAYS: Final = ("opens", "closes")
_LINES: Final = ("id", "linkage", "results", "shown")
_WAVES: Final = ("count", "first", "days", "times")


class NotToml(ValueError):  # noqa: N818 - reads as the condition
    """What stands in the field `MORE` is no TOML; the message says where."""


def survey_typed(table: Mapping[str, Any]) -> Typed:
    """Return what the form of a survey shows: all but its questions and groups."""
    left = {key: part for key, part in table.items() if key not in ("question", "attribute")}
    languages = languages_of(left)
    left.pop("languages", None)
    typed = {"languages": ", ".join(languages)}
    for key in ("title", "purpose"):
        typed |= _words_typed(left, key, languages)
    for key in (*_LINES, *_NUMBERS, *_DAYS):
        typed[key] = _take(left, key, str | int | Decimal | date)
    publisher = _table(left, "publisher")
    for key in ("name", "contact"):
        typed[f"publisher.{key}"] = _take(publisher, key, str)
    waves = _table(left, "waves")
    for key in _WAVES:
        typed[f"waves.{key}"] = _take(waves, key, str | int | date)
    typed |= {
        f"waves.{name}": part for name, part in _words_typed(waves, "text", languages).items()
    }
    left |= {key: part for key, part in (("publisher", publisher), ("waves", waves)) if part}
    return typed | {MORE: _as_lines(left)}


def survey_written(table: Mapping[str, Any], typed: Mapping[str, str]) -> Table:
    """Return a survey's table with what its form holds; questions and groups stay.

    Raises
    ------
    NotToml
        If the field of what else there is holds no TOML.
    """
    languages = _listed(typed.get("languages", "")) or ["en"]
    made: Table = {"id": typed.get("id", "").strip()}
    for key in ("title", "purpose"):
        made[key] = _words_written(typed, key, languages) or ""
    made["languages"] = languages
    for key in (*_LINES[1:], *_NUMBERS, *_DAYS):
        if value := typed.get(key, "").strip():
            made[key] = _read(key, value)
    made["publisher"] = {
        key: typed.get(f"publisher.{key}", "").strip() for key in ("name", "contact")
    }
    waves: Table = {
        key: _read(key, value) for key in _WAVES if (value := typed.get(f"waves.{key}", "").strip())
    }
    if text := _words_written(typed, "waves.text", languages):
        waves["text"] = text
    made |= {"waves": waves} if waves else {}
    kept = {key: table[key] for key in ("attribute", "question") if key in table}
    return _merged(made, _from_lines(typed.get(MORE, ""))) | kept


def question_typed(part: Mapping[str, Any], languages: Sequence[str]) -> Typed:
    """Return what the form of a question shows; ``form`` names how it is asked."""
    left = dict(part)
    typed = {key: _take(left, key, str) for key in ("id", "topic", "mechanism", "refusal")}
    for key in ("text", "short", "refusal_label", "unit"):
        typed |= _words_typed(left, key, languages)
    for key in ("odds", "epsilon"):
        typed[key] = _take(left, key, str | int | Decimal)
    tables = _tables_of(left)
    for name, form in FORMS.items():
        read = form.read(left.get("answers"), has_tables=tables is not None)
        if read is not None:
            values, labels = read
            typed |= {f"{name}.{key}": value for key, value in values.items()}
            typed |= _options_typed(labels, tables, languages)
            left.pop("answers", None)
            left.pop("option", None)
            return typed | {"form": name, MORE: _as_lines(left)}
    return typed | {"form": "", MORE: _as_lines(left)}


def question_written(typed: Mapping[str, str], languages: Sequence[str]) -> Table:
    """Return a question's table for what its form holds.

    Raises
    ------
    NotToml
        If the field of what else there is holds no TOML.
    """
    made: Table = {"id": typed.get("id", "").strip()}
    made |= _lines_written(typed, ("topic",))
    made["text"] = _words_written(typed, "text", languages) or ""
    if short := _words_written(typed, "short", languages):
        made["short"] = short
    form = FORMS.get(typed.get("form", ""))
    if form is not None:
        labels, tables = ([], None) if form.labels is None else _options(typed, languages)
        fields = {field.name: typed.get(f"{form.name}.{field.name}", "") for field in form.fields}
        answers = form.write(fields, labels, has_tables=tables is not None)
        made |= {} if answers is None else {"answers": answers}
        made |= {} if tables is None else {"option": tables}
    made |= _lines_written(typed, ("mechanism", "refusal"))
    for key in ("odds", "epsilon"):
        if value := typed.get(key, "").strip():
            made[key] = value_of(value)
    for key in ("refusal_label", "unit"):
        if words := _words_written(typed, key, languages):
            made[key] = words
    return _merged(made, _from_lines(typed.get(MORE, "")))


def group_typed(part: Mapping[str, Any], languages: Sequence[str]) -> Typed:
    """Return what the form of a public attribute shows."""
    left = dict(part)
    typed = {"id": _take(left, "id", str)} | _words_typed(left, "text", languages)
    tables = _tables_of(left)
    labels = left.get("answers")
    if tables is not None or is_labels(labels):
        typed |= _options_typed(labels or (), tables, languages)
        left.pop("answers", None)
        left.pop("option", None)
    return typed | {MORE: _as_lines(left)}


def group_written(typed: Mapping[str, str], languages: Sequence[str]) -> Table:
    """Return a public attribute's table for what its form holds.

    Raises
    ------
    NotToml
        If the field of what else there is holds no TOML.
    """
    made: Table = {
        "id": typed.get("id", "").strip(),
        "text": _words_written(typed, "text", languages) or "",
    }
    labels, tables = _options(typed, languages)
    made |= {"answers": labels} if tables is None else {"option": tables}
    return _merged(made, _from_lines(typed.get(MORE, "")))


def languages_of(table: Mapping[str, Any]) -> list[str]:
    """Return the languages of a survey file: those it names, those of its title, or English."""
    title, named = table.get("title"), table.get("languages")
    if isinstance(named, list) and named and all(isinstance(tag, str) for tag in named):
        return named
    return [*title] if isinstance(title, Mapping) and title else ["en"]


def new_id(label: str, taken: Iterable[str]) -> str:
    """Return an id made of a label's letters that is not taken yet.

    >>> new_id("Nightlife & health", ["nightlife_health"])
    'nightlife_health_2'
    """
    names = set(taken)
    made = ids_of([label])[0]
    places = (made if n == 1 else f"{made[:60]}_{n}" for n in range(1, len(names) + 2))
    return next(name for name in places if name not in names)


def _take(table: Table, key: str, kinds: Any) -> str:
    """Take a plain value out of a table, as it is typed; empty where it is none."""
    value = table.get(key)
    if not isinstance(value, kinds) or isinstance(value, bool):
        return ""
    del table[key]
    return value.isoformat() if isinstance(value, date) else str(value)


def _table(left: Table, key: str) -> Table:
    """Take a table out of another one, as a copy; an empty one where it is none."""
    return dict(left.pop(key)) if isinstance(left.get(key), Mapping) else {}


def _tables_of(part: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Return option tables that say an id and a label each and nothing else; else None."""
    tables = part.get("option")
    is_plain = isinstance(tables, list) and all(
        isinstance(each, Mapping)
        and isinstance(each.get("id"), str)
        and isinstance(each.get("label"), str | Mapping)
        and len(each) == len(("id", "label"))
        for each in tables
    )
    return tables if is_plain and tables else None


def _words_typed(left: Table, key: str, languages: Sequence[str]) -> Typed:
    """Take texts out of a table: one for each language, by ``key.language``."""
    value = left.get(key)
    given = {languages[0]: value} if isinstance(value, str) else value
    is_words = isinstance(given, Mapping) and set(given) <= set(languages)
    if is_words:
        del left[key]
    known: Mapping[str, Any] = given if is_words and isinstance(given, Mapping) else {}
    return {f"{key}.{tag}": str(known.get(tag, "")) for tag in languages}


def _words_written(
    typed: Mapping[str, str], key: str, languages: Sequence[str]
) -> str | dict[str, str]:
    """Return texts as a file writes them: one text where there is one language."""
    texts = {tag: _clean(typed.get(f"{key}.{tag}", "")) for tag in languages}
    given = {tag: text for tag, text in texts.items() if text}
    return given.get(languages[0], "") if len(languages) == 1 else given


def _options_typed(
    labels: Sequence[str], tables: Sequence[Mapping[str, Any]] | None, languages: Sequence[str]
) -> Typed:
    """Return options as lines: of their labels in each language, and of their ids."""
    ids = [] if tables is None else [each["id"] for each in tables]
    said = [
        {languages[0]: label} if isinstance(label, str) else label
        for label in (labels if tables is None else [each["label"] for each in tables])
    ]
    lines = {f"options.{tag}": "\n".join(each.get(tag, "") for each in said) for tag in languages}
    return lines | {"ids": "\n".join(ids)}


def _options(
    typed: Mapping[str, str], languages: Sequence[str]
) -> tuple[list[str], list[Table] | None]:
    """Return labels; or option tables where there are ids, or more than one language."""
    columns = [_clean(typed.get(f"options.{tag}", "")).split("\n") for tag in languages]
    rows = [tuple(map(str.strip, row)) for row in zip_longest(*columns, fillvalue="")]
    rows = [row for row in rows if any(row)]
    ids = [line.strip() for line in _clean(typed.get("ids", "")).split("\n") if line.strip()]
    first = [row[0] for row in rows]
    if len(languages) == 1 and not ids:
        return first, None
    made = ids_of(first)
    names = [*ids, *made[len(ids) :]][: len(rows)]
    return [], [
        {"id": name, "label": _one_or_all(dict(zip(languages, row, strict=True)))}
        for name, row in zip(names, rows, strict=True)
    ]


def _one_or_all(label: dict[str, str]) -> str | dict[str, str]:
    """Return a label as a file writes it: one text where there is one language."""
    given = {tag: text for tag, text in label.items() if text}
    return next(iter(label.values())) if len(label) == 1 else given


def _lines_written(typed: Mapping[str, str], keys: Iterable[str]) -> Table:
    return {key: value for key in keys if (value := typed.get(key, "").strip())}


def _read(key: str, value: str) -> Any:
    """Return a typed value as a file writes it: a day, a number, or the text that it is."""
    if key in (*_DAYS, "first"):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return value
    return value_of(value) if key in (*_NUMBERS, *_WAVES) else value


def _as_lines(table: Mapping[str, Any]) -> str:
    return "\n".join(f"{key} = {inline(value)}" for key, value in table.items())


def _from_lines(lines: str) -> Table:
    try:
        return tomllib.loads(_clean(lines), parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise NotToml(str(error)) from error


def _merged(made: Table, more: Mapping[str, Any]) -> Table:
    """Return a table with what else it says; tables within it are put together."""
    for key, value in more.items():
        is_both = isinstance(made.get(key), dict) and isinstance(value, dict)
        made[key] = {**made[key], **value} if is_both else value
    return made


def _listed(text: str) -> list[str]:
    return [part for part in text.replace(",", " ").replace("，", " ").split() if part]


def _clean(text: str) -> str:
    """Return a text with the line ends of this system, and none at its end."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n ")
