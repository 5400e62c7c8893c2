"""A regression whose intercept differs from group to group: schools, interviewers, villages.

The groups' own intercepts are normal around the common one, and are integrated out by adaptive
Gauss-Hermite quadrature: nodes stand where each group's likelihood is, so that few are needed.
The R packages take lme4's default, Laplace's approximation, which is off where groups are small.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tossup.server.estimation.checks import labels_of
from tossup.server.estimation.regression.ascent import Floats, Slope, ascend, in_turn, inverted
from tossup.server.estimation.regression.errors import RegressionError, SeparationError
from tossup.server.estimation.regression.links import Link
from tossup.server.estimation.regression.outcome import Regression, regress
from tossup.server.estimation.regression.rows import Covariates, Designs, present
from tossup.server.estimation.regression.told import ObservedFit, deviation_in_words

_MODE_STEPS: Final = 100
#: Larger deviations of intercepts are those of a likelihood that rises for ever.
_MOST_LOG_DEVIATION: Final = 5.0
_TINY: Final = float(np.finfo(float).tiny)


@dataclass(frozen=True, eq=False)
class GroupedRegression(ObservedFit):
    """A fitted regression with an intercept a group; made by `regress_grouped`.

    Attributes
    ----------
    names, coefficients
        The common intercept first.
    deviation
        The standard deviation of the groups' intercepts.
    covariance
        Of the coefficients, then log deviation: inverse of the observed information.
    log_likelihood
        Of the reports.
    groups
        How many groups.
    n
        How many respondents.
    """

    deviation: float
    groups: int
    n: int

    @property
    def title(self) -> str:
        """What was fitted."""
        return f"Regression of a randomized answer with random intercepts of {self.groups} groups"

    @property
    def facts(self) -> dict[str, str]:
        """The spread of the groups, and the likelihood at its maximum."""
        told = deviation_in_words(self.deviation, self.errors[-1], self.n)
        return {"Deviation of the intercepts": told, **super().facts}

    @property
    def procedure(self) -> str:
        """How it was fitted, as sentences of a methods section."""
        return (
            "The regression was fitted by maximum likelihood with a normal intercept a group,"
            " integrated out by adaptive Gauss-Hermite quadrature (Pinheiro and Bates 1995);"
            " standard errors are from the observed information."
        )


@dataclass(frozen=True, eq=False)
class _Rows:
    matrix: Floats
    without: Floats
    gap: Floats
    reports: NDArray[np.intp]
    counts: Floats
    groups: NDArray[np.intp]
    size: int
    link: Link
    nodes: Floats
    weights: Floats

    def summed(self, values: Floats) -> Floats:
        """Return the sum over each group's rows, of a column or of several."""
        sums = np.zeros((self.size, *values.shape[1:]))
        np.add.at(sums, self.groups, values)
        return sums


def regress_grouped(
    reports: ArrayLike,
    covariates: Covariates,
    designs: Designs,
    groups: Sequence[Hashable],
    *,
    link: str = "logit",
    counts: ArrayLike | None = None,
    nodes: int = 15,
) -> GroupedRegression:
    """Return the regression of a randomized yes/no answer with a random intercept a group.

    Maximum likelihood; the integral by adaptive quadrature: Pinheiro and Bates 1995, Journal of
    Computational and Graphical Statistics 4:12-35. For randomized response: Fox, Veen and Klotzke
    2019, Methodology 15:79-88.

    Parameters
    ----------
    reports, covariates, designs, link, counts
        As in `regress`.
    groups
        A label a row.
    nodes
        Of the quadrature, at least 5.

    Returns
    -------
    GroupedRegression
        What was fitted: coefficients, covariance, log-likelihood.

    Raises
    ------
    RegressionError
        If the rows are unfit, or the groups differ no more than chance makes them.
    """
    if type(nodes) is not int or nodes < 5:
        raise RegressionError(f"nodes ({nodes}) must be an integer of at least 5")
    counts, covariates, designs, reports, groups = present(
        counts, covariates, designs, reports, groups
    )
    start = regress(reports, covariates, designs, link=link, counts=counts)
    rows = _rows(start, groups, nodes)
    names = start.names
    try:
        found = ascend(
            lambda parameters: _slope(rows, parameters),
            np.append(start.coefficients, np.log(0.3)),
            in_turn(start.data.columns.reach, 1.0),
            [*names, "log deviation"],
        )
    except SeparationError as error:
        if "log deviation" not in str(error):
            raise
        raise RegressionError(
            "the groups differ no more than chance makes them, so their intercepts have no spread;"
            " use regress, with cluster errors"
        ) from None
    if found.coefficients[-1] > _MOST_LOG_DEVIATION:
        raise RegressionError(
            "the groups' intercepts differ without bounds: reports of some groups are as extreme as"
            " the design allows. Merge groups, or use regress with cluster errors"
        )
    return GroupedRegression(
        names,
        found.coefficients[:-1],
        inverted(found.slope.observed),
        found.slope.likelihood,
        float(np.exp(found.coefficients[-1])),
        rows.size,
        start.n,
    )


def _rows(start: Regression, groups: Sequence[Hashable], nodes: int) -> _Rows:
    data = start.data
    numbers, codes = labels_of(groups, len(data.reports), "groups", RegressionError)
    if len(numbers) < 2:
        raise RegressionError("random intercepts need two groups or more")
    points, weights = np.polynomial.hermite.hermgauss(nodes)
    return _Rows(
        data.columns.matrix,
        data.without,
        data.with_it - data.without,
        data.reports,
        data.counts,
        codes,
        len(numbers),
        start.link,
        np.asarray(points, dtype=np.float64),
        np.asarray(weights, dtype=np.float64),
    )


def _derivatives(rows: _Rows, eta: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return each row's log-likelihood, its score, and its information: observed, expected."""
    mean, slope, bend = rows.link.parts(eta)
    rate = rows.without + rows.gap * mean
    sign = 2 * rows.reports - 1
    chance = np.maximum(np.where(rows.reports == 1, rate, 1 - rate), _TINY)
    score = sign * rows.gap * slope / chance
    observed = score**2 - sign * rows.gap * bend / chance
    expected = (rows.gap * slope) ** 2 / np.maximum(rate * (1 - rate), _TINY)
    return np.log(chance), score, observed, expected


def _modes(rows: _Rows, fixed: Floats, deviation: float) -> tuple[Floats, Floats]:
    """Return where each group's likelihood is highest, in deviations, and its width there."""
    place = np.zeros(rows.size)
    for _ in range(_MODE_STEPS):
        _, score, _, expected = _derivatives(rows, fixed + deviation * place[rows.groups])
        information = 1 + deviation**2 * rows.summed(rows.counts * expected)
        step = (deviation * rows.summed(rows.counts * score) - place) / information
        place = place + step
        if np.abs(step).max() < 1e-10:
            break
    return place, 1 / np.sqrt(information)


def _slope(rows: _Rows, parameters: Floats) -> Slope:
    deviation = float(np.exp(min(parameters[-1], 20.0)))
    fixed = rows.matrix @ parameters[:-1]
    place, width = _modes(rows, fixed, deviation)
    parts = []
    for node, weight in zip(rows.nodes, rows.weights, strict=True):
        at = place + np.sqrt(2) * width * node
        logs, score, observed, expected = _derivatives(rows, fixed + deviation * at[rows.groups])
        log_density = rows.summed(rows.counts * logs) - at**2 / 2 + node**2 + np.log(weight * width)
        parts.append((at, log_density, score, observed, expected))
    return _gathered(rows, deviation, parts)


def _gathered(
    rows: _Rows,
    deviation: float,
    parts: list[tuple[Floats, Floats, Floats, Floats, Floats]],
) -> Slope:
    """Return the slope from the nodes: complete information less what integrating loses."""
    logs = np.array([part[1] for part in parts])
    highest = logs.max(axis=0)
    whole = np.exp(logs - highest).sum(axis=0)
    posterior = np.exp(logs - highest) / whole
    likelihood = float((highest + np.log(whole / np.sqrt(np.pi))).sum())
    scores, complete, safe = [], 0.0, 0.0
    for (at, _, score, observed, expected), mass in zip(parts, posterior, strict=True):
        gradient = np.column_stack([rows.matrix, deviation * at[rows.groups]])
        scores.append(rows.summed(gradient * (rows.counts * score)[:, None]))
        weight = rows.counts * mass[rows.groups]
        complete = complete + gradient.T @ (gradient * (weight * observed)[:, None])
        # The predictor is curved in log deviation alone.
        complete[-1, -1] -= float((weight * score) @ gradient[:, -1])
        safe = safe + gradient.T @ (gradient * (weight * expected)[:, None])
    means = sum(s * mass[:, None] for s, mass in zip(scores, posterior, strict=True))
    lost = sum((s * mass[:, None]).T @ s for s, mass in zip(scores, posterior, strict=True))
    observed_all = complete - lost + means.T @ means
    return Slope(likelihood, means.sum(axis=0), observed_all, lambda: np.asarray(safe))
