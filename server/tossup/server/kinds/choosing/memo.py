"""Numbers that change slowly, through a memo of kept bits: what that costs beside fresh coins.

Stage: authoring, before any answer. The odds of a file are what a device is charged for each
wave, since these hold for someone who takes the device, too.
"""

from tossup.server.kinds.choosing.number import for_number, mean_variance
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import GridMechanism, KeptBitsMechanism


def afresh(mechanism: KeptBitsMechanism) -> GridMechanism:
    """Return what the same would be asked with at the same charge, tossed afresh in every wave.

    Truncated geometric noise where the distribution is told, else the best mechanism for a mean.
    """
    grid = Grid.integers(0, mechanism.points - 1)
    name = "truncated-geometric" if mechanism.tells_distribution else "auto"
    return for_number(grid, name, mechanism.given_memo.odds)


def people_afresh(mechanism: KeptBitsMechanism) -> float:
    """Return how many times the people a mean needs, against `afresh`.

    For both the answer is taken for which coins cause the most variance.

    >>> from tossup.shared.mechanisms import DBitFlip, OneBitMean
    >>> f"{people_afresh(OneBitMean(5)):.2f}", f"{people_afresh(DBitFlip(5, asked=5)):.2f}"
    ('1.79', '2.67')
    """
    return mean_variance(mechanism) / mean_variance(afresh(mechanism))


def what_it_costs(mechanism: KeptBitsMechanism) -> str:
    """Return how many more people a mean needs than without a memo, in one sentence.

    >>> from tossup.shared.mechanisms import DBitFlip
    >>> what_it_costs(DBitFlip(5, asked=5, again_keep=3, again_lie=2))
    'its mean needs 3.1 times as many people as truncated-geometric, tossed afresh at the same odds'
    """
    other = afresh(mechanism).name.partition("/")[0]
    return (
        f"its mean needs {people_afresh(mechanism):.1f} times as many people as {other}, tossed"
        " afresh at the same odds"
    )
