"""Why questions are asked as they are, where that is the best way there is, or a dear one.

Stage: authoring. A manifest names the coins and not why they were taken; this finds it out again.
"""

from tossup.server.kinds.choosing import choice as choices
from tossup.server.kinds.choosing import memo as memo_designs
from tossup.server.kinds.choosing import number as number_designs
from tossup.server.kinds.choosing import paper as paper_designs
from tossup.server.kinds.choosing import several as several_designs
from tossup.server.kinds.choosing import text as text_designs
from tossup.server.kinds.choosing import vector as vector_designs
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import (
    GridMechanism,
    KeptBitsMechanism,
    Mechanism,
    PrefixExtending,
    RandomizedResponse,
    SeveralMechanism,
    UnrelatedQuestion,
    VectorMechanism,
)
from tossup.shared.survey import Question, Survey


def reasons(survey: Survey) -> dict[str, str]:
    """Return one sentence for each question whose mechanism ``auto`` would take, by its id.

    And one for those with a memo, and for designs from paper.
    """
    found = {question.id: _reason(question) for question in survey.questions}
    return {question: why for question, why in found.items() if why}


def _reason(question: Question) -> str:
    try:
        return _cost(question.mechanism) or _best(question)
    except MechanismError:  # nothing else could be asked at these odds
        return ""


def _best(question: Question) -> str:
    """Return why no other mechanism was better; nothing if another was."""
    mechanism = question.mechanism
    if question.kind == "choice":
        best = choices.choose(mechanism.odds, len(question.options))
        return best.why if best.chosen.mechanism == mechanism else ""
    if isinstance(mechanism, SeveralMechanism):
        several = several_designs.choose(mechanism.odds, mechanism.options, mechanism.most)
        return several.why if several.chosen.mechanism == mechanism else ""
    if isinstance(mechanism, PrefixExtending):
        return text_designs.reason(mechanism)
    if question.grid is not None and isinstance(mechanism, GridMechanism):
        return number_designs.why_for_a_mean(mechanism)
    if isinstance(mechanism, VectorMechanism):
        return vector_designs.why(mechanism, components=len(question.options))
    return ""


def _cost(mechanism: Mechanism) -> str:
    """Return what a design from paper or with a memo is, and what it needs; nothing of others."""
    match mechanism:
        case RandomizedResponse():
            return paper_designs.what_it_costs(mechanism)
        case UnrelatedQuestion():
            return several_designs.what_it_costs(mechanism)
        case KeptBitsMechanism():
            return memo_designs.what_it_costs(mechanism)
    return ""
