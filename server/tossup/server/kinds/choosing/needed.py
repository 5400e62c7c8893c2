"""Choose a question's coins from what its author asks for, and how many reports they need.

Stage: authoring, before any answer. Authors ask for odds, for an epsilon or for weights; what
comes out is a mechanism with integer weights whose odds never exceed what was asked.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil
from statistics import NormalDist
from typing import Final

from tossup.server.estimation.texts import largest_text_variance, reports_needed
from tossup.server.estimation.vectors.moments import component_variance
from tossup.server.kinds.choosing.number import mean_variance
from tossup.server.kinds.choosing.scored import share_variance
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms import (
    GridMechanism,
    KaryRandomizedResponse,
    Kuk,
    Mechanism,
    PrefixExtending,
    RandomizedResponse,
    ScoredChoice,
    SeveralMechanism,
    TwoCoin,
    UnrelatedQuestion,
    VectorMechanism,
    chances_to_show,
)
from tossup.shared.odds import largest_odds

#: An estimate less certain than this says too little to be shown: half of a 95 % interval.
WIDEST_HALF_WIDTH: Final = 0.20
FEWEST_REPORTS: Final = 30
#: Texts are not looked for until one that so many have is found with 95 % chance.
COMMON_TEXT: Final = 0.20

_Z95: Final = NormalDist().inv_cdf(0.975)


def from_odds(odds: Fraction, answers: int, *, yes_no: bool) -> Mechanism:
    """Return the design with exactly these odds; two coins for a yes/no question at 3.

    >>> from_odds(Fraction(5, 2), answers=4, yes_no=False)
    KaryRandomizedResponse(options=4, keep=5, lie=2)

    Raises
    ------
    MechanismError
        If the odds are not above 1 (all reports alike), or need weights above 2**32.
    """
    if odds <= 1:
        raise MechanismError(
            f"odds ({brief(odds)}) must be above 1: at 1 every answer looks the same"
        )
    keep, lie = odds.as_integer_ratio()
    if not yes_no:
        return KaryRandomizedResponse(answers, keep, lie)
    return TwoCoin() if odds == 3 else RandomizedResponse(((keep, lie), (lie, keep)))


def from_epsilon(epsilon: Decimal, answers: int, *, yes_no: bool) -> Mechanism:
    """Return the design with the largest integer ratio that does not exceed e**epsilon."""
    return from_odds(largest_odds(epsilon, answers), answers, yes_no=yes_no)


def minimum_batch(mechanisms: Iterable[Mechanism]) -> int:
    """Return the smallest n at which 95 % intervals are at most 20 points either way.

    Of shares the widest interval over all true shares counts. Of a number only that of its mean
    does, with the declared range as 100 points: variance, quantiles and histogram need more
    reports, and are left out of results where they say nothing. Where a report asks some of
    several options, each needs as many as ask it. Of a vector each component counts, with a range
    of twice the norm. Of texts that nobody listed, one that 20 % have must be found with 95 %
    chance. Never fewer than 30.

    >>> minimum_batch([TwoCoin()])
    97
    """
    return max([FEWEST_REPORTS, *(_reports_needed(mechanism) for mechanism in mechanisms)])


def minimum_of(mechanism: Mechanism) -> int:
    """Return the smallest number of reports that an estimate of a question must rest on.

    As `minimum_batch`, but of the reports that tell about what is estimated: where a report asks
    one of eight options, of those that ask the option; of a text, of those of the last level.

    >>> minimum_of(TwoCoin())
    97
    """
    behind = _reports_needed(mechanism) * mechanism.share_behind
    return max(FEWEST_REPORTS, ceil(behind))


def needed(largest_variance: float) -> int:
    """Return how many reports make a 95 % interval at most 20 points wide either way.

    Parameters
    ----------
    largest_variance
        n times the variance of what is estimated, where it is largest.
    """
    return ceil((_Z95 / WIDEST_HALF_WIDTH) ** 2 * largest_variance)


@lru_cache(maxsize=256)
def _reports_needed(mechanism: Mechanism) -> int:
    if isinstance(mechanism, PrefixExtending):
        return reports_needed(COMMON_TEXT, mechanism)
    return needed(largest_variance_of(mechanism))


def largest_variance_of(mechanism: Mechanism) -> float:
    """Return n times the largest variance of what is estimated, in squared ranges.

    Of a share the range is 1, of a number its declared range, of a vector's component twice the
    norm. Of texts it is that of a text's share, of which only the last level's reports tell.
    """
    match mechanism:
        case PrefixExtending():
            found = float(largest_text_variance(mechanism))
        case VectorMechanism():
            found = component_variance(mechanism) / (2 * mechanism.radius) ** 2
        case SeveralMechanism() | UnrelatedQuestion():
            found = float(mechanism.worst_variance)
        case GridMechanism():
            found = mean_variance(mechanism)
        case ScoredChoice():
            found = share_variance(mechanism)
        case Kuk():
            found = float(mechanism.largest_variance)
        case _:
            columns = zip(*chances_to_show(mechanism), strict=True)
            found = float(max(largest_variance(column) for column in columns))
    return found


def largest_variance(column: Sequence[Fraction]) -> Fraction:
    """Return n times the largest variance of a share estimated from one report's fraction.

    Parameters
    ----------
    column
        How likely each answer gives this report.

    Examples
    --------
    >>> largest_variance([Fraction(1, 4), Fraction(3, 4)])
    Fraction(1, 1)
    """
    lowest, highest = min(column), max(column)
    fraction = min(max(Fraction(1, 2), lowest), highest)
    return fraction * (1 - fraction) / (highest - lowest) ** 2
