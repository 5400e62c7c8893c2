"""What grows with the reports that are stored: a commit, a start, memory, the file, an estimate.

Two stores are filled through the core, one with a hundredth of the reports of the other, and the
same is asked of both in turn. Time is the processor's where the disk has no part in the question.
"""

import os
import time
import tracemalloc
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench_device import KEY, survey_of
from bench_figures import Figure, interleave, ratio_of

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import ReportBatch, decode_reports
from tossup.server.results import results, results_to_json
from tossup.server.store import SQLiteStore
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.serving.run import keep_freed_memory
from tossup.shared import wire
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Survey

MANY, SOME, FEW = 10_000_000, 100_000, 1000
BATCH, LARGE = 1000, 10_000
ROUNDS = 15
STARTS = 5
#: Commits after which threads have sorted what was read, and a commit each has taken it.
SORTED = 100
#: Commits of one report each, and what one took of a processor at first: half is the aim.
ALONE, ALONE_BEFORE = 500, 592e-6
#: For so long a new folder is looked at more closely at each commit than a server's later is.
NEW_SECONDS = 3.5
#: A bit and an id.
RAW = 16 + 1 / 8


@dataclass
class Filled:
    """A store with reports to one yes/no question, and its writer."""

    folder: Path
    reports: int
    survey: Survey = field(default_factory=lambda: survey_of("growth", 1))

    def __post_init__(self) -> None:
        self.store = SQLiteStore(self.folder / "growth.sqlite3")
        publish(self.store, sign_manifest(self.survey.payload, KEY))
        self.commit = GroupCommit(self.store, max_reports=2 * MANY).commit
        size = min(LARGE, self.reports)
        self.slowest = max(self.seconds(size) for _ in range(self.reports // size))

    def body(self, n: int) -> bytes:
        packed = {"q0": os.urandom(-(-n // 8))}
        if n % 8:
            packed["q0"] = packed["q0"][:-1] + b"\0"
        return wire.encode_packed(self.survey.digest, os.urandom(16 * n), packed, {})

    def seconds(self, n: int, clock: Callable[[], float] = time.thread_time) -> float:
        """Return what receiving n reports takes of this thread, from their body on."""
        body = self.body(n)
        start = clock()
        batch = decode_reports(body, lambda _: self.survey)
        return clock() - start + self.seconds_of_commit(batch, clock)

    def seconds_of_commit(
        self, batch: ReportBatch, clock: Callable[[], float] = time.thread_time
    ) -> float:
        """Return what the commit of a batch takes of this thread."""
        start = clock()
        results = self.commit([batch])
        passed = clock() - start
        if results != [len(batch.ids)]:
            raise RuntimeError(f"not received: {results}")
        return passed

    def start_again(self) -> float:
        """Return how long the first report takes after a start, which knows no id."""
        self.commit = GroupCommit(self.store, max_reports=2 * MANY).commit
        return self.seconds(1, time.perf_counter)

    def estimate(self) -> float:
        """Return what reading the tally and estimating takes."""
        start = time.thread_time()
        for _ in range(10):
            results_to_json(results(self.store.survey("growth"), self.store.tally("growth")))
        return (time.thread_time() - start) / 10

    def bytes(self) -> int:
        """Return the size of the database."""
        self.store.scrub()
        return sum(file.stat().st_size for file in self.folder.iterdir())


def growth() -> list[Figure]:
    """Measure at 1e7 reports, against 1e5 and 1e3, with memory kept as `tossup serve` keeps it."""
    keep_freed_memory()
    with ExitStack() as stack:
        many, some, few = (
            Filled(Path(stack.enter_context(TemporaryDirectory())), n) for n in (MANY, SOME, FEW)
        )
        figures = [
            _stored_bytes(many),
            *_commits(many, some),
            _alone(some),
            _estimates(many, few),
            *_starts(many),
        ]
        for each in (many, some, few):
            each.store.close()
    return figures


def _commits(many: Filled, some: Filled) -> list[Figure]:
    slowest = 0.0

    def rate(filled: Filled) -> float:
        nonlocal slowest
        costs = [filled.seconds(BATCH) for _ in range(10)]
        slowest = max(slowest, *costs) if filled is many else slowest
        return BATCH / median(costs)

    measured = interleave(partial(rate, many), partial(rate, some), ROUNDS)
    ours, theirs = (median(values) / 1e3 for values in measured)
    note = f"{ours:.0f}k and {theirs:.0f}k reports a second of a processor, batches of 1,000"
    return [
        ratio_of("ingest rate at 1e7 reports / at 1e5", measured,
                 better="higher", gate=0.7, goal=0.95, note=note),
        ratio_of("slowest batch of 1,000 at 1e7 / 20 ms", ([slowest], [0.02]),
                 better="lower", gate=1, goal=0.5, note=f"{slowest * 1e3:.1f} ms of a processor"),
    ]  # fmt: skip


def _alone(some: Filled) -> Figure:
    """Return what the commit of a report costs that shares it with none, soon after a start."""
    time.sleep(NEW_SECONDS)
    some.seconds(1)
    alone = (decode_reports(some.body(1), lambda _: some.survey) for _ in range(ALONE))
    found = median(some.seconds_of_commit(batch) for batch in alone)
    note = f"{found * 1e6:.0f} us of a processor"
    return ratio_of("one commit of one report / 592 us", ([found], [ALONE_BEFORE]),
                    better="lower", gate=0.5, goal=0.25, note=note)  # fmt: skip


def _estimates(many: Filled, few: Filled) -> Figure:
    measured = interleave(many.estimate, few.estimate, rounds=2 * ROUNDS + 1)
    ours, theirs = (median(values) * 1e3 for values in measured)
    note = f"{ours:.2f} ms and {theirs:.2f} ms, tally to JSON"
    name = "estimate at 1e7 reports / at 1e3"
    return ratio_of(name, measured, better="lower", gate=1.5, goal=1, note=note)


def _starts(many: Filled) -> list[Figure]:
    seconds = [many.start_again() for _ in range(STARTS)]
    tracemalloc.start()
    many.start_again()
    for _ in range(SORTED):
        many.seconds(1)
        time.sleep(0.05)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    note = "what the index holds soon after a start, as tracemalloc counts it"
    return [
        ratio_of("seconds to the first report after a start, 1e7 stored",
                 (seconds, [1.0] * STARTS), better="lower", gate=1, goal=0.5),
        ratio_of("bytes of memory an open id at 1e7", ([size], [float(MANY)]),
                 better="lower", gate=24, goal=20.5, note=note),
    ]  # fmt: skip


def _stored_bytes(many: Filled) -> Figure:
    size = many.bytes() / many.reports
    note = f"{size:.2f} bytes a report of {RAW}; sent in batches of 10,000"
    name = "stored bytes a report / raw"
    return ratio_of(name, ([size], [RAW]), better="lower", gate=1.3, goal=1.1, note=note)
