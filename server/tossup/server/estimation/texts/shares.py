"""Shares of the texts that were found, from respondents that had no part in finding them.

No text has a readout of its own: hashing puts texts into one bucket, so all shares are solved for
together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Final

import numpy as np

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.binomial import clopper_pearson
from tossup.server.estimation.intervals.coins import rate_for_errors
from tossup.server.estimation.intervals.interval import Interval, normal_interval, wilson
from tossup.server.estimation.texts.detection import smallest_found
from tossup.server.estimation.texts.hashing import Buckets, buckets_of
from tossup.server.estimation.texts.search import search
from tossup.server.estimation.texts.sketch import Floats, Sketch, sketch
from tossup.shared.mechanisms import PrefixExtending

#: Candidates whose buckets are those of others in all rows have no share of their own.
_TOLD_APART: Final = 1e-6
#: With fewer reports that support a text its interval is the exact one, which takes longer.
_FEW_SUPPORTERS: Final = 5000

_Method = Callable[[float, float, float], tuple[float, float]]
_METHODS: Final[Mapping[str, _Method]] = {"exact": clopper_pearson, "score": wilson}


@dataclass(frozen=True, slots=True)
class TextEstimate:
    """The share of one text among all respondents.

    Attributes
    ----------
    number
        The text's number; its domain has the text.
    value
        The raw estimate, corrected for collisions: unbiased over the hash functions of all texts
        that are no candidates.
    standard_error
        Over respondents, coins, and collisions with texts that are no candidates.
    n, reports
        Reports it rests on, those of the last level, and how many of them support the text.
    interval
        One that holds together with those of all candidates (Bonferroni); method ``"exact"``
        (Clopper and Pearson's), or ``"score"`` with many reports, from an effective number of
        reports.
    is_found
        Whether the interval lies above 0, and the text can be told from all other candidates.
    """

    number: int
    value: float
    standard_error: float
    n: int
    reports: int
    interval: Interval
    is_found: bool


@dataclass(frozen=True, slots=True)
class RestEstimate:
    """The share of everyone whose text was not found: 1 less the shares that were."""

    value: float
    standard_error: float
    n: int
    interval: Interval


@dataclass(frozen=True)
class TextsEstimate:
    """What reports say about texts that nobody listed.

    Attributes
    ----------
    examined
        The texts that the search came up with, whatever their shares turned out to be.
    rest
        All texts together but those found.
    smallest_found
        The share that a text needs to be found with 95 % chance, with so many reports; None
        where even a text that everyone answers may be missed.
    levels
        Reports of each level; the last one's are for the estimates.
    """

    examined: tuple[TextEstimate, ...]
    rest: RestEstimate
    smallest_found: float | None
    levels: tuple[int, ...]

    @property
    def candidates(self) -> tuple[int, ...]:
        """The numbers of the examined texts: as many as there are joint intervals."""
        return tuple(text.number for text in self.examined)

    @cached_property
    def found(self) -> tuple[TextEstimate, ...]:
        """The texts whose joint interval lies above 0, most common first.

        With the confidence of the intervals, each of them is someone's answer.
        """
        good = [text for text in self.examined if text.is_found]
        return tuple(sorted(good, key=lambda text: -text.value))


def estimate_texts(
    counts: Sequence[int],
    design: PrefixExtending,
    confidence: float = 0.95,
    *,
    others: bool = False,
    candidates: Sequence[int] | None = None,
) -> TextsEstimate:
    """Return the common texts and their shares.

    Parameters
    ----------
    counts
        Reports of each number.
    design
        Their mechanism.
    confidence
        That of all intervals together; in (0, 1).
    others
        Whether the text without characters is an answer: "another text".
    candidates
        Texts to look at instead of searching, chosen without the reports of the last level.

    Raises
    ------
    EstimationError
        If the last level has no report, or the counts do not fit the mechanism.
    """
    last = _last_level(counts, design)
    errors: tuple[float, ...] | None = None
    if candidates is None:
        found = search(counts, design, others=others)
        candidates, errors = found.texts, found.errors
    buckets = buckets_of(design, design.levels - 1, candidates)
    confirmed = _Confirmed(last, buckets, confidence, len(candidates))
    examined = [confirmed.estimate(place, text) for place, text in enumerate(candidates)]
    levels = _reports(counts, design)
    return TextsEstimate(
        tuple(examined),
        confirmed.rest([place for place, text in enumerate(examined) if text.is_found]),
        smallest_found(
            levels,
            design,
            confidence,
            errors and (*errors, confirmed.error_of_none),
            len(examined),
        ),
        levels,
    )


def shares_of_texts(
    counts: Sequence[int],
    design: PrefixExtending,
    texts: Sequence[int],
    confidence: float = 0.95,
    *,
    among: int,
) -> tuple[TextEstimate, ...]:
    """Return the shares of texts in a group: those that were found in the reports of everyone.

    Collisions with these texts are taken out; what else was examined collides like all others,
    and its part is in the errors.

    Parameters
    ----------
    counts, design
        The group's reports of each number, and their mechanism.
    texts
        Chosen without the group's reports of the last level, or by so many more that they hardly
        matter.
    confidence
        That of ``among`` intervals together: as many as texts were examined.

    Raises
    ------
    EstimationError
        If the last level has no report, or the counts do not fit the mechanism.
    """
    last = _last_level(counts, design)
    buckets = buckets_of(design, design.levels - 1, texts)
    confirmed = _Confirmed(last, buckets, confidence, among)
    return tuple(confirmed.estimate(place, text) for place, text in enumerate(texts))


def _last_level(counts: Sequence[int], design: PrefixExtending) -> Sketch:
    """Return the reports that estimates rest on."""
    if len(counts) != design.counters or min(counts) < 0:
        raise EstimationError(f"{design.name} has {design.counters} counts, none below 0")
    last = sketch(counts, design, design.levels - 1)
    if not last.n:
        raise EstimationError("no report is left to estimate shares from")
    return last


def _reports(counts: Sequence[int], design: PrefixExtending) -> tuple[int, ...]:
    """Return how many reports each level has."""
    size = design.rows * design.slot_counters
    starts = range(0, len(counts), size)
    return tuple(design.reports_counted(counts[start : start + size]) for start in starts)


class _Confirmed:
    """The shares of texts, solved together, with their covariance; ``among`` so many intervals."""

    def __init__(self, level: Sketch, buckets: Buckets, confidence: float, among: int) -> None:
        self.level, self.confidence, self.among = level, confidence, among
        together = level.together(buckets)
        inverse = np.linalg.pinv(together, rcond=1e-9, hermitian=True)
        self.shares: Floats = inverse @ (level.pooled(buckets) - 1 / level.buckets)
        self.told_apart = np.abs(np.diag(inverse @ together) - 1) < _TOLD_APART
        self.supporting = level.supporting(buckets)
        left = level.without(buckets, self.shares)
        self.error_of_none = level.error_of_none(left)
        self.collisions = level.collisions(left)
        self.coins = self._coins()
        self.smoothed_coins = self._coins(smoothed=1)
        errors = np.sqrt(self.coins + self.collisions)
        # Two candidates' estimates err together where they share a bucket. Coins of different
        # buckets of a row do so by less than 1 / buckets; or, where a report names few buckets,
        # against each other, so that sums of shares are surer than is said here.
        overlap = together + 1 / level.buckets
        self.covariance: Floats = inverse @ (overlap * np.outer(errors, errors)) @ inverse

    def _coins(self, smoothed: int = 0) -> Floats:
        """Return the variances of pooled estimates by respondents and coins.

        Where all reports agree see `rate_for_errors`. Smoothed by one more report of each kind they
        tell how few reports may vary.
        """
        n, rates = self.level.n + 2 * smoothed, self.level.rates
        named = np.array(
            [rate_for_errors(int(k) + smoothed, n, rates) for k in self.supporting],
            dtype=np.float64,
        )
        return named * (1 - named) / (self.level.n * self.level.gap**2)

    @property
    def _least_error(self) -> float:
        """The standard error that coins alone cause, of respondents all alike."""
        spread = min(rate * (1 - rate) for rate in self.level.rates)
        return sqrt(spread / self.level.n) / self.level.gap

    def estimate(self, place: int, number: int) -> TextEstimate:
        """Return the estimate of a candidate, with its joint interval."""
        value, error = float(self.shares[place]), sqrt(float(self.covariance[place, place]))
        supporting = int(self.supporting[place])
        method = "exact" if supporting < _FEW_SUPPORTERS else "score"
        low, high = self._ends(place, _METHODS[method])
        interval = Interval(value + low, value + high, self.confidence, method, self.among)
        is_found = bool(self.told_apart[place]) and interval.low > 0
        return TextEstimate(number, value, error, self.level.n, supporting, interval, is_found)

    def rest(self, found: Sequence[int]) -> RestEstimate:
        """Return the share of all others than the candidates at some places.

        Where none of the candidates was found it is all, and as unsure as the share of a text that
        nobody has. Without a candidate it is all by its meaning.
        """
        value = 1 - float(self.shares[found].sum())
        seen = sqrt(max(0.0, float(self.covariance[np.ix_(found, found)].sum())))
        if not found and len(self.shares):
            seen = self.error_of_none
        error = max(seen, self._least_error) if len(self.shares) else 0.0
        interval = normal_interval(value, error, self.confidence, "normal")
        return RestEstimate(value, error, self.level.n, interval)

    def _ends(self, place: int, interval: _Method) -> tuple[float, float]:
        """Return how far the interval of a candidate reaches below and above its share.

        It is that of the reports that support it, out of fewer reports than there are: collisions
        make an estimate as uncertain as fewer reports without collisions would (Korn and Graubard
        1998, Survey Methodology 24:193-201, for weights).
        """
        n, smooth = self.level.n, float(self.smoothed_coins[place])
        more = max(0.0, float(self.covariance[place, place] - self.coins[place]))
        fewer = n * smooth / (smooth + more)
        named = float(self.supporting[place]) / n
        low, high = interval(named * fewer, fewer, 1 - (1 - self.confidence) / self.among)
        return (low - named) / self.level.gap, (high - named) / self.level.gap
