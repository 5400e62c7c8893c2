"""Any question beside a trusted curator, and the odds that meet several demands on it at once.

The curator sees every true answer, knows how many people there are, and adds noise by the same
epsilon to the sums behind all estimates of the question: `tossup.server.kinds` says how far one
person moves these. Margins are half-widths for the population, as a part of the range, of each
estimate by itself; sampling counts at its widest, where half of the people are at either end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

from tossup.server.kinds import kind_of
from tossup.server.planning.curator.central import Query, answer
from tossup.server.planning.errors import count
from tossup.server.planning.feasible import Demand, Feasible, feasible_on
from tossup.server.planning.search import fewest
from tossup.shared.odds import epsilon
from tossup.shared.survey import Question, Survey

#: n times the largest variance of an average of answers, in squared ranges.
SAMPLING: Final = 0.25
#: Odds to look for: in tenths up to 10, whole above. Devices allow no more.
LADDER: Final = (
    *(Fraction(tenths, 10) for tenths in range(11, 100)),
    *(Fraction(odds) for odds in range(10, 730)),
)


@dataclass(frozen=True, slots=True)
class Curator:
    """The noise of a trusted curator.

    Attributes
    ----------
    mechanism
        Its name.
    standard_deviation
        Of the noise of each sum, in ranges.
    """

    mechanism: str
    standard_deviation: float

    def deviation(self, n: int) -> float:
        """Return the standard deviation of an estimate of n people, for the population."""
        return sqrt(SAMPLING / count(n, "n") + (self.standard_deviation / n) ** 2)

    def respondents(self, margin: float, errors: float) -> int:
        """Return the fewest people whose margin, of so many standard errors, is at most this."""
        return fewest(lambda n: errors * self.deviation(n) <= margin)


def curator(survey: Survey, question: Question) -> Curator | None:
    """Return the curator who promises what a question's coins do, with the least noise.

    Of a survey in waves each wave gets an equal part of what one person spends on all of them.
    None where a curator would have nothing listed to publish.
    """
    waves = survey.waves
    times = 1 if waves is None else waves.times or waves.count
    return _curator(question, float(epsilon(survey.cost(question), 15)) / times)


def directly(margin: float, errors: float) -> int:
    """Return the fewest people whose margin is at most this, asked directly and telling the truth.

    >>> directly(0.05, 1.96)
    385
    """
    return fewest(lambda n: errors * sqrt(SAMPLING / n) <= margin)


def feasible_for(
    ask: Callable[[Fraction], Question],
    n: int,
    demands: Sequence[Demand],
    ladder: Sequence[Fraction] = LADDER,
) -> Feasible:
    """Return the odds and epsilons that meet all demands on each estimate of n reports.

    Parameters
    ----------
    ask
        Returns the question with the coins for given odds.
    n
        How many reports.
    demands
        One or more; amounts are parts of the range.
    ladder
        The odds to look at, rising; the last are the most that an answer may cost.

    Raises
    ------
    PlanningError
        If there is no demand, or an argument is outside its range.
    MechanismError
        If no coins can be made for some odds.
    """
    count(n, "n")

    @cache
    def deviation(odds: Fraction) -> float:
        question = ask(odds)
        return sqrt(kind_of(question).widest_variance(question.mechanism) / n)

    some = ask(ladder[-1])

    def central(epsilon: float) -> float | None:
        found = _curator(some, epsilon)
        return None if found is None else found.deviation(n)

    return feasible_on(ladder, deviation, central, sqrt(SAMPLING / n), demands)


def _curator(question: Question, epsilon: float) -> Curator | None:
    moved = kind_of(question).moved(question)
    if moved is None:
        return None
    step = 1.0 if moved.is_whole else None
    query = Query("sums", moved.l1, moved.l2, moved.answers, step)
    ways = answer(query, epsilon)
    noises = [(way.standard_deviation, way.mechanism) for way in ways]
    least, name = min((noise, name) for noise, name in noises if noise is not None)
    return Curator(name, least)
