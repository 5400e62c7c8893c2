"""The publisher's signing key: one PEM file, made on first use, readable by its owner alone.

Devices trust a key and nothing else, so a key is made only where nobody named another place, or
where a new publisher was asked for: a slip in the path must not found one.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.output import Failure, note

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def default_path() -> Path:
    """Return the key's place by the XDG convention: ~/.config/tossup/publisher.pem.

    It is the same from every working directory: another key is another publisher.

    Raises
    ------
    Failure
        If this user has no home folder.
    """
    from tossup.shared.home import VARIABLE, home_folder

    named = os.environ.get("XDG_CONFIG_HOME", "")  # XDG says to ignore a relative one
    if os.path.isabs(named):
        return Path(named, "tossup", "publisher.pem")
    home = home_folder()
    if home is None:
        raise Failure(
            f"this user has no home folder for the publisher's key: {VARIABLE} is not an absolute"
            " path, and the system names none",
            f"name the key's file with --publisher-key, or set {VARIABLE}",
        )
    return Path(home, ".config", "tossup", "publisher.pem")


publisher_option: Callable[[Any], Any] = click.option(
    "--publisher-key", envvar="TOSSUP_PUBLISHER_KEY", type=click.Path(path_type=Path),
    default=default_path, show_default="~/.config/tossup/publisher.pem", show_envvar=True,
    help="The publisher's signing key, PEM; made if missing at the default place.",
)  # fmt: skip
new_key_option: Callable[[Any], Any] = click.option(
    "--new-publisher-key", is_flag=True,
    help="Make the key at --publisher-key if there is none: a new publisher.",
)  # fmt: skip


def load_or_create(path: Path, *, new_publisher: bool = False) -> "Ed25519PrivateKey":
    """Return the signing key at a path.

    Parameters
    ----------
    new_publisher
        Make the key if there is none. At the default path that is done without being told.

    Raises
    ------
    Failure
        If there is no key and none may be made, the file cannot be read or written, or it holds
        no Ed25519 key without password.
    """
    try:
        if path.exists():
            return load(path)
        if new_publisher or path == default_path():
            return _create(path)
        raise Failure(
            f"there is no publisher's key at {path}, and another key is another publisher",
            "correct --publisher-key or TOSSUP_PUBLISHER_KEY, or add --new-publisher-key",
        )
    except OSError as error:
        raise Failure(f"the publisher's key {path} cannot be used: {error.strerror}") from error


def load(path: Path) -> "Ed25519PrivateKey":
    """Return the signing key that a file holds.

    Raises
    ------
    Failure
        If it holds no Ed25519 key without password.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if path.stat().st_mode & 0o077:
        note(f"Note: others can read {path}; run: chmod 600 {path}")
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise Failure(f"{path} holds no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise Failure(f"{path} holds a key of another kind; manifests are signed with Ed25519")
    return key


def _create(path: Path) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
    note(f"Made the publisher's signing key {path}. Keep a copy: devices pin it for life.")
    return key
