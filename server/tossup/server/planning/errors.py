"""What cannot be planned."""

from fractions import Fraction
from math import isfinite
from numbers import Real

from tossup.shared.errors import TossupError


class PlanningError(TossupError, ValueError):
    """Figures for which no plan can be made. The message says which and why."""


def positive(value: float, what: str) -> float:
    """Return a finite number above 0.

    Raises
    ------
    PlanningError
        If it is not.
    """
    if not _is_number(value) or not isfinite(value) or value <= 0:
        raise PlanningError(f"{what} ({value}) must be a finite number above 0")
    return value


def count(value: int, what: str) -> int:
    """Return an integer of at least 1.

    Raises
    ------
    PlanningError
        If it is not.
    """
    if type(value) is not int or value < 1:
        raise PlanningError(f"{what} ({value}) must be an integer of at least 1")
    return value


def probability(value: float, what: str) -> float:
    """Return a number in (0, 1).

    Raises
    ------
    PlanningError
        If it is not.
    """
    if not _is_number(value) or not 0 < value < 1:
        raise PlanningError(f"{what} ({value}) must be in (0, 1)")
    return value


def share_of(value: float, what: str) -> float:
    """Return a number from 0 to 1.

    Raises
    ------
    PlanningError
        If it is not.
    """
    if not _is_number(value) or not 0 <= value <= 1:
        raise PlanningError(f"{what} ({value}) must be from 0 to 1")
    return value


def odds_above_one(odds: Fraction) -> Fraction:
    """Return odds above 1, as an exact ratio.

    Raises
    ------
    PlanningError
        If they are not.
    """
    if not _is_number(odds) or not isfinite(odds) or odds <= 1:
        raise PlanningError(f"odds ({odds}) must be above 1")
    return Fraction(odds)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
