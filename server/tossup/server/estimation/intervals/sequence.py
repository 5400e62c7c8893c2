"""An interval that may be looked at after every report: safe to peek.

An ordinary 95 % interval is right at one look fixed beforehand. Somebody who reloads a page until
it says what they hope for looks many times, and some look fails far more often than 5 %. A
confidence sequence covers at all looks together.
"""

from collections.abc import Callable, Sequence
from math import exp, lgamma, log
from typing import Final

import numpy as np

from tossup.server.estimation.checks import Floats, checked_confidence, column_of, whole_counts
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.binomial import log_likelihood
from tossup.server.estimation.intervals.interval import Interval

_HALVINGS: Final = 60
#: A score that is no further from the average than this part of the scores' range is the average.
_ROUNDING: Final = 1e-12


def report_sequence(k: int, n: int, confidence: float) -> tuple[float, float]:
    """Return the confidence sequence, after k of n successes, for their probability."""
    limit = log_evidence(k, n) + log(1 - confidence)

    def excluded(rate: float) -> bool:
        return log_likelihood(k, n, rate) < limit

    best = k / n
    low = 0.0 if k == 0 else _edge(0.0, best, excluded_at=excluded)
    high = 1.0 if k == n else _edge(1.0, best, excluded_at=excluded)
    return low, high


def log_evidence(k: int, n: int) -> float:
    """Return the logarithm of the mean likelihood of k of n successes over Jeffreys's prior."""
    return _log_beta(k + 0.5, n - k + 0.5) - _log_beta(0.5, 0.5)


def score_sequence(
    tally: Sequence[int], scores: Sequence[float], confidence: float = 0.95
) -> Interval:
    """Return an interval for a mean of scores that holds at every look together.

    For reports of several kinds, each of which counts for a score. As `anytime_interval`, with
    Jeffreys's prior over the chances of all kinds: it holds every mean that some chances have
    whose likelihood is not 1 / (1 - confidence) times below its mean over the prior.

    Parameters
    ----------
    tally
        How many reports of each kind.
    scores
        What each kind counts for; not all the same.
    confidence
        In (0, 1), for all looks together.

    Returns
    -------
    Interval
        In the scores' unit; its method is ``"anytime"``.

    Raises
    ------
    EstimationError
        If the confidence is not in (0, 1), there is no report, or counts or scores are wrong.

    References
    ----------
    Robbins 1970, Annals of Mathematical Statistics 41:1397-1409; Owen 2001, *Empirical Likelihood*.

    Examples
    --------
    >>> interval = score_sequence((600, 400), (-0.5, 1.5))
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.189, 0.415)
    """
    checked_confidence(confidence)
    tally, values = whole_counts(tally), column_of(scores, None, "scores")
    n, kinds = sum(tally), len(values)
    if len(tally) != kinds or not n or np.ptp(values) == 0:
        raise EstimationError(
            "tally must be one count a score, not all 0, and scores not all the same"
        )
    counts = np.array(tally, dtype=np.float64)
    evidence = sum(lgamma(count + 0.5) for count in tally) - kinds * lgamma(0.5)
    limit = evidence + lgamma(kinds / 2) - lgamma(n + kinds / 2) + log(1 - confidence)
    low, high = -_highest_mean(counts, -values, limit), _highest_mean(counts, values, limit)
    return Interval(low, high, confidence, "anytime")


def _highest_mean(counts: Floats, values: Floats, limit: float) -> float:
    """Return the highest mean of chances whose log-likelihood is at least the limit.

    Of all chances with one mean, the likeliest are in proportion to n_y / (1 - t away_y), with
    how far each score is from the average (Owen 2001, *Empirical Likelihood*, section 2.9); the
    mean rises with t. Where no report has the highest score, t ends where that kind would get
    infinitely much; from there on some of all the chance goes to it.
    """
    seen = counts > 0
    away = values - float(counts @ values) / float(counts.sum())
    away[np.abs(away) < _ROUNDING * np.ptp(values)] = 0.0  # all reports are of this kind
    last = 1 / float(away.max()) if away.max() > 0 else 0.0

    def tilted(t: float) -> tuple[float, float]:
        chances = counts[seen] / (1 - t * away[seen])
        chances /= chances.sum()
        return float(chances @ values[seen]), float(counts[seen] @ np.log(chances))

    top = float(away.max())
    if not (away[seen] == top).any():
        mean, reached = tilted(last)
        if reached >= limit:
            moved = 1 - exp((limit - reached) / float(counts.sum()))
            return mean + moved * (float(values.max()) - mean)
    elif top <= 0:
        return float(values.max())
    low, high = 0.0, last
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if tilted(middle)[1] >= limit else (low, middle)
    return tilted(low)[0]


def _edge(outside: float, inside: float, *, excluded_at: Callable[[float], bool]) -> float:
    """Return the last excluded rate on the way in, by bisection to the last float."""
    while True:
        middle = (outside + inside) / 2
        if middle in {outside, inside}:
            return outside
        outside, inside = (middle, inside) if excluded_at(middle) else (outside, middle)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
