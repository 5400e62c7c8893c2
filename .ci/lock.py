"""Write all locks: what development needs, extras too, what a server needs without extras, and what
clusters and load need beside development.

Run by ``make lock``. The others are compiled under the first as a constraint, so pins agree. Our
own two distributions are left out: they are installed from the tree.
"""

import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

OPTIONS = [
    "--quiet",
    "--generate-hashes",
    "--strip-extras",
    "--allow-unsafe",
    "--annotation-style=line",
    "--no-header",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--no-emit-trusted-host",
    "--no-emit-options",
]
BUILD = ("editables", "hatchling")
#: Extras that development does without: they are larger than all the rest (`make clusters`).
CLUSTERS = ("spark", "ray")


def read(path: str) -> dict:
    """Return a table of TOML."""
    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def compile_lock(lock: str, requirements: list[str], *constraint: str) -> None:
    """Write one lock file."""
    source = Path("build") / Path(lock).with_suffix(".in")
    source.write_text("\n".join(requirements) + "\n")
    command = [sys.executable, "-m", "piptools", "compile", *OPTIONS, "-o", lock, *constraint]
    subprocess.run([*command, str(source)], check=True)  # noqa: S603


if __name__ == "__main__":
    device, server = read("pyproject.toml"), read("server/pyproject.toml")
    needed = [*device["project"]["dependencies"], *server["project"]["dependencies"]]
    served = [line for line in needed if not line.startswith("tossup")]
    optional = server["project"]["optional-dependencies"]
    extras = chain.from_iterable(optional[name] for name in optional if name not in CLUSTERS)
    developed = [*served, *extras, *device["dependency-groups"]["dev"]]
    compile_lock("requirements.lock", developed)
    compile_lock("requirements-server.lock", [*served, *BUILD], "-c", "requirements.lock")
    clusters = chain.from_iterable(optional[name] for name in CLUSTERS)
    compile_lock("requirements-clusters.lock", [*clusters], "-c", "requirements.lock")
    load = device["dependency-groups"]["load"]
    compile_lock("requirements-load.lock", load, "-c", "requirements.lock")
