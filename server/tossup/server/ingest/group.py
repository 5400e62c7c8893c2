"""The work of one transaction, in one order: dedupe, append, withdraw, count.

Stage: ingest, between the queue and the disk. Under the store's write lock a process first learns
the ids that others committed, so that an id is counted once whoever received it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

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
    Count,
    Standing,
    State,
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


class _Blaming:
    """Blames what fails on the work at these places, unless the storage itself failed.

    It is no generator, as a commit of one report would feel.
    """

    __slots__ = ("_places",)

    def __init__(self, *places: int) -> None:
        self._places = places

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        failed = isinstance(error, StorageFailed) and not isinstance(error, StoreInconsistent)
        if isinstance(error, Exception) and not failed:
            raise Faulty(self._places) from error


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

    def __init__(self) -> None:
        self.batches: list[ReportBatch] = []
        self.work: list[int] = []
        self.place = Place()


class _Changes:
    """What a transaction changes in one survey's counters.

    Reports are kept, and counted when they are asked for: a few of them may change a million
    counters.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Reports, int]] = []
        self.reports = 0

    def add(self, reports: Reports, sign: int) -> None:
        self._parts.append((reports, sign))
        self.reports += sign * len(reports.ids)

    def counts(self) -> Iterator[Count]:
        """Yield the changes, what is added before what is taken back."""
        for reports, sign in self._parts:
            yield from counts(reports, sign)


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


class Group:
    """The work of one transaction.

    ``surveys`` are those in memory; ``opened`` is filled with those this transaction changes.
    """

    def __init__(
        self,
        transaction: Transaction,
        store: Store,
        surveys: dict[str, OpenSurvey],
        opened: dict[str, OpenSurvey],
        limits: Limits,
    ) -> None:
        self._transaction = transaction
        self._store = store
        self._surveys = surveys
        self._opened = opened
        self._cohort, self._limits = limits.cohort, limits
        self._work: list[Work] = []
        self._starts: dict[int, int] = {}  # of each piece's ids among all of its survey's
        self._standings: dict[str, Standing] = {}
        self._fresh: defaultdict[tuple[str, str, str | None], _Fresh] = defaultdict(_Fresh)
        self._changes: defaultdict[str, _Changes] = defaultdict(_Changes)

    def run(self, work: list[Work]) -> list[Result]:
        """Put the work into the transaction, and return the result of each piece in order.

        Raises
        ------
        Faulty
            If some of it cannot be stored; then nothing of the transaction may be kept.
        """
        self._work = work
        # Reports go before withdrawals: an id in both is withdrawn, in either order.
        results: dict[int, Result] = {}
        for place, batch in enumerate(work):
            if isinstance(batch, ReportBatch):
                with _Blaming(place):
                    results[place] = self._admit(batch, place)
        self._append()
        for place, withdrawal in enumerate(work):
            if isinstance(withdrawal, Withdrawal):
                with _Blaming(place):
                    results[place] = self._withdraw(withdrawal)
        self._count(work)
        return [results[place] for place in range(len(work))]

    def _admit(self, batch: ReportBatch, place: int) -> Result:
        survey_id = batch.survey.id
        refusal = self._refusal(survey_id, "closed", "not-open")
        if refusal:
            return refusal
        index = self._index(survey_id)
        if len(index) + len(batch.ids) > self._limits.share and not self._fits(index, batch):
            return Refused(
                "the survey holds as many reports as this server takes"
                f" ({self._limits.max_reports}); keep them and send the same later: whoever runs it"
                " can raise TOSSUP_MAX_REPORTS",
                "survey-full",
            )
        fresh = self._fresh[survey_id, batch.survey.digest, batch.question]
        start = self._starts[place]
        indexes = index.admit(start, start + len(batch.ids), fresh.place)
        if len(indexes):
            fresh.batches.append(batch.take(indexes))
            fresh.work.append(place)
        return len(batch.ids)

    def _fits(self, index: IdIndex, batch: ReportBatch) -> bool:
        """Return whether the new ids have room; known ones are acknowledged in any case."""
        new = sum(report_id not in index for report_id in split(batch.ids))
        return not new or len(index) + new <= self._limits.share

    def _append(self) -> None:
        for (survey_id, _, _), fresh in self._fresh.items():
            if fresh.batches:
                with _Blaming(*fresh.work):
                    self._append_fresh(survey_id, fresh)

    def _append_fresh(self, survey_id: str, fresh: _Fresh) -> None:
        reports = _merge(fresh.batches, self._transaction.day)
        self._changes[survey_id].add(reports, sign=1)
        if len(reports.ids) < self._cohort:
            self._grow(survey_id, reports, fresh.place)
            return
        fresh.place.chunk = self._transaction.append(survey_id, to_chunk(by_id(reports)))
        self._index(survey_id).appended(fresh.place.chunk)

    def _grow(self, survey_id: str, reports: Reports, place: Place) -> None:
        """Put few reports, which stand at ``place``, among the newest ones; see `cohorts`."""
        before, together = self._with_newest(survey_id, reports)
        for part, growing in cut(together, self._cohort):
            number = self._put(survey_id, part, before if growing else None, growing=growing)
            if growing:
                self._open(survey_id).keep(number, part)
            if number == before:  # those of before stand there already
                place.chunk = number
            else:
                self._index(survey_id).moved(split(part.ids), number)

    def _put(self, survey_id: str, reports: Ordered, before: int | None, *, growing: bool) -> int:
        chunk = to_chunk(reports)
        if before is None:
            return self._transaction.append(survey_id, chunk, growing=growing)
        return self._transaction.grow(survey_id, before, chunk)

    def _with_newest(self, survey_id: str, reports: Reports) -> tuple[int | None, Ordered]:
        """Return the number of the chunk that may grow, and its reports with these."""
        found = self._newest(survey_id, reports)
        return (found[0], joined(found[1], reports)) if found else (None, by_id(reports))

    def _newest(self, survey_id: str, reports: Reports) -> tuple[int, Reports] | None:
        """Return number and reports of the chunk among which these belong."""
        digest, question = reports.survey.digest, reports.question
        kept = self._open(survey_id).newest.get((digest, question))
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
            self._index(survey_id).moved(split(chunk.ids), finished)
            return None

    def _withdraw(self, withdrawal: Withdrawal) -> Result:
        refusal = self._refusal(withdrawal.survey_id, "closed")
        return refusal or self._take_back(withdrawal.survey_id, withdrawal.ids)

    def _take_back(self, survey_id: str, ids: tuple[bytes, ...]) -> Result:
        """Withdraw ids; only the known ones where there is no room for unknown ones."""
        index = self._index(survey_id)
        unknown = {report_id for report_id in ids if report_id not in index}
        standing = len(index) - index.withdrawn
        most = _MOST_WITHDRAWN + _WITHDRAWN_A_REPORT * standing
        if unknown and index.withdrawn + len(unknown) > most:
            self._forget(survey_id, tuple(i for i in ids if i not in unknown))
            return Refused(
                "more reports were withdrawn here than ever came; those that are here were taken"
                " back, and the others cannot be remembered now: send the same later",
                "too-many-withdrawals",
            )
        self._forget(survey_id, ids)
        return len(ids)

    def _forget(self, survey_id: str, ids: tuple[bytes, ...]) -> None:
        index = self._index(survey_id)
        by_chunk: defaultdict[int, set[bytes]] = defaultdict(set)
        for report_id in ids:
            number = index.chunk_of(report_id)
            if number is not None:
                by_chunk[number].add(report_id)
        gone = [report_id for report_id in ids if index.withdraw(report_id)]
        if gone:
            index.remembered(self._transaction.withdraw_ids(survey_id, b"".join(gone)))
            self._changes[survey_id]  # so that the revision grows, and others read what is gone
        for number, leaving in by_chunk.items():
            self._remove(survey_id, number, leaving)

    def _remove(self, survey_id: str, number: int, ids: set[bytes]) -> None:
        chunk = self._transaction.chunk(number)
        if chunk is None:
            return
        reports = self._reports(chunk)
        leaving = np.array([report_id in ids for report_id in split(chunk.ids)], dtype=np.bool_)
        self._transaction.replace(number, to_chunk(by_id(reports.take(~leaving))))
        self._open(survey_id).newest.clear()
        self._changes[survey_id].add(reports.take(leaving), sign=-1)

    def _reports(self, chunk: Chunk) -> Reports:
        """Return stored reports.

        Raises
        ------
        StoreInconsistent
            If they are damaged on disk. The request is not at fault: its device keeps it.
        """
        try:
            return from_chunk(chunk, self._store.manifest(chunk.manifest))
        except (WireError, ValueError) as error:
            raise StoreInconsistent("a stored report is damaged; run `tossup doctor`") from error

    def _count(self, work: Sequence[Work]) -> None:
        for survey_id, changes in self._changes.items():
            places = [place for place, each in enumerate(work) if _about(each) == survey_id]
            with _Blaming(*places):
                revision = self._transaction.count(survey_id, changes.counts(), changes.reports)
            self._index(survey_id).revision = revision

    def _refusal(self, survey_id: str, *refused: State) -> Refused | None:
        """Return why a survey takes nothing, if its state today is one of these."""
        try:
            state = self._standing(survey_id).state
        except SurveyDeleted as error:
            self._surveys.pop(survey_id, None)
            return Refused(str(error), "survey-closed")
        except SurveyUnknown as error:
            return Refused(str(error), "survey-unknown")
        if state == "closed":
            self._surveys.pop(survey_id, None)
        if state not in refused:
            return None
        standing = self._standing(survey_id)
        ends_by_clock = state == "closed" and not standing.closed
        if ends_by_clock and jump(self._store, self._transaction.day):
            return Refused(
                "the server's clock has jumped, so it cannot tell whether the survey is over; keep"
                " them and send the same later: whoever runs it confirms the clock",
                "clock-jumped",
            )
        return _refused(standing)

    def _standing(self, survey_id: str) -> Standing:
        if survey_id not in self._standings:
            self._standings[survey_id] = self._transaction.standing(survey_id)
        return self._standings[survey_id]

    def _index(self, survey_id: str) -> IdIndex:
        return self._open(survey_id).index

    def _open(self, survey_id: str) -> OpenSurvey:
        """Return what is known of a survey, brought up to date once a transaction."""
        if survey_id not in self._opened:
            if survey_id not in self._surveys:
                self._surveys[survey_id] = OpenSurvey()
            survey = self._surveys[survey_id]
            index = survey.index
            index.begin()  # what raises here takes back nothing that was committed
            self._opened[survey_id] = survey
            revision = self._standing(survey_id).revision
            if index.revision != revision:
                survey.newest.clear()
                index.follow(self._transaction.ids_after(survey_id, index.cursor), revision)
            index.look_up(self._ids(survey_id))
        return self._opened[survey_id]

    def _ids(self, survey_id: str) -> Bytes:
        """Return the ids of all work on a survey, and note where those of each piece begin."""
        parts: list[Bytes] = []
        start = 0
        for place, work in enumerate(self._work):
            if _about(work) == survey_id:
                self._starts[place] = start
                parts.append(rows_of(work))
                start += len(work.ids)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _about(work: Work) -> str:
    """Return the id of the survey that a piece of work changes."""
    return work.survey_id if isinstance(work, Withdrawal) else work.survey.id


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
