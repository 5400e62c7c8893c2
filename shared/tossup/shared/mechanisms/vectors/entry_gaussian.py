"""Normal noise for every component of a vector by itself, in whole steps, exactly.

Sums of weights are bounded by integers, and a noise is what the digits of a uniform real number
decide; if they do not, more digits are drawn and the bounds get closer.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import ClassVar, Final

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.vectors.base import (
    WrappedVector,
    check_odds,
    check_vector,
    root_up,
    shifted,
)
from tossup.shared.mechanisms.vectors.sphere import WORD, WORDS, Bounds, Uniform

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

#: Binary digits beyond those drawn, so that bounds hardly ever leave a draw undecided.
_GUARD: Final = 64


@dataclass(frozen=True)
class EntryGaussian(WrappedVector):
    """Add discrete Gaussian noise to every component, each by itself.

    A noise of k steps is as likely as exp(-k**2 / (2 sigma**2)) over the sum of all such, for every
    integer k; components wrap around at `window` steps. The odds are those declared, keep / lie,
    but for a chance of at most `delta`, which is no parameter: it follows from the others, and
    nobody can understate it.

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
    Canonne, Kamath and Steinke 2020, theorem 4, propositions 5 and 12.

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
    example_fields = ((1, 4, 40, 9, 3, 1), (2, 32, 3019, 76838, 3, 1), (3, 16, 900, 5000, 19, 7))
    window: int
    squared: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_vector(self.dimension, self.radius, (MAX_DIMENSION, MAX_STEPS), self.name)
        check_odds(self.keep, self.lie, self.name)
        self._check_window(MAX_WINDOW)
        if type(self.squared) is not int or not 1 <= self.squared <= MAX_SQUARED:
            raise MechanismError(f"squared of {self.name} must be from 1 to {MAX_SQUARED}")

    @property
    def noise_variance(self) -> Fraction:
        """The variance of the noise of a component, in squared steps, nearly: from sigma = 1 on."""
        return Fraction(self.squared)

    @cached_property
    def delta(self) -> Fraction:
        """An upper bound of the chance for which the odds do not hold; 1 if none is known."""
        return delta_of(Fraction(4 * self.reach_squared, 2 * self.squared), self.odds)

    def probability(self, answer: int, report: int) -> Fraction:  # noqa: ARG002
        """Raise `MechanismError`: probabilities of reports are no ratios of integers."""
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
    never above 1 (Canonne, Kamath and Steinke 2020, proposition 12). Its logarithm is convex in a.
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


def exponential(exponent: Fraction, bits: int) -> Bounds:
    """Return integers that 2**bits exp(-exponent) lies between, for an exponent from 0 on.

    The series of exp(-x) for x = exponent / 2**m, at most 1, then m squares.

    >>> exponential(Fraction(0), 8)
    (256, 256)
    >>> exponential(Fraction(1), 16)
    (24109, 24110)
    """
    squares = max(0, int(exponent).bit_length())
    wide = bits + _GUARD + 2 * squares
    numerator, denominator = exponent.numerator, exponent.denominator << squares
    term, total, place = 1 << wide, 0, 0
    while term:
        total += -term if place % 2 else term
        place += 1
        term = term * numerator // (denominator * place)
    slack = 2 * place if exponent else 0
    low, high = max(0, total - slack), total + slack
    for _ in range(squares):
        low, high = low * low >> wide, -(-high * high >> wide)
    spare = wide - bits
    return low >> spare, -(-high >> spare)


@lru_cache(maxsize=8)
def sums(squared: int, words: int) -> tuple[tuple[int, ...], tuple[int, ...], Bounds]:
    """Return bounds of the weights of all noise of at most k steps, for each k, and of all noise.

    In parts of 2**(64 words + 64) of the weight of no noise. Each exponential is the last times a
    ratio that falls by one factor. Beyond the last step L all sum to at most sigma**2 / L parts, on
    either side.
    """
    bits = WORD * words + _GUARD
    last = root_up(7 * squared * bits // 5) + 1  # 7 / 5 > 2 ln 2
    falls = exponential(Fraction(1, squared), bits), exponential(Fraction(1, 2 * squared), bits)
    lows, highs = [1 << bits], [1 << bits]
    (low, high), (ratio_low, ratio_high) = (1 << bits, 1 << bits), falls[1]
    for _ in range(last):
        low, high = low * ratio_low >> bits, -(-high * ratio_high >> bits)
        ratio_low = ratio_low * falls[0][0] >> bits
        ratio_high = -(-ratio_high * falls[0][1] >> bits)
        lows.append(lows[-1] + 2 * low)
        highs.append(highs[-1] + 2 * high)
    beyond = 2 * (2 + squared // last)
    return tuple(lows), tuple(highs), (lows[-1], highs[-1] + beyond)


def gaussian_noise(squared: int, uniform: Uniform) -> int:
    """Return how many steps a noise has, either way, by a uniform number."""
    words = WORDS
    while True:
        lows, highs, (least, most) = sums(squared, words)
        drawn, shift = uniform.first(words), WORD * words
        first = bisect_right(highs, drawn * least >> shift)
        last = bisect_left(lows, -(-(drawn + 1) * most >> shift))
        if first == last < len(lows):
            return first
        words += 1


def drawn_noise(squared: int, dimension: int, coins: Coins) -> tuple[int, ...]:
    """Return independent noise for each component; every noise costs the same number of coins."""
    signs = coins.bits(dimension)
    sizes = [gaussian_noise(squared, Uniform(coins)) for _ in range(dimension)]
    return tuple(-size if signs >> place & 1 else size for place, size in enumerate(sizes))
