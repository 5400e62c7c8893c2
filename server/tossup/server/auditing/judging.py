"""Judge counted events: the three tests of `verdict`, for what `events` describes.

Violation and over-noising rest on Clopper-Pearson intervals, all of them together at half of
alpha: those of the contrasts, and those of every event from the answers that give it most and
least. A count of events that are not equally likely is a sum of independent ones, whose tails
beyond its mean are at most those of the binomial with the same mean (Hoeffding 1956, Annals of
Mathematical Statistics 27:713-721, theorem 5). So intervals and p-values hold for it, too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from math import inf, log, sqrt
from typing import Final

import numpy as np

from tossup.server.auditing.events import Chances, Contrast, Counted, Counts, Pool, View
from tossup.server.auditing.found import Event, p_value
from tossup.server.auditing.verdict import ALPHA, PRINTED, Bound, Verdict
from tossup.server.estimation.intervals.binomial import clopper_pearson

#: Of cells and comparisons, so many are gone into: those that a rough look puts in front.
_LOOKED_AT: Final = 64
_COMPARED: Final = 12
#: So many counts are looked at together: tables of 1024 options have two million.
_AT_ONCE: Final = 1 << 18
_SAME: Final = 1e-12
_ROUGH: Final = 6.0  # standard deviations
_IMPOSSIBLE: Final = "numbers that are no report"

Interval = tuple[float, float]
#: What gives an interval for a probability from a count and its trials.
Intervals = Callable[[int, int], Interval]


def judge_events(counted: Counted) -> Verdict:
    """Return what the three tests find in counted events."""
    view = counted.view
    looked_at = int(np.isfinite(view.chances).sum()) + len(view.pools) + 1
    # Whatever is not gone into has its share of alpha all the same.
    confidence = 1 - ALPHA / 2 / (2 * len(view.contrasts) + view.chances.size)
    # Many events have the same count: each interval is worked out once.
    exact = cache(partial(clopper_pearson, confidence=confidence))
    bounds = [_bound(contrast, counted, exact) for contrast in _telling(counted)]
    extremes = [_extreme(counts, counted, exact) for counts in _uneven(counted)]
    return Verdict(
        mechanism=view.mechanism,
        audited=view.audited,
        answers=len(view.answers),
        counts=_listed(counted.counts),
        events=view.events,
        trials=int(counted.trials.min()),
        alpha=ALPHA,
        claim=_declared(view),
        lower=max(0.0, *extremes, *(bound.lower for bound in bounds)),
        bounds=tuple(bounds),
        cells=looked_at,
        worst=min(_worst(counted), key=lambda event: event.p_value),
    )


def _telling(counted: Counted) -> list[Contrast]:
    """Return the contrasts that may bound epsilon most closely, from below or from above."""
    contrasts = counted.view.contrasts
    rough = [_bound(contrast, counted, _rough) for contrast in contrasts]
    by_lower = sorted(range(len(rough)), key=lambda place: -rough[place].lower)
    by_upper = sorted(range(len(rough)), key=lambda place: rough[place].slack)
    return [contrasts[place] for place in {*by_lower[:_COMPARED], *by_upper[:_COMPARED]}]


def _listed(counts: Counts) -> tuple[tuple[int, ...], ...]:
    """Return counts for a report, or nothing where they are too many to be printed."""
    return tuple(map(tuple, counts.tolist())) if counts.size <= PRINTED else ()


def _uneven(counted: Counted) -> Iterator[Counts]:
    """Yield counts of the events that some answers seem to give, or not to give, the most."""
    n, common = counted.trials[:, np.newaxis], counted.view.common
    counts = counted.counts[:, :common]
    parts = np.array_split(np.arange(counts.shape[1]), -(-counts.size // _AT_ONCE))
    happened = np.concatenate([_evenness(counts[:, part], n) for part in parts])
    missed = np.concatenate([_evenness(n - counts[:, part], n) for part in parts])
    for event in np.argsort(happened)[:_COMPARED]:
        yield counts[:, event]
    for event in np.argsort(missed)[:_COMPARED]:
        yield counted.trials - counts[:, event]


def _evenness(counts: Counts, n: Counts) -> Chances:
    """Return for each event about how much more often than from others it comes from an answer.

    As a ratio of probabilities that is surely reached, turned round: the smallest tells most.
    """
    shares = counts / n
    wide = _ROUGH * np.sqrt(shares * (1 - shares) / n)
    least = (shares + wide + _ROUGH**2 / n).min(axis=0)
    most = np.maximum(shares - wide - 1 / n, 0).max(axis=0)
    found: Chances = np.divide(least, most, out=np.full_like(least, inf), where=most > 0)
    return found


def _declared(view: View) -> float:
    odds = view.mechanism.odds
    return log(odds.numerator) - log(odds.denominator)


def _bound(contrast: Contrast, counted: Counted, interval: Intervals) -> Bound:
    """Return bounds of epsilon from a contrast, beside what the exact mechanism shows in it."""
    once, again = contrast.times
    (own, most), (other, least) = (
        _sum(pool, counted, interval) for pool in (contrast.own, contrast.other)
    )
    exact = (log(own / once) - log(other / again) if other > 0 else inf) - 2 * counted.view.error
    kept = most[0] / once - float(counted.view.mechanism.delta) * contrast.events
    lower = log(kept / (least[1] / again)) if kept > 0 else -inf
    upper = log(most[1] / once / (least[0] / again)) if least[0] > 0 else inf
    return Bound(contrast.own.what, lower, upper, exact)


def _sum(pool: Pool, counted: Counted, interval: Intervals) -> tuple[float, Interval]:
    """Return what the probabilities of a pool's events sum to, and an interval for that."""
    found = _pooled(pool, counted)
    low, high = interval(found.count, found.trials)
    return found.rows * found.chance, (found.rows * low, found.rows * high)


def _rough(count: int, trials: int) -> Interval:
    """Return about what an exact interval will be."""
    share = count / trials
    wide = _ROUGH * sqrt(share * (1 - share) / trials)
    return max(0.0, share - wide - 1 / trials), min(1.0, share + wide + _ROUGH**2 / trials)


def _extreme(counts: Counts, counted: Counted, interval: Intervals) -> float:
    """Return a lower bound of epsilon from the answers that give one event most and least."""
    shares = counts / counted.trials
    rows = [shares.argmax(), shares.argmin()]
    most, least = (interval(int(counts[row]), int(counted.trials[row])) for row in rows)
    kept = most[0] - float(counted.view.mechanism.delta)
    return log(kept / least[1]) if kept > 0 else -inf


def _worst(counted: Counted) -> Iterator[Event]:
    """Yield the counts that are farthest off, of each kind."""
    view, total = counted.view, int(counted.trials.sum()) + counted.impossible
    strange = counted.impossible
    yield Event(_IMPOSSIBLE, strange, total, "0", 0.0 if strange else 1.0)
    yield from _cells(counted)
    for pool in view.pools:
        found = _pooled(pool, counted)
        slack = 0 if found.even else 1
        yield _event(pool.what, found.count, found.trials, found.chance, view.error, slack=slack)


@dataclass(frozen=True, slots=True)
class _Pooled:
    """A pool's count, of how many trials of how many answers, and its mean probability."""

    count: int
    trials: int
    rows: int
    chance: float
    even: bool  # whether it is equally likely from all these answers


def _pooled(pool: Pool, counted: Counted) -> _Pooled:
    """Return what a pool has counted; one answer's events exclude each other and add up."""
    rows, places = np.unique(pool.rows, return_inverse=True)
    chances = np.bincount(places, weights=counted.view.chances[pool.rows, pool.events])
    trials = counted.trials[rows]
    return _Pooled(
        count=int(counted.counts[pool.rows, pool.events].sum()),
        trials=int(trials.sum()),
        rows=len(rows),
        chance=float(min(1.0, (chances * trials).sum() / trials.sum())),
        even=bool(np.ptp(chances) <= _SAME * chances.max()),
    )


def _cells(counted: Counted) -> Iterator[Event]:
    """Yield the single counts that are farthest off by Chernoff's bound of their p-value."""
    view = counted.view
    for row, event in _farthest(counted):
        chance = float(view.chances[row, event])
        what = f"{view.events[event]}, from answer {view.answers[row]}"
        count, trials = int(counted.counts[row, event]), int(counted.trials[row])
        yield _event(what, count, trials, chance, view.error)


def _farthest(counted: Counted) -> list[tuple[int, int]]:
    """Return the answers and events that are farthest off; some rows at once, to spare memory."""
    view = counted.view
    found: list[tuple[float, int, int]] = []
    every = np.arange(len(view.answers))
    for rows in np.array_split(every, -(-view.chances.size // _AT_ONCE)):
        counts, chances = counted.counts[rows], view.chances[rows]
        off = _exponents(counts, counted.trials[rows, np.newaxis], chances, view.error)
        off = np.where(np.isfinite(chances), off, -1.0)
        for place in np.argsort(off, axis=None)[-_LOOKED_AT:].tolist():
            row, event = divmod(place, off.shape[1])
            found.append((float(off[row, event]), int(rows[row]), event))
        found = sorted(found)[-_LOOKED_AT:]
    return [(row, event) for off, row, event in found if off >= 0]


def _exponents(counts: Counts, trials: Counts, chances: Chances, error: float) -> Chances:
    """Return n times the divergence of counted shares from probabilities, as far as these go."""
    share = counts / trials
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = np.clip(share, chances * (1 - error), np.minimum(1, chances * (1 + error)))
        yes = np.where(share > 0, share * np.log(share / chance), 0)
        no = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - chance)), 0)
    found: Chances = trials * (yes + no)
    return found


def _event(
    what: str, count: int, trials: int, chance: float, error: float, *, slack: int = 0
) -> Event:
    """Return an event with its p-value; the largest one, where the probability is an interval."""
    low, high = chance * (1 - error), min(1.0, chance * (1 + error))
    p = 1.0
    if count > trials * high + slack:
        p = p_value(count, trials, high)
    elif count < trials * low - slack:
        p = p_value(count, trials, low)
    return Event(what, count, trials, f"{chance:.6g}", p)
