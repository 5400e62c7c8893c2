"""Copies of one SQLite file: taken while others write to it, and brought back where none is.

Stage: beside the store. A copy is one file as the store was at one moment; whoever writes goes on.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from shutil import disk_usage

from tossup.server.store.connection import FilePool, create_file, storage_failures, sync_folder
from tossup.server.store.records import StorageFailed
from tossup.server.store.schema import require_same, require_some
from tossup.server.store.sql.pool import Connection

Check = Callable[[Path], None]


def require_this_version(source: Path) -> None:
    """Look at a store without changing it.

    Raises
    ------
    SchemaTooOld, SchemaTooNew
        If another version wrote it.
    StorageFailed
        If it cannot be read.
    """
    with storage_failures(), closing(FilePool(source)) as pool, pool.lend() as connection:
        require_some(connection)
        require_same(connection)


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
        If the copy cannot be written, or has no room.
    """
    with storage_failures(), closing(FilePool(source)) as pool, pool.lend() as connection:
        require_same(connection)

        def copy(partial: Path) -> None:
            _require_room(partial.parent, _size(connection))
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
        If it cannot be written or has no room, if the copy is no whole file of a store, or if what
        SQLite kept beside another file is there, which it would take for this one's.
    """

    def fill(partial: Path) -> None:
        _require_room(partial.parent, copy.stat().st_size)
        with copy.open("rb") as source, partial.open("wb") as written:
            while block := source.read(1 << 20):
                written.write(block)

    def checked(partial: Path) -> None:
        with closing(FilePool(partial)) as pool, pool.lend() as connection:
            require_some(connection)
        check(partial)
        with closing(FilePool(partial)) as pool, pool.lend() as connection:
            connection.execute("DELETE FROM sessions")
            connection.execute("DELETE FROM setup_links")

    with storage_failures():
        for file in _journals(copy):
            raise StorageFailed(f"a part of it is in {file}: it is a server's own file, no backup")
        for file in _journals(target):
            raise StorageFailed(
                f"{file} belongs to another {target.name}, and would be read into this one"
            )
        _appear(target, fill, checked)


def _appear(target: Path, fill: Check, check: Check) -> None:
    """Make a file under another name, and give it its own when it is whole and on the disk."""
    if target.exists():
        raise _exists(target)
    partial = target.with_name(target.name + ".partial")
    if not create_file(partial):
        raise StorageFailed(
            f"{partial} is there: another command writes it, or one was ended half way; delete it"
            " if none does"
        )
    try:
        fill(partial)
        check(partial)
        _sync(partial)
        _give_name(partial, target)
        sync_folder(target.parent)
    finally:
        _remove(partial)


def _give_name(partial: Path, target: Path) -> None:
    """Call a file by its name, unless another took it meanwhile, such as a server that started."""
    try:
        target.hardlink_to(partial)
    except FileExistsError as error:
        raise _exists(target) from error
    except OSError as error:  # not every file system has links
        if target.exists():
            raise _exists(target) from error
        partial.rename(target)


def _exists(target: Path) -> StorageFailed:
    return StorageFailed(f"{target} exists already, and nothing is written over")


def _sync(path: Path) -> None:
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _size(connection: Connection) -> int:
    """Return the bytes of a file without the pages that are free in it."""
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _require_room(folder: Path, size: int) -> None:
    """Raise before a disk is filled up that a server may need."""
    free = disk_usage(folder).free
    if free < size:
        raise StorageFailed(
            f"{folder} has {free / 1e6:.1f} MB free, and the file takes {size / 1e6:.1f} MB"
        )


def _journals(path: Path) -> Iterator[Path]:
    """Yield the files in which SQLite keeps what is not in a file yet."""
    beside = (path.with_name(path.name + end) for end in ("-wal", "-journal"))
    return (file for file in beside if file.exists())


def _remove(path: Path) -> None:
    """Remove a file, and what SQLite keeps beside one."""
    for end in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()
