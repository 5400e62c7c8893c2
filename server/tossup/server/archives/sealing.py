"""Seal a closed survey: its single reports as files without ids, and the end of their retention.

Stage: after a survey. A survey that takes no more reports needs no ids: nothing can come twice.
Files appear once all of them add up to the survey's counters.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.server.archives.engines import aggregate
from tossup.server.archives.errors import ArchiveDamaged, ArchiveError, StillOpen
from tossup.server.archives.files import ROWS, FileWriter, filesystem_of, metadata_of, to_batch
from tossup.server.archives.footer import ENTRIES, Footer, from_metadata, to_metadata
from tossup.server.ingest.packing import Reports, from_chunk
from tossup.server.store.base import Store
from tossup.server.store.records import Chunk, ReportsExpired, SurveyRecord
from tossup.server.store.tally import Cell
from tossup.shared.survey import Survey

#: Manifest, question and day: the reports of one file.
_Key = tuple[str, str | None, date]


@dataclass
class _Open:
    """A file that is being written, and the reports that wait to be written to it."""

    writer: FileWriter
    part: int
    waiting: list[Reports] = field(default_factory=list)

    def add(self, reports: Reports) -> None:
        self.waiting.append(reports)
        if sum(len(each.ids) for each in self.waiting) >= ROWS:
            self.flush()

    def flush(self) -> None:
        if self.waiting:
            self.writer.add(to_batch(_together(self.waiting)))
            self.waiting = []


def seal(
    store: Store, survey_id: str, folder: str, key: Ed25519PrivateKey
) -> list[tuple[str, Footer]]:
    """Write a closed survey's reports to files in a folder; return their URLs and footers.

    Parameters
    ----------
    folder
        A path, or a URL that fsspec knows. Files lie in it by survey, version, question and day.
    key
        Signs the footers.

    Raises
    ------
    SurveyUnknown
        If there is no such survey.
    StillOpen
        If it still takes reports.
    ReportsExpired
        If its reports were deleted.
    ArchiveDamaged
        If the reports do not add up to the counters; nothing is written then.
    ArchiveError
        If the folder has files of the survey that this would not write over.
    """
    record = store.survey(survey_id)
    if record.ended is None:
        raise StillOpen(f"{survey_id} still takes reports; close it, then seal it")
    if record.expired:
        raise ReportsExpired(f"the single reports of {survey_id} were deleted already")
    versions = {survey.digest: survey for survey in store.manifests(survey_id)}
    sealed: list[tuple[str, Footer]] = []
    with store.audit(survey_id) as (cells, chunks), _Drafts() as drafts:
        for place, opened in _files(chunks, versions, f"{folder.rstrip('/')}/{survey_id}", drafts):
            footer = _footer(place, opened, versions[place[0]], record)
            opened.writer.finish(to_metadata(footer, store.envelope(place[0]), key))
            sealed.append((opened.writer.url, footer))
        _check(cells, (footer for _, footer in sealed))
        _require_no_others(f"{folder.rstrip('/')}/{survey_id}", [url for url, _ in sealed])
        drafts.publish()
    return sealed


def delete_sealed(store: Store, before: SurveyRecord, urls: Sequence[str], trusted: bytes) -> None:
    """Delete a survey's single reports, which files hold; the counters stay.

    Parameters
    ----------
    before
        The survey as it was before it was sealed.
    urls, trusted
        The files, which are counted again first, and the key that signed them.

    Raises
    ------
    ArchiveError
        If the survey changed since; and as `engines.aggregate` does.
    """
    aggregate(urls, trusted=trusted)
    with store.write() as transaction:
        now = transaction.survey(before.survey.id)
        if now.revision != before.revision:
            raise ArchiveError(
                "the survey changed while it was sealed, so no report is deleted; close it, and"
                " seal it again"
            )
        transaction.expire(now.survey.id)
    store.scrub()


def expire(urls: Iterable[str], day: date) -> list[str]:
    """Delete the reports in the files whose retention is over; return these files' URLs.

    The signed counts stay, so such files are still tallied.

    Raises
    ------
    ArchiveUntrusted, ArchiveDamaged
        As `files.tally_of` does, for a file that is none of an archive.
    """
    due = []
    for url in urls:
        found = metadata_of(url)
        footer, _ = from_metadata(found.metadata, None)
        if day > footer.delete_after and found.num_rows:
            kept = {name: found.metadata[name] for name in ENTRIES}
            writer = FileWriter(url, footer.survey, footer.question)
            writer.finish(kept)
            writer.publish()
            due.append(url)
    return due


def _files(
    chunks: Iterable[Chunk], versions: dict[str, Survey], folder: str, drafts: "_Drafts"
) -> Iterator[tuple[_Key, _Open]]:
    """Yield every file when all its reports are written, and not yet its footer.

    Chunks come in the order of their days, so those of one day are open together, and no more;
    where a clock was set back, a day has further parts.
    """
    open_now: dict[_Key, _Open] = {}
    parts: Counter[_Key] = Counter()
    for chunk in chunks:
        key = (chunk.manifest, chunk.question, chunk.day)
        if any(day != chunk.day for _, _, day in open_now):
            yield from _flushed(open_now)
            open_now = {}
        if key not in open_now:
            parts[key] += 1
            survey = versions[chunk.manifest]
            url = f"{folder}/{_place(survey, chunk, parts[key])}"
            open_now[key] = _Open(drafts.begin(url, survey, chunk.question), parts[key])
        open_now[key].add(from_chunk(chunk, versions[chunk.manifest]))
    yield from _flushed(open_now)


def _flushed(files: dict[_Key, _Open]) -> Iterator[tuple[_Key, _Open]]:
    for key, opened in files.items():
        opened.flush()
        yield key, opened


def _place(survey: Survey, chunk: Chunk, part: int) -> str:
    """Return a file's place; a dot, which no id has, keeps joint reports apart from a question."""
    number = f".{part}" if part > 1 else ""
    return f"v{survey.version}/{chunk.question or 'all.questions'}/{chunk.day}{number}.parquet"


def _footer(key: _Key, opened: _Open, survey: Survey, record: SurveyRecord) -> Footer:
    assert record.ended is not None  # noqa: S101 - the survey is closed
    total = opened.writer.total
    return Footer(
        survey=survey,
        question=key[1],
        day=key[2],
        part=opened.part,
        n=total.n,
        sealed=record.reports,
        delete_after=record.ended + timedelta(days=record.survey.retention_days),
        counted=total.counted(),
    )


def _check(cells: Iterable[Cell], footers: Iterable[Footer]) -> None:
    stored = _sums(cells)
    written = _sums(cell for footer in footers for cell in footer.cells())
    if stored != written:
        raise ArchiveDamaged(
            "the stored reports do not add up to the survey's counters, so nothing was sealed;"
            " see: tossup recount"
        )


def _require_no_others(folder: str, urls: Iterable[str]) -> None:
    """Refuse a folder with files of an earlier sealing, which would be counted beside the new."""
    filesystem, path = filesystem_of(folder)
    new = {filesystem_of(url)[1] for url in urls}
    found = [each for each in filesystem.find(path) if each.endswith(".parquet")]
    others = sorted(set(found) - new)
    if others:
        raise ArchiveError(
            f"{others[0]} is of an earlier sealing of the same survey, and would be counted twice;"
            " seal to another folder, or delete that first"
        )


def _sums(cells: Iterable[Cell]) -> dict[tuple[object, ...], int]:
    sums: dict[tuple[object, ...], int] = defaultdict(int)
    for cell in cells:
        for value, count in enumerate(cell.counts):
            if count:
                sums[cell.manifest, cell.question, cell.day, cell.stratum, value] += count
    return dict(sums)


def _together(parts: list[Reports]) -> Reports:
    """Return reports of one manifest, question and day as one."""
    first = parts[0]
    return Reports(
        first.survey,
        first.question,
        first.day,
        np.concatenate([part.ids for part in parts]),
        tuple(np.concatenate(columns) for columns in zip(*(p.values for p in parts), strict=True)),
        np.concatenate([part.attributes for part in parts], axis=1),
    )


class _Drafts:
    """The files that are being written: all get their names together, or are taken away."""

    def __init__(self) -> None:
        self._writers: list[FileWriter] = []

    def __enter__(self) -> "_Drafts":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for writer in self._writers:
                writer.discard()

    def begin(self, url: str, survey: Survey, question: str | None) -> FileWriter:
        """Begin a file."""
        self._writers.append(FileWriter(url, survey, question))
        return self._writers[-1]

    def publish(self) -> None:
        """Give all files their names."""
        while self._writers:
            self._writers[-1].publish()
            self._writers.pop()
