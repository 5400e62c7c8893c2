"""Days on which far more reports came than on any day before: forged ones, or a campaign."""

from collections.abc import Iterable
from typing import Final, Protocol, TypeVar

#: A day stands out with more than so many times the reports of any day before it ...
TIMES: Final = 10
#: ... if it has at least so many, and at least so many days with reports came before it.
FEWEST_REPORTS: Final = 1000
FEWEST_DAYS: Final = 3


class _Day(Protocol):
    @property
    def n(self) -> int:
        """Reports of the day."""


_AnyDay = TypeVar("_AnyDay", bound=_Day)


def stands_out(n: int, *, most: int, periods: int) -> bool:
    """Return whether so many stand out of the most in any of so many days or hours before."""
    return periods >= FEWEST_DAYS and n >= FEWEST_REPORTS and n > TIMES * most


def jump(days: Iterable[_AnyDay]) -> _AnyDay | None:
    """Return the latest day that stands out of those before it; None if none does.

    It is made of what results tell of days anyway, and stays: so do the reports in estimates.

    Parameters
    ----------
    days
        The days with reports, oldest first.
    """
    found, most = None, 0
    for place, day in enumerate(days):
        if stands_out(day.n, most=most, periods=place):
            found = day
        most = max(most, day.n)
    return found
