"""Made-up respondents: the answers of a population, of which they are a random sample.

Stage: answer, of nobody real. Simulations that need only tallies do not come here: this fills a
server through the real wire format, so that its pages and exports can be tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, lcm

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.tossing.draws import uniform_below
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.kinds.base import Place
from tossup.shared.survey import Question

Indexes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Population:
    """The answers of a large population, of which respondents are a random sample.

    Attributes
    ----------
    places
        Where each answer lies among the possible ones, as `Question.place` returns it.
    shares
        How common each is; they sum to 1, with a common denominator of at most 2**32.
    """

    places: tuple[Place, ...]
    shares: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if any(share < 0 for share in self.shares) or sum(self.shares) != 1:
            raise ValueError("shares must be from 0 to 1, with a sum of 1")
        if lcm(*(share.denominator for share in self.shares)) > MAX_WEIGHT_SUM:
            raise ValueError("shares need a common denominator of at most 2**32; round them")

    def draw(self, n: int) -> Indexes:
        """Return which answer each of n respondents has."""
        unit = lcm(*(share.denominator for share in self.shares))
        bounds = np.cumsum([int(share * unit) for share in self.shares])
        return np.searchsorted(bounds, uniform_below(unit, n), side="right").astype(np.int64)


def of_options(shares: Sequence[Fraction]) -> Population:
    """Return the population with these shares of the options; of no and yes, for yes/no."""
    return Population(tuple(range(len(shares))), tuple(shares))


def of_ticks(shares: Sequence[Fraction], most: int) -> Population:
    """Return a population in which each option is ticked by its share, never more than ``most``.

    Which are ticked together follows from systematic sampling (Madow 1949): the shares lie one
    after the other on a line, and a respondent ticks what points hit that lie 1 apart.

    Raises
    ------
    ValueError
        If a share is outside [0, 1], or they sum to more than ``most``.
    """
    if any(not 0 <= share <= 1 for share in shares) or sum(shares) > most:
        raise ValueError(f"shares must be from 0 to 1, with a sum of at most {most}")
    ends = [sum(shares[: place + 1], Fraction(0)) for place in range(len(shares))]
    cuts = sorted({Fraction(0), Fraction(1), *(end - floor(end) for end in ends)})
    starts = [Fraction(0), *ends[:-1]]
    ticked = []
    for point in cuts[:-1]:
        hit = [
            ceil(end - point) - ceil(start - point) for start, end in zip(starts, ends, strict=True)
        ]
        ticked.append(sum(hits << option for option, hits in enumerate(hit)))
    widths = [end - start for start, end in pairwise(cuts)]
    return Population(tuple(ticked), tuple(widths))


def of_answers(question: Question, answers: Sequence[object]) -> Population:
    """Return the population in which these answers are equally common.

    Raises
    ------
    AnswerError
        If one is no answer of the question.
    """
    places = tuple(question.place(answer) for answer in answers)
    return Population(places, (Fraction(1, len(places)),) * len(places))
