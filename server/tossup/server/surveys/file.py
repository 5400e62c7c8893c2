"""A survey as its author writes it: a TOML file that becomes a manifest.

Stage: authoring, before signing. A file says little and the rest has defaults. An error names the
place of what is wrong, and for an unknown key the nearest known one. The file holds no key of a
publisher: the key that signs the survey decides who publishes it.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from math import ceil
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, pre_load, validate

from tossup.server.exact import exact
from tossup.server.kinds import Answers, Wanted, read_answers
from tossup.server.kinds.choosing import named
from tossup.server.kinds.choosing import options as option_designs
from tossup.server.kinds.needed import minimum_batch
from tossup.server.surveys import waves as wave_designs
from tossup.server.surveys.labels import ids_of, look_alike, with_refusal
from tossup.server.surveys.looks import is_blank
from tossup.server.surveys.places import Places
from tossup.shared.errors import ManifestError, MechanismError, TossupError
from tossup.shared.figures import brief
from tossup.shared.kinds import of_options
from tossup.shared.kinds.base import Domain
from tossup.shared.mechanisms import (
    Mechanism,
)
from tossup.shared.mechanisms.base import KeyForm
from tossup.shared.odds import chance_as_text, epsilon, odds_as_text
from tossup.shared.survey import Attribute, Option, Publisher, Question, Survey, Text, is_id
from tossup.shared.waves import Waves

#: What a device spends on one question, over all of its waves, unless its host app says otherwise.
QUESTION_CAP: Final = Fraction(9)
#: What a device spends on one publisher unless its host app says otherwise: six two-coin answers.
DEVICE_CAP: Final = Fraction(729)
#: The chance for which a device lets odds fail, over its whole life, unless its host app says so.
DELTA_CAP: Final = Fraction(1, 100_000)
#: For how many days reports that were tossed in time are counted, unless a file says otherwise.
LATE_DAYS: Final = 7

#: Where the TOML reader stopped, and half of a character as TOML escapes one, up to there.
_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)$")
_HALF: Final = re.compile(r"\\(?:u|U0000)([dD][89a-fA-F][0-9a-fA-F]{2})$")

_WORDS = str | dict[str, str]

_ID_RULE: Final = "must be 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit"
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


class TooCostlyError(TossupError):
    """A survey that costs a respondent more than devices allow. Refused for privacy."""


class _Words(fields.Field[_WORDS]):
    """A text, or a table of texts by language."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> _WORDS:
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
        load_default=QUESTION_CAP,
        validate=validate.Range(min=1, error="must be odds of at least 1, such as 9"),
    )
    question = fields.List(fields.Nested(_QuestionTable), required=True)
    attribute = fields.List(fields.Nested(_AttributeTable), load_default=list)
    waves = fields.Nested(_WavesTable)


def load_survey(
    text: str, publisher_key: bytes, *, version: int = 1, previous: str | None = None
) -> Survey:
    """Return the survey that a survey file describes, to be signed with the publisher's key.

    Parameters
    ----------
    text
        The file's content, TOML, with or without a byte order mark.
        ``docs/reference/survey-file.md`` describes every key.
    publisher_key
        32 raw bytes: the public key that devices will pin.
    version, previous
        1 and None for a new survey; otherwise the next version and the digest of the last one.

    Raises
    ------
    SurveyFileError
        If the file is not TOML, or something in it is missing, unknown or inconsistent.
    TooCostlyError
        If answering everything costs more than a device allows one publisher, or a question more
        than the file's ``question_cap``.
    """
    table = _read(text)
    try:
        checked = _checked(table)
        survey = _survey(checked, publisher_key, version, previous)
    except SurveyFileError as error:
        raise SurveyFileError(error.problems, Places(text.removeprefix("\ufeff"))) from error
    _refuse_if_costly(survey)
    _refuse_if_question_is_costly(survey, checked["question_cap"])
    return survey


def checked_table(text: str) -> dict[str, Any]:
    """Return the table of a survey file whose keys and types are right, for an editor.

    Raises
    ------
    SurveyFileError
        If it is not TOML, or has an unknown key, or a value of another type.
    """
    table = _read(text)
    try:
        _checked(table)
    except SurveyFileError as error:
        raise SurveyFileError(error.problems, Places(text.removeprefix("\ufeff"))) from error
    return table


def _read(text: str) -> dict[str, Any]:
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


def _checked(table: dict[str, Any]) -> Mapping[str, Any]:
    """Return a file's table if every key is known and of its type."""
    try:
        checked: Mapping[str, Any] = _SurveyTable().load(table)
    except ValidationError as error:
        raise SurveyFileError(list(_places(error.messages))) from error
    return checked


def _survey(table: Mapping[str, Any], key: bytes, version: int, previous: str | None) -> Survey:
    languages = _languages(table)
    _check_ids(table)
    questions = tuple(_question(part, languages) for part in table["question"])
    default_batch = minimum_batch(question.mechanism for question in questions)
    attributes = tuple(_attribute(part, languages) for part in table["attribute"])
    try:
        waves = wave_designs.waves_of(table["waves"]) if "waves" in table else None
        if waves is not None:
            attributes += (_wave_attribute(table["waves"], waves, languages),)
        survey = Survey(
            id=table["id"],
            version=version,
            previous=previous,
            publisher=Publisher(table["publisher"]["name"], key, table["publisher"]["contact"]),
            title=_text(table["title"], languages, "title"),
            purpose=_text(table["purpose"], languages, "purpose"),
            languages=languages,
            questions=questions,
            attributes=attributes,
            linkage=table["linkage"],
            minimum_batch=table.get("minimum_batch", default_batch),
            opens=table["opens"],
            closes=table["closes"],
            late_days=table.get("late_days", LATE_DAYS if table["closes"] else 0),
            retention_days=table["retention_days"],
            results=table["results"],
            shown=table["shown"],
            waves=waves,
        )
        wave_designs.check_against_days(survey)
    except ManifestError as error:
        raise SurveyFileError([("", str(error))]) from error
    return survey


def _check_ids(table: Mapping[str, Any]) -> None:
    """Refuse ids that are none, or that two questions or attributes have, each with its place."""
    problems, seen = [], set()
    for kind in ("question", "attribute"):
        for number, part in enumerate(table[kind], 1):
            place, own = f"{kind} {number} id", part["id"]
            if not is_id(own):
                problems.append((place, _ID_RULE))
            if own in seen:
                problems.append((place, "is that of an earlier question or attribute, too"))
            seen.add(own)
    if not is_id(table["id"]):
        problems.append(("id", _ID_RULE))
    if problems:
        raise SurveyFileError(problems)


def _wave_attribute(
    table: Mapping[str, Any], waves: Waves, languages: tuple[str, ...]
) -> Attribute:
    default = {language: wave_designs.default_name(language) for language in languages}
    text = _text(table.get("text", default), languages, "waves, text")
    return wave_designs.wave_attribute(waves, text)


def _languages(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the languages named, or those of the title, or English."""
    title = table["title"]
    return tuple(table.get("languages", title if isinstance(title, dict) else ["en"]))


def _text(words: _WORDS, languages: tuple[str, ...], place: str) -> Text:
    given = {languages[0]: words} if isinstance(words, str) and languages else words
    if not isinstance(given, dict) or set(given) != set(languages):
        raise SurveyFileError([(place, f"must be given in each of {', '.join(languages)}")])
    if any(word and is_blank(word) for word in given.values()):
        raise SurveyFileError([(place, "is blank: it shows nothing")])
    return {language: given[language] for language in languages}


def _question(part: Mapping[str, Any], languages: tuple[str, ...]) -> Question:
    place = f"question {part['id']!r}"
    kind = _kind(part)
    options = _options(part, kind.labels if kind else part.get("answers"), languages, place)
    options = _refusable(part, kind, options, languages, place)
    try:
        ids = tuple(option.id for option in options)
        domain = kind.domain(ids) if kind else of_options(ids)
        named.check_keys(domain.kind, part)
        named.check_delta(domain.kind, part)
        mechanism = (
            _of_kind(part, kind, domain) if kind else option_designs.for_options(part, options)
        )
    except (MechanismError, ManifestError) as error:
        raise SurveyFileError([(place, str(error))]) from error
    text = _text(part["text"], languages, f"{place}, text")
    topic = part.get("topic", part["id"])
    unit = _unit(part, domain, languages, place)
    short = _text(part["short"], languages, f"{place}, short") if "short" in part else None
    return Question(
        part["id"], topic, text, options, mechanism, domain, part["refusal"], unit, short
    )


def _unit(
    part: Mapping[str, Any], domain: Domain, languages: tuple[str, ...], place: str
) -> Text | None:
    if "unit" not in part:
        return None
    if not domain.may_have_unit:
        raise SurveyFileError([(place, "unit says what a number counts; leave it out here")])
    return _text(part["unit"], languages, f"{place}, unit")


def _refusable(
    part: Mapping[str, Any],
    kind: Answers | None,
    options: tuple[Option, ...],
    languages: tuple[str, ...],
    place: str,
) -> tuple[Option, ...]:
    """Return the options, with one for not answering where that goes through the coins."""
    if part["refusal"] == "silent":
        if "refusal_label" in part:
            raise SurveyFileError([(place, 'refusal_label goes with refusal = "randomized"')])
        return options
    if kind:
        rule = 'refusal = "randomized" is for yes/no and choices; leave it out to send nothing'
        raise SurveyFileError([(place, rule)])
    words = part.get("refusal_label")
    label = None if words is None else _text(words, languages, f"{place}, refusal_label")
    try:
        return with_refusal(options, languages, label)
    except ValueError as error:
        raise SurveyFileError([(place, str(error))]) from error


def _kind(part: Mapping[str, Any]) -> Answers | None:
    """Return what answers are neither one of some options nor yes and no; None if they are."""
    answers = part.get("answers")
    return None if answers is None or isinstance(answers, list) else answers


def _of_kind(part: Mapping[str, Any], kind: Answers, domain: Domain) -> Mechanism:
    if "weights" in part:
        raise MechanismError("takes odds or epsilon, and no weights")
    if "odds" in part and "epsilon" in part:
        raise MechanismError("takes one of odds and epsilon")
    return kind.mechanism(domain, Wanted(option_designs.asked_for(part), part))


def _attribute(part: Mapping[str, Any], languages: tuple[str, ...]) -> Attribute:
    place = f"attribute {part['id']!r}"
    text = _text(part["text"], languages, f"{place}, text")
    return Attribute(part["id"], text, _options(part, part.get("answers"), languages, place))


def _options(
    part: Mapping[str, Any], labels: Sequence[str] | None, languages: tuple[str, ...], place: str
) -> tuple[Option, ...]:
    """Return the options from option tables, or from labels; none without either."""
    if [] in (labels, part.get("option")):
        raise SurveyFileError([(place, "has no answers; leave the key out to ask for yes or no")])
    if labels and "option" in part:
        raise SurveyFileError([(place, "takes answers or option tables, not both")])
    tables = part.get("option") or [
        {"id": option_id, "label": label}
        for option_id, label in zip(ids_of(labels or ()), labels or (), strict=True)
    ]
    options = tuple(
        Option(table["id"], _text(table["label"], languages, f"{place}, option {table['id']!r}"))
        for table in tables
    )
    alike = look_alike(options)
    if alike:
        raise SurveyFileError([(place, f"{alike}; nobody can tell which is which")])
    return options


def _refuse_if_costly(survey: Survey) -> None:
    if survey.delta > DELTA_CAP:
        raise TooCostlyError(
            f"with a chance of up to {chance_as_text(survey.delta)} a report would tell more than"
            f" its odds allow; devices accept {chance_as_text(DELTA_CAP)} in their whole life. Ask"
            " for a smaller delta, or use a mechanism without one"
        )
    if survey.odds > DEVICE_CAP:
        parts = " x ".join(brief(survey.cost(question)) for question in survey.questions)
        product = f"{parts} = {brief(survey.odds)}" if len(survey.questions) > 1 else parts
        raise TooCostlyError(
            f"answering everything costs odds of {product}"
            f" (epsilon {epsilon(survey.odds)}), above the {DEVICE_CAP} that a device allows one"
            " publisher, so every device would refuse part of it. Ask fewer questions, in fewer"
            " waves, or give them lower odds"
        )


def _refuse_if_question_is_costly(survey: Survey, cap: Fraction) -> None:
    for question in survey.questions:
        cost = survey.cost(question)
        if cost > cap:
            raise TooCostlyError(
                f"question {question.id!r} costs odds of {odds_as_text(cost)}, above the"
                f" {odds_as_text(cap)} that devices allow one question unless their app says"
                f" otherwise: whoever reads what is sent may be right about a truth"
                f" {_share_right(cost)} of the time. Give it lower odds or fewer waves; or set"
                f" question_cap = {_written(cost)} at the top of the file, and the same in every"
                " app that asks it: Client(..., question_cap=...)"
            )


def _share_right(odds: Fraction) -> str:
    """Return how often a guess is right at these odds, at most, where both answers are as likely.

    >>> _share_right(Fraction(729)), _share_right(Fraction(3))
    ('99.87 %', '75.00 %')
    """
    hundredths = ceil(10_000 * odds / (odds + 1))
    return f"{hundredths // 100}.{hundredths % 100:02} %"


def _written(odds: Fraction) -> str:
    """Return the next whole odds, as a survey file says them."""
    return brief(Fraction(ceil(odds)))


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
