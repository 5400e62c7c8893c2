"""Simulation of questions about vectors: the means of made-up respondents, tossed one by one."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from tossup.server.estimation import EntryEstimate, estimate_vector
from tossup.server.kernels.source import coins
from tossup.server.kernels.vectors import VectorKernel
from tossup.server.kinds.simulated.shares import Line, draw_answers
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import VectorMechanism
from tossup.shared.survey import Question

#: Respondents times runs: each is tossed as on a device, which takes up to 20 milliseconds.
MOST_TOSSES: Final = 200_000


def simulate_vector(
    question: Question, numbers: Sequence[Fraction], n: int, runs: int = 1
) -> list[Line]:
    """Return the true mean of every component beside its estimate; covariances where asked for.

    Parameters
    ----------
    question
        One about a vector, with its mechanism.
    numbers
        The answers of the population one after the other, each as common as the others, each with
        as many numbers as there are components. Longer than the norm they are scaled to it, in
        the truth as well.
    n, runs
        As in `tossup.server.kinds.simulated.shares.simulate_question`.

    Raises
    ------
    ValueError
        If the question is not about a vector, the numbers do not make whole answers, or there
        are more than 200,000 tosses.
    """
    vector, mechanism = question.domain, question.mechanism
    if not isinstance(vector, VectorAnswer) or not isinstance(mechanism, VectorMechanism):
        raise ValueError(f"question {question.id!r} is not about a vector")
    if n * runs > MOST_TOSSES:
        raise ValueError(f"vectors are tossed one by one, at most {MOST_TOSSES} times altogether")
    answers = _answers(question, vector, numbers)
    truths = _truths(answers, vector)
    found = [_entries(answers, vector, mechanism, n) for _ in range(runs)]
    lines = []
    for place, (name, truth) in enumerate(truths.items()):
        first = found[0][place].interval
        inside = sum(truth in entries[place].interval for entries in found)
        ends = found[0][place].value, first.low, first.high
        lines.append(Line(f"{question.id}/{name}", truth, *ends, inside, runs))
    return lines


def _answers(
    question: Question, vector: VectorAnswer, numbers: Sequence[Fraction]
) -> list[tuple[Fraction, ...]]:
    size = len(vector.components)
    if not numbers or len(numbers) % size:
        raise ValueError(
            f"question {question.id!r} takes {size} numbers an answer, one answer after the other"
        )
    starts = range(0, len(numbers), size)
    return [vector.clipped(numbers[start : start + size]) for start in starts]


def _truths(answers: Sequence[tuple[Fraction, ...]], vector: VectorAnswer) -> dict[str, float]:
    """Return the means of components, then the covariances of the pairs asked for."""
    columns = list(zip(*answers, strict=True))
    means = [sum(column, Fraction(0)) * Fraction(1, len(column)) for column in columns]
    truths = {name: float(mean) for name, mean in zip(vector.components, means, strict=True)}
    for i, j in vector.pairs:
        products = [a * b for a, b in zip(columns[i], columns[j], strict=True)]
        product = sum(products, Fraction(0)) * Fraction(1, len(products))
        name = f"{vector.components[i]}:{vector.components[j]}"
        truths[name] = float(product - means[i] * means[j])
    return truths


def _entries(
    answers: Sequence[tuple[Fraction, ...]],
    vector: VectorAnswer,
    mechanism: VectorMechanism,
    n: int,
) -> tuple[EntryEstimate, ...]:
    """Return what n respondents drawn from the population, freshly tossed, are estimated to be."""
    places = [place for answer in answers if (place := vector.place(answer)) is not None]
    counts = draw_answers([Fraction(1, len(places))] * len(places), n)
    indexes = [
        vector.index(place, mechanism, coins())
        for place, times in zip(places, counts, strict=True)
        for _ in range(times)
    ]
    tally = tuple(VectorKernel(mechanism).toss(indexes).tolist())
    found = estimate_vector(tally, mechanism, vector)
    return found.means + (found.covariance.entries if found.covariance else ())
