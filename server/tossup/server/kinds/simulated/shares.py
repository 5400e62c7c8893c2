"""Simulation: what a design says about made-up respondents, in bulk.

Stage: answer to report to estimate, all in one process and for nobody real. The coins are the
operating system's and follow the mechanism's own integer weights, by rejection, as on a device.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from tossup.server.estimation import estimate_answers
from tossup.server.kernels import kernel_of
from tossup.server.kernels.draws import spread
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.mechanisms import Mechanism
from tossup.shared.survey import YES, Question


@dataclass(frozen=True, slots=True)
class Line:
    """The truth about one answer beside its estimate.

    Attributes
    ----------
    id
        The question's id, for a choice followed by ``/`` and the option's.
    truth
        The true share in the population of which the respondents are a random sample.
    estimate, low, high
        The first run's estimate and its 95 % interval; None for a text that it did not find.
    inside, runs
        In how many of the runs the interval holds the truth, and a text was found.
    """

    id: str
    truth: float
    estimate: float | None
    low: float | None
    high: float | None
    inside: int = 1
    runs: int = 1

    def to_json(self) -> dict[str, object]:
        """Return the line as plain JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


def simulate_question(
    question: Question, shares: Sequence[Fraction], n: int, runs: int = 1
) -> list[Line]:
    """Return truth and estimate of every answer (of yes alone, for yes/no).

    Parameters
    ----------
    question
        What is asked, with its mechanism.
    shares
        The true share of yes, or of every option; the latter sum to 1.
    n
        Respondents, drawn at random from a population with these shares.
    runs
        How often to repeat, to see in how many of the runs the interval holds the truth.

    Raises
    ------
    ValueError
        If the shares do not fit the question.
    """
    if question.domain.field:
        raise ValueError(f"question {question.id!r} is no choice; shares that sum to 1 do not fit")
    truth = _all_shares(question, shares)
    tallies = [tally(question.mechanism, draw_answers(truth, n)) for _ in range(runs)]
    estimates = [estimate_answers(counts, question.mechanism) for counts in tallies]
    answers = [YES] if question.is_yes_no else range(len(question.options))
    lines = []
    for answer in answers:
        share = float(truth[answer])
        first = estimates[0][answer]
        intervals = [found[answer].interval(0.95, first.usual) for found in estimates]
        inside = sum(share in interval for interval in intervals)
        interval = intervals[0]
        name = line_id(question, answer)
        lines.append(Line(name, share, first.value, interval.low, interval.high, inside, runs))
    return lines


def line_id(question: Question, answer: int) -> str:
    """Return ``ever_tried`` for yes/no, ``rating/r1`` for an option."""
    return question.id if question.is_yes_no else f"{question.id}/{question.answer_ids[answer]}"


def draw_answers(shares: Sequence[Fraction], n: int) -> tuple[int, ...]:
    """Return how many of n respondents, drawn from a large population, give each answer."""
    unit = lcm(*(share.denominator for share in shares))
    if unit > MAX_WEIGHT_SUM:
        raise ValueError("shares need a common denominator of at most 2**32; round them")
    return tuple(spread([int(share * unit) for share in shares], n).tolist())


def tally(mechanism: Mechanism, truth: Sequence[int]) -> tuple[int, ...]:
    """Return the tally when truth[i] respondents give answer i, freshly tossed."""
    return tuple(kernel_of(mechanism).simulate(truth).tolist())


def _all_shares(question: Question, shares: Sequence[Fraction]) -> tuple[Fraction, ...]:
    if question.is_yes_no and len(shares) == 1:
        shares = (1 - shares[0], shares[0])
    if len(shares) != len(question.answer_ids) or sum(shares) != 1:
        expected = len(question.answer_ids)
        raise ValueError(
            f"question {question.id!r} takes {expected} shares that sum to 1"
            + (", or the share of yes alone" if question.is_yes_no else "")
        )
    if any(share < 0 for share in shares):
        raise ValueError(f"shares of question {question.id!r} must be from 0 to 1")
    return tuple(shares)
