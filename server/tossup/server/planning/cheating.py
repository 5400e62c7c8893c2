"""What surveys of two designs tell about people who say no whatever the coins say.

Their power comes first: it is small, and a design that cannot tell is not worth its price. On a
device coins are tossed by software after the answer, so nobody can disobey them, and who denies is
like who has a no: no pair of designs tells. These figures are for coins in people's hands, or for
people who may close the page instead of sending a yes.
"""

from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from tossup.server.planning.errors import (
    PlanningError,
    count,
    odds_above_one,
    probability,
    share_of,
)
from tossup.server.planning.search import fewest

#: Pr[report yes | no], Pr[report yes | yes]
Rates = tuple[Fraction, Fraction]


def halves(odds: Fraction) -> tuple[Rates, Rates]:
    """Return the two designs of given odds that halves of a survey answer under.

    The symmetric one, and the one that says yes to half of those with a no.

    >>> [tuple(map(str, rates)) for rates in halves(Fraction(3))]
    [('1/4', '3/4'), ('1/2', '5/6')]

    Raises
    ------
    PlanningError
        If the odds are not above 1.
    """
    low = 1 / (1 + odds_above_one(odds))
    return (low, 1 - low), (Fraction(1, 2), 1 - Fraction(1, 2) / odds)


def standard_error(odds: Fraction, share: float, cheating: float, n: int) -> float:
    """Return the standard error of the estimated share of people who always say no.

    Clark and Desharnais 1998, Psychological Methods 3:160-168, with halves of n each.

    Parameters
    ----------
    odds
        Of both designs.
    share
        Of people with an honest yes.
    cheating
        Of people who report no whatever the coins say.
    n
        Respondents in both halves together.
    """
    count(n, "n")
    if share_of(share, "share") + share_of(cheating, "cheating") > 1:
        raise PlanningError(f"share ({share}) and cheating ({cheating}) must be at most 1 together")
    (q1, p1), (q2, p2) = ((float(q), float(p)) for q, p in halves(odds))
    honest_no = 1 - share - cheating
    rates = (p1 * share + q1 * honest_no, p2 * share + q2 * honest_no)
    # cheating = 1 - honest yes - honest no, each solved for from both rates
    gap = p1 * q2 - p2 * q1
    slopes = ((p2 - q2) / gap, (q1 - p1) / gap)
    return sqrt(sum(s**2 * r * (1 - r) / (n / 2) for s, r in zip(slopes, rates, strict=True)))


def power(odds: Fraction, share: float, cheating: float, n: int, level: float = 0.05) -> float:
    """Return the chance that a two-sided test tells that share of cheating from none.

    >>> round(power(Fraction(3), 0.2, 0.03, 10_000), 2)
    0.22
    """
    z = -NormalDist().inv_cdf(probability(level, "level") / 2)
    null = z * standard_error(odds, share, 0.0, n)
    error = standard_error(odds, share, cheating, n)
    above = NormalDist().cdf((cheating - null) / error)
    return above + NormalDist().cdf((-cheating - null) / error)


def respondents(
    odds: Fraction, share: float, cheating: float, wanted: float = 0.8, level: float = 0.05
) -> int:
    """Return the fewest respondents, both halves together, with whom that test has a power.

    >>> respondents(Fraction(3), 0.2, 0.03) > 50_000
    True
    """
    probability(wanted, "power")
    if not cheating:
        raise PlanningError("no test can tell a share of 0 from none; name another")
    return fewest(lambda n: power(odds, share, cheating, n, level) >= wanted)
