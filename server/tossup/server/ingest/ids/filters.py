"""Filters, which tell of nearly every new report id that it is in no run, at one look.

Stage: ingest, under `ids.settled`. Six bits of one word stand for an id, and two bytes of memory.
A full filter lets all ids pass that were added, and one of 250 others; of a filter of eight bytes
an id, one of 20,000 others.

Blocked filters: Putze, Sanders and Singler 2009, "Cache-, hash- and space-efficient Bloom filters",
ACM Journal of Experimental Algorithmics 14:4.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.ingest.decoding import Bytes
from tossup.server.ingest.ids.halves import AT_ONCE, Halves, halves
from tossup.server.ingest.packing import stable_order

#: Ids that share a word of 64 bits in a full filter: one of two bytes an id, and one of eight.
CLOSE: Final = 4
LOOSE: Final = 1
#: Twelve bits of a second half choose two bits of the word; so do the next twelve, and the next.
_WIDTH: Final = 12
_PLACES: Final = (1 << _WIDTH) - 1
_ALL: Final = np.arange(1 << _WIDTH, dtype=np.uint64)
_BITS: Final = np.uint64(1) << (_ALL & np.uint64(63)) | np.uint64(1) << (_ALL >> np.uint64(6))
_HIGH: Final = 32


@dataclass(frozen=True, slots=True)
class Keys:
    """Ids as filters and runs know them: two halves of each, and its bits in a filter's word."""

    first: Halves
    second: Halves
    bits: Halves

    def __len__(self) -> int:
        return len(self.first)

    def __getitem__(self, places: slice | NDArray[np.intp]) -> "Keys":
        return Keys(self.first[places], self.second[places], self.bits[places])

    @classmethod
    def of(cls, first: Halves, second: Halves) -> "Keys":
        """Return the keys of ids with these halves."""
        bits = _BITS.take(second.view(np.intp) & _PLACES)
        for width in (_WIDTH, 2 * _WIDTH):
            bits |= _BITS.take((second >> np.uint64(width)).view(np.intp) & _PLACES)
        return cls(first, second, bits)


def keys_of(ids: bytes | Bytes) -> Keys:
    """Return what some ids are looked up by."""
    return Keys.of(*halves(ids))


def sorted_keys(ids: bytes | Bytes) -> tuple[Keys, NDArray[np.intp]]:
    """Return what some ids are looked up by, in the order of their first halves; and this order."""
    first, second = halves(ids)
    order = stable_order(first)
    return Keys.of(first.take(order), second.take(order)), order


class Filter:
    """A filter for a number of ids, of which so many share a word."""

    def __init__(self, size: int, sharing: int) -> None:
        self._words = np.zeros(-(-size // sharing), dtype=np.uint64)

    def add(self, keys: Keys) -> None:
        """Add ids."""
        for start in range(0, len(keys), AT_ONCE):  # the interpreter's lock is free in between
            part = keys[start : start + AT_ONCE]
            numbers, bits = self._word(part.first), part.bits
            while len(numbers):  # of ids that share a word, one is added at a time
                self._words[numbers] = self._words.take(numbers) | bits
                missing = (self._words.take(numbers) & bits != bits).nonzero()[0]
                numbers, bits = numbers.take(missing), bits.take(missing)

    def passed(self, keys: Keys) -> NDArray[np.intp]:
        """Return which of some ids may have been added; all others were not."""
        words = self._words.take(self._word(keys.first))
        words &= keys.bits
        places: tuple[NDArray[np.intp]] = (words == keys.bits).nonzero()
        return places[0]

    def pass_one(self, first: int, bits: int) -> bool:
        """Return whether one id may have been added; as `passed`, in a tenth of the time."""
        return int(self._words[(first >> _HIGH) * len(self._words) >> _HIGH]) & bits == bits

    def _word(self, first: Halves) -> NDArray[np.intp]:
        """Return the number of the word for some ids, by the upper 32 bits of their first half."""
        numbers = first >> np.uint64(_HIGH)
        numbers *= np.uint64(len(self._words))
        numbers >>= np.uint64(_HIGH)
        return numbers.view(np.intp)


def bits_of_one(second: int) -> int:
    """Return the bits that stand for one id, by its second half."""
    bits = _BITS[second & _PLACES] | _BITS[second >> _WIDTH & _PLACES]
    return int(bits | _BITS[second >> 2 * _WIDTH & _PLACES])
