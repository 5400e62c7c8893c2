"""The randomized answer as predictor of a yes or no, told or randomized too: a mixture.

Putting the report, or its debiased value, in the place of the answer biases every coefficient
toward 0. Here the hidden answer has its own regression, and the likelihood sums over it.

The R package rr (1.4.2) fits the same model; its default standard errors are wrong (1.102 for
0.153 in one of its own examples), because a score has the wrong sign.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tossup.server.estimation.designs.design import direct
from tossup.server.estimation.intervals.distributions import normal_two_sided
from tossup.server.estimation.regression.ascent import Floats, Slope, ascend, in_turn, inverted
from tossup.server.estimation.regression.errors import RegressionError
from tossup.server.estimation.regression.links import LINKS
from tossup.server.estimation.regression.outcome import Regression, regress
from tossup.server.estimation.regression.rows import (
    Columns,
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


@dataclass(frozen=True, eq=False)
class PredictorRegression(ObservedFit):
    """A fitted logit of an open outcome on covariates and a hidden answer; by `regress_on`.

    Attributes
    ----------
    names, coefficients, standard_errors
        Of the outcome's model; the last is the hidden answer.
    answer_names, answer_coefficients, answer_standard_errors
        Of the logit of the hidden answer itself.
    covariance
        Of all coefficients, the outcome's first: inverse of the observed information.
    log_likelihood
        Of outcomes and reports.
    n
        How many respondents.
    """

    answer_names: list[str]
    answer_coefficients: Floats
    n: int

    def answer_standard_errors(self) -> Floats:
        """Return standard errors of `answer_coefficients`, from the observed information."""
        return self.errors[len(self.names) :]

    @property
    def title(self) -> str:
        """What was fitted."""
        return "Logit regression of an answer on a randomized one"

    @property
    def facts(self) -> dict[str, str]:
        """The hidden answer's own model, and the likelihood at its maximum."""
        own = coefficient_lines(
            self.answer_names, self.answer_coefficients, self.answer_standard_errors(), 0.95
        )
        return {
            "Model of the hidden answer": "; ".join(line.apa() for line in own),
            **super().facts,
        }

    @property
    def procedure(self) -> str:
        """How it was fitted, as sentences of a methods section."""
        return (
            "Outcome and report were fitted together by maximum likelihood, the hidden answer"
            " summed out under a logit of its own (Blair, Imai and Zhou 2015); standard errors are"
            " from the observed information."
        )

    @property
    def p_value(self) -> float:
        """Two-sided, of "the hidden answer makes no difference" (Wald)."""
        return normal_two_sided(float(self.coefficients[-1] / self.standard_errors()[-1]))


@dataclass(frozen=True, eq=False)
class _Mixture:
    """Rows of Pr[outcome's report | outcome], covariates, and Pr[report | hidden answer]."""

    outcome: Floats
    columns: Columns
    chances: Floats
    counts: Floats


def regress_on(
    outcome: ArrayLike,
    covariates: Covariates,
    reports: ArrayLike,
    designs: Designs,
    *,
    counts: ArrayLike | None = None,
    name: str = "answer",
    outcome_designs: Designs | None = None,
) -> PredictorRegression:
    """Return the logit of a yes/no outcome on covariates and a randomized answer.

    Maximum likelihood of outcome and report together, the hidden answer summed out, with a logit
    of that answer on the same covariates: Blair, Imai and Zhou 2015, JASA 110:1304-1319, section
    3.2.

    Parameters
    ----------
    outcome
        0 or 1, one a row: known as it is, or its report if it was randomized as well.
    covariates
        Columns by name; an intercept is added to both models.
    reports
        The randomized report of each row.
    designs
        A design with two answers for all rows, or a sequence of one a row.
    counts
        How many respondents each row stands for; a row of 0 is left out.
    name
        What to call the hidden answer.
    outcome_designs
        How the outcome was randomized, with coins of its own; None where it was told.

    Returns
    -------
    PredictorRegression
        What was fitted: coefficients, covariance, log-likelihood.

    Raises
    ------
    RegressionError
        If the rows are unfit; see `regress` for its kinds.
    """
    answers, kinds = size_of(designs)
    if answers != 2:
        raise RegressionError(f"the randomized predictor must have two answers, not {answers}")
    asked: Designs = direct() if outcome_designs is None else outcome_designs
    _, _, asked = present(counts, {}, asked)
    counts, covariates, designs, reports, outcome = present(
        counts, covariates, designs, reports, outcome
    )
    given = labels(reports, kinds)
    rows = len(given)
    told = labels(outcome, 2, "outcome")
    if len(told) != rows:
        raise RegressionError(f"outcome must have one value a row: {rows}, not {len(told)}")
    if size_of(asked) != (2, 2):
        raise RegressionError("the outcome must be a yes/no answer under a yes/no design")
    mixture = _Mixture(
        chances(asked, told),
        columns(covariates, rows, name),
        chances(designs, given),
        counted(counts, rows),
    )
    names = [*mixture.columns.names, name]
    found = ascend(
        lambda coefficients: _slope(mixture, coefficients),
        _start(mixture, regress(told, covariates, asked, counts=counts)),
        in_turn(mixture.columns.reach, 1.0, mixture.columns.reach),
        [*names, *(f"{column} (of {name})" for column in mixture.columns.names)],
    )
    split = len(names)
    return PredictorRegression(
        names,
        found.coefficients[:split],
        inverted(found.slope.observed),
        found.slope.likelihood,
        mixture.columns.names,
        found.coefficients[split:],
        int(mixture.counts.sum()),
    )


def _start(mixture: _Mixture, plain: Regression) -> Floats:
    """Return the outcome's regression without the answer, and no effect on the answer."""
    return np.concatenate([plain.coefficients, np.zeros(1 + len(mixture.columns.names))])


def _slope(mixture: _Mixture, coefficients: Floats) -> Slope:
    z = mixture.columns.matrix
    width = z.shape[1]
    outcome, effect, hidden = np.split(coefficients, [width, width + 1])
    base = z @ outcome
    answer, answer_slope, _ = LINKS["logit"].parts(z @ hidden)
    # Columns: the hidden answer is no, and yes.
    by_answer = [_outcome(mixture.outcome, base + x * effect) for x in (0, 1)]
    told, missed, observed, expected = (
        np.stack(parts, axis=1) for parts in zip(*by_answer, strict=True)
    )
    parts = np.stack([1 - answer, answer], axis=1) * mixture.chances * told
    whole = parts.sum(axis=1)
    if not (whole > 0).all():
        return Slope.impossible(len(coefficients))
    posterior = parts / whole[:, None]
    counts = mixture.counts
    score = _blocks(z, counts, (posterior * missed).sum(axis=1), posterior[:, 1] * missed[:, 1],
                    posterior[:, 1] - answer)  # fmt: skip
    complete = _complete(z, counts, posterior * observed, answer_slope)
    gap = np.column_stack([z * (missed[:, 1] - missed[:, 0])[:, None], missed[:, 1], z])
    lost = gap.T @ (gap * (counts * posterior[:, 0] * posterior[:, 1])[:, None])
    return Slope(
        float(counts @ np.log(whole)),
        score,
        complete - lost,
        lambda: _complete(z, counts, posterior * expected, answer_slope),
    )


def _outcome(chances_of: Floats, eta: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the chance of each row's outcome as reported, its score, and its information.

    Observed, and expected; the same where the outcome was told.
    """
    mean, slope, bend = LINKS["logit"].parts(eta)
    without, gap = chances_of[:, 0], chances_of[:, 1] - chances_of[:, 0]
    chance = without + gap * mean
    tiny = np.finfo(float).tiny
    score = gap * slope / np.maximum(chance, tiny)
    observed = score**2 - gap * bend / np.maximum(chance, tiny)
    expected = (gap * slope) ** 2 / np.maximum(chance * (1 - chance), tiny)
    return chance, score, observed, expected


def _blocks(z: Floats, counts: Floats, outcome: Floats, effect: Floats, hidden: Floats) -> Floats:
    """Return the score: of the outcome's coefficients, the answer's effect, the answer's own."""
    return np.concatenate([z.T @ (counts * outcome), [counts @ effect], z.T @ (counts * hidden)])


def _complete(z: Floats, counts: Floats, slopes: Floats, answer_slope: Floats) -> Floats:
    """Return the information that the hidden answers would give (Louis 1982)."""
    width = z.shape[1]
    both, yes = counts * slopes.sum(axis=1), counts * slopes[:, 1]
    information = np.zeros((2 * width + 1,) * 2)
    information[:width, :width] = z.T @ (z * both[:, None])
    information[:width, width] = information[width, :width] = z.T @ yes
    information[width, width] = yes.sum()
    own = counts * answer_slope
    information[width + 1 :, width + 1 :] = z.T @ (z * own[:, None])
    return information
