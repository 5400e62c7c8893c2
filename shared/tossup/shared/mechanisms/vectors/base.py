"""Mechanisms for vectors: answers are points of a lattice, each component on its own grid.

Stage: answer to report. Norm, step and rounding belong to the question
(`tossup.shared.kinds.vector`); here a vector is a point of integers, counted in steps from the
middle of the grid. Random rounding may move it out of the ball a little: every guarantee holds
for all points that can be reached. Roots are rounded the way that a proof needs.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any, ClassVar, Final, Literal

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import AnswerKind, Counting, Mechanism, RatioMechanism, Readout
from tossup.shared.mechanisms.checks import check_ratio
from tossup.shared.mechanisms.digits import from_digits, to_digits

MAX_RADIUS: Final = 1 << 16
#: Up to this dimension a tally has the products of all pairs, beyond it the squares alone.
MOST_PAIRED: Final = 32


@dataclass(frozen=True)
class VectorMechanism(Mechanism):
    """A mechanism whose answers are vectors of bounded norm, and its reports vectors as well.

    An answer is a number with `dimension` digits, of base 2 radius + 1, the first component
    the least significant; a digit of `radius` is a component of 0. A report has as many digits,
    of base `levels`.

    Parameters
    ----------
    dimension
        Number of components.
    radius
        The declared norm, in steps.

    Attributes
    ----------
    noise
        Noise of each component by itself (``"gaussian"``, ``"laplace"``) or of all together
        (``"spherical"``), or a turn of the ``"direction"``. Of any ``"other"`` the components are
        independent.
    """

    noise: ClassVar[Literal["gaussian", "laplace", "spherical", "direction", "other"]] = "other"

    answer_kind: ClassVar[AnswerKind] = "vector"
    not_in_manifests: ClassVar[Collection[str]] = ("radius",)
    readout: ClassVar[Readout] = "vector"
    counting: ClassVar[Counting] = "digits"
    in_auto: ClassVar[bool] = True
    in_browsers: ClassVar[bool] = False
    weight_limit: ClassVar[int] = 1 << 20
    dimension: int
    radius: int

    @property
    @abstractmethod
    def levels(self) -> int:
        """How many values one component of a report can take."""

    @property
    def answers(self) -> int:
        """All points of the box around the ball, those out of reach included."""
        return int((2 * self.radius + 1) ** self.dimension)

    @property
    def reports(self) -> int:
        """All vectors of digits, each of which every answer can give."""
        return int(self.levels**self.dimension)

    @classmethod
    def told_by(cls, answers: int, given: Mapping[str, Any]) -> dict[str, int]:
        """Return the norm in steps, which belongs to the question."""
        return {"radius": radius_of(answers, given["dimension"], cls.name)}

    @cached_property
    def reach_squared(self) -> int:
        """An upper bound of the squared norm of all points that can be reached, in steps."""
        return reach_squared(self.dimension, self.radius)

    def is_answer(self, value: int) -> bool:
        """Return whether some vector of the ball can be rounded to this point."""
        return super().is_answer(value) and is_reached(self.point(value), self.radius)

    def is_for(self, *sizes: int) -> bool:
        """Return whether it takes so many entries; of any components, unless it says."""
        return sizes[0] == self.dimension

    def point(self, answer: int) -> tuple[int, ...]:
        """Return the components of an answer, in steps.

        >>> from tossup.shared.mechanisms.vectors.vector_laplace import VectorLaplace
        >>> VectorLaplace(2, 4, window=20).point(5 + 9 * 1)
        (1, -3)
        """
        digits = to_digits(answer, 2 * self.radius + 1, self.dimension)
        return tuple(digit - self.radius for digit in digits)

    @property
    def is_summable(self) -> bool:
        """Whether probabilities of reports can be given."""
        return False

    @property
    def is_paired(self) -> bool:
        """Whether a tally has the products of all pairs of components."""
        return self.dimension <= MOST_PAIRED

    @property
    def products(self) -> tuple[tuple[int, int], ...]:
        """The pairs of components whose products a tally has: squares first, then the others."""
        places = range(self.dimension)
        squares = [(place, place) for place in places]
        others = [(i, j) for i in places for j in range(i)] if self.is_paired else []
        return (*squares, *others)

    @property
    def counters(self) -> int:
        """Sums of digits, sums of their products, and all reports."""
        return self.dimension + len(self.products) + 1

    def reports_counted(self, counts: Sequence[int]) -> int:
        """Return the last counter."""
        return counts[-1]


class WrappedVector(RatioMechanism, VectorMechanism):
    """A mechanism that adds noise to every component, which wraps around at `window` steps.

    Attributes
    ----------
    window
        The largest component of a report, in steps, from `radius` on.
    """

    window: int

    def _check_window(self, most: int) -> None:
        if type(self.window) is not int or not self.radius <= self.window <= most:
            raise MechanismError(f"{self.name} takes a window from the norm to {most} steps")

    @property
    def levels(self) -> int:
        """The components of a report wrap around after so many steps."""
        return 2 * self.window + 1

    def component(self, digit: int) -> int:
        """Return the component that a digit of a report stands for, in steps."""
        return digit - self.window


def shifted(point: Sequence[int], noise: Sequence[int], window: int) -> int:
    """Return the report of a point with noise added, each component wrapped around at the window.

    >>> to_digits(shifted((1, 0), (-4, 2), window=3), 7, 2)
    (0, 5)
    """
    levels = 2 * window + 1
    parts = zip(point, noise, strict=True)
    return from_digits([(part + step + window) % levels for part, step in parts], levels)


def is_reached(point: Sequence[int], radius: int) -> bool:
    """Return whether a vector of norm at most ``radius`` can be rounded to a point.

    >>> is_reached((2, 2), 2), is_reached((3, 0), 2)
    (True, False)
    """
    return sum(max(0, abs(part) - 1) ** 2 for part in point) < radius**2


def reach_squared(dimension: int, radius: int) -> int:
    """Return an upper bound of the squared norm of every point that can be reached.

    Proven in docs/proofs/vector-laplace.md.

    >>> reach_squared(2, 16)
    301
    """
    inner = radius**2 - 1
    return min(inner + 2 * root_down(dimension * inner) + dimension, dimension * radius**2)


def check_vector(dimension: object, radius: object, most: tuple[int, int], name: str) -> None:
    """Refuse a dimension or a radius that is no integer from 1 to its limit.

    Raises
    ------
    MechanismError
        If one is.
    """
    if type(dimension) is not int or not 1 <= dimension <= most[0]:
        raise MechanismError(f"{name} takes vectors of 1 to {most[0]} components")
    if type(radius) is not int or not 1 <= radius <= most[1]:
        raise MechanismError(f"{name} takes a norm of 1 to {most[1]} steps")


def check_odds(keep: int, lie: int, name: str) -> None:
    """Refuse weights of odds that are not in lowest terms, or too long to be tossed."""
    check_ratio(keep, lie, name)
    if keep > MAX_WEIGHT_SUM:
        raise MechanismError(f"{name} takes a keep of at most {MAX_WEIGHT_SUM}")


def radius_of(answers: int, dimension: int, name: str) -> int:
    """Return the radius that makes this many answers; refuse a number that none makes.

    Raises
    ------
    MechanismError
        If none does.
    """
    low, high = 1, MAX_RADIUS
    # A manifest may name any number: one whose power would fill the memory is refused unraised.
    fits = 1 <= dimension <= answers.bit_length()
    while fits and low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if (2 * middle + 1) ** dimension < answers else (low, middle)
    if not fits or (2 * low + 1) ** dimension != answers:
        shown = answers if answers.bit_length() <= 1 << 12 else "so many"  # written out in no time
        raise MechanismError(f"{name} with {dimension} components does not have {shown} answers")
    return low


def root_down(number: int) -> int:
    """Return the square root of a non-negative integer, rounded down.

    >>> root_down(15), root_down(16)
    (3, 4)
    """
    return isqrt(number)


def root_up(number: int) -> int:
    """Return the square root of a non-negative integer, rounded up.

    >>> root_up(0), root_up(16), root_up(17)
    (0, 4, 5)
    """
    return isqrt(number - 1) + 1 if number else 0


def root_of_ratio(ratio: Fraction, degree: int, digits: int) -> int:
    """Return the largest integer r with (r / 2**digits)**degree <= ratio, for a ratio up to 1.

    >>> root_of_ratio(Fraction(1, 4), 2, 8)
    128
    """
    scaled = (ratio.numerator << digits * degree) // ratio.denominator
    root = 1 << digits
    while True:  # Newton's method from above, which never falls below the root
        lower = ((degree - 1) * root + scaled // root ** (degree - 1)) // degree
        if lower >= root:
            return root
        root = lower
