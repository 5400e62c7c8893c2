"""Where a device's store is, and the files beside it that guard against another memory.

Stage: under the ledger. One user has one ledger, wherever an app runs: a store that is found from
one working directory and not from another would be a second memory, and toss again.

The mark remembers how long the ledger once was. It is written after each durable commit and checked
before each toss. A ledger that is shorter than its mark, or gone, has lost entries in a way its own
hashes cannot show: a write-ahead log that was damaged or deleted, or an old copy put back. The mark
is never ahead of the ledger, so a crash raises no false alarm. Without a mark, or with something
else in its place, nothing is concluded; if it cannot be read now, the store cannot be used now. A
store that is put back from a backup together with its mark would toss again all the same, so the
folder carries the files that keep it out of backups.
"""

import os
import re
import sys
from hashlib import sha256
from typing import Final

from tossup.client.errors import Misconfigured, suppress

StorePath = str | os.PathLike[str]

_NAME: Final = os.path.join("tossup", "device.db")

#: Files that tell backup programs to leave a folder out; see bford.info/cachedir for the first.
_MARKERS: Final = {
    "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# Keep this folder out of backups, and do not delete it. It is a ledger of what this device\n"
    "# has answered: one that is put back has forgotten the rest, and coins are tossed again.\n",
    ".nobackup": "",
}
_APPLE: Final = b"com.apple.metadata:com_apple_backup_excludeItem"

_MARK_BYTES: Final = 200


def store_path(store: StorePath | None) -> str:
    """Return the absolute path of the store: the one given, or this user's own.

    Raises
    ------
    Misconfigured
        If it is no path, a relative path, or in the home folder of an unknown user.
    """
    path = os.path.join(_data_folder(), _NAME) if store is None else plain_path(store, "store")
    path = _from_home(path)
    if not os.path.isabs(path):
        raise Misconfigured(
            "store must be an absolute path: by a relative one, an app that starts in another"
            " folder would not find what was answered, and toss again. Leave store out, for one"
            " ledger in the user's data folder, or make it absolute: '~' is the home folder"
        )
    if os.path.isdir(path):
        raise Misconfigured(f"store must be the path of a file, and {path} is a folder")
    return os.path.abspath(path)


def plain_path(path: StorePath, what: str) -> str:
    """Return a path as text.

    Raises
    ------
    Misconfigured
        If it is none.
    """
    try:
        text = os.fspath(path)
    except TypeError:
        text = ""
    if not isinstance(text, str) or not text or "\0" in text:
        raise Misconfigured(f"{what} must be the path of a file")
    return text


def make_folder(folder: str) -> None:
    """Make a store's folder, readable by its owner only, and mark it for backup programs.

    A folder that is there already is the host app's, and is left as it is.

    Raises
    ------
    OSError
        If it cannot be made. Markers that cannot be written are left out.
    """
    if os.path.isdir(folder):
        return
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for name, text in _MARKERS.items():
        with suppress(OSError):
            _write(os.path.join(folder, name), text)
    if sys.platform == "darwin":
        _mark_for_apple(folder)


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
        count, _space, seal = os.read(descriptor, _MARK_BYTES).partition(b" ")
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


def _data_folder() -> str:
    """Return the platform's folder for a user's data."""
    if sys.platform == "darwin":
        return "~/Library/Application Support"
    variable, default = "XDG_DATA_HOME", "~/.local/share"
    if sys.platform == "win32":
        variable, default = "LOCALAPPDATA", "~/AppData/Local"
    named = os.environ.get(variable, "")  # XDG says to ignore a relative one
    return named if os.path.isabs(named) else default


def _from_home(path: str) -> str:
    """Return a path with its leading ``~`` or ``~user`` replaced by that home folder."""
    if re.match(r"~(?:[/\\]|$)", path):
        return _home() + path[1:]
    return os.path.expanduser(path)


def _home() -> str:
    """Return this user's home folder.

    Raises
    ------
    Misconfigured
        If none is known.
    """
    from tossup.shared.home import VARIABLE, home_folder

    home = home_folder()
    if home is None:
        raise Misconfigured(
            f"this user has no home folder for the store: {VARIABLE} is not an absolute path, and"
            " the system names none. Give store an absolute path, the same at every start, or set"
            f" {VARIABLE}"
        )
    return home


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _mark_for_apple(folder: str) -> None:  # pragma: no cover - macOS alone
    """Tell Time Machine to leave a folder out, as `tmutil addexclusion` does."""
    import ctypes
    import plistlib

    value = plistlib.dumps("com.apple.backupd", fmt=plistlib.FMT_BINARY)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).setxattr(os.fsencode(folder), _APPLE, value, len(value), 0, 0)


def _seal(count: bytes) -> bytes:
    return sha256(b"tossup ledger mark " + count).hexdigest().encode()
