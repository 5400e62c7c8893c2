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
    high = 1
    while not reached(high):
        high *= 2
        if high > MOST:
            raise PlanningError("more respondents would be needed than there are people")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
