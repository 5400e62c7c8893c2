"""Normal noise for every component of a vector by itself, in whole steps."""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import ClassVar, Final, Self

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.vectors.base import (
    VectorMechanism,
    check_odds,
    check_vector,
    shifted,
)
from tossup.shared.mechanisms.vectors.gaussian_draws import drawn_noise, exponential

MAX_DIMENSION: Final = 256
MAX_STEPS: Final = 1 << 10
MAX_WINDOW: Final = 1 << 15
MAX_SQUARED: Final = 1 << 22

#: Orders of Renyi's divergence that a delta is looked for at, at most.
_MOST_ORDERS: Final = 512
#: A delta is a whole number of parts of 2 to the power of this, rounded up.
_BITS: Final = 64
#: Exponentials are bounded in parts of 2 to the power of this.
_PRECISION: Final = 384
#: Larger exponents would leave no digit of a lower bound.
_LARGEST_EXPONENT: Final = 100


@dataclass(frozen=True)
class EntryGaussian(VectorMechanism):
    """Add discrete Gaussian noise to every component, each by itself.

    A noise of k steps is as likely as exp(-k**2 / (2 sigma**2)) over the sum of all such, for every
    integer k; components wrap around at `window` steps, which is done to the report and costs
    nothing. The odds are those declared, keep / lie. They hold but for a chance of at most
    `delta`, which is no parameter: it follows from the others, and nobody can understate it.

    With D**2 the largest squared distance of two answers, noise is (D / sigma)**2 / 2 concentrated:
    Renyi's divergence of order a is at most a D**2 / (2 sigma**2), whatever the number of
    components. `delta` is the least bound that follows from an integer order.

    Exactness: no table of integers has these probabilities. A noise is what the digits of a uniform
    real number decide (`tossup.shared.mechanisms.vectors.gaussian_draws`), and is never rounded.

    Discretization: answers are rounded at random to points, whose reach is counted in D (see
    `tossup.shared.mechanisms.vectors.base`); noise is in whole steps, with a variance of at most
    sigma**2, and closer to it than one can see from sigma = 1 on.

    Parameters
    ----------
    dimension
        Components, from 1 to 256.
    radius
        The declared norm in steps, from 1 to 1,024.
    window
        The largest component of a report, in steps, from radius to 32,768.
    squared
        sigma**2, in squared steps: an integer from 1 to 2**22.
    keep, lie
        The declared odds: positive integers in lowest terms, keep > lie, keep at most 2**32.

    References
    ----------
    Canonne, Kamath and Steinke 2020, NeurIPS, "The discrete Gaussian for differential privacy",
    theorem 4 and proposition 5 (concentration), proposition 12 (the delta that follows).

    Examples
    --------
    >>> design = EntryGaussian(2, 1, window=90, squared=150)
    >>> float(design.delta) < 1e-6, design.odds
    (True, Fraction(3, 1))
    """

    name: ClassVar[str] = "entry-gaussian/1"
    in_auto: ClassVar[bool] = False
    noise = "gaussian"
    takes_delta: ClassVar[bool] = True
    window: int
    squared: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_vector(self.dimension, self.radius, (MAX_DIMENSION, MAX_STEPS), self.name)
        check_odds(self.keep, self.lie, self.name)
        if type(self.window) is not int or not self.radius <= self.window <= MAX_WINDOW:
            raise MechanismError(f"{self.name} takes a window from the norm to {MAX_WINDOW} steps")
        if type(self.squared) is not int or not 1 <= self.squared <= MAX_SQUARED:
            raise MechanismError(f"squared of {self.name} must be from 1 to {MAX_SQUARED}")

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(1, 4, 40, 9, 3, 1),
            cls(2, 32, 3019, 76838, 3, 1),
            cls(3, 16, 900, 5000, 19, 7),
        )

    @property
    def noise_variance(self) -> Fraction:
        """The variance of the noise of a component, in squared steps, nearly: from sigma = 1 on."""
        return Fraction(self.squared)

    @property
    def odds(self) -> Fraction:
        """The declared odds, keep / lie: they hold but for a chance of `delta`."""
        return Fraction(self.keep, self.lie)

    @cached_property
    def delta(self) -> Fraction:
        """An upper bound of the chance for which the odds do not hold; 1 if none is known."""
        return delta_of(Fraction(4 * self.reach_squared, 2 * self.squared), self.odds)

    @property
    def levels(self) -> int:
        """The components of a report wrap around after so many steps."""
        return 2 * self.window + 1

    def component(self, digit: int) -> int:
        """Return the component that a digit of a report stands for, in steps."""
        return digit - self.window

    def probability(self, answer: int, report: int) -> Fraction:  # noqa: ARG002
        """Raise `MechanismError`: probabilities of reports are no ratios of integers.

        What holds of them is proven in docs/proofs/entry-gaussian.md.
        """
        raise MechanismError(f"probabilities of {self.name} are sums of exponentials, not ratios")

    def _sample(self, answer: int, coins: Coins) -> int:
        # Noise is drawn before the answer is looked at.
        noise = drawn_noise(self.squared, self.dimension, coins)
        return shifted(self.point(answer), noise, self.window)


@lru_cache(maxsize=64)
def delta_of(concentration: Fraction, odds: Fraction) -> Fraction:
    """Return a chance for which odds do not hold, at most, of a mechanism so concentrated.

    With c the concentration (Renyi's divergence of every order a is at most a c), the least over
    orders a from 2 on of exp((a - 1) a c) odds**(1 - a) (1 - 1 / a)**a / (a - 1), rounded up;
    never above 1. Its logarithm is convex in a, so the least is where it first does not fall.

    References
    ----------
    Canonne, Kamath and Steinke 2020, NeurIPS, proposition 12.

    Examples
    --------
    >>> round(float(delta_of(Fraction(1, 50), Fraction(3))), 9)
    6e-09
    """
    bound = partial(_bound, concentration, odds)
    orders = range(2, _MOST_ORDERS)
    place = bisect_left(orders, True, key=lambda order: bound(order) <= bound(order + 1))  # noqa: FBT003
    least = bound(orders[min(place, len(orders) - 1)])
    return min(
        Fraction(1), Fraction(-(-(least.numerator << _BITS) // least.denominator), 1 << _BITS)
    )


def _bound(concentration: Fraction, odds: Fraction, order: int) -> Fraction:
    """Return the bound of one order; more than 1 where its exponential is out of reach."""
    exponent = order * (order - 1) * concentration
    if exponent > _LARGEST_EXPONENT:
        return (1 << 2 * _LARGEST_EXPONENT) + exponent  # above all within reach, and rising
    low, _ = exponential(exponent, _PRECISION)
    tail = Fraction((1 - Fraction(1, order)) ** order, order - 1)
    fallen = Fraction(1, odds) ** (order - 1)
    return Fraction(1 << _PRECISION, low) * fallen * tail
