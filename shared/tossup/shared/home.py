"""A user's home folder, where keys and ledgers stand."""

import os
from typing import Final

#: The variable that names it on this platform.
VARIABLE: Final = "USERPROFILE" if os.name == "nt" else "HOME"


def home_folder() -> str | None:
    """Return this user's home folder: the environment's, else that of the password database.

    One that is empty or relative would lead to the root of the disk, or to another place from every
    working directory. None if neither is an absolute path.
    """
    for home in (os.environ.get(VARIABLE, ""), _registered()):
        if os.path.isabs(home):
            return home.rstrip("/\\")
    return None


def _registered() -> str:
    """Return the home folder in this user's entry of the password database; empty without one."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):  # Windows; or a container's user that has no entry
        return ""
