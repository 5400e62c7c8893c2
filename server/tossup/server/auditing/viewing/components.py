"""View vectors, component by component: given are the largest ones along each axis, and the middle.

The component along the axis of the answer is looked at, and every other one, by whether it is
beyond some thresholds, up or down. Two opposite answers are what a component can tell best. How
much of the odds it shows depends on the mechanism: noise in all directions hides some of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from tossup.server.auditing.events import (
    Chances,
    Contrast,
    Counts,
    Flags,
    Pool,
    Rows,
    View,
    by_flags,
)
from tossup.server.auditing.viewing.cap_components import of_cap
from tossup.server.auditing.viewing.entry_components import of_decay, of_entries
from tossup.server.auditing.viewing.gaussian_components import of_gaussian
from tossup.server.auditing.viewing.marginals import Marginals
from tossup.server.auditing.viewing.noise_components import of_noise
from tossup.server.kernels.vectors import digits_of
from tossup.shared.mechanisms import VectorMechanism
from tossup.shared.mechanisms.digits import from_digits

#: How one component of a report is distributed, by its noise; of others they are independent.
MARGINALS: Final[Mapping[str, Callable[[Any], Marginals]]] = {
    "spherical": of_noise,
    "direction": of_cap,
    "gaussian": of_gaussian,
    "laplace": of_decay,
}

#: Thresholds lie where a component is beyond them with these probabilities.
_BEYOND: Final = (1 / 2, 1 / 4, 1 / 16, 1 / 64)
_THOROUGH: Final = 1 << 18


def view_components(mechanism: VectorMechanism) -> View:
    """Return the view of a mechanism for vectors.

    Raises
    ------
    MechanismError
        If it is not known how its components are distributed.
    """
    marginals = MARGINALS.get(mechanism.noise, of_entries)(mechanism)
    return _Components(mechanism, marginals).view()


@dataclass(frozen=True)
class _Components:
    mechanism: VectorMechanism
    marginals: Marginals

    @property
    def dimension(self) -> int:
        return self.mechanism.dimension

    @cached_property
    def answers(self) -> tuple[int, ...]:
        """The largest along each axis, then the most negative ones, and the vector of zeros."""
        radius, places = self.mechanism.radius, range(self.dimension)
        points = [
            [size if place == axis else radius for place in places]
            for size in (2 * radius, 0)
            for axis in places
        ]
        points.append([radius] * self.dimension)
        return tuple(from_digits(point, 2 * radius + 1) for point in points)

    @cached_property
    def thresholds(self) -> Rows:
        """Digits from which on an event is "up"; mirrored, up to which it is "down"."""
        levels, found = self.mechanism.levels, set()
        for chances in (self.marginals.own, self.marginals.other):
            beyond = np.cumsum(chances[::-1])[::-1]  # of at least so much
            found |= {int(np.flatnonzero(beyond >= chance)[-1]) for chance in _BEYOND}
        upper = sorted({max(digit, levels - digit) for digit in found} - {levels})
        return np.array(upper, dtype=np.int64)

    @property
    def _per_component(self) -> int:
        return 2 * len(self.thresholds)

    def _event(self, component: int, threshold: int, *, up: bool) -> int:
        return component * self._per_component + 2 * threshold + (not up)

    def view(self) -> View:
        """Return what is looked at."""
        return View(
            mechanism=self.mechanism,
            audited="components",
            answers=self.answers,
            events=tuple(self.names()),
            chances=self.chances(),
            count=self.count,
            pools=tuple(self.pools()),
            contrasts=tuple(self.contrasts()),
            error=self.marginals.error,
            thorough=_THOROUGH,
        )

    def names(self) -> Iterator[str]:
        """Yield what each event is: every component beyond every threshold, then neighbours."""
        last = self.mechanism.levels - 1
        for component in range(self.dimension):
            for digit in self.thresholds.tolist():
                yield f"digit {component} is at least {digit}"
                yield f"digit {component} is at most {last - digit}"
        for component in range(self.dimension - 1):
            yield f"digits {component} and {component + 1} are above the middle"

    def chances(self) -> Chances:
        """Return the probabilities of all events from all answers."""
        d, per = self.dimension, self._per_component
        own, opposite, other = (
            self._beyond(chances)
            for chances in (
                self.marginals.own, self.marginals.own[::-1], self.marginals.other
            )
        )  # fmt: skip
        single = np.tile(other, (2 * d + 1, d))
        for axis in range(d):
            single[axis, axis * per : (axis + 1) * per] = own
            single[d + axis, axis * per : (axis + 1) * per] = opposite
        joined = np.full((2 * d + 1, d - 1), np.nan)
        for axis in range(d - 1):
            joined[self._elsewhere(axis, axis + 1), axis] = self.marginals.both_up
        return np.hstack([single, joined])

    def _beyond(self, chances: Chances) -> Chances:
        """Return the probability that a component is beyond each threshold, up and down."""
        last = len(chances) - 1
        ends = [(chances[t:].sum(), chances[: last - t + 1].sum()) for t in self.thresholds]
        return np.array(ends).ravel()

    def _elsewhere(self, *components: int) -> Rows:
        """Return the answers in which all these components are 0."""
        d = self.dimension
        along = {place for axis in components for place in (axis, d + axis)}
        return np.array([row for row in range(2 * d + 1) if row not in along])

    def count(self, rows: Rows, reports: Sequence[int]) -> Counts:
        """Return how often each event happened from each answer."""
        digits = digits_of(self.mechanism, reports)
        last, middle = self.mechanism.levels - 1, self.mechanism.levels // 2
        up = digits[:, :, np.newaxis] >= self.thresholds
        down = digits[:, :, np.newaxis] <= last - self.thresholds
        single = np.stack([up, down], axis=3).reshape(len(digits), -1)
        high: Flags = digits > middle if self.mechanism.levels % 2 else digits >= middle
        flags = np.hstack([single, high[:, :-1] & high[:, 1:]])
        return by_flags(rows, flags, len(self.answers))

    def pools(self) -> Iterator[Pool]:
        """Yield own components, opposite ones, and all others, by themselves and together."""
        names = list(self.names())
        for threshold in range(len(self.thresholds)):
            both = self._along(threshold)
            yield from (both.own, both.other)
            for component in range(self.dimension):
                for up in (True, False):
                    event = self._event(component, threshold, up=up)
                    what = f"{names[event]}, from all answers along other axes"
                    yield Pool.of(what, self._elsewhere(component), event)
        first = self.dimension * self._per_component
        for component in range(self.dimension - 1):
            rows = self._elsewhere(component, component + 1)
            what = f"digits {component} and {component + 1} are above the middle, from all others"
            yield Pool.of(what, rows, first + component)

    def contrasts(self) -> Iterator[Contrast]:
        """Yield opposite answers, all axes together, then each axis by itself."""
        for threshold in range(len(self.thresholds)):
            yield self._along(threshold)
        for axis in range(self.dimension):
            for threshold in range(len(self.thresholds)):
                yield self._along(threshold, axes=[axis])

    def _along(self, threshold: int, axes: Sequence[int] | None = None) -> Contrast:
        """Return components beyond a threshold on the answer's side, beside the other side's."""
        every = range(self.dimension) if axes is None else axes
        d, digit = self.dimension, int(self.thresholds[threshold])
        plus, minus = list(every), [d + axis for axis in every]
        events = [self._event(axis, threshold, up=up) for up in (True, False) for axis in every]
        which = "all axes" if axes is None else f"axis {axes[0]}"
        what = f"digits of at least {digit} on the side of the answer, {which}"
        away = f"digits of at least {digit} on the other side, {which}"
        return Contrast(Pool.of(what, plus + minus, events), Pool.of(away, minus + plus, events))
