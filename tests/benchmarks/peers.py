"""Peers in an environment of their own, and a process in it that measures them on demand."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Protocol

#: Every peer by the name that its works begin with, and what it must be installed with: pure-ldp
#: declares neither of its last two, xxhash 4 refuses both peers' calls, and diffprivlib imports
#: what scikit-learn 1.6 no longer has.
PEERS = {
    "pure-ldp": ("pure-ldp==1.2.0", "xxhash<4", "statsmodels", "scikit-learn<1.6"),
    "multi-freq-ldpy": ("multi-freq-ldpy==0.2.5", "xxhash<4"),
    "opendp": ("opendp==0.16.0",),
    "diffprivlib": ("diffprivlib==0.6.6", "scikit-learn<1.6"),
}

ENVIRONMENT = Path(__file__).parents[2] / "build" / "peers"
WORKER = Path(__file__).with_name("peer_worker.py")


class PeerMissingError(Exception):
    """A peer that cannot be measured here; the message says which, and why."""


class Measure(Protocol):
    """Returns the seconds of processor time that a peer takes for some work.

    Raises `PeerMissingError` if the peer could not be installed, or does not run.
    """

    def __call__(self, work: str, *, options: int, n: int) -> float:
        """Do it once."""


@cache
def python() -> Path:
    """Return the interpreter of the peers' environment, made at first use."""
    interpreter = ENVIRONMENT / "bin" / "python"
    if not interpreter.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    return interpreter


@cache
def is_installed(name: str) -> bool:
    """Return whether a peer is installed, after trying to if it was not yet."""
    stamp, wanted = ENVIRONMENT / f"{name}.installed", "\n".join(PEERS[name])
    if stamp.exists() and stamp.read_text() == wanted:
        return True
    print(f"  installing {name} ...", file=sys.stderr)
    pip = [str(python()), "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    if subprocess.run([*pip, *PEERS[name]], check=False).returncode:
        return False
    stamp.write_text(wanted)
    return True


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
            name = work.split(maxsplit=1)[0]
            if not is_installed(name):
                raise PeerMissingError(f"{PEERS[name][0]} could not be installed")
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps([work, options, n]) + "\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline() or '"its process ended"')
            if isinstance(found, str):
                raise PeerMissingError(f"{PEERS[name][0]} does not run: {found}")
            return float(found)

        yield measure
        assert process.stdin
        process.stdin.close()
