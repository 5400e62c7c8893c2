"""How far apart the entries of two answers are, summed: the reach of noise entry by entry.

Stage: before any toss. All bounds are integers, in steps, and count in random rounding: it moves
every entry by less than a step.
"""

from bisect import bisect_left, bisect_right
from functools import cache
from typing import Final

from tossup.shared.mechanisms.vectors.roots import root_up

#: Parts of 1 in which roots are rounded up, and cuts of an interval whose ends stand for it.
_ONE: Final = 1 << 32
_CUTS: Final = 256


def ball_extent(dimension: int, radius: int) -> int:
    """Return the largest sum of sizes of the components of a point that is reached, exactly.

    With a = |component| - 1 where it is not 0, a point is reached if the squares of a sum to less
    than radius**2. Of integers with one sum those as equal as can be have the smallest squares.

    >>> ball_extent(2, 16)
    24
    """

    def least_squares(total: int) -> int:
        each, more = divmod(total, dimension)
        return (dimension - more) * each**2 + more * (each + 1) ** 2

    totals = range(dimension * radius + 1)
    return bisect_right(totals, radius**2 - 1, key=least_squares) - 1 + dimension


@cache
def moments_extent(components: int, radius: int) -> tuple[int, int]:
    """Return a middle of the squares, and a bound of the summed distance of all entries from it.

    Entries are 3/5 of the components and 4/5 of the products of pairs, those of an answer v with
    norm 1 at most, in parts of the radius. Squares are never negative, and so are counted from
    the middle, which makes the bound smallest; all other entries are counted from 0.

    With a middle t, and k of the squares above it, the sum is at most 3/5 s + 2/5 (s**2 - b**2 -
    c**2) + 4/5 (b**2 - c**2 + (components - 2 k) t), where s is the sum of all |v_i|, and b**2 and
    c**2 are the sums of those k squares and of the others. It rises with s, at most sqrt(k) b +
    sqrt(components - k) c, and with b, at most sqrt(1 - c**2). So it is a function of c alone,
    bounded on each of 256 intervals; and the largest over all k bounds every answer.

    >>> moments_extent(2, 1000)
    (202, 1650)
    """
    most = [
        (-(-radius * _largest(above, components - above) // (5 * _ONE)), components - 2 * above)
        for above in range(components + 1)
    ]

    def farthest(middle: int) -> int:
        return max(size + slope * middle for size, slope in most)

    middle = bisect_left(range(radius), True, key=lambda m: farthest(m + 1) >= farthest(m))  # noqa: FBT003
    entries = components * (components + 3) // 2
    return middle, farthest(middle) + entries - 1


def _largest(above: int, others: int) -> int:
    """Return a bound of 3 s + 2 s**2 + 2 b**2 - 6 c**2, in parts of 2**32."""
    return max(_bound(cut * _ONE // _CUTS, above, others) for cut in range(_CUTS))


def _bound(low: int, above: int, others: int) -> int:
    """Return the same for c from `low` to one cut more."""
    b = root_up(_ONE**2 - low**2) if above else 0
    c = low + _ONE // _CUTS
    s = -(-(root_up(above * _ONE**2) * b + root_up(others * _ONE**2) * c) // _ONE)
    return 3 * s - (-2 * (s * s + b * b) // _ONE) - 6 * low**2 // _ONE
