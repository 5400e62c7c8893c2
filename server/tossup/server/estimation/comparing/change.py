"""Change between two waves of the same question, partly answered by the same people.

Stage: estimates to a difference. Which reports are of one device is not known, and need not be:
what is known of the design bounds how the errors of two waves go together.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Protocol

from tossup.server.estimation.intervals.interval import Interval, normal_quantile
from tossup.shared.waves import Waves


class Measured(Protocol):
    """A share, or the mean of a number, in one wave."""

    @property
    def value(self) -> float:
        """The raw estimate."""

    @property
    def standard_error(self) -> float | None:
        """Its standard error."""

    @property
    def n(self) -> int:
        """Reports it rests on."""

    @property
    def interval(self) -> Interval:
        """Its interval, for one look."""


@dataclass(frozen=True, slots=True)
class Change:
    """How much higher a later wave is than an earlier one.

    Attributes
    ----------
    value
        The difference of the raw estimates.
    standard_error
        At least that of the difference, no matter who answered both waves.
    interval
        Covers the change with at least its nominal confidence, as far as those of the two waves
        cover; method ``"mover-score"``, or with ``"-overlap"`` if people may answer both.
    n
        Reports of the earlier and of the later wave.
    """

    value: float
    standard_error: float
    interval: Interval
    n: tuple[int, int]


def overlap(*versions: Waves) -> Fraction:
    """Return how likely a device that tosses in one wave tosses in another one, too.

    0 where it tosses once for life: then reports of two waves share their coins, and can only
    agree more than those of strangers. Where versions of a survey choose waves in different ways,
    a device has chosen more than once, and may have tossed in any two: 1, unless all toss once.

    >>> from datetime import date
    >>> monday = date(2027, 1, 4)
    >>> overlap(Waves(12, monday, 7, times=3))
    Fraction(2, 11)
    >>> overlap(Waves(12, monday, 7, times=3), Waves(24, monday, 7, times=3))
    Fraction(1, 1)
    """
    ways = {(waves.times or 1, waves.count) for waves in versions}
    if max(times for times, _ in ways) == 1:
        return Fraction(0)
    if len(ways) > 1:
        return Fraction(1)
    [(times, count)] = ways
    return Fraction(times - 1, count - 1)


def of_answers(spread: float) -> float:
    """Return the least covariance of a person's answers in two waves, if they are within this.

    It is that of people of whom half are at either end, and all turn round.
    """
    return -(spread**2) / 4


def change(
    later: Measured,
    earlier: Measured,
    *,
    overlap: Fraction = Fraction(0),
    covariance: float = of_answers(1.0),
) -> Change:
    """Return the change from an earlier wave to a later one.

    With X and Y the estimates, Var(X - Y) = Var X + Var Y - 2 Cov(X, Y). Reports of different
    people are independent. If one person's reports come from one toss, their covariance is not
    negative, so leaving it out is safe. If they are tossed afresh, it is that of the true answers;
    through a memo, that and what the kept bits add. Of the smaller wave a part ``overlap`` is
    expected in the larger one, if nobody stays away, so that Cov(X, Y) >= overlap ``covariance`` /
    max(n); for shares that is reached where half say yes, and all who answer both waves turn round.

    Parameters
    ----------
    overlap
        See `overlap`.
    covariance
        The least covariance, 0 or below, of what one person's two reports count for: for shares
        that of answers from 0 to 1.
    """
    error = -2 * float(overlap) * covariance / max(later.n, earlier.n)
    z = normal_quantile(later.interval.confidence)
    value = later.value - earlier.value
    errors = [estimate.standard_error or 0.0 for estimate in (later, earlier)]
    method = f"mover-{later.interval.method}" + ("-overlap" if overlap else "")
    return Change(
        value=value,
        standard_error=sqrt(errors[0] ** 2 + errors[1] ** 2 + error),
        interval=Interval(
            *_ends(value, later, earlier, z * z * error), later.interval.confidence, method
        ),
        n=(earlier.n, later.n),
    )


def _ends(value: float, later: Measured, earlier: Measured, more: float) -> tuple[float, float]:
    """Return the ends of the MOVER interval, widened by ``more`` under both roots.

    Zou and Donner 2008, Statistics in Medicine 27:1693-1702.
    """
    first, second = later.interval, earlier.interval
    down = (later.value - first.low) ** 2 + (second.high - earlier.value) ** 2
    up = (first.high - later.value) ** 2 + (earlier.value - second.low) ** 2
    return value - sqrt(down + more), value + sqrt(up + more)
