"""What cannot be planned."""

from math import isfinite

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
    if isinstance(value, bool) or not isfinite(value) or value <= 0:
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
    if isinstance(value, bool) or not 0 < value < 1:
        raise PlanningError(f"{what} ({value}) must be in (0, 1)")
    return value
