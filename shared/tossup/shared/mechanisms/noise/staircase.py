"""The staircase mechanism on a grid: additive noise whose density falls in steps."""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import RatioMechanism, Table
from tossup.shared.mechanisms.checks import check_ratio, check_total, ratio
from tossup.shared.mechanisms.numbers.base import GridMechanism, check_points


@dataclass(frozen=True)
class Staircase(RatioMechanism, GridMechanism):
    """Add noise of the discrete staircase distribution; the tails are folded onto one range.

    With R = points - 1 steps of range, noise of size k has a probability in proportion to
    (lie / keep)**i, where i counts the steps down before k: at ``inner``, ``inner + R``,
    ``inner + 2 R`` and so on. Odds are keep / lie exactly.

    A noisy answer beyond one range below or above the declared one is sent as the place whole
    ranges nearer, next to the declared range. That tells as much, in finitely many reports, and the
    values of the reports make the mean exactly unbiased.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    inner
        Width of the topmost step, from 1 to points - 1: gamma times the range.
    keep, lie
        Positive integers in lowest terms, keep > lie.

    References
    ----------
    Geng and Viswanath 2014; Geng, Kairouz, Oh and Viswanath 2015.

    Examples
    --------
    >>> Staircase(points=3, inner=1).weights[0]
    (9, 9, 18, 6, 6, 3, 3)
    """

    name: ClassVar[str] = "staircase/1"
    example_fields = ((5, 2, 3, 1), (5, 4, 5, 2), (101, 41, 3, 1), (301, 60, 19, 1))
    points: int
    inner: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_points(self.points, self.name)
        check_ratio(self.keep, self.lie, self.name)
        if type(self.inner) is not int or not 1 <= self.inner < self.points:
            raise MechanismError(f"inner of {self.name} must be from 1 to {self.points - 1}")
        check_total(self.total)

    @property
    def total(self) -> int:
        """The sum of the weights of any answer."""
        return self._bounds[-1]

    @property
    def reports(self) -> int:
        """Three ranges: below, declared and above."""
        return 3 * self.points - 2

    @property
    def weights(self) -> Table:
        """Weights of the noisy places from one range below to one range above."""
        return tuple(self._row(answer) for answer in range(self.points))

    def _row(self, answer: int) -> tuple[int, ...]:
        span = self.points - 1
        # A place out of bounds also stands for those beyond it: the sum of the geometric series
        # 1 + lie / keep + ... is keep / (keep - lie).
        levels = [self._level(size) for size in range(2 * span + 1)]
        outside, inside = self.keep, self.keep - self.lie
        return (
            *(outside * levels[answer - place] for place in range(-span, 0)),
            *(inside * levels[abs(place - answer)] for place in range(self.points)),
            *(outside * levels[place - answer] for place in range(self.points, 2 * span + 1)),
        )

    def _level(self, size: int) -> int:
        """Return the weight of a noise of this size, before folding."""
        steps = (size >= self.inner) + (size >= self.inner + self.points - 1)
        return (self.keep * self.keep, self.keep * self.lie, self.lie * self.lie)[steps]

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The place; beyond the bounds further out by what was folded, on average."""
        span = self.points - 1
        folded = Fraction(span * self.lie, self.keep - self.lie)
        inside = [Fraction(place) for place in range(self.points)]
        below = [place - span - folded for place in range(span)]
        above = [place + folded for place in range(self.points, 2 * span + 1)]
        return (*below, *inside, *above)

    def _sample(self, answer: int, coins: Coins) -> int:
        # The draw picks the noise, so it never looks at the truth; adding and folding do. A noise
        # beyond one range that is not folded stands for those of one, two, ... ranges more.
        span = self.points - 1
        noise = bisect_right(self._bounds, coins.below(self._bounds[-1])) - 2 * span
        place = answer + noise
        return place + span + span * ((place < -span) - (place > 2 * span))

    @cached_property
    def _bounds(self) -> tuple[int, ...]:
        """Upper bounds of the draws that give each noise, from two ranges down to two up."""
        span = self.points - 1
        sizes = [
            self._level(size) * (self.keep - (self.lie if size <= span else 0))
            for size in range(2 * span + 1)
        ]
        return tuple(accumulate((*sizes[:0:-1], *sizes)))

    @classmethod
    def ratio_limit(cls, points: int) -> int:
        """Return a keep + lie whose third powers leave room for three ranges of places."""
        limit = 2
        while 3 * points * (limit + 1) ** 3 <= MAX_WEIGHT_SUM:
            limit += 1
        return limit

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with these odds and the least variance at the ends of the range."""
        check_points(points, cls.name)
        keep, lie = ratio(odds)
        return cls(points, _best_inner(points - 1, keep, lie), keep, lie)


def _best_inner(span: int, keep: int, lie: int) -> int:
    """Return the width of the topmost step with the least variance given the first answer.

    Widening the step by one raises the weight of the noise ``inner`` on both sides and of
    ``inner + span`` above; sums of weights and of weighted squares follow step by step.
    """
    gap, shift = keep - lie, span * lie
    total = squares = 0

    def add(times: int, value: int) -> None:
        nonlocal total, squares
        total += times
        squares += times * value**2

    for size in range(span + 1):  # as with an inner width of 0
        add(gap * keep * lie, size * gap)
        if size:
            add(keep * keep * lie, size * gap + shift)
            add(keep * lie * lie, (size + span) * gap + shift)
    best, least = 1, None
    for inner in range(1, span + 1):
        size = inner - 1
        add(gap * keep * gap, size * gap)
        if size:
            add(keep * keep * gap, size * gap + shift)
            add(keep * lie * gap, (size + span) * gap + shift)
        variance = Fraction(squares, total)
        if least is None or variance < least:
            best, least = inner, variance
    return best
