"""The piecewise mechanism on a grid: the mean of numbers, better than Duchi's at large odds."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tossup.shared.mechanisms.checks import ratio
from tossup.shared.mechanisms.numbers.base import check_points
from tossup.shared.mechanisms.numbers.window import Window


@dataclass(frozen=True, slots=True)
class Piecewise(Window):
    """Report a place near the answer, in a window, or any other; odds keep / lie exactly.

    The expected value of a report is exactly the answer, at every point.

    Discretization: none that biases; answers between points are rounded at random, which adds to
    the variance at most 1/4 of a squared step (f (1 - f) at f above a point). Reports are whole
    steps and the window is a whole number of them, chosen by exact search so that the largest
    variance over all answers is least. The continuous mechanism's window, e**(-epsilon / 2) of the
    range in reports that move as fast as the answer, is narrower than that: with it, the variance
    at 1,024 points is within 0.3 % of the continuous one's; with the best, 4 % lower at odds 3, and
    37 % lower at odds 81.

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
    Wang et al. 2019, ICDE, "Collecting and analyzing multidimensional data with local
    differential privacy", algorithm 2.

    Examples
    --------
    >>> Piecewise.for_odds(11, Fraction(3))
    Piecewise(points=11, window=8, keep=3, lie=1)
    """

    name: ClassVar[str] = "piecewise/1"
    in_auto: ClassVar[bool] = True

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(2, 1, 3, 1),
            cls(11, 8, 3, 1),
            cls(1024, 774, 3, 1),
        )

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with these odds whose largest variance over all answers is least."""
        check_points(points, cls.name)
        keep, lie = ratio(odds)
        designs = (cls(points, window, keep, lie) for window in range(1, points + 1))
        return min(designs, key=lambda design: design.worst_variance)

    @property
    def worst_variance(self) -> Fraction:
        """The variance of a report's value given the first answer, the largest over all.

        The variance is quadratic in the answer with a positive leading term, and the same at
        both ends.
        """
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
