"""`tossup demo` as a user runs it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import pytest

from tossup.server.cli.operating import demo as command
from tossup.server.demo import respondents
from tossup.server.demo.populations import students

IDS = ["copied", "reason/time", "reason/grades", "reason/everybody_does"]


def told_until(stop: signal.Signals, folder: Path) -> dict:
    """Run a demonstration with 200 respondents until it is told to stop; return what it printed.

    The printed link opens; afterwards neither a server nor a file is left behind.
    """
    command = [sys.executable, "-m", "tossup.server.cli", "demo", "-n", "200", "--json", "--serve"]
    pipe, environment = subprocess.PIPE, os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen(command, stderr=pipe, stdout=pipe, env=environment) as process:
        said = b""
        while b"Ctrl-C" not in said:
            assert process.poll() is None, said
            said += process.stderr.readline()
        link = re.search(rb"http://127\.0\.0\.1:\d+/sign-in/\S+", said)[0].decode()
        with urlopen(link) as page:
            assert page.status == 200
        assert started_for(folder) != []
        process.send_signal(stop)
        try:
            printed, complaints = process.communicate(timeout=300)
        finally:
            process.kill()  # which ends nothing that has ended: a test must not wait for ever

    assert process.returncode == {signal.SIGINT: 0, signal.SIGTERM: 1}[stop]
    assert b"Traceback" not in complaints
    assert list(folder.glob("tossup-*")) == []
    assert started_for(folder) == []
    return json.loads(printed)


def started_for(folder: Path) -> list[str]:
    """Return the commands of running processes that name a folder.

    That nobody listens on a port says less: another test's server may have it by now.
    """
    commands = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(FileNotFoundError, ProcessLookupError):
            commands.append(place.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [command for command in commands if str(folder) in command]


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> dict:
    """What a demonstration prints that is ended as a service is."""
    return told_until(signal.SIGTERM, tmp_path_factory.mktemp("demo"))


def test_it_prints_one_object_with_truth_and_interval(demo):
    """The documented keys, and nothing else, on standard output."""
    assert set(demo) == {"n", "questions"}
    assert demo["n"] == 200
    assert [question["id"] for question in demo["questions"]] == IDS
    assert all(
        set(question) == {"id", "truth", "estimate", "low", "high"}
        and question["low"] < question["estimate"] < question["high"]
        for question in demo["questions"]
    )


def test_it_tells_the_known_truth(demo):
    """The truth is that of the made-up students."""
    truths = [question["truth"] for question in demo["questions"]]

    assert truths == [0.22, 0.5, 0.3, 0.2]


def test_the_students_differ_by_faculty():
    """30 % of arts and 14 % of science: the pages have something to compare."""
    answers = students(1000).answers

    shares = {
        faculty: sum(a["copied"] for a in answers if a["faculty"] == faculty)
        for faculty in ("arts", "science")
    }
    assert shares == {"arts": 150, "science": 70}


@pytest.mark.prove
def test_ctrl_c_ends_it_in_order(tmp_path):
    """The pages stay open until then; nothing is left behind."""
    assert told_until(signal.SIGINT, tmp_path)["n"] == 200


def test_ctrl_c_as_soon_as_it_is_named_ends_it_in_order(monkeypatch):
    """Whoever presses it before the command waits for it is told of no mistake."""

    def press(words: str) -> None:
        if "Ctrl-C" in words:
            raise KeyboardInterrupt

    monkeypatch.setattr(command, "note", press)
    try:
        command._wait(SimpleNamespace(link="", server=SimpleNamespace(sign_in="")))
    except KeyboardInterrupt:  # which would end all tests
        pytest.fail("it came before it was waited for")


def test_a_respondent_waits_for_a_busy_machine(tmp_path, monkeypatch):
    """Nobody comes back to send what was given up: the ten seconds of an app are too few."""
    waited = []

    def lost(*request: object) -> None:
        waited.append(request[-1])
        raise OSError

    monkeypatch.setattr(respondents, "_transport", lambda: SimpleNamespace(request=lost))
    link = f"http://127.0.0.1:1/v1/surveys/habits#key={'A' * 43}"

    assert respondents.respond(link, str(tmp_path), 0, [{"ever_tried": True}]) == 0
    assert min(waited) >= 60


def test_stopped_halfway_it_leaves_nothing_behind(tmp_path, monkeypatch):
    """Whoever tires of waiting finds no server running and no file kept."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command = [sys.executable, "-m", "tossup.server.cli", "demo", "-n", "100000"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while not list(tmp_path.glob("tossup-demo-*/server/tossup.sqlite3")):
            assert process.poll() is None
            time.sleep(0.05)
        process.terminate()

    assert process.returncode == 1
    assert list(tmp_path.glob("tossup-*")) == []
