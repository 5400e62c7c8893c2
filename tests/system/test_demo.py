"""`tossup demo` as a user runs it."""

import json
import subprocess
import sys

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
