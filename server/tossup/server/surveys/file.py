"""A survey as its author writes it: a TOML file that becomes a manifest.

Stage: authoring, before signing. A file says little and the rest has defaults. An error names the
place of what is wrong, and for an unknown key the nearest known one. The file holds no key of a
publisher: the key that signs the survey decides who publishes it.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, Final

from tossup.server.kinds import Answers, Wanted
from tossup.server.kinds.choosing import named
from tossup.server.kinds.choosing import options as option_designs
from tossup.server.kinds.needed import minimum_batch
from tossup.server.surveys import waves as wave_designs
from tossup.server.surveys.labels import ids_of, look_alike, with_refusal
from tossup.server.surveys.looks import is_blank
from tossup.server.surveys.reading.tables import (
    SurveyFileError,
    Words,
    checked_keys,
    lines_told,
    read,
)
from tossup.shared.errors import ManifestError, MechanismError, TossupError
from tossup.shared.figures import brief
from tossup.shared.kinds import of_options
from tossup.shared.kinds.base import Domain
from tossup.shared.mechanisms import (
    Mechanism,
)
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

_ID_RULE: Final = "must be 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit"


class TooCostlyError(TossupError):
    """A survey that costs a respondent more than devices allow. Refused for privacy."""


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
    table = read(text)
    with lines_told(text):
        checked = checked_keys(table)
        survey = _survey(checked, publisher_key, version, previous)
    _refuse_if_costly(survey)
    _refuse_if_question_is_costly(survey, checked.get("question_cap", QUESTION_CAP))
    return survey


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


def _text(words: Words, languages: tuple[str, ...], place: str) -> Text:
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
