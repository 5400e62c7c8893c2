"""Links: how a linear predictor becomes the chance of a yes, with two derivatives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import erfc, pi, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.regression.errors import RegressionError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Link:
    """A link, named as generalized linear models name it.

    Attributes
    ----------
    name
        ``logit``, ``probit``, ``cloglog``, ``cauchit`` or ``linear``.
    inverse
        The linear predictor of a chance, for the start of a fit.
    parts
        The chance, its first and its second derivative by the linear predictor.
    """

    name: str
    inverse: Callable[[float], float]
    parts: Callable[[Floats], tuple[Floats, Floats, Floats]]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle it by its name: functions without one cannot be."""
        return _named, (self.name,)


def _logit(eta: Floats) -> tuple[Floats, Floats, Floats]:
    small = np.exp(-np.abs(eta))
    mean = np.where(eta >= 0, 1.0, small) / (1 + small)
    slope = small / (1 + small) ** 2
    return mean, slope, slope * (1 - 2 * mean)


def _probit(eta: Floats) -> tuple[Floats, Floats, Floats]:
    # numpy has no error function; equal predictors, such as of grouped rows, share one call.
    values, places = np.unique(eta, return_inverse=True)
    tails = np.array([erfc(-value / sqrt(2)) / 2 for value in values.tolist()])
    density = np.exp(-(eta**2) / 2) / sqrt(2 * pi)
    return tails[places], density, -eta * density


def _cloglog(eta: Floats) -> tuple[Floats, Floats, Floats]:
    hazard = np.exp(np.minimum(eta, 700.0))
    slope = hazard * np.exp(-hazard)
    return -np.expm1(-hazard), slope, slope * (1 - hazard)


def _cauchit(eta: Floats) -> tuple[Floats, Floats, Floats]:
    slope = 1 / (pi * (1 + eta**2))
    return np.arctan(eta) / pi + 0.5, slope, -2 * pi * eta * slope**2


def _linear(eta: Floats) -> tuple[Floats, Floats, Floats]:
    return eta, np.ones_like(eta), np.zeros_like(eta)


LINKS: Final[Mapping[str, Link]] = {
    link.name: link
    for link in (
        Link("logit", lambda mean: float(np.log(mean / (1 - mean))), _logit),
        Link("probit", NormalDist().inv_cdf, _probit),
        Link("cloglog", lambda mean: float(np.log(-np.log1p(-mean))), _cloglog),
        Link("cauchit", lambda mean: float(np.tan(pi * (mean - 0.5))), _cauchit),
        Link("linear", lambda mean: mean, _linear),
    )
}


def _named(name: str) -> Link:
    return LINKS[name]


def check_link(link: str) -> None:
    """Refuse a link that is none of ours.

    Raises
    ------
    RegressionError
        If it is none.
    """
    if not isinstance(link, str) or link not in LINKS:
        raise RegressionError(f"link ({link!r}) must be one of {', '.join(LINKS)}")
