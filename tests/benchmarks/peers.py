"""Peers in an environment of their own, and a process in it that measures them on demand."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

#: pure-ldp declares neither of its last two, and xxhash 4 refuses its calls.
PEERS = ("pure-ldp==1.2.0", "multi-freq-ldpy==0.2.5", "xxhash<4", "statsmodels", "scikit-learn")

ENVIRONMENT = Path(__file__).parents[2] / "build" / "peers"
WORKER = Path(__file__).with_name("peer_worker.py")


class Measure(Protocol):
    """Returns the seconds of processor time that a peer takes for some work."""

    def __call__(self, work: str, *, options: int, n: int) -> float:
        """Do it once."""


def python() -> Path:
    """Return the interpreter of the peers' environment, made at first use."""
    interpreter = ENVIRONMENT / "bin" / "python"
    stamp = ENVIRONMENT / "installed"
    if not stamp.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        install = [str(interpreter), "-m", "pip", "--disable-pip-version-check", "-q", "install"]
        subprocess.run([*install, *PEERS], check=True)
        stamp.touch()
    return interpreter


@contextmanager
def measuring() -> Iterator[Measure]:
    """Give what measures a peer, in one process, so that imports are paid once."""
    with subprocess.Popen(
        [str(python()), "-W", "ignore", str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:

        def measure(work: str, *, options: int, n: int) -> float:
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps([work, options, n]) + "\n")
            process.stdin.flush()
            return float(process.stdout.readline())

        yield measure
        assert process.stdin
        process.stdin.close()
