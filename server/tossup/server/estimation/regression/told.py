"""Fitted regressions as results: their coefficients, and what they predict, as lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf

import numpy as np

from tossup.server.estimation.intervals.distributions import t_quantile, t_two_sided
from tossup.server.estimation.intervals.interval import Interval, normal_interval
from tossup.server.estimation.regression.ascent import Floats
from tossup.server.estimation.regression.errors import RegressionError
from tossup.server.estimation.regression.links import Link
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result, told


class Fit(Result):
    """A fitted regression: printing it gives its coefficients."""

    log_likelihood: float

    @property
    def facts(self) -> dict[str, str]:
        """The likelihood at its maximum."""
        return {"Log-likelihood": f"{self.log_likelihood:.3f}"}

    def __str__(self) -> str:
        return self.summary().partition("\n\n")[0]


@dataclass(frozen=True, eq=False)
class ObservedFit(Fit):
    """A fit whose errors are from the observed information (Efron and Hinkley 1978).

    Attributes
    ----------
    names, coefficients
        Of the model.
    covariance
        Of the coefficients, then of what else was fitted: inverse of the observed information.
    log_likelihood
        At its maximum, in nats.
    """

    names: list[str]
    coefficients: Floats
    covariance: Floats
    log_likelihood: float

    @property
    def errors(self) -> Floats:
        """Standard errors of all that was fitted, in the order of `covariance`."""
        return np.asarray(np.sqrt(self.covariance.diagonal()), dtype=np.float64)

    def standard_errors(self) -> Floats:
        """Return the standard errors of `coefficients`, from the observed information."""
        return self.errors[: self.coefficients.size].reshape(self.coefficients.shape)

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the coefficients, with normal intervals and Wald's p-values."""
        return coefficient_lines(self.names, self.coefficients, self.standard_errors(), confidence)


def coefficient_lines(
    names: Sequence[str],
    coefficients: Floats,
    errors: Floats,
    confidence: float,
    *,
    method: str = "wald",
    df: float = inf,
) -> tuple[Line, ...]:
    """Return coefficients with Wald's intervals and p-values, by Student's t with df degrees."""
    found, quantile = [], t_quantile(confidence, df)
    for name, value, error in zip(names, coefficients.tolist(), errors.tolist(), strict=True):
        ends = value - quantile * error, value + quantile * error
        interval = Interval(*ends, confidence, method)
        found.append(Line(name, value, error, interval, None, t_two_sided(value / error, df)))
    return tuple(found)


def deviation_in_words(deviation: float, error: float, n: int) -> str:
    """Return a standard deviation with the 95 % interval that is normal for its logarithm.

    Parameters
    ----------
    deviation
        Above 0.
    error
        The standard error of its logarithm.
    n
        How many respondents it rests on.
    """
    low, high = (deviation * exp(min(end, 700.0)) for end in normal_interval(0.0, error, 0.95).ends)
    return told("", deviation, deviation * error, Interval(low, high, 0.95, "wald-log"), n)


@dataclass(frozen=True, eq=False)
class Predictions(Result):
    """The chance of an answer at rows of covariates, as a fitted model has it.

    Made by `predict_answer` of a regression. The interval is of the chance, not of a respondent.

    Attributes
    ----------
    names
        Of the rows, and of the answers where there are several.
    values
        The chance of each *true* answer: one a row, or a row of one an answer.
    predictors, spreads
        On the scale of the link, where they are nearly normal, and their standard errors.
    link
        What makes them chances.
    n
        How many respondents the model was fitted to.
    kind
        The method of the interval.
    df
        Degrees of freedom of Student's t.
    """

    names: list[str]
    values: Floats
    predictors: Floats
    spreads: Floats
    link: Link
    n: int
    kind: str = "wald"
    df: float = inf

    def standard_errors(self) -> Floats:
        """Return the standard error of each chance, by the delta method."""
        slope = self.link.parts(self.predictors.ravel())[1].reshape(self.values.shape)
        return np.asarray(np.abs(slope) * self.spreads, dtype=np.float64)

    @property
    def title(self) -> str:
        """What was predicted."""
        return "Chance of a true answer, as the model has it"

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            "The chance of a true answer is that of the fitted model; its interval is Wald's on the"
            f" scale of the {self.link.name}, mapped to chances."
        )

    def intervals(self, confidence: float = 0.95) -> tuple[Interval, ...]:
        """Return the interval of each chance, in the order of `names`.

        Raises
        ------
        RegressionError
            If a row lies so far beyond the fitted ones that its chance is told from 0 or 1 no more.
        """
        half = t_quantile(confidence, self.df) * self.spreads
        low, high = (
            self.link.parts(end.ravel())[0].tolist()
            for end in (self.predictors - half, self.predictors + half)
        )
        for name, least, most in zip(self.names, low, high, strict=True):
            if least >= most:
                raise RegressionError(
                    f"{name} lies so far beyond the rows that were fitted that its chance cannot be"
                    f" told from {round(most)}; predict for rows like those"
                )
        kind = f"{self.kind}-{self.link.name}"
        return tuple(Interval(*ends, confidence, kind) for ends in zip(low, high, strict=True))

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the chances."""
        numbers = (self.values.ravel().tolist(), self.standard_errors().ravel().tolist())
        rows = zip(self.names, *numbers, self.intervals(confidence), strict=True)
        return tuple(Line(*row, is_share=True) for row in rows)
