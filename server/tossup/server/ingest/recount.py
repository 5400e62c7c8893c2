"""Recount: do the counters say what the stored reports say?

Stage: beside the tally. Counters and reports are written in one transaction. A recount reads
both from one snapshot, and counts the reports again from their stored bytes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np

from tossup.server.ingest import packing
from tossup.server.store.base import Store
from tossup.server.store.parsed import radix_digits
from tossup.server.store.records import Chunk, ReportsExpired
from tossup.server.store.tally import Cell
from tossup.shared.errors import WireError
from tossup.shared.survey import Survey
from tossup.shared.wire import ID_BYTES


@dataclass(frozen=True, slots=True)
class Place:
    """Where a counter stands: manifest, question, day, stratum and place in the tally."""

    manifest: str
    question: str
    day: date
    stratum: tuple[int, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A counter that does not say what the stored reports say."""

    place: Place
    counted: int
    stored: int


@dataclass(frozen=True, slots=True)
class Recount:
    """What a recount found.

    Attributes
    ----------
    reports
        Stored reports that were counted again.
    differences
        Counters that disagree with them.
    repeated
        Ids that stand more than once.
    unreadable
        Stored groups of reports whose bytes are not what was written.
    """

    reports: int
    differences: tuple[Difference, ...]
    repeated: int
    unreadable: int

    @property
    def agrees(self) -> bool:
        """Whether everything is as it was written."""
        return not (self.differences or self.repeated or self.unreadable)


def recount(store: Store, survey_id: str) -> Recount:
    """Count a survey's stored reports again and compare with its counters.

    Raises
    ------
    SurveyUnknown
        If there is no such survey.
    ReportsExpired
        If its reports were deleted at the end of their retention.
    """
    if store.survey(survey_id).expired:
        raise ReportsExpired(
            "the single reports were deleted at the end of their retention;"
            " only the counters are left, and nothing to compare them with"
        )
    versions = {survey.digest: survey for survey in store.manifests(survey_id)}
    with store.audit(survey_id) as (cells, chunks):
        counters = Counter(dict(_counters(cells)))
        return _compare(counters, chunks, versions)


def _compare(
    counters: Counter[Place], chunks: Iterable[Chunk], versions: dict[str, Survey]
) -> Recount:
    found: Counter[Place] = Counter()
    ids = bytearray()
    unreadable = 0
    for chunk in chunks:
        try:
            found.update(dict(_found(chunk, versions[chunk.manifest])))
            unreadable += not _ascends(chunk.ids)
        except (WireError, ValueError):
            unreadable += 1
        ids += chunk.ids
    places = sorted(found.keys() | counters.keys(), key=repr)
    different = [place for place in places if found[place] != counters[place]]
    return Recount(
        reports=len(ids) // ID_BYTES,
        differences=tuple(Difference(p, counters[p], found[p]) for p in different),
        repeated=_repeated(ids),
        unreadable=unreadable,
    )


def _ascends(ids: bytes) -> bool:
    """Return whether ids stand in the order in which they were written; damaged ones rarely do."""
    halves = np.frombuffer(ids, ">u8").reshape(-1, 2)
    (first, second), (next_first, next_second) = halves[:-1].T, halves[1:].T
    rises = (next_first > first) | ((next_first == first) & (next_second >= second))
    return bool(rises.all())


def _repeated(ids: bytearray) -> int:
    """Return how many ids stand here once more; arrays take 26 bytes an id, a dictionary 110."""
    halves = np.frombuffer(ids, np.uint64).reshape(-1, 2)
    first = np.sort(halves[:, 0])
    twice = np.unique(first[1:][first[1:] == first[:-1]])
    alike = packing.split(halves[np.isin(halves[:, 0], twice)].tobytes())
    return len(alike) - len(set(alike))


def _counters(cells: Iterable[Cell]) -> Iterator[tuple[Place, int]]:
    for cell in cells:
        for value, count in enumerate(cell.counts):
            yield Place(cell.manifest, cell.question, cell.day, cell.stratum, value), count


def _found(chunk: Chunk, survey: Survey) -> Iterator[tuple[Place, int]]:
    for count in packing.stored_counts(chunk, survey):
        stratum = radix_digits(count.stratum, survey)
        yield Place(count.manifest, count.question, count.day, stratum, count.value), count.change
