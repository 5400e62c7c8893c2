"""Vectors: the mean of every component, and covariances where products are asked for.

Estimates are raw: unbiased, whatever the answers, and outside the declared norm when the coins
fell so. All are of the answers scaled to the norm: how many were scaled is unknown. Sums of digits
and of their products are integers, and are turned into variances as integers: no digit is lost
before the last division. That is why they have no readout, which takes how many reports of each
kind there are: a server keeps sums here, and no such counts.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.designs.named import check_readout
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import never_nothing
from tossup.server.estimation.intervals.interval import Interval, normal_quantile
from tossup.server.estimation.vectors.caps import mean_length, mean_square
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import VectorMechanism

Floats = NDArray[np.float64]

#: With fewer reports their own spread is no measure of it; the design's is used if it is larger.
FEWEST_FOR_SPREAD = 30


@dataclass(frozen=True, slots=True)
class EntryEstimate:
    """One number about the answers, in the question's own units.

    Attributes
    ----------
    names
        The component whose mean it is, or the two components whose covariance it is.
    value
        The estimate itself, raw.
    standard_error
        Its estimated standard deviation over respondents and coins.
    n
        Reports it rests on.
    interval
        Its interval on its own; method ``"normal"``.
    joint
        The interval that covers together with those of all entries of its kind (Bonferroni).
    """

    names: tuple[str, ...]
    value: float
    standard_error: float
    n: int
    interval: Interval
    joint: Interval


@dataclass(frozen=True, slots=True)
class CovarianceEstimate:
    """The covariance of the components, estimated entry by entry.

    Attributes
    ----------
    entries
        Raw estimates of the lower triangle, row by row; a variance may be negative by chance.
    projected
        A view and never an estimate: the nearest matrix that can be a covariance (symmetric,
        positive semidefinite; nearest by the sum of squared differences), row by row.
    """

    entries: tuple[EntryEstimate, ...]
    projected: tuple[tuple[float, ...], ...]

    @property
    def is_possible(self) -> bool:
        """Whether the raw matrix is a covariance itself, so that the view is the estimate."""
        raw = {entry.names: entry.value for entry in self.entries}
        size = len(self.projected)
        values = list(raw.values())
        shown = [self.projected[i][j] for i in range(size) for j in range(i + 1)]
        return all(
            abs(a - b) <= 1e-9 * max(map(abs, values)) for a, b in zip(values, shown, strict=True)
        )


@dataclass(frozen=True, slots=True)
class VectorEstimate:
    """What reports say about vectors.

    Attributes
    ----------
    means
        The mean of every component, in their order.
    covariance
        None unless products are asked for.
    """

    means: tuple[EntryEstimate, ...]
    covariance: CovarianceEstimate | None


def estimate_vector(
    counts: Counts,
    mechanism: VectorMechanism,
    vector: VectorAnswer,
    confidence: float = 0.95,
) -> VectorEstimate:
    """Return the means of the components, and their covariances where products are asked for.

    Parameters
    ----------
    counts
        The mechanism's counters.
    mechanism, vector
        The question's.
    confidence
        Of every interval on its own, and of those that hold together; in (0, 1).

    Returns
    -------
    VectorEstimate
        A mean a component, in the question's unit, and covariances in its square.

    Raises
    ------
    EstimationError
        If there is no report, or counts, mechanism and vectors do not fit each other.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from tossup.shared.mechanisms import VectorLaplace
    >>> vector = VectorAnswer(("x", "y"), Fraction(1), Fraction(1, 4))
    >>> counts = (4000, 3900, 190_000, 182_000, 156_000, 100)
    >>> x, y = estimate_vector(counts, VectorLaplace(2, 4, window=40), vector).means
    >>> x.value, y.value, round(x.standard_error, 3)
    (0.0, -0.25, 0.435)
    """
    check_readout(mechanism, "vector", "one for vectors")
    if not vector.fits(mechanism) or vector.answers != mechanism.answers:
        raise EstimationError(f"{mechanism.name} of this design is not for these vectors")
    moments = _Moments(mechanism, vector, check_counts(counts, mechanism.counters))
    size = len(vector.components)
    means = [
        moments.estimate((name,), moments.means[place], {place: 1.0}, (confidence, size))
        for place, name in enumerate(vector.components)
    ]
    covariance = _covariance(moments, vector, confidence) if vector.moments else None
    return VectorEstimate(tuple(means), covariance)


@dataclass(frozen=True)
class _Moments:
    """Means and covariances of what reports count for, entry by entry, in the answers' units."""

    mechanism: VectorMechanism
    vector: VectorAnswer
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        return self.counts[-1]

    @cached_property
    def _steps(self) -> Floats:
        """What one step of an entry is, in its own unit."""
        return np.array([float(unit) for unit in self.vector.units])

    @cached_property
    def units(self) -> Floats:
        """What one more in a digit counts for."""
        return self._steps * _steps_per_digit(self.mechanism)

    @cached_property
    def means(self) -> Floats:
        middle, n = self.mechanism.levels - 1, self.n
        sums = self.counts[: self.mechanism.dimension]
        return self.units * [float(Fraction(2 * total - middle * n, 2 * n)) for total in sums]

    @cached_property
    def raw_covariances(self) -> Floats:
        """The covariance matrix of single reports, unbiased; its diagonal alone beyond 32 entries.

        0 with one report.
        """
        d, n = self.mechanism.dimension, self.n
        sums, products = self.counts[:d], self.counts[d:-1]
        spread = np.zeros((d, d))
        for (i, j), product in zip(self.mechanism.products, products, strict=True):
            value = float(Fraction(n * product - sums[i] * sums[j], n * max(1, n - 1)))
            spread[i, j] = spread[j, i] = value * self.units[i] * self.units[j]
        return spread

    def _variance(self, places: list[int], weights: Floats) -> float:
        """Return the variance, for one report, of a weighted sum of entries.

        It is never 0, since the design alone makes reports vary: see `coins.never_nothing`.
        """
        seen = float(weights @ self.raw_covariances[np.ix_(places, places)] @ weights)
        design = component_variance(self.mechanism) * float(weights**2 @ self._steps[places] ** 2)
        return never_nothing(seen, design, few=self.n < FEWEST_FOR_SPREAD)

    def estimate(
        self, names: tuple[str, ...], value: float, slope: dict[int, float], sure: tuple[float, int]
    ) -> EntryEstimate:
        """Return an estimate that moves with the means of entries as the slope says."""
        places, weights = list(slope), np.array(list(slope.values()))
        error = sqrt(self._variance(places, weights) / self.n)
        confidence, among = sure
        value = float(value)
        single, joint = normal_quantile(confidence), _joint_quantile(confidence, among)
        return EntryEstimate(
            names,
            value,
            error,
            self.n,
            Interval(value - single * error, value + single * error, confidence, "normal"),
            Interval(value - joint * error, value + joint * error, confidence, "normal", among),
        )


def _covariance(moments: _Moments, vector: VectorAnswer, confidence: float) -> CovarianceEstimate:
    """Return mean products less products of means.

    A product of two estimated means is too large by their covariance, which is added back. The
    error is that of the first-order expansion.
    """
    means, size = moments.means, len(vector.components)
    entries, raw = [], np.zeros((size, size))
    for place, (i, j) in enumerate(vector.pairs, start=size):
        raw[i, j] = raw[j, i] = (
            means[place] - means[i] * means[j] + moments.raw_covariances[i, j] / moments.n
        )
        slope = {place: 1.0, i: -means[j]}
        slope[j] = slope.get(j, 0.0) - means[i]
        if i == j:
            slope = {place: 1.0, i: -2 * means[i]}
        names = (vector.components[i], vector.components[j])
        sure = confidence, len(vector.pairs)
        entries.append(moments.estimate(names, raw[i, j], slope, sure))
    return CovarianceEstimate(tuple(entries), nearest_covariance(raw))


def nearest_covariance(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    """Return the nearest positive semidefinite matrix: negative eigenvalues become 0.

    Nearest by the sum of squared differences: Higham 1988, *Linear Algebra and its Applications*
    103:103-118, theorem 2.1.

    Parameters
    ----------
    matrix
        Square, of finite numbers; its asymmetric part is left out.

    Returns
    -------
    tuple
        Rows of the matrix, of the same size.

    Examples
    --------
    >>> nearest_covariance(np.array([[1.0, 0.0], [0.0, -1.0]]))
    ((1.0, 0.0), (0.0, 0.0))
    """
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    nearest = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return tuple(tuple(row) for row in ((nearest + nearest.T) / 2).tolist())


def vector_p_value(estimate: VectorEstimate, vector: VectorAnswer) -> float:
    """Return how likely a component this far beyond the norm is if all devices follow the design.

    Normal approximation at the norm, one-sided, times twice the number of components.

    Parameters
    ----------
    estimate
        Of `estimate_vector`.
    vector
        The question's components and their norm.

    Returns
    -------
    float
        From 0 to 1; 1 where no mean is beyond the norm.
    """
    norm, smallest = float(vector.norm), 1.0
    for mean in estimate.means:
        outside = abs(mean.value) - norm
        if outside > 0:
            smallest = min(smallest, NormalDist().cdf(-outside / max(mean.standard_error, 1e-300)))
    return min(1.0, 2 * len(estimate.means) * smallest)


def _steps_per_digit(mechanism: Any) -> float:
    """Return how many steps of the answer one more in a digit of a report counts for."""
    if mechanism.noise != "direction":
        return 1.0
    return float(2 * mechanism.lifted_radius / (mechanism.levels - 1) / mean_length(mechanism))


def component_variance(mechanism: Any) -> float:
    """Return the variance of one component of a report, in squared steps, on average over them.

    For noise of each component its `noise_variance`. For spherical noise that of the continuous
    one, (dimension + 1) (D / ln odds)**2, which the lattice's is close to; for a direction that of
    its components on average, with that of the rounding of reports.
    """
    if mechanism.noise == "direction":
        unit = mechanism.lifted_radius / mean_length(mechanism)
        return float(unit**2 * (1 / mechanism.dimensions + 1 / 255**2))
    if mechanism.noise == "spherical":
        fall = (log(mechanism.keep) - log(mechanism.lie)) / mechanism.distance
        return float((mechanism.dimension + 1) / fall**2)
    return float(mechanism.noise_variance)


def widest_component_variance(mechanism: Any) -> float:
    """Return the largest variance that a report's component has among people, in squared steps.

    Half of them are at either end of it: their mean is 0, and a report's mean square counts.
    """
    radius = float(mechanism.radius)
    if mechanism.noise != "direction":
        return component_variance(mechanism) + radius**2
    along, towards = mean_square(mechanism), (radius / mechanism.lifted_radius) ** 2
    unit = mechanism.lifted_radius / mean_length(mechanism)
    across = (1 - along) / (mechanism.dimensions - 1)
    return float(unit**2 * (towards * along + (1 - towards) * across + 1 / 255**2))


def _joint_quantile(confidence: float, among: int) -> float:
    """Return z for one of so many intervals that hold together with this confidence."""
    return normal_quantile(1 - (1 - confidence) / among)
