"""Simulation of questions about a preference order: the mean points of every option, in bulk."""

from collections.abc import Sequence
from fractions import Fraction

from tossup.server.estimation import estimate_answers
from tossup.server.kernels.draws import spread
from tossup.server.kinds.simulated.shares import Line
from tossup.shared.mechanisms import RankedChoice
from tossup.shared.mechanisms.orders.ranked_choice import order_of
from tossup.shared.survey import Question


def simulate_ranking(
    question: Question, orders: Sequence[Sequence[str]], n: int, runs: int = 1
) -> list[Line]:
    """Return the true mean points of every option beside their estimates.

    Parameters
    ----------
    question
        One about an order, with its mechanism.
    orders
        The answers of the population, each as common as the others; repeat one to make it
        commoner.
    n, runs
        As in `tossup.server.kinds.simulated.shares.simulate_question`.

    Raises
    ------
    ValueError
        If the question is not about an order, or an answer is none of it.
    """
    mechanism = question.mechanism
    if not isinstance(mechanism, RankedChoice) or question.domain is None:
        raise ValueError(f"question {question.id!r} is not about an order")
    places = [question.domain.place(order) for order in orders]
    if any(type(place) is not int for place in places):
        raise ValueError(f"question {question.id!r} takes {question.domain.example}")
    held = [order_of(place, mechanism.options) for place in places if isinstance(place, int)]
    tallies = [_tally(mechanism, held, n) for _ in range(runs)]
    estimates = [estimate_answers(counts, mechanism) for counts in tallies]
    lines = []
    for option, name in enumerate(question.answer_ids):
        points = [mechanism.points[order.index(option)] for order in held]
        truth = float(sum(points, Fraction(0)) * Fraction(1, len(held)))
        intervals = [found[option].interval(0.95, "score") for found in estimates]
        inside = sum(truth in interval for interval in intervals)
        ends, value = intervals[0], estimates[0][option].value
        lines.append(Line(f"{question.id}/{name}", truth, value, ends.low, ends.high, inside, runs))
    return lines


def _tally(mechanism: RankedChoice, held: Sequence[tuple[int, ...]], n: int) -> tuple[int, ...]:
    """Return the tally of n respondents, each with one of some orders at random."""
    tally = [0] * mechanism.counters
    for order, respondents in zip(held, spread([1] * len(held), n).tolist(), strict=True):
        by_rank = spread(mechanism.by_rank, respondents).tolist() if respondents else []
        for rank, count in enumerate(by_rank):
            tally[order[rank]] += count
    return tuple(tally)
