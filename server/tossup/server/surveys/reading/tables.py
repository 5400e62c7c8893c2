"""A survey file as a table whose keys and types are right; what is wrong is told by its line.

Its meaning is not looked at: see `tossup.server.surveys.file`.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, pre_load, validate

from tossup.server.exact import exact
from tossup.server.kinds import Answers, read_answers
from tossup.server.kinds.choosing import named
from tossup.server.surveys.looks import is_blank
from tossup.server.surveys.reading.places import Places
from tossup.shared.errors import TossupError
from tossup.shared.mechanisms.base import KeyForm

#: Where the TOML reader stopped, and half of a character as TOML escapes one, up to there.
_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)$")
_HALF: Final = re.compile(r"\\(?:u|U0000)([dD][89a-fA-F][0-9a-fA-F]{2})$")

#: A text, or one for each language.
Words = str | dict[str, str]

_WHOLE: Final = "_schema"  # marshmallow's key of what is wrong with a whole table
#: Marshmallow's messages for JSON, in words for TOML.
_WRONG_TYPES: Final = {
    "Missing data for required field": "is missing",
    "Not a valid string": 'must be a text in quotes, such as "habits"',
    "Not a valid integer": "must be a whole number without quotes, such as 365",
    "Not a valid list": 'must be a list, such as ["en"]',
    "Invalid input type": "must be a table of keys",
}
_TABLES: Final = {
    "publisher": "a table: [publisher], and name and contact below it",
    "waves": "a table: [waves], and count, first and days below it",
    "question": "tables: each under [[question]], with id and text below it",
    "attribute": "tables: each under [[attribute]], with id, text and answers below it",
    "option": "tables: each under [[question.option]] or [[attribute.option]], with id and label",
}


class SurveyFileError(TossupError):
    """A survey file that cannot become a manifest; ``problems`` are (place, what) pairs.

    ``places`` tell the line of each, where the file is TOML.
    """

    def __init__(self, problems: Sequence[tuple[str, str]], places: Places | None = None) -> None:
        shown = places.shown if places else _without_line
        super().__init__("\n".join(shown(place, what) for place, what in problems))
        self.problems = tuple(problems)


def _without_line(place: str, what: str) -> str:
    return f"{place}: {what}" if place else what


class _Words(fields.Field[Words]):
    """A text, or a table of texts by language."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Words:
        if isinstance(value, str):
            return value
        if isinstance(value, dict) and all(isinstance(text, str) for text in value.values()):
            return value
        raise ValidationError("must be a text, or a table of texts by language")


class _Exact(fields.Field[Fraction]):
    """A number exactly as written: 3, "5/2" or 0.5."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Fraction:
        if isinstance(value, str | int | Decimal) and not isinstance(value, bool):
            try:
                return exact(value)
            except ValueError:
                pass
        raise ValidationError('must be a number of a few digits, such as 3, "5/2" or 0.5')


class _Answers(fields.Field[Any]):
    """Labels of a choice, or a table of another kind of answers."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> list[str] | Answers:
        if isinstance(value, list) and all(isinstance(label, str) for label in value):
            return value
        try:
            return read_answers(value)
        except ValueError as error:
            raise ValidationError(str(error)) from error


class _Day(fields.Field[date]):
    """A TOML day: 2027-01-31, without quotes or with."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> date:
        try:
            return value if type(value) is date else date.fromisoformat(value)
        except (TypeError, ValueError) as error:
            raise ValidationError("must be a day, YYYY-MM-DD") from error


class _Table(Schema):
    """A TOML table that refuses keys it does not know and names the nearest one it does."""

    @pre_load
    def _refuse_unknown(self, data: Any, **_: Any) -> Any:
        known = [field.data_key or name for name, field in self.fields.items()]
        unknown = [key for key in data if key not in known] if isinstance(data, dict) else []
        if unknown:
            raise ValidationError({key: [_unknown(key, known)] for key in unknown})
        return data


def _unknown(key: str, known: Sequence[str]) -> str:
    nearest = get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"known are {', '.join(known)}"
    return f"unknown key; {hint}"


class _Known(validate.Validator):
    """A name among some; another is answered by the nearest one, or by where they stand."""

    def __init__(self, names: Sequence[str], where: str) -> None:
        self.names, self.where = names, where

    def __call__(self, name: str) -> str:
        """Return the name if it is known."""
        if name not in self.names:
            nearest = get_close_matches(name, self.names, n=1, cutoff=0.5)
            hint = f"did you mean {nearest[0]!r}?" if nearest else self.where
            raise ValidationError(f"is not known; {hint}")
        return name


class _OptionTable(_Table):
    id = fields.String(required=True)
    label = _Words(required=True)


def _shows_something(text: str) -> None:
    if text and is_blank(text):
        raise ValidationError("is blank: it shows nothing")


class _PublisherTable(_Table):
    name = fields.String(required=True, validate=_shows_something)
    contact = fields.String(required=True, validate=_shows_something)


class _AnyQuestionTable(_Table):
    id = fields.String(required=True)
    topic = fields.String()
    text = _Words(required=True)
    short = _Words()
    answers = _Answers()
    option = fields.List(fields.Nested(_OptionTable))
    mechanism = fields.String(
        validate=_Known(
            named.names(),
            "`tossup mechanism list` names them",
        )
    )
    odds = _Exact()
    epsilon = _Exact()
    delta = _Exact()
    weights = fields.Raw()
    refusal = fields.String(
        load_default="silent",
        validate=validate.OneOf(["silent", "randomized"], error="silent or randomized"),
    )
    refusal_label = _Words()
    unit = _Words()


#: What stands under a key that a mechanism says it takes.
_FIELDS: Final[Mapping[KeyForm, Callable[[], fields.Field[Any]]]] = {
    "ratio": _Exact,
    "ratios": lambda: fields.List(_Exact()),
    "integer": lambda: fields.Integer(strict=True),
    "any": fields.Raw,
}
_QuestionTable = _AnyQuestionTable.from_dict(
    {key: _FIELDS[form]() for key, form in named.forms_of_keys().items()}
)


class _AttributeTable(_Table):
    id = fields.String(required=True)
    text = _Words(required=True)
    answers = fields.List(fields.String())
    option = fields.List(fields.Nested(_OptionTable))


class _WavesTable(_Table):
    count = fields.Integer(strict=True, required=True)
    first = _Day(required=True)
    days = fields.Integer(strict=True, required=True)
    times = fields.Integer(strict=True)
    text = _Words()


class _SurveyTable(_Table):
    id = fields.String(required=True)
    title = _Words(required=True)
    purpose = _Words(required=True)
    languages = fields.List(fields.String())
    publisher = fields.Nested(_PublisherTable, required=True)
    linkage = fields.String(
        load_default="none", validate=validate.OneOf(["none", "joint"], error="none or joint")
    )
    minimum_batch = fields.Integer(strict=True)
    opens = _Day(load_default=None)
    closes = _Day(load_default=None)
    late_days = fields.Integer(strict=True)
    retention_days = fields.Integer(strict=True, load_default=365)
    results = fields.String(
        load_default="private",
        validate=validate.OneOf(["public", "private"], error="public or private"),
    )
    shown = fields.String(
        load_default="live",
        validate=validate.OneOf(["live", "daily", "closed"], error="live, daily or closed"),
    )
    question_cap = _Exact(
        validate=validate.Range(min=1, error="must be odds of at least 1, such as 9"),
    )
    question = fields.List(fields.Nested(_QuestionTable), required=True)
    attribute = fields.List(fields.Nested(_AttributeTable), load_default=list)
    waves = fields.Nested(_WavesTable)


def checked_table(text: str) -> dict[str, Any]:
    """Return the table of a survey file whose keys and types are right, for an editor.

    Raises
    ------
    SurveyFileError
        If it is not TOML, or has an unknown key, or a value of another type.
    """
    table = read(text)
    with lines_told(text):
        checked_keys(table)
    return table


@contextmanager
def lines_told(text: str) -> Iterator[None]:
    """Tell the lines of whatever is found wrong with a survey file meanwhile."""
    try:
        yield
    except SurveyFileError as error:
        raise SurveyFileError(error.problems, Places(text.removeprefix("\ufeff"))) from error


def read(text: str) -> dict[str, Any]:
    """Return the table of a TOML text, numbers as they are written; nothing in it is checked.

    Raises
    ------
    SurveyFileError
        If it is not TOML, or cannot be read.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        what = _half_escaped(text, str(error)) or f"not TOML: {error}"
        raise SurveyFileError([("", what)]) from error
    except (ValueError, ArithmeticError) as error:  # Python reads no number of so many digits
        raise SurveyFileError(
            [("", "holds a number of too many digits; write a few, such as 3 or 0.5")]
        ) from error
    except RecursionError as error:
        raise SurveyFileError(
            [("", "not a survey file: its lists are nested too deeply")]
        ) from error


def _half_escaped(text: str, refusal: str) -> str | None:
    """Return which half of a character the TOML reader refused, and where; None if none.

    JSON escapes an emoji as two halves, which TOML refuses by their place and without a name.
    """
    place = _PLACE.search(refusal)
    if place is None:
        return None
    line, column = int(place[1]), int(place[2])
    half = _HALF.search(text.removeprefix("\ufeff").split("\n")[line - 1][: column - 1])
    if half is None:
        return None
    return (
        f"not TOML: holds U+{half[1].upper()} (a lone surrogate, half of a character) at line"
        f" {line}, column {column - len(half[0])}; write the character itself"
    )


def checked_keys(table: dict[str, Any]) -> Mapping[str, Any]:
    """Return a file's table, read key by key and with defaults.

    Raises
    ------
    SurveyFileError
        If a key is missing or unknown, or its value is of another type.
    """
    try:
        checked: Mapping[str, Any] = _SurveyTable().load(table)
    except ValidationError as error:
        raise SurveyFileError(list(_places(error.messages))) from error
    return checked


def _places(messages: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Flatten marshmallow's messages to (place, what), questions counted from 1."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            name = f"{key + 1}" if isinstance(key, int) else str(key)
            yield from _places(inner, place if key == _WHOLE else f"{place} {name}".strip())
    elif isinstance(messages, list):
        for message in messages:
            yield place, _said(place.rpartition(" ")[2], str(message).rstrip("."))


def _said(key: str, message: str) -> str:
    """Return a message of marshmallow's as an author of TOML understands it."""
    if message in _WRONG_TYPES and key in _TABLES:
        return f"must be {_TABLES[key]}"
    return _WRONG_TYPES.get(message, message)
