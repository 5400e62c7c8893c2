"""The randomized answer as predictor of an open number: a mixture of two normal regressions."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from tossup.server.estimation.checks import column_of
from tossup.server.estimation.regression.ascent import Floats, Slope, ascend, in_turn, inverted
from tossup.server.estimation.regression.errors import RegressionError
from tossup.server.estimation.regression.links import LINKS
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
from tossup.server.estimation.regression.told import ObservedFit, deviation_in_words

#: Of numbers whose spread is 1: less is what rounding leaves of nothing.
_ROUNDING: Final = 1e-9
#: Squares of smaller spreads leave the floats.
_LEAST: Final = 1e-100


@dataclass(frozen=True, eq=False)
class LinearPredictorRegression(ObservedFit):
    """A fitted linear regression on covariates and a hidden answer; by `regress_number_on`.

    Attributes
    ----------
    names, coefficients
        Of the number's model; the last is the hidden answer.
    sigma
        The standard deviation of the number around its model.
    answer_coefficients
        Of the logit of the hidden answer on the covariates.
    covariance
        Of coefficients, log sigma and answer coefficients: inverse of the observed information.
    log_likelihood
        Of numbers and reports.
    n
        How many respondents.
    """

    sigma: float
    answer_coefficients: Floats
    n: int

    @property
    def title(self) -> str:
        """What was fitted."""
        return "Linear regression of an open number on a randomized answer"

    @property
    def facts(self) -> dict[str, str]:
        """The spread around the model, and the likelihood at its maximum."""
        error = self.errors[len(self.names)]
        return {"Sigma": deviation_in_words(self.sigma, error, self.n), **super().facts}

    @property
    def procedure(self) -> str:
        """How it was fitted, as sentences of a methods section."""
        return (
            "Number and report were fitted together by maximum likelihood with normal errors, the"
            " hidden answer summed out under a logit of its own (Heck and Moshagen 2018); standard"
            " errors are from the observed information."
        )


@dataclass(frozen=True, eq=False)
class _Rows:
    number: Floats
    matrix: Floats
    chances: Floats
    counts: Floats


def regress_number_on(
    numbers: ArrayLike,
    covariates: Covariates,
    reports: ArrayLike,
    designs: Designs,
    *,
    counts: ArrayLike | None = None,
    name: str = "answer",
) -> LinearPredictorRegression:
    """Return the linear regression of an open number on covariates and a randomized answer.

    Maximum likelihood with normal errors, the hidden answer summed out, as RRlin of RRreg has it:
    Heck and Moshagen 2018, Journal of Statistical Software 85(2).

    Parameters
    ----------
    numbers
        What each row told openly.
    covariates, reports, designs, counts, name
        As in `regress_on`.

    Returns
    -------
    LinearPredictorRegression
        What was fitted: coefficients, covariance, log-likelihood.

    Raises
    ------
    RegressionError
        If the rows are unfit; see `regress` for its kinds.
    """
    answers, kinds = size_of(designs)
    if answers != 2:
        raise RegressionError(f"the randomized predictor must have two answers, not {answers}")
    counts, covariates, designs, reports, numbers = present(
        counts, covariates, designs, reports, numbers
    )
    given = labels(reports, kinds)
    told = column_of(numbers, len(given), "numbers", RegressionError)
    if np.ptp(told) == 0:
        raise RegressionError("numbers must differ")
    if told.std() < _LEAST:
        raise RegressionError("numbers hardly differ from each other; scale them")
    found = columns(covariates, len(given), name)
    centre, unit = float(told.mean()), float(told.std())
    rows = _Rows(
        (told - centre) / unit, found.matrix, chances(designs, given), counted(counts, len(given))
    )
    width = len(found.names)
    maximum = ascend(
        lambda parameters: _slope(rows, parameters),
        _start(rows),
        in_turn(found.reach, 1.0, 1.0, found.reach),
        [*found.names, name, "log sigma", *(f"{column} (of {name})" for column in found.names)],
    )
    coefficients = maximum.coefficients[: width + 1] * unit
    coefficients[0] += centre
    rescale = np.concatenate([np.full(width + 1, unit), np.ones(width + 1)])
    covariance = inverted(maximum.slope.observed) * np.outer(rescale, rescale)
    respondents = int(rows.counts.sum())
    return LinearPredictorRegression(
        [*found.names, name],
        coefficients,
        np.asarray(covariance, dtype=np.float64),
        maximum.slope.likelihood - respondents * float(np.log(unit)),
        float(np.exp(maximum.coefficients[width + 1])) * unit,
        maximum.coefficients[width + 2 :],
        respondents,
    )


def _start(rows: _Rows) -> Floats:
    """Return the regression without the answer, a step of it, and no effect on the answer."""
    root = np.sqrt(rows.counts)
    plain, *_ = np.linalg.lstsq(rows.matrix * root[:, None], rows.number * root, rcond=None)
    left = rows.number - rows.matrix @ plain
    deviation = float(np.sqrt(rows.counts @ left**2 / rows.counts.sum()))
    _check_left(left[rows.counts > 0], deviation)
    # Which report goes with the larger number says which way the answer leads.
    toward = float((rows.counts * left) @ (rows.chances[:, 1] - rows.chances[:, 0]))
    effect = 0.5 * deviation * (1 if toward >= 0 else -1)
    return np.concatenate([plain, [effect, np.log(max(deviation, 1e-6))], np.zeros(len(plain))])


def _check_left(left: Floats, deviation: float) -> None:
    """Refuse numbers that leave no spread around the two means which an answer could give them."""
    if deviation < _ROUNDING:
        raise RegressionError(
            "the covariates alone explain every number exactly, so nothing is left that an answer"
            " could move; leave out the covariate that the numbers were made of"
        )
    if len(np.unique((left / deviation).round(6))) == 2:
        raise RegressionError(
            "apart from the covariates, numbers take two values only, so they have no spread"
            " around a mean; take regress_on, of 0 and 1"
        )


def _slope(rows: _Rows, parameters: Floats) -> Slope:
    z, counts = rows.matrix, rows.counts
    width = z.shape[1]
    outcome, (effect, log_sigma), hidden = np.split(parameters, [width, width + 2])
    sigma = np.exp(log_sigma)
    answer, answer_slope, _ = LINKS["logit"].parts(z @ hidden)
    missed = (rows.number - z @ outcome)[:, None] - np.array([0.0, effect])
    scaled = missed / sigma
    logs = -(scaled**2) / 2 - log_sigma - np.log(2 * np.pi) / 2
    parts = np.stack([1 - answer, answer], axis=1) * rows.chances * np.exp(logs)
    whole = parts.sum(axis=1)
    if not (np.isfinite(whole) & (whole > 0)).all():
        return Slope.impossible(len(parameters))
    posterior = parts / whole[:, None]
    scores = [_scores(z, x, scaled[:, x], float(sigma), answer) for x in (0, 1)]
    mean = scores[0] * posterior[:, :1] + scores[1] * posterior[:, 1:]
    gap = scores[1] - scores[0]
    lost = gap.T @ (gap * (counts * posterior[:, 0] * posterior[:, 1])[:, None])
    safe, complete = _complete(rows, posterior, scaled, float(sigma), answer_slope)
    return Slope(float(counts @ np.log(whole)), mean.T @ counts, complete - lost, lambda: safe)


def _scores(z: Floats, hidden: int, scaled: Floats, sigma: float, answer: Floats) -> Floats:
    """Return each row's score, were its hidden answer known."""
    row = scaled / sigma
    own = z * (hidden - answer)[:, None]
    return np.column_stack([z * row[:, None], row * hidden, scaled**2 - 1, own])


def _complete(
    rows: _Rows, posterior: Floats, scaled: Floats, sigma: float, answer_slope: Floats
) -> tuple[Floats, Floats]:
    """Return what the hidden answers would tell: as expected, and as observed (Louis 1982)."""
    z, counts = rows.matrix, rows.counts
    width = z.shape[1]
    safe = np.zeros((2 * width + 2,) * 2)
    observed = safe.copy()
    for x in (0, 1):
        weights = counts * posterior[:, x]
        both = np.column_stack([z, np.full(len(z), float(x))])
        safe[: width + 1, : width + 1] += both.T @ (both * weights[:, None]) / sigma**2
        cross = 2 * both.T @ (weights * scaled[:, x]) / sigma
        observed[: width + 1, width + 1] += cross
        observed[width + 1, : width + 1] += cross
        observed[width + 1, width + 1] += 2 * weights @ scaled[:, x] ** 2
    own = z.T @ (z * (counts * answer_slope)[:, None])
    safe[width + 2 :, width + 2 :] = own
    observed[: width + 1, : width + 1] = safe[: width + 1, : width + 1]
    observed[width + 2 :, width + 2 :] = own
    safe[width + 1, width + 1] = 2 * counts.sum()
    return safe, observed
