"""A signal's handler of the host app may run, raise, fork or call the SDK between any two steps."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from killing import child, wait

from tossup.client import Client, Outcome, refusals
from tossup.client.store import database, ledger, locks
from tossup.client.upload import urllib_transport

ONE = {"ever_tried": True, "region": "north"}
TWO = {"rating": "r1", "region": "north"}
#: Imported before: a module whose import is interrupted is another one the next time.
WARM = (refusals, locks, urllib_transport)
OURS = (
    str(Path(sys.modules["tossup.client"].__file__ or "").parent),
    sys.modules["contextlib"].__file__ or "",
)

#: What a host app's handlers raise to end a task; the second is an error of the system as well.
STOPS = (RuntimeError, TimeoutError, ValueError)


@pytest.fixture
def on_signal(monkeypatch) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Set what the handler of a signal does."""
    before = signal.getsignal(signal.SIGUSR1)

    def handled(does: Callable[[], object]) -> None:
        signal.signal(signal.SIGUSR1, lambda *_: does())

    yield handled
    signal.signal(signal.SIGUSR1, before)


@pytest.fixture
def ignored(monkeypatch) -> list[BaseException | None]:
    """What Python itself says that it ignores: raised while it clears a generator away."""
    found: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: found.append(told.exc_value))
    return found


def stop(error: BaseException) -> None:
    """Raise, as a handler does that ends what takes too long."""
    raise error


def interrupted(work: Callable[[], object], place: int) -> int:
    """Run work, with a signal at one of the steps where Python looks for signals.

    Those are the beginning of every function and the end of every call of a built-in one.
    Returns how many there were.
    """
    steps = 0

    def look(frame, event, _argument):
        nonlocal steps
        if event in {"call", "c_return"} and frame.f_code.co_filename.startswith(OURS):
            steps += 1
            if steps == place:
                sys.setprofile(None)
                signal.raise_signal(signal.SIGUSR1)

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return steps


def calls(client: Client) -> dict[str, Callable[[], object]]:
    """Each kind of call, with something to do."""
    return {
        "answer": lambda: client.answer(ONE),
        "status": client.status,
        "flush": lambda: client.flush(force=True),
        "survey": client.survey,
        "preview": client.preview,
        "withdraw": client.withdraw,
    }


@pytest.mark.parametrize("call", ["answer", "status", "flush", "survey", "preview", "withdraw"])
def test_what_a_handler_raises_reaches_the_host_app(
    call, survey, stub, tmp_path, on_signal, ignored
):
    """At any step: it is neither taken for a lost connection nor for a damaged store."""

    def fresh(number: int) -> Client:
        store = tmp_path / f"{number}.db"
        client = Client(stub.link(survey), survey.publisher.key, store=store)
        client.answer(TWO)
        return client

    steps = interrupted(calls(fresh(0))[call], 0)
    assert steps > 20
    for place in range(1, steps + 1, 10):
        client, error = fresh(place), STOPS[place % 3]("the host app's time is up")
        on_signal(lambda error=error: stop(error))
        raised: BaseException | None = None
        try:
            steps = interrupted(calls(client)[call], place)
        except STOPS as caught:
            raised = caught
        assert error in (raised, *ignored) or steps < place, place
        status = client.status()
        assert (status.outbox_repairs, status.trouble, status.quarantined) == (0, None, {}), place


def test_what_a_handler_raised_before_a_call_is_the_apps_own_affair(survey, store, on_signal):
    """An app that deals with its own time-out flushes, offline: it hears that, not the time-out."""

    class Offline:
        def request(self, *_: object) -> None:
            raise OSError("no network here")

    link = "https://survey.example/v1/surveys/habits-7"
    client = Client(link, survey.publisher.key, store=store, transport=Offline())
    on_signal(lambda: stop(TimeoutError("before the call")))
    try:
        signal.raise_signal(signal.SIGUSR1)
    except TimeoutError:
        assert client.answer(ONE) is Outcome.UNREACHABLE
        assert client.survey() is None
    assert client.status().problem.startswith("unreachable")


def test_an_error_of_the_apps_own_transport_is_no_handlers(survey, stub, store):
    """Whatever a transport raises by itself counts as no answer."""

    class Failing:
        def request(self, *_: object) -> None:
            raise RuntimeError("no network here")

    client = Client(stub.link(survey), survey.publisher.key, store=store, transport=Failing())

    assert client.answer(ONE) is Outcome.UNREACHABLE


def test_an_interrupt_anywhere_leaves_no_fork_waiting(client, on_signal, ignored):
    """KeyboardInterrupt before any step of status(): the next child answers.

    After a wait in vain for a turn that nobody gives back its store would be unavailable.
    """
    client.answer(TWO)
    on_signal(lambda: stop(KeyboardInterrupt()))
    steps = interrupted(client.status, 0)
    for place in range(1, steps + 1, 7):
        with suppress(KeyboardInterrupt):
            interrupted(client.status, place)
        assert not [turn for turn in locks._gate._turns if not _is_free(turn)], place

    assert wait(child(lambda: _must_be(client.status().pending, 1))) == 0


def _is_free(turn: locks._Turn) -> bool:
    """Whether another thread could take it now."""
    found: list[bool] = []

    def take() -> None:
        found.append(turn.is_free())
        if found[0]:
            turn.lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return found[0]


def _must_be(value: object, expected: object) -> None:
    assert value == expected


def test_a_handler_that_calls_the_sdk_amid_a_transaction_is_refused_at_once(
    client, on_signal, monkeypatch
):
    """It opens no store to wait for; what it interrupted goes on, and a later call is as usual."""
    client.survey()
    inside: list[tuple[Outcome, int]] = []
    opened: list[str] = []
    append, connect = ledger.append, database.connect
    monkeypatch.setattr(database, "connect", lambda path: (opened.append(path), connect(path))[1])

    def calls() -> None:
        before = len(opened)
        inside.append((client.answer(TWO), len(opened) - before))

    on_signal(calls)

    def interrupted_append(*arguments) -> None:
        monkeypatch.setattr(ledger, "append", append)
        signal.raise_signal(signal.SIGUSR1)
        append(*arguments)

    monkeypatch.setattr(ledger, "append", interrupted_append)

    assert client.answer(ONE) is Outcome.QUEUED
    assert inside == [(Outcome.STORE_UNAVAILABLE, 0)]
    assert opened
    assert client.answer(TWO) is Outcome.QUEUED


def test_a_fork_within_a_transaction_breaks_the_child_alone(client, store):
    """A handler that forks amid an operation: the child refuses, the parent goes on."""
    client.answer(TWO)
    with locks.no_fork_meanwhile():
        pid = child(lambda: _must_be(client.answer(ONE), Outcome.STORE_UNAVAILABLE))

    assert wait(pid) == 0
    assert client.answer(ONE) is Outcome.QUEUED
    assert os.path.exists(store)
