"""`tossup demo` as a user runs it."""

import json
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


@pytest.fixture(scope="module")
def demo() -> subprocess.CompletedProcess[str]:
    """A demonstration with 200 respondents."""
    command = [sys.executable, "-m", "tossup.server.cli", "demo", "-n", "200", "--json"]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def test_it_prints_one_object_with_truth_and_interval(demo):
    """The documented keys, and nothing else, on standard output."""
    value = json.loads(demo.stdout)

    assert set(value) == {"n", "questions"}
    assert value["n"] == 200
    assert [question["id"] for question in value["questions"]] == IDS
    assert all(
        set(question) == {"id", "truth", "estimate", "low", "high"}
        and question["low"] < question["estimate"] < question["high"]
        for question in value["questions"]
    )


def test_it_tells_the_known_truth(demo):
    """The truth is that of the made-up students."""
    truths = [question["truth"] for question in json.loads(demo.stdout)["questions"]]

    assert truths == [0.22, 0.5, 0.3, 0.2]


def test_the_students_differ_by_faculty():
    """30 % of arts and 14 % of science: the pages have something to compare."""
    answers = students(1000).answers

    shares = {
        faculty: sum(a["copied"] for a in answers if a["faculty"] == faculty)
        for faculty in ("arts", "science")
    }
    assert shares == {"arts": 150, "science": 70}


@pytest.mark.parametrize(
    "stop", [pytest.param(signal.SIGINT, marks=pytest.mark.prove), signal.SIGTERM]
)
def test_serve_leaves_the_pages_open_until_told_to_stop(stop, tmp_path, monkeypatch):
    """The printed link opens; afterwards neither a server nor a file is left behind."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    command = [sys.executable, "-m", "tossup.server.cli", "demo", "-n", "200", "--serve"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        said = b""
        while b"Ctrl-C" not in said:
            said += process.stderr.readline()
        link = re.search(rb"http://127\.0\.0\.1:\d+/sign-in/\S+", said)[0].decode()
        with urlopen(link) as page:
            assert page.status == 200
        process.send_signal(stop)
        try:
            process.communicate(timeout=60)
        finally:
            process.kill()  # which ends nothing that has ended: a test must not wait for ever

    assert process.returncode == {signal.SIGINT: 0, signal.SIGTERM: 1}[stop]
    assert list(Path(tmp_path).glob("tossup-*")) == []
    with pytest.raises(URLError, match="refused"):
        urlopen(link)


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
