"""Fitted regressions as results: their coefficients as lines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tossup.server.estimation.intervals.distributions import normal_two_sided
from tossup.server.estimation.intervals.interval import normal_interval
from tossup.server.estimation.regression.ascent import Floats
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result


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
    method: str = "wald",
) -> tuple[Line, ...]:
    """Return coefficients with normal intervals and Wald's p-values."""
    found = []
    for name, value, error in zip(names, coefficients.tolist(), errors.tolist(), strict=True):
        interval = normal_interval(value, error, confidence, method)
        found.append(Line(name, value, error, interval, None, normal_two_sided(value / error)))
    return tuple(found)
