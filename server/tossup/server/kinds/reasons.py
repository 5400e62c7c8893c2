"""Why questions are asked as they are: whether their coins are the best, or costly.

Stage: authoring. A manifest names the coins and not why they were taken; this module
finds the reason again.
"""

from tossup.server.kinds import kind_of
from tossup.shared.errors import MechanismError
from tossup.shared.survey import Question, Survey


def reasons(survey: Survey) -> dict[str, str]:
    """Return one sentence for each question whose mechanism ``auto`` would take, by its id.

    And one for those with a memo, and for designs from paper.
    """
    found = {question.id: _reason(question) for question in survey.questions}
    return {question: why for question, why in found.items() if why}


def _reason(question: Question) -> str:
    try:
        return kind_of(question).why(question)
    except MechanismError:  # nothing else could be asked at these odds
        return ""
