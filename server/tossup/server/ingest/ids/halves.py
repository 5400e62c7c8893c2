"""Report ids as two numbers each, in a form that their senders cannot foresee.

Stage: ingest, under `ids.index`. Senders choose the ids of their reports. Before ids are sorted
they go through a permutation with a secret of this process, so that nobody can choose many that are
slow to look up.

It is a Feistel network (Luby and Rackoff 1988, SIAM Journal on Computing 17:373-386), which can be
undone whatever its round function is: equal ids, and only these, have equal halves.
"""

import secrets
from struct import Struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: So many ids are gone through at once, so that they stay in the processor's cache.
AT_ONCE: Final = 1 << 14
#: A summand and an odd factor for each round of the permutation.
_SECRETS: Final = [(secrets.randbits(64), secrets.randbits(64) | 1) for _ in range(4)]
_ARRAYS: Final = [(np.uint64(add), np.uint64(multiply)) for add, multiply in _SECRETS]
_SHIFT: Final = np.uint64(32)
_ALL: Final = (1 << 64) - 1
#: Odd factors of the halves of an id as it came, for a hash that needs not tell ids apart.
HASH: Final = [np.uint64(secrets.randbits(64) | 1) for _ in range(2)]
_PAIR: Final = Struct("<QQ")

Halves = NDArray[np.uint64]


def halves(ids: bytes) -> tuple[Halves, Halves]:
    """Return two halves of each id of a blob, permuted."""
    pairs = pairs_of(ids)
    first, second = (np.empty(len(pairs), dtype=np.uint64) for _ in range(2))
    for start in range(0, len(pairs), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        first[part], second[part] = _permuted(pairs[part, 0].copy(), pairs[part, 1].copy())
    return first, second


def pairs_of(ids: bytes) -> Halves:
    """Return the two halves of each id of a blob as they came, a row for each."""
    return np.frombuffer(ids, dtype="<u8").reshape(-1, 2)


def halves_of(report_id: bytes) -> tuple[int, int]:
    """Return the halves of one id; as `halves`, in a tenth of the time."""
    left, right = _PAIR.unpack(report_id)
    for add, multiply in _SECRETS:
        mixed = (right + add) * multiply & _ALL
        mixed = (mixed ^ mixed >> 32) * multiply & _ALL
        left, right = right, mixed ^ mixed >> 32 ^ left
    return left, right


def _permuted(left: Halves, right: Halves) -> tuple[Halves, Halves]:
    for add, multiply in _ARRAYS:
        mixed = right + add
        mixed *= multiply
        mixed ^= mixed >> _SHIFT
        mixed *= multiply
        mixed ^= mixed >> _SHIFT
        mixed ^= left
        left, right = right, mixed
    return left, right
