"""Numbers as answers: declared bounds and step, and how a number finds its point.

Stage: before the toss. A question about a number declares a grid, low, low + step, ..., high, in
exact ratios. Answers outside the bounds count as the nearest bound. Clipping is part of the
question, and previews say so. Nobody knows how many answers were clipped.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Final

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.figures import brief
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.base import Rounding
from tossup.shared.mechanisms.numbers.base import MAX_POINTS

#: What a person writes; Python itself also reads 1_0, other scripts' digits, nan and 1e9.
_WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?")
_RATIO = re.compile(r"-?[0-9]{1,15}(/[0-9]{1,15})?")
_LARGEST: Final = 10**15
#: A decimal beyond these powers of ten is no answer of a survey, and would fill the memory.
_MOST_DIGITS: Final = 400
#: Bits that decide a random rounding: the probability is exact to 2**-128.
_ROUNDING_CHOICES: Final = 4


@dataclass(frozen=True)
class Grid(Domain):
    """The numbers that a question takes.

    Parameters
    ----------
    low, high, step
        The first and the last point and the distance between points, exact; high - low is a
        whole number of steps, at least one and at most 1,023.
    whole
        Whether answers are whole numbers, given as ``int``; low and step are then whole too.

    Raises
    ------
    ManifestError
        If these bounds do not hold.

    Examples
    --------
    >>> Grid.integers(0, 10).points
    11
    >>> Grid(Fraction(0), Fraction(100), Fraction(1, 2)).place(36.75)
    Fraction(147, 2)
    """

    low: Fraction
    high: Fraction
    step: Fraction
    whole: bool = False

    kind = "number"
    may_have_unit = True

    def __post_init__(self) -> None:
        parts = (self.low, self.high, self.step)
        if not all(type(part) is Fraction for part in parts):
            raise ManifestError("bounds and step of a number must be exact ratios")
        if any(abs(part.numerator) >= _LARGEST or part.denominator >= _LARGEST for part in parts):
            raise ManifestError("bounds and step of a number must have at most 15 digits")
        if self.step <= 0 or self.high <= self.low:
            raise ManifestError("numbers need low below high and a step above 0")
        if self._steps.denominator != 1 or self._steps >= MAX_POINTS:
            raise ManifestError(
                f"numbers from {brief(self.low)} to {brief(self.high)} must be 1 to"
                f" {MAX_POINTS - 1} whole steps, not {brief(self._steps)} of {brief(self.step)}"
            )
        if self.whole and (self.low.denominator != 1 or self.step != 1):
            raise ManifestError("whole numbers have whole bounds and a step of 1")

    @classmethod
    def integers(cls, low: int, high: int) -> "Grid":
        """Return the grid of all integers from low to high."""
        return cls(Fraction(low), Fraction(high), Fraction(1), whole=True)

    @property
    def _steps(self) -> Fraction:
        return (self.high - self.low) * self.step**-1

    @cached_property
    def points(self) -> int:
        """How many points there are."""
        return int(self._steps) + 1

    @property
    def field(self) -> str:
        """``integers`` or ``numbers``."""
        return "integers" if self.whole else "numbers"

    @property
    def answers(self) -> int:
        """The points."""
        return self.points

    @property
    def takes(self) -> str:
        """An int for whole numbers, else any exact or finite number."""
        return "an int" if self.whole else "a finite int, float, Decimal or Fraction"

    @property
    def example(self) -> str:
        """A number in plain digits."""
        kind = "a whole number such as 12" if self.whole else "a number such as 12 or 0.5"
        return f"{kind}, in plain digits"

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism is one for numbers."""
        return mechanism.answer_kind == "number"

    def number(self, place: Fraction | int) -> Fraction:
        """Return the number at a place, counted in steps from ``low``."""
        return self.low + self.step * place

    def place(self, answer: object) -> Fraction | None:
        """Return where an answer lies, in steps from ``low``, clipped to the bounds.

        Returns
        -------
        Fraction or None
            From 0 to points - 1. None if it is no number of this question: with ``whole``
            anything but an ``int``; else anything but an ``int``, a finite ``float``,
            ``Decimal`` or ``Fraction``, exactly of these types (a bool is none).
        """
        number = exact_number(answer) if not self.whole else answer if type(answer) is int else None
        if number is None:
            return None
        clipped = min(max(number, self.low), self.high)
        return Fraction(clipped - self.low) * self.step**-1

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:
        """Return the point for a place, rounded as the mechanism states; no coin if all are whole.

        An answer between two points, or on one, costs the same number of coins.
        """
        if not isinstance(place, Fraction) or not self.fits(mechanism):
            raise TypeError("a grid takes its own places, and a mechanism for numbers")
        return int(place) if self.whole else to_point(place, mechanism.rounding, coins)

    def read(self, text: str) -> int | Decimal | None:
        """Return a number in plain digits; None for anything else.

        >>> Grid.integers(0, 10).read("12"), Grid.integers(0, 10).read("0.5")
        (12, None)
        """
        if self.whole:
            return int(text) if _WHOLE.fullmatch(text) else None
        return Decimal(text) if _DECIMAL.fullmatch(text) else None

    @property
    def declared(self) -> dict[str, Fraction | int | str]:
        """The bounds."""
        return {"low": self.low, "high": self.high}

    def becomes(self, mechanism: Mechanism, labels: Sequence[str]) -> str:  # noqa: ARG002
        """Return that numbers are clipped and rounded, and how many reports there are."""
        kind = "whole number" if self.whole else f"number in steps of {self.step}"
        return (
            f"any {kind} from {self.low} to {self.high}; a lower or higher one counts as"
            f" {self.low} or {self.high}{self._between(mechanism)}. Nobody learns how"
            " many answers were lower or higher.\n  One of"
            f" {mechanism.reports} reports is sent, and every one of them may be sent whatever your"
            " answer is"
        )

    def _between(self, mechanism: Mechanism) -> str:
        """Return what becomes of a number between two points; nothing where there is none."""
        if self.whole:
            return ""
        if mechanism.rounding == "nearest":
            return ", and one between two steps as the nearest"
        return ", and one between two steps as either, at random, the nearer the likelier"

    def to_json(self) -> dict[str, object]:
        """Return the grid as it stands in a manifest."""
        if self.whole:
            return {"low": int(self.low), "high": int(self.high)}
        return {"low": str(self.low), "high": str(self.high), "step": str(self.step)}

    @classmethod
    def from_json(cls, value: object, options: tuple[str, ...] = (), *, whole: bool) -> "Grid":
        """Return the grid of a manifest's ``integers`` or ``numbers``; it has no options.

        Raises
        ------
        WireError, ManifestError
            If the value is not exactly what `to_json` writes.
        """
        if options:
            raise WireError("a question about a number has no options")
        match value:
            case {"low": low, "high": high, **rest} if whole and not rest:
                if type(low) is int and type(high) is int:
                    return cls.integers(low, high)
            case {"low": low, "high": high, "step": step, **rest} if not whole and not rest:
                return cls(read_ratio(low), read_ratio(high), read_ratio(step))
        form = "integers low and high" if whole else "low, high and step as ratios in strings"
        raise WireError(f"a question about a number takes exactly {form}")


def to_point(place: Fraction, rounding: Rounding, coins: Coins) -> int:
    """Return the point nearest to a place, or one at random so that the mean stays.

    A random rounding takes the upper point with the probability of the distance from the lower
    one, exact to 2**-128. It tosses the same number of coins for every place, points included.

    >>> to_point(Fraction(5, 2), "nearest", Coins())
    3
    """
    if rounding == "nearest":
        return int(place + Fraction(1, 2))
    draw = 0
    for _ in range(_ROUNDING_CHOICES):
        draw = draw * MAX_WEIGHT_SUM + coins.below(MAX_WEIGHT_SUM)
    lower = int(place)
    threshold = int((place - lower) * MAX_WEIGHT_SUM**_ROUNDING_CHOICES)
    return lower + (draw < threshold)


def exact_number(answer: object) -> Fraction | None:
    """Return a number exactly, or None for what is none."""
    if type(answer) is int or type(answer) is Fraction:
        return Fraction(answer)
    if type(answer) is float and isfinite(answer):
        return Fraction(answer)
    if type(answer) is Decimal and answer.is_finite() and _is_short(answer):
        return Fraction(answer)
    return None


def _is_short(number: Decimal) -> bool:
    exponent = number.as_tuple().exponent
    return isinstance(exponent, int) and abs(exponent) <= _MOST_DIGITS


def read_ratio(value: object) -> Fraction:
    """Return the ratio of a manifest, such as ``"1/2"``.

    Raises
    ------
    WireError
        If the value is anything else.
    """
    if not isinstance(value, str) or not _RATIO.fullmatch(value):
        raise WireError('bounds and step must be ratios in strings, such as "1/2"')
    try:
        return Fraction(value)
    except ZeroDivisionError as error:
        raise WireError("a ratio has a denominator of 0") from error
