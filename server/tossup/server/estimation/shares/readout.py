"""A share as a linear readout: the mean of what each report counts for.

With scores v whose mean given answer x is 1 for one answer and 0 for all others, the mean score of
the reports is that answer's share, without bias, whatever the other shares are: Chaudhuri and
Mukerjee 1988, *Randomized Response: Theory and Techniques*.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.scores import floats_of
from tossup.server.estimation.intervals.coins import (
    MANY,
    score_variance,
    variances_given_answers,
)
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.intervals.sequence import score_sequence


@dataclass(frozen=True, slots=True)
class Readout:
    """How many reports of each kind there are, and what each counts for.

    Attributes
    ----------
    counts
        Reports of each kind, one or more in all.
    scores
        What a report of each kind counts for, times ``unit``: integers where the channel tells
        them exactly, then `exact` is; floats where they were solved for.
    unit
        What the scores are divided by; not 0.
    coins
        The variance of what one report counts for that its coins cause, for the answer where it
        is least.
    even
        The chance of each kind of report where all answers are equally common; one over their
        number if empty.

    Examples
    --------
    >>> read = Readout((600, 400), (-1, 3), 2, 0.75)
    >>> read.value, read.exact, read.ends, round(read.variance(), 4)
    (0.3, Fraction(3, 10), (-0.5, 1.5), 0.961)
    """

    counts: tuple[int, ...]
    scores: tuple[float, ...]
    unit: int = 1
    coins: float = 0.0
    even: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        counts: tuple[int, ...],
        scores: Iterable[Fraction],
        coins: float = 0.0,
        even: tuple[float, ...] = (),
    ) -> "Readout":
        """Return the readout of exact scores."""
        given = tuple(scores)
        unit = lcm(*(score.denominator for score in given))
        return cls(counts, tuple(int(score * unit) for score in given), unit, coins, even)

    @classmethod
    def of_design(cls, counts: tuple[int, ...], design: Design) -> "Readout":
        """Return the readout of yes under a design of two answers: see `Design.report_values`."""
        scores = design.report_values()
        channel = floats_of(design)
        coins = variances_given_answers(channel, np.array([float(score) for score in scores]))
        return cls.of(counts, scores, float(coins.min()), tuple(channel.mean(axis=0).tolist()))

    @property
    def n(self) -> int:
        """Number of reports."""
        return sum(self.counts)

    @property
    def _total(self) -> float:
        return sum(count * score for count, score in zip(self.counts, self.scores, strict=True))

    @property
    def value(self) -> float:
        """The mean of what reports count for; one division of integers rounds as `exact` does."""
        return self._total / (self.n * self.unit)

    @property
    def exact(self) -> Fraction:
        """`value` as an exact ratio, of exact scores."""
        return Fraction(self._total) / (self.n * self.unit)

    @property
    def each(self) -> tuple[float, ...]:
        """What a report of each kind counts for."""
        return tuple(score / self.unit for score in self.scores)

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that one report can count for."""
        each = self.each
        return min(each), max(each)

    @property
    def mean_square(self) -> float:
        """The mean square of what reports count for."""
        pairs = zip(self.counts, self.each, strict=True)
        return sum(count * score**2 for count, score in pairs) / self.n

    def variance(self, *, few: bool | None = None) -> float:
        """Return the estimated variance of what one report counts for, divisor n - 1.

        Never nothing: see `coins.score_variance`. Fewer than 1,000 reports are few if not said.
        """
        even = np.array(self.even) if self.even else np.full(len(self.scores), 1 / len(self.scores))
        return score_variance(
            np.array(self.counts, dtype=np.float64),
            np.array(self.each),
            self.coins,
            even,
            few=self.n < MANY if few is None else few,
        )

    def covariance(self, other: "Readout") -> float:
        """Return the estimated covariance with another mean of the same reports, divisor n - 1."""
        rows = zip(self.counts, self.each, other.each, strict=True)
        spread = sum(c * (own - self.value) * (its - other.value) for c, own, its in rows)
        return spread / (self.n * max(1, self.n - 1))

    def anytime(self, confidence: float) -> Interval:
        """Return an interval that holds at every look together: see `score_sequence`."""
        return score_sequence(self.counts, self.each, confidence)
