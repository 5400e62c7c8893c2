"""PrivUnit: a random direction from the cap around the answer's, or from outside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import RatioMechanism
from tossup.shared.mechanisms.digits import from_digits
from tossup.shared.mechanisms.vectors.base import (
    MAX_RADIUS,
    VectorMechanism,
    check_odds,
    check_vector,
    root_down,
    root_up,
)
from tossup.shared.mechanisms.vectors.sphere import WORD, WORDS, Bounds, Direction, Uniform

MAX_DIMENSION: Final = 256
#: The cap's height is in parts of this.
CAP_UNIT: Final = 1 << 16
LEVELS: Final = 256


@dataclass(frozen=True)
class PrivUnit(RatioMechanism, VectorMechanism):
    """Report a direction from the cap around the answer's own, or from anywhere else.

    A direction t is drawn uniformly from the sphere. It is taken if its inner product with the
    answer's direction is at least cap / 65536, and else with probability lie / keep; if it is
    not taken, another is drawn. So its density is one of two: odds are keep / lie exactly. The mean
    of t is the answer's direction times a constant.

    An answer of any norm is lifted to a sphere of radius `lifted_radius` in one dimension more, or
    two, an even number. What is reported of t are its first components, each rounded at random to
    one of 256 levels from -1 to 1. Nothing else is rounded
    (`tossup.shared.mechanisms.vectors.sphere`).

    Parameters
    ----------
    dimension
        Components, from 1 to 256.
    radius
        The declared norm in steps, from 1 to 65,536.
    cap
        The height at which the cap begins, in parts of 65,536: from 0, half of the sphere, to
        65,535.
    keep, lie
        Positive integers in lowest terms, keep > lie, keep at most 2**32.

    References
    ----------
    Bhowmick et al. 2018, algorithm 1; Asi, Feldman and Talwar 2022: optimal among all
    unbiased mechanisms for the unit sphere, at the best cap.

    Examples
    --------
    >>> PrivUnit(2, 64, cap=0).odds
    Fraction(3, 1)
    """

    name: ClassVar[str] = "privunit/1"
    noise = "direction"
    example_fields = ((1, 4, 22053, 3, 1), (2, 64, 14994, 3, 1))
    cap: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        check_vector(self.dimension, self.radius, (MAX_DIMENSION, MAX_RADIUS), self.name)
        check_odds(self.keep, self.lie, self.name)
        if type(self.cap) is not int or not 0 <= self.cap < CAP_UNIT:
            raise MechanismError(f"cap of {self.name} must be from 0 to {CAP_UNIT - 1}")

    @property
    def levels(self) -> int:
        """One byte a component."""
        return LEVELS

    @property
    def dimensions(self) -> int:
        """The dimension of the space of the sphere: even, and above that of answers."""
        return 2 * (self.dimension // 2 + 1)

    @cached_property
    def lifted_radius(self) -> int:
        """The norm of every lifted answer, in steps."""
        return root_up(self.reach_squared)

    def component(self, digit: int) -> Fraction:
        """Return the component of a direction that a digit of a report stands for."""
        return Fraction(2 * digit - (LEVELS - 1), LEVELS - 1)

    def probability(self, answer: int, report: int) -> Fraction:  # noqa: ARG002
        """Raise `MechanismError`: probabilities of reports are integrals without an exact value."""
        raise MechanismError(f"probabilities of {self.name} are integrals, not ratios of integers")

    def _sample(self, answer: int, coins: Coins) -> int:
        # A direction around a fixed axis is taken or not before the answer is looked at.
        while True:
            anyway = coins.below(self.keep) < self.lie
            direction = Direction(self.dimensions, coins)
            if self._is_in_cap(direction) | anyway:
                break
        direction.complete(coins)
        return self._rounded(direction, self.point(answer), coins)

    def _is_in_cap(self, direction: Direction) -> bool:
        """Return whether the first component, along the axis, is at least cap / 65536."""
        words = WORDS
        while True:
            low, high = direction.first(words)
            least = self.cap << WORD * words
            if low * CAP_UNIT >= least:
                return True
            if high * CAP_UNIT < least:
                return False
            words += 1

    def _turned(self, direction: Direction, point: tuple[int, ...], words: int) -> Iterator[Bounds]:
        """Yield bounds of the components of a direction, once the axis is turned to the answer.

        With r the lifted radius and h the last component of the lifted answer (v, h), the mirror
        between minus the last axis and (v, h) / r maps (u, -c) to components u_i - v_i f, with
        f = (<v, u> / (r + h) - c) / r.
        """
        one, radius = 1 << WORD * words, self.lifted_radius
        axis, *parts = list(direction.components(words))[: self.dimension + 1]
        height = radius**2 - sum(step * step for step in point)
        root = root_down(height * one * one)
        # Both ends of <v, u> over both ends of r + h, in parts of 2**(64 words).
        over = [
            (end * one, radius * one + h)
            for end in _inner_product(parts, point)
            for h in (root, root + 1)
        ]
        lowest = min(inner // sum_ for inner, sum_ in over) - axis[1]
        highest = max(-(-inner // sum_) for inner, sum_ in over) - axis[0]
        for (low, high), step in zip(parts, point, strict=True):
            shifts = (step * lowest, step * highest)
            yield low - -(-max(shifts) // radius), high - min(shifts) // radius

    def _rounded(self, direction: Direction, point: tuple[int, ...], coins: Coins) -> int:
        """Return the report: each component on [0, 255], plus a uniform number, cut to an int."""
        dithers = [Uniform(coins) for _ in range(self.dimension)]
        words = WORDS
        while True:
            parts = zip(self._turned(direction, point, words), dithers, strict=True)
            digits = [_digit(bounds, dither.first(words), words) for bounds, dither in parts]
            found = [digit for digit in digits if digit is not None]
            if len(found) == len(digits):
                return from_digits(found, LEVELS)
            words += 1


def _inner_product(parts: Sequence[Bounds], point: tuple[int, ...]) -> Bounds:
    low = high = 0
    for part, step in zip(parts, point, strict=True):
        ends = part[0] * step, part[1] * step
        low, high = low + min(ends), high + max(ends)
    return low, high


def _digit(bounds: tuple[int, int], dither: int, words: int) -> int | None:
    """Return 255 (component + 1) / 2 plus a uniform number, cut to an int; None if undecided."""
    one = 1 << WORD * words
    low = (LEVELS - 1) * (one + bounds[0]) + 2 * dither
    high = (LEVELS - 1) * (one + bounds[1]) + 2 * (dither + 1)  # above the number
    digit = low >> WORD * words + 1
    return digit if digit == (high - 1) >> WORD * words + 1 else None
