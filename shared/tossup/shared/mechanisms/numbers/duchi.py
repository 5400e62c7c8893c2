"""Duchi's mechanism: the mean of numbers from reports of one bit."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.mechanisms.base import RatioMechanism, Table
from tossup.shared.mechanisms.checks import check_ratio, check_total, ratio
from tossup.shared.mechanisms.numbers.base import GridMechanism, check_points


@dataclass(frozen=True, slots=True)
class Duchi(RatioMechanism, GridMechanism):
    """Report high or low; the higher the answer, the likelier is high.

    High has probability (lie (points - 1) + (keep - lie) x) / ((keep + lie)(points - 1)) for
    the point x. Odds are keep / lie exactly. The values of the two reports make the mean exactly
    unbiased, and the grid costs nothing.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    keep, lie
        Positive integers in lowest terms, keep > lie, (keep + lie)(points - 1) <= 2**32.

    References
    ----------
    Duchi, Jordan and Wainwright 2018, section 3; Wang et al. 2019, algorithm 1.

    Examples
    --------
    >>> Duchi(points=3).channel()[1]
    (Fraction(1, 2), Fraction(1, 2))
    """

    name: ClassVar[str] = "duchi/1"
    in_auto: ClassVar[bool] = True
    tells_distribution: ClassVar[bool] = False
    is_one_bit: ClassVar[bool] = True
    tells_order: ClassVar[bool] = False
    example_fields = ((2, 3, 1), (5, 3, 1), (101, 5, 2), (1024, 3, 1))
    points: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_points(self.points, self.name)
        check_ratio(self.keep, self.lie, self.name)
        check_total(self.total)

    @property
    def total(self) -> int:
        """The sum of the weights of any answer."""
        return (self.keep + self.lie) * (self.points - 1)

    @property
    def reports(self) -> int:
        """Two: low and high."""
        return 2

    @property
    def weights(self) -> Table:
        """Weights of low and high, linear in the answer."""
        return tuple(
            (self.low_weight(x), self.total - self.low_weight(x)) for x in range(self.points)
        )

    def low_weight(self, answer: int) -> int:
        """Return the weight of the report low."""
        return self.keep * (self.points - 1) - (self.keep - self.lie) * answer

    @property
    def values(self) -> tuple[Fraction, ...]:
        """Minus lie and plus keep, times (points - 1) / (keep - lie)."""
        unit = Fraction(self.points - 1, self.keep - self.lie)
        return (-self.lie * unit, self.keep * unit)

    def _sample(self, answer: int, coins: Coins) -> int:
        return int(coins.below(self.total) >= self.low_weight(answer))

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with exactly these odds."""
        return cls(points, *ratio(odds))

    @classmethod
    def ratio_limit(cls, points: int) -> int:
        """Return the largest keep + lie."""
        return MAX_WEIGHT_SUM // (points - 1)
