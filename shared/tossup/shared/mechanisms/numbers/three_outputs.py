"""Three outputs: the mean of numbers from reports that are low, high or neither."""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar, Final, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import RatioMechanism, Table
from tossup.shared.mechanisms.checks import check_ratio, check_total, ratio
from tossup.shared.mechanisms.numbers.base import GridMechanism, check_points

#: Parts in which `ThreeOutputs.for_odds` looks for the best chance of neither.
_PARTS: Final = 64


@dataclass(frozen=True, slots=True)
class ThreeOutputs(RatioMechanism, GridMechanism):
    """Report low, high or neither; neither is the likelier the nearer the answer is to the middle.

    At the middle of the grid neither has probability p = neither / (neither + sides), at both
    ends p lie / keep, linear between; what is left goes to low and high, so that odds are
    keep / lie exactly. The values of the reports make the mean exactly unbiased. From odds of about
    2 on it needs fewer people than `Duchi`.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    neither, sides
        Positive integers in lowest terms; p is at most keep / (keep + 2 lie).
    keep, lie
        Positive integers in lowest terms, keep > lie. Weights sum to
        2 (neither + sides) keep (keep + lie) (points - 1), at most 2**32.

    Raises
    ------
    MechanismError
        If these bounds do not hold, or weights sum to more than 2**32: they sum to
        2 (neither + sides) keep (keep + lie) (points - 1).

    References
    ----------
    Zhao et al. 2021, Three-Outputs.

    Examples
    --------
    >>> design = ThreeOutputs(3, neither=1, sides=1, keep=3, lie=1)
    >>> [str(chance) for chance in design.channel()[0]]
    ['5/8', '1/6', '5/24']
    """

    name: ClassVar[str] = "three-outputs/1"
    tells_distribution: ClassVar[bool] = False
    tells_order: ClassVar[bool] = False
    points: int
    neither: int
    sides: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_points(self.points, self.name)
        check_ratio(self.keep, self.lie, self.name)
        shares = (self.neither, self.sides)
        if any(type(share) is not int or share < 1 for share in shares):
            raise MechanismError(f"neither and sides of {self.name} must be positive integers")
        if Fraction(*shares).numerator != self.neither:
            raise MechanismError(f"neither and sides of {self.name} must be in lowest terms")
        if Fraction(self.neither, self.parts) > _most(self.odds):
            raise MechanismError(
                f"neither of {self.name} must be at most keep / (keep + 2 lie) of the whole: else"
                " low and high would tell more than these odds"
            )
        check_total(self.total)

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(2, 1, 1, 3, 1),
            cls(3, 1, 1, 3, 1),
            cls(11, 3, 5, 5, 2),
            cls.for_odds(101, Fraction(3)),
            cls.for_odds(1024, Fraction(9)),
        )

    @property
    def parts(self) -> int:
        """What neither and sides sum to."""
        return self.neither + self.sides

    @property
    def total(self) -> int:
        """The sum of the weights of any answer."""
        return 2 * self.parts * self.keep * (self.keep + self.lie) * (self.points - 1)

    @property
    def reports(self) -> int:
        """Three: low, neither and high."""
        return 3

    @property
    def weights(self) -> Table:
        """Weights of low, neither and high."""
        return tuple(self._row(answer) for answer in range(self.points))

    def _row(self, answer: int) -> tuple[int, int, int]:
        """Return an answer's weights: linear in how far it is from the middle, in half steps."""
        steps = self.points - 1
        away = 2 * answer - steps
        neither = self.neither * (self.keep * steps - (self.keep - self.lie) * abs(away))
        rest = self.total - 2 * (self.keep + self.lie) * neither
        # The difference of high and low is linear in the answer over the whole grid.
        tilt = 2 * (self.keep - self.lie) * (self.keep * self.parts - self.neither * self.lie)
        high = (rest + tilt * away) // 2
        return rest - high, self.total - rest, high

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The middle for neither, and for low and high as much below it and above."""
        middle = Fraction(self.points - 1, 2)
        gap = self.keep * self.parts - self.neither * self.lie
        reach = middle * Fraction(
            self.parts * self.keep * (self.keep + self.lie), (self.keep - self.lie) * gap
        )
        return middle - reach, middle, middle + reach

    def _sample(self, answer: int, coins: Coins) -> int:
        low, neither, _ = self._row(answer)
        draw = coins.below(self.total)
        return (draw >= low) + (draw >= low + neither)

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with exactly these odds whose mean has the least largest variance.

        >>> ThreeOutputs.for_odds(11, Fraction(3))
        ThreeOutputs(points=11, neither=25, sides=39, keep=3, lie=1)
        """
        check_points(points, cls.name)
        keep, lie = ratio(odds)
        most = int(_most(odds) * _PARTS)
        shares = [Fraction(part, _PARTS) for part in range(1, most + 1)]
        best = min(shares, key=lambda share: _largest_variance(share, odds, points))
        neither, parts = best.as_integer_ratio()
        return cls(points, neither, parts - neither, keep, lie)

    @classmethod
    def ratio_limit(cls, points: int) -> int:
        """Return how large keep + lie may be: its square is in the sum of the weights."""
        return isqrt(MAX_WEIGHT_SUM // (2 * _PARTS * (points - 1)))


def _most(odds: Fraction) -> Fraction:
    """Return how likely neither may be: low and high are then as likely in the middle as ever."""
    return Fraction(odds, odds + 2)


def _largest_variance(neither: Fraction, odds: Fraction, points: int) -> Fraction:
    """Return the largest variance of a report's value, over the points as answers from -1 to 1.

    With p of neither in the middle and reports that count for c, it is
    c**2 (1 - p + p (1 - 1 / odds) x) - x**2 at the distance x: a parabola.
    """
    squared = Fraction(odds * (odds + 1), (odds - 1) * (odds - neither)) ** 2
    fall = neither * (1 - Fraction(1, odds))
    steps = points - 1
    top = min(int(squared * fall * Fraction(steps, 2)), steps)
    distances = {min(max(place, steps % 2), steps) for place in (top - 1, top, top + 1, top + 2)}
    return max(
        squared * (1 - neither + fall * x) - x**2
        for x in (Fraction(place, steps) for place in distances if place % 2 == steps % 2)
    )
