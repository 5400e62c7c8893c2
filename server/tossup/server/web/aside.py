"""Make one costly answer in a process of its own, of low priority and bounded memory.

Stage: results, beside the server. `tossup.server.web.serving.aside` is the program that runs there.
The server's interpreter lock is never held for it, a fault in it hurts no other request, and all
of its memory goes back to the system.
"""

import json
import logging
import os
import re
import signal
import subprocess
import sys
from datetime import date
from typing import Final

from tossup.server.config import Config
from tossup.server.refusals import Busy, Refused
from tossup.server.web.answers import Asked

#: Seconds of processor time, and bytes of address space, after which the answer is given up.
MOST_SECONDS: Final = 120
MOST_BYTES: Final = 2 << 30
#: Bytes of an answer before it is compressed, and of a page, which each visitor gets in a frame of
#: its own; a longer one is given up.
MOST_ANSWER_BYTES: Final = 48 << 20
MOST_PAGE_BYTES: Final = 16 << 20
#: The exit code of a process that says as JSON on its output why there is no answer.
EXPLAINED: Final = 3

#: What ends a process at its limit of time; SIGKILL also where the system has no memory left.
_ENDED_AT_LIMITS: Final = {-getattr(signal, name, 0) for name in ("SIGKILL", "SIGXCPU")} - {0}
#: How `problems.log_mistake` names a mistake: its type and place.
_MISTAKE: Final = re.compile(r"\w+ in [\w.<>]+:\d+", re.ASCII)

_log = logging.getLogger(__name__)


class TooDear(Refused):
    """An answer that needs more time or memory than it may have, or is too long."""

    def __init__(self) -> None:
        super().__init__(
            "this answer needs more time or memory than the server gives one, or is longer than it"
            " sends; ask for less of it (days, one group), or analyse a copy of the data with"
            " tossup.server.estimation",
            "too-dear",
        )


def make_aside(config: Config, day: date, asked: Asked) -> bytes:
    """Return the answer that a process of its own makes and compresses.

    Raises
    ------
    TooDear
        If it goes beyond its limits.
    Refused
        As the process explains; ``internal`` for a mistake in it, which is logged by its place.
    Busy
        If the system gives no process.
    """
    job = {
        "data": str(config.data),
        "public_url": config.public_url,
        "database_url": config.database_url,
        "replica_url": config.replica_url,
        "day": day.isoformat(),
        "asked": asked.to_json(),
    }
    try:
        done = _run(json.dumps(job).encode())
    except subprocess.TimeoutExpired:
        raise TooDear from None
    except OSError as error:
        _log.error("a costly answer was not begun: %s", type(error).__name__)
        raise Busy from error
    if done.returncode != 0:
        raise _refusal(done)
    return done.stdout


def _run(job: bytes) -> "subprocess.CompletedProcess[bytes]":
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOSSUP_")}
    return subprocess.run(
        [sys.executable, "-m", "tossup.server.web.serving.aside"],
        input=job,
        capture_output=True,
        timeout=10 * MOST_SECONDS,
        env=environment | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        check=False,
    )


def _refusal(done: "subprocess.CompletedProcess[bytes]") -> Refused:
    """Return why a process made no answer, and log what is our mistake."""
    if done.returncode in _ENDED_AT_LIMITS:
        return TooDear()
    if done.returncode == EXPLAINED:
        refusal = Refused(**json.loads(done.stdout))
    else:
        refusal = Refused("it was noted without your request; please tell the operator", "internal")
    if refusal.code == "internal":
        _log.error("a costly answer was not made: %s", _mistake(done))
    return refusal


def _mistake(done: "subprocess.CompletedProcess[bytes]") -> str:
    """Return what the process logged last, or how it ended; other words of it may quote data."""
    lines = done.stderr.decode(errors="replace").splitlines()
    named = [line for line in lines if _MISTAKE.fullmatch(line)]
    return named[-1] if named else f"its process ended with {done.returncode}"
