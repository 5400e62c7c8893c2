"""A randomized choice among several answers as outcome: a multinomial logit behind the channel."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tossup.server.estimation.regression.ascent import Floats, Slope, ascend, in_turn, inverted
from tossup.server.estimation.regression.links import LINKS
from tossup.server.estimation.regression.rows import (
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
from tossup.server.estimation.regression.told import ObservedFit, Predictions, coefficient_lines
from tossup.server.estimation.telling.line import Line


@dataclass(frozen=True, eq=False)
class MultinomialRegression(ObservedFit):
    """A fitted multinomial logit of a randomized choice; made by `regress_choice`.

    Attributes
    ----------
    names
        Of the covariates, the intercept first.
    coefficients
        A row for each answer but 0: log odds against answer 0.
    covariance
        Of the coefficients, flattened row by row: inverse of the observed information.
    log_likelihood
        Of the reports.
    n
        How many respondents.
    """

    n: int

    @property
    def title(self) -> str:
        """What was fitted."""
        return "Multinomial logit of a randomized choice"

    @property
    def procedure(self) -> str:
        """How it was fitted, as sentences of a methods section."""
        return (
            "A multinomial logit of the true answer was fitted by maximum likelihood through the"
            " channel (van den Hout and van der Heijden 2002); standard errors are from the"
            " observed information."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the log odds of each answer against answer 0."""
        answers = range(1, len(self.coefficients) + 1)
        names = [f"{name} (answer {answer})" for answer in answers for name in self.names]
        errors = self.standard_errors().ravel()
        return coefficient_lines(names, self.coefficients.ravel(), errors, confidence)

    def predict_answer(self, covariates: Covariates) -> Predictions:
        """Return the chance of each *true* answer, a row a row of covariates.

        Each interval is normal for the logit of its chance, by the delta method.
        """
        rows, values = predictors(covariates, self.names)
        x = np.column_stack([np.ones(rows), *values])
        shares = _softmax(x @ self.coefficients.T)
        others = 1 - np.eye(shares.shape[1])
        odds = shares / (shares @ others)  # of the others' sum, since 1 - share loses digits
        return Predictions(
            [f"row {row}, answer {k}" for row in range(rows) for k in range(shares.shape[1])],
            shares,
            np.log(odds),
            np.array([self._spreads(*row) for row in zip(x, shares, shares @ others, strict=True)]),
            LINKS["logit"],
            self.n,
        )

    def _spreads(self, row: Floats, shares: Floats, rest: Floats) -> Floats:
        """Return the standard errors of the logits of all answers' shares at one row."""
        slopes = (np.eye(len(shares)) - shares)[:, 1:] / rest[:, None]
        moves = np.kron(slopes, row)
        return np.asarray(np.sqrt(((moves @ self.covariance) * moves).sum(axis=1)))


def regress_choice(
    reports: ArrayLike,
    covariates: Covariates,
    designs: Designs,
    *,
    counts: ArrayLike | None = None,
) -> MultinomialRegression:
    """Return the multinomial logit of a choice on covariates, from randomized reports.

    Maximum likelihood with Pr[report] = sum over answers of Pr[report | answer] softmax(x'B):
    van den Hout and van der Heijden 2002, International Statistical Review 70:269-288.

    Parameters
    ----------
    reports
        The report of each row, from 0.
    covariates
        Columns by name; an intercept is added.
    designs
        A design for all rows, or a sequence of one a row, with the same answers and reports.
    counts
        How many respondents each row stands for; a row of 0 is left out.

    Returns
    -------
    MultinomialRegression
        What was fitted: coefficients, covariance, log-likelihood.

    Raises
    ------
    RegressionError
        If the rows are unfit; see `regress` for its kinds.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import custom
    >>> coins = custom([["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]])
    >>> fit = regress_choice([0, 1, 2], {}, coins, counts=[400, 300, 300])
    >>> print(fit.predict_answer({}))
    row 0, answer 0: 0.5000 (0.4247 to 0.5753, 95 % wald-logit interval, n = 1000)
    row 0, answer 1: 0.2500 (0.1858 to 0.3274, 95 % wald-logit interval, n = 1000)
    row 0, answer 2: 0.2500 (0.1858 to 0.3274, 95 % wald-logit interval, n = 1000)
    """
    answers, kinds = size_of(designs)
    counts, covariates, designs, reports = present(counts, covariates, designs, reports)
    given = labels(reports, kinds)
    found = columns(covariates, len(given))
    chance, count = chances(designs, given), counted(counts, len(given))
    shape = (answers - 1, len(found.names))
    maximum = ascend(
        lambda flat: _slope(found.matrix, chance, count, flat.reshape(shape)),
        np.zeros(shape[0] * shape[1]),
        in_turn(*[found.reach] * shape[0]),
        [f"{name} (of answer {answer})" for answer in range(1, answers) for name in found.names],
    )
    covariance = inverted(maximum.slope.observed)
    return MultinomialRegression(
        found.names,
        maximum.coefficients.reshape(shape),
        covariance,
        maximum.slope.likelihood,
        int(count.sum()),
    )


def _slope(x: Floats, chance: Floats, count: Floats, coefficients: Floats) -> Slope:
    prior = _softmax(x @ coefficients.T)
    parts = prior * chance
    whole = parts.sum(axis=1)
    posterior = parts / whole[:, None]
    score = ((posterior - prior)[:, 1:] * count[:, None]).T @ x
    complete = _spread(x, count, prior)
    observed = complete - _spread(x, count, posterior)
    return Slope(float(count @ np.log(whole)), score.ravel(), observed, lambda: complete)


def _spread(x: Floats, count: Floats, shares: Floats) -> Floats:
    """Return the sum over rows of (diag(s) - s s') (x) x x', for all answers but 0."""
    rest = shares[:, 1:]
    answers, width = rest.shape[1], x.shape[1]
    blocks = np.empty((answers, width, answers, width))
    for i in range(answers):
        for j in range(answers):
            weights = count * (rest[:, i] * (i == j) - rest[:, i] * rest[:, j])
            blocks[i, :, j, :] = x.T @ (x * weights[:, None])
    return blocks.reshape(answers * width, answers * width)


def _softmax(logits: Floats) -> Floats:
    """Return the chances of all answers, of which 0 has log odds 0."""
    full = np.column_stack([np.zeros(len(logits)), logits])
    powers = np.exp(full - full.max(axis=1, keepdims=True))
    chances_of: Floats = powers / powers.sum(axis=1, keepdims=True)
    return chances_of
