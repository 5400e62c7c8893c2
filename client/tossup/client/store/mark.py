"""The high-water mark: a second, tiny file that remembers how long the ledger once was.

It is written after each durable commit and checked before each toss. A ledger that is shorter
than its mark, or gone, has lost entries in a way its own hashes cannot show: a write-ahead log
that was damaged or deleted, or an old copy put back. The mark is never ahead of the ledger, so a
crash raises no false alarm. Without a mark, or with something else in its place, nothing is
concluded; if it cannot be read now, the store cannot be used now.
"""

import os
from hashlib import sha256
from typing import Final

_MAX_BYTES: Final = 200


def read_mark(path: str) -> int:
    """Return the number of entries that the ledger once had; 0 if there is no mark.

    Raises
    ------
    OSError
        If there may be one that cannot be read now.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return 0
    except OSError:
        if os.path.isdir(path):  # where folders cannot be opened
            return 0
        raise
    try:
        count, _space, seal = os.read(descriptor, _MAX_BYTES).partition(b" ")
    except IsADirectoryError:
        return 0
    finally:
        os.close(descriptor)
    return int(count) if count.isdigit() and seal == _seal(count) else 0


def write_mark(path: str, entries: int) -> None:
    """Remember the number of entries, all of which are durable already.

    A mark of fixed length is overwritten in place, so a crash leaves the old or the new one.
    """
    count = b"%012d" % entries
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, count + b" " + _seal(count))
    finally:
        os.close(descriptor)


def _seal(count: bytes) -> bytes:
    return sha256(b"tossup ledger mark " + count).hexdigest().encode()
