"""Surveys that ask again, as a survey file describes them: the waves, and coins for them.

Stage: authoring, before any answer.
"""

from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final

from tossup.shared.errors import ManifestError, MechanismError
from tossup.shared.mechanisms import (
    Mechanism,
    MemoMechanism,
    PermanentInstantaneous,
    Rappor,
)
from tossup.shared.odds import largest_root
from tossup.shared.survey import Attribute, Option, Survey, Text
from tossup.shared.waves import WAVE, Waves

#: What the attribute that says the wave is called, where a file does not say.
NAMES: Final[Mapping[str, str]] = {"zh": "轮次"}

_DEFAULT_NAME: Final = "Wave"
_DEFAULT_AGAIN: Final = Fraction(3)


def _permanent_instantaneous(odds: Fraction, again: Fraction, options: int) -> Mechanism:
    return PermanentInstantaneous(options, *odds.as_integer_ratio(), *again.as_integer_ratio())


def _rappor(odds: Fraction, again: Fraction, options: int) -> Mechanism:
    one, zero = again.as_integer_ratio()
    bit = largest_root(odds)
    return Rappor(options, *bit.as_integer_ratio(), one, zero, one + zero)


#: Mechanisms that keep one thing and report another, as survey files name them: made of the odds
#: for life, those of the coins of each report, and the number of options.
MAKERS: Final[Mapping[str, Callable[[Fraction, Fraction, int], Mechanism]]] = {
    "permanent-instantaneous": _permanent_instantaneous,
    "rappor": _rappor,
}


def make(name: str, odds: Fraction, again: Fraction | None, options: int) -> Mechanism:
    """Return the mechanism with this name in `MAKERS`.

    Parameters
    ----------
    odds
        Those of what a device keeps, for life.
    again
        Those of the coins that each report is tossed with; 3 by default.
    options
        Number of options; 2 for yes/no.

    Raises
    ------
    MechanismError
        If either odds are not above 1, or need weights above 2**32.

    Examples
    --------
    >>> make("permanent-instantaneous", Fraction(9), None, 2).odds
    Fraction(7, 3)
    """
    again = _DEFAULT_AGAIN if again is None else again
    for what, given in (("odds", odds), ("again", again)):
        if given <= 1:
            raise MechanismError(f"{what} ({given}) must be above 1: at 1 all answers look alike")
    return MAKERS[name](odds, again, options)


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
    """Refuse a survey that is not open in its waves, or has coins for waves and none.

    Raises
    ------
    ManifestError
        If so; the message says what to change.
    """
    for question in survey.questions:
        mechanism = question.mechanism
        keeps = isinstance(mechanism, MemoMechanism) or mechanism.memory != mechanism
        if survey.waves is None and keeps:
            raise ManifestError(
                f"{question.id!r}: {mechanism.name} is for surveys that ask again; add a"
                " table [waves], or take another mechanism"
            )
    if survey.waves is None:
        return
    opens, closes = survey.opens or date.min, survey.closes or date.max
    if survey.waves.first < opens or survey.waves.starts(survey.waves.count) > closes:
        raise ManifestError("the survey must be open on the first day of each of its waves")
