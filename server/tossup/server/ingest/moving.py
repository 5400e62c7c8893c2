"""Reports that move to a store with shards: packed anew there, and counted on both sides.

Stage: beside ingest. An id that was known is known in the shard where it would be looked for, so
what is sent again counts once. Chunks are joined before they are shared out among the shards, so
that no finished one is smaller than those that ingest writes.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from functools import reduce
from typing import Final

from tossup.server.ingest.cohorts import COHORT, joined
from tossup.server.ingest.decoding import id_rows
from tossup.server.ingest.packing import Reports, by_id, counts, from_chunk, split, to_chunk
from tossup.server.ingest.recount import recount
from tossup.server.ingest.shards import shards_of
from tossup.server.store.base import Store
from tossup.server.store.records import Chunk, StoreInconsistent
from tossup.shared.survey import Survey

#: Reports of one question, day and shard that are held before they are written.
_HELD: Final = 4096


@dataclass(frozen=True, slots=True)
class Moved:
    """What moved of one survey, equal on both sides.

    Attributes
    ----------
    reports
        Stored reports; None if only counters are left of them.
    counters
        Counters above 0.
    """

    reports: int | None
    counters: int


def move(source: Store, target: Store) -> dict[str, Moved]:
    """Move all reports, and return what was counted on both sides, by survey.

    Parameters
    ----------
    source
        Is only read; nobody writes to it.
    target
        Has all of the source but its reports.

    Raises
    ------
    StoreInconsistent
        If counters and stored reports of either disagree, or the two do.
    """
    moved: dict[str, Moved] = {}
    for record in source.surveys():
        survey_id = record.survey.id
        if not record.expired:
            _require_agreement(source, survey_id, "in the source")
            _Move(source, target, survey_id).run()
            _require_agreement(target, survey_id, "in the database")
        moved[survey_id] = _compare(source, target, survey_id, record.expired)
    return moved


class _Move:
    """The reports of one survey on their way."""

    def __init__(self, source: Store, target: Store, survey_id: str) -> None:
        self._source, self._target, self._survey_id = source, target, survey_id
        self._held: defaultdict[tuple[str, str | None, date, int], list[Reports]] = defaultdict(
            list
        )

    def run(self) -> None:
        versions = {survey.digest: survey for survey in self._source.manifests(self._survey_id)}
        with self._source.audit(self._survey_id) as (_, chunks):
            for chunk in chunks:
                self._share_out(chunk, versions[chunk.manifest])
        for place in list(self._held):
            self._write(place)
        self._withdraw()

    def _share_out(self, chunk: Chunk, survey: Survey) -> None:
        reports = from_chunk(chunk, survey)
        shards = shards_of(reports.ids, self._target.shards)
        for shard in range(self._target.shards):
            place = chunk.manifest, chunk.question, chunk.day, shard
            self._held[place].append(reports.take(shards == shard))
            if sum(len(part.ids) for part in self._held[place]) >= _HELD:
                self._write(place)

    def _write(self, place: tuple[str, str | None, date, int]) -> None:
        """Write what is held; few reports may grow, as those that come one by one do."""
        reports = reduce(joined, self._held.pop(place))
        n = len(reports.ids)
        if not n:
            return
        with self._target.write(place[-1]) as transaction:
            chunk = to_chunk(by_id(reports))
            transaction.append(self._survey_id, chunk, growing=n <= 2 * COHORT)
            transaction.count(self._survey_id, counts(reports), n)

    def _withdraw(self) -> None:
        ids = b"".join(self._source.withdrawn(self._survey_id))
        shards = shards_of(id_rows(ids), self._target.shards)
        for shard in range(self._target.shards):
            own = sorted(split(id_rows(ids)[shards == shard].tobytes()))
            if own:
                with self._target.write(shard) as transaction:
                    transaction.withdraw_ids(self._survey_id, b"".join(own))
                    transaction.count(self._survey_id, (), 0)


def _require_agreement(store: Store, survey_id: str, where: str) -> None:
    found = recount(store, survey_id)
    if not found.agrees or found.reports != store.survey(survey_id).reports:
        raise StoreInconsistent(f"the counters and stored reports of {survey_id} disagree {where}")


def _compare(source: Store, target: Store, survey_id: str, expired: bool) -> Moved:  # noqa: FBT001
    cells = source.tally(survey_id)
    gone = [sorted(split(b"".join(store.withdrawn(survey_id)))) for store in (source, target)]
    reports = {store.survey(survey_id).reports for store in (source, target)}
    if target.tally(survey_id) != cells or gone[0] != gone[1] or len(reports) > 1:
        raise StoreInconsistent(f"the two stores do not agree about {survey_id}")
    counters = sum(bool(count) for cell in cells for count in cell.counts)
    return Moved(None if expired else reports.pop(), counters)
