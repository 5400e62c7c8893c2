"""The device's one SQLite file: how it is made, opened, locked and committed durably.

Stage: under the ledger and the outbox. A connection lives for one transaction only. In return a
fork inherits nothing, no file stays open, and the store is always whole on its own. A transaction
first saves the pages that it changes in a journal, and writes to the store after that. The journal
stays, void, and the next one is written over it; a transaction that erases anything leaves it
empty, so that nothing that was erased is in it.
"""

import os
import secrets
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Final, Protocol, TypeVar

from tossup.client.errors import (
    LedgerDamaged,
    Misconfigured,
    StoreTooNew,
    StoreUnavailable,
    pass_on,
    suppress,
)
from tossup.client.store.locks import CAN_LOCK, file_lock, no_fork_meanwhile
from tossup.client.store.places import make_folder, read_mark

APPLICATION_ID: Final = 0x746F7373  # "toss"
SCHEMA_VERSION: Final = 1
BUSY_MILLISECONDS: Final = 10_000

# These are also made when first needed, where an older SDK made the store.
SERVERS_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS servers (publisher TEXT NOT NULL, survey TEXT NOT NULL,"
    " server TEXT NOT NULL, PRIMARY KEY (publisher, survey)) WITHOUT ROWID"
)
TOTALS_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS totals (one INTEGER PRIMARY KEY CHECK (one = 1),"
    " sums TEXT NOT NULL, topics BLOB NOT NULL, seal BLOB NOT NULL)"
)
TOPICS_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS topics (hash INTEGER NOT NULL, publisher TEXT NOT NULL,"
    " topic TEXT NOT NULL, survey TEXT NOT NULL, entries INTEGER NOT NULL, waves TEXT NOT NULL,"
    " odds TEXT NOT NULL, place INTEGER NOT NULL, link BLOB NOT NULL, seal BLOB NOT NULL,"
    " PRIMARY KEY (hash, publisher, topic)) WITHOUT ROWID"
)

_SCHEMA: Final = (
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1),"
    " entries INTEGER NOT NULL, link BLOB NOT NULL)",
    "CREATE TABLE ledger (place INTEGER PRIMARY KEY, publisher TEXT NOT NULL,"
    " topic TEXT NOT NULL, survey TEXT NOT NULL, manifest TEXT NOT NULL,"
    " question TEXT NOT NULL, odds TEXT NOT NULL, delta TEXT NOT NULL, wave TEXT NOT NULL,"
    " link BLOB NOT NULL)",
    "CREATE TABLE memory (publisher TEXT NOT NULL, topic TEXT NOT NULL, survey TEXT NOT NULL,"
    " design TEXT NOT NULL, kept TEXT NOT NULL, seal BLOB NOT NULL,"
    " PRIMARY KEY (publisher, topic))",
    "CREATE TABLE turns (publisher TEXT NOT NULL, survey TEXT NOT NULL, count INTEGER NOT NULL,"
    " times INTEGER NOT NULL, waves TEXT NOT NULL, PRIMARY KEY (publisher, survey, count, times))",
    "CREATE TABLE manifests (digest TEXT PRIMARY KEY, publisher TEXT NOT NULL,"
    " survey TEXT NOT NULL, version INTEGER NOT NULL, envelope BLOB NOT NULL)",
    "CREATE TABLE surveys (publisher TEXT NOT NULL, survey TEXT NOT NULL, consent INTEGER,"
    " closed INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,"
    " retry_at INTEGER NOT NULL DEFAULT 0, delay INTEGER NOT NULL DEFAULT 0, problem TEXT,"
    " PRIMARY KEY (publisher, survey))",
    "CREATE TABLE repairs (place INTEGER PRIMARY KEY, kept INTEGER NOT NULL)",
    SERVERS_SCHEMA,
    TOTALS_SCHEMA,
    TOPICS_SCHEMA,
)

OUTBOX_SCHEMA: Final = (
    "CREATE TABLE {name} (id BLOB PRIMARY KEY, publisher TEXT NOT NULL, survey TEXT NOT NULL,"
    " manifest TEXT NOT NULL, question TEXT NOT NULL, report TEXT NOT NULL, state TEXT NOT NULL,"
    " code TEXT NOT NULL, attempted INTEGER NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID",
    # By this, what the server has is neither read nor counted row by row.
    "CREATE INDEX IF NOT EXISTS {name}_states ON {name} (state, publisher, survey)",
)

# What SQLite says when the store cannot be used now, though nothing is wrong with its content.
_PASSING: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_READONLY,
}

T = TypeVar("T")

Value = str | bytes | int | None
Row = Sequence[Value]


class Cursor(Protocol):
    """What the store needs of a cursor."""

    def fetchone(self) -> Row | None: ...  # noqa: D102 - as in PEP 249
    def fetchall(self) -> list[Row]: ...  # noqa: D102 - as in PEP 249


class Connection(Protocol):
    """What the store needs of a connection: `sqlite3` and `apsw` both have it."""

    def execute(self, sql: str, parameters: Sequence[Value] = ..., /) -> Cursor: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


def connect(path: str) -> Connection:
    """Return a connection in autocommit mode; every transaction is begun by hand."""
    return sqlite3.connect(path, isolation_level=None)


def has_table(connection: Connection, name: str) -> bool:
    """Return whether a table is there; one that an older SDK does not know may not be."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return found is not None


def rows_if_any(connection: Connection, sql: str, parameters: Sequence[Value] = ()) -> list[Row]:
    """Return the rows of a query; none where the table is not there or cannot be read.

    Raises
    ------
    StoreUnavailable
        If the store cannot be used now.
    """
    try:
        return connection.execute(sql, parameters).fetchall()
    except sqlite3.Error as error:
        pass_on(error)
        translated = translate(error)
    if isinstance(translated, LedgerDamaged):
        return []
    raise translated


class Database:
    """One device's store.

    Parameters
    ----------
    path
        The file. It is made when first needed, readable by its owner only; so is its folder.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.lock_path = path + ".lock"
        self.mark_path = path + ".mark"
        self.draft_path = path + ".new"

    def run(self, work: Callable[[Connection], T], *, erases: bool = True) -> T:
        """Run work in one transaction that is durable when this returns.

        Parameters
        ----------
        work
            Is given the connection. Whatever it raises undoes all that it did.
        erases
            Whether it may erase what the store should hold no more. One that does not takes less
            time, since its journal keeps its place on the disk.

        Raises
        ------
        StoreUnavailable
            If the store cannot be opened, locked or written, or this thread is in a transaction
            already. Nothing was changed.
        StoreTooNew
            If a newer SDK wrote the store. Nothing was changed.
        LedgerDamaged
            If the store's content is not what was written.
        """
        with no_fork_meanwhile(), _translated_errors():
            opened: list[Connection] = []
            try:
                connection = self._open(opened, "TRUNCATE" if erases else "PERSIST")
                connection.execute("BEGIN IMMEDIATE")
                done = work(connection)
                connection.execute("COMMIT")
            finally:  # closing rolls back whatever was not committed
                try:
                    _close(opened)
                finally:
                    _close(opened)  # a signal's handler may have raised in the first
        return done

    @contextmanager
    def second_look(self) -> Iterator[Connection]:
        """Open another connection, to read what is damaged.

        An unreadable page spoils the transaction that meets it, so a repair, which writes in
        one transaction, reads through another connection.
        """
        opened: list[Connection] = []
        try:
            yield self._open(opened, "TRUNCATE")
        finally:
            _close(opened)

    @contextmanager
    def sole_flusher(self) -> Iterator[bool]:
        """Hold the lock of uploads during the block, and tell it whether the lock was free.

        Raises
        ------
        StoreUnavailable
            If the lock file cannot be made.
        """
        with ExitStack() as stack:
            with _translated_errors():
                make_folder(os.path.dirname(self.path))
                free = stack.enter_context(file_lock(self.lock_path))
            yield free is not None

    def _open(self, opened: list[Connection], journal: str) -> Connection:
        """Open the store, and say what becomes of its journal after a commit.

        Every connection is put among those opened before it locks anything, so that the caller
        closes it even if a signal's handler raises before it is returned.
        """
        try:
            names = os.stat(self.path).st_nlink
        except FileNotFoundError:
            self._create()
            names = 1
        if names > 1:  # whoever made it died before the draft lost its name
            self._remove_draft()
        connection = connect(self.path)
        opened.append(connection)
        connection.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
        _check_schema(connection)  # before anything changes a file that is not ours
        _configure(connection, journal)
        return connection

    def _create(self) -> None:
        """Make the store under another name and link it into place, so that it is never half made.

        An existing file without a ledger, even an empty one, is therefore a damaged store.
        """
        folder = os.path.dirname(self.path)
        make_folder(folder)
        if os.path.islink(self.path):  # to a disk that is not there now, say
            raise StoreUnavailable("the device's store is a symbolic link that leads nowhere")
        if read_mark(self.mark_path) or self._has_a_journal():
            raise LedgerDamaged
        while not os.path.exists(self.path):
            self._make(folder)

    def _has_a_journal(self) -> bool:
        """Return whether a store that is gone left one that SQLite would take for a new one's."""
        if os.path.exists(self.path + "-wal"):
            return True
        try:
            with open(self.path + "-journal", "rb") as journal:
                return journal.read(1) not in (b"", b"\0")  # a void one begins with zeros
        except FileNotFoundError:
            return False

    def _make(self, folder: str) -> None:
        """Make the store, unless another process has or does; a draft left by a crash is reused."""
        draft = self.draft_path if CAN_LOCK else f"{self.path}.{secrets.token_hex(8)}.new"
        with file_lock(draft, waits=True) if CAN_LOCK else nullcontext() as descriptor:
            if descriptor is not None and not _is_at(descriptor, draft):
                return  # another process has made the store, or removed this draft
            try:
                if not os.path.exists(self.path) and not _has_two_names(draft):
                    _write_new(draft)
                    _put_in_place(draft, self.path)
                    _sync(folder)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(draft)

    def _remove_draft(self) -> None:
        """Take the draft's name from the store, if it has it still."""
        with suppress(FileNotFoundError):
            if os.path.samefile(self.draft_path, self.path):
                os.unlink(self.draft_path)


def _close(opened: list[Connection]) -> None:
    """Close every connection that is still open; one that is left open locks the store."""
    while opened:
        opened[-1].close()
        opened.pop()


@contextmanager
def _translated_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        pass_on(error)
        translated = translate(error)
    except OSError as error:
        pass_on(error)
        translated = StoreUnavailable(f"the device's store cannot be used: {error.strerror}")
    else:
        return
    raise translated from None


def translate(error: sqlite3.Error) -> StoreUnavailable | LedgerDamaged:
    """Return what an error of SQLite means for the device: try later, or never again."""
    if _primary_code(error) in _PASSING:
        name = getattr(error, "sqlite_errorname", "SQLITE_BUSY")
        return StoreUnavailable(f"the device's store cannot be used now ({name}); nothing was sent")
    return LedgerDamaged()


def _primary_code(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _configure(connection: Connection, journal: str) -> None:
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute("PRAGMA secure_delete=ON")
    if sys.platform == "darwin":  # the only system where a sync may stop at the disk's cache
        connection.execute("PRAGMA fullfsync=ON")
        connection.execute("PRAGMA checkpoint_fullfsync=ON")
    _keep_journal(connection, journal)
    connection.execute("PRAGMA synchronous=FULL")
    if _pragma(connection, "synchronous") != 2:  # a build or a wrapper may override it
        raise StoreUnavailable("this SQLite does not make commits durable (synchronous=FULL)")


def _keep_journal(connection: Connection, journal: str) -> None:
    """Set the journal's mode, unless an older SDK's log is open elsewhere: that is as durable."""
    try:
        mode = _pragma(connection, f"journal_mode={journal}")
    except sqlite3.OperationalError as error:
        if _primary_code(error) != sqlite3.SQLITE_BUSY:
            raise
        mode = _pragma(connection, "journal_mode")
    if mode not in (journal.lower(), "wal"):
        raise StoreUnavailable(f"this SQLite keeps no journal on the disk: its mode is {mode!r}")


def _check_schema(connection: Connection) -> None:
    application = _pragma(connection, "application_id")
    if application not in (0, APPLICATION_ID):
        raise Misconfigured("the store's file is another application's database; give another path")
    if application == 0:
        raise LedgerDamaged("the store's file is not a Tossup ledger; give another path")
    version = _pragma(connection, "user_version")
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise StoreTooNew
    if version != SCHEMA_VERSION:
        raise LedgerDamaged("the store's schema is of no version of Tossup; give another path")


def _pragma(connection: Connection, text: str) -> Value:
    row = connection.execute(f"PRAGMA {text}").fetchone()
    return row[0] if row else None


_blank = b""  # an empty store, made once in a process: every new store begins as these bytes


def _write_new(draft: str) -> None:
    global _blank  # noqa: PLW0603 - whoever makes it first, it is the same
    descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        if not _blank:
            _make_tables(draft)
            _blank = file.read()
        else:
            file.write(_blank)
    _sync(draft)


def _make_tables(draft: str) -> None:
    """Make the tables without a file beside the draft, which a crash would leave."""
    connection = connect(draft)
    try:
        connection.execute("PRAGMA synchronous=OFF")  # one sync of the whole, at the end
        connection.execute("PRAGMA journal_mode=MEMORY")
        connection.execute("BEGIN IMMEDIATE")
        for statement in (*_SCHEMA, *OUTBOX_SCHEMA):
            connection.execute(statement.format(name="outbox_0"))
        connection.execute("INSERT INTO head VALUES (1, 0, ?)", (bytes(32),))
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        connection.execute("COMMIT")
    finally:
        connection.close()


def _is_at(descriptor: int, path: str) -> bool:
    """Return whether an open file still has this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _has_two_names(path: str) -> bool:
    """Return whether a file is, under another name, a store that was moved away."""
    return os.path.exists(path) and os.stat(path).st_nlink > 1


def _put_in_place(draft: str, path: str) -> None:
    """Give the draft its name, unless another process was first."""
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links: renaming is as good but for a tiny race
        os.rename(draft, path)


def _sync(path: str) -> None:
    """Make a file or a folder durable."""
    if os.name != "posix":  # pragma: no cover - Windows has no such thing for folders
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
