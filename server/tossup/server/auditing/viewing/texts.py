"""View texts that are reported by a bucket of a prefix: slots, and what the oracle says of them.

Given are texts of one character, of one character throughout, and texts that differ from one of
these in a single place, so that every place, and every level that looks at it, is looked at.
"""

from collections.abc import Iterator, Sequence
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
    by_values,
)
from tossup.server.kernels import kernel_of
from tossup.server.kernels.slots import buckets_of
from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.mechanisms.digits import from_digits

_SOME: Final = 32


def view_texts(mechanism: PrefixExtending) -> View:
    """Return the view of a mechanism for texts."""
    return _Texts(mechanism).view()


@dataclass(frozen=True)
class _Texts:
    mechanism: PrefixExtending

    @cached_property
    def answers(self) -> tuple[int, ...]:
        """The texts that are given, as numbers."""
        longest, last = self.mechanism.longest, self.mechanism.characters
        some = range(1, min(last, _SOME) + 1)
        found = [[0] * longest]
        found += [[character, *[0] * (longest - 1)] for character in some]
        found += [[character] * longest for character in {1, last}]
        found += [[*[1] * place, last, *[1] * (longest - place - 1)] for place in range(longest)]
        return tuple(sorted({from_digits(text[::-1], self.mechanism.base) for text in found}))

    @cached_property
    def buckets(self) -> Rows:
        """``[answer, slot]``: the bucket of a text in every slot."""
        return np.array([buckets_of(self.mechanism, answer) for answer in self.answers])

    @cached_property
    def members(self) -> Flags:
        """``[report, bucket]``: whether a number that the oracle reports names a bucket."""
        oracle = self.mechanism.oracle
        if not oracle.names_each:  # each names its own
            return np.eye(oracle.reports, dtype=np.bool_)
        width = -(-(oracle.reports - 1).bit_length() // 8)
        column = np.arange(oracle.reports, dtype="<u4").view(np.uint8).reshape(-1, 4)[:, :width]
        kernel: Any = kernel_of(oracle)
        supports: Flags = kernel.supports(column[:, 0] if width == 1 else column)
        return supports

    def named(self, reported: Sequence[int], buckets: Rows) -> Flags:
        """Return whether each of these reports of the oracle names the bucket beside it."""
        if self.mechanism.oracle.counting not in {"bits", "sets"}:
            return self.members[np.array(reported, dtype=np.int64), buckets]
        pairs = zip(reported, buckets.tolist(), strict=True)
        return np.array([mask >> bucket & 1 for mask, bucket in pairs], dtype=np.bool_)

    @cached_property
    def alone(self) -> tuple[float, float]:
        """How likely a report names the text's bucket and not another one, and the reverse."""
        oracle = self.mechanism.oracle
        q, p = oracle.rates
        both = oracle.with_another
        return float(p - both), float(q - both)

    @property
    def _sizes(self) -> tuple[int, int]:
        return self.mechanism.slots, self.mechanism.buckets

    def view(self) -> View:
        """Return what is looked at."""
        return View(
            mechanism=self.mechanism,
            audited="slots, and buckets in them",
            answers=self.answers,
            events=tuple(self.names()),
            chances=self.chances(),
            count=self.count,
            pools=tuple(self.pools()),
            contrasts=tuple(self.contrasts()),
            common=self.mechanism.slots,
        )

    def names(self) -> Iterator[str]:
        """Yield what each event is."""
        slots, buckets = self._sizes
        yield from (f"slot {slot}" for slot in range(slots))
        yield from (f"slot {slot}, and the bucket of the text" for slot in range(slots))
        yield from (f"bucket {bucket}, which is that of the text" for bucket in range(buckets))
        yield from (f"slot {slot}: the text's bucket, not the next one's" for slot in range(slots))
        yield from (f"slot {slot}: the bucket of the text before" for slot in range(slots))

    def chances(self) -> Chances:
        """Return the probabilities, from ratios of integers."""
        slots, buckets = self._sizes
        rows = len(self.answers)
        _, hit = self.mechanism.oracle.rates
        own, other = self.alone
        shares = np.zeros((rows, buckets))
        np.add.at(shares, (np.arange(rows)[:, np.newaxis], self.buckets), 1 / slots)
        apart = (self.buckets != np.roll(self.buckets, -1, axis=0)) / slots
        alone = [apart * own, np.roll(apart, 1, axis=0) * other]
        every = np.full((rows, slots), 1 / slots)
        return np.hstack([every, every * float(hit), shares * float(hit), *alone])

    def count(self, rows: Rows, reports: Sequence[int]) -> Counts:
        """Return how often each event happened from each answer."""
        size = self.mechanism.oracle.reports  # of masks more than a number of numpy's holds
        slots = np.array([report // size for report in reports], dtype=np.int64)
        reported = [report % size for report in reports]
        own = self.buckets[rows, slots]
        agreed = self.named(reported, own)
        others = [np.roll(self.buckets, shift, axis=0)[rows, slots] for shift in (-1, 1)]
        following, former = (self.named(reported, other) for other in others)
        size = len(self.answers)
        alone = [agreed & ~following, former & ~agreed]
        return np.hstack(
            [
                by_values(rows, slots, (size, self._sizes[0])),
                by_values(rows[agreed], slots[agreed], (size, self._sizes[0])),
                by_values(rows[agreed], own[agreed], (size, self._sizes[1])),
                *(by_values(rows[f], slots[f], (size, self._sizes[0])) for f in alone),
            ]
        )

    def pools(self) -> Iterator[Pool]:
        """Yield every slot and every bucket, from all texts."""
        (slots, buckets), rows = self._sizes, np.arange(len(self.answers))
        names = list(self.names())
        for event in range(2 * slots + buckets):
            yield Pool.of(f"{names[event]}, from all texts", rows, event)
        for each in self.contrasts():
            yield from (each.own, each.other)

    def contrasts(self) -> Iterator[Contrast]:
        """Yield each text's bucket beside that text's from the next one, in all slots and in each.

        These tell most, wherever the buckets of the two differ.
        """
        apart = self.buckets != np.roll(self.buckets, -1, axis=0)
        if apart.any():
            yield self._alone(apart, "all slots")
        for slot in np.flatnonzero(apart.any(axis=0)).tolist():
            here = np.zeros_like(apart)
            here[:, slot] = apart[:, slot]
            yield self._alone(here, f"slot {slot}")

    def _alone(self, apart: Flags, where: str) -> Contrast:
        rows, slots = np.nonzero(apart)
        first = 2 * self._sizes[0] + self._sizes[1]
        after = (rows + 1) % len(self.answers)
        own = f"the bucket of a text, and not of the next one, {where}"
        other = f"the bucket of the text before, and not its own, {where}"
        return Contrast(
            Pool.of(own, rows, first + slots),
            Pool.of(other, after, first + self._sizes[0] + slots),
        )
