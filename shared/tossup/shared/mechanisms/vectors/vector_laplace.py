"""The vector mechanism: noise that decays with its Euclidean norm, on a lattice."""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, Final

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.digits import to_digits
from tossup.shared.mechanisms.vectors.base import (
    WrappedVector,
    check_odds,
    check_vector,
    root_of_ratio,
    root_up,
    shifted,
)

MAX_DIMENSION: Final = 16
MAX_STEPS: Final = 1 << 10
MAX_WINDOW: Final = 1 << 15

_DIGITS: Final = 64  # binary digits of one step of decay
_WORDS: Final = 5  # of 32 bits: one more is needed to accept or not with probability 2**-160
_LARGEST_TABLE: Final = 1 << 22


@dataclass(frozen=True)
class VectorLaplace(WrappedVector):
    """Add noise whose probability falls with its Euclidean norm, in a random direction.

    The noise is a vector of integers. With N its norm, rounded up, and D the largest distance of
    two answers, rounded up, its weight is w(N), where w never rises and w(N + D) = (lie / keep)
    w(N): odds are keep / lie. In between w is (lie / keep)**(N / D), rounded down.

    Components wrap around at `window` steps: each is taken modulo 2 window + 1, which costs no odds
    and makes the channel finite and exact. The server chooses a window so wide that wrapping moves
    the mean by less than 2**-64 steps.

    Parameters
    ----------
    dimension
        Components, from 1 to 16.
    radius
        The declared norm in steps, from 1 to 1,024.
    window
        The largest component of the noise, in steps, from radius to 32,768.
    keep, lie
        Positive integers in lowest terms, keep > lie, keep at most 2**32.

    References
    ----------
    Hardt and Talwar 2010, section 4; Chaudhuri, Monteleoni and Sarwate 2011, algorithm 1.

    Examples
    --------
    >>> VectorLaplace(1, 1, window=1).odds
    Fraction(3, 1)
    """

    name: ClassVar[str] = "vector-laplace/1"
    noise = "spherical"
    example_fields = ((1, 4, 9, 3, 1), (2, 32, 4135, 3, 1), (3, 16, 900, 19, 7))
    window: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_vector(self.dimension, self.radius, (MAX_DIMENSION, MAX_STEPS), self.name)
        check_odds(self.keep, self.lie, self.name)
        self._check_window(MAX_WINDOW)
        if not self.sizes[-1] * self.keep >= self.sizes[0] * self.lie:
            raise MechanismError(
                f"odds of {brief(self.odds)} are too small for {self.distance} steps"
            )

    @cached_property
    def distance(self) -> int:
        """The largest distance of two answers, rounded up to whole steps."""
        return root_up(4 * self.reach_squared)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The weights of norms from 0 to `distance` - 1, rounded down but for the first."""
        first = self.keep * -(-MAX_WEIGHT_SUM // self.keep)
        step = root_of_ratio(Fraction(self.lie, self.keep), self.distance, _DIGITS)
        place, sizes = first << _DIGITS, []
        for _ in range(self.distance):
            sizes.append(place >> _DIGITS)
            place = place * step >> _DIGITS
        return tuple(sizes)

    def weight(self, squared: int) -> Fraction:
        """Return the weight of noise with a squared norm, over that of no noise."""
        blocks, place = divmod(root_up(squared), self.distance)
        fallen = Fraction(int(self.lie**blocks), int(self.keep**blocks))
        return Fraction(self.sizes[place], self.sizes[0]) * fallen

    def probability(self, answer: int, report: int) -> Fraction:
        """Return Pr[report | answer], a weight over the sum of all; only if it `is_summable`.

        Raises
        ------
        MechanismError
            Unless it `is_summable`.
        """
        if not self.is_answer(answer) or not self.is_report(report):
            return Fraction(0)
        levels = self.levels
        digits, point = to_digits(report, levels, self.dimension), self.point(answer)
        noise = (
            (digit - part) % levels - self.window for digit, part in zip(digits, point, strict=True)
        )
        return Fraction(self.weight(sum(part * part for part in noise)), self._total)

    @property
    def is_summable(self) -> bool:
        """Whether all noise is summed in little time, so that probabilities can be given."""
        return self.dimension * self.window**2 <= _LARGEST_TABLE

    @cached_property
    def _total(self) -> Fraction:
        """The sum of the weights of all noise."""
        if not self.is_summable:
            raise MechanismError(f"the channel of {self.name} has too many cells to sum")
        points = {0: 1}  # by squared norm
        for _ in range(self.dimension):
            wider: dict[int, int] = {}
            for squared, count in points.items():
                for part in range(-self.window, self.window + 1):
                    total = squared + part * part
                    wider[total] = wider.get(total, 0) + count
            points = wider
        return sum((count * self.weight(norm) for norm, count in points.items()), Fraction(0))

    @cached_property
    def proposal(self) -> tuple[int, tuple[int, ...]]:
        """A unit, and weights of 0, 1, ..., window steps from which a component is proposed.

        A step lowers them to (lie / keep)**(1 / P) of what they are, rounded up, with P the
        distance times the square root of the dimension, rounded up: they fall from the unit at most
        as fast as the noise's weights do, in any direction. Both signs together weigh 2**32; what
        is missing from that, no noise weighs more.
        """
        period = root_up(self.dimension * self.distance**2)
        step = root_of_ratio(Fraction(self.lie, self.keep), period, _DIGITS) + 1
        unit = MAX_WEIGHT_SUM
        while True:
            weights = _falling(unit, step, self.window + 1)
            total = 2 * sum(weights) - weights[0]
            if total <= MAX_WEIGHT_SUM:
                return unit, (weights[0] + MAX_WEIGHT_SUM - total, *weights[1:])
            unit = (unit * MAX_WEIGHT_SUM - MAX_WEIGHT_SUM) // total - 1

    @cached_property
    def proposal_bounds(self) -> tuple[int, ...]:
        """Upper bounds of the draws that propose each component, from the lowest on."""
        _, weights = self.proposal
        return tuple(accumulate((*reversed(weights[1:]), *weights)))

    def _sample(self, answer: int, coins: Coins) -> int:
        # Noise is drawn before the answer is looked at, and how many proposals it took says
        # nothing of the one that was taken: neither answer nor report shows in the bytes drawn.
        noise = self._noise(coins)
        return shifted(self.point(answer), noise, self.window)

    def _noise(self, coins: Coins) -> tuple[int, ...]:
        while True:
            coins.reserve(4 * (self.dimension + _WORDS))
            draws = [coins.below(MAX_WEIGHT_SUM) for _ in range(self.dimension)]
            noise = tuple(bisect_right(self.proposal_bounds, draw) - self.window for draw in draws)
            if _happens(*self.acceptance(noise), coins):
                return noise

    def acceptance(self, noise: tuple[int, ...]) -> tuple[int, int]:
        """Return the noise's weight over that of its proposal, both in parts of their largest."""
        norm = root_up(sum(part * part for part in noise))
        blocks, place = divmod(norm, self.distance)
        unit, weights = self.proposal
        kept = self.sizes[place] * self.lie**blocks * unit**self.dimension
        proposed = self.sizes[0] * self.keep**blocks
        for part in noise:
            proposed *= weights[abs(part)]
        return kept, proposed


def _falling(first: int, step: int, count: int) -> list[int]:
    """Return numbers that fall from the first by step / 2**64 each, rounded up."""
    place, numbers = first << _DIGITS, []
    for _ in range(count):
        numbers.append(-(-place >> _DIGITS))
        place = -(-place * step >> _DIGITS)
    return numbers


def _happens(numerator: int, denominator: int, coins: Coins) -> bool:
    """Return True with exactly the probability of a ratio of integers in [0, 1], however large.

    One draw is enough but for one time in 2**160.
    """
    draw = 0
    for _ in range(_WORDS):
        draw = draw << 32 | coins.below(MAX_WEIGHT_SUM)
    whole = 32 * _WORDS
    while True:
        low, rest = divmod(numerator << whole, denominator)
        if draw != low or not rest:
            return draw < low
        draw = draw << 32 | coins.below(MAX_WEIGHT_SUM)
        whole += 32
