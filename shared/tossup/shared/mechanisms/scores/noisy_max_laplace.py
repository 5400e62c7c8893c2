"""Report noisy max with Laplace noise in whole steps of score."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from tossup.shared.mechanisms.scores.base import ScoredChoice

_BITS: Final = 256
_ONE: Final = 1 << _BITS  # numbers below are multiples of one over this, rounded


@dataclass(frozen=True)
class NoisyMaxLaplace(ScoredChoice):
    """Add Laplace noise to every score, and send the option with the largest sum.

    The noise is discrete: its chances fall by lie / keep a step in both directions; ties are broken
    by a fair choice. Nothing is added on the device: the chances of all options are sums of
    geometric series, computed in integers, and become weights as `integer_table` says.

    At equal odds it tells less than `PermuteAndFlip`; it is here for comparison with what is
    published about it.

    References
    ----------
    Dwork and Roth 2014, section 3.3; Ghosh, Roughgarden and Sundararajan 2012, definition
    2.2.

    Examples
    --------
    >>> NoisyMaxLaplace(((0, -1), (-1, 0)), keep=2).weights[0]
    (2863311531, 1431655765)
    """

    name: ClassVar[str] = "noisy-max-laplace/1"

    @staticmethod
    def masses(losses: Sequence[int], keep: int, lie: int) -> tuple[int, ...]:
        """Return the chances of being the largest sum, in units of 2**-256."""
        ratio, levels = (lie << _BITS) // keep, sorted(set(losses))
        wins: Counter[int] = Counter()
        for upper, lower in zip([None, *levels], [*levels, None], strict=True):
            wins.update(_between(losses, ratio, upper, lower))
        return tuple(wins[loss] for loss in losses)


def _between(
    losses: Sequence[int], ratio: int, upper: int | None, lower: int | None
) -> dict[int, int]:
    """Return by loss the chance to win with a sum above one level and not above the next.

    Options not below the upper level have fallen to the sum, or further; those not above the
    lower level have not risen beyond it. ``upper`` is None above all levels, ``lower`` None
    below all.
    """
    fallen = [] if upper is None else [loss for loss in losses if loss <= upper]
    risen = [] if lower is None else [loss for loss in losses if loss >= lower]
    behind = [_power(ratio, loss - (lower or 0)) for loss in risen]
    ahead = _power(ratio, sum((upper or 0) - loss for loss in fallen))
    steps = None if upper is None or lower is None else lower - upper
    series = [_series(ratio, len(fallen), size, steps) for size in range(len(risen) + 1)]
    sums = _elementary(behind)
    wins = {}
    if fallen:
        chance = _alternating(sums, ratio, len(fallen) - 1, series)
        wins = dict.fromkeys(fallen, _times(ahead, chance))
    for loss, own in zip(risen, behind, strict=True):
        if loss not in wins:
            chance = _alternating(_without(sums, own), ratio, len(fallen), series[1:])
            wins[loss] = _times(_times(ahead, own), chance)
    return wins


def _series(ratio: int, fallen: int, risen: int, steps: int | None) -> int:
    """Return the sum over u from 1 to steps of ratio**(fallen (steps - u) + risen u).

    Without an end, of ratio**(risen u) from u = 1 on, or ratio**(fallen u) from u = 0 on.
    """
    first, second = _power(ratio, fallen), _power(ratio, risen)
    if not second:  # in these digits; every term has it as a factor
        return 0
    if steps is None:
        if risen:
            return _over(second, _ONE - second)
        return _over(_ONE, _ONE - first) if fallen else 0  # with neither there is no option
    if fallen == risen:
        return steps * _power(ratio, fallen * steps)
    ends = _power(ratio, fallen * steps) - _power(ratio, risen * steps)
    return _over(_times(second, ends), first - second)


def _alternating(sums: Sequence[int], ratio: int, fallen: int, series: Sequence[int]) -> int:
    """Return the chance that nobody is above the sum, ties broken fairly, over all sums."""
    total = 0
    for size, (products, along) in enumerate(zip(sums, series, strict=True)):
        term = _times(_times(products, along), _tie(ratio, size, fallen))
        total += -term if size % 2 else term
    return total


@lru_cache(maxsize=1 << 12)
def _tie(ratio: int, risen: int, fallen: int) -> int:
    """Return the integral of t**risen (1 - t)**fallen from ratio / (1 + ratio) to 1 less that.

    A fair choice among those with the largest sum is the order of uniform random numbers t.
    """
    if fallen:
        return _tie(ratio, risen, fallen - 1) - _tie(ratio, risen + 1, fallen - 1)
    low, high = _over(ratio, _ONE + ratio), _over(_ONE, _ONE + ratio)
    return (_power(high, risen + 1) - _power(low, risen + 1)) // (risen + 1)


def _elementary(values: Sequence[int]) -> list[int]:
    """Return the elementary symmetric polynomials: sums of products of 0, 1, 2, ... values."""
    sums = [_ONE]
    for value in values:
        sums = [
            one + _times(value, below) for one, below in zip([*sums, 0], [0, *sums], strict=True)
        ]
    return sums


def _without(sums: Sequence[int], value: int) -> list[int]:
    """Return the elementary symmetric polynomials of all values but one."""
    left = [_ONE]
    for together in sums[1:-1]:
        left.append(together - _times(value, left[-1]))
    return left


@lru_cache(maxsize=1 << 12)
def _power(base: int, exponent: int) -> int:
    if exponent < 2:
        return base if exponent else _ONE
    half = _power(base, exponent // 2)
    square = _times(half, half)
    return _times(square, base) if exponent % 2 else square


def _times(one: int, other: int) -> int:
    return one * other >> _BITS


def _over(one: int, other: int) -> int:
    return (one << _BITS) // other
