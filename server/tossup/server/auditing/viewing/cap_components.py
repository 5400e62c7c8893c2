"""How a component of PrivUnit's report is distributed: integrals over directions.

A direction of the sphere in D dimensions has the component x along an axis with a density in
proportion to (1 - x**2)**((D - 3) / 2); given x, its component along another one is sqrt(1 - x**2)
times that of a direction in D - 1 dimensions. The answer lies at an angle to the first axis, in
the plane of both. So the probability to be in its cap, given x, is one incomplete beta function,
and a digit's probability one integral over x: of the density, weighted by keep and lie, and by
how likely x is rounded to this digit. With x = sin(t) the integrand is smooth between kinks that
are known: where rounding changes from digit to digit, and where a cap begins or ends. Between
them it is integrated by Gauss's formula.
"""

from functools import lru_cache
from math import sqrt
from typing import Final

import numpy as np

from tossup.server.auditing.events import Chances
from tossup.server.auditing.viewing.marginals import Marginals
from tossup.server.estimation.intervals.binomial import incomplete_beta
from tossup.shared.mechanisms import PrivUnit
from tossup.shared.mechanisms.vectors.privunit import CAP_UNIT

#: Tested against twice as many nodes, and against quadrature in two dimensions.
_NODES: Final = 12
_ERROR: Final = 1e-9


def of_cap(mechanism: PrivUnit) -> Marginals:
    """Return the probabilities of PrivUnit's digits, right to 1e-9 in proportion."""
    near = mechanism.radius / mechanism.lifted_radius
    own, other = (tuple(_digits(mechanism, slope)) for slope in (near, 0.0))
    # Mirrors turn the signs of components that are 0 in the answer, each by itself.
    return Marginals(np.array(own), np.array(other), both_up=0.25, error=_ERROR)


@lru_cache(maxsize=32)
def _rule(nodes: int) -> tuple[Chances, Chances]:
    points, weights = np.polynomial.legendre.leggauss(nodes)
    return points, weights


def _digits(mechanism: PrivUnit, slope: float) -> Chances:
    """Return the probability of each digit of a component at this cosine to the answer."""
    levels, height = mechanism.levels, mechanism.cap / CAP_UNIT
    steps = np.linspace(-1, 1, levels)  # where rounding changes
    kinks = [x for x in _where_caps_begin(height, slope) if -1 < x < 1]
    ends = np.unique(np.arcsin(np.clip(np.concatenate([steps, kinks]), -1, 1)))
    points, weights = _rule(_NODES)
    middle, half = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
    angles = (middle[:, np.newaxis] + half[:, np.newaxis] * points).ravel()
    masses = (half[:, np.newaxis] * weights).ravel() * np.cos(angles) ** (mechanism.dimensions - 2)
    sine = np.sin(angles)
    held = np.array([_in_cap(mechanism.dimensions, height, slope, float(x)) for x in sine])
    masses *= mechanism.lie + (mechanism.keep - mechanism.lie) * held
    masses /= masses.sum()
    place = (sine + 1) / 2 * (levels - 1)
    below = np.minimum(place.astype(np.int64), levels - 2)
    above = masses * (place - below)
    found = np.zeros(levels)
    np.add.at(found, below, masses - above)
    np.add.at(found, below + 1, above)
    return found


def _where_caps_begin(height: float, slope: float) -> tuple[float, float]:
    """Return between which components a direction may be in the cap or not."""
    spread = sqrt((1 - height**2) * (1 - slope**2))
    return height * slope - spread, height * slope + spread


def _in_cap(dimensions: int, height: float, slope: float, x: float) -> float:
    """Return how likely a direction with this component is in the cap."""
    span = sqrt(max(0.0, (1 - x * x) * (1 - slope * slope)))
    missing = height - slope * x
    if abs(missing) >= span:
        return float(missing <= 0)
    least = missing / span
    if dimensions == 2:  # on a circle there are two such directions
        return 0.5
    tail = incomplete_beta((dimensions - 2) / 2, 0.5, 1 - least * least) / 2
    return tail if least >= 0 else 1 - tail
