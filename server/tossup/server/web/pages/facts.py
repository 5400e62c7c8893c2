"""The design in words: computed from the manifest, never typed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from tossup.server.web.pages.words.numbers import (
    epsilon_of,
    measured,
    number,
    odds_in_words,
    per_hundred,
)
from tossup.shared.mechanisms import Mechanism, chances_to_show
from tossup.shared.mechanisms.base import Stated
from tossup.shared.survey import NO, YES, Question
from tossup.shared.waves import Waves

_PRIOR: Final = Fraction(1, 10)
#: Numbers of reports with more bits than this are not spelled out.
_LISTED_BITS: Final = 512


@dataclass(frozen=True, slots=True)
class Facts:
    """What protects a question, as text.

    Attributes
    ----------
    odds, epsilon
        The cost of one answer.
    belief
        What a belief of 10 in 100 can become, at most, once a report is seen.
    named, named_otherwise
        Of 100 people with an answer, how many reports name it; and of 100 people without. For two
        statements: of 100 reports, how many are about that of their sample; and about the other.
    mechanism
        Its frozen name.
    so_many
        The odds may fail once in so many, at worst; empty where they never fail.
    reports, low, high
        For a number: how many reports are possible, and the declared bounds. For cards: how
        many are drawn, and of 100 how many are red in the decks for no and for yes. For two
        statements ``low``: of 100 reports how many are a forced yes.
    longest, characters
        For a text: how long the longest is, and what it is made of.
    norm
        For a vector: its declared norm.
    all_waves
        For a survey that asks again: the odds of everything a device may send.
    all_reports, steady
        Where devices keep a memo: the odds of all reports for someone who never has it, and the
        odds between two answers that never change.
    options, most, asked
        For several options: how many there are, may be ticked, and are asked in a report.
    kind
        Which template has the sentences, in ``templates/dashboard/designs``: ``"named"`` where a
        report names the answer or not, ``"ticks"`` where it says so of several, ``"number"``,
        ``"scored"``, ``"cards"``, ``"order"``, ``"vector"``, ``"text"`` or ``"statements"``.
    is_likeliest
        Whether the largest share is of what is chosen most likely, as choices by score are.
    may_tell_nothing
        Whether reports may be such that nothing can be estimated from them.
    points
        For an order: what each rank counts for, of 100.
    """

    odds: str
    epsilon: str
    belief: str
    named: str
    named_otherwise: str
    mechanism: str
    reports: str = ""
    low: str = ""
    high: str = ""
    so_many: str = ""
    longest: str = ""
    characters: str = ""
    norm: str = ""
    kind: str = "named"
    points: tuple[str, ...] = ()
    all_waves: str = ""
    all_reports: str = ""
    steady: str = ""
    options: str = ""
    most: str = ""
    asked: str = ""
    is_likeliest: bool = False
    may_tell_nothing: bool = False


def facts(question: Question, waves: Waves | None = None) -> Facts:
    """Return the facts of a question's design, and of all waves where it is asked again."""
    delta = question.mechanism.delta
    found = replace(_facts(question), so_many=number(int(delta**-1)) if delta else "")
    if waves is None:
        return found
    found = replace(found, all_waves=odds_in_words(waves.odds(question.mechanism)))
    return _with_memo(found, question.mechanism, waves)


def _with_memo(found: Facts, mechanism: Mechanism, waves: Waves) -> Facts:
    """Return the facts with what reports tell without the memo that devices keep, if they do."""
    if not mechanism.has_memo or waves.times is None:
        return found
    return replace(
        found,
        all_reports=odds_in_words(waves.odds_of_reports(mechanism)),
        steady=odds_in_words(mechanism.odds_if_steady(waves.times)),
    )


def _facts(question: Question) -> Facts:
    mechanism, declared = question.mechanism, question.domain.declared
    if declared:
        return _of_declared(question.kind, declared, mechanism)
    stated = mechanism.stated()
    of_sentence = _OF_SENTENCES.get(stated.sentence)
    return of_sentence(mechanism, stated) if of_sentence else _of_named(mechanism)


def _of_named(mechanism: Mechanism) -> Facts:
    """Return the facts of a design whose reports name an answer, or do not."""
    channel = chances_to_show(mechanism)
    answer, other = (YES, NO) if len(channel) == len((NO, YES)) else (0, 1)
    return replace(
        _of_any(mechanism),
        named=per_hundred(channel[answer][answer]),
        named_otherwise=per_hundred(channel[other][answer]),
    )


def _of_any(mechanism: Mechanism) -> Facts:
    return Facts(
        odds=odds_in_words(mechanism.odds),
        epsilon=epsilon_of(mechanism.odds),
        belief=per_hundred(belief(mechanism.odds)),
        named="",
        named_otherwise="",
        mechanism=mechanism.name,
    )


def _of_declared(
    kind: str, declared: Mapping[str, Fraction | int | str], mechanism: Mechanism
) -> Facts:
    """Return the facts of answers that are no options: no report names one of a few answers."""
    reports = mechanism.reports
    listed = number(reports) if reports.bit_length() <= _LISTED_BITS else ""
    shown: dict[str, Any] = {name: _declared(value) for name, value in declared.items()}
    return replace(_of_any(mechanism), kind=kind, reports=listed, **shown)


def _declared(value: Fraction | int | str) -> str:
    if isinstance(value, str):
        return value
    return number(value) if isinstance(value, int) else measured(float(value))


def _of_cards(mechanism: Mechanism, stated: Stated) -> Facts:
    """Return the facts of Kuk's cards: how red the decks are."""
    no, yes = stated.rates
    return replace(
        _of_any(mechanism),
        reports=number(stated.numbers["cards"]),
        low=per_hundred(no),
        high=per_hundred(yes),
        kind="cards",
    )


def _of_scores(mechanism: Mechanism, stated: Stated) -> Facts:
    """Return the facts of a choice by score: the least and the most common truth."""
    own = [row[answer] for answer, row in enumerate(stated.chances)]
    low, high = per_hundred(min(own)), per_hundred(max(own))
    return replace(_of_any(mechanism), low=low, high=high, kind="scored", is_likeliest=True)


def _of_order(mechanism: Mechanism, stated: Stated) -> Facts:
    """Return the facts of an order: how often the first and the last are sent, and the points."""
    first, last = stated.rates[0], stated.rates[-1]
    return replace(
        _of_any(mechanism),
        named=per_hundred(first),
        named_otherwise=per_hundred(last),
        kind="order",
        points=tuple(per_hundred((rate - last) / (first - last)) for rate in stated.rates),
    )


def _of_several(mechanism: Mechanism, stated: Stated) -> Facts:
    """Return the facts of several options: those of one, in reports that ask it."""
    (_, otherwise), (_, named) = stated.chances
    return replace(
        _of_any(mechanism),
        named=per_hundred(named),
        named_otherwise=per_hundred(otherwise),
        kind="ticks",
        options=number(stated.numbers["options"]),
        most=number(stated.numbers["most"]),
        asked=number(stated.numbers["asked"]),
    )


def _of_statements(mechanism: Mechanism, stated: Stated) -> Facts:
    """Return the facts of two statements: how often a report is about which, or about none."""
    own, other, forced = map(per_hundred, stated.rates)
    return replace(
        _of_any(mechanism),
        named=own,
        named_otherwise=other,
        low=forced,
        kind="statements",
        may_tell_nothing=True,
    )


#: Facts by what a mechanism says of its reports; of all others that they name an answer, or not.
_OF_SENTENCES: Final[Mapping[str, Callable[[Mechanism, Stated], Facts]]] = {
    "ticks": _of_several,
    "statements": _of_statements,
    "cards": _of_cards,
    "scores": _of_scores,
    "ranks": _of_order,
}


def belief(odds: Fraction) -> Fraction:
    """Return the largest belief that a belief of 1 in 10 can become (Bayes' rule).

    >>> belief(Fraction(3))
    Fraction(1, 4)
    """
    raised = odds * _PRIOR / (1 - _PRIOR)
    return raised / (1 + raised)
