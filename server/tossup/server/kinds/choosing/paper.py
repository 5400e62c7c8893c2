"""What yes/no tables cost: how many more people they need than the best one with the same odds.

Stage: authoring, before any answer.
"""

from collections.abc import Sequence
from fractions import Fraction

from tossup.shared.mechanisms import RandomizedResponse


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


def people(design: RandomizedResponse) -> Fraction:
    """Return how many times the people it needs, against the best table with the same odds.

    For both the share is the one of most variance. The best has odds / (1 + odds) on both sides.

    >>> from tossup.shared.mechanisms.binary.paper import make
    >>> people(make("unrelated-question", {"prevalence": Fraction(1, 4)}, Fraction(3)))
    Fraction(9, 4)
    """
    return _variance(design) / least_variance(design.odds)


def least_variance(odds: Fraction) -> Fraction:
    """Return n times the largest variance of a share, by the best yes/no table with these odds.

    >>> least_variance(Fraction(3))
    Fraction(1, 1)
    """
    return _variance(RandomizedResponse.warner(odds / (1 + odds)))


def what_it_costs(design: RandomizedResponse) -> str:
    """Return what its table is, and how many more people it needs than the best, in a few words.

    >>> from tossup.shared.mechanisms.binary.paper import make
    >>> what_it_costs(make("warner", {}, Fraction(3))).partition("; ")[0]
    'of a yes it sends yes with probability 3/4, of a no with 1/4'
    >>> what_it_costs(make("unrelated-question", {"prevalence": Fraction(1, 4)}, Fraction(3)))[-36:]
    'best yes/no coins with the same odds'
    """
    of_no, of_yes = (row[1] for row in design.channel())
    times = people(design)
    price = (
        "no yes/no coins with the same odds need fewer people"
        if times == 1
        else f"it needs {float(times):.2f} times as many people as the best yes/no coins with the"
        " same odds"
    )
    return f"of a yes it sends yes with probability {of_yes}, of a no with {of_no}; {price}"


def _variance(design: RandomizedResponse) -> Fraction:
    return largest_variance([row[1] for row in design.channel()])
