"""The randomized answer as outcome: g(Pr[yes]) = x'b, seen through each row's channel."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tossup.server.estimation.checks import labels_of
from tossup.server.estimation.comparing.significance import Significance
from tossup.server.estimation.intervals.coins import floored
from tossup.server.estimation.intervals.distributions import chi_squared_tail
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.regression.ascent import Floats, Maximum, Slope, ascend, inverted
from tossup.server.estimation.regression.errors import RegressionError, SeparationError
from tossup.server.estimation.regression.links import LINKS, Link, check_link
from tossup.server.estimation.regression.rows import (
    Columns,
    Covariates,
    Designs,
    chances,
    columns,
    counted,
    labels,
    predictors,
    present,
    size_of,
)
from tossup.server.estimation.regression.told import Fit, Predictions, coefficient_lines
from tossup.server.estimation.telling.line import Line

#: A cluster with a leverage this near to 1 decides some coefficient by itself.
_ALONE: Final = 1e-9

Errors = Literal["observed", "expected", "robust", "cluster", "opg"]


@dataclass(frozen=True, eq=False)
class Data:
    """What a regression was fitted to: rows of reports, covariates and channels."""

    columns: Columns
    reports: NDArray[np.intp]
    without: Floats
    with_it: Floats
    counts: Floats
    clusters: NDArray[np.intp] | None


@dataclass(frozen=True, eq=False)
class Regression(Fit):
    """A fitted regression with a randomized answer as outcome; made by `regress`.

    Attributes
    ----------
    names, coefficients
        The intercept first; on the scale of the answer, not of the report.
    link
        Of the chance of a yes.
    log_likelihood
        Of the reports, without the binomial constant of grouped rows.
    n
        How many respondents.
    data
        What it was fitted to.
    """

    names: list[str]
    coefficients: Floats
    link: Link
    log_likelihood: float
    n: int
    data: Data

    def covariance(self, errors: Errors = "observed") -> Floats:
        """Return the estimated covariance of the coefficients.

        Parameters
        ----------
        errors
            ``"observed"``: inverse of the observed information (Efron and Hinkley 1978,
            Biometrika 65:457-483); ``"expected"``: of the expected one, as GLMMRR; ``"opg"``: of
            the outer product of scores, as rr; ``"robust"``: the sandwich of White 1982,
            Econometrica 50:1-25; ``"cluster"``: the same over clusters of rows, times
            clusters / (clusters - 1). Both are never below what the coins alone cause.

        Raises
        ------
        RegressionError
            If clusters leave no degrees of freedom: there are no more than coefficients, or one
            cluster alone decides one. Errors would then be 0, whatever the answers (Cameron and
            Miller 2015, Journal of Human Resources 50:317-372; MacKinnon, Nielsen and Webb 2023,
            Journal of Econometrics 232:272-299).
        """
        kinds = {"observed", "expected", "robust", "cluster", "opg"}
        if errors not in kinds:
            raise RegressionError(f"errors ({errors!r}) must be one of {', '.join(sorted(kinds))}")
        if errors == "opg":
            return inverted(self._meat())
        weights = _weights(self.link, self.data, self.coefficients)
        information = weights.expected if errors == "expected" else weights.observed
        bread = inverted(_gram(self.data, information))
        if errors in {"observed", "expected"}:
            return bread
        meat = self._meat() if errors == "robust" else self._clustered_meat()
        sandwich = np.asarray(bread @ meat @ bread, dtype=np.float64)
        coins = (bread @ _gram(self.data, weights.coins) @ bread).diagonal()
        return floored(sandwich, np.sqrt(np.maximum(sandwich.diagonal(), coins)))

    def standard_errors(self, errors: Errors = "observed") -> Floats:
        """Return the standard error of each coefficient; see `covariance`."""
        return np.asarray(np.sqrt(self.covariance(errors).diagonal()), dtype=np.float64)

    def intervals(
        self, confidence: float = 0.95, errors: Errors = "observed"
    ) -> tuple[Interval, ...]:
        """Return the interval of each coefficient; see `lines`."""
        lines = self.lines(confidence, errors)
        return tuple(line.interval for line in lines if line.interval)

    def _degrees(self, errors: Errors) -> float:
        """Return the degrees of freedom of errors: of clusters, one less than there are."""
        clusters = self.data.clusters
        return int(clusters.max()) if errors == "cluster" and clusters is not None else inf

    def predict_answer(self, covariates: Covariates, errors: Errors = "observed") -> Predictions:
        """Return the chance of a *true* yes for rows of covariates, as the model has it.

        Parameters
        ----------
        covariates
            Columns by name, all those of the model.
        errors
            Of the coefficients; see `covariance`.
        """
        rows, values = predictors(covariates, self.names)
        x = np.column_stack([np.ones(rows), *values])
        spreads = np.sqrt(((x @ self.covariance(errors)) * x).sum(axis=1))
        eta: Floats = x @ self.coefficients
        return Predictions(
            [f"row {row}" for row in range(rows)],
            self.link.parts(eta)[0],
            eta,
            spreads,
            self.link,
            self.n,
            f"wald-{errors}",
            self._degrees(errors),
        )

    @property
    def title(self) -> str:
        """What was fitted."""
        kind = "Linear" if self.link.name == "linear" else self.link.name.capitalize()
        return f"{kind} regression of a randomized yes/no answer"

    @property
    def procedure(self) -> str:
        """How it was fitted, as sentences of a methods section."""
        return (
            f"A {self.link.name} regression of the true answer was fitted by maximum likelihood to"
            " randomized reports, with Pr[report yes] = q + (p - q) Pr[yes] and q, p the rates of"
            " each row's design (Maddala 1983)."
        )

    def lines(self, confidence: float = 0.95, errors: Errors = "observed") -> tuple[Line, ...]:
        """Return the coefficients, with normal intervals and p-values.

        With cluster errors both are by Student's t of as many degrees of freedom as there are
        clusters, less one (Cameron and Miller 2015).
        """
        spread = self.standard_errors(errors)
        kind, df = f"wald-{errors}", self._degrees(errors)
        return coefficient_lines(
            self.names, self.coefficients, spread, confidence, method=kind, df=df
        )

    def summary(self, confidence: float = 0.95, errors: Errors = "observed") -> str:
        """Return a table, what else one must know, an APA line and a methods paragraph."""
        return self._summary(self.lines(confidence, errors))

    def _scores(self) -> Floats:
        weights = _weights(self.link, self.data, self.coefficients)
        return self.data.columns.matrix * weights.score[:, None]

    def _meat(self) -> Floats:
        scores = self._scores()
        meat: Floats = (scores * self.data.counts[:, None]).T @ scores
        return meat

    def _clustered_meat(self) -> Floats:
        clusters = self.data.clusters
        if clusters is None:
            raise RegressionError("cluster errors need the clusters given to regress")
        groups = int(clusters.max()) + 1
        self._check_clusters(clusters, groups)
        scores = self._scores() * self.data.counts[:, None]
        sums = np.stack([np.bincount(clusters, column, groups) for column in scores.T], axis=1)
        return np.asarray(sums.T @ sums * (groups / (groups - 1)), dtype=np.float64)

    def _check_clusters(self, clusters: NDArray[np.intp], groups: int) -> None:
        """Refuse clusters that leave a coefficient without degrees of freedom."""
        if groups < 2:
            raise RegressionError(
                "one cluster leaves no degrees of freedom; cluster errors need two or more"
            )
        if groups <= len(self.names):
            raise RegressionError(
                f"{groups} clusters leave no degrees of freedom for the errors of"
                f" {len(self.names)} coefficients; they need more clusters than coefficients"
            )
        # Of orthonormal columns a cluster holds all of a direction where its leverage is 1.
        rows = np.asarray(np.linalg.qr(self.data.columns.matrix)[0])[np.argsort(clusters)]
        for part in np.split(rows, np.cumsum(np.bincount(clusters))[:-1]):
            if np.linalg.eigvalsh(part.T @ part)[-1] > 1 - _ALONE:
                raise RegressionError(
                    "without one of the clusters not all coefficients could be told, which leaves"
                    " no degrees of freedom for their errors; merge clusters, or leave out the"
                    " covariate that differs in that cluster alone"
                )


@dataclass(frozen=True, slots=True)
class _Weights:
    """Derivatives of each row's log-likelihood by its linear predictor.

    ``coins`` is the variance of the first one over the coins alone, its answer being fixed.
    """

    likelihood: float
    score: Floats
    expected: Floats
    observed: Floats
    coins: Floats


def regress(
    reports: ArrayLike,
    covariates: Covariates,
    designs: Designs,
    *,
    link: str = "logit",
    counts: ArrayLike | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> Regression:
    """Return the regression of a yes/no answer on covariates, from randomized reports.

    Maximum likelihood, with Pr[report yes] = q + (p - q) g(x'b) and q, p the rates of the row's
    design: Maddala 1983, *Limited-Dependent and Qualitative Variables*, section 2.8.

    Parameters
    ----------
    reports
        0 or 1, one a row.
    covariates
        Columns by name; an intercept is added.
    designs
        A yes/no design for all rows, or a sequence of one a row; `direct` for direct questions.
    link
        ``"logit"``, ``"probit"``, ``"cloglog"``, ``"cauchit"`` or ``"linear"``.
    counts
        How many respondents each row stands for; a row of 0 is left out.
    clusters
        A label a row, for cluster errors.

    Returns
    -------
    Regression
        What was fitted: coefficients, covariance, log-likelihood.

    Raises
    ------
    NotIdentifiedError
        If a covariate is a combination of others.
    SeparationError
        If a coefficient has no finite estimate.
    RegressionError
        If the rows are unfit otherwise.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> fit = regress([0, 1, 0, 1], {"old": [0, 0, 1, 1]}, two_coins(), counts=[65, 35, 50, 50])
    >>> print(fit)
    Logit regression of a randomized yes/no answer, n = 200
                  value  std. error     95 % interval       p
    (Intercept)  -1.386       0.596  -2.555 to -0.218  0.0201
    old           1.386       0.718   -0.021 to 2.793  0.0535
    """
    check_link(link)
    if size_of(designs) != (2, 2):
        raise RegressionError("regress takes yes/no designs; for more answers, regress_choice")
    counts, covariates, designs, reports, clusters = present(
        counts, covariates, designs, reports, clusters
    )
    data = _data(reports, covariates, designs, counts, clusters)
    found = _fitted(data, LINKS[link])
    return Regression(
        data.columns.names,
        found.coefficients,
        LINKS[link],
        found.slope.likelihood,
        int(data.counts.sum()),
        data,
    )


def likelihood_ratio(smaller: Regression, larger: Regression) -> Significance:
    """Test whether a model needs the covariates that a smaller one lacks.

    Twice the gap of log-likelihoods is chi-squared: Wilks 1938, Annals of Mathematical Statistics
    9:60-62. It holds near the edges, where coefficients over standard errors do not.

    Parameters
    ----------
    smaller, larger
        Fits by `regress` of the same rows and link, one model within the other.

    Returns
    -------
    Significance
        Chi-squared with as many degrees of freedom as covariates were added, and its p-value.

    Raises
    ------
    RegressionError
        If the models are not of the same reports, or not nested.
    """
    if not (isinstance(smaller, Regression) and isinstance(larger, Regression)):
        raise RegressionError("likelihood_ratio compares two regressions made by regress")
    added = len(larger.names) - len(smaller.names)
    same = np.array_equal(smaller.data.reports, larger.data.reports) and np.array_equal(
        smaller.data.counts, larger.data.counts
    )
    if not set(smaller.names) < set(larger.names) or not same or smaller.link != larger.link:
        raise RegressionError("the models must be of the same rows and link, one within the other")
    statistic = max(0.0, 2 * (larger.log_likelihood - smaller.log_likelihood))
    return Significance(statistic, added, chi_squared_tail(statistic, added), "likelihood-ratio")


def _data(
    reports: ArrayLike,
    covariates: Covariates,
    designs: Designs,
    counts: ArrayLike | None,
    clusters: Sequence[Hashable] | None,
) -> Data:
    kinds = labels(reports, 2)
    rows = len(kinds)
    rates = chances(designs, np.ones(rows, dtype=np.intp))
    groups = None
    if clusters is not None:
        groups = labels_of(clusters, rows, "clusters", RegressionError)[1]
    return Data(
        columns(covariates, rows), kinds, rates[:, 0], rates[:, 1], counted(counts, rows), groups
    )


def _fitted(data: Data, link: Link) -> Maximum:
    start = np.zeros(len(data.columns.names))
    start[0] = link.inverse(_plausible_share(data))

    def slope_at(coefficients: Floats) -> Slope:
        weights = _weights(link, data, coefficients)
        score: Floats = data.columns.matrix.T @ (data.counts * weights.score)
        return Slope(
            weights.likelihood,
            score,
            _gram(data, weights.observed),
            lambda: _gram(data, weights.expected),
        )

    try:
        return ascend(slope_at, start, data.columns.reach, data.columns.names)
    except SeparationError:
        share = _raw_share(data)
        if len(start) > 1 or 0 < share < 1:
            raise
        beyond = "0 or below" if share <= 0 else "1 or above"
        raise SeparationError(
            f"the share of yes is estimated as {share:.4f}: {beyond}, of which there is no"
            f" {link.name}. There is no covariate to leave out: reports are as extreme as the"
            " coins alone make them, or more. Take the share itself, with its interval, from"
            " estimate"
        ) from None


def _plausible_share(data: Data) -> float:
    """Return the share of yes that all reports together suggest, well inside (0, 1)."""
    return min(max(_raw_share(data), 0.05), 0.95)


def _raw_share(data: Data) -> float:
    """Return the share of yes by least squares, through the channel of each row."""
    gap = data.with_it - data.without
    return float((data.counts * gap) @ (data.reports - data.without)) / float(data.counts @ gap**2)


def _weights(link: Link, data: Data, coefficients: Floats) -> _Weights:
    mean, slope, bend = link.parts(data.columns.matrix @ coefficients)
    gap = data.with_it - data.without
    rate = data.without + gap * mean
    # Of the report that was given: its chance, and how a yes changes it.
    sign = 2 * data.reports - 1
    chance = np.where(data.reports == 1, rate, 1 - rate)
    if not ((rate >= 0) & (rate <= 1)).all() or not (chance > 0).all():
        nothing = np.full(len(rate), np.nan)
        return _Weights(-np.inf, nothing, nothing, nothing, nothing)
    by_eta = gap * slope
    score = sign * by_eta / chance
    spread = np.maximum(rate * (1 - rate), np.finfo(float).tiny)
    likelihood = float(data.counts @ np.log(chance))
    tossed = (1 - mean) * data.without * (1 - data.without) + mean * data.with_it * (
        1 - data.with_it
    )
    return _Weights(
        likelihood,
        score,
        by_eta**2 / spread,
        score**2 - sign * gap * bend / chance,
        # Without coins there is nothing to square, however small the spread is.
        np.divide(by_eta, spread, out=np.zeros_like(by_eta), where=tossed > 0) ** 2 * tossed,
    )


def _gram(data: Data, weights: Floats) -> Floats:
    matrix = data.columns.matrix
    gram: Floats = matrix.T @ (matrix * (data.counts * weights)[:, None])
    return gram
