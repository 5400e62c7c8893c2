"""Surveys that ask again, as a survey file describes them: the waves.

Stage: authoring, before any answer.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from tossup.shared.errors import ManifestError
from tossup.shared.survey import WAVE, Attribute, Option, Survey, Text
from tossup.shared.waves import Waves

#: The name of the attribute that says the wave, where a file does not give one.
NAMES: Final[Mapping[str, str]] = {"zh": "轮次"}

_DEFAULT_NAME: Final = "Wave"


def waves_of(table: Mapping[str, Any]) -> Waves:
    """Return the waves of a ``[waves]`` table whose types have been checked.

    Raises
    ------
    ManifestError
        If they cannot be.
    """
    return Waves(table["count"], table["first"], table["days"], table.get("times"))


def wave_attribute(waves: Waves, text: Text) -> Attribute:
    """Return the public attribute that says the wave; labels hold its first day.

    >>> from datetime import date
    >>> wave_attribute(Waves(12, date(2027, 1, 4), 7), {"en": "Wave"}).options[1].label
    {'en': '2 (2027-01-11)'}
    """
    labels = (f"{n} ({waves.starts(n).isoformat()})" for n in range(1, waves.count + 1))
    return Attribute(
        WAVE,
        text,
        tuple(
            Option(name, dict.fromkeys(text, label))
            for name, label in zip(waves.options, labels, strict=True)
        ),
    )


def default_name(language: str) -> str:
    """Return what the attribute is called in a language.

    >>> default_name("en"), default_name("zh-Hans")
    ('Wave', '轮次')
    """
    return NAMES.get(language.partition("-")[0], _DEFAULT_NAME)


def check_against_days(survey: Survey) -> None:
    """Refuse a survey that is not open in its waves, or that has coins for waves and no waves.

    Raises
    ------
    ManifestError
        If so; the message says what to change.
    """
    for question in survey.questions:
        mechanism = question.mechanism
        if survey.waves is None and (mechanism.has_memo or mechanism.keeps_answer):
            raise ManifestError(
                f"{question.id!r}: {mechanism.name} is for surveys that ask again; add a"
                " table [waves], or take another mechanism"
            )
    if survey.waves is None:
        return
    opens, closes = survey.opens or date.min, survey.closes or date.max
    if survey.waves.first < opens or survey.waves.starts(survey.waves.count) > closes:
        raise ManifestError("the survey must be open on the first day of each of its waves")
