"""Bodies that are compressed once, and kept and sent so.

Stage: HTTP.
"""

import gzip
from typing import Any, Final

from flask import Response

_LEVEL: Final = 4
#: Of large answers the lowest level takes a third of the time, and hardly more bytes.
_LARGE: Final = 1 << 20
_LOWEST: Final = 1


def pack(body: bytes) -> bytes:
    """Return a body compressed; equal bodies give equal bytes."""
    # Without the time of compressing, so that equal answers stay equal.
    return gzip.compress(body, _LOWEST if len(body) > _LARGE else _LEVEL, mtime=0)


def unpack(packed: bytes) -> bytes:
    """Return what was packed."""
    return gzip.decompress(packed)


def unpacked_size(packed: bytes) -> int:
    """Return how many bytes were packed, below 2**32: a gzip member ends in it (RFC 1952, 2.3)."""
    return int.from_bytes(packed[-4:], "little")


class PackedResponse(Response):
    """A response whose body was compressed before; whoever takes it plain gets it unpacked."""

    def __init__(self, packed: bytes, **more: Any) -> None:
        super().__init__(**more)
        self.packed = packed
