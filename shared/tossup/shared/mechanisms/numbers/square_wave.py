"""The square wave mechanism on a grid: the whole distribution of numbers."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context
from fractions import Fraction
from typing import ClassVar, Final, Self

from tossup.shared.mechanisms.base import Rounding
from tossup.shared.mechanisms.checks import ratio
from tossup.shared.mechanisms.numbers.base import check_points
from tossup.shared.mechanisms.numbers.piecewise import Window

_PRECISE: Final = Context(prec=50, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class SquareWave(Window):
    """Report a place near the answer, in a window, or any other; odds keep / lie exactly.

    The window is as wide as tells most about an answer; the server finds the distribution by
    expectation maximization with smoothing. The table is that of `Piecewise`, with another window.

    References
    ----------
    Li et al. 2020, sections 4 and 5.

    Examples
    --------
    >>> SquareWave.for_odds(101, Fraction(3)).window
    48
    """

    name: ClassVar[str] = "square-wave/1"
    rounding: ClassVar[Rounding] = "nearest"
    example_fields = ((2, 1, 3, 1), (11, 5, 3, 1), (1024, 491, 3, 1))

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with these odds and the window of most mutual information."""
        check_points(points, cls.name)
        keep, lie = ratio(odds)
        return cls(points, max(1, round(points * best_window(odds))), keep, lie)


def best_window(odds: Fraction) -> Fraction:
    """Return 2b of the paper, the window as a part of the range, to 30 digits or better.

    >>> round(best_window(Fraction(3)) * 10**6)
    479201
    """
    epsilon = Fraction(
        _PRECISE.subtract(
            _PRECISE.ln(_PRECISE.create_decimal(odds.numerator)),
            _PRECISE.ln(_PRECISE.create_decimal(odds.denominator)),
        )
    )
    numerator = epsilon * odds - odds + 1
    denominator = odds * (odds - 1 - epsilon)
    return numerator * denominator**-1
