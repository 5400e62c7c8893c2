"""Report ids as two numbers each, in a form that their senders cannot foresee.

Stage: ingest, under `ids.index`. Senders choose the ids of their reports. Before ids are sorted
they are encrypted with a key of this process, so that nobody can choose many that are slow to look
up. A block of AES is an id: equal ids, and only these, have equal halves.
"""

import secrets
import threading
from struct import Struct
from typing import Final

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

from tossup.server.ingest.decoding import Bytes
from tossup.shared.wire import ID_BYTES

#: So many ids are gone through at once, so that they stay in the processor's cache.
AT_ONCE: Final = 1 << 14
#: Each block by itself, as ids are looked up one by one; none but this process sees them.
_CIPHER: Final = Cipher(algorithms.AES(secrets.token_bytes(16)), modes.ECB())  # noqa: S305
#: Odd factors of the halves of an id as it came, for a hash that needs not tell ids apart.
HASH: Final = [np.uint64(secrets.randbits(64) | 1) for _ in range(2)]
_PAIR: Final = Struct("<QQ")

Halves = NDArray[np.uint64]


class _Encryptor(threading.local):
    """What encrypts ids, one a thread: to make it takes ten times as long as an id."""

    def __init__(self) -> None:
        self.update = _CIPHER.encryptor().update


_ENCRYPTOR: Final = _Encryptor()


def halves(ids: bytes | Bytes) -> tuple[Halves, Halves]:
    """Return two halves of each of some ids, encrypted."""
    whole = ids if isinstance(ids, bytes) else ids.tobytes()
    first, second = (np.empty(len(whole) // ID_BYTES, dtype=np.uint64) for _ in range(2))
    for start in range(0, len(first), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        blocks = whole[ID_BYTES * start : ID_BYTES * (start + AT_ONCE)]
        encrypted = pairs_of(_ENCRYPTOR.update(blocks))
        first[part], second[part] = encrypted[:, 0], encrypted[:, 1]
    return first, second


def pairs_of(ids: bytes | Bytes) -> Halves:
    """Return the two halves of each of some ids as they came, a row for each."""
    return np.frombuffer(ids, dtype="<u8").reshape(-1, 2)


def halves_of(report_id: bytes) -> tuple[int, int]:
    """Return the halves of one id, of 16 bytes: each block is encrypted by itself."""
    first, second = _PAIR.unpack(_ENCRYPTOR.update(report_id))
    return first, second
