"""Which questions keep the respondents' page from asking a survey.

Stage: authoring and the page. The page asks all of a survey or nothing of it, so one question
that no browser can or may toss for keeps everybody out; authors have to know it before they print
the link.
"""

from typing import Literal

from tossup.server.surveys.file import QUESTION_CAP
from tossup.shared.survey import Survey

#: Coins that browsers do not have, or odds that devices refuse unless their app allows them.
Obstacle = Literal["coins", "odds"]


def kept_from_browsers(survey: Survey) -> dict[str, Obstacle]:
    """Return the questions that the respondents' page cannot ask, each with why; often none."""
    coins: dict[str, Obstacle] = {
        question.id: "coins" for question in survey.questions if not question.mechanism.in_browsers
    }
    odds: dict[str, Obstacle] = {
        question.id: "odds" for question in survey.questions if survey.cost(question) > QUESTION_CAP
    }
    return odds | coins
