"""Mechanisms by the names that survey files call them, for each kind of question.

Stage: authoring, before any answer. Everything is read off the registry: a mechanism that is
registered may be named, is made by its own `Mechanism.from_file`, and where it says so is compared
with the others of its kind.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from tossup.server.kinds.choosing import paper
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import MECHANISMS, Mechanism, names_in_files
from tossup.shared.mechanisms.base import KeyForm
from tossup.shared.mechanisms.checks import check_above_one

Design = TypeVar("Design", bound=Mechanism)


@cache
def for_kind(kind: str) -> Mapping[str, type[Mechanism]]:
    """Return the mechanisms that questions of a kind may name, by their names in survey files.

    >>> [*for_kind("several")]
    ['per-option-bits', 'sampled-options', 'unrelated-question']
    """
    found = {
        name: mechanism
        for mechanism in MECHANISMS.values()
        if kind in (mechanism.questions or (mechanism.answer_kind,))
        for name in names_in_files(mechanism)
    }
    return MappingProxyType(found)


@cache
def compared(kind: str) -> Mapping[str, type[Mechanism]]:
    """Return those of which ``mechanism = "auto"`` takes the best; of equals, the first.

    >>> [*compared("several")]
    ['per-option-bits', 'sampled-options']
    """
    return MappingProxyType({name: each for name, each in for_kind(kind).items() if each.in_auto})


@cache
def names() -> tuple[str, ...]:
    """Return all that survey files may name: mechanisms, and designs known from paper."""
    registered = (name for each in MECHANISMS.values() for name in names_in_files(each))
    return (*dict.fromkeys(("auto", *registered, *paper.NAMES)),)


@cache
def takers() -> Mapping[str, tuple[str, ...]]:
    """Return the keys that only some mechanisms take, and the names of these.

    >>> takers()["memory"]
    ('one-bit-mean', 'd-bit-flip')
    """
    found: dict[str, dict[str, None]] = {}
    for name, keys in _keys():
        for key in keys:
            found.setdefault(key, {})[name] = None
    return MappingProxyType({key: (*names,) for key, names in found.items()})


@cache
def forms_of_keys() -> Mapping[str, KeyForm]:
    """Return what stands under the keys that only some mechanisms take.

    >>> forms_of_keys()["memory"]
    'ratio'
    """
    return MappingProxyType({key: form for _, keys in _keys() for key, form in keys.items()})


def _keys() -> Iterator[tuple[str, Mapping[str, KeyForm]]]:
    """Yield every name in survey files that takes keys of its own, with these."""
    yield from paper.KEYS.items()
    for mechanism in MECHANISMS.values():
        for name in names_in_files(mechanism):
            yield name, mechanism.keys


def check_keys(kind: str, part: Mapping[str, Any]) -> None:
    """Refuse keys of a question's table that what it names does not take.

    Parameters
    ----------
    kind
        That of the question: scores that options are chosen by are no order's, for example.

    Raises
    ------
    MechanismError
        If there are any.
    """
    name, of_kind = part.get("mechanism", ""), for_kind(kind)
    for key, of_key in takers().items():
        own = [each for each in of_key if _takes(kind, each, key)]
        if key not in part or name in own or (name in of_key and name not in of_kind):
            continue  # what does not fit the question is refused as such
        raise MechanismError(
            f"takes {key} with mechanism {' or '.join(own)} alone"
            if own
            else f"takes odds or epsilon, and no {key}"
        )


def _takes(kind: str, name: str, key: str) -> bool:
    """Return whether what a question of a kind calls by a name takes a key in such a question."""
    mechanism = for_kind(kind).get(name)
    if mechanism is None:
        return kind == "yes_no" and key in paper.KEYS.get(name, ())
    return key in mechanism.keys and kind in {mechanism.answer_kind, "yes_no"}


def check_delta(kind: str, part: Mapping[str, Any]) -> None:
    """Refuse a chance for which odds need not hold, of a mechanism whose odds always do.

    Raises
    ------
    MechanismError
        If the table has one for such a mechanism.
    """
    takes = [name for name, each in for_kind(kind).items() if each.takes_delta]
    if part.get("delta") is not None and part.get("mechanism") not in takes:
        raise MechanismError(
            f"delta is for {' or '.join(takes)}; other mechanisms have none"
            if takes
            else "odds are kept without exception; leave delta out"
        )


def odds_asked(
    within: Callable[[Decimal, int, Mapping[str, Any]], Fraction],
    odds: Fraction | Decimal,
    answers: int,
    part: Mapping[str, Any],
) -> Fraction:
    """Return odds as they are, or the largest ratio up to e**epsilon that a mechanism has.

    Parameters
    ----------
    within
        Its `Mechanism.odds_within`.

    Raises
    ------
    MechanismError
        If they are not above 1, where all answers look alike.
    """
    if isinstance(odds, Decimal):
        odds = within(odds, answers, part)
    check_above_one(odds)
    return odds


def named(kind: str, name: str | None, what: str) -> type[Mechanism]:
    """Return the mechanism that questions of a kind call so.

    Raises
    ------
    MechanismError
        If none is called so; the message says what would fit.
    """
    mechanism = for_kind(kind).get(name or "")
    if mechanism is None:
        known = ", ".join(("auto", *for_kind(kind)))
        raise MechanismError(f"mechanism {name} does not fit {what}; use one of {known}")
    return mechanism


def make(
    kind: str, odds: Fraction | Decimal, answers: int, part: Mapping[str, Any], what: str
) -> Mechanism:
    """Return the design that a question's table names.

    Parameters
    ----------
    kind
        That of the question.
    odds
        A ratio, which is met exactly or refused; or an epsilon as a decimal.
    answers, part
        As in `Mechanism.from_file`.
    what
        What the mechanism must fit, in words: ``a number``.

    Raises
    ------
    MechanismError
        If no mechanism of the kind has the name, or none has these odds.
    """
    mechanism = named(kind, part.get("mechanism"), what)
    ratio = odds_asked(mechanism.odds_within, odds, answers, part)
    return mechanism.from_file(part, ratio, answers)


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Design]):
    """A design that could be asked with.

    Attributes
    ----------
    name
        As survey files write it; of a text, that of its oracle.
    mechanism
        The design.
    variance
        n times the variance by which it is compared.
    """

    name: str
    mechanism: Design
    variance: Fraction

    @property
    def report_bytes(self) -> int:
        """Bytes of one report as it travels."""
        return -(-(self.mechanism.reports - 1).bit_length() // 8)


@dataclass(frozen=True, slots=True)
class Decision(Generic[Design]):
    """The design chosen, and all that were compared, least variance first.

    Attributes
    ----------
    reason
        Why it was chosen, and what the figures of all are, in words.
    tells_bytes
        Whether the bytes of a report are a part of the reason.
    """

    chosen: Candidate[Design]
    candidates: tuple[Candidate[Design], ...]
    reason: str
    tells_bytes: bool = False

    @property
    def why(self) -> str:
        """The reason in one sentence, with the figures of all that were compared."""
        figures = ", ".join(
            f"{each.name} {float(each.variance):.4g}"
            + (f" ({each.report_bytes} B)" if self.tells_bytes else "")
            for each in self.candidates
        )
        return f"{self.reason}: {figures}"
