"""The table that piecewise and square wave share: a window of likely reports that moves along."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Table
from tossup.shared.mechanisms.checks import check_ratio, check_total
from tossup.shared.mechanisms.numbers.base import MAX_REPORTS, GridMechanism, check_points


@dataclass(frozen=True, slots=True)
class Window(GridMechanism):
    """Reports x, ..., x + window - 1 weigh ``keep`` each, all others ``lie``.

    There are points - 1 + window reports, so that the window of every answer fits. The expected
    report is linear in the answer, exactly, which makes the mean unbiased without any rounding.
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
    def odds(self) -> Fraction:
        """Exactly keep / lie: the first report is in the window of the first answer only."""
        return Fraction(self.keep, self.lie)

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
