"""An interval with its confidence and method, and the score interval of a fraction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from statistics import NormalDist
from typing import Literal

from tossup.server.decimals import decimals_within
from tossup.server.estimation.checks import checked_confidence
from tossup.server.estimation.errors import EstimationError

Method = Literal["score", "exact", "profile", "wald"]
#: What makes an interval: the ends, from the confidence of the interval by itself.
Ends = Callable[[float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval that says how it was made.

    Attributes
    ----------
    low, high
        Its ends, low <= high.
    confidence
        The nominal confidence, in (0, 1). With ``intervals`` above 1 it is joint: all of that
        many intervals cover their shares together with at least this confidence.
    method
        ``"score"``, ``"exact"``, ``"profile"`` or ``"wald"``, or as its maker says.
    intervals
        How many intervals the confidence is shared among (Bonferroni); 1 for one on its own.
    """

    low: float
    high: float
    confidence: float
    method: str
    intervals: int = 1

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends, the lower one first."""
        return self.low, self.high

    @property
    def width(self) -> float:
        """How far the ends are apart."""
        return self.high - self.low

    def __str__(self) -> str:
        shared = f", one of {self.intervals} together" if self.intervals > 1 else ""
        confidence = f"{100 * self.confidence:.10g} %"
        places = max(4, decimals_within(self.width))
        return (
            f"{self.low:.{places}f} to {self.high:.{places}f} ({confidence} {self.method}{shared})"
        )

    def cut(self, low: float, high: float) -> "Interval | None":
        """Return the part that is possible; None where all of it is impossible.

        The method of an interval that is cut ends in ``-cut``. For reading alone: coverage is kept,
        but an interval cut to nearly nothing looks surer than its estimate is.

        >>> str(Interval(-0.25, 0.5, 0.95, "score").cut(0, 1))
        '0.0000 to 0.5000 (95 % score-cut)'
        """
        if low <= self.low and self.high <= high:
            return self
        if self.high <= low or self.low >= high:
            return None
        ends = max(self.low, low), min(self.high, high)
        return replace(self, low=ends[0], high=ends[1], method=f"{self.method}-cut")

    def __contains__(self, share: float) -> bool:
        return self.low <= share <= self.high


def normal_quantile(confidence: float) -> float:
    """Return z with Pr[-z < Z < z] = confidence for a standard normal Z.

    >>> round(normal_quantile(0.95), 6)
    1.959964

    Raises
    ------
    EstimationError
        If the confidence is not in (0, 1).
    """
    checked_confidence(confidence)
    # 1 - (1 - c) / 2 loses digits near 1; the lower tail does not.
    return -NormalDist().inv_cdf((1 - confidence) / 2)


def normal_interval(
    value: float, error: float, confidence: float, method: str = "wald"
) -> Interval:
    """Return the interval of a value plus and minus normal quantiles of its standard error.

    >>> print(normal_interval(0.5, 0.1, 0.95))
    0.3040 to 0.6960 (95 % wald)

    Raises
    ------
    EstimationError
        If the confidence is not in (0, 1).
    """
    half = normal_quantile(confidence) * error
    return Interval(value - half, value + half, confidence, method)


def beyond(value: float, error: float, low: float = 0.0, high: float = 1.0) -> float:
    """Return how likely an estimate so far outside its range is, should the truth be within.

    The one-sided normal probability at the nearer end, with the standard error there; 1 within.

    >>> beyond(0.5, 0.1), round(beyond(1.2, 0.1), 5)
    (1.0, 0.02275)
    """
    outside = max(low - value, value - high)
    if outside <= 0 or not error:
        return 1.0 if outside <= 0 else 0.0
    return NormalDist().cdf(-outside / error)


def wilson(k: float, n: float, confidence: float) -> tuple[float, float]:
    """Return the score interval for a probability of which k of n trials succeeded.

    It holds every probability that a two-sided score test at level 1 - confidence does not
    reject: Wilson 1927, JASA 22:209-212. An effective number of trials need not be whole.

    >>> [round(end, 4) for end in wilson(5, 20, 0.95)]
    [0.1119, 0.4687]
    """
    z = normal_quantile(confidence)
    middle = k + z * z / 2
    half = z * sqrt(k * (n - k) / n + z * z / 4)
    low = 0.0 if k == 0 else (middle - half) / (n + z * z)
    high = 1.0 if k == n else (middle + half) / (n + z * z)
    return low, high


def score_of_share(
    value: float, squares: tuple[float, float], error: float, n: int, confidence: float
) -> tuple[float, float]:
    """Return the score interval of a share that is the mean of what reports count for.

    It holds every share from which the estimate is at most z standard deviations away, under that
    very share: Wilson's for a fraction. A share s has the variance s a + (1 - s) b - s**2, over n.
    The interval is never empty, and holds the estimate.

    Parameters
    ----------
    value
        The raw share.
    squares
        a and b: the mean square of what reports count for of people with the answer, and of all
        others.
    error
        The standard error of the raw share, for a normal interval where no share is near enough.
    n, confidence
        Number of reports; in (0, 1).

    References
    ----------
    Wilson 1927, JASA 22:209-212; with the other answers as they are estimated, as in Tango 1998,
    Statistics in Medicine 17:891-908.

    Examples
    --------
    >>> [round(end, 4) for end in score_of_share(5 / 20, (1, 0), 0.1, 20, 0.95)]
    [0.1119, 0.4687]
    """
    own, other = squares
    variance = value * own + (1 - value) * other - value**2
    part = normal_quantile(confidence) ** 2 / n
    middle = part * (own - other - 2 * value) / 2
    inside = middle**2 + (1 + part) * part * variance
    if inside < 0:  # the raw share is so far outside [0, 1] that no share could have been behind it
        return normal_interval(value, error, confidence).ends
    low, high = ((middle + root) / (1 + part) for root in (-sqrt(inside), sqrt(inside)))
    return value + min(low, 0.0), value + max(high, 0.0)


def wald(k: int, n: int, confidence: float) -> tuple[float, float]:
    """Return the fraction plus and minus z standard errors (divisor n - 1), as papers have it.

    To reproduce papers, for nothing else: at k = 0 it has no width, and with 20 two-coin reports
    it covers a share of 0 in 89.5 % of surveys instead of 95 %.

    >>> [round(end, 4) for end in wald(5, 20, 0.95)]
    [0.0553, 0.4447]
    """
    if n == 1:
        raise EstimationError("one report has no spread; use the score or the exact interval")
    half = normal_quantile(confidence) * sqrt(k * (n - k) / (n - 1)) / n
    return k / n - half, k / n + half
