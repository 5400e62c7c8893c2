"""The publisher's signing key: one PEM file, readable by its owner alone.

Stage: publishing. Devices trust a key and nothing else, so a key is made only where somebody asked
for a new publisher, or nobody named another place.
"""

import os
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from tossup.shared.errors import TossupError
from tossup.shared.home import VARIABLE, home_folder


class KeyFileError(TossupError):
    """A publisher's key that cannot be used; ``hint`` says what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def default_path() -> Path:
    """Return the key's place by the XDG convention: ~/.config/tossup/publisher.pem.

    It is the same from every working directory: another key is another publisher.

    Raises
    ------
    KeyFileError
        If this user has no home folder.
    """
    named = os.environ.get("XDG_CONFIG_HOME", "")  # XDG says to ignore a relative one
    if os.path.isabs(named):
        return Path(named, "tossup", "publisher.pem")
    home = home_folder()
    if home is None:
        raise KeyFileError(
            f"this user has no home folder for the publisher's key: {VARIABLE} is not an absolute"
            " path, and the system names none",
            f"name the key's file with --publisher-key, or set {VARIABLE}",
        )
    return Path(home, ".config", "tossup", "publisher.pem")


def load(path: Path) -> Ed25519PrivateKey:
    """Return the signing key that a file holds.

    Raises
    ------
    KeyFileError
        If it cannot be read, or holds no Ed25519 key without password.
    """
    try:
        pem = path.read_bytes()
        if not pem:
            raise KeyFileError(f"{path} is empty: making it was cut short", "delete it")
        key = load_pem_private_key(pem, password=None)
    except OSError as error:
        raise _unusable(path, error) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{path} holds no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{path} holds a key of another kind; manifests are signed with Ed25519")
    return key


def create(path: Path) -> Ed25519PrivateKey:
    """Make a key, and keep it where nothing is yet, durably: what it signs outlives a power cut.

    Raises
    ------
    KeyFileError
        If it cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(pem)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink()  # a part of a key would stand in the way of a whole one
            raise
    except OSError as error:
        raise _unusable(path, error) from error
    return key


def _unusable(path: Path, error: OSError) -> KeyFileError:
    return KeyFileError(f"the publisher's key {path} cannot be used: {error.strerror}")
