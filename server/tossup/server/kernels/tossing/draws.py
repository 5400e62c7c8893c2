"""Exact random choices in bulk, from the operating system's CSPRNG unless there is a seed."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Counts, histogram
from tossup.server.kernels.tossing.source import random_bytes

_CHUNK: Final = 1 << 20
_FEW_VALUES: Final = 1 << 12  # so few are counted one by one, which is faster than a search


def uniform_below(bound: int, n: int) -> NDArray[np.int64]:
    """Return n integers below ``bound`` (at most 2**32), uniform, by rejection."""
    bits = (bound - 1).bit_length()
    word = np.dtype(f"<u{1 if bits <= 8 else 2 if bits <= 16 else 4}")
    mask = word.type((1 << bits) - 1)
    kept = np.empty(n, dtype=np.int64)
    at = 0
    while at < n:
        # About as many words as are needed, and a few more: those too large are drawn again.
        wanted = ((n - at << bits) // bound) + 64
        words = np.frombuffer(random_bytes(word.itemsize * wanted), dtype=word) & mask
        good = words[words < bound][: n - at]
        kept[at : at + len(good)] = good
        at += len(good)
    return kept


def heads_of_both(n: int) -> int:
    """Return how many of n pairs of fair coins fell heads twice."""
    heads = 0
    for start in range(0, n, 8 * _CHUNK):
        pairs = min(8 * _CHUNK, n - start)
        first, second = (np.frombuffer(random_bytes(-(-pairs // 8)), dtype=np.uint8) for _ in "12")
        both = first & second
        both[-1] &= 0xFF >> -pairs % 8  # coins that nobody tossed
        heads += int(np.bitwise_count(both).sum(dtype=np.int64))
    return heads


def spread(weights: Sequence[int], n: int) -> Counts:
    """Return how often each index comes in n draws by weight: a multinomial count, exactly."""
    bounds = np.cumsum(weights)
    total = int(bounds[-1])
    if total <= _FEW_VALUES:
        below = np.cumsum(_uniform_counts(total, n))
        reached = np.where(bounds > 0, below[bounds - 1], 0)
        return np.diff(reached, prepend=0)
    counts = np.zeros(len(weights), dtype=np.int64)
    for start in range(0, n, _CHUNK):
        draws = uniform_below(total, min(_CHUNK, n - start))
        indexes = np.searchsorted(bounds, draws, side="right")
        counts += np.bincount(indexes, minlength=len(weights))
    return counts


def part_of(n: int, share: Fraction) -> int:
    """Return how many of n have something that each has with this probability."""
    if share in (0, 1):
        return n * int(share)
    return int(spread((share.numerator, share.denominator - share.numerator), n)[0])


def _uniform_counts(bound: int, n: int) -> Counts:
    """Return how often each value comes in n uniform draws below ``bound``.

    A word below the largest multiple of the bound is one draw, its remainder; any other word is
    none. Each round has as many words as draws are missing, so that there are never too many.
    """
    word = np.dtype("<u1" if bound <= 1 << 8 else "<u2")
    values = 1 << 8 * word.itemsize
    counts = np.zeros(bound, dtype=np.int64)
    missing = n
    while missing:
        words = random_bytes(word.itemsize * min(missing, _CHUNK))
        found = histogram(np.frombuffer(words, dtype=word), values)
        drawn = found[: values // bound * bound].reshape(-1, bound).sum(axis=0)
        counts += drawn
        missing -= int(drawn.sum())
    return counts
