"""Power loss at every write of the server's store: nothing acknowledged is lost or counted twice.

The ingest code runs unchanged on a connection that records what reaches the disk; see
``tests/support/powerloss.py`` for what is and is not simulated.
"""

import itertools
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from powerloss import Recorder, crash_states

from tossup.server.ingest.commit import GroupCommit
from tossup.server.ingest.decoding import ReportBatch, decode_reports
from tossup.server.ingest.group import Withdrawal
from tossup.server.ingest.packing import split
from tossup.server.ingest.recount import recount
from tossup.server.store import SQLiteStore, StoreError
from tossup.server.store.connection import Connection, connect
from tossup.server.surveys.lifecycle import publish
from tossup.shared.survey import Survey

GROUPS = 26
_names = (f"server-powerloss-{count}" for count in itertools.count())


class Weakened:
    """A connection that says it is durable (synchronous=FULL), and is not."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        if sql == "PRAGMA synchronous=FULL":
            sql = "PRAGMA synchronous=NORMAL"
        if sql == "PRAGMA synchronous":
            sql = "SELECT 2"
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def path(tmp_path: Path, envelope: bytes) -> Path:
    """A database with one open survey."""
    path = tmp_path / "before" / "t.sqlite3"
    store = SQLiteStore(path)
    publish(store, envelope)
    store.close()
    return path


@pytest.fixture
def work(survey: Survey, make_body: Callable[..., bytes]) -> list[list[ReportBatch | Withdrawal]]:
    """Groups of batches with fresh ids; every fifth takes an earlier report back."""
    groups: list[list[ReportBatch | Withdrawal]] = []
    taken = [tuple(secrets.token_bytes(16) for _ in range(5)) for _ in range(GROUPS)]
    for place, ids in enumerate(taken):
        bodies = (make_body((1,) * 2, ids=ids[:2]), make_body((0, 1, 1), ids=ids[2:], region=1))
        groups.append([decode_reports(body, lambda _: survey) for body in bodies])
        if place % 5 == 4:
            groups[-1].append(Withdrawal(survey.id, taken[place - 2][:1]))
    return groups


def record(path: Path, work: list[list[ReportBatch | Withdrawal]], *, weakened: bool) -> Recorder:
    """Commit every group under the recorder; mark what was counted and withdrawn after each."""
    recorder = Recorder(next(_names))
    recorder.snapshot(path)
    wrap = Weakened if weakened else (lambda connection: connection)
    counted: frozenset[bytes] = frozenset()
    withdrawn: frozenset[bytes] = frozenset()
    for half in (work[: GROUPS // 2], work[GROUPS // 2 :]):  # in between: stop, checkpoint, start
        store = SQLiteStore(path, connect=lambda at: wrap(recorder.connect(str(at))))
        commit = GroupCommit(store, cohort=8)  # so that chunks grow, and are cut
        for group in half:
            commit.commit(group)
            batches = [piece for piece in group if isinstance(piece, ReportBatch)]
            counted |= {i for batch in batches for i in split(batch.ids)}
            withdrawn |= {i for piece in group if isinstance(piece, Withdrawal) for i in piece.ids}
            recorder.mark((counted - withdrawn, withdrawn))
        store.close()
    return recorder


def stored(path: Path, survey: Survey) -> tuple[set[bytes], bool]:
    """Ids that the store counts, and whether its counters agree with them."""
    store = SQLiteStore(path, connect=connect)
    try:
        with store.audit(survey.id) as (_, chunks):
            ids = {report_id for chunk in chunks for report_id in split(chunk.ids)}
        return ids, recount(store, survey.id).agrees
    finally:
        store.close()


def outcomes(
    recorder: Recorder,
    work: list[list[ReportBatch | Withdrawal]],
    survey: Survey,
    folder: Path,
    every: int,
) -> Iterator[bool]:
    """Whether each crash state kept all that was acknowledged, and counted it once."""
    for state in crash_states(recorder, seed=11, every=every):
        state.write_to(folder)
        counted, withdrawn = state.marks[-1] if state.marks else (frozenset(), frozenset())
        running = work[len(state.marks)] if len(state.marks) < len(work) else []
        leaving = {i for piece in running if isinstance(piece, Withdrawal) for i in piece.ids}
        try:
            ids, agrees = stored(folder / "t.sqlite3", survey)
        except StoreError:
            yield False
        else:
            yield agrees and counted <= ids | leaving and not withdrawn & ids


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.prove)])
def test_power_loss_loses_nothing_that_was_acknowledged(
    path: Path, work, survey: Survey, tmp_path: Path, every: int
) -> None:
    """After any crash every acknowledged report is counted exactly once, and the recount agrees."""
    recorder = record(path, work, weakened=False)
    kept = list(outcomes(recorder, work, survey, tmp_path / "after", every))

    assert len(kept) >= 1000 // every
    assert all(kept)


def test_the_same_harness_finds_losses_where_commits_are_not_synced(
    path: Path, work, survey: Survey, tmp_path: Path
) -> None:
    """With synchronous=NORMAL acknowledged reports are lost, so the harness can see a loss."""
    recorder = record(path, work, weakened=True)
    kept = list(outcomes(recorder, work, survey, tmp_path / "after", every=7))

    assert 0 < kept.count(False) < len(kept)
