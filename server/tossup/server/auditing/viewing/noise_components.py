"""How a component of the vector mechanism's report is distributed: sums over the other ones.

The weight of noise depends on its norm alone, so a component of c steps weighs as much as all
points of the other components together do at the squared distance c**2 from the middle. With few
points all squared norms are gone through, and counted by dimension. With many, the weight of the
points of k components is a function of the distance in all others; it is tabulated and summed
over one component after another. It falls nearly exponentially, and its logarithm is
interpolated; what that costs is measured against full sums, in the tests.
"""

from dataclasses import dataclass
from math import log, sqrt
from typing import Final

import numpy as np

from tossup.server.auditing.events import Chances
from tossup.server.auditing.events import Rows as Steps
from tossup.server.auditing.viewing.marginals import Marginals
from tossup.shared.mechanisms import VectorLaplace

#: Noise beyond so many decays is left out: it has a probability below 1e-15.
_DECAYS: Final = 60
_MORE: Final = 4  # for each dimension
#: Squared norms in a full count, additions in it, and terms of sums over one component.
_LARGEST_COUNT: Final = 1 << 25
_MAX_SUMMED: Final = 1 << 30
_MAX_TERMS: Final = 1 << 29
_KNOTS: Final = 4096
_TERMS: Final = 2048
_EXACT: Final = 1e-12
_INTERPOLATED: Final = 2e-3
_NOTHING: Final = -1e4  # a logarithm


def of_noise(mechanism: VectorLaplace) -> Marginals:
    """Return the probabilities of digits, right to 1e-12 in proportion, or to 2e-3 if many."""
    noise = _Noise(mechanism)
    sizes = noise.of_component()
    total = sizes[0] + 2 * sizes[1:].sum()
    other = np.concatenate([sizes[:0:-1], sizes]) / total
    own = np.roll(other, mechanism.radius)
    return Marginals(own, other, noise.both_up(sizes / total), noise.error)


@dataclass(frozen=True)
class _Noise:
    mechanism: VectorLaplace

    @property
    def decay(self) -> float:
        """By how much the logarithm of a weight falls in a step."""
        return (log(self.mechanism.keep) - log(self.mechanism.lie)) / self.mechanism.distance

    @property
    def farthest(self) -> int:
        """A norm beyond which all noise is left out, or the largest there is."""
        design = self.mechanism
        steps = int((_DECAYS + _MORE * design.dimension) / self.decay) + 1
        return min(steps, int(sqrt(design.dimension) * design.window) + 1)

    @property
    def reach(self) -> int:
        """The largest component that is not left out."""
        return min(self.mechanism.window, self.farthest)

    @property
    def is_counted(self) -> bool:
        """Whether all squared norms are few enough to go through."""
        others, limit = self.mechanism.dimension - 1, self.farthest**2
        if others < 2:
            return self.reach**2 <= _MAX_TERMS
        return limit <= _LARGEST_COUNT and others * limit * self.reach <= _MAX_SUMMED

    @property
    def error(self) -> float:
        """How far a probability may be off, in proportion."""
        return _EXACT if self.is_counted else _INTERPOLATED

    def weights(self, norms: Chances) -> Chances:
        """Return the weights of noise by its norm, rounded up, over that of no noise."""
        blocks, places = np.divmod(norms.astype(np.int64), self.mechanism.distance)
        sizes = np.array(self.mechanism.sizes, dtype=np.float64) / self.mechanism.sizes[0]
        found: Chances = sizes[places] * np.exp(-blocks * self.decay * self.mechanism.distance)
        return found

    def of_component(self) -> Chances:
        """Return the weight of a component of 0, 1, ..., window steps."""
        found = np.zeros(self.mechanism.window + 1)
        steps = np.arange(self.reach + 1)
        others = self.mechanism.dimension - 1
        found[: self.reach + 1] = (
            self._counted(others, steps) if self.is_counted else self._interpolated(others, steps)
        )
        return found

    def both_up(self, sizes: Chances) -> float:
        """Return how likely two components are above 0; ``sizes`` are those of one of them."""
        if self.mechanism.dimension < 2:
            return 0.25
        others, nothing = self.mechanism.dimension - 2, np.zeros(1, dtype=np.int64)
        weigh = self._counted if self.is_counted else self._interpolated
        # Both at 0, of the same total as one at 0.
        one = weigh(others + 1, nothing)[0]
        both = weigh(others, nothing)[0] / one * sizes[0]
        return float((1 - 2 * sizes[0] + both) / 4)

    def _counted(self, components: int, steps: Steps) -> Chances:
        """Return the weights of all points of so many components, at each of these distances."""
        squares = np.arange(self.reach + 1) ** 2
        if components == 0:
            return self._at(steps**2)
        if components == 1:
            twice = np.where(squares > 0, 2.0, 1.0)
            return np.array([twice @ self._at(step * step + squares) for step in steps.tolist()])
        points, weights = self._points(components), self._at(np.arange(self.farthest**2 + 1))
        ends = [min(step * step, len(weights)) for step in steps.tolist()]
        return np.array([points[: len(weights) - end] @ weights[end:] for end in ends])

    def _points(self, components: int) -> Chances:
        """Return how many points there are of each squared norm that is not left out."""
        limit = self.farthest**2
        points = np.zeros(limit + 1)
        points[0] = 1
        for _ in range(components):
            wider = points.copy()
            for square in (np.arange(1, self.reach + 1) ** 2).tolist():
                if square <= limit:
                    wider[square:] += 2 * points[: limit + 1 - square]
            points = wider
        return points

    def _at(self, squared: Steps) -> Chances:
        """Return the weights of squared norms, which are integers."""
        norms = np.ceil(np.sqrt(squared))
        norms += norms**2 < squared
        norms -= (norms - 1) ** 2 >= squared
        return self.weights(np.maximum(norms, 0))

    def _interpolated(self, components: int, steps: Steps) -> Chances:
        """Return the same, by a table over distances in which logarithms are interpolated."""
        knots = np.linspace(0, self.farthest, _KNOTS)
        stride = max(1, -(-self.reach // _TERMS))
        values = -self.decay * knots
        for _ in range(components):
            values = self._summed(knots, values, stride)
        return np.exp(np.interp(steps, knots, values))

    def _summed(self, knots: Chances, values: Chances, stride: int) -> Chances:
        """Return the logarithms of sums over one component more."""
        found = np.empty_like(values)
        parts = np.arange(0, self.reach + 1, stride, dtype=np.float64)
        twice = np.where(parts > 0, 2.0, 1.0)
        for place, knot in enumerate(knots.tolist()):
            terms = np.interp(np.sqrt(knot * knot + parts**2), knots, values, right=_NOTHING)
            largest = terms[0]
            found[place] = largest + np.log(twice @ np.exp(terms - largest))
        return found
