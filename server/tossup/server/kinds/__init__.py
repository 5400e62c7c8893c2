"""Kinds of question: one class a file, which says everything about its kind on the server.

Stage: authoring to planning. In: a question with its table, its mechanism or its truth. Out: coins
and why, how many reports they need, and simulated people. What a device needs of a kind is in
`tossup.shared.kinds`; nothing here may see a store, a request or a page.
"""

from collections.abc import Mapping
from typing import Any, Final

from tossup.server.kernels import Column
from tossup.server.kinds.base import Answers, Kind, Sought, Wanted
from tossup.server.kinds.choice import Choice
from tossup.server.kinds.editing.forms import Field, Form
from tossup.server.kinds.made_up.people import Population
from tossup.server.kinds.made_up.simulated import SimulatedLine
from tossup.server.kinds.number import Number
from tossup.server.kinds.ranking import Orders
from tossup.server.kinds.several import SeveralOptions
from tossup.server.kinds.text import Text
from tossup.server.kinds.vector import Vector
from tossup.server.kinds.yes_no import YesNo
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Mechanism
from tossup.shared.survey import Question, Survey

__all__ = [
    "FORMS",
    "KINDS",
    "Answers",
    "Field",
    "Form",
    "Kind",
    "Sought",
    "Wanted",
    "kind_for",
    "kind_of",
    "kind_of_form",
    "read_answers",
    "reasons",
    "simulate",
    "toss",
]

#: Every kind by its name.
KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        YesNo(),
        Choice(),
        Number(),
        Vector(),
        Orders(),
        Text(),
        SeveralOptions(),
    )
}


#: Every way to ask, by its name.
FORMS: Final[Mapping[str, Form]] = {
    form.name: form for kind in KINDS.values() for form in kind.forms
}


def kind_of_form(name: str) -> Kind | None:
    """Return the kind that a form asks; None if there is none of this name."""
    return next((kind for kind in KINDS.values() if FORMS.get(name) in kind.forms), None)


def kind_of(question: Question) -> Kind:
    """Return the kind of a question."""
    return KINDS[question.kind]


def kind_for(mechanism: Mechanism | type[Mechanism]) -> Kind:
    """Return a kind that a mechanism is for; of yes/no and choices, which share theirs, choices."""
    return KINDS[mechanism.answer_kind]


def reasons(survey: Survey) -> dict[str, str]:
    """Return why questions are asked as they are, in one sentence each, by their ids.

    Of those whose mechanism ``auto`` would take, that have a memo, or a design from paper. A
    manifest names the coins and not why they were taken; the reason is found again.
    """
    found = {question.id: _reason(question) for question in survey.questions}
    return {question: why for question, why in found.items() if why}


def _reason(question: Question) -> str:
    try:
        return kind_of(question).why(question)
    except MechanismError:  # nothing else could be asked at these odds
        return ""


def simulate(question: Question, truth: Any, n: int, runs: int = 1) -> list[SimulatedLine]:
    """Return the truth about a question beside its estimate: see `Kind.simulate`."""
    return kind_of(question).simulate(question, truth, n, runs)


def toss(question: Question, population: Population, n: int) -> Column:
    """Return a freshly tossed report of each of n respondents, drawn from a population."""
    return kind_of(question).toss(question, population.places, population.draw(n))


def read_answers(value: object) -> Answers:
    """Return what a table ``answers`` of a survey file describes.

    >>> read_answers({"integers": [0, 10]}).domain(()).answers
    11

    Raises
    ------
    ValueError
        If it describes nothing; the message shows what would.
    """
    table = value if isinstance(value, Mapping) else {}
    known = [(key, kind) for kind in KINDS.values() for key in kind.tables]
    told = [(key, kind) for key, kind in known if key in table]
    for key, kind in told:
        answers = kind.read(key, table)
        if answers is not None:
            return answers
    examples = [kind.tables[key] for key, kind in told or known]
    raise ValueError(
        f"must be {' or '.join(examples if told else ['a list of labels', *examples])}"
    )
