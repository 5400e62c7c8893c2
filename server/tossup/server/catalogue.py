"""What each mechanism is, in facts: parameters, channel, odds, variance and size of a report.

Stage: beside the road, for people who choose or check a design. Everything is read off the
registry and off the exact channel, so a mechanism added there is described here.
"""

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from typing import Any, Final

from tossup.server.estimation import EstimationError
from tossup.server.exact import exact
from tossup.server.kinds import KINDS, Kind, Sought, kind_for
from tossup.server.kinds.choosing import paper
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief, in_full
from tossup.shared.mechanisms import (
    MECHANISMS,
    Mechanism,
    from_spec,
)
from tossup.shared.mechanisms.base import Channel
from tossup.shared.odds import epsilon

#: A larger channel is neither printed nor audited.
MAX_CELLS: Final = 1 << 18

#: What a mechanism is listed for.
_ODDS: Final = Fraction(3)

_ODDS_GAP: Final = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class Entry:
    """One mechanism of the registry.

    Attributes
    ----------
    name
        The frozen name, such as ``two-coin/1``.
    summary
        What it does to an answer, in one sentence.
    parameters
        What a manifest says beside the name, with the values for odds of at most 3 and two options;
        for a vector, with two components and a norm of 32 steps.
    answers
        What it is for: ``"yes/no"`` alone, ``"choices"`` (yes/no among them), ``"numbers"``,
        ``"vectors"``, ``"orders"`` of options, ``"several options"`` or ``"texts"``.
    """

    name: str
    summary: str
    parameters: Mapping[str, object]
    answers: str

    def to_json(self) -> dict[str, object]:
        """Return the entry as plain JSON types."""
        return {
            "name": self.name,
            "summary": self.summary,
            "parameters": dict(self.parameters),
            "answers": self.answers,
        }


def entries() -> list[Entry]:
    """Return every mechanism that this version knows, in the order of the registry.

    >>> [entry.name for entry in entries()][:2]
    ['two-coin/1', 'randomized-response/1']
    """
    return [_entry(name) for name in MECHANISMS]


def find(name: str) -> type[Mechanism]:
    """Return the mechanism of this name; a name without a version means its newest.

    Names of survey files are known, too.

    >>> find("two-coin").name, find("k-ary").name
    ('two-coin/1', 'k-ary-randomized-response/1')

    Raises
    ------
    MechanismError
        If there is none; the message names the nearest.
    """
    newest = {full.rpartition("/")[0]: full for full in MECHANISMS}
    newest |= {short: full for full in MECHANISMS for short in MECHANISMS[full].in_files}
    full = name if name in MECHANISMS else newest.get(name)
    if full is not None:
        return MECHANISMS[full]
    nearest = get_close_matches(name, [*newest, *MECHANISMS, *paper.NAMES], n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]}?" if nearest else f"known are {', '.join(newest)}"
    raise MechanismError(f"no mechanism is called {name!r}; {hint}")


def design(
    name: str,
    options: int,
    odds: Fraction,
    parameters: Mapping[str, object] | None = None,
    most: int | None = None,
    *,
    delta: Fraction | None = None,
) -> Mechanism:
    """Return a mechanism by its name, with given parameters or else with these odds.

    Where no integer weights of the mechanism have exactly these odds, it has the largest below,
    by less than one part in a million. Without parameters, one for texts takes texts of one
    character. For a vector, ``radius`` may say the norm in steps in place of ``options``; with
    nothing but ``dimension`` beside it, the design is one of these odds. A design known from
    paper, such as ``"warner"``, is a table of randomized-response, by the keys of survey files;
    an unrelated question is one where it has a ``prevalence``.

    >>> design("k-ary-randomized-response", 4, Fraction(5, 2)).spec()
    {'name': 'k-ary-randomized-response/1', 'keep': 5, 'lie': 2}
    >>> design("per-option-bits", 4, Fraction(9), most=1).spec()
    {'name': 'per-option-bits/1', 'most': 1, 'hit': 3, 'miss': 1, 'total': 4}

    Raises
    ------
    MechanismError
        If the name is unknown, the parameters do not fit, or no design has such odds.
    """
    if name in paper.NAMES and not _asks_both(name, parameters or {}):
        return _from_paper(name, options, odds, parameters or {})
    kind, sought = find(name), Sought(options, odds, most, delta)
    if most is not None and not kind.takes_most:
        raise MechanismError(f"{kind.name} takes one answer; only mechanisms for several have most")
    if delta is not None and not kind.takes_delta:
        raise MechanismError(f"{kind.name} keeps its odds without exception and takes no delta")
    if parameters and (made := kind_for(kind).by_parameters(kind, parameters, sought)):
        return made
    if parameters and "selected" in kind.keys and set(parameters) == {"selected"}:
        return kind.from_file({"most": most} | _ratios(parameters), odds, options)
    if parameters:
        return from_spec({"name": kind.name, **parameters}, kind.answers_of(options))
    for made in _designs(kind.name, sought, called=name):
        if odds * (1 - _ODDS_GAP) < made.odds <= odds:
            return made
    raise MechanismError(
        f"{kind.name} has no design with odds {brief(odds)} for {options} answers;"
        f" {_what_instead(kind, sought)}"
    )


def _from_paper(
    name: str, options: int, odds: Fraction, parameters: Mapping[str, object]
) -> Mechanism:
    """Return the yes/no table of a design known from paper."""
    if options != 2:
        raise MechanismError(f"{name} is for yes/no, which are 2 answers")
    known = paper.KEYS[name]
    if not set(parameters) <= set(known):
        raise MechanismError(f"{name} takes {', '.join(known)} and nothing else")
    part = _ratios(parameters)
    instead = paper.instead_of_odds(name) in part
    return paper.make(name, part, None if instead else odds)


def _asks_both(name: str, parameters: Mapping[str, object]) -> bool:
    """Return whether an unrelated question is one that respondents answer, too."""
    return name == paper.UNRELATED and "prevalence" not in parameters


def _ratios(parameters: Mapping[str, object]) -> dict[str, Any]:
    """Return parameters as exact ratios."""
    part = {}
    for key, value in parameters.items():
        try:
            part[key] = _exact(value)
        except ValueError as error:
            raise MechanismError(f"{key}: {error}") from error
    return part


def _exact(value: object) -> Fraction | list[Fraction]:
    if isinstance(value, list):
        return [exact(str(part)) for part in value]
    return exact(str(value))


def _what_instead(kind: type[Mechanism], sought: Sought) -> str:
    """Return what to do where a mechanism has no such design."""
    if sought.odds <= 1:
        return "odds must be above 1"
    if sought.answers != 2 and _kind_of(kind) is KINDS["yes_no"]:
        return "it is for yes/no, which are 2"
    if only := kind.why_not(sought.answers):
        return only
    if how := kind_for(kind).how_to_ask(kind, sought):
        return how
    ways = kind_for(kind).ways(kind, sought)
    return next(filter(None, map(_refusal, ways)), None) or _nearest(kind, sought.answers, ways)


def _nearest(kind: type[Mechanism], options: int, ways: Sequence[Callable[[], Mechanism]]) -> str:
    """Return the command that shows the design which the mechanism makes of other odds."""
    made = ways[0]()
    parameters = {key: value for key, value in made.spec().items() if key != "name"}
    shown = _command(_short(kind), parameters, f"--options {options}")
    return f"give its parameters instead; the nearest has odds {brief(made.odds)}: {shown}"


def _refusal(make: Callable[[], Mechanism]) -> str | None:
    """Return why a mechanism cannot be made; None if it can."""
    try:
        make()
    except MechanismError as error:
        return str(error)
    return None


def _command(name: str, parameters: Mapping[str, object], more: str) -> str:
    given = (f"{key}={json.dumps(value)}" for key, value in parameters.items())
    return shlex.join(["tossup", "mechanism", "show", name, *more.split(), *_each("--set", given)])


def _each(option: str, values: Iterable[str]) -> list[str]:
    return [part for value in values for part in (option, value)]


def answers_of(mechanism: Mechanism) -> Sequence[int]:
    """Return all answers of a mechanism whose channel is small, in order.

    >>> from tossup.shared.mechanisms import PerOptionBits
    >>> answers_of(PerOptionBits(3, most=1))
    [0, 1, 2, 4]
    """
    return [answer for answer in range(mechanism.answers) if mechanism.is_answer(answer)]


def is_listable(mechanism: Mechanism) -> bool:
    """Return whether the channel is one of ratios, and small enough to go through cell by cell."""
    return mechanism.is_summable and mechanism.answers * mechanism.reports <= MAX_CELLS


def channel(mechanism: Mechanism) -> Channel:
    """Return the exact channel of a mechanism: a row for each of `answers_of`, by report.

    Reports that no answer gives have a column of zeros.

    Raises
    ------
    MechanismError
        If it has more than `MAX_CELLS` cells, or its probabilities are no ratios.
    """
    if not is_listable(mechanism):
        raise MechanismError(f"the channel of {mechanism.name} cannot be listed")
    return mechanism.channel()


def report_bits(mechanism: Mechanism) -> int:
    """Return the size of one report as it travels: 1 bit, or whole bytes."""
    return 1 if mechanism.reports == 2 else 8 * -(-(mechanism.reports - 1).bit_length() // 8)


def facts(mechanism: Mechanism, share: Fraction) -> dict[str, object]:
    """Return everything about a design as plain JSON types, ratios as text."""
    shown = channel(mechanism) if is_listable(mechanism) else None
    return {
        **mechanism.spec(),
        "answers": mechanism.answers if shown is None else len(shown),
        "reports": mechanism.reports,
        "channel": shown and [[str(chance) for chance in row] for row in shown],
        "odds": in_full(mechanism.odds),
        "epsilon": str(epsilon(mechanism.odds)),
        "delta": in_full(mechanism.delta),
        **_kept(mechanism),
        "share": str(share),
        **_told(mechanism, share),
        "report_bits": report_bits(mechanism),
    }


def _told(mechanism: Mechanism, share: Fraction) -> dict[str, object]:
    """Return the variance; None and the reason where there is none."""
    try:
        return {"variance": kind_for(mechanism).spread(mechanism, share)}
    except EstimationError as error:
        return {"variance": None, "variance_reason": str(error)}


def _kept(mechanism: Mechanism) -> dict[str, object]:
    """Return what a device keeps to report in waves, where that is not the report itself.

    For a memo, which tells nothing by itself, it is what a report tells someone who has it.
    """
    if mechanism.has_memo:
        odds = mechanism.given_memo.odds
        return {"given_memo": {"odds": in_full(odds), "epsilon": str(epsilon(odds))}}
    if not mechanism.keeps_answer:
        return {}
    memory = mechanism.memory
    return {
        "kept": {
            **memory.spec(),
            "odds": in_full(memory.odds),
            "epsilon": str(epsilon(memory.odds)),
        }
    }


def _entry(name: str) -> Entry:
    kind = MECHANISMS[name]
    made = next(_designs(name, Sought(kind_for(kind).listed_for, _ODDS)), None)
    parameters = {} if made is None else {k: v for k, v in made.spec().items() if k != "name"}
    summary = (kind.__doc__ or "").partition("\n")[0]
    return Entry(name, summary, parameters, _kind_of(kind).plural)


def _kind_of(mechanism: type[Mechanism]) -> Kind:
    """Return the kind of question that a mechanism is for: the one that may name it, or answers."""
    match mechanism.questions:
        case [alone]:
            return KINDS[alone]
    return kind_for(mechanism)


def _designs(name: str, sought: Sought, *, called: str = "") -> Iterator[Mechanism]:
    """Yield what the mechanism makes of these odds: itself, or from how a manifest writes them."""
    kind = MECHANISMS[name]
    answers = kind.answers_of(sought.answers)
    ways = [*kind_for(kind).ways(kind, sought)]
    if called in kind.in_files:  # which may say more than the mechanism
        ways.insert(0, partial(kind.from_file, {"mechanism": called}, sought.odds, sought.answers))
    for make in ways:
        try:
            made = make()
        except MechanismError:
            continue
        if made.answers == answers:
            yield made


def _short(kind: type[Mechanism]) -> str:
    """Return the name without its version, as survey files have it."""
    return kind.name.partition("/")[0]
