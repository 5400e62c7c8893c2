"""Archives hold what the counters say, and every engine reads the same from them."""

from collections import Counter
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tossup.server.archives.engines import aggregate
from tossup.server.archives.errors import (
    ArchiveDamaged,
    ArchiveError,
    ArchiveUntrusted,
    StillOpen,
)
from tossup.server.archives.sealing import expire, seal
from tossup.server.store.connection import connect
from tossup.server.store.records import ReportsExpired
from tossup.server.surveys.lifecycle import close
from tossup.shared.signing import public_bytes


def cells(found):
    """Return the counters above 0 by where they stand."""
    counted = Counter()
    for cell in found:
        for value, count in enumerate(cell.counts):
            counted[cell.manifest, cell.question, cell.day, cell.stratum, value] += count
    return +counted


def test_every_kind_is_counted_from_files_as_it_was_counted_on_arrival(
    store, filled, tmp_path, archive_key
):
    """Counters above 0 agree, by pyarrow and by DuckDB; so does the number of reports."""
    for survey_id in filled:
        seal(store, survey_id, str(tmp_path / "archive"), archive_key)
        folder = tmp_path / "archive" / survey_id
        for engine in ("local", "duckdb"):
            found = aggregate([str(folder)], engine, trusted=public_bytes(archive_key))
            wanted = cells(store.tally(survey_id))
            assert cells(cell for tally in found for cell in tally.cells()) == wanted, survey_id
            assert sum(t.counted for t in found) == store.survey(survey_id).reports, survey_id


def test_no_id_is_in_a_file(store, filled, tmp_path, archive_key):
    """Whoever holds a report's id could withdraw it."""
    with store.audit(filled[0]) as (_, chunks):
        ids = [chunk.ids[:8] for chunk in chunks]
    sealed = seal(store, filled[0], str(tmp_path), archive_key)

    assert ids
    for url, _ in sealed:
        assert not [each for each in ids if each in Path(url).read_bytes()]


def test_reports_stand_in_no_order_of_arrival(
    store, services, survey, archive_key, make_body, tmp_path
):
    """Rows of two chunks are mixed: 1,000 ones and as many zeros stand apart by chance never.

    Else the same places in the files of two questions could be the same person's.
    """
    for value in (1, 0):
        services.ingest.receive(make_body((value,) * 1000))
    close(store, survey.id)
    ((url, _),) = seal(store, survey.id, str(tmp_path), archive_key)
    table = pq.read_table(url)
    reports = table["report.ever_tried"].to_pylist()

    assert table.column_names == ["attribute.region", "report.ever_tried"]
    assert (len(reports), sum(reports)) == (2000, 1000)
    assert 300 < sum(reports[:1000]) < 700  # beyond that with a chance below 1e-70


def test_an_open_survey_is_not_sealed(store, survey, services, tmp_path, archive_key):
    """What comes later would be missing; and nothing stands in the folder."""
    with pytest.raises(StillOpen):
        seal(store, survey.id, str(tmp_path / "archive"), archive_key)

    assert not (tmp_path / "archive").exists()


def test_reports_that_disagree_with_the_counters_are_not_sealed(
    store, filled, tmp_path, config, archive_key
):
    """A counter that was changed keeps every file away."""
    with closing(connect(config.database)) as connection:
        connection.execute("UPDATE tallies SET n = n + 1 WHERE n > 0")

    with pytest.raises(ArchiveDamaged):
        seal(store, filled[0], str(tmp_path / "archive"), archive_key)
    assert [each for each in (tmp_path / "archive").rglob("*") if each.is_file()] == []


def test_retention_deletes_reports_and_leaves_their_counts(store, filled, tmp_path, archive_key):
    """On the last day they are kept, on the day after it no row is left; a second time is none."""
    folder = str(tmp_path / "archive")
    sealed = seal(store, filled[0], folder, archive_key)
    urls, last = [url for url, _ in sealed], sealed[0][1].delete_after
    record = store.survey(filled[0])

    assert last == record.ended + timedelta(days=record.survey.retention_days)
    assert expire(urls, last) == []
    assert expire(urls, last + timedelta(days=1)) == urls
    assert expire(urls, last + timedelta(days=1)) == []
    assert [pq.read_metadata(url).num_rows for url in urls] == [0] * len(urls)
    found = aggregate([folder], trusted=public_bytes(archive_key))
    assert sum(tally.counted for tally in found) == 0
    assert cells(c for t in found for c in t.cells()) == cells(store.tally(filled[0]))


@pytest.fixture
def sealed(store, filled, tmp_path, archive_key):
    """The file of a survey with masks and numbers of two bytes."""
    ((url, _),) = seal(store, filled[0], str(tmp_path / "archive"), archive_key)
    return Path(url)


def rewritten(path, change):
    """Change the table of a file and leave its metadata as they are."""
    pq.write_table(change(pq.read_table(path)).replace_schema_metadata(entries_of(path)), path)


def entries_of(path):
    """Return what tossup wrote into a file's metadata."""
    found = pq.read_metadata(path).metadata
    return {name: found[name] for name in found if name.startswith(b"tossup.")}


def is_refused(path, engine):
    """Return whether an engine finds that a file does not hold what its footer says."""
    try:
        aggregate([str(path)], engine)
    except ArchiveDamaged:
        return True
    return False


def test_what_a_file_holds_must_be_what_its_footer_says(sealed):
    """A row less, one twice, a bit turned, another type, and a file cut short are all refused."""
    whole = sealed.read_bytes()
    table = pq.read_table(sealed)
    mask, number = (table.schema.get_field_index(name) for name in ("report.mask", "report.hash"))
    field = table.schema.field(number).with_type(pa.int32())
    turned = table["report.mask"].to_pylist()
    turned[0] ^= 1
    bits = pa.array(turned, table.schema.field(mask).type)
    changes = {
        "a row less": lambda t: t.slice(1),
        "a row twice": lambda t: pa.concat_tables([t, t.slice(0, 1)]),
        "a bit turned": lambda t: t.set_column(mask, t.schema.field(mask), bits),
        "wider numbers": lambda t: t.set_column(number, field, t[number].cast(pa.int32())),
        "a column less": lambda t: t.drop_columns(["report.mask"]),
    }
    for name, change in changes.items():
        sealed.write_bytes(whole)
        rewritten(sealed, change)
        for engine in ("local", "duckdb"):
            assert is_refused(sealed, engine), f"{name}, read by {engine}"
    sealed.write_bytes(whole[:-100])
    with pytest.raises(ArchiveDamaged):
        aggregate([str(sealed)])


def test_a_footer_must_be_signed_by_the_trusted_key(sealed):
    """Another key, a changed footer and a file without one are refused."""
    with pytest.raises(ArchiveUntrusted):
        aggregate([str(sealed)], trusted=bytes(32))
    table = pq.read_table(sealed)
    metadata = entries_of(sealed)
    forged = metadata[b"tossup.footer"].replace(b'"n":45', b'"n":46')
    assert forged != metadata[b"tossup.footer"]
    for entries in (metadata | {b"tossup.footer": forged}, {}):
        pq.write_table(table.replace_schema_metadata(entries), sealed)
        with pytest.raises(ArchiveUntrusted):
            aggregate([str(sealed)])


def test_the_same_reports_are_not_counted_twice(sealed):
    """A copy in the same folder is found."""
    (sealed.parent / "copy.parquet").write_bytes(sealed.read_bytes())

    with pytest.raises(ArchiveError, match="counted twice"):
        aggregate([str(sealed.parent)])


def test_archives_lie_wherever_fsspec_reaches(store, filled, archive_key):
    """A URL is sealed to, read and expired as a path is; here in memory."""
    seal(store, filled[1], "memory://archive", archive_key)

    found = aggregate(["memory://archive/every-kind/*/*/*.parquet"])
    assert cells(c for t in found for c in t.cells()) == cells(store.tally(filled[1]))
    assert expire([tally.url for tally in found], date(2100, 1, 1)) == [t.url for t in found]


def test_an_address_with_a_password_is_refused_without_it(store, filled, archive_key):
    for address in (
        "ftp://user:secret@host/a",
        "simplecache::ftp://:secret@host",
        "ftp://:secret@",
    ):
        for attempt in (
            lambda address=address: aggregate([address]),
            lambda address=address: seal(store, filled[1], address, archive_key),
        ):
            with pytest.raises(ArchiveError, match="has a password in it") as refusal:
                attempt()

            assert "secret" not in str(refusal.value)


def test_nothing_to_read_is_said(tmp_path):
    """A folder without files is no archive of nothing."""
    with pytest.raises(ArchiveError, match="name a folder that was sealed"):
        aggregate([str(tmp_path)])


def test_what_was_deleted_is_not_sealed(store, filled, tmp_path, archive_key):
    """After the retention only counters are left."""
    with store.write() as transaction:
        transaction.expire(filled[0])

    with pytest.raises(ReportsExpired):
        seal(store, filled[0], str(tmp_path), archive_key)
