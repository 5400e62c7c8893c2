"""The browser engines that Debian packages, started like a person starts them: with an address.

No driver is in between; the page itself tells what it saw.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from browsing import CHROMIUM, FLAGS, PATIENCE

#: WebKit's own small browser, which Debian's package puts aside.
_MINI = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
#: By the Debian package that has it, what starts it.
ENGINES = {
    "chromium": [str(CHROMIUM), *FLAGS, "--headless=new", "--user-data-dir={profile}"],
    "firefox-esr": ["firefox-esr", "--headless", "--no-remote", "--profile", "{profile}"],
    "webkit2gtk-driver": ["xvfb-run", "-a", str(next(_MINI, "MiniBrowser"))],
}
#: Firefox opens addresses of its own accord as well: pages of a session that was killed, once more,
#: and often visited ones in a container of their own, to make small pictures of them.
PREFERENCES = """
user_pref("browser.sessionstore.resume_from_crash", false);
user_pref("browser.pagethumbnails.capturing_disabled", true);
"""


def told_by(engine: str, profile: Path, address: str, told: list[Any]) -> Any:
    """Return what a page tells in an engine with this profile, all of whose processes are killed.

    Parameters
    ----------
    told
        What pages have told, to which a server adds.
    """
    programs = [part for part in ENGINES[engine] if part[0] not in "-{"]
    if not all(map(shutil.which, programs)):
        pytest.skip(f"needs {' and '.join(programs)}: apt-get install {engine} xvfb")
    before = len(told)
    with _running(engine, profile, address):
        for _ in range(PATIENCE // 100):
            if len(told) > before:
                return told[-1]
            time.sleep(0.1)
    pytest.fail(f"{engine} told nothing")


@contextmanager
def _running(engine: str, profile: Path, address: str) -> Iterator[None]:
    (profile / "user.js").write_text(PREFERENCES)
    command = [part.format(profile=profile) for part in ENGINES[engine]]
    process = subprocess.Popen(
        [*command, address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # WebKit keeps what it stores below the home folder, and wants no root in its sandbox.
        env={**os.environ, "HOME": str(profile), "XDG_DATA_HOME": str(profile)}
        | {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"},
    )
    try:
        yield
    finally:
        killed(process)


def killed(process: subprocess.Popen[Any]) -> None:
    """Kill a browser that leads a group of processes with all of them, and wait until all are gone.

    Whoever starts on the same profile finds nobody who still holds its files.
    """
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    while _living(process.pid):
        time.sleep(0.01)


def _living(group: int) -> bool:
    """Whether a process of a group lives; one that is dead and not fetched yet does not."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, at = stat.read_text().rpartition(")")[2].split()[:3]
            if int(at) == group and state not in "ZX":
                return True
    return False
