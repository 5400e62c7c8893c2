"""One transaction for everything that waits: dedupe, append, count.

Stage: ingest, between the queue and the disk. Under the store's write lock a process first learns
the ids that others committed, so that an id is counted once whoever received it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.decoding import Bytes, ReportBatch
from tossup.server.id_index import IdIndex
from tossup.server.packing import Reports, counts, from_chunk, id_rows, split, to_chunk
from tossup.server.refusals import Refused
from tossup.server.store.base import Count, State, Store, SurveyUnknown, Transaction
from tossup.shared.errors import TossupError
from tossup.shared.survey import Survey


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Report ids of one survey that must not be counted, now or later."""

    survey_id: str
    ids: tuple[bytes, ...]


Work = ReportBatch | Withdrawal
Result = int | TossupError  # how many were received, or why none was

_REFUSALS: Final[dict[State, tuple[str, str]]] = {
    "closed": ("the survey is closed; nothing more is counted", "survey-closed"),
    "not-open": ("the survey is not open yet; send the same later", "survey-not-open"),
}


class GroupCommit:
    """Commits groups of work to a store, and keeps the ids of open surveys in memory.

    Not safe to share between threads: it belongs to the writer.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._indexes: dict[str, IdIndex] = {}

    def commit(self, group: Iterable[Work]) -> list[Result]:
        """Commit a group, durably, and return the result of each piece of work in order.

        Raises
        ------
        StorageFailed
            If the transaction failed: then nothing of the group is kept, on disk or in memory.
        """
        opened: dict[str, IdIndex] = {}
        try:
            with self._store.write() as transaction:
                results = _Group(transaction, self._store.manifest, self._indexes, opened).run(
                    group
                )
        except BaseException:
            for index in opened.values():
                index.rollback()
            raise
        for index in opened.values():
            index.commit()
        return results


class _Group:
    """The work of one transaction.

    ``indexes`` are those in memory; ``opened`` is filled with those this transaction changes.
    """

    def __init__(
        self,
        transaction: Transaction,
        manifest: Callable[[str], Survey],
        indexes: dict[str, IdIndex],
        opened: dict[str, IdIndex],
    ) -> None:
        self._transaction = transaction
        self._manifest = manifest
        self._indexes = indexes
        self._opened = opened
        self._states: dict[str, State] = {}
        self._fresh: defaultdict[tuple[str, str, str | None], list[ReportBatch]] = defaultdict(list)

    def run(self, group: Iterable[Work]) -> list[Result]:
        # Reports go before withdrawals: an id in both is withdrawn, in either order.
        work = list(group)
        results: dict[int, Result] = {}
        for place, batch in enumerate(work):
            if isinstance(batch, ReportBatch):
                results[place] = self._admit(batch)
        self._append()
        for place, withdrawal in enumerate(work):
            if isinstance(withdrawal, Withdrawal):
                results[place] = self._withdraw(withdrawal)
        return [results[place] for place in range(len(work))]

    def _admit(self, batch: ReportBatch) -> Result:
        survey_id = batch.survey.id
        refusal = self._refusal(survey_id, "closed", "not-open")
        if refusal:
            return refusal
        places = self._index(survey_id).admit(batch.ids)
        if places:
            key = (survey_id, batch.survey.digest, batch.question)
            self._fresh[key].append(batch.take(places))
        return len(batch.ids)

    def _append(self) -> None:
        tallies: defaultdict[str, list[Count]] = defaultdict(list)
        reports: defaultdict[str, int] = defaultdict(int)
        for (survey_id, _, _), fresh in self._fresh.items():
            merged = _merge(fresh, self._transaction.day)
            number = self._transaction.append(survey_id, to_chunk(merged))
            self._index(survey_id).place(split(merged.ids.tobytes()), number)
            tallies[survey_id] += counts(merged)
            reports[survey_id] += len(merged.ids)
        for survey_id, changes in tallies.items():
            self._transaction.count(survey_id, changes, reports[survey_id])

    def _withdraw(self, withdrawal: Withdrawal) -> Result:
        refusal = self._refusal(withdrawal.survey_id, "closed")
        return refusal or self._take_back(withdrawal.survey_id, withdrawal.ids)

    def _take_back(self, survey_id: str, ids: tuple[bytes, ...]) -> int:
        index = self._index(survey_id)
        by_chunk: defaultdict[int, list[bytes]] = defaultdict(list)
        for report_id in ids:
            number = index.chunk_of(report_id)
            if number is not None:
                by_chunk[number].append(report_id)
        gone = [report_id for report_id in ids if index.withdraw(report_id)]
        if gone:
            index.remembered(self._transaction.withdraw_ids(survey_id, b"".join(gone)))
        for number, leaving in by_chunk.items():
            self._remove(survey_id, number, leaving)
        return len(ids)

    def _remove(self, survey_id: str, number: int, ids: list[bytes]) -> None:
        chunk = self._transaction.chunk(number)
        if chunk is None:
            return
        reports = from_chunk(chunk, self._manifest(chunk.manifest))
        leaving = _rows_in(reports.ids, ids)
        removed = reports.take(leaving)
        self._transaction.replace(number, to_chunk(reports.take(~leaving)))
        self._transaction.count(survey_id, counts(removed, sign=-1), -len(removed.ids))

    def _refusal(self, survey_id: str, *refused: State) -> Refused | None:
        """Return why a survey takes nothing, if its state today is one of these."""
        try:
            state = self._state(survey_id)
        except SurveyUnknown as error:
            return Refused(str(error), "survey-unknown")
        if state == "closed":
            self._indexes.pop(survey_id, None)
        return Refused(*_REFUSALS[state]) if state in refused else None

    def _state(self, survey_id: str) -> State:
        if survey_id not in self._states:
            self._states[survey_id] = self._transaction.state(survey_id)
        return self._states[survey_id]

    def _index(self, survey_id: str) -> IdIndex:
        """Return a survey's index, opened and brought up to date once a transaction."""
        if survey_id not in self._opened:
            index = self._indexes.setdefault(survey_id, IdIndex())
            index.begin()
            index.follow(*self._transaction.ids_after(survey_id, index.cursor))
            self._opened[survey_id] = index
        return self._opened[survey_id]


def _merge(fresh: list[ReportBatch], day: date) -> Reports:
    """Return the reports of several batches to one manifest and question as one."""
    return Reports(
        survey=fresh[0].survey,
        question=fresh[0].question,
        day=day,
        ids=id_rows(b"".join(b"".join(batch.ids) for batch in fresh)),
        values=np.concatenate([batch.values for batch in fresh], axis=1),
        attributes=np.concatenate([batch.attributes for batch in fresh], axis=1),
    )


def _rows_in(rows: Bytes, ids: list[bytes]) -> NDArray[np.bool_]:
    wanted = set(ids)
    return np.fromiter((row.tobytes() in wanted for row in rows), dtype=bool, count=len(rows))
