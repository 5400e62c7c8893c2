"""The device's file when disks fill up, folders close, and bytes rot."""

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from killing import child, wait
from sweeps import proving

from tossup.client import Client, Outcome, answering
from tossup.client.store import database

ANSWERS = {"ever_tried": True, "rating": "r2", "region": "north"}
ONE = {"ever_tried": True, "region": "north"}
REST = {"rating": "r2", "region": "north"}


@pytest.fixture
def no_toss(monkeypatch):
    """Makes any toss from now on a failure of the test."""

    def forbid() -> None:
        monkeypatch.setattr(answering, "Coins", lambda: pytest.fail("a coin was tossed"))

    return forbid


def sql(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def test_only_the_owner_can_read_the_store(client, store):
    """Folder 0700, files 0600."""
    client.answer(ANSWERS)

    assert stat.S_IMODE(store.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in store.parent.iterdir()} == {0o600}


def test_the_store_is_whole_on_its_own_between_calls(client, store, tmp_path):
    """Beside it lie its mark, what keeps backups away, and a journal that is void."""
    client.answer(ANSWERS)
    kept = {"store.db", "store.db.mark", "store.db-journal", "CACHEDIR.TAG", ".nobackup"}
    alone = tmp_path / "alone.db"
    shutil.copy(store, alone)

    assert {file.name for file in store.parent.iterdir()} == kept
    assert store.with_name("store.db-journal").read_bytes().startswith(bytes(28))
    with closing(sqlite3.connect(alone)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*) FROM ledger").fetchone() == (2,)


@pytest.mark.parametrize("erase", ["flush", "withdraw"])
def test_what_is_erased_is_in_no_file(client, store, erase):
    """The reports that the server has, and those that never left: not in the journal either."""
    client.answer(ONE)
    client.answer(REST)
    with closing(sqlite3.connect(store)) as connection:
        seals = [seal for (seal,) in connection.execute("SELECT seal FROM outbox_0")]
    found = [seal in store.read_bytes() for seal in seals]
    getattr(client, erase)()
    files = b"".join(file.read_bytes() for file in store.parent.iterdir())

    assert found == [True, True]
    assert [seal in files for seal in seals] == [False, False]
    assert store.with_name("store.db-journal").read_bytes() == b""


def test_a_journal_of_a_store_that_is_gone_is_put_into_no_new_one(client, store):
    """SQLite would write its pages into whatever store is found there; a void one means nothing."""
    client.survey()
    journal = store.with_name("store.db-journal")
    store.unlink()
    journal.write_bytes(b"\xd9\xd5\x05\xf9 \xa1c\xd7" + bytes(504))

    assert client.answer(ONE) is Outcome.LEDGER_DAMAGED
    journal.write_bytes(bytes(512))

    assert client.survey() is not None


def test_a_full_disk_refuses_and_keeps_what_was_acknowledged(stub, survey, tmp_path, publisher_key):
    """On a 256 KiB disk: a typed outcome, nothing half stored, all that was queued is sent."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        _fill_and_check(stub, survey, disk, publisher_key)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _fill_and_check(stub, survey, disk: Path, key) -> None:
    from dataclasses import replace

    question = survey.questions[0]
    questions = tuple(replace(question, id=f"q{n}", topic=f"t{n}") for n in range(40))
    many = replace(survey, id="many", questions=questions, attributes=())
    stub.publish(many, key)
    cap = 3**40
    client = Client(
        stub.link(many), many.publisher.key, store=disk / "s.db", publisher_cap=cap, device_cap=cap
    )
    queued = 0
    for n in range(40):
        if n == 5:
            _fill(disk)
        outcome = client.answer({f"q{n}": True})
        assert outcome in (Outcome.QUEUED, Outcome.STORE_UNAVAILABLE)
        queued += outcome is Outcome.QUEUED
    assert queued < 40
    (disk / "filler").unlink()

    assert client.status().device.odds == 3**queued
    assert client.flush().sent == queued


def _fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass


@pytest.mark.skipif(
    os.geteuid() == 0 and not shutil.which("setpriv"), reason="root writes anywhere"
)
def test_a_read_only_folder_refuses_before_any_toss(client, store, no_toss):
    """A store that cannot be written is an outcome, and no coin is tossed."""
    client.answer(ONE)
    no_toss()
    with read_only(store.parent):
        assert client.answer(REST) is Outcome.STORE_UNAVAILABLE
        assert client.flush().reason == "store-unavailable"
        assert client.status().pending == 1


class read_only:  # noqa: N801 - reads as a statement
    """A folder without write permission, for a user that permissions bind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        for path in (self.folder, *self.folder.iterdir()):
            if os.geteuid() == 0:
                os.chown(path, 65534, 65534)
            path.chmod(0o500 if path.is_dir() else 0o400)
        for parent in self.folder.parents:
            if parent.stat().st_mode & 0o111 != 0o111:
                parent.chmod(parent.stat().st_mode | 0o111)
        if os.geteuid() == 0:
            os.seteuid(65534)

    def __exit__(self, *_) -> None:
        os.seteuid(os.getuid())
        self.folder.chmod(0o700)


def test_a_store_that_cannot_be_made_is_an_outcome(stub, survey, tmp_path, no_toss):
    """A file where the folder should be."""
    (tmp_path / "file").write_text("")
    no_toss()
    client = Client(stub.link(survey), survey.publisher.key, store=tmp_path / "file" / "s.db")

    assert client.answer(ONE) is Outcome.STORE_UNAVAILABLE


def test_a_store_locked_by_another_process_is_an_outcome(client, store, no_toss, monkeypatch):
    """After waiting, the device says so; nothing was tossed."""
    from tossup.client.store import database

    monkeypatch.setattr(database, "BUSY_MILLISECONDS", 50)
    client.answer(ONE)
    no_toss()
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        assert client.answer(REST) is Outcome.STORE_UNAVAILABLE


ROT = {
    "empty": lambda path: path.write_bytes(b""),
    "garbage": lambda path: path.write_bytes(b"not a database, not at all" * 99),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "gone": lambda path: path.unlink(),
    "an entry changed": lambda path: sql(path, "UPDATE ledger SET topic = 'x' WHERE place = 1"),
    "odds changed": lambda path: sql(path, "UPDATE ledger SET odds = '2' WHERE place = 1"),
    "a delta changed": lambda path: sql(path, "UPDATE ledger SET delta = '1/9' WHERE place = 1"),
    "a delta that is no ratio": lambda path: sql(path, "UPDATE ledger SET delta = 'x'"),
    "an entry removed": lambda path: sql(path, "DELETE FROM ledger WHERE place = 2"),
    "all entries removed": lambda path: sql(path, "DELETE FROM ledger"),
    "an entry added": lambda path: sql(
        path,
        "INSERT INTO ledger SELECT 3, publisher, 'z', survey, manifest, question, odds, delta,"
        " wave, link FROM ledger LIMIT 1",
    ),
    "entries swapped": lambda path: sql(path, "UPDATE ledger SET place = -place"),
    "a link changed": lambda path: sql(path, "UPDATE ledger SET link = zeroblob(32)"),
    "head removed": lambda path: sql(path, "DELETE FROM head"),
    "head changed": lambda path: sql(path, "UPDATE head SET entries = 1"),
    "ledger dropped": lambda path: sql(path, "DROP TABLE ledger"),
    "ledger and head emptied": lambda path: (
        sql(path, "DELETE FROM ledger"),
        sql(path, "UPDATE head SET entries = 0, link = zeroblob(32)"),
    ),
}


@pytest.mark.parametrize("rot", ROT.values(), ids=ROT)
def test_a_damaged_ledger_fails_closed(client, store, no_toss, rot):
    """Whatever happened to the ledger: it is noticed, and nothing is tossed any more."""
    client.answer(ANSWERS)
    rot(store)
    no_toss()

    assert client.answer(ANSWERS) is Outcome.LEDGER_DAMAGED
    assert client.status().trouble is Outcome.LEDGER_DAMAGED
    # What was tossed before is sent where it can still be read: that spends nothing more.
    assert client.flush().reason in {None, "ledger-damaged"}


def test_an_old_copy_put_back_fails_closed(client, store, no_toss):
    """The mark beside the store remembers that the ledger was longer."""
    client.answer(ONE)
    old = store.read_bytes()
    client.answer(REST)
    store.write_bytes(old)
    no_toss()

    assert client.answer(REST) is Outcome.LEDGER_DAMAGED


def test_a_mark_that_cannot_be_read_proves_nothing(client, store):
    """Without its mark the ledger's own hashes still hold."""
    client.answer(ONE)
    for content in (b"", b"7 x", b"\xff" * 90):
        store.with_name("store.db.mark").write_bytes(content)
        assert client.answer(ONE) is Outcome.ALREADY_ANSWERED
    store.with_name("store.db.mark").unlink()

    assert client.answer(ONE) is Outcome.ALREADY_ANSWERED


@pytest.mark.parametrize("every", proving([1009, 101], but=[1009]))
def test_a_flipped_byte_anywhere_is_noticed_or_harmless(client, store, stub, every):
    """At every so many bytes of the store: never a second toss, never a changed report.

    A report whose own row is hit may be lost, which the status then says.
    """
    client.answer(ONE)
    whole = store.read_bytes()
    client.flush()
    first = dict(stub.reports)
    for place in range(0, len(whole), every):
        altered = bytearray(whole)
        altered[place] ^= 0xFF
        store.write_bytes(bytes(altered))
        outcome = client.answer(ONE)
        assert outcome is not Outcome.QUEUED, place
        client.flush(force=True)

    assert stub.reports == first
    assert stub.changed == []


def test_a_damaged_report_is_set_aside_and_the_rest_is_sent(client, store, stub):
    """The outbox is rebuilt with the reports that are whole; the ledger keeps its entries."""
    client.answer(ANSWERS)
    sql(store, "UPDATE outbox_0 SET report = '[{},{}]' WHERE question = 'rating'")
    result = client.flush()
    status = client.status()

    assert (result.sent, len(stub.reports)) == (1, 1)
    assert (status.outbox_repairs, status.device.odds) == (1, 9)
    assert client.answer(ANSWERS) is Outcome.ALREADY_ANSWERED
    with closing(sqlite3.connect(store)) as connection:
        kept = connection.execute("SELECT count(*) FROM outbox_0").fetchone()
    assert kept == (2,)


def test_a_report_that_the_index_has_lost_is_found_again(client, store):
    """An entry that leads to no row is damage: the outbox is rebuilt, and everything goes out."""
    client.answer(ANSWERS)
    with closing(sqlite3.connect(store)) as connection:
        find = "SELECT rootpage FROM sqlite_master WHERE name = 'outbox_0_states'"
        [(page,)] = connection.execute(find)
        [(size,)] = connection.execute("PRAGMA page_size")
        report_id = connection.execute("SELECT id FROM outbox_0").fetchone()[0]
    content = bytearray(store.read_bytes())
    content[content.index(report_id, (page - 1) * size)] ^= 0xFF
    store.write_bytes(bytes(content))

    assert client.flush().sent == 2
    assert client.status().outbox_repairs == 1


def test_an_unreadable_outbox_is_set_aside_and_rebuilt(client, store):
    """A page that SQLite cannot read costs the reports on it, not the ledger."""
    client.answer(ANSWERS)
    with closing(sqlite3.connect(store)) as connection:
        [(page,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'outbox_0'")
        [(size,)] = connection.execute("PRAGMA page_size")
    content = bytearray(store.read_bytes())
    content[(page - 1) * size : page * size] = os.urandom(size)
    store.write_bytes(bytes(content))

    assert client.status().outbox_repairs == 1
    assert client.status().pending == 0
    assert client.answer(ANSWERS) is Outcome.ALREADY_ANSWERED


def test_durability_is_read_back_and_not_assumed(client, monkeypatch, no_toss):
    """A connection that ignores synchronous=FULL is refused."""
    from tossup.client.store import database

    class Careless:
        def __init__(self, connection) -> None:
            self._connection = connection

        def execute(self, statement, parameters=()):
            careless = statement.replace("synchronous=FULL", "synchronous=OFF")
            return self._connection.execute(careless, parameters)

        def close(self) -> None:
            self._connection.close()

    connect = database.connect
    monkeypatch.setattr(database, "connect", lambda path: Careless(connect(path)))
    no_toss()

    assert client.answer(ONE) is Outcome.STORE_UNAVAILABLE


def test_without_file_descriptors_every_call_returns_a_value(stub, survey, tmp_path):
    """Nothing can be opened, not even a module: outcomes say so, and nothing is raised."""
    script = f"""
import os, resource
from tossup.client import Client
client = Client({stub.link(survey)!r}, {survey.publisher.key!r}, store={str(tmp_path / "s.db")!r})
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
try:
    while True: os.open(os.devnull, os.O_RDONLY)
except OSError: pass
flushed, status = client.flush(), client.status()
print(flushed.pending, flushed.reason, status.trouble.name, client.answer({ONE!r}).name)
print(client.preview(), client.survey(), client.consent(True).name, client.withdraw().name)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [
        *("None", "failed", "FAILED", "FAILED"),
        *("None", "None", "FAILED", "FAILED"),
    ]


def test_a_folder_in_the_place_of_the_mark_is_no_mark(client, store):
    """Nothing is concluded from it, so the device goes on."""
    client.answer(ONE)
    mark = Path(f"{store}.mark")
    mark.unlink()
    mark.mkdir()

    assert client.answer(REST) is Outcome.QUEUED


def test_a_store_that_is_a_link_to_nowhere_is_not_made_there(client, store, tmp_path):
    """The disk behind it may be missing today; no second ledger is begun."""
    store.parent.mkdir(mode=0o700)
    target = tmp_path / "elsewhere.db"
    store.symlink_to(target)

    assert client.answer(ONE) is Outcome.STORE_UNAVAILABLE
    assert not target.exists()


@pytest.mark.parametrize("amid", ["os.link", "os.unlink", "_write_new", "_sync"])
def test_no_draft_is_left_of_a_store_whose_maker_was_killed(client, store, stub, amid):
    """Killed while it makes the store: the next call makes it, from the same draft, and cleans up.

    ``os.unlink`` is the step at which the draft is a second name of the store itself.
    """

    def die(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def begin() -> None:
        if amid.startswith("os."):
            setattr(os, amid.removeprefix("os."), die)
        else:
            setattr(database, amid, die)
        client.consent(agrees=True)

    assert wait(child(begin)) == -signal.SIGKILL
    assert client.answer({"ever_tried": True, "region": "north"}) is Outcome.QUEUED
    assert client.flush().sent == 1
    assert not [path.name for path in store.parent.iterdir() if path.name.endswith(".new")]


def test_a_draft_that_is_a_store_moved_away_is_not_written_to(client, store):
    """Its maker died, somebody moved the store: the next one is another file."""
    client.answer({"ever_tried": True, "region": "north"})
    moved = store.with_name("moved.db")
    os.link(store, f"{store}.new")
    store.rename(moved)
    before = moved.read_bytes()
    store.with_name(store.name + ".mark").unlink()

    assert client.answer({"ever_tried": True, "region": "north"}) is Outcome.QUEUED
    assert moved.read_bytes() == before


def test_another_applications_database_is_no_damaged_ledger(client, store):
    """Nobody is told to move it away; it stays as it is."""
    store.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA application_id = 7")
        connection.execute("CREATE TABLE theirs (one)")
    before = store.read_bytes()

    assert client.answer({"ever_tried": True, "region": "north"}) is Outcome.MISCONFIGURED
    assert "another application's database" in client.status().problem
    assert store.read_bytes() == before


@pytest.mark.parametrize("name", [":memory:", "file::memory:?cache=shared", ""])
def test_a_store_in_memory_is_refused(stub, survey, name, tmp_path, monkeypatch):
    """It would forget what was answered; no file of that name is made."""
    monkeypatch.chdir(tmp_path)
    client = Client(stub.link(survey), survey.publisher.key, store=name)

    assert client.answer({"ever_tried": True, "region": "north"}) is Outcome.MISCONFIGURED
    assert list(tmp_path.iterdir()) == []
