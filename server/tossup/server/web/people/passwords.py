"""Passwords: kept as scrypt's output, compared in constant time, at equal cost for every name.

Stage: HTTP. A hash is text, ``scrypt$15$8$3$salt$key``, so that a later version may ask for more.
"""

import secrets
from threading import BoundedSemaphore
from typing import Final
from unicodedata import normalize

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from tossup.server.refusals import Busy, Refused
from tossup.shared.signing import b64url, unb64url

#: NIST SP 800-63B-4, 3.1.1.2, asks for 15 signs where a password is the only factor.
LEAST_SIGNS: Final = 15
MOST_SIGNS: Final = 1024

# One of the settings of equal strength that OWASP's Password Storage Cheat Sheet lists: 32 MiB.
_LOG2_N, _R, _P = 15, 8, 3
_KEY_BYTES: Final = 32
# Each takes 32 MiB and a core for some tenths of a second: reports keep the rest of the machine.
_AT_ONCE: Final = BoundedSemaphore(2)
# Who waits holds one of the server's threads, which reports need: few may, and not for long.
_IN_LINE: Final = BoundedSemaphore(8)
_PATIENCE_SECONDS: Final = 5


def check(password: str) -> None:
    """Refuse a password that is too short or too long.

    Raises
    ------
    Refused
        ``password-unfit``.
    """
    if not LEAST_SIGNS <= len(normalize("NFKC", password)) <= MOST_SIGNS:
        raise Refused(
            f"a password has {LEAST_SIGNS} to {MOST_SIGNS} signs; some words in a row will do",
            "password-unfit",
        )


def hashed(password: str) -> str:
    """Return what is kept of a password."""
    salt = secrets.token_bytes(16)
    with _room():
        key = Scrypt(salt, _KEY_BYTES, 2**_LOG2_N, _R, _P).derive(_bytes(password))
    return f"scrypt${_LOG2_N}${_R}${_P}${b64url(salt)}${b64url(key)}"


def fits(password: str, kept: str | None) -> bool:
    """Return whether a password is the one that is kept; None costs the same and never fits."""
    name, log2_n, r, p, salt, key = (kept or _NOBODY).split("$")
    if name != "scrypt":
        raise ValueError("this password was kept by a newer tossup")
    with _room():
        try:
            scrypt = Scrypt(unb64url(salt), _KEY_BYTES, 2 ** int(log2_n), int(r), int(p))
            scrypt.verify(_bytes(password), unb64url(key))
        except InvalidKey:
            return False
    return kept is not None


def _bytes(password: str) -> bytes:
    # The same signs may come composed or not, by keyboard; a lone surrogate is no sign at all.
    return normalize("NFKC", password[: MOST_SIGNS + 1]).encode("utf-8", "replace")


class _room:  # noqa: N801 - reads as `with _room():`
    """Wait for a turn, for some seconds; be refused at once where too many wait."""

    def __enter__(self) -> None:
        if not _IN_LINE.acquire(blocking=False):
            raise Busy
        if not _AT_ONCE.acquire(timeout=_PATIENCE_SECONDS):
            _IN_LINE.release()
            raise Busy

    def __exit__(self, *_: object) -> None:
        _AT_ONCE.release()
        _IN_LINE.release()


_NOBODY: Final = f"scrypt${_LOG2_N}${_R}${_P}${b64url(bytes(16))}${b64url(bytes(_KEY_BYTES))}"
