"""Ingest against a model: any sequence of groups, by two processes, with commits that fail."""

import sqlite3
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tossup.server.ingest.commit import GroupCommit, Withdrawal, Work
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.recount import recount
from tossup.server.store import SQLiteStore, StorageFailed
from tossup.server.store.connection import Connection, connect
from tossup.server.surveys.lifecycle import publish
from tossup.shared.survey import Survey
from tossup.shared.wire import Batch, encode_batch

POOL = [bytes([n]) * 16 for n in range(10)]
ids = st.lists(st.sampled_from(POOL), min_size=1, max_size=4, unique=True)
reports = st.tuples(
    st.just("report"), ids, st.lists(st.integers(0, 1), min_size=4, max_size=4), st.integers(0, 1)
)
withdrawals = st.tuples(st.just("withdraw"), ids)
#: Which process commits, what, and whether the commit fails.
steps = st.tuples(
    st.integers(0, 1), st.lists(reports | withdrawals, min_size=1, max_size=5), st.booleans()
)


class Process:
    """A store and its memory of ids; its next commit fails when told so."""

    def __init__(self, path: Path) -> None:
        self.failing = False
        self.store = SQLiteStore(path, connect=lambda at: _Failing(connect(at), self))
        # Of two reports already, so that chunks grow and are cut.
        self.commit = GroupCommit(self.store, cohort=2).commit


class _Failing:
    def __init__(self, connection: Connection, process: Process) -> None:
        self._connection = connection
        self._process = process

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        if sql == "COMMIT" and self._process.failing:
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


class Model:
    """What should be counted: by id, its value and region, or None once it is withdrawn."""

    def __init__(self) -> None:
        self.known: dict[bytes, tuple[int, int] | None] = {}

    def apply(self, group: list[tuple]) -> None:
        for _, found, values, region in [piece for piece in group if piece[0] == "report"]:
            for report_id, value in zip(found, values, strict=False):
                self.known.setdefault(report_id, (region, value))
        for _, found in [piece for piece in group if piece[0] == "withdraw"]:
            self.known |= dict.fromkeys(found)

    def counts(self) -> Counter[tuple[int, int]]:
        return Counter(place for place in self.known.values() if place is not None)


def work_of(piece: tuple, survey: Survey) -> Work:
    if piece[0] == "withdraw":
        return Withdrawal(survey.id, tuple(piece[1]))
    _, found, values, region = piece
    column = tuple(values[: len(found)])
    regions = (region,) * len(found)
    batch = Batch(survey.digest, tuple(found), {"ever_tried": column}, {"region": regions})
    return decode_reports(encode_batch(batch, survey), lambda _: survey)


def counted(store: SQLiteStore, survey: Survey) -> Counter[tuple[int, int]]:
    cells = store.tally(survey.id)
    return +Counter(
        {(cell.stratum[0], value): cell.counts[value] for cell in cells for value in (0, 1)}
    )


@pytest.mark.parametrize("examples", [40, pytest.param(150, marks=pytest.mark.prove)])
def test_counts_are_those_of_the_model(survey: Survey, envelope: bytes, examples: int) -> None:
    """After every group the counters, the stored reports and the model agree."""

    @settings(max_examples=examples, derandomize=True)
    @given(plan=st.lists(steps, max_size=8))
    def check(plan: list) -> None:
        agree(survey, envelope, plan)

    check()


def agree(survey: Survey, envelope: bytes, plan: list) -> None:
    """Let two processes commit the groups of a plan, and compare after each."""
    with tempfile.TemporaryDirectory() as folder:
        processes = [Process(Path(folder, "t.sqlite3")) for _ in range(2)]
        publish(processes[0].store, envelope)
        model = Model()
        for which, group, fails in plan:
            process = processes[which]
            process.failing = fails
            with suppress(StorageFailed):
                process.commit([work_of(piece, survey) for piece in group])
            process.failing = False
            if not fails:
                model.apply(group)
            store = processes[1 - which].store

            assert model.counts() == counted(store, survey)
            assert recount(store, survey.id).agrees
            assert model.counts().total() == store.survey(survey.id).reports
        for process in processes:
            process.store.close()
