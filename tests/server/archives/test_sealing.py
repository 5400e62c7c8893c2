"""Sealing that meets an earlier one, reports that still come, a full disk, and damaged files."""

import os
import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from postgres import Cluster
from stores import PostgreSQL

from tossup.server.archives import files, sealing
from tossup.server.archives.engines import aggregate
from tossup.server.archives.errors import ArchiveDamaged, ArchiveError
from tossup.server.archives.sealed import SealedSurvey
from tossup.server.archives.sealing import delete_sealed, seal
from tossup.server.cli.root import root
from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.surveys.lifecycle import close, publish, reopen
from tossup.shared.signing import public_bytes

DAY = date(2026, 3, 14)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def closed(store, services, survey, make_body):
    """Return the id of a closed survey with reports."""
    services.ingest.receive(make_body((1, 0, 1)))
    close(store, survey.id)
    return survey.id


def test_days_that_two_servers_write_at_once_are_a_file_each(
    config, cluster: Cluster, survey, envelope, make_body, folder, archive_key
) -> None:
    """Around midnight one server is a day ahead; the files are the same at each sealing."""
    database = PostgreSQL(config, cluster)
    stores = [database.open(day=lambda later=later: DAY + timedelta(later)) for later in (0, 1)]
    publish(stores[0], envelope)
    commits = [GroupCommit(store).commit for store in stores]
    for number in range(6):
        for place, commit in enumerate(commits):
            ids = tuple(bytes([number, place, at, *[0] * 13]) for at in range(150))
            commit([decode_reports(make_body((1,) * 150, ids=ids), lambda _: survey)])
    close(stores[1], survey.id)
    sealed = [seal(stores[1], survey.id, str(folder), archive_key) for _ in range(2)]
    for store in stores:
        store.close()

    assert [("2026-03-14", 900), ("2026-03-15", 900)] == [
        (Path(url).stem, footer.n) for url, footer in sealed[0]
    ]
    assert sealed[0] == sealed[1]


def test_a_file_of_an_earlier_sealing_is_not_left_beside_the_new(
    store, survey, services, make_body, folder, archive_key
) -> None:
    """Its reports may be withdrawn by now, or stand in another file."""
    ids = (bytes(16),)
    services.ingest.receive(make_body((1,), ids=ids))
    close(store, survey.id)
    [(early, _)] = seal(store, survey.id, str(folder), archive_key)
    shutil.copy(early, Path(early).with_name("2026-03-13.parquet"))  # as a clock set back makes it
    with pytest.raises(ArchiveError, match=r"2026-03-13\.parquet is of an earlier sealing"):
        seal(store, survey.id, str(folder), archive_key)

    assert not list(folder.rglob("*.new"))


def test_files_of_two_sealings_are_not_counted_together(
    store, survey, services, closed, make_body, folder, archive_key
) -> None:
    """Wherever they lie: a report may be in both, or in neither."""
    seal(store, closed, str(folder / "1"), archive_key)
    reopen(store, closed)
    services.ingest.receive(make_body((1, 1)))
    close(store, closed)
    seal(store, closed, str(folder / "2"), archive_key)
    first, second = (aggregate([str(folder / name)]) for name in "12")
    other_day = [replace(t, footer=replace(t.footer, day=DAY + timedelta(1))) for t in first]

    assert SealedSurvey.of(second)
    for found in ([*other_day, *second], [*second, *second]):
        with pytest.raises(ArchiveError, match="at another time"):
            SealedSurvey.of(found)


def test_reports_that_come_meanwhile_are_not_deleted(
    store, services, closed, make_body, folder, archive_key
) -> None:
    """Opened again between sealing and deleting: what is in no file stays where it is."""
    before = store.survey(closed)
    urls = [url for url, _ in seal(store, closed, str(folder), archive_key)]
    reopen(store, closed)
    services.ingest.receive(make_body((1,)))
    close(store, closed)
    with pytest.raises(ArchiveError, match="changed while it was sealed"):
        delete_sealed(store, before, urls, public_bytes(archive_key))

    assert not store.survey(closed).expired
    now = store.survey(closed)
    urls = [url for url, _ in seal(store, closed, str(folder), archive_key)]
    delete_sealed(store, now, urls, public_bytes(archive_key))
    assert store.survey(closed).expired


def test_files_are_on_the_disk_before_reports_are_deleted(
    store, closed, folder, archive_key, monkeypatch
) -> None:
    """Their bytes before they have their names, and then all names that lead there."""
    real, synced = os.fsync, []

    def fsync(descriptor: int) -> None:
        synced.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    [(url, _)] = seal(store, closed, str(folder), archive_key)

    assert Path(f"{url}.new") == synced[0]
    assert {folder.parent, *Path(url).parents[:4]} <= set(synced[1:])


def test_a_full_disk_leaves_nothing_behind(store, closed, folder, archive_key, monkeypatch) -> None:
    """Nor does it while the unfinished file is let go of."""

    class Full:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def write_batch(self, *_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        close = write_batch

    monkeypatch.setattr(files.pq, "ParquetWriter", Full)
    with pytest.raises(ArchiveError, match=r"cannot be written.*No space left"):
        seal(store, closed, str(folder), archive_key)

    assert not [each for each in folder.rglob("*") if each.is_file()]


def test_two_sealings_at_once_say_so(store, closed, folder, archive_key, monkeypatch) -> None:
    """The second finds its draft under the name that the first gave it, whole."""
    publish_all = sealing._Drafts.publish

    def meanwhile(drafts: sealing._Drafts) -> None:
        monkeypatch.undo()
        seal(store, closed, str(folder), archive_key)
        publish_all(drafts)

    monkeypatch.setattr(sealing._Drafts, "publish", meanwhile)
    with pytest.raises(ArchiveError, match="written by another command at the same time"):
        seal(store, closed, str(folder), archive_key)

    [whole] = [each for each in folder.rglob("*") if each.is_file()]
    assert aggregate([str(whole)])


def test_what_an_interrupted_sealing_left_is_told(
    store, closed, folder, archive_key, monkeypatch
) -> None:
    """It holds reports, and no footer that says until when they may be kept."""
    monkeypatch.setattr("tossup.server.clock.today", lambda: DAY)
    [(url, _)] = seal(store, closed, str(folder), archive_key)
    draft = Path(f"{url}.new")
    draft.write_bytes(b"reports")
    told = CliRunner().invoke(root, ["expire", str(folder)])
    draft.unlink()

    assert 1 == told.exit_code
    assert f"{draft.name} (1 file in all)" in told.stderr
    assert 0 == CliRunner().invoke(root, ["expire", str(folder)]).exit_code


def test_missing_files_are_told_in_every_format(store, filled, folder, archive_key) -> None:
    """Whoever reads the JSON learns it on standard error."""
    sealed = seal(store, filled[1], str(folder), archive_key)
    Path(sealed[0][0]).unlink()
    for options in ([], ["--json"]):
        done = CliRunner().invoke(root, ["aggregate", str(folder), *options])
        assert "These files hold 100 of the 120 reports that were sealed" in done.stderr


@pytest.fixture
def whole(store, filled, folder, archive_key) -> Path:
    """A file of masks and numbers of two bytes, in two groups."""
    [(url, _)] = seal(store, filled[0], str(folder), archive_key)
    return Path(url)


def test_no_damaged_byte_gives_another_tally(whole, archive_key) -> None:
    """Wherever a bit is turned or the file ends: it is refused, or every report is counted."""
    data, outcomes = whole.read_bytes(), {"local": set(), "duckdb": set()}
    [right] = aggregate([str(whole)])
    for engine, step in (("local", 11), ("duckdb", 53)):
        for at in range(0, len(data), step):
            turned = data[:at] + bytes([data[at] ^ 0x81]) + data[at + 1 :]
            for damaged in (turned, data[:at]):
                whole.write_bytes(damaged)
                with suppress(ArchiveError):
                    outcomes[engine].add(aggregate([str(whole)], engine)[0].counted)

    assert {"local": {right.counted}, "duckdb": {right.counted}} == outcomes


def test_rows_that_vanish_are_damage_and_no_retention(whole, monkeypatch) -> None:
    """Only a file that says itself that it has no rows has lost them to its retention."""
    monkeypatch.setattr(files, "read", lambda *_: [])
    with pytest.raises(ArchiveDamaged, match="holds 0 reports"):
        files.tally_of(str(whole), reader=files.read)


def test_a_folder_may_have_any_name(whole, tmp_path) -> None:
    """Its characters are no pattern, for no engine: others would match another folder."""
    [right] = aggregate([str(whole)])
    for name in ("a[1]", "a1", "a=b", "q?x", "it's", "100%"):
        (tmp_path / name).mkdir()
        shutil.copy(whole, tmp_path / name)
    (tmp_path / "a1" / whole.name).write_bytes(b"another file")
    for name in ("a[1]", "a=b", "q?x", "it's", "100%"):
        for engine in ("local", "duckdb"):
            [found] = aggregate([str(tmp_path / name)], engine)
            assert right.counted == found.counted, (name, engine)
