"""Vectors as answers: a declared bound of the norm, a step, and how a vector finds its point.

Stage: before the toss. A question about a vector names its components and declares a norm: an
answer that is longer counts as the vector of that norm in the same direction. Scaling is part
of the question, and previews say so. Nobody knows how many answers were scaled.

With ``moments`` one report is about the vector itself and the products of its components, so that
the covariance of the components can be told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.figures import brief
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.kinds.number import exact_number, read_ratio, to_point
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.digits import from_digits
from tossup.shared.mechanisms.vectors.base import MAX_RADIUS, root_down

MAX_COMPONENTS: Final = 256
MAX_MOMENT_COMPONENTS: Final = 16

_SHOWN_COMPONENTS: Final = 8
_LARGEST: Final = 10**15
_DECIMAL = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?")
#: A vector is scaled to the norm, or shorter by one part in 2**128 at most.
_SCALE_BITS: Final = 128


@dataclass(frozen=True)
class VectorAnswer(Domain):
    """The vectors that a question takes.

    Parameters
    ----------
    components
        Their ids, at least two: those of the question's options.
    norm
        The largest Euclidean norm of an answer, exact; longer ones are scaled down to it.
    step
        The distance of the points to which components are rounded at random; exact, and a whole
        number of steps makes the norm.
    moments
        Whether products of components are asked for as well: see `entries`.

    Raises
    ------
    ManifestError
        If these do not hold.

    Examples
    --------
    >>> place = VectorAnswer(("x", "y"), Fraction(1), Fraction(1, 16)).place([3, 4])
    >>> [round(float(part), 9) for part in place]
    [9.6, 12.8]
    """

    components: tuple[str, ...]
    norm: Fraction
    step: Fraction
    moments: bool = False

    #: The weights of components and of products in one report; their squares sum to 1.
    WEIGHTS: ClassVar[tuple[Fraction, Fraction]] = (Fraction(3, 5), Fraction(4, 5))

    kind = "vector"

    def __post_init__(self) -> None:
        most = MAX_MOMENT_COMPONENTS if self.moments else MAX_COMPONENTS
        if not 2 <= len(self.components) <= most:
            raise ManifestError(f"a vector has 2 to {most} components")
        parts = (self.norm, self.step)
        if not all(type(part) is Fraction and part > 0 for part in parts):
            raise ManifestError("norm and step of a vector must be exact ratios above 0")
        if any(max(part.as_integer_ratio()) >= _LARGEST for part in parts):
            raise ManifestError("norm and step of a vector must have at most 15 digits")
        steps = Fraction(self.norm, self.step)
        if steps.denominator != 1 or steps > MAX_RADIUS:
            raise ManifestError(
                f"the norm must be 1 to {MAX_RADIUS} whole steps, not {brief(steps)} of"
                f" {brief(self.step)}"
            )

    @property
    def field(self) -> str:
        """``vector``, or ``moments`` for one with the products of its components."""
        return "moments" if self.moments else "vector"

    @property
    def options(self) -> tuple[str, ...]:
        """The ids of the components."""
        return self.components

    @property
    def radius(self) -> int:
        """The norm in steps."""
        return int(Fraction(self.norm, self.step))

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of components whose products are asked for; none without ``moments``."""
        places = range(len(self.components))
        return tuple((i, j) for i in places for j in range(i + 1)) if self.moments else ()

    @property
    def entries(self) -> int:
        """How many numbers a mechanism gets: the components, then the products of pairs.

        With moments, components are given in parts of the norm, times 3/5, and products in parts
        of the squared norm, times 4/5. The squares of the products of an answer with norm r sum
        to at most r**4 (each pair counted once), so the norm of all is at most 1 where r is.
        """
        return len(self.components) + len(self.pairs)

    @property
    def units(self) -> tuple[Fraction, ...]:
        """What one step of each entry is: of a component, then of a product, in their own units."""
        if not self.moments:
            return (self.step,) * self.entries
        one = Fraction(1, self.radius)
        linear, product = (Fraction(one, weight) for weight in self.WEIGHTS)
        return (
            *[linear * self.norm] * len(self.components),
            *[product * self.norm**2] * len(self.pairs),
        )

    @property
    def answers(self) -> int:
        """All points of the box around the ball of entries."""
        return int((2 * self.radius + 1) ** self.entries)

    @property
    def takes(self) -> str:
        """A list or tuple of exact or finite numbers, one a component."""
        kind = "finite ints, floats, Decimals or Fractions"
        return f"a list or tuple of {len(self.components)} {kind}"

    @property
    def example(self) -> str:
        """Numbers in plain digits with commas between."""
        words = ",".join(["0.5", "-0.25", "0"][place % 3] for place in range(len(self.components)))
        shown = words if len(words) < 20 else "0.5,-0.25,..."
        return f"{len(self.components)} numbers with commas between, such as {shown}"

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism is one for vectors of so many entries."""
        sizes = self.entries, len(self.components)
        return mechanism.answer_kind == "vector" and mechanism.is_for(*sizes)

    def clipped(self, answer: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return a vector, or the one in its direction whose norm is the bound.

        The factor is a ratio, rounded down: no vector stays longer than the norm, and none
        becomes shorter than it by more than one part in 2**127. Nothing is random here.
        """
        squared = sum((part * part for part in answer), Fraction(0))
        if squared <= self.norm**2:
            return tuple(answer)
        ratio = Fraction(self.norm**2, squared)
        bits = _SCALE_BITS + max(0, ratio.denominator.bit_length() - ratio.numerator.bit_length())
        scaled = (ratio.numerator << 2 * bits) // ratio.denominator
        factor = Fraction(root_down(scaled), 1 << bits)
        return tuple(part * factor for part in answer)

    def place(self, answer: object) -> tuple[Fraction, ...] | None:
        """Return every entry of an answer in steps, clipped to the norm.

        Returns
        -------
        tuple of Fraction, or None
            None if it is no vector of this question: anything but a ``list`` or ``tuple`` of as
            many numbers as there are components, each an ``int``, a finite ``float``,
            ``Decimal`` or ``Fraction``, exactly of these types.
        """
        if type(answer) not in {list, tuple} or not isinstance(answer, Sequence):
            return None
        numbers = [exact_number(part) for part in answer]
        found = [number for number in numbers if number is not None]
        if not len(found) == len(numbers) == len(self.components):
            return None
        parts = self.clipped(found)
        products = [parts[i] * parts[j] for i, j in self.pairs]
        entries = zip((*parts, *products), self.units, strict=True)
        return tuple(Fraction(entry, unit) for entry, unit in entries)

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:
        """Return the point for a place: every entry goes up or down at random, so that means stay.

        Every answer costs the same number of coins.
        """
        if not isinstance(place, tuple) or not self.fits(mechanism):
            raise TypeError("a vector takes its own places, and a mechanism for vectors")
        radius = self.radius
        digits = [to_point(entry + radius, "random", coins) for entry in place]
        return from_digits(digits, 2 * radius + 1)

    def read(self, text: str) -> tuple[Decimal, ...] | None:
        """Return numbers in plain digits with commas between; None for anything else.

        >>> VectorAnswer(("x", "y"), Fraction(1), Fraction(1, 16)).read("0.5,-1")
        (Decimal('0.5'), Decimal('-1'))
        """
        words = text.split(",")
        if len(words) != len(self.components) or not all(map(_DECIMAL.fullmatch, words)):
            return None
        return tuple(map(Decimal, words))

    @property
    def declared(self) -> dict[str, Fraction | int | str]:
        """The norm."""
        return {"norm": self.norm}

    def becomes(self, mechanism: Mechanism, labels: Sequence[str]) -> str:  # noqa: ARG002
        """Return that vectors are scaled and rounded, and that one random vector is sent."""
        components = ", ".join([*labels[:_SHOWN_COMPONENTS], "..."][: len(labels)])
        products = "; the products of every two are sent with them, in one report" * self.moments
        return (
            f"{len(labels)} numbers ({components}){products}. Together they count as at most"
            f" {self.norm} long (the root of the sum of their squares); longer ones are all made"
            f" smaller in proportion, and ones between two steps of {self.step} count as either,"
            " at random, the nearer the likelier.\n  One random vector is sent, and every one that"
            " may be sent may be sent whatever your answer is"
        )

    def to_json(self) -> dict[str, object]:
        """Return the domain as it stands in a manifest; the components are the options."""
        return {"norm": str(self.norm), "step": str(self.step)}

    @classmethod
    def from_json(
        cls, value: object, options: tuple[str, ...] = (), *, moments: bool = False
    ) -> "VectorAnswer":
        """Return the domain of a manifest's ``vector`` or ``moments``.

        Raises
        ------
        WireError, ManifestError
            If the value is not exactly what `to_json` writes.
        """
        match value:
            case {"norm": norm, "step": step, **rest} if not rest:
                return cls(options, read_ratio(norm), read_ratio(step), moments)
        raise WireError(
            "a question about a vector takes exactly norm and step, as ratios in strings"
        )
