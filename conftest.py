"""What makes collecting quick: examples are sought where there are some, compiling is shared."""

import gc
import os
import py_compile
import sys
from collections.abc import Generator
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from _pytest.doctest import DoctestModule

ROOT = Path(__file__).parent
TESTS = ROOT / "tests"
#: Files with proofs of two to four minutes: a file stays in one process.
LONGEST = tuple(
    TESTS / name
    for name in ("web/test_authoring.py", "client/web/test_mechanisms.py", "web/test_crowd.py")
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Compile a part of all modules first, each process of the run another part.

    Every process collects all tests; in a new checkout each would compile all of them, and rewrite
    their assertions, which takes nine seconds of a processor.
    """
    gc.disable()  # what collecting makes is there to stay
    worker, workers = (os.environ.get(f"PYTEST_XDIST_{of}") for of in ("WORKER", "WORKER_COUNT"))
    if not worker or not workers or sys.dont_write_bytecode:
        return
    folders = (TESTS, *(ROOT / name / "tossup" for name in ("server", "shared", "client")))
    modules = sorted(path for folder in folders for path in folder.rglob("*.py"))
    for path in modules[int(worker.removeprefix("gw")) :: int(workers)]:
        with suppress(SyntaxError, py_compile.PyCompileError):  # who imports it says so
            if path.name.startswith("test_"):
                _rewrite(path, session.config)
            elif not Path(cache_from_source(path)).exists():
                py_compile.compile(str(path), doraise=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the longest files come first, so that no core waits for them at the end."""
    places = {path: place for place, path in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(LONGEST)))


def pytest_collection_finish() -> None:
    """Let the garbage collector walk no more over what collecting made."""
    gc.enable()
    gc.collect()
    gc.freeze()


def _rewrite(path: Path, config: pytest.Config) -> None:
    """Keep a file of tests as pytest keeps it once it was imported."""
    kept = rewrite.get_cache_dir(path) / (path.stem + rewrite.PYC_TAIL)
    if rewrite._read_pyc(path, kept) is None and rewrite.try_makedirs(kept.parent):
        source, code = rewrite._rewrite_test(path, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, kept)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests where there is a prompt, and not in tests and their tools."""
    found = yield
    if TESTS not in file_path.parents and b">>>" in file_path.read_bytes():
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]
