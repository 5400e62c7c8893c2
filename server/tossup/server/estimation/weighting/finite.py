"""Totals and means of a finite population, by known chances of being asked.

Horvitz and Thompson's estimator, as the R package RRTCS has it: the population size N is known and
stated, and the mean divides by it. The weighted mean that divides by the sum of the weights is
Hajek's, in `weighted`; the two differ on the same data, so results name theirs. Values and
chances are those of rows, where a readout counts kinds of reports.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from tossup.server.estimation.checks import column_of, respondents_of
from tossup.server.estimation.designs.named import AnyDesign
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import never_nothing
from tossup.server.estimation.intervals.interval import Interval, normal_interval
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Estimate
from tossup.server.estimation.weighting.samples import Floats, sample


@dataclass(frozen=True, slots=True)
class FiniteEstimate(Estimate):
    """A total of a finite population, or its mean.

    Attributes
    ----------
    value
        Raw.
    sampling, coins
        The two terms of its variance: who was asked (0 in a census, and otherwise never nothing,
        since coins make values differ: see `coins.never_nothing`), and how the coins fell.
    n
        Respondents.
    """

    value: float
    sampling: float
    coins: float
    n: int | None = None

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`."""
        return sqrt(max(0.0, self.sampling + self.coins))

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Total or mean of a finite population (Horvitz and Thompson)"

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            "Each report counts with its unbiased value over its respondent's inclusion chance"
            " (Horvitz and Thompson 1952); the variance is that of sampling (Deville 1993) plus"
            " that of the coins (Chaudhuri 2011), and the interval a normal one."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the estimate."""
        interval = self.interval(confidence)
        return (Line("estimate", self.value, self.standard_error, interval),)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the normal-approximation interval."""
        return normal_interval(self.value, self.standard_error, confidence)


def horvitz_thompson(
    reports: ArrayLike,
    design: AnyDesign | Sequence[AnyDesign],
    inclusion: ArrayLike,
    *,
    counts: ArrayLike | None = None,
    population: float | None = None,
) -> FiniteEstimate:
    """Return how many people of a finite population would say yes, or their share.

    Parameters
    ----------
    reports
        The report of each row.
    design
        A design with two answers, or a sequence of one a row.
    inclusion
        The chance that each row's respondent was asked, in (0, 1].
    counts
        How many respondents each row stands for; 1 if not given.
    population
        N. With it the estimate is the share; without, the total.

    Returns
    -------
    FiniteEstimate
        The number of people, or their share; raw, with a normal interval.

    Raises
    ------
    EstimationError
        As `finite_total`; or if the reports do not fit the design.

    References
    ----------
    Horvitz and Thompson 1952, JASA 47:663-685; its variance with fixed sample size: Deville 1993,
    *Estimation de la variance pour les enquetes en deux phases*; coins in it: Chaudhuri 2011,
    *Randomized Response and Indirect Questioning Techniques in Surveys*, chapter 3.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import warner
    >>> asked = horvitz_thompson([0, 1], warner(0.7), [0.155860349127] * 2, counts=[65, 60])
    >>> round(asked.value, 1), round(asked.standard_error, 2)
    (360.9, 88.79)
    """
    rows = sample(reports, design, counts=counts)
    noise = rows.agreed(rows.counts > 0, rows.n)
    if noise is None:
        told, least = (rows.counts @ by for by in (rows.noise, rows.least))
        noise = rows.noise if told > least else rows.least
    return finite_total(
        rows.values,
        np.maximum(rows.noise, noise),
        inclusion,
        counts=rows.counts,
        population=population,
    )


def finite_total(
    values: ArrayLike,
    noise: ArrayLike,
    inclusion: ArrayLike,
    *,
    counts: ArrayLike | None = None,
    population: float | None = None,
) -> FiniteEstimate:
    """Return the total of any randomized quantity, or its mean.

    Parameters
    ----------
    values
        An unbiased value of each row's true quantity.
    noise
        An unbiased estimate of the variance that randomizing gave it.
    inclusion, counts, population
        As in `horvitz_thompson`.

    Returns
    -------
    FiniteEstimate
        The total in the unit of the values, or with a population their mean; a normal interval.

    Raises
    ------
    EstimationError
        If columns differ in length, hold other than finite numbers, an inclusion chance is outside
        (0, 1], the population is below the sample, or one respondent alone was asked.
    """
    value = column_of(values, None, "values")
    coin, chance = (
        column_of(noise, len(value), "noise"),
        column_of(inclusion, len(value), "inclusion"),
    )
    count = respondents_of(counts, len(value))
    if not ((chance > 0) & (chance <= 1)).all():
        raise EstimationError("inclusion chances must be in (0, 1]")
    by = 1.0 if population is None else _size(population, int(count.sum()))
    # Values differ among respondents by their coins, too: reports that agree do so by chance.
    tossed = float(count @ (coin * (1 - chance) / chance**2))
    return FiniteEstimate(
        float(count @ (value / chance)) / by,
        never_nothing(_deville(value, chance, count), tossed, few=False) / by**2,
        float(count @ (coin / chance)) / by**2,
        int(count.sum()),
    )


def _size(population: float, asked: int) -> float:
    """Return a population's size, which holds all who were asked."""
    size = float(column_of([population], 1, "population")[0])
    if size < asked:
        raise EstimationError(f"population ({population}) is smaller than the sample ({asked})")
    return size


def _deville(value: Floats, chance: Floats, count: Floats) -> float:
    """Return Deville's approximate variance of a total, by inclusion chances of first order."""
    left = 1 - chance
    whole = float(count @ left)
    if whole <= 0:
        return 0.0
    weight = left / whole
    expanded = value / chance
    centre = float(count @ (weight * expanded))
    spread = 1 - float(count @ weight**2)
    if spread <= 0:
        raise EstimationError("one respondent has no spread; two or more are needed")
    return float(count @ (left * (expanded - centre) ** 2)) / spread
