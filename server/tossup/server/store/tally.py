"""Tallies: counts of each report, mergeable by addition.

Stage: ingest to estimate. A tally is all that an estimate needs; its size depends on the number
of answers, never on the number of reports.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import overload

import numpy as np


class SparseCounts(Sequence[int]):
    """Counters of which only those above 0 are kept: a group may have few of 65,536.

    It reads like the tuple of all counters, and equals it.
    """

    __slots__ = ("_counted", "_size")

    def __init__(self, counted: Mapping[int, int], size: int) -> None:
        self._counted = dict(counted)
        self._size = size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[int, ...]: ...
    def __getitem__(self, place: int | slice) -> int | tuple[int, ...]:
        if isinstance(place, slice):
            return tuple(map(self._at, range(self._size)[place]))
        return self._at(range(self._size)[place])

    def __iter__(self) -> Iterator[int]:
        return map(self._at, range(self._size))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def add_to(self, total: dict[int, int]) -> None:
        """Add the counters to a sum by places."""
        for place, count in self._counted.items():
            total[place] = total.get(place, 0) + count

    def is_zero(self) -> bool:
        """Return whether every counter is 0."""
        return not any(self._counted.values())

    def _at(self, place: int) -> int:
        return self._counted.get(place, 0)


@dataclass(frozen=True, slots=True)
class Cell:
    """The reports to one question of one manifest that arrived on one day from one stratum.

    Attributes
    ----------
    manifest
        Digest of the manifest the reports answer.
    question
        The question's id.
    day
        The server's day (UTC) on which they arrived; nothing finer is kept.
    stratum
        Option index of every public attribute, in the manifest's order.
    counts
        The mechanism's counters: for most, the number of reports of each value.
    """

    manifest: str
    question: str
    day: date
    stratum: tuple[int, ...]
    counts: Sequence[int]


def is_zero(tally: Sequence[int]) -> bool:
    """Return whether every counter is 0.

    >>> is_zero((0, 0)), is_zero(SparseCounts({1: 5}, 2))
    (True, False)
    """
    return tally.is_zero() if isinstance(tally, SparseCounts) else not any(tally)


def add(tallies: Iterable[Sequence[int]], counters: int) -> tuple[int, ...]:
    """Return the sum of tallies of ``counters`` numbers each; all zero for none.

    >>> add([(3, 1), (0, 2), SparseCounts({1: 5}, 2)], counters=2)
    (3, 8)
    """
    total = np.zeros(counters, dtype=np.int64)
    by_place: dict[int, int] = {}
    for tally in tallies:
        if len(tally) != counters:
            raise ValueError(f"a tally of {len(tally)} counters is none of {counters}")
        if isinstance(tally, SparseCounts):
            tally.add_to(by_place)
        else:
            total += tally
    if by_place:
        total[list(by_place)] += list(by_place.values())
    return tuple(total.tolist())
