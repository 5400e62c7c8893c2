"""The work of one transaction, in one order: dedupe, append, withdraw, count.

Stage: ingest, between the queue and the disk. Under the store's write lock a process first learns
the ids that others committed, so that an id is counted once whoever received it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, starmap
from typing import Final, NamedTuple

import numpy as np

from tossup.server.ingest.cohorts import cut, joined
from tossup.server.ingest.decoding import Bytes, ReportBatch, id_rows
from tossup.server.ingest.ids.index import IdIndex, Place
from tossup.server.ingest.known_day import jump
from tossup.server.ingest.packing import (
    Ordered,
    Reports,
    by_id,
    counts,
    from_chunk,
    split,
    to_chunk,
)
from tossup.server.refusals import Refused
from tossup.server.store.base import Store
from tossup.server.store.records import (
    Chunk,
    ManifestDamaged,
    Standing,
    StorageFailed,
    StoreInconsistent,
    SurveyDeleted,
    SurveyUnknown,
)
from tossup.server.store.sql.transaction import Transaction
from tossup.shared.errors import WireError


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Report ids of one survey that must not be counted, now or later."""

    survey_id: str
    ids: tuple[bytes, ...]


Work = ReportBatch | Withdrawal
Result = int | Exception  # how many were received, or why none was


def rows_of(work: Work) -> Bytes:
    """Return the ids of a piece of work, one row of 16 bytes each."""
    return work.ids if isinstance(work, ReportBatch) else id_rows(b"".join(work.ids))


def _refused(standing: Standing) -> Refused:
    """Return why a survey that is closed or not open takes nothing."""
    survey = standing.survey
    if standing.state == "not-open":
        opens = f"the survey opens on {survey.opens}; send the same then"
        return Refused(opens, "survey-not-open")
    if standing.closed:
        closed = "the survey was closed by its owner; nothing more is counted"
        return Refused(closed, "survey-closed")
    late = f" and counted late reports until {survey.counts_until}" if survey.late_days else ""
    over = f"the survey closed on {survey.closes}{late}; nothing more is counted"
    return Refused(over, "survey-closed")


#: Ids that a survey may hold by default: 0.5 GB of memory, 0.3 GB of disk.
MAX_REPORTS: Final = 10_000_000
#: Withdrawn ids that no report here has are remembered while all withdrawn ids are at most this
#: many, plus so many for every report. Devices send few, and anyone can make them up.
_MOST_WITHDRAWN: Final = 10_000
_WITHDRAWN_A_REPORT: Final = 2
#: So many chunks of a survey that may grow stay in memory, each of at most 256 reports.
_MOST_NEWEST: Final = 64


class Faulty(Exception):  # noqa: N818 - says what the work at these places is
    """Some work of a group cannot be stored, by a fault of its own and not of the disk."""

    def __init__(self, places: Sequence[int]) -> None:
        super().__init__(f"{len(places)} pieces of work cannot be stored")
        self.places = places


@dataclass(frozen=True, slots=True)
class Limits:
    """The size below which reports are stored among others, and the most ids of a survey.

    ``share`` is how many of ``max_reports`` one shard holds.
    """

    cohort: int
    max_reports: int
    share: int


class _Fresh:
    """New reports to one manifest and question, and the place where they will stand.

    ``work`` tells which pieces of the group's work they come from.
    """

    __slots__ = ("batches", "place", "work")

    def __init__(self) -> None:
        self.batches: list[ReportBatch] = []
        self.work: list[int] = []
        self.place = Place()


class OpenSurvey:
    """What stays in memory of a survey between transactions.

    ``newest`` are the chunks that may grow and their numbers, by manifest and question, as this
    process last wrote them. They are forgotten when another process may have changed them.
    """

    def __init__(self) -> None:
        self.index = IdIndex()
        self.newest: dict[tuple[str, str | None], tuple[int, Reports]] = {}

    def keep(self, number: int, reports: Reports) -> None:
        """Note a chunk that may grow, as it was just written."""
        if len(self.newest) >= _MOST_NEWEST:
            self.newest.clear()
        self.newest[reports.survey.digest, reports.question] = (number, reports)

    def rollback(self) -> None:
        """Forget what was not committed."""
        self.index.rollback()
        self.newest.clear()


class Group(NamedTuple):
    """The work of one transaction.

    ``surveys`` are those in memory; ``opened`` is filled with those this transaction changes.
    """

    transaction: Transaction
    store: Store
    surveys: dict[str, OpenSurvey]
    opened: dict[str, OpenSurvey]
    limits: Limits

    def run(self, work: Sequence[Work]) -> list[Result]:
        """Put the work into the transaction, and return the result of each piece in order.

        Raises
        ------
        Faulty
            If some of it cannot be stored; then nothing of the transaction may be kept.
        """
        parts: dict[str, _Part] = {}
        for place, each in enumerate(work):
            survey_id = each.survey.id if isinstance(each, ReportBatch) else each.survey_id
            part = parts.get(survey_id)
            if part is None:
                part = parts[survey_id] = _Part(self, survey_id)
            part.add(place, each)
        results: dict[int, Result] = {}
        for part in parts.values():
            part.run(results)
        return [results[place] for place in range(len(work))]


class _Part:
    """The work of one transaction on one survey, each piece with its place in the group."""

    _open: OpenSurvey
    _index: IdIndex

    def __init__(self, group: Group, survey_id: str) -> None:
        self._group, self._survey_id = group, survey_id
        self._transaction = group.transaction
        self._batches: list[tuple[int, ReportBatch]] = []
        self._withdrawals: list[tuple[int, Withdrawal]] = []
        self._blamed: list[int] = []  # work that would be at fault if something failed now
        self._fresh: dict[tuple[str, str | None], _Fresh] = {}
        # Kept, and counted when they are asked for: a few reports may change a million counters.
        self._changes: list[tuple[Reports, int]] = []
        self._is_changed = False

    def add(self, place: int, work: Work) -> None:
        """Add a piece of work."""
        if isinstance(work, ReportBatch):
            self._batches.append((place, work))
        else:
            self._withdrawals.append((place, work))

    def run(self, results: dict[int, Result]) -> None:
        """Put the work into the transaction, and note the result of each piece.

        What fails is blamed on work that may be at fault, unless the storage itself failed.
        """
        everything = [place for place, _ in (*self._batches, *self._withdrawals)]
        self._blamed = everything
        try:
            standing = self._standing()
            if isinstance(standing, Refused | ManifestDamaged):
                results |= dict.fromkeys(everything, standing)
                return
            if standing.state == "not-open":
                results |= dict.fromkeys((place for place, _ in self._batches), _refused(standing))
                self._batches = []
            if self._batches or self._withdrawals:
                self._bring_up_to_date(standing)
                self._store(results)
                self._blamed = everything
                self._count(standing)
        except Exception as error:
            if isinstance(error, StorageFailed) and not isinstance(error, StoreInconsistent):
                raise
            raise Faulty(self._blamed) from error

    def _standing(self) -> Standing | Refused | ManifestDamaged:
        """Return how the survey stands today; or, if nothing of it is taken, why."""
        try:
            standing = self._transaction.standing(self._survey_id)
        except SurveyDeleted as error:
            self._group.surveys.pop(self._survey_id, None)
            return Refused(str(error), "survey-closed")
        except SurveyUnknown as error:
            return Refused(str(error), "survey-unknown")
        except ManifestDamaged as error:
            return error
        if standing.state != "closed":
            return standing
        self._group.surveys.pop(self._survey_id, None)
        if not standing.closed and jump(self._group.store, self._transaction.day):
            return Refused(
                "the server's clock has jumped, so it cannot tell whether the survey is over; keep"
                " them and send the same later: whoever runs it confirms the clock",
                "clock-jumped",
            )
        return _refused(standing)

    def _bring_up_to_date(self, standing: Standing) -> None:
        """Learn what other processes committed, and look up all ids of the work."""
        if self._survey_id not in self._group.surveys:
            self._group.surveys[self._survey_id] = OpenSurvey()
        self._open = self._group.surveys[self._survey_id]
        self._index = self._open.index
        self._index.begin()  # what raises here takes back nothing that was committed
        self._group.opened[self._survey_id] = self._open
        if self._index.revision != standing.revision:
            self._open.newest.clear()
            others = self._transaction.ids_after(self._survey_id, self._index.cursor)
            self._index.follow(others, standing.revision)
        ids = [batch.ids for _, batch in self._batches]
        ids += [rows_of(withdrawal) for _, withdrawal in self._withdrawals]
        self._index.look_up(ids[0] if len(ids) == 1 else np.concatenate(ids))

    def _store(self, results: dict[int, Result]) -> None:
        """Append reports, then withdraw: an id in both is withdrawn, in either order."""
        start = 0
        for place, batch in self._batches:
            self._blamed = [place]
            results[place] = self._admit(place, batch, start)
            start += len(batch.ids)
        for fresh in self._fresh.values():
            self._blamed = fresh.work
            self._append(fresh)
        for place, withdrawal in self._withdrawals:
            self._blamed = [place]
            results[place] = self._withdraw(withdrawal.ids)

    def _admit(self, place: int, batch: ReportBatch, start: int) -> Result:
        """Keep the new ones of some reports, whose ids stand among those looked up at ``start``."""
        limits = self._group.limits
        if len(self._index) + len(batch.ids) > limits.share and not self._fits(batch):
            return Refused(
                "the survey holds as many reports as this server takes"
                f" ({limits.max_reports}); keep them and send the same later: whoever runs it"
                " can raise TOSSUP_MAX_REPORTS",
                "survey-full",
            )
        to = batch.survey.digest, batch.question
        fresh = self._fresh.get(to) or _Fresh()
        indexes = self._index.admit(start, start + len(batch.ids), fresh.place)
        if len(indexes):
            fresh.batches.append(batch.take(indexes))
            fresh.work.append(place)
            self._fresh[to] = fresh
        return len(batch.ids)

    def _fits(self, batch: ReportBatch) -> bool:
        """Return whether the new ids have room; known ones are acknowledged in any case."""
        new = sum(report_id not in self._index for report_id in split(batch.ids))
        return not new or len(self._index) + new <= self._group.limits.share

    def _append(self, fresh: _Fresh) -> None:
        reports = _merge(fresh.batches, self._transaction.day)
        self._change(reports, 1)
        if len(reports.ids) < self._group.limits.cohort:
            self._grow(reports, fresh.place)
        else:
            chunk = to_chunk(by_id(reports))
            fresh.place.chunk = self._transaction.append(self._survey_id, chunk)
            self._index.appended(fresh.place.chunk)

    def _grow(self, reports: Reports, place: Place) -> None:
        """Put few reports, which stand at ``place``, among the newest ones; see `cohorts`."""
        before, together = self._with_newest(reports)
        for part, growing in cut(together, self._group.limits.cohort):
            number = self._put(part, before if growing else None, growing=growing)
            if growing:
                self._open.keep(number, part)
            if number == before:  # those of before stand there already
                place.chunk = number
            else:
                self._index.moved(split(part.ids), number)

    def _put(self, reports: Ordered, before: int | None, *, growing: bool) -> int:
        chunk = to_chunk(reports)
        if before is None:
            return self._transaction.append(self._survey_id, chunk, growing=growing)
        return self._transaction.grow(self._survey_id, before, chunk)

    def _with_newest(self, reports: Reports) -> tuple[int | None, Ordered]:
        """Return the number of the chunk that may grow, and its reports with these."""
        found = self._newest(reports)
        return (found[0], joined(found[1], reports)) if found else (None, by_id(reports))

    def _newest(self, reports: Reports) -> tuple[int, Reports] | None:
        """Return number and reports of the chunk among which these belong."""
        digest, question = reports.survey.digest, reports.question
        kept = self._open.newest.get((digest, question))
        if kept and kept[1].day == reports.day:
            return kept
        found = self._transaction.growing(digest, question)
        if found is None:
            return None
        number, chunk = found
        try:
            return number, from_chunk(chunk, reports.survey)
        except (WireError, ValueError):
            # It is damaged on disk, as `tossup recount` says; it must not keep new reports out.
            finished = self._transaction.finish(number)
            self._index.moved(split(chunk.ids), finished)
            return None

    def _withdraw(self, ids: tuple[bytes, ...]) -> Result:
        """Withdraw ids; only the known ones where there is no room for unknown ones."""
        index = self._index
        unknown = {report_id for report_id in ids if report_id not in index}
        standing = len(index) - index.withdrawn
        most = _MOST_WITHDRAWN + _WITHDRAWN_A_REPORT * standing
        if unknown and index.withdrawn + len(unknown) > most:
            self._forget(tuple(i for i in ids if i not in unknown))
            return Refused(
                "more reports were withdrawn here than ever came; those that are here were taken"
                " back, and the others cannot be remembered now: send the same later",
                "too-many-withdrawals",
            )
        self._forget(ids)
        return len(ids)

    def _forget(self, ids: tuple[bytes, ...]) -> None:
        index = self._index
        by_chunk: defaultdict[int, set[bytes]] = defaultdict(set)
        for report_id in ids:
            number = index.chunk_of(report_id)
            if number is not None:
                by_chunk[number].add(report_id)
        gone = [report_id for report_id in ids if index.withdraw(report_id)]
        if gone:
            index.remembered(self._transaction.withdraw_ids(self._survey_id, b"".join(gone)))
            self._is_changed = True  # so that the revision grows, and others read what is gone
        for number, leaving in by_chunk.items():
            self._remove(number, leaving)

    def _remove(self, number: int, ids: set[bytes]) -> None:
        chunk = self._transaction.chunk(number)
        if chunk is None:
            return
        reports = self._reports(chunk)
        leaving = np.array([report_id in ids for report_id in split(chunk.ids)], dtype=np.bool_)
        self._transaction.replace(number, to_chunk(by_id(reports.take(~leaving))))
        self._open.newest.clear()
        self._change(reports.take(leaving), -1)

    def _reports(self, chunk: Chunk) -> Reports:
        """Return stored reports.

        Raises
        ------
        StoreInconsistent
            If they are damaged on disk. The request is not at fault: its device keeps it.
        """
        try:
            return from_chunk(chunk, self._group.store.manifest(chunk.manifest))
        except (WireError, ValueError) as error:
            raise StoreInconsistent("a stored report is damaged; run `tossup doctor`") from error

    def _change(self, reports: Reports, sign: int) -> None:
        self._changes.append((reports, sign))
        self._is_changed = True

    def _count(self, standing: Standing) -> None:
        """Count what was added before what is taken back; the revision grows."""
        if self._is_changed:
            added = sum(sign * len(reports.ids) for reports, sign in self._changes)
            changes = chain.from_iterable(starmap(counts, self._changes))
            self._transaction.count(self._survey_id, changes, added)
            self._index.revision = standing.revision + 1


def _merge(batches: list[ReportBatch], day: date) -> Reports:
    """Return the reports of several batches to one manifest and question as one."""
    batch = batches[0]
    if len(batches) == 1:
        return Reports(batch.survey, batch.question, day, batch.ids, batch.values, batch.attributes)
    return Reports(
        survey=batch.survey,
        question=batch.question,
        day=day,
        ids=np.concatenate([each.ids for each in batches]),
        values=tuple(
            np.concatenate(columns)
            for columns in zip(*(each.values for each in batches), strict=True)
        ),
        attributes=np.concatenate([each.attributes for each in batches], axis=1),
    )
