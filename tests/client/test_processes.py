"""Threads, forks, several processes and SIGKILL: one report a topic, and none is lost."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from killing import Killed, child, wait
from recounting import assert_in_step
from sweeps import proving

from tossup.client import Client, Outcome
from tossup.client.store import database, ledger, outbox
from tossup.shared.survey import Survey

ONE = {"ever_tried": True, "region": "north"}
TOPICS = 6


@pytest.fixture
def six(survey: Survey, stub, publisher_key) -> Survey:
    """Six yes/no questions, as many as the default cap allows."""
    question = survey.questions[0]
    questions = tuple(replace(question, id=f"q{n}", topic=f"t{n}") for n in range(TOPICS))
    six = replace(survey, id="six", questions=questions, attributes=())
    stub.publish(six, publisher_key)
    return six


def contents(store: Path) -> tuple[list[ledger.Entry], list[outbox.Report]]:
    """Verified entries, and the reports of their surveys."""

    def read(connection) -> tuple[list[ledger.Entry], list[outbox.Report]]:
        assert_in_step(connection)
        entries = list(ledger.entries(connection))
        surveys = sorted({(entry.publisher, entry.survey) for entry in entries})
        return entries, [r for names in surveys for r in outbox.read(connection, *names)]

    return database.Database(str(store)).run(read)


@pytest.mark.prove
def test_sixty_four_forked_children_toss_distinct_coins(tmp_path):
    """Children of one parent share no coin: 128 tosses each, all sequences different."""
    from tossup.shared.coins import Coins

    coins = Coins()
    coins.toss()

    def toss(path: Path) -> None:
        path.write_text("".join(str(coins.toss()) for _ in range(128)))

    paths = [tmp_path / str(n) for n in range(64)]
    assert {wait(pid) for pid in [child(toss, path) for path in paths]} == {0}

    assert len({path.read_text() for path in paths}) == 64


@pytest.mark.parametrize("children", proving([24, 64], but=[24]))
def test_forked_children_toss_their_own_answers(stub, survey, tmp_path, children):
    """Children of a used parent answer for as many devices: ids and coins all differ."""
    parent = Client(stub.link(survey), survey.publisher.key, store=tmp_path / "parent.db")
    parent.answer(ONE)

    def answer(n: int) -> None:
        key = survey.publisher.key
        client = Client(stub.link(survey), key, store=tmp_path / f"{n}.db", strict=True)
        client.answer({"rating": "r1", **ONE})

    assert {wait(pid) for pid in [child(answer, n) for n in range(children)]} == {0}
    reports = [r for n in range(children) for r in contents(tmp_path / f"{n}.db")[1]]

    assert len({report.id for report in reports}) == 2 * children
    # All five-way reports of 24 equal: probability at most (3/7) ** 23.
    assert len({r.columns["rating"] for r in reports if r.question == "rating"}) > 1


def test_a_client_works_on_in_a_forked_child_and_in_its_parent(client, stub, store):
    """Both use the store in turn, before and after the fork; nothing is answered twice."""
    client.answer(ONE)

    def work() -> None:
        assert client.answer(ONE) is Outcome.ALREADY_ANSWERED
        assert client.answer({"rating": "r1", "region": "north"}) is Outcome.QUEUED
        assert client.flush().sent == 2

    assert wait(child(work)) == 0
    assert client.answer({"rating": "r1", "region": "north"}) is Outcome.ALREADY_ANSWERED
    assert client.flush().pending == 0
    assert len(stub.reports) == 2


def test_forking_while_other_threads_answer_is_safe(stub, six, store):
    """A fork waits for the operations of other threads, so children are never stuck."""
    client = Client(stub.link(six), six.publisher.key, store=store)
    client.survey()
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            client.status()

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for n in range(TOPICS):
            pid = child(lambda n=n: client._ready().answer({f"q{n}": True}))
            assert wait(pid) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()

    assert client.status().pending == TOPICS


def test_a_child_forked_amid_an_operation_refuses_rather_than_guess(client, store, monkeypatch):
    """If a fork could not wait, the child's store is unavailable; the parent's is not."""
    from tossup.client.store import locks

    client.answer(ONE)
    with locks.no_fork_meanwhile():
        pid = child(lambda: _must_be(client.answer(ONE), Outcome.STORE_UNAVAILABLE))
    assert wait(pid) == 0

    assert client.answer(ONE) is Outcome.ALREADY_ANSWERED


#: A process of one thread alone: under a thread that waits for its turn, no child of a fork without
#: hooks could go on, whatever it does.
FORKED_IN_C = """
import ctypes, os, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tossup.client import Client, Outcome
from tossup.client.testing import MemoryServer, example_survey
from tossup.shared.signing import public_bytes, sign_manifest

key = Ed25519PrivateKey.generate()
survey = example_survey(public_bytes(key))
server = MemoryServer(sign_manifest(survey.payload, key))
client = Client(
    f"https://example.org/v1/surveys/{survey.id}",
    publisher_key=public_bytes(key), store=sys.argv[1], transport=server,
)
assert client.survey() is not None and client.status().pending == 0
pid = ctypes.PyDLL(None).fork()
if pid == 0:
    done = client.answer({"question": True}) is Outcome.QUEUED
    os._exit(0 if done else 1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert client.answer({"question": False}) is Outcome.ALREADY_ANSWERED
assert client.flush().sent == 1
"""


def test_a_child_forked_without_pythons_hooks_answers_too(tmp_path):
    """As under application servers written in C: no hook runs, and nothing was inherited."""
    run = [sys.executable, "-c", FORKED_IN_C, str(tmp_path / "device.db")]

    assert subprocess.run(run, timeout=300, check=False).returncode == 0


def _must_be(outcome: Outcome, expected: Outcome) -> None:
    assert outcome is expected


def test_eight_threads_in_four_processes_toss_each_topic_once(stub, six, store):
    """32 racers, six topics: exactly one QUEUED each, one report each, and the caps hold."""
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    client = Client(stub.link(six), six.publisher.key, store=store)
    client.survey()

    def race(seed: int) -> None:
        topics = random.Random(seed).sample(range(TOPICS), TOPICS)
        results.put([(n, client.answer({f"q{n}": True}).name) for n in topics])

    def process(number: int) -> None:
        threads = [threading.Thread(target=race, args=(8 * number + n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    processes = [context.Process(target=process, args=(n,)) for n in range(4)]
    for one in processes:
        one.start()
    outcomes = Counter(pair for _ in range(32) for pair in results.get())
    for one in processes:
        one.join()
    entries, reports = contents(store)

    assert outcomes == Counter(
        {(n, "QUEUED"): 1 for n in range(TOPICS)}
        | {(n, "ALREADY_ANSWERED"): 31 for n in range(TOPICS)}
    )
    assert sorted(e.topic for e in entries) == sorted(q.topic for q in six.questions)
    assert sorted(r.question for r in reports) == sorted(q.id for q in six.questions)


class Device:
    """A store, what its app was told before it was killed, and what must hold afterwards."""

    def __init__(self, link: str, key: bytes, store: Path) -> None:
        self.client = Client(link, key, store=store, strict=True)
        self.store = store
        self.told: dict[str, tuple[bytes, dict[str, int]]] = {}

    def answer_in_a_child(self, answers, prepare=lambda: None, *, linger=False) -> int:
        """Answer in a forked child, which says so once the SDK has returned."""
        reader, writer = os.pipe()

        def work() -> None:
            prepare()
            self.client.answer(answers)
            os.write(writer, b"queued")
            if linger:
                signal.pause()

        pid = child(work)
        os.close(writer)
        self._reader = reader
        return pid

    def was_told(self) -> bool:
        with os.fdopen(self._reader, "rb") as told:
            return told.read() == b"queued"

    def check(self, told: bool, questions: set[str]) -> bool:
        """Assert all or nothing, and that nothing seen before has changed. Return if it is all."""
        entries, reports = contents(self.store)
        found = {report.question: (report.id, dict(report.columns)) for report in reports}
        new = questions & set(found)
        assert {entry.question for entry in entries} == set(found)
        assert len(entries) == len(reports)
        assert new in (set(), questions)
        assert not told or new == questions
        assert all(found[name] == value for name, value in self.told.items())
        self.told.update(found)
        return bool(new)


def prepared(stub, six, path: Path) -> Device:
    device = Device(stub.link(six), six.publisher.key, path)
    device.client.survey()
    device.client.answer({"q0": True})
    device.check(told=True, questions={"q0"})
    return device


def statements_of_an_answer(device: Device, monkeypatch) -> int:
    """Count the statements of one answer, closing included."""
    fuse = [10**9]
    connect = database.connect
    with monkeypatch.context() as patched:
        patched.setattr(database, "connect", lambda p: Killed(connect(p), fuse, after=False))
        device.client.answer({"q5": True})
    return 10**9 - fuse[0]


def test_sigkill_before_and_after_every_statement(stub, six, tmp_path, monkeypatch):
    """Wherever the process dies: the answer is there whole, or not at all and can be given.

    A second try never tosses a second report for what was stored.
    """
    count = statements_of_an_answer(prepared(stub, six, tmp_path / "count.db"), monkeypatch)
    connect = database.connect
    kills = 0
    for place in range(1, count + 1):
        for after in (False, True):
            device = prepared(stub, six, tmp_path / f"{place}-{after}.db")

            def arm(place=place, after=after) -> None:
                fuse = [place]
                database.connect = lambda path: Killed(connect(path), fuse, after=after)

            kills += wait(device.answer_in_a_child({"q1": True, "q2": False}, arm)) == -9
            stored = device.check(device.was_told(), {"q1", "q2"})
            if not stored:
                device.client.answer({"q1": True, "q2": False})
                device.check(told=True, questions={"q1", "q2"})
            assert device.client.status().device.odds == 27

    assert count >= 20
    assert kills >= 2 * (count - 5)


@pytest.mark.prove
def test_sigkill_at_random_instants(stub, six, tmp_path):
    """200 kills at random times of an answer: nothing acknowledged is lost, nothing is halved."""
    rng = random.Random(4)
    device, stored = None, Counter()
    for kill in range(200):
        turn = kill % 5
        if turn == 0:
            device = prepared(stub, six, tmp_path / f"{kill}.db")
        answers = {f"q{turn + 1}": True}
        pid = device.answer_in_a_child(answers, linger=True)
        time.sleep(rng.random() * 0.008)
        os.kill(pid, signal.SIGKILL)
        assert wait(pid) == -9
        told = device.was_told()
        stored[told, device.check(told, set(answers))] += 1

    assert stored[True, False] == 0
    assert stored.total() == 200


@pytest.mark.prove
def test_sigkill_of_a_flush_sends_nothing_twice_as_another(stub, six, tmp_path, monkeypatch):
    """Killed before or after any statement of a flush, the next one sends the same reports."""
    connect = database.connect
    counting = prepared(stub, six, tmp_path / "count.db")
    fuse = [10**9]
    with monkeypatch.context() as patched:
        patched.setattr(database, "connect", lambda p: Killed(connect(p), fuse, after=False))
        counting.client.flush()
    count = 10**9 - fuse[0]
    stub.reports.clear()
    for place in range(1, count + 1):
        device = prepared(stub, six, tmp_path / f"{place}.db")

        def flush(device=device, place=place) -> None:
            fuse = [place]
            database.connect = lambda path: Killed(connect(path), fuse, after=place % 2 == 0)
            device.client.flush()

        wait(child(flush))
        result = device.client.flush()
        assert (result.pending, result.reason) == (0, None)
        assert len(stub.reports) == place

    assert stub.changed == []
    assert count >= 40
