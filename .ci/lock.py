"""Write both locks: what development needs, and the part of it that a server needs.

Run by ``make lock``. The part is compiled under the whole as a constraint, so pins agree. The
distribution itself, which its extra ``dev`` names, is left out: it is installed from the tree.
"""

import re
import subprocess
import sys
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
SELF = re.compile(r"^# WARNING: pip install will require.*\n(#.*\n)*tossup @ .*\n", re.MULTILINE)


def compile_lock(lock: str, *arguments: str) -> None:
    """Write one lock file, without ourselves in it."""
    command = [sys.executable, "-m", "piptools", "compile", *OPTIONS, "-o", lock, *arguments]
    subprocess.run(command, check=True)  # noqa: S603
    path = Path(lock)
    path.write_text(SELF.sub("", path.read_text()))


if __name__ == "__main__":
    build = Path("build/build.in")
    build.write_text("editables\nhatchling\n")
    compile_lock("requirements.lock", "--extra", "dev", "pyproject.toml")
    server = ("-c", "requirements.lock", "--extra", "server", "pyproject.toml", str(build))
    compile_lock("requirements-server.lock", *server)
