"""Fitted regressions as results: their coefficients as lines."""

from collections.abc import Sequence

from tossup.server.estimation.intervals.distributions import normal_two_sided
from tossup.server.estimation.intervals.interval import Interval, normal_quantile
from tossup.server.estimation.regression.ascent import Floats
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result


class Fit(Result):
    """A fitted regression: printing it gives its coefficients."""

    __slots__ = ()

    def __str__(self) -> str:
        return self.summary().partition("\n\n")[0]


def coefficient_lines(
    names: Sequence[str],
    coefficients: Floats,
    errors: Floats,
    confidence: float,
    method: str = "wald",
) -> tuple[Line, ...]:
    """Return coefficients with normal intervals and Wald's p-values."""
    z = normal_quantile(confidence)
    found = []
    for name, value, error in zip(names, coefficients.tolist(), errors.tolist(), strict=True):
        interval = Interval(value - z * error, value + z * error, confidence, method)
        found.append(Line(name, value, error, interval, None, normal_two_sided(value / error)))
    return tuple(found)
