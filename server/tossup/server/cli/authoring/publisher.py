"""The publisher's signing key for commands: named by an option, made on first use.

A key is made only where nobody named another place, or where a new publisher was asked for: a slip
in the path must not found one.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.output import Failure, note

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def default_path() -> Path:
    """Return the key's usual place: see `tossup.server.surveys.publishing.publisher.default_path`.

    Raises
    ------
    Failure
        If this user has no home folder.
    """
    from tossup.server.surveys.publishing import publisher

    try:
        return publisher.default_path()
    except publisher.KeyFileError as error:
        raise Failure(str(error), error.hint) from error


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
        exists = path.exists()
    except OSError as error:
        raise Failure(f"the publisher's key {path} cannot be used: {error.strerror}") from error
    if exists:
        return load(path)
    if new_publisher or path == default_path():
        return _create(path)
    raise Failure(
        f"there is no publisher's key at {path}, and another key is another publisher",
        "correct --publisher-key or TOSSUP_PUBLISHER_KEY, or add --new-publisher-key",
    )


def load(path: Path) -> "Ed25519PrivateKey":
    """Return the signing key that a file holds.

    Raises
    ------
    Failure
        If it cannot be read, or holds no Ed25519 key without password.
    """
    from tossup.server.surveys.publishing import publisher

    try:
        if path.stat().st_mode & 0o077:
            note(f"Note: others can read {path}; run: chmod 600 {path}")
        return publisher.load(path)
    except OSError as error:
        raise Failure(f"the publisher's key {path} cannot be used: {error.strerror}") from error
    except publisher.KeyFileError as error:
        raise Failure(str(error), error.hint) from error


def _create(path: Path) -> "Ed25519PrivateKey":
    from tossup.server.surveys.publishing import publisher

    try:
        key = publisher.create(path)
    except publisher.KeyFileError as error:
        raise Failure(str(error), error.hint) from error
    note(f"Made the publisher's signing key {path}. Keep a copy: devices pin it for life.")
    return key
