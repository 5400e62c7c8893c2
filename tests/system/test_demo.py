"""`tossup demo` as a user runs it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

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
        process.send_signal(stop)
        try:
            printed, complaints = process.communicate(timeout=300)
        finally:
            process.kill()  # which ends nothing that has ended: a test must not wait for ever

    assert process.returncode == {signal.SIGINT: 0, signal.SIGTERM: 1}[stop]
    assert b"Traceback" not in complaints
    assert list(folder.glob("tossup-*")) == []
    with pytest.raises(URLError, match="refused"):
        urlopen(link)
    return json.loads(printed)


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
