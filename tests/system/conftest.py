"""A real server process, and the command line beside it, in this process or in one of its own."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from time import sleep
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from compiling import compiled_once  # noqa: F401  (a fixture)
from killing import child, wait

from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.web.app import create_app
from tossup.server.web.pages.templating import load

Run = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Place:
    """A folder to work in, with a server running on a data folder inside it."""

    folder: Path
    url: str
    api_key: str
    environment: dict[str, str]

    def tossup(self, *arguments: str, **more: str) -> Run:
        """Run the command line here, with this server's address and key, in this process."""
        own = self.environment | more
        gone = {name: None for name in os.environ if name not in own}
        with contextlib.chdir(self.folder):
            done = CliRunner().invoke(root, arguments, env=own | gone, prog_name="tossup")
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Run(arguments, done.exit_code, done.stdout, done.stderr)

    def process(self, *arguments: str, stdin: object = subprocess.DEVNULL, **more: str) -> Run:
        """Run it as a process of its own, as people do: where that, or its input, matters."""
        return subprocess.run(
            [sys.executable, "-m", "tossup.server.cli", *arguments],
            check=False,
            cwd=self.folder,
            env=self.environment | more,
            stdin=stdin,
            capture_output=True,
            text=True,
        )

    def fetch(self, path: str) -> bytes:
        """Fetch a page; one that is worked out first says so with 503, and is asked for again."""
        for _ in range(600):
            try:
                with urlopen(f"{self.url}{path}") as answer:
                    return bytes(answer.read())
            except HTTPError as error:
                if error.code != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise
            sleep(0.1)
        raise TimeoutError(path)

    def json(self, *arguments: str) -> dict:
        """Return what a command prints with --json; it must succeed."""
        done = self.tossup(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="session", autouse=True)
def no_proxy() -> Iterator[None]:
    """Reach this machine itself without the proxy that it may use for others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("no_proxy", "127.0.0.1")
        yield


@contextlib.contextmanager
def serving(data: Path) -> Iterator[dict[str, str]]:
    """Run ``tossup serve``, and yield what it says when it is ready.

    It is a process of its own, but a forked one, which need not import all modules anew. Those
    that start as people start them are in `test_command_line` and `test_demo`.
    """
    reader, writer = os.pipe()
    pid = child(_serve, data, writer)
    os.close(writer)
    try:
        with os.fdopen(reader) as said:
            yield json.loads(said.readline())
    finally:
        os.kill(pid, signal.SIGTERM)
        wait(pid)


def _serve(data: Path, writer: int) -> None:
    os.dup2(writer, sys.__stdout__.fileno())
    sys.stdout = os.fdopen(writer, "w", encoding="utf-8")
    for name in [name for name in os.environ if name.startswith("TOSSUP_")]:
        del os.environ[name]
    root(["serve", "--json", "--data", str(data), "--port", "0"])


@pytest.fixture(scope="session")
def loaded(tmp_path_factory, compiled_once: None) -> None:  # noqa: F811
    """Compile all templates, which takes a second, once for the servers that are forked."""
    app = create_app(Config(data=tmp_path_factory.mktemp("loaded")))
    load(app)
    app.extensions["tossup"].close()


@pytest.fixture(scope="module")
def place(tmp_path_factory, loaded: None) -> Iterator[Place]:
    """A server for this module's tests, in an empty home folder."""
    folder = tmp_path_factory.mktemp("place")
    bare = {name: value for name, value in os.environ.items() if not name.startswith("TOSSUP_")}
    with serving(folder / "data") as server:
        own = {
            "HOME": str(folder),
            "TOSSUP_API_KEY": server["api_key"],
            "TOSSUP_DATA": str(folder / "data"),
            "TOSSUP_URL": server["url"],
        }
        yield Place(folder, server["url"], server["api_key"], bare | own)


@pytest.fixture(scope="session")
def shell_blocks() -> Callable[[Path], list[str]]:
    """Return the ``sh`` blocks of a Markdown file, without what a test cannot or need not do."""
    environment = ("python3 -m venv ", ". .tossup/", "pip install")
    skipped = (*environment, "make ", "tossup serve", "export TOSSUP_API_KEY=")

    def blocks(page: Path) -> list[str]:
        parts = page.read_text(encoding="utf-8").split("```sh\n")[1:]
        texts = [part.partition("```")[0] for part in parts]
        return [
            "".join(line for line in text.splitlines(keepends=True) if not line.startswith(skipped))
            for text in texts
        ]

    return blocks
