"""Filters, which tell of nearly every new report id that it is in no run, at one look.

Stage: ingest, under `ids.settled`. Four bits of one word stand for an id, and two bytes of memory;
of 200 ids that were never added a full filter lets one pass, and none that was. Words are numbered
by the ids' first halves, so that a run, which is in their order, is added in one sweep.

Blocked filters: Putze, Sanders and Singler 2009, "Cache-, hash- and space-efficient Bloom filters",
ACM Journal of Experimental Algorithmics 14:4.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.ids.halves import AT_ONCE, Halves

#: Ids that share a word of 64 bits, in a full filter.
_IDS_A_WORD: Final = 4
#: Bits of the second half that choose a bit of the word, four times.
_PLACES: Final = 63
_SHIFTS: Final = (0, 6, 12, 18)
_HIGH: Final = 32


class Filter:
    """A filter for a number of ids."""

    def __init__(self, size: int) -> None:
        self._words = np.zeros(-(-size // _IDS_A_WORD), dtype=np.uint64)

    def add(self, first: Halves, second: Halves) -> None:
        """Add ids, in the order of their first halves."""
        for start in range(0, len(first), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            words, bits = self._word(first[part]), bits_of(second[part])
            starts = np.flatnonzero(np.concatenate(([True], words[1:] != words[:-1])))
            self._words[words[starts]] |= np.bitwise_or.reduceat(bits, starts)

    def passed(self, first: Halves, bits: Halves) -> NDArray[np.intp]:
        """Return which of some ids may have been added, by their bits; all others were not."""
        return np.flatnonzero(self._words[self._word(first)] & bits == bits)

    def pass_one(self, first: int, bits: int) -> bool:
        """Return whether one id may have been added; as `passed`, in a tenth of the time."""
        return int(self._words[(first >> _HIGH) * len(self._words) >> _HIGH]) & bits == bits

    def _word(self, first: Halves) -> NDArray[np.intp]:
        """Return the number of the word for some ids, by the upper 32 bits of their first half."""
        numbers = first >> np.uint64(_HIGH)
        numbers *= np.uint64(len(self._words))
        numbers >>= np.uint64(_HIGH)
        return numbers.view(np.intp)


def bits_of(second: Halves) -> Halves:
    """Return the bits that stand for some ids, by their second halves."""
    bits = np.zeros(len(second), dtype=np.uint64)
    for shift in _SHIFTS:
        bits |= np.uint64(1) << (second >> np.uint64(shift) & np.uint64(_PLACES))
    return bits


def bits_of_one(second: int) -> int:
    """Return the bits that stand for one id; as `bits_of`, in a tenth of the time."""
    bits = 0
    for shift in _SHIFTS:
        bits |= 1 << (second >> shift & _PLACES)
    return bits
