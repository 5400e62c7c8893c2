"""The buckets of many prefixes at once: the mechanism's hash functions in whole arrays."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha512
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.mechanisms.choices.prefix_extending import ROWS_PER_DIGEST

#: One row a hash function, one column a prefix.
Buckets = NDArray[np.int64]
Numbers = NDArray[np.integer[Any]]


def buckets_of(design: PrefixExtending, level: int, prefixes: Sequence[int]) -> Buckets:
    """Return the bucket of each prefix in each row of a level.

    >>> from tossup.shared.mechanisms import HadamardResponse
    >>> design = PrefixExtending(26, (2, 4), rows=2, oracle=HadamardResponse(31))
    >>> buckets_of(design, 0, [29]).tolist() == [[design.bucket(29 * 27**2, 0, r)] for r in (0, 1)]
    True
    """
    block = design.base ** design.step(level)
    older = _hashes(design, level, 0, [prefix // block for prefix in prefixes])
    new = _hashes(design, level, 1, [prefix % block for prefix in prefixes])
    return (older + new) % design.buckets


def older_hashes(design: PrefixExtending, level: int, prefixes: Sequence[int]) -> Buckets:
    """Return the hashes of the older parts of a level's prefixes, modulo the buckets."""
    return _hashes(design, level, 0, prefixes)


@lru_cache(maxsize=64)
def block_hashes(design: PrefixExtending, level: int) -> tuple[Numbers, Buckets]:
    """Return all blocks that a level may add, and their hashes modulo the buckets.

    A block holds characters and then, if the text ends in it, nothing but end marks.
    """
    blocks = _blocks(design.base, design.step(level))
    return blocks, _hashes(design, level, 1, blocks.tolist())


def _blocks(base: int, step: int) -> Numbers:
    """Return all numbers of ``step`` digits whose zeros all stand at the end.

    >>> _blocks(3, 2).tolist()
    [0, 3, 4, 5, 6, 7, 8]
    """
    numbers = np.arange(base**step)
    # A zero with another digit right after it: a text that ended and went on.
    wrong = np.zeros(len(numbers), dtype=np.bool_)
    for place in range(1, step):
        before, after = numbers // base**place % base, numbers // base ** (place - 1) % base
        wrong |= (before == 0) & (after != 0)
    return numbers[~wrong]


def _hashes(design: PrefixExtending, level: int, part: int, numbers: Sequence[int]) -> Buckets:
    digests = -(-design.rows // ROWS_PER_DIGEST)
    heads = [design.preimage(level, part, place) for place in range(digests)]
    width = design.number_width
    tails = [number.to_bytes(width, "little") for number in numbers]
    data = b"".join(sha512(head + tail).digest() for tail in tails for head in heads)
    rows = (
        np.frombuffer(data, dtype="<u8")
        .reshape(len(numbers), digests * ROWS_PER_DIGEST)[:, : design.rows]
        .T
    )
    return np.ascontiguousarray(rows % np.uint64(design.buckets)).astype(np.int64)
