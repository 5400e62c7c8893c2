"""The piecewise mechanism on a grid: the mean of numbers, better than Duchi's at large odds.

Its table, a window of likely reports that moves along, is that of the square wave as well.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import RatioMechanism, Table
from tossup.shared.mechanisms.checks import check_ratio, check_total, ratio
from tossup.shared.mechanisms.numbers.base import MAX_REPORTS, GridMechanism, check_points


@dataclass(frozen=True, slots=True)
class Window(RatioMechanism, GridMechanism):
    """Reports x, ..., x + window - 1 weigh ``keep`` each, all others ``lie``.

    There are points - 1 + window reports. The expected report is linear in the answer, exactly.
    """

    tells_order: ClassVar[bool] = False
    points: int
    window: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_points(self.points, self.name)
        check_ratio(self.keep, self.lie, self.name)
        if type(self.window) is not int or not 1 <= self.window <= MAX_REPORTS - self.points + 1:
            raise MechanismError(f"window of {self.name} must be a positive integer")
        check_total(self.total)

    @property
    def total(self) -> int:
        """The sum of the weights of any answer."""
        return self.keep * self.window + self.lie * (self.points - 1)

    @property
    def reports(self) -> int:
        """Number of reports: points - 1 + window."""
        return self.points - 1 + self.window

    @property
    def weights(self) -> Table:
        """``keep`` in the window of the answer, ``lie`` elsewhere."""
        return self.weights_times(1)

    def weights_times(self, times: int) -> Table:
        """Return the weights, each multiplied by an integer."""
        inside = (times * self.keep,) * self.window
        outside = (times * self.lie,) * (self.points - 1)
        return tuple(outside[:x] + inside + outside[x:] for x in range(self.points))

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The affine map of reports whose mean is the answer."""
        last = self.reports - 1
        gain = (self.keep - self.lie) * self.window
        offset = self.lie * (self.reports * last // 2)
        offset += (self.keep - self.lie) * (self.window * (self.window - 1) // 2)
        return tuple(Fraction(y * self.total - offset, gain) for y in range(self.reports))

    def place(self, draw: int) -> int:
        """Return how far from the answer, in a circle, the report of this draw lies."""
        inside = self.keep * self.window
        if draw < inside:
            return draw // self.keep
        return self.window + (draw - inside) // self.lie

    def _sample(self, answer: int, coins: Coins) -> int:
        # The draw picks a place relative to the window, so it never looks at the truth.
        return (answer + self.place(coins.below(self.total))) % self.reports


@dataclass(frozen=True, slots=True)
class Piecewise(Window):
    """Report a place near the answer, in a window, or any other; odds keep / lie exactly.

    The expected value of a report is exactly the answer, at every point.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    window
        How many reports are likely for an answer.
    keep, lie
        Positive integers in lowest terms, keep > lie: weights in the window and outside.

    References
    ----------
    Wang et al. 2019, algorithm 2.

    Examples
    --------
    >>> Piecewise.for_odds(11, Fraction(3))
    Piecewise(points=11, window=8, keep=3, lie=1)
    """

    name: ClassVar[str] = "piecewise/1"
    in_auto: ClassVar[bool] = True
    example_fields = ((2, 1, 3, 1), (11, 8, 3, 1), (1024, 774, 3, 1))

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with these odds whose largest variance over all answers is least."""
        check_points(points, cls.name)
        keep, lie = ratio(odds)
        designs = (cls(points, window, keep, lie) for window in range(1, points + 1))
        return min(designs, key=lambda design: design.worst_variance)

    @property
    def worst_variance(self) -> Fraction:
        """The variance of a report's value given the first answer, the largest over all."""
        return self.variance_at_middle + self.bend * Fraction(self.points - 1, 2) ** 2

    @property
    def bend(self) -> Fraction:
        """By how much the variance grows with the squared distance from the middle."""
        return Fraction(self.total, (self.keep - self.lie) * self.window) - 1

    @property
    def variance_at_middle(self) -> Fraction:
        """The variance of a report's value given an answer in the middle of the range."""
        # Centred, reports are +-1/2, +-3/2, ... or 0, +-1, ...: sums of squares (n**3 - n) / 12.
        everywhere = self.lie * Fraction(_cubed(self.reports), 12)
        inside = (self.keep - self.lie) * Fraction(_cubed(self.window), 12)
        gain = (self.keep - self.lie) * self.window
        return (everywhere + inside) * Fraction(self.total, gain**2)


def _cubed(count: int) -> int:
    return count**3 - count
