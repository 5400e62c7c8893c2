"""Where the coins of made-up respondents come from: the operating system, or a seed.

A seed lets a preregistration be repeated digit by digit. It reaches simulations alone: devices toss
with `tossup.shared.coins`, which knows nothing of this module.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tossup.shared.coins import ByteSource, Coins

_SOURCE: ContextVar[ByteSource] = ContextVar("source of simulated coins", default=os.urandom)


def random_bytes(count: int) -> bytes:
    """Return so many random bytes: the operating system's, or the next ones of a seed."""
    return _SOURCE.get()(count)


def coins() -> Coins:
    """Return fresh coins for one simulated answer."""
    return Coins(_SOURCE.get())


@contextmanager
def seeded(seed: int | None) -> Iterator[None]:
    """Let everything that is simulated within the block follow from a seed; None changes nothing.

    The bytes are the key stream of AES-256 in counter mode (NIST SP 800-38A, section 6.5) under
    the SHA-256 digest of the seed's decimal digits. The same seed gives the same bytes on every
    machine; the same figures follow as long as what is simulated draws in the same order.
    """
    if seed is None:
        yield
        return
    key = sha256(f"tossup simulation {seed}".encode()).digest()
    stream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    token = _SOURCE.set(lambda count: stream.update(bytes(count)))
    try:
        yield
    finally:
        _SOURCE.reset(token)
