"""Copies of one SQLite file: taken while others write to it, and brought back where none is.

Stage: beside the store. A copy is one file as the store was at one moment; whoever writes goes on.
"""

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from tossup.server.store.connection import FilePool, create_file, storage_failures, sync_folder
from tossup.server.store.records import StorageFailed
from tossup.server.store.schema import require_same

Check = Callable[[Path], None]


def copy_store(source: Path, target: Path, check: Check) -> None:
    """Write the store as it is now to a new file, readable by its owner alone.

    The copy appears under its name once it is checked and on the disk, or not at all.

    Parameters
    ----------
    source
        The file of a store; it may be in use.
    target
        Must not exist.
    check
        Is given the copy, and raises if it is not what it must be.

    Raises
    ------
    SchemaTooOld, SchemaTooNew
        If another version wrote the store: only the same can count its reports again.
    StorageFailed
        If the copy cannot be written.
    """
    with storage_failures(), closing(FilePool(source)) as pool, pool.lend() as connection:
        require_same(connection)

        def copy(partial: Path) -> None:
            connection.execute("VACUUM INTO ?", (str(partial),))

        _appear(target, copy, check)


def restore_store(copy: Path, target: Path, check: Check) -> None:
    """Put a copy where no store is, and end all sessions and sign-in links that it remembers.

    Parameters
    ----------
    copy
        A file that `copy_store` wrote, of this version or an older one.
    target
        Must not exist.
    check
        Is given the new store's file before it has its name, and raises if it is not whole.

    Raises
    ------
    StorageFailed
        If it cannot be written.
    """

    def fill(partial: Path) -> None:
        with copy.open("rb") as source, partial.open("wb") as written:
            while block := source.read(1 << 20):
                written.write(block)

    def checked(partial: Path) -> None:
        check(partial)
        with closing(FilePool(partial)) as pool, pool.lend() as connection:
            connection.execute("DELETE FROM sessions")
            connection.execute("DELETE FROM setup_links")

    with storage_failures():
        _appear(target, fill, checked)


def _appear(target: Path, fill: Check, check: Check) -> None:
    """Make a file under another name, and give it its own when it is whole and on the disk."""
    if target.exists():
        raise StorageFailed(f"{target} exists already, and nothing is written over")
    partial = target.with_name(target.name + ".partial")
    _remove(partial)
    try:
        create_file(partial)
        fill(partial)
        check(partial)
        _sync(partial)
        partial.rename(target)
        sync_folder(target.parent)
    finally:
        _remove(partial)


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _remove(path: Path) -> None:
    """Remove a file, and what SQLite keeps beside one."""
    for end in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()
