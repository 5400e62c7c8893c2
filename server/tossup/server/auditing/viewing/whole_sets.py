"""Compare two sets of options as a whole: by all bits in which they differ.

Bits of one report are independent, so that what matters is how many of either set's options a
report says are ticked. Reports are put in order by what they tell; those that tell most are an
event, as many as make it not too seldom. Where a report asks only some options, the two sets
differ in what it asks from one option on.
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.auditing.events import Chances, Flags, Rows
from tossup.shared.mechanisms import SeveralMechanism

#: An answer as a whole is looked at by what it shows at least this often.
NOT_RARE: Final = 1 / 16
_TINY: Final = 1e-300


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers that differ as much as any, and reports that ask where they differ.

    Attributes
    ----------
    own, other
        Two masks without an option in common.
    start
        The first option that the reports ask, where a report asks only some.
    """

    own: int
    other: int
    start: int | None


@dataclass(frozen=True)
class WholeSets:
    """The pairs of a mechanism, and the reports that tell most for the first of each."""

    mechanism: SeveralMechanism

    @cached_property
    def asked(self) -> int:
        """How many options a report asks."""
        return int(self.mechanism.asked_share * self.mechanism.options)

    @cached_property
    def starts(self) -> int:
        """How many places there are for a report to begin."""
        return self.mechanism.windows

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Two answers for every option to begin from, both ways round, without repetitions."""
        k, most = self.mechanism.options, self.mechanism.most
        one = min(self.asked, most)
        other = min(self.asked - one, most)
        sampled = self.starts > 1
        found: dict[Pair, None] = {}
        for start in range(k):
            masks = window(k, start, one), window(k, start + one, other)
            for own, rest in (masks, masks[::-1]):
                found[Pair(own, rest, start if sampled else None)] = None
        return tuple(found)

    @cached_property
    def regions(self) -> tuple[Flags, ...]:
        """For each pair, by how many bits say ticked of either side, whether it is the event."""
        return tuple(self._region(pair) for pair in self.pairs)

    def chance(self, place: int, answer: int) -> float:
        """Return how likely the event of a pair is from one of the two."""
        said = self._said(self.pairs[place], answer)
        return float(said[self.regions[place]].sum()) / self.starts

    def happened(self, starts: Rows, ticked: Flags) -> Flags:
        """Return for each report, by its first option and what it says, which events it is."""
        bits = ticked.astype(np.float32)  # small integers, and fast to multiply
        own, other = (
            (bits @ self._masks(side).T.astype(np.float32)).astype(np.int64)
            for side in ("own", "other")
        )
        found = np.zeros((len(ticked), len(self.pairs)), dtype=np.bool_)
        for place, (pair, region) in enumerate(zip(self.pairs, self.regions, strict=True)):
            looked = slice(None) if pair.start is None else np.flatnonzero(starts == pair.start)
            found[looked, place] = region[own[looked, place], other[looked, place]]
        return found

    def _masks(self, side: str) -> Flags:
        masks = [getattr(pair, side) for pair in self.pairs]
        return bits_of(np.array(masks, dtype=np.uint64), self.mechanism.options)

    def _said(self, pair: Pair, answer: int) -> Chances:
        """Return how likely so many bits of either side say ticked, from one of the two."""
        q, p = map(float, self.mechanism.rates)
        rates = [p if mask & answer else q for mask in (pair.own, pair.other)]
        sizes = pair.own.bit_count(), pair.other.bit_count()
        one, other = (binomial(size, rate) for size, rate in zip(sizes, rates, strict=True))
        return np.maximum(np.outer(one, other), _TINY)

    def _region(self, pair: Pair) -> Flags:
        """Return what tells most for the first answer, and comes from it not too seldom."""
        own, other = self._said(pair, pair.own), self._said(pair, pair.other)
        ratios = own / other
        order = np.argsort(-ratios, axis=None, kind="stable")
        enough = int(np.searchsorted(np.cumsum(own.ravel()[order]), NOT_RARE))
        least = float(ratios.ravel()[order[min(enough, len(order) - 1)]])
        found: Flags = ratios >= least * (1 - 1e-9)
        return found


def window(options: int, start: int, size: int) -> int:
    """Return the mask of so many options from one on, from the last on to the first.

    >>> window(5, 3, 3)
    25
    """
    return sum(1 << (start + place) % options for place in range(size))


def bits_of(masks: NDArray[np.uint64], options: int) -> Flags:
    """Return one row a mask, the least significant bit first."""
    places = np.arange(options, dtype=np.uint64)
    found: Flags = (masks[:, np.newaxis] >> places & np.uint64(1)).astype(np.bool_)
    return found


def binomial(n: int, p: float) -> Chances:
    """Return the probabilities of 0, ..., n successes."""
    return np.array([comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
