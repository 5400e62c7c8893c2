"""Columns of coins as they travel: eight reports a byte, counted without taking them apart."""

from typing import Final

import numpy as np

from tossup.server.kernels.base import Column, Counts, Kernel

_BLOCK: Final = 1 << 19  # bytes counted at once; their counts stay in the processor's cache


def count_bits(kernel: Kernel, packed: Column, n: int) -> Counts:
    """Return the tally of n reports, each 0 or 1, of which no bit follows the last.

    A tally is a sum over reports, so the tally of one report of each kind tells that of many.
    """
    ones = set_bits(packed)
    no, yes = (kernel.count(np.array([report], dtype=np.uint8)) for report in (0, 1))
    tally: Counts = (n - ones) * no + ones * yes
    return tally


def set_bits(packed: Column) -> int:
    """Return how many bits are set.

    >>> set_bits(np.array([3, 128], dtype=np.uint8))
    3
    """
    whole = len(packed) // 8 * 8
    words, rest = packed[:whole].view("<u8"), packed[whole:]
    blocks = (words[at : at + _BLOCK // 8] for at in range(0, len(words), _BLOCK // 8))
    # A block's sum fits in 32 bits, which numpy adds up faster than 64.
    return sum(int(np.bitwise_count(part).sum(dtype=np.uint32)) for part in (*blocks, rest))
