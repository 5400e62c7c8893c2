"""What a visitor wants to know, read from the address: a question, and figures about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import isfinite
from typing import Any, Final

from tossup.server.exact import exact
from tossup.server.kinds import FORMS
from tossup.server.web.authoring import typed
from tossup.server.web.authoring.checking import question_alone
from tossup.server.web.pages.words.language import gettext
from tossup.server.web.pages.words.numbers import measured
from tossup.shared.waves import MAX_WAVES

#: What the form holds before anything is typed.
DEFAULTS: Final[Mapping[str, str]] = {
    "want": "margin",
    "margin": "5",
    "people": "1000",
    "difference": "10",
    "power": "80",
    "deviation": "2.5",
    "beyond": "10",
    "chance": "1",
    "limit": "9",
    "form": "yes_no",
    "options": "4",
    "mechanism": "",
    "odds": "3",
    "groups": "1",
    "waves": "1",
    "times": "",
    "confidence": "95",
} | {
    f"{form.name}.{field.name}": field.planned
    for form in FORMS.values()
    for field in form.fields
    if field.planned
}
#: What may be wanted, in the order of the form.
WANTS: Final = ("margin", "people", "difference", "demands")
MOST_PEOPLE: Final = 10**10
_MOST_GROUPS: Final = 1000
_MOST_OPTIONS: Final = 256
#: Waves need a first day; no figure depends on it.
_SOME_DAY: Final = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted of which question; parts of 1, not points of 100.

    Attributes
    ----------
    want
        One of `WANTS`.
    margin, people, difference, power
        As typed; each counts where it is wanted.
    demands
        The largest standard deviation, or None; an error and its chance, or None.
    limit
        The largest odds that answers may cost in all waves; None for what devices allow.
    odds
        Of the question in one wave.
    groups, confidence
        How many groups are compared, and of what the margins are.
    question
        What the question's form holds, and its waves, as pairs.
    """

    want: str
    margin: float
    people: int
    difference: float
    power: float
    demands: tuple[float | None, tuple[float, float] | None]
    limit: Fraction | None
    odds: Fraction
    groups: int
    confidence: float
    question: tuple[tuple[str, str], ...]

    @property
    def compared(self) -> int:
        """How many groups there are: a difference is one of two or more."""
        return max(self.groups, 2 if self.want == "difference" else 1)

    def file(self, odds: Fraction) -> str:
        """Return the file of a survey that asks the question at these odds."""
        given = {**dict(self.question), "odds": str(odds)}
        waves: dict[str, Any] = {"count": int(given["waves"]), "days": 7, "first": _SOME_DAY}
        waves |= {"times": int(given["times"])} if given["times"] else {}
        made = {"languages": ["en"], "question": [typed.question_written(given, ["en"])]}
        return question_alone(made | ({"waves": waves} if waves["count"] > 1 else {}), 1)


def read(form: Mapping[str, str]) -> tuple[Wish | None, dict[str, str]]:
    """Return the wish, or None and what is wrong with which field."""
    reader = _Reader(form)
    want = form["want"] if form["want"] in WANTS else WANTS[0]
    waves = int(reader.between("waves", 1, MAX_WAVES, is_whole=True))
    times = reader.optional("times", 1, waves, is_whole=True)
    options = int(reader.between("options", 2, _MOST_OPTIONS, is_whole=True))
    demands = _demands(reader) if want == "demands" else (None, None)
    made = Wish(
        want=want,
        margin=reader.between("margin", 0.01, 99) / 100 if want == "margin" else 0.05,
        people=int(reader.between("people", 1, MOST_PEOPLE, is_whole=True)),
        difference=reader.between("difference", 0.01, 99) / 100,
        power=reader.between("power", 1, 99.99) / 100,
        demands=demands,
        limit=reader.odds("limit") if want == "demands" and form["limit"].strip() else None,
        odds=reader.odds("odds"),
        groups=int(reader.between("groups", 1, _MOST_GROUPS, is_whole=True)),
        confidence=reader.between("confidence", 50, 99.99) / 100,
        question=_question(form, options, waves, times),
    )
    return (None if reader.wrong else made), reader.wrong


def _question(
    form: Mapping[str, str], options: int, waves: int, times: float | None
) -> tuple[tuple[str, str], ...]:
    """Return what the form of the question would hold in the editor, and the waves."""
    name = form["form"] if form["form"] in FORMS else "yes_no"
    labels = "\n".join(f"o{number}" for number in range(options))
    given = {f"{name}.{field.name}": "" for field in FORMS[name].fields}
    given |= {key: form.get(key, "") for key in given}
    given |= {"id": "q", "form": name, "text.en": "-", "options.en": labels}
    given |= {"mechanism": form["mechanism"]}
    given |= {"waves": str(waves), "times": "" if times is None else str(int(times))}
    return tuple(given.items())


def _demands(reader: "_Reader") -> tuple[float | None, tuple[float, float] | None]:
    deviation = reader.optional("deviation", 0.01, 99)
    beyond = reader.optional("beyond", 0.01, 99)
    chance = reader.optional("chance", 0.0001, 99)
    if (beyond is None) != (chance is None):
        missing = "beyond" if beyond is None else "chance"
        reader.wrong[missing] = gettext("An error and its chance go together.")
    elif deviation is None and beyond is None:
        reader.wrong["deviation"] = gettext("Demand something: this, or an error and its chance.")
    tail = None if beyond is None or chance is None else (beyond / 100, chance / 100)
    return None if deviation is None else deviation / 100, tail


class _Reader:
    """Numbers of a form. What is none becomes the least one, and is noted as wrong."""

    def __init__(self, form: Mapping[str, str]) -> None:
        self._form = form
        self.wrong: dict[str, str] = {}

    def between(self, name: str, low: float, high: float, *, is_whole: bool = False) -> float:
        """Return a number within bounds."""
        written = self._form.get(name, "").strip().replace(",", "")
        try:
            number = float(written)
        except ValueError:
            number = float("nan")
        fits = isfinite(number) and low <= number <= high
        if fits and (not is_whole or number == int(number)):
            return number
        bounds = {"low": measured(low), "high": measured(high)}
        self.wrong[name] = (
            gettext("A whole number from %(low)s to %(high)s.", **bounds)
            if is_whole
            else gettext("A number from %(low)s to %(high)s.", **bounds)
        )
        return low

    def optional(self, name: str, low: float, high: float, **more: bool) -> float | None:
        """Return a number within bounds; None if nothing was typed."""
        if not self._form.get(name, "").strip():
            return None
        return self.between(name, low, high, **more)

    def odds(self, name: str) -> Fraction:
        """Return odds, which are above 1."""
        try:
            odds = exact(self._form.get(name, "").strip())
        except ValueError:
            odds = Fraction(0)
        if odds <= 1 or odds.denominator > MOST_PEOPLE or odds > MOST_PEOPLE:
            self.wrong[name] = gettext("Odds above 1, such as 3 or 5/2.")
            return Fraction(3)
        return odds
