"""A regression that lets some people deny: how many admit is fitted beside the coefficients.

It needs rows of two designs or more, such as the two halves of a stochastic lie detector, or a
randomized half beside a direct question that is believed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tossup.server.estimation.regression.ascent import Floats, Slope, ascend, in_turn, inverted
from tossup.server.estimation.regression.errors import RegressionError
from tossup.server.estimation.regression.links import LINKS, Link, check_link
from tossup.server.estimation.regression.rows import (
    Covariates,
    Designs,
    chances,
    columns,
    counted,
    labels,
    present,
    size_of,
)
from tossup.server.estimation.regression.told import ObservedFit, coefficient_lines
from tossup.server.estimation.telling.line import Line


@dataclass(frozen=True, eq=False)
class DenialRegression(ObservedFit):
    """A fitted regression with denial; made by `regress_with_denial`.

    Attributes
    ----------
    names, coefficients
        Of the answer, the intercept first.
    honest
        The share of those with a yes who admit it, where some may deny.
    covariance
        Of the coefficients, then ``honest``: inverse of the observed information.
    log_likelihood
        Of the reports.
    n
        How many respondents.
    """

    honest: float
    n: int

    @property
    def title(self) -> str:
        """What was fitted."""
        return "Regression of a randomized answer that some deny"

    @property
    def procedure(self) -> str:
        """How it was fitted, as sentences of a methods section."""
        return (
            "Coefficients and the share of those with a yes who admit it were fitted together by"
            " maximum likelihood (Moshagen, Musch and Erdfelder 2012; Heck and Moshagen 2018);"
            " standard errors are from the observed information."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the coefficients, then the share of the honest."""
        values = np.append(self.coefficients, self.honest)
        names = [*self.names, "honest"]
        return coefficient_lines(names, values, self.standard_errors(), confidence)

    def standard_errors(self) -> Floats:
        """Return those of the coefficients, then of ``honest``."""
        return self.errors


@dataclass(frozen=True, eq=False)
class _Rows:
    matrix: Floats
    reports: NDArray[np.intp]
    rates: Floats
    may_deny: NDArray[np.bool_]
    counts: Floats


def regress_with_denial(
    reports: ArrayLike,
    covariates: Covariates,
    designs: Designs,
    may_deny: ArrayLike,
    *,
    link: str = "logit",
    counts: ArrayLike | None = None,
) -> DenialRegression:
    """Return the regression of a yes/no answer that a share of people deny.

    Who denies reports no, whatever the coins. With Mangat's design in both halves that is the
    stochastic lie detector: Moshagen, Musch and Erdfelder 2012, Behavior Research Methods
    44:222-231; as regression: Heck and Moshagen 2018, Journal of Statistical Software 85(2).

    Parameters
    ----------
    reports, covariates, designs, counts
        As in `regress`.
    may_deny
        True or False for each row: whether its respondents may deny. Others are believed.
    link
        As in `regress`.

    Returns
    -------
    DenialRegression
        What was fitted: coefficients, covariance, log-likelihood.

    Raises
    ------
    RegressionError
        If the rows are unfit, or cannot tell denial from a smaller share.
    """
    check_link(link)
    if size_of(designs) != (2, 2):
        raise RegressionError("denial is of yes/no designs")
    counts, covariates, designs, reports, may_deny = present(
        counts, covariates, designs, reports, may_deny
    )
    kinds = labels(reports, 2)
    found = columns(covariates, len(kinds))
    marked = np.asarray(may_deny)
    if marked.shape != kinds.shape or marked.dtype != np.bool_ or not marked.any():
        raise RegressionError("may_deny must be True or False for each row, True for some")
    rates = chances(designs, np.ones(len(kinds), dtype=np.intp))
    _check_two_designs(rates, marked)
    rows = _Rows(found.matrix, kinds, rates, marked, counted(counts, len(kinds)))
    start = np.zeros(len(found.names) + 1)
    start[0], start[-1] = LINKS[link].inverse(0.5), 0.75
    maximum = ascend(
        lambda parameters: _slope(LINKS[link], rows, parameters),
        start,
        in_turn(found.reach, 1.0),
        [*found.names, "honest"],
    )
    covariance = inverted(maximum.slope.observed)
    *coefficients, honest = maximum.coefficients
    return DenialRegression(
        found.names,
        np.array(coefficients),
        covariance,
        maximum.slope.likelihood,
        float(honest),
        int(rows.counts.sum()),
    )


def _check_two_designs(rates: Floats, may_deny: NDArray[np.bool_]) -> None:
    kinds = np.unique(np.column_stack([rates, may_deny]), axis=0)
    if len(kinds) < 2:
        raise RegressionError(
            "one design cannot tell denial from a smaller share; add rows of another, or of a"
            " direct question that is believed"
        )


def _slope(link: Link, rows: _Rows, parameters: Floats) -> Slope:
    without, with_it = rows.rates.T
    admits = np.where(rows.may_deny, parameters[-1], 1.0)
    mean, slope, bend = link.parts(rows.matrix @ parameters[:-1])
    rate = without + (admits * with_it - without) * mean
    sign = 2 * rows.reports - 1
    chance = np.where(rows.reports == 1, rate, 1 - rate)
    if not ((rate >= 0) & (rate <= 1)).all() or not (chance > 0).all():
        return Slope.impossible(len(parameters))
    of_honest = rows.may_deny * with_it
    gradient = np.column_stack(
        [rows.matrix * ((admits * with_it - without) * slope)[:, None], of_honest * mean]
    )
    bent = rows.counts * sign / chance
    curve = np.zeros((len(parameters),) * 2)
    curve[:-1, :-1] = rows.matrix.T @ (
        rows.matrix * (bent * (admits * with_it - without) * bend)[:, None]
    )
    curve[-1, :-1] = curve[:-1, -1] = rows.matrix.T @ (bent * of_honest * slope)
    outer = gradient.T @ (gradient * (rows.counts / chance**2)[:, None])
    spread = np.maximum(rate * (1 - rate), np.finfo(float).tiny)
    return Slope(
        float(rows.counts @ np.log(chance)),
        np.asarray(gradient.T @ bent, dtype=np.float64),
        outer - curve,
        lambda: np.asarray(
            gradient.T @ (gradient * (rows.counts / spread)[:, None]), dtype=np.float64
        ),
    )
