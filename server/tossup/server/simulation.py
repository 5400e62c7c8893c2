"""Simulation: what a design says about made-up respondents, in bulk.

Stage: answer to report to estimate, all in one process and for nobody real. The coins are the
operating system's and follow the mechanism's own integer weights, by rejection, as on a device.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation import estimate_shares
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.mechanisms import Mechanism
from tossup.shared.survey import YES, Question

_CHUNK: Final = 1 << 20


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
        The first run's estimate and its 95 % interval.
    inside, runs
        In how many of the runs the interval holds the truth.
    """

    id: str
    truth: float
    estimate: float
    low: float
    high: float
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
    truth = _all_shares(question, shares)
    tallies = [tally(question.mechanism, draw_answers(truth, n)) for _ in range(runs)]
    estimates = [estimate_shares(counts, question.mechanism) for counts in tallies]
    answers = [YES] if question.is_yes_no else range(len(question.options))
    lines = []
    for answer in answers:
        share = float(truth[answer])
        first = estimates[0].options[answer]
        inside = sum(share in estimate.options[answer].interval() for estimate in estimates)
        interval = first.interval()
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
    return _spread([int(share * unit) for share in shares], n)


def tally(mechanism: Mechanism, truth: Sequence[int]) -> tuple[int, ...]:
    """Return the counts of reports when truth[i] respondents give answer i, freshly tossed."""
    rows = zip(mechanism.weights, truth, strict=True)
    parts = [_spread(weights, respondents) for weights, respondents in rows]
    return tuple(sum(column) for column in zip(*parts, strict=True))


def _spread(weights: Sequence[int], n: int) -> tuple[int, ...]:
    """Return how often each index comes in n draws by weight: a multinomial count, exactly."""
    bounds = np.cumsum(weights)
    counts = np.zeros(len(weights), dtype=np.int64)
    for start in range(0, n, _CHUNK):
        draws = uniform_below(int(bounds[-1]), min(_CHUNK, n - start))
        indexes = np.searchsorted(bounds, draws, side="right")
        counts += np.bincount(indexes, minlength=len(weights))
    return tuple(int(count) for count in counts)


def uniform_below(bound: int, n: int) -> NDArray[np.int64]:
    """Return n integers below ``bound`` (at most 2**32), uniform, by rejection."""
    kept = np.empty(0, dtype=np.int64)
    mask = (1 << (bound - 1).bit_length()) - 1
    while kept.size < n:
        words = np.frombuffer(os.urandom(4 * 2 * (n - kept.size)), dtype="<u4") & np.uint32(mask)
        kept = np.concatenate([kept, words[words < bound].astype(np.int64)])
    return kept[:n]


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
