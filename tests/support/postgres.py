"""A PostgreSQL of the tests' own: made in a temporary folder, run as an unprivileged user.

Debian's package ``postgresql`` brings the programs, and the user for a machine where tests run as
root, which PostgreSQL refuses to.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg

from tossup.server.store.postgres import PostgresStore

_NUMBERS = count(1)


class Cluster:
    """A server and its databases, reached through a socket in its folder."""

    def __init__(self) -> None:
        self._make_folder()
        settings = ["--auth=trust", "--username=tossup", "--encoding=UTF8", "--locale=C"]
        self._run("initdb", *settings, "--no-sync", "--no-instructions")
        self.start()
        self._execute("CREATE DATABASE template_tossup")
        PostgresStore(self.url("template_tossup")).close()

    def url(self, database: str) -> str:
        return f"postgresql://tossup@/{database}?host={quote(str(self.folder), safe='')}"

    def database(self) -> str:
        """Return the URL of a new database with our schema and nothing in it."""
        name = f"t{next(_NUMBERS)}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE template_tossup")
        return self.url(name)

    def start(self, **settings: str) -> None:
        given = {"listen_addresses": "", "unix_socket_directories": str(self.folder)}
        given |= {"shared_buffers": "32MB"} | settings
        options = " ".join(f"-c {name}='{value}'" for name, value in given.items())
        self._control("start", "-w", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; ``immediate`` is a crash."""
        self._control("stop", "-m", mode)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Stop every process of the server, which goes on afterwards as if nothing had been."""
        leader = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        listed = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
        processes = [leader, *map(int, listed)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def _make_folder(self) -> None:
        """Make the folder, which an unprivileged user owns if we are none."""
        self.folder = Path(tempfile.mkdtemp(prefix="tossup-pg-"))
        self._as = {}
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self._as = {"user": "postgres", "group": "postgres", "extra_groups": []}

    def _control(self, *arguments: str) -> None:
        """Start, stop or promote it, and wait for that as long as a busy machine takes."""
        self._run("pg_ctl", "-s", "--timeout=300", *arguments)

    def _run(self, name: str, *arguments: str) -> None:
        command = [program(name), "-D", str(self.folder / "data"), *arguments]
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **self._as)

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)


class Standby(Cluster):
    """A copy of a cluster that follows it, and answers what only reads."""

    def __init__(self, primary: Cluster) -> None:
        self._make_folder()
        settings = ["-h", str(primary.folder), "-U", "tossup", "--write-recovery-conf"]
        self._run("pg_basebackup", *settings, "--checkpoint=fast", "--no-sync")
        self.start()


def program(name: str) -> str:
    """Return the path of a program of the newest PostgreSQL; Debian puts none on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = str(found[-1]) if found else shutil.which(name)
    assert path, "the tests need PostgreSQL: apt-get install postgresql"
    return path
