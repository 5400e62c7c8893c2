"""A server as a process of its own, as ``tossup serve`` starts it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tossup.shared.errors import TossupError


class ServerDidNotStart(TossupError):  # noqa: N818 - reads as the condition
    """``tossup serve`` ended before it was ready."""


@dataclass(frozen=True, slots=True)
class RunningServer:
    """What a fresh server says when it is ready.

    Attributes
    ----------
    url
        Where it listens, on this machine only.
    api_key
        The key it made on its first start.
    sign_in
        A one-time link to its pages.
    pid
        Its process.
    """

    url: str
    api_key: str
    sign_in: str
    pid: int


@contextmanager
def running_server(data: Path) -> Iterator[RunningServer]:
    """Run a server on a fresh data folder and a free port of this machine.

    Raises
    ------
    ServerDidNotStart
        If it ends before it is ready; its own message went to standard error.
    """
    command = [sys.executable, "-m", "tossup.server.cli", "serve", "--json"]
    command += ["--data", str(data), "--port", "0"]
    # The settings of a server that this machine may run as well are not for this one.
    own = {name: value for name, value in os.environ.items() if not name.startswith("TOSSUP_")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=own, text=True) as process:  # noqa: S603
        try:
            yield _ready(process)
        finally:
            process.terminate()


def _ready(process: "subprocess.Popen[str]") -> RunningServer:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise ServerDidNotStart("tossup serve ended before it was ready; see its message above")
    said = json.loads(line)
    return RunningServer(said["url"], said["api_key"], said["sign_in"], process.pid)
