"""How many entries the ledger has about the topics of each bucket, to notice one that is missing.

Stage: beside the ledger. What is known of a topic is a row of its own, which only ever counts up.
So a row that is missing, or is an older one than it should be, leaves its bucket with too few,
and nothing else has to be read to notice that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

#: How many bits the hash of a topic has: what SQLite holds in a column of integers.
_HASH_BITS: Final = 63
_COUNT_BYTES: Final = 2
_SMALLEST: Final = 256
_LARGEST: Final = 1 << 19


def hash_of(publisher: str, topic: str) -> int:
    """Return the place of a topic among all that there could be, which spread evenly."""
    digest = sha256(f"{publisher}\n{topic}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - _HASH_BITS)


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of all buckets; a bucket is a stretch of hashes.

    Attributes
    ----------
    data
        Two bytes a bucket, for a power of two of them. A count goes on after 65,535 at 1: 0 is
        that of a bucket without a topic alone.
    """

    data: bytes

    @classmethod
    def for_topics(cls, number: int) -> "Counts":
        """Return counts of 0, in one to two buckets for each of so many topics, or more."""
        size = min(max(_SMALLEST, 1 << number.bit_length()), _LARGEST)
        return cls(bytes(_COUNT_BYTES * size))

    @property
    def are_of_buckets(self) -> bool:
        """Return whether the data are counts of so many buckets as there may be."""
        size = self._size
        return len(self.data) == _COUNT_BYTES * size and _SMALLEST <= size <= _LARGEST

    @property
    def may_grow(self) -> bool:
        """Return whether there may be more buckets."""
        return self._size < _LARGEST

    def plus(self, hashes: Iterable[int]) -> "Counts":
        """Return the counts with further entries, by the hashes of their topics."""
        data = bytearray(self.data)
        for place in hashes:
            start = self._start(place)
            count = int.from_bytes(data[start : start + _COUNT_BYTES], "big") + 1
            data[start : start + _COUNT_BYTES] = _wrapped(count).to_bytes(_COUNT_BYTES, "big")
        return Counts(bytes(data))

    def bucket(self, place: int) -> tuple[int, int]:
        """Return the lowest and the highest hash in the bucket of a topic."""
        within = self._bits_within
        low = place >> within << within
        return low, low + (1 << within) - 1

    def fits(self, place: int, entries: int) -> bool:
        """Return whether the topics in the bucket of one have this many entries."""
        start = self._start(place)
        count = int.from_bytes(self.data[start : start + _COUNT_BYTES], "big")
        return count == _wrapped(entries)

    def _start(self, place: int) -> int:
        return _COUNT_BYTES * (place >> self._bits_within)

    @property
    def _size(self) -> int:
        """Return the number of buckets, as a power of two."""
        return 1 << (len(self.data) // _COUNT_BYTES).bit_length() >> 1

    @property
    def _bits_within(self) -> int:
        return _HASH_BITS - self._size.bit_length() + 1


def _wrapped(count: int) -> int:
    return (count - 1) % (256**_COUNT_BYTES - 1) + 1 if count else 0
