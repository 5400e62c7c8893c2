"""Exact random choices in bulk, from the operating system's CSPRNG."""

import os
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_CHUNK: Final = 1 << 20


def uniform_below(bound: int, n: int) -> NDArray[np.int64]:
    """Return n integers below ``bound`` (at most 2**32), uniform, by rejection."""
    kept = np.empty(0, dtype=np.int64)
    mask = (1 << (bound - 1).bit_length()) - 1
    while kept.size < n:
        words = np.frombuffer(os.urandom(4 * 2 * (n - kept.size)), dtype="<u4") & np.uint32(mask)
        kept = np.concatenate([kept, words[words < bound].astype(np.int64)])
    return kept[:n]


def spread(weights: Sequence[int], n: int) -> NDArray[np.int64]:
    """Return how often each index comes in n draws by weight: a multinomial count, exactly."""
    bounds = np.cumsum(weights)
    counts = np.zeros(len(weights), dtype=np.int64)
    for start in range(0, n, _CHUNK):
        draws = uniform_below(int(bounds[-1]), min(_CHUNK, n - start))
        indexes = np.searchsorted(bounds, draws, side="right")
        counts += np.bincount(indexes, minlength=len(weights))
    return counts
