"""Laplace noise for every entry of a vector by itself, in whole steps.

How far apart two answers are, summed over entries, is bounded by integers that count in random
rounding.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import ClassVar, Final

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.digits import to_digits
from tossup.shared.mechanisms.vectors.base import (
    MAX_RADIUS,
    WrappedVector,
    check_odds,
    check_vector,
    root_up,
    shifted,
)
from tossup.shared.mechanisms.vectors.sphere import WORD, WORDS, Uniform

MAX_DIMENSION: Final = 256
MAX_COMPONENTS: Final = 16  # where products are entries as well
MAX_WINDOW: Final = 1 << 16

DIGITS: Final = 60  # binary digits of one step of decay
_GUARD: Final = 128  # and of its powers
#: Window times dimension: such ratios have at most 4,300 decimal digits, as many as are written.
_MOST_SUMMED: Final = 200

#: Parts of 1 in which roots are rounded up, and cuts of an interval whose ends stand for it.
_ONE: Final = 1 << 32
_CUTS: Final = 256


@dataclass(frozen=True)
class EntryLaplace(WrappedVector):
    """Add discrete Laplace noise to every entry by itself.

    Noise of z steps has the weight r**|z|, with r = fall / 2**60 the smallest such ratio for which
    r**distance >= lie / keep; the distance is a bound of how far apart two answers are, summed over
    all entries. Entries wrap around at `window` steps, as those of `VectorLaplace` do.

    Noise is the largest z with u < r**z for a uniform real number u, whose digits are drawn as they
    are needed, with a sign, drawn again beyond the window and for minus 0.

    Parameters
    ----------
    dimension
        Entries, from 1 to 256.
    radius
        The declared norm in steps, from 1 to 65,536.
    components
        The dimension; or where it is that of c components and the products of all their pairs,
        c + c (c + 1) / 2, this c, from 2 to 16. Other points than theirs are no answers then.
    window
        The largest noise, in steps, from radius to 65,536.
    keep, lie
        Positive integers in lowest terms, keep > lie, keep at most 2**32.

    References
    ----------
    Dwork, McSherry, Nissim and Smith 2006; Inusah and Kozubowski 2006.

    Examples
    --------
    >>> EntryLaplace(2, 16, components=2, window=2116).distance
    48
    """

    name: ClassVar[str] = "entry-laplace/1"
    noise = "laplace"
    example_fields = ((1, 4, 1, 9, 3, 1), (2, 32, 2, 4581, 3, 1), (5, 16, 2, 900, 19, 7))
    components: int
    window: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_vector(self.dimension, self.radius, (MAX_DIMENSION, MAX_RADIUS), self.name)
        check_odds(self.keep, self.lie, self.name)
        if type(self.components) is not int or not self._makes_entries:
            raise MechanismError(
                f"{self.name} takes as many components as entries, or 2 to {MAX_COMPONENTS} whose"
                " products are the other entries"
            )
        self._check_window(MAX_WINDOW)

    @property
    def _makes_entries(self) -> bool:
        c = self.components
        few = 2 <= c <= MAX_COMPONENTS
        return c == self.dimension or (few and c * (c + 3) == 2 * self.dimension)

    @property
    def has_products(self) -> bool:
        """Whether entries after the components are their products."""
        return self.components < self.dimension

    @cached_property
    def _from_middle(self) -> tuple[int, int]:
        """Where squares of components are counted from, and how far all entries reach together."""
        if self.has_products:
            return moments_extent(self.components, self.radius)
        return 0, ball_extent(self.dimension, self.radius)

    @cached_property
    def centre(self) -> tuple[int, ...]:
        """The point from which no answer is further than half of the distance."""
        if not self.has_products:
            return (0,) * self.dimension
        middle, places = self._from_middle[0], range(self.components)
        pairs = (middle if i == j else 0 for i in places for j in range(i + 1))
        return (*[0] * self.components, *pairs)

    @property
    def distance(self) -> int:
        """A bound of the sum over entries of how far apart two answers are, in steps."""
        return 2 * self._from_middle[1]

    def is_answer(self, value: int) -> bool:
        """Return whether a point is within the ball's reach, and near enough to the centre."""
        if not super().is_answer(value):
            return False
        parts = zip(self.point(value), self.centre, strict=True)
        return 2 * sum(abs(part - middle) for part, middle in parts) <= self.distance

    def is_for(self, *sizes: int) -> bool:
        """Return whether it takes so many entries, of so many components or of any."""
        entries, components = sizes
        return entries == self.dimension and self.components in {components, entries}

    @property
    def noise_variance(self) -> Fraction:
        """The variance of the noise of a component, in squared steps, before wrapping around."""
        missing = (1 << DIGITS) - self.fall
        return Fraction(2 * self.fall << DIGITS, missing**2)

    @cached_property
    def fall(self) -> int:
        """What one step more lowers a weight to, in parts of 2**60."""

        def is_enough(tried: int) -> bool:
            return _power(tried, self.distance) * self.keep >= self.lie << _GUARD

        return bisect_left(range(1 << DIGITS), True, key=is_enough)  # noqa: FBT003

    def probability(self, answer: int, report: int) -> Fraction:
        """Return Pr[report | answer]: the product over all entries; only if it `is_summable`.

        Raises
        ------
        MechanismError
            Unless it `is_summable`.
        """
        if not self.is_answer(answer) or not self.is_report(report):
            return Fraction(0)
        digits, chance = to_digits(report, self.levels, self.dimension), Fraction(1)
        for digit, part in zip(digits, self.point(answer), strict=True):
            size = abs((digit - part) % self.levels - self.window)
            chance *= self._chances[size]
        return chance

    @property
    def is_summable(self) -> bool:
        """Whether the weights of all noise are short enough to be given as ratios."""
        return self.window * self.dimension <= _MOST_SUMMED

    @cached_property
    def _chances(self) -> tuple[Fraction, ...]:
        """The probabilities of noise of 0, 1, ... steps in one direction."""
        if not self.is_summable:
            raise MechanismError(f"the channel of {self.name} has weights too long to sum")
        steps, whole = range(self.window + 1), DIGITS * self.window
        sizes = [int(self.fall**size) << whole - DIGITS * size for size in steps]
        total = 2 * sum(sizes) - sizes[0]
        return tuple(Fraction(size, total) for size in sizes)

    def _sample(self, answer: int, coins: Coins) -> int:
        # Noise is drawn before the answer is looked at, and how often it was drawn again says
        # nothing of what came of it.
        noise = [self._noise(coins) for _ in range(self.dimension)]
        return shifted(self.point(answer), noise, self.window)

    def _noise(self, coins: Coins) -> int:
        while True:
            negative, size = coins.toss(), self._size(Uniform(coins))
            if size <= self.window and size >= negative:
                return -size if negative else size

    def _size(self, number: Uniform) -> int:
        """Return the largest z for which a number is below r**z; of those above the window, any."""
        words = WORDS
        while (size := self._found(number.first(words), words)) is None:
            words += 1
        return size

    def _found(self, first: int, words: int) -> int | None:
        """Return the same from a number's first digits; None if they do not tell."""
        digits, size = WORD * words, 0
        low = high = 1 << digits
        for place, (below, above) in _powers(self.fall, (self.window + 1).bit_length(), words):
            lower, upper = low * below >> digits, -(-high * above >> digits)
            if first < lower:
                low, high, size = lower, upper, size + (1 << place)
            elif first < upper:
                return None
        return size


def _power(base: int, exponent: int) -> int:
    """Return a power of base / 2**60 in parts of 2**128, never above it."""
    place, power = base << _GUARD - DIGITS, 1 << _GUARD
    while exponent:
        if exponent & 1:
            power = power * place >> _GUARD
        place, exponent = place * place >> _GUARD, exponent >> 1
    return power


@cache
def _powers(fall: int, count: int, words: int) -> tuple[tuple[int, tuple[int, int]], ...]:
    """Return bounds of r**(2**place) for places below `count`, the largest first."""
    digits, powers = WORD * words, []
    low = high = fall << digits - DIGITS
    for place in range(count):
        powers.append((place, (low, high)))
        low, high = low * low >> digits, -(-high * high >> digits)
    return tuple(reversed(powers))


def ball_extent(dimension: int, radius: int) -> int:
    """Return the largest sum of sizes of the components of a point that is reached, exactly.

    >>> ball_extent(2, 16)
    24
    """

    def least_squares(total: int) -> int:
        each, more = divmod(total, dimension)
        return (dimension - more) * each**2 + more * (each + 1) ** 2

    totals = range(dimension * radius + 1)
    return bisect_right(totals, radius**2 - 1, key=least_squares) - 1 + dimension


@cache
def moments_extent(components: int, radius: int) -> tuple[int, int]:
    """Return a middle of the squares, and a bound of the summed distance of all entries from it.

    Entries are 3/5 of the components and 4/5 of the products of pairs, those of an answer with
    norm 1 at most, in parts of the radius. Squares are never negative, and so are counted from
    the middle, which makes the bound smallest; all other entries are counted from 0.

    >>> moments_extent(2, 1000)
    (202, 1650)
    """
    most = [
        (-(-radius * _largest(above, components - above) // (5 * _ONE)), components - 2 * above)
        for above in range(components + 1)
    ]

    def farthest(middle: int) -> int:
        return max(size + slope * middle for size, slope in most)

    middle = bisect_left(range(radius), True, key=lambda m: farthest(m + 1) >= farthest(m))  # noqa: FBT003
    entries = components * (components + 3) // 2
    return middle, farthest(middle) + entries - 1


def _largest(above: int, others: int) -> int:
    """Return a bound of 3 s + 2 s**2 + 2 b**2 - 6 c**2, in parts of 2**32."""
    return max(_bound(cut * _ONE // _CUTS, above, others) for cut in range(_CUTS))


def _bound(low: int, above: int, others: int) -> int:
    """Return the same for c from `low` to one cut more."""
    b = root_up(_ONE**2 - low**2) if above else 0
    c = low + _ONE // _CUTS
    s = -(-(root_up(above * _ONE**2) * b + root_up(others * _ONE**2) * c) // _ONE)
    return 3 * s - (-2 * (s * s + b * b) // _ONE) - 6 * low**2 // _ONE
