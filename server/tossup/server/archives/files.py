"""One file of an archive: written once, read as a tally.

Stage: after a survey. `tally_of` is the one function that every engine calls: files are shared
out, never rows, so that an engine touches no report.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, Final

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tossup.server.archives import columns
from tossup.server.archives.errors import ArchiveDamaged, ArchiveError
from tossup.server.archives.footer import Counted, Footer, from_metadata
from tossup.server.ingest.packing import Reports, by_id, questions_of, strata_of
from tossup.server.kernels import Counts
from tossup.server.store.connection import sync_folder
from tossup.server.store.tally import Cell
from tossup.shared.survey import Survey

#: What reads the reports of a file that must have a schema: some at a time, as record batches.
Reader = Callable[[str, pa.Schema], Iterable[pa.RecordBatch]]

#: What stands behind the name of a file that is not finished.
DRAFT: Final = ".new"
#: Folders that a file's place may make: of its question, version, survey and archive; and above.
_MADE: Final = 5
#: How many reports stand together in a file, and are read at once.
ROWS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FileTally:
    """What one file says.

    Attributes
    ----------
    url
        Where it lies.
    footer
        Its signed footer.
    signer
        The public key that signed it.
    counted
        The reports that were counted again; 0 once they were deleted and only counts are left.
    """

    url: str
    footer: Footer
    signer: bytes
    counted: int

    def cells(self) -> list[Cell]:
        """Return the cells of the file's tally."""
        return list(self.footer.cells())


def schema_of(survey: Survey, question: str | None) -> pa.Schema:
    """Return the columns of a file: attributes, then reports."""
    attributes = [columns.field_of_attribute(attribute) for attribute in survey.attributes]
    reports = [columns.field_of_question(each) for each in questions_of(survey, question)]
    return pa.schema([*attributes, *reports])


def to_batch(reports: Reports) -> pa.RecordBatch:
    """Return reports as a record batch without their ids, in no order of arrival.

    Those of one stratum stand together, so that each is counted at once.
    """
    mixed = by_id(reports)
    strata = strata_of(mixed.attributes, mixed.survey)
    ordered = mixed.take(np.argsort(strata, kind="stable")) if strata.any() else mixed
    arrays = columns.arrays_of_attributes(ordered.attributes)
    for question, column in zip(ordered.questions, ordered.values, strict=True):
        arrays.append(columns.array_of_question(question, column))
    return pa.RecordBatch.from_arrays(arrays, schema=schema_of(reports.survey, reports.question))


class Sum:
    """Adds up the tallies of record batches of one file.

    Attributes
    ----------
    schema
        What every batch must have.
    n
        The reports counted so far.
    """

    def __init__(self, survey: Survey, question: str | None) -> None:
        self._survey = survey
        self._questions = questions_of(survey, question)
        self.schema = schema_of(survey, question)
        self._sums: dict[tuple[str, int], Counts] = {}
        self.n = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Count a batch.

        Raises
        ------
        ArchiveDamaged
            If its columns are not of the right names and types.
        """
        columns.check_types(batch.schema, self.schema)
        told = len(self._survey.attributes)
        attributes, reports = batch.columns[:told], batch.columns[told:]
        places = columns.stretches(attributes, self._survey, batch.num_rows)
        for question, array in zip(self._questions, reports, strict=True):
            for stratum, place in places:
                tally = columns.count(question, array, place)
                known = self._sums.get((question.id, stratum))
                self._sums[question.id, stratum] = tally if known is None else known + tally
        self.n += batch.num_rows

    def counted(self) -> Counted:
        """Return the counters above 0."""
        found: dict[str, dict[int, dict[int, int]]] = defaultdict(dict)
        for (question, stratum), tally in sorted(self._sums.items()):
            places = np.flatnonzero(tally).tolist()
            found[question][stratum] = {place: int(tally[place]) for place in places}
        return dict(found)


class FileWriter:
    """Writes one file and counts what it writes; it has a draft's name until it is published.

    Parameters
    ----------
    url
        Where it will lie.
    survey, question
        What the reports answer.

    Raises
    ------
    ArchiveError
        If it cannot be written there.
    """

    def __init__(self, url: str, survey: Survey, question: str | None) -> None:
        self.url = url
        self.total = Sum(survey, question)
        self._filesystem, self._path = filesystem_of(url)
        with _writable(url):
            self._filesystem.makedirs(str(PurePosixPath(self._path).parent), exist_ok=True)
            self._file = self._filesystem.open(f"{self._path}{DRAFT}", "wb")
        schema = self.total.schema
        # Reports of many bytes hardly repeat: a dictionary of them would be as long as they are.
        repeated = [each.name for each in schema if not pa.types.is_fixed_size_binary(each.type)]
        self._writer = pq.ParquetWriter(self._file, schema, use_dictionary=repeated)

    def add(self, batch: pa.RecordBatch) -> None:
        """Write a batch."""
        self.total.add(batch)
        with _writable(self.url):
            self._writer.write_batch(batch, row_group_size=ROWS)

    def finish(self, metadata: Mapping[bytes, bytes]) -> None:
        """End the file with its signed footer."""
        self._writer.add_key_value_metadata(metadata)
        self.close()

    def close(self) -> None:
        """Write the rest, durably where this is a disk of ours, and let go of the file."""
        with _writable(self.url):
            self._writer.close()
            self._file.flush()
            if is_local(self._filesystem):
                os.fsync(self._file.fileno())
            self._file.close()

    def publish(self) -> None:
        """Give the finished file its name, as durably."""
        with _writable(self.url):
            try:
                self._filesystem.mv(f"{self._path}{DRAFT}", self._path)
            except FileNotFoundError as error:
                raise ArchiveError(
                    f"{self.url} was written by another command at the same time, so this one"
                    " changed nothing; run it again once the other has ended"
                ) from error
            if is_local(self._filesystem):
                for folder in islice(PurePosixPath(self._path).parents, _MADE):
                    sync_folder(Path(folder))

    def discard(self) -> None:
        """Take the unfinished file away, also where the disk is full."""
        for let_go in (self._writer.close, self._file.close):
            with suppress(OSError, pa.ArrowException, ValueError):
                let_go()
        with suppress(FileNotFoundError):  # another command gave it its name
            self._filesystem.rm(f"{self._path}{DRAFT}")


def read(url: str, _schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield the reports of a file with pyarrow, of the types that the file has."""
    with fsspec.open(url, "rb") as file:
        yield from pq.ParquetFile(file).iter_batches(batch_size=ROWS)


def metadata_of(url: str) -> pq.FileMetaData:
    """Return what Parquet says of a file: its rows, and in ``metadata`` its own entries.

    Raises
    ------
    ArchiveDamaged
        If it is no Parquet file, or cannot be read.
    """
    with _readable(url), fsspec.open(url, "rb") as file:
        return pq.read_metadata(file)


@contextmanager
def _writable(url: str) -> Iterator[None]:
    """Turn what can go wrong with writing a file into one error: the database is not at fault."""
    try:
        yield
    except OSError as error:
        raise ArchiveError(
            f"{url} cannot be written: {error}; name a folder that you may write to, with room"
        ) from error


@contextmanager
def _readable(url: str) -> Iterator[None]:
    """Turn what can go wrong with reading a file into one error."""
    try:
        yield
    except FileNotFoundError as error:
        raise ArchiveError(f"there is no {url}; name files or folders of tossup seal") from error
    except PermissionError as error:
        raise ArchiveError(f"{url} may not be read by this user; ask whoever owns it") from error
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise ArchiveDamaged(f"{url} cannot be read as Parquet: {error}") from error


def filesystem_of(url: str) -> tuple[Any, str]:
    """Return where a path or URL leads, and the path there.

    Raises
    ------
    ArchiveError
        If fsspec knows no such kind of URL, or lacks the package for it; or if a password is in it,
        as names of files are printed and logged.
    """
    host = url.partition("://")[2].partition("/")[0]
    if ":" in host.rpartition("@")[0]:
        raise ArchiveError(
            "the address of the archive has a password in it, and would be shown with it; leave it"
            " out, and set it where fsspec reads its settings, such as in FSSPEC_FTP_PASSWORD"
        )
    try:
        found: tuple[Any, str] = fsspec.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise ArchiveError(f"{url} cannot be opened: {error}") from error
    return found


def is_local(filesystem: Any) -> bool:
    """Return whether files lie on a disk of this machine."""
    return "file" in filesystem.protocol


def files_of(pattern: str, ending: str = ".parquet") -> Iterator[str]:
    """Yield the files that a path, a folder or a pattern names."""
    filesystem, path = filesystem_of(pattern)
    if "*" in path:
        found = filesystem.glob(path)
    elif filesystem.isdir(path):
        found = [each for each in filesystem.find(path) if each.endswith(ending)]
    else:
        found = [path]
    yield from map(str if is_local(filesystem) else filesystem.unstrip_protocol, found)


def tally_of(url: str, *, trusted: bytes | None = None, reader: Reader = read) -> FileTally:
    """Return the tally of a file, counted again from its reports.

    Where the reports were deleted at the end of their retention, the signed counts stand alone.

    Parameters
    ----------
    url
        A path, or a URL that fsspec knows.
    trusted
        The public key that must have signed the file, as 32 bytes; None for any.
    reader
        What reads the reports.

    Raises
    ------
    ArchiveUntrusted
        If it is not signed, or by another key.
    ArchiveDamaged
        If it cannot be read, or does not hold what its footer says.
    """
    said = metadata_of(url)
    footer, signer = from_metadata(said.metadata, trusted)
    total = Sum(footer.survey, footer.question)
    with _readable(url):
        for batch in reader(url, total.schema):
            total.add(batch)
    was_deleted = said.num_rows == total.n == 0
    if not was_deleted and (total.n != footer.n or total.counted() != footer.counted):
        raise ArchiveDamaged(
            f"{url} holds {total.n} reports that do not add up to what its footer says of"
            f" {footer.n}: restore it from a copy"
        )
    return FileTally(url, footer, signer, total.n)
