"""The least number that is enough: reached at it, and missed at one less."""

from collections.abc import Callable
from typing import Final

from tossup.server.planning.errors import PlanningError

#: A survey of everybody on earth.
MOST: Final = 10**10


def fewest(reached: Callable[[int], bool]) -> int:
    """Return the least n of at least 1 that is enough, of a condition that stays reached.

    >>> fewest(lambda n: n * n >= 50)
    8

    Raises
    ------
    PlanningError
        If more would be needed than there are people.
    """
    found = first(reached, MOST // 2)
    if found is None:
        raise PlanningError("more respondents would be needed than there are people")
    return found


def first(reached: Callable[[int], bool], most: int) -> int | None:
    """Return the least n of at least 1 that is enough; None if a power of 2 from ``most`` is not.

    >>> first(lambda n: n * n >= 50, 8), first(lambda n: n * n >= 50, 4)
    (8, None)
    """
    low, high = 0, 1
    while not reached(high):
        if high >= most:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
