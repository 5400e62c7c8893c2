"""An interval that may be looked at after every report: safe to peek.

An ordinary 95 % interval is right at one look fixed beforehand. Somebody who reloads a page until
it says what they hope for looks many times, and some look fails far more often than 5 %. A
confidence sequence covers at all looks together.
"""

from collections.abc import Callable
from math import lgamma, log

from tossup.server.estimation.checks import checked_confidence
from tossup.server.estimation.interval import Interval
from tossup.server.estimation.share import ShareEstimate


def confidence_sequence(share: ShareEstimate, confidence: float = 0.95) -> Interval:
    """Return an interval that, with the given confidence, never once excludes the true share.

    At every look, however many there are and whatever makes one stop. It holds every share whose
    likelihood is not 1 / (1 - confidence) times below its mean over Jeffreys's prior: under the
    truth that ratio is a martingale that starts at 1, and rises so high with at most that
    probability (Ville 1939). Robbins 1970, Annals of Mathematical Statistics 41:1397-1409.

    It needs the counts alone, so a new report costs the same however many came before; the order
    of reports, and their batches, do not matter. It is wider than a score interval by a factor
    that grows as the square root of log n: about 1.7 at n = 100, 2.0 at n = 10,000.

    Parameters
    ----------
    share
        The estimate at this look.
    confidence
        In (0, 1), for all looks together.

    Examples
    --------
    >>> from tossup.server.estimation.design import two_coins
    >>> from tossup.server.estimation.asking import estimate
    >>> interval = confidence_sequence(estimate(yes=400, n=1000, design=two_coins()))
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.189, 0.415)

    Raises
    ------
    EstimationError
        If the confidence is not in (0, 1).
    """
    checked_confidence(confidence)
    without, with_it = (float(rate) for rate in share.rates)
    ends = report_sequence(share.counts[1], share.n, confidence)
    low, high = sorted((end - without) / (with_it - without) for end in ends)
    return Interval(low, high, confidence, "anytime")


def report_sequence(k: int, n: int, confidence: float) -> tuple[float, float]:
    """Return the confidence sequence, after k of n successes, for their probability."""
    limit = _log_beta(k + 0.5, n - k + 0.5) - _log_beta(0.5, 0.5) + log(1 - confidence)

    def excluded(rate: float) -> bool:
        return _log_likelihood(k, n, rate) < limit

    best = k / n
    low = 0.0 if k == 0 else _edge(0.0, best, excluded_at=excluded)
    high = 1.0 if k == n else _edge(1.0, best, excluded_at=excluded)
    return low, high


def _edge(outside: float, inside: float, *, excluded_at: Callable[[float], bool]) -> float:
    """Return the last excluded rate on the way in, by bisection to the last float."""
    while True:
        middle = (outside + inside) / 2
        if middle in {outside, inside}:
            return outside
        outside, inside = (middle, inside) if excluded_at(middle) else (outside, middle)


def _log_likelihood(k: int, n: int, rate: float) -> float:
    return (k * log(rate) if k else 0.0) + ((n - k) * log(1 - rate) if k < n else 0.0)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
