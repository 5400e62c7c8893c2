"""The plain coins of a choice or a yes/no question with given odds.

Stage: authoring, before any answer. Authors ask for odds or an epsilon; what comes out is a
mechanism with integer weights whose odds never exceed what was asked.
"""

from decimal import Decimal
from fractions import Fraction

from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    RandomizedResponse,
    TwoCoin,
)
from tossup.shared.mechanisms.checks import ratio
from tossup.shared.odds import largest_odds


def from_odds(odds: Fraction, answers: int, *, yes_no: bool) -> Mechanism:
    """Return the design with exactly these odds; two coins for a yes/no question at 3.

    >>> from_odds(Fraction(5, 2), answers=4, yes_no=False)
    KaryRandomizedResponse(options=4, keep=5, lie=2)

    Raises
    ------
    MechanismError
        If the odds are not above 1 (all reports alike), or need weights above 2**32.
    """
    keep, lie = ratio(odds)
    if not yes_no:
        return KaryRandomizedResponse(answers, keep, lie)
    return TwoCoin() if odds == 3 else RandomizedResponse(((keep, lie), (lie, keep)))


def from_epsilon(epsilon: Decimal, answers: int, *, yes_no: bool) -> Mechanism:
    """Return the design with the largest integer ratio that does not exceed e**epsilon."""
    return from_odds(largest_odds(epsilon, answers), answers, yes_no=yes_no)
