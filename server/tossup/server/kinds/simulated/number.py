"""Simulation of questions about numbers: the mean of made-up respondents, in bulk."""

from collections.abc import Sequence
from fractions import Fraction

from tossup.server.estimation import estimate_numbers
from tossup.server.kinds.simulated.shares import Line, draw_answers, tally
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import GridMechanism
from tossup.shared.survey import Question


def simulate_number(
    question: Question, answers: Sequence[Fraction], n: int, runs: int = 1
) -> list[Line]:
    """Return the true mean beside its estimate, in the question's unit.

    Parameters
    ----------
    question
        One about a number, with its mechanism.
    answers
        The answers of the population, each as common as the others; repeat one to make it
        commoner. Beyond the bounds they count as the bounds, in the truth as well.
    n, runs
        As in `tossup.server.kinds.simulated.shares.simulate_question`.

    Raises
    ------
    ValueError
        If the question is not about a number, or an answer is none of it.
    """
    grid, mechanism = question.grid, question.mechanism
    if grid is None or not isinstance(mechanism, GridMechanism):
        raise ValueError(f"question {question.id!r} is not about a number")
    places = [_place(question, grid, answer) for answer in answers]
    truth = float(grid.number(sum(places, Fraction(0)) * Fraction(1, len(places))))
    shares = _shares(places, mechanism)
    tallies = [tally(mechanism, draw_answers(shares, n)) for _ in range(runs)]
    means = [estimate_numbers(counts, mechanism, grid)[0] for counts in tallies]
    inside = sum(truth in mean.interval for mean in means)
    first = means[0]
    ends = (first.interval.low, first.interval.high)
    return [Line(f"{question.id}/mean", truth, first.value, *ends, inside, runs)]


def _place(question: Question, grid: Grid, answer: Fraction) -> Fraction:
    whole = grid.whole and answer.denominator == 1
    place = grid.place(int(answer) if whole else answer)
    if place is None:
        raise ValueError(f"question {question.id!r} takes whole numbers")
    return place


def _shares(places: Sequence[Fraction], mechanism: GridMechanism) -> list[Fraction]:
    """Return how common each point is once every answer has been rounded to its grid."""
    shares = [Fraction(0)] * mechanism.answers
    for place in places:
        lower = int(place if mechanism.rounding == "random" else place + Fraction(1, 2))
        up = place - lower if mechanism.rounding == "random" else Fraction(0)
        shares[lower] += (1 - up) * Fraction(1, len(places))
        if up:
            shares[lower + 1] += up * Fraction(1, len(places))
    return shares
