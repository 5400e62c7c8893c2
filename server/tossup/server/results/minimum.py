"""How many reports an estimate must rest on, by the design of what it is about.

A manifest states one ``minimum_batch``. Where that is what its author gets without asking, the
most that any of its questions needs, every question has the minimum of its own design: a long
tick-list must not keep a yes/no question waiting. Where the author asked for another number, it
holds for every estimate, as the manifest says.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from tossup.server.estimation import EstimationError
from tossup.server.kinds.needed import FEWEST_REPORTS, minimum_batch, minimum_of, needed
from tossup.shared.mechanisms import Mechanism, chances_to_show
from tossup.shared.survey import Question, Survey


def minimum_for(question: Question, survey: Survey) -> int:
    """Return how many reports an estimate of a question must rest on.

    Parameters
    ----------
    question
        A question of any version.
    survey
        The current version, whose ``minimum_batch`` holds if its author chose it.
    """
    try:
        return survey.minimum_batch if is_chosen(survey) else minimum_of(question.mechanism)
    except EstimationError:  # a design that tells nothing, kept from before such were refused
        return survey.minimum_batch


def is_chosen(survey: Survey) -> bool:
    """Return whether a survey has one minimum for all questions: not the usual one."""
    return survey.minimum_batch != minimum_batch(each.mechanism for each in survey.questions)


def joint_minimum(questions: Sequence[Question], survey: Survey) -> int:
    """Return how many respondents a table of two questions must rest on.

    So many that the share of every pair of answers is known to 20 points either way: more than
    either question needs by itself, since the noise of two answers multiplies.
    """
    if is_chosen(survey):
        return survey.minimum_batch
    first, second = (_second_moments(question.mechanism) for question in questions)
    largest = max(_largest_variance(*pair) for pair in product(first, second))
    return max(FEWEST_REPORTS, needed(largest))


def _second_moments(mechanism: Mechanism) -> list[tuple[float, float]]:
    """Return, for each answer, the mean squared weight of a report given it, and given another.

    A report's weight for an answer is what it adds to the answer's estimated share: a row of the
    channel's inverse.
    """
    channel = np.array(chances_to_show(mechanism), dtype=float)
    squares = channel @ np.linalg.inv(channel) ** 2  # [truth][answer]
    return [
        (float(column[place]), float(np.delete(column, place).max()))
        for place, column in enumerate(squares.T)
    ]


def _largest_variance(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Return n times the largest variance of the share of a pair of answers.

    Of n respondents a share t gives both answers, all others the pair whose reports add the most
    noise: t v + (1 - t) w - t**2, for the mean squared weights v and w.
    """
    (own, other), (own_too, other_too) = first, second
    both = own * own_too
    rest = max(own * other_too, other * own_too, other * other_too)
    share = min(max((both - rest) / 2, 0.0), 1.0)
    return share * both + (1 - share) * rest - share**2
