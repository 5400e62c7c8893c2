"""Ingest against a model: any sequence of groups, by two processes, with commits that fail."""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from errno import EIO
from itertools import count
from types import FrameType

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import PostgreSQL, SQLite

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.group import Withdrawal, Work
from tossup.server.ingest.recount import recount
from tossup.server.store import StorageFailed, Store
from tossup.server.store.sql.pool import Connection
from tossup.server.surveys.lifecycle import publish
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import Batch, encode_batch

ON_BOTH_STORES = True
POOL = [bytes([n]) * 16 for n in range(10)]
ids = st.lists(st.sampled_from(POOL), min_size=1, max_size=4, unique=True)
reports = st.tuples(
    st.just("report"), ids, st.lists(st.integers(0, 1), min_size=4, max_size=4), st.integers(0, 1)
)
withdrawals = st.tuples(st.just("withdraw"), ids)
#: Which process commits, what, and whether the commit fails.
steps = st.tuples(
    st.integers(0, 1),
    st.lists(reports | withdrawals, min_size=1, max_size=5),
    st.sampled_from([None, "before", "after"]),
)


class Process:
    """A store and, for each survey, a memory of ids; its next commit fails when told so:
    before it is made, or after."""

    def __init__(self, database: SQLite | PostgreSQL) -> None:
        self.failing: str | None = None
        self.store = database.open(wrap=lambda connection: _Failing(connection, self))

    def start(self) -> None:
        # Of two reports already, so that chunks grow and are cut.
        self.commit = GroupCommit(self.store, cohort=2).commit


class _Failing:
    def __init__(self, connection: Connection, process: Process) -> None:
        self._connection = connection
        self._process = process

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        if sql != "COMMIT" or not self._process.failing:
            return self._connection.execute(sql, parameters)
        if self._process.failing == "after":  # as where its connection ends before the answer
            self._connection.execute(sql)
        raise OSError(EIO, "disk I/O error")

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


def counted(store: Store, survey: Survey) -> Counter[tuple[int, int]]:
    cells = store.tally(survey.id)
    return +Counter(
        {(cell.stratum[0], value): cell.counts[value] for cell in cells for value in (0, 1)}
    )


@pytest.fixture
def processes(database: SQLite | PostgreSQL) -> Iterator[list[Process]]:
    made = [Process(database) for _ in range(2)]
    yield made
    for process in made:
        process.store.close()


@pytest.mark.parametrize("examples", [40, pytest.param(150, marks=pytest.mark.prove)])
def test_counts_are_those_of_the_model(
    database: SQLite | PostgreSQL,
    processes: list[Process],
    survey: Survey,
    publisher_key: Ed25519PrivateKey,
    examples: int,
) -> None:
    """After every group the counters, the stored reports and the model agree."""
    numbers = count()

    @settings(max_examples=examples // database.cost)
    @given(plan=st.lists(steps, max_size=8))
    def check(plan: list) -> None:
        fresh = replace(survey, id=f"model-{next(numbers)}")
        publish(processes[0].store, sign_manifest(fresh.payload, publisher_key))
        agree(processes, fresh, plan)

    check()


def agree(processes: list[Process], survey: Survey, plan: list) -> None:
    """Let two processes commit the groups of a plan, and compare after each."""
    for process in processes:
        process.start()
    model = Model()
    for which, group, fails in plan:
        process = processes[which]
        process.failing = fails
        with suppress(StorageFailed):
            process.commit([work_of(piece, survey) for piece in group])
        process.failing = None
        if fails != "before":
            model.apply(group)
        store = processes[1 - which].store

        assert model.counts() == counted(store, survey)
        assert recount(store, survey.id).agrees
        assert model.counts().total() == store.survey(survey.id).reports


@contextmanager
def no_memory(line: int) -> Iterator[None]:
    """Let the ingest raise MemoryError once, at so many lines from now on, in this thread."""
    left = count(line, -1)

    def at_line(_frame: FrameType, event: str, _: object) -> object:
        if event == "line" and next(left) == 0:
            raise MemoryError
        return at_line

    def at_call(frame: FrameType, *_: object) -> object:
        ours = "/server/ingest/" in frame.f_code.co_filename
        return at_line if ours and frame.f_code.co_name != "rollback" else None

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        with suppress(MemoryError):
            yield
    finally:
        sys.settrace(before)


def drawn(draw: random.Random, known: list[bytes]) -> list[tuple]:
    """Return a group about new ids and some that are known, each of them in one piece."""
    some = [draw.randbytes(16) for _ in range(6)] + draw.sample(known, min(len(known), 4))
    draw.shuffle(some)
    pieces = [some[start : start + 3] for start in range(0, len(some), 3)]
    make = ("report", "report", "withdraw")
    bits = [draw.randrange(2) for _ in range(3)]
    return [
        ("withdraw", piece) if draw.choice(make) == "withdraw" else ("report", piece, bits, 0)
        for piece in pieces
    ]


@pytest.mark.prove
def test_where_memory_ends_nothing_is_lost_or_counted_twice(
    database: SQLite | PostgreSQL,
    processes: list[Process],
    survey: Survey,
    publisher_key: Ed25519PrivateKey,
) -> None:
    """At any line of a commit: each device sends the same again, and it is counted once."""
    publish(processes[0].store, sign_manifest(survey.payload, publisher_key))
    for process in processes:
        process.start()
    draw, model = random.Random(14), Model()
    for _ in range(600 // database.cost):
        group = drawn(draw, [*model.known])
        work = [work_of(piece, survey) for piece in group]
        process = draw.choice(processes)
        with no_memory(draw.randrange(draw.choice([40, 400, 1000]))):
            process.commit(work)

        assert process.commit(work) == [len(piece[1]) for piece in group]
        model.apply(group)
        assert model.counts() == counted(process.store, survey)
    assert recount(processes[0].store, survey.id).agrees
