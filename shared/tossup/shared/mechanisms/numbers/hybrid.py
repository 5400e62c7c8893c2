"""The hybrid mechanism on a grid: piecewise with one probability, else Duchi."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import RatioMechanism, Table
from tossup.shared.mechanisms.checks import check_total, ratio
from tossup.shared.mechanisms.numbers.base import GridMechanism, check_points
from tossup.shared.mechanisms.numbers.duchi import Duchi
from tossup.shared.mechanisms.numbers.piecewise import Piecewise


@dataclass(frozen=True)
class Hybrid(RatioMechanism, GridMechanism):
    """Report a place as the piecewise mechanism does, or high or low as Duchi's does.

    Which of the two made a report is seen in it, and each has its own values, so the mean is
    exactly unbiased. Piecewise is worst at the ends of the range and Duchi in its middle; mixed
    as `for_odds` does, the variance is nearly the same at every answer. Odds are keep / lie.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    window, keep, lie
        As in `Piecewise`.
    piecewise, duchi
        Positive integers: by what the weights of the two tables are multiplied.

    References
    ----------
    Wang et al. 2019, section 3.3.

    Examples
    --------
    >>> Hybrid(points=11, window=6, keep=3, lie=1, piecewise=1, duchi=1).reports
    18
    """

    name: ClassVar[str] = "hybrid/1"
    in_auto: ClassVar[bool] = True
    tells_order: ClassVar[bool] = False
    example_fields = ((2, 1, 3, 1, 1, 1), (11, 7, 3, 1, 2, 3), (1024, 708, 3, 1, 580722, 545963))
    points: int
    window: int
    keep: int = 3
    lie: int = 1
    piecewise: int = 1
    duchi: int = 1

    def __post_init__(self) -> None:
        if any(type(times) is not int or times < 1 for times in (self.piecewise, self.duchi)):
            raise MechanismError(f"{self.name} takes positive integers piecewise and duchi")
        check_total(self.total)

    @cached_property
    def parts(self) -> tuple[Piecewise, Duchi]:
        """The two mechanisms that are mixed."""
        return (
            Piecewise(self.points, self.window, self.keep, self.lie),
            Duchi(self.points, self.keep, self.lie),
        )

    @property
    def total(self) -> int:
        """The sum of the weights of any answer."""
        places, ends = self.parts
        return self.piecewise * places.total + self.duchi * ends.total

    @property
    def reports(self) -> int:
        """The places of piecewise, then low and high."""
        return self.parts[0].reports + 2

    @property
    def weights(self) -> Table:
        """The two tables side by side, each multiplied by its integer."""
        places, ends = self.parts
        rows = zip(places.weights_times(self.piecewise), ends.weights, strict=True)
        return tuple((*row, *(self.duchi * weight for weight in two)) for row, two in rows)

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The values of both parts."""
        places, ends = self.parts
        return (*places.values, *ends.values)

    def _sample(self, answer: int, coins: Coins) -> int:
        places, ends = self.parts
        draw = coins.below(self.total)
        rest = draw - self.piecewise * places.total
        if rest < 0:  # which part it is depends on the draw alone, and is seen in the report
            return (answer + places.place(draw // self.piecewise)) % places.reports
        high = rest // self.duchi >= ends.low_weight(answer)
        return places.reports + high

    @classmethod
    def ratio_limit(cls, points: int) -> int:
        """Return a keep + lie that leaves as much room for the mixture's integers."""
        return 1 << (MAX_WEIGHT_SUM // points).bit_length() // 2

    @classmethod
    def for_odds(cls, points: int, odds: Fraction) -> Self:
        """Return the design with these odds whose largest variance over all answers is least.

        At odds below about 1.8 (epsilon 0.61) Duchi alone is better, and should be used.
        """
        check_points(points, cls.name)
        keep, lie = ratio(odds)
        designs = (Piecewise(points, window, keep, lie) for window in range(1, points + 1))
        ends = Duchi(points, keep, lie)
        best = min(designs, key=lambda places: _mixed_variance(places, ends))
        times = _multipliers(best, ends)
        return cls(points, best.window, keep, lie, *times)

    @property
    def worst_variance(self) -> Fraction:
        """The largest variance of a report's value: given the middle answer, or an end."""
        places, ends = self.parts
        share = Fraction(self.piecewise * places.total, self.total)
        middle = share * places.variance_at_middle + (1 - share) * _duchi_at_middle(ends)
        bend = share * places.bend - (1 - share)
        return middle + max(Fraction(0), bend) * Fraction(self.points - 1, 2) ** 2


def _duchi_at_middle(ends: Duchi) -> Fraction:
    unit = Fraction((ends.points - 1) * (ends.keep + ends.lie), 2 * (ends.keep - ends.lie))
    return unit**2


def _piecewise_share(places: Piecewise) -> Fraction:
    """Return the probability of piecewise at which the variance is the same everywhere."""
    return 1 * (1 + places.bend) ** -1


def _mixed_variance(places: Piecewise, ends: Duchi) -> Fraction:
    share = _piecewise_share(places)
    return share * places.variance_at_middle + (1 - share) * _duchi_at_middle(ends)


def _multipliers(places: Piecewise, ends: Duchi) -> tuple[int, int]:
    """Return integers that mix the two tables nearly so, with weights that fit."""
    share = _piecewise_share(places)
    wanted = Fraction(ends.total, places.total) * share * (1 - share) ** -1
    room = MAX_WEIGHT_SUM // (places.total + ends.total)
    if room < 1:
        raise MechanismError("the weights of these odds do not fit in 2**32; use simpler odds")
    if wanted <= 1:
        return max(1, (mixed := wanted.limit_denominator(room)).numerator), mixed.denominator
    mixed = (wanted**-1).limit_denominator(room)
    return mixed.denominator, max(1, mixed.numerator)
