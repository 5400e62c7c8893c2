"""The truncated geometric mechanism: integers in a range.

Its table, of noise that decays and is clipped, is that of the other noise as well.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.base import Counting, Table
from tossup.shared.mechanisms.checks import check_total, ratio
from tossup.shared.mechanisms.numbers.base import MAX_REPORTS, GridMechanism, check_points

_PRECISE: Final = Context(prec=60, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True)
class Decay(GridMechanism):
    """Add noise to the answer and clip the sum to the declared range, widened by a margin.

    ``tails[k]`` is the weight of noise of at least k in one direction, for k from 0 to the widest
    clipped noise; all weights sum to ``tails[0] + tails[1]``. Written out as integers, the noise is
    the same on every device: none computes a power or an exponential.
    """

    counting: ClassVar[Counting] = "decay"
    points: int
    tails: tuple[int, ...]

    def __post_init__(self) -> None:
        check_points(self.points, self.name)
        if any(type(weight) is not int for weight in self.tails):
            raise MechanismError(f"tails of {self.name} must be integers")
        if not self.points <= len(self.tails) <= self.points + MAX_REPORTS // 4:
            raise MechanismError(f"tails of {self.name} do not fit a grid of {self.points} points")
        sizes = self.sizes
        falls = all(one >= other for one, other in pairwise(sizes))
        if not falls or sizes[-1] < 1 or self.tails[-1] < 1:
            raise MechanismError(f"tails of {self.name} must fall, by less and less, to 1 or more")
        check_total(self.total)

    @property
    def margin(self) -> int:
        """How many steps beyond either bound a report can lie."""
        return len(self.tails) - self.points

    @property
    def sizes(self) -> tuple[int, ...]:
        """The weight of a noise of exactly 0, 1, ... steps in one direction."""
        return tuple(one - other for one, other in pairwise(self.tails))

    @property
    def total(self) -> int:
        """The sum of the weights of any answer."""
        return self.tails[0] + self.tails[1]

    @property
    def reports(self) -> int:
        """The grid and a margin on both sides."""
        return self.points + 2 * self.margin

    @property
    def odds(self) -> Fraction:
        """The largest ratio of a column."""
        return self.largest_ratio

    @cached_property
    def largest_ratio(self) -> Fraction:
        """The largest ratio of a column: it holds without exception."""
        last, sizes = len(self.tails) - 1, self.sizes
        span = self.points - 1
        ends = Fraction(self.tails[self.margin], self.tails[last])
        outside = (Fraction(sizes[k], sizes[k + span]) for k in range(self.margin))
        # Reports within the bounds: the nearest answer is the report itself.
        inside = Fraction(sizes[0], sizes[span - (0 if self.margin else 1)])
        return max(ends, inside, *outside)

    @cached_property
    def weights(self) -> Table:
        """Noise by distance; at the ends of the widened range, all noise beyond as well."""
        sizes, tails, margin = self.sizes, self.tails, self.margin
        around, last = (*sizes[:0:-1], *sizes), len(sizes) - 1
        return tuple(
            (
                tails[answer + margin],
                *around[last - margin + 1 - answer : last + self.points - 1 + margin - answer],
                tails[self.points - 1 + margin - answer],
            )
            for answer in range(self.points)
        )

    @cached_property
    def _bounds(self) -> tuple[int, ...]:
        """Upper bounds of the draws that give each noise, from the lowest on."""
        below = [self.tails[size] for size in range(len(self.tails) - 1, 0, -1)]
        above = [self.total - weight for weight in self.tails[1:]]
        return (*below, *above)

    def _sample(self, answer: int, coins: Coins) -> int:
        # The draw picks the noise, so it never looks at the truth; adding and clipping do.
        noise = bisect_right(self._bounds, coins.below(self.total)) - (len(self.tails) - 1)
        return max(0, min(answer + noise + self.margin, self.reports - 1))


def decaying(points: int, odds: Fraction, margin: int) -> tuple[int, ...]:
    """Return tails whose noise decays by odds**(-1 / (points - 1)) a step, at most at these odds.

    Within one range the noise is rounded up to integers; a range further it weighs at least
    lie / keep of what it weighs here; and so does the last tail.
    """
    keep, lie = ratio(odds)
    scale = MAX_WEIGHT_SUM // 4
    while scale:
        tails = _tails(points, (keep, lie), margin, scale)
        total = tails[0] + tails[1]
        if total <= MAX_WEIGHT_SUM:
            return tails
        scale = min(scale - 1, scale * MAX_WEIGHT_SUM // total)
    raise MechanismError(f"odds of {brief(odds)} over {points} points need weights above 2**32")


def _tails(points: int, odds: tuple[int, int], margin: int, scale: int) -> tuple[int, ...]:
    keep, lie = odds
    span = points - 1
    sizes = list(_powers(span, odds, scale))
    while len(sizes) < span + margin:
        sizes.append(_above(sizes[-span] * lie, keep))
    # A few units more make the last tail divide, so that odds asked as 3 are exactly 3.
    spare = -sum(sizes[margin:]) % (keep - lie)
    if spare * 4096 <= sizes[margin] and (not margin or sizes[margin] + spare <= sizes[margin - 1]):
        sizes[margin] += spare
    last = _above(lie * sum(sizes[margin:]), keep - lie)
    return _sums_from_the_end(sizes, last)


def _powers(span: int, odds: tuple[int, int], scale: int) -> list[int]:
    """Return scale times odds**(-k / span) for k below span, rounded up, the first exact."""
    logarithm = _PRECISE.subtract(_PRECISE.ln(Decimal(odds[0])), _PRECISE.ln(Decimal(odds[1])))
    step = _PRECISE.exp(-_PRECISE.divide(logarithm, Decimal(span)))
    return [scale] + [
        int(_PRECISE.multiply(Decimal(scale), _PRECISE.power(step, size))) + 1
        for size in range(1, span)
    ]


def _sums_from_the_end(sizes: Sequence[int], last: int) -> tuple[int, ...]:
    tails = [last]
    for weight in reversed(sizes):
        tails.append(tails[-1] + weight)
    return tuple(reversed(tails))


def _above(numerator: int, denominator: int) -> int:
    """Return the quotient, rounded up."""
    return -(-numerator // denominator)


@dataclass(frozen=True)
class TruncatedGeometric(Decay):
    """Add two-sided geometric noise to the answer and clip the sum to the range.

    Noise decays by odds**(-1 / (points - 1)) a step. Reports are points of the grid. Nothing is
    lost by clipping: how far a clipped sum lay outside is geometric whatever the answer.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    tails
        ``tails[k]``: the weight of noise of at least k in one direction, k < points.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan 2012, section 2.

    Examples
    --------
    >>> TruncatedGeometric(3, (6, 3, 2)).channel()[1]
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """

    name: ClassVar[str] = "truncated-geometric/1"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin:
            raise MechanismError(f"{self.name} takes a tail for every point of the grid")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(3, (6, 3, 2)),
            *(cls.for_odds(n, Fraction(odds)) for n, odds in ((2, 3), (11, 3), (101, 9))),
        )

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with the largest odds up to these that its integers allow."""
        check_points(points, cls.name)
        return cls(points, decaying(points, odds, margin=0))
