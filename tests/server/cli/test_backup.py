"""``tossup backup`` and ``tossup restore``: one moment of a store, or nothing."""

import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from click.testing import CliRunner, Result

from tossup.server.cli.root import root
from tossup.server.config import Config
from tossup.server.ingest import packing
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.packing import split
from tossup.server.store import SQLiteStore, StorageFailed, copies
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.app import create_app
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey

Tossup = Callable[..., Result]


@pytest.fixture
def tossup(config: Config, monkeypatch: pytest.MonkeyPatch) -> Tossup:
    """Run a command, by default on the data folder of the test."""
    for name in [name for name in os.environ if name.startswith("TOSSUP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TOSSUP_DATA", str(config.data))
    return lambda *arguments: CliRunner().invoke(root, [str(part) for part in arguments])


def stored_ids(path: Path) -> list[bytes]:
    """Return the ids of the reports in a store, sorted."""
    with closing(SQLiteStore(path)) as store, store.audit("habits-7") as (_, chunks):
        return sorted(one for chunk in chunks for one in packing.split(chunk.ids))


@pytest.fixture
def counted(config: Config, survey: Survey, envelope: bytes, make_body) -> SQLiteStore:
    """A data folder with 150 reports."""
    store = SQLiteStore(config.database)
    publish(store, envelope)
    GroupCommit(store).commit([decode_reports(make_body((0, 1, 1) * 50), lambda _: survey)])
    yield store
    store.close()


def test_it_works(tossup: Tossup, counted: SQLiteStore, config: Config, tmp_path: Path) -> None:
    """A backup in a folder has the time as its name, its owner alone reads it, and it restores."""
    (tmp_path / "backups").mkdir()
    made = json.loads(tossup("backup", tmp_path / "backups", "--json").stdout)
    back = tossup("restore", made["path"], "--data", tmp_path / "new")

    assert {"habits-7": {"reports": 150}} == made["surveys"]
    assert 0o600 == Path(made["path"]).stat().st_mode & 0o777
    assert [Path(made["path"])] == list((tmp_path / "backups").iterdir())
    assert (0, True) == (back.exit_code, "150 stored reports" in back.stdout)
    assert stored_ids(config.database) == stored_ids(tmp_path / "new/tossup.sqlite3")
    assert 0o700 == (tmp_path / "new").stat().st_mode & 0o777


def test_a_backup_is_one_moment_of_a_store_that_others_write_to(
    tossup: Tossup, counted: SQLiteStore, survey: Survey, make_body, tmp_path: Path
) -> None:
    """It has all that was acknowledged before it began, and of later groups none in part."""
    commit, stopped, sent = GroupCommit(counted), Event(), []

    def write() -> None:
        while not stopped.is_set():
            group = decode_reports(make_body((0, 1) * 5), lambda _: survey)
            commit.commit([group])
            sent.append(set(split(group.ids)))

    writer = Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            acknowledged = len(sent)
            done = tossup("backup", tmp_path / f"{number}.db")
            groups = list(sent)
            kept = set(stored_ids(tmp_path / f"{number}.db"))
            whole = [group <= kept for group in groups]

            assert (0, True) == (done.exit_code, all(whole[:acknowledged])), done.stderr
            assert whole == sorted(whole, reverse=True) == [bool(group & kept) for group in groups]
    finally:
        stopped.set()
        writer.join()


def test_nothing_is_written_over(
    tossup: Tossup, counted: SQLiteStore, config: Config, tmp_path: Path
) -> None:
    """Neither a file by a backup, nor a data folder by a restored one."""
    target = tmp_path / "kept"
    target.write_text("kept")
    refused = tossup("backup", target)
    tossup("backup", tmp_path / "copy")
    before = config.database.read_bytes()
    back = tossup("restore", tmp_path / "copy")

    assert (1, "kept") == (refused.exit_code, target.read_text())
    assert "exists already" in refused.stderr
    assert (1, before) == (back.exit_code, config.database.read_bytes())
    assert "move away all that is in the folder" in back.stderr


DAMAGES = [
    "UPDATE tallies SET n = n + 1 WHERE value = 1 AND stratum = 0",
    "UPDATE chunks SET columns = zeroblob(length(columns))",
    "UPDATE surveys SET reports = 149",
]


def test_what_does_not_add_up_is_neither_backed_up_nor_restored(
    tossup: Tossup, counted: SQLiteStore, tmp_path: Path
) -> None:
    """No file is left that one could take for a backup, nor a data folder for a restored one."""
    for number, damage in enumerate(DAMAGES):
        good, bad, new = (tmp_path / f"{name}{number}" for name in ("good", "bad", "new"))
        shutil.rmtree(good, ignore_errors=True)
        tossup("backup", good)
        damaged = SQLiteStore(good)
        damaged._rows(damage)
        damaged.close()
        back = tossup("restore", good, "--data", new)
        (tmp_path / f"source{number}").mkdir()
        shutil.copyfile(good, tmp_path / f"source{number}/tossup.sqlite3")
        done = tossup("backup", bad, "--data", tmp_path / f"source{number}")

        assert (1, 1) == (back.exit_code, done.exit_code), damage
        assert "disagree" in back.stderr, damage
        assert ([], False) == (list(new.glob("*")), bad.exists()), damage
        assert [] == list(tmp_path.rglob("*.partial*")), damage


def test_what_a_killed_server_left_is_not_read_into_a_restored_file(
    tossup: Tossup, counted: SQLiteStore, survey: Survey, make_body, tmp_path: Path
) -> None:
    """SQLite takes a journal for the one of whatever file has the name; it stays as it is."""
    tossup("backup", tmp_path / "copy")
    group = decode_reports(make_body((0, 1) * 5), lambda _: survey)
    GroupCommit(counted).commit([group])
    new = tmp_path / "new"
    new.mkdir(mode=0o700)
    journal = new / "tossup.sqlite3-wal"
    shutil.copyfile(counted._path.with_name("tossup.sqlite3-wal"), journal)
    left = journal.read_bytes()
    refused = tossup("restore", tmp_path / "copy", "--data", new)
    moved = journal.rename(tmp_path / "kept-wal")
    done = tossup("restore", tmp_path / "copy", "--data", new)

    assert left
    assert (1, 0) == (refused.exit_code, done.exit_code), done.stderr
    assert f"{journal} belongs to another tossup.sqlite3" in refused.stderr
    assert "an empty folder" in refused.stderr
    assert (left, 150) == (moved.read_bytes(), len(stored_ids(new / "tossup.sqlite3")))


def test_a_servers_own_file_is_no_copy(
    tossup: Tossup, counted: SQLiteStore, config: Config, tmp_path: Path
) -> None:
    """While it runs, and after it was killed, what it acknowledged last is in another file."""
    refused = tossup("restore", config.database, "--data", tmp_path / "new")

    assert (1, False) == (refused.exit_code, (tmp_path / "new/tossup.sqlite3").exists())
    assert "tossup.sqlite3-wal: it is a server's own file, no backup" in refused.stderr


def test_a_server_that_starts_meanwhile_keeps_its_file(
    tossup: Tossup, counted: SQLiteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have acknowledged reports; also on a disk that has no links, as some sticks."""
    tossup("backup", tmp_path / "copy")
    new = tmp_path / "new/tossup.sqlite3"

    def starts(_: Path) -> None:
        new.write_text("a server's")

    for has_links in (True, False):
        if not has_links:
            monkeypatch.setattr(Path, "hardlink_to", _no_links)
        with pytest.raises(StorageFailed, match="exists already, and nothing is written over"):
            copies.restore_store(tmp_path / "copy", new, starts)
        assert "a server's" == new.read_text()
        new.unlink()
    done = tossup("restore", tmp_path / "copy", "--data", new.parent)

    assert (0, [new]) == (done.exit_code, list(new.parent.iterdir()))


def _no_links(_to: Path, _of: Path) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_two_commands_do_not_write_one_file(
    tossup: Tossup, counted: SQLiteStore, tmp_path: Path
) -> None:
    """The second is told what is there, which it leaves; so it would be after a kill."""
    left = tmp_path / "copy.partial"
    left.write_text("half")
    refused = tossup("backup", tmp_path / "copy")
    kept = left.read_text()
    left.unlink()
    done = tossup("backup", tmp_path / "copy")

    assert (1, "half", 0) == (refused.exit_code, kept, done.exit_code)
    assert "another command writes it, or one was ended half way; delete it" in refused.stderr


def test_a_file_without_data_of_a_server_is_not_restored(tossup: Tossup, tmp_path: Path) -> None:
    """Such as an empty one, which a copy over the network begins with, or another database."""
    (tmp_path / "empty").touch()
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE places (name)")
    for name in ("empty", "other"):
        done = tossup("restore", tmp_path / name, "--data", tmp_path / "new")

        assert (1, []) == (done.exit_code, list((tmp_path / "new").glob("*"))), name
        assert "it holds no data of a server" in done.stderr, name


def test_a_disk_without_room_is_not_filled_up(
    tossup: Tossup, counted: SQLiteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may need what is left; the command says how much it takes."""
    (tmp_path / "full").mkdir()
    tossup("backup", tmp_path / "copy")
    size, usage = (tmp_path / "copy").stat().st_size, shutil.disk_usage(tmp_path)
    monkeypatch.setattr(copies, "disk_usage", lambda _: usage._replace(free=size - 1))
    done = tossup("backup", tmp_path / "full")
    back = tossup("restore", tmp_path / "copy", "--data", tmp_path / "new")
    monkeypatch.setattr(copies, "disk_usage", lambda _: usage._replace(free=size))
    enough = tossup("backup", tmp_path / "full")

    assert (1, 1, 0) == (done.exit_code, back.exit_code, enough.exit_code)
    assert f"0.1 MB free, and the file takes {size / 1e6:.1f} MB" in done.stderr
    assert "make room" in done.stderr
    assert (1, []) == (len(list((tmp_path / "full").iterdir())), list((tmp_path / "new").glob("*")))


def test_a_torn_file_is_not_restored(tossup: Tossup, counted: SQLiteStore, tmp_path: Path) -> None:
    """Such as one that was copied while the disk filled up, or that is something else."""
    tossup("backup", tmp_path / "copy")
    whole = (tmp_path / "copy").read_bytes()
    for name, content in (("torn", whole[: len(whole) // 2]), ("text", b"no database" * 500)):
        (tmp_path / name).write_bytes(content)
        done = tossup("restore", tmp_path / name, "--data", tmp_path / "new")

        assert (1, []) == (done.exit_code, list((tmp_path / "new").glob("*"))), name


def test_a_restored_server_knows_no_session_and_no_link(
    tossup: Tossup, counted: SQLiteStore, tmp_path: Path
) -> None:
    """Whoever signed out since the backup stays out; keys stay, and the command says so."""
    counted.add_session(b"s" * 32, 1)
    counted.add_link(b"l" * 32, 1 << 40)
    counted.add_key(b"k" * 32, "first")
    tossup("backup", tmp_path / "copy")
    done = tossup("restore", tmp_path / "copy", "--data", tmp_path / "new")
    with closing(SQLiteStore(tmp_path / "new/tossup.sqlite3")) as new:
        found = (new.sessions(), new.link(b"l" * 32, 2), len(new.keys()))

    assert ([], None, 1) == found
    assert "revoked keys" in done.stderr


def test_a_backup_is_taken_by_the_version_that_wrote_the_data(
    tossup: Tossup, counted: SQLiteStore, tmp_path: Path
) -> None:
    """A newer one would change the data first, and an older one does not know it."""
    for change, told in (
        ("INSERT INTO migrations VALUES (9999, 'later')", "install the version that wrote it"),
        ("DELETE FROM migrations WHERE number > 1", "back it up with the version that serves it"),
    ):
        counted._rows(change)
        done = tossup("backup", tmp_path / "copy")

        assert (1, False) == (done.exit_code, (tmp_path / "copy").exists())
        assert told in done.stderr


def test_when_the_last_backup_was_made_is_told(
    tossup: Tossup, counted: SQLiteStore, config: Config, tmp_path: Path
) -> None:
    """By /metrics, for an alarm, and by the doctor; one that failed is none."""
    app = create_app(config, store=counted, reading=True)

    def told() -> tuple[int, str]:
        text = app.test_client().get("/metrics").text
        at = re.search(r"^tossup_last_backup_timestamp_seconds (.+)$", text, re.M)[1]
        return int(float(at)), re.search(r"(\w+) +backup: (.+)", tossup("doctor").stdout)[0]

    found, began = [told()], int(time.time())
    (tmp_path / "failed").touch()
    for arguments in (["failed"], ["copy"], ["--made"]):
        named = [tmp_path / each if each[0] != "-" else each for each in arguments]
        done = tossup("backup", *named)
        found.append(told())
        counted._rows("UPDATE last_backup SET seconds = seconds - 27 * 3600")
        found.append(told())
    with closing(SQLiteStore(tmp_path / "copy")) as copy:
        of_copy = copy.last_backup()
    hours = [round((at - began) / 3600) for at, _ in found if at]
    none, now, old = (
        "note  backup: none yet; tossup backup makes one",
        "ok    backup: the last was begun 0 hours ago",
        "note  backup: the last was begun 27 hours ago",
    )

    assert (0, 0) == (done.exit_code, of_copy)
    assert [0, -27, 0, -27] == hours
    assert [none, none, none, now, old, now, old] == [line for _, line in found]


def test_a_backup_goes_to_a_file_or_is_noted(tossup: Tossup) -> None:
    """Not both, and not neither: whoever forgot the file's name has made no copy."""
    for arguments in ([], ["copy", "--made"]):
        done = tossup("backup", *arguments)

        assert (2, True) == (done.exit_code, "name TARGET, or give --made alone" in done.stderr)


def test_a_damaged_survey_is_told_and_not_copied(
    tossup: Tossup, counted: SQLiteStore, survey: Survey, publisher_key, tmp_path: Path
) -> None:
    """Whether its manifest is none, or another survey's; the doctor says which survey it is."""
    other = sign_manifest(replace(survey, id="other").payload, publisher_key)
    for envelope in (b"\0" * 20, other):
        counted._rows("UPDATE manifests SET envelope = ?", envelope)
        for command in (("backup", tmp_path / "copy"), ("recount", "habits-7")):
            done = tossup(*command)

            assert (1, False) == (done.exit_code, (tmp_path / "copy").exists()), command
            assert "is damaged; restore a backup" in done.stderr, command
            assert "Try: tossup doctor" in done.stderr, command
        assert "bad   survey habits-7" in tossup("doctor").stdout
