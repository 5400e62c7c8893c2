"""Numbers that change slowly, as a survey file asks for them: through a memo of kept bits.

Stage: authoring, before any answer. The odds of a file are what a device is charged for each
wave, since these hold for someone who takes the device, too.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from tossup.server.kinds.choosing.number import for_number, mean_variance
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    DBitFlip,
    GridMechanism,
    KeptBitsMechanism,
    OneBitMean,
)
from tossup.shared.mechanisms.memory.d_bit_flip import MAX_POINTS, best_asked
from tossup.shared.odds import largest_odds, largest_root

#: The mechanisms as survey files name them, and the keys of a question that only they take.
NAMES: Final = ("one-bit-mean", "d-bit-flip")
KEYS: Final = ("memory", "asked")

#: Odds of the kept bits: they add about half to the people needed, and keep the odds of all
#: reports about an answer that never changes below 9, or 81 where two buckets may differ.
_DEFAULT_MEMORY: Final = Fraction(9)


def check_keys(part: Mapping[str, Any]) -> None:
    """Refuse what only these mechanisms take in a question with another one."""
    for key, names in zip(KEYS, (NAMES, NAMES[1:]), strict=True):
        if key in part and part.get("mechanism") not in names:
            raise MechanismError(f"takes {key} with mechanism {' or '.join(names)} alone")


def for_counter(
    grid: Grid,
    name: str,
    odds: Fraction | Decimal,
    memory: Fraction | None = None,
    asked: int | None = None,
) -> KeptBitsMechanism:
    """Return the design for a number that changes slowly.

    Parameters
    ----------
    grid
        The numbers that the question takes; for ``"d-bit-flip"`` at most 32.
    name
        One of `NAMES`.
    odds
        What a wave is charged, or an epsilon as a decimal.
    memory
        Odds of the kept bits; 9 by default.
    asked
        How many buckets are asked; as many as fit by default, or one where no more than four do.

    Raises
    ------
    MechanismError
        If there is no such design.

    Examples
    --------
    >>> for_counter(Grid.integers(0, 100), "one-bit-mean", Fraction(3))
    OneBitMean(points=101, keep=9, lie=1, again_keep=3, again_lie=1)
    >>> for_counter(Grid.integers(0, 4), "d-bit-flip", Fraction(9, 4))
    DBitFlip(points=5, asked=5, keep=9, lie=1, again_keep=3, again_lie=2)
    """
    memory = _DEFAULT_MEMORY if memory is None else memory
    if isinstance(odds, Decimal):
        total = memory.numerator + memory.denominator
        odds = largest_odds(odds, limit=MAX_WEIGHT_SUM // (total * grid.points))
    for what, given in (("odds", odds), ("memory", memory)):
        if given <= 1:
            raise MechanismError(f"{what} ({given}) must be above 1: at 1 all answers look alike")
    if name == "one-bit-mean":
        return OneBitMean(grid.points, *memory.as_integer_ratio(), *odds.as_integer_ratio())
    return _of_buckets(grid, odds, memory, asked)


def _of_buckets(grid: Grid, odds: Fraction, memory: Fraction, asked: int | None) -> DBitFlip:
    if grid.points > MAX_POINTS:
        raise MechanismError(
            f"d-bit-flip takes at most {MAX_POINTS} numbers, so that many devices report on the"
            f" same; {grid.points} are too many. Take a larger step, or one-bit-mean"
        )
    asked = best_asked(grid.points) if asked is None else asked
    bit = odds if asked == 1 else largest_root(odds)
    return DBitFlip(grid.points, asked, *memory.as_integer_ratio(), *bit.as_integer_ratio())


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

    >>> for name in NAMES:
    ...     print(f"{people_afresh(for_counter(Grid.integers(0, 4), name, Fraction(3))):.2f}")
    1.79
    2.96
    """
    return mean_variance(mechanism) / mean_variance(afresh(mechanism))


def what_it_costs(mechanism: KeptBitsMechanism) -> str:
    """Return how many more people a mean needs than without a memo, in one sentence.

    >>> what_it_costs(for_counter(Grid.integers(0, 4), "d-bit-flip", Fraction(9, 4)))
    'its mean needs 3.1 times as many people as truncated-geometric, tossed afresh at the same odds'
    """
    other = afresh(mechanism).name.partition("/")[0]
    return (
        f"its mean needs {people_afresh(mechanism):.1f} times as many people as {other}, tossed"
        " afresh at the same odds"
    )
