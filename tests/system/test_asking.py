"""``tossup answer LINK`` on a terminal: one question after the other, no answer shown."""

import os
import pty
import select
import signal
import sys
import time
from codecs import getincrementaldecoder
from pathlib import Path

import pytest

from tossup.client import Client

SURVEY = """
id = "asked"
title = { en = "Habits", zh-Hans = "习惯" }
purpose = { en = "To learn.", zh-Hans = "了解习惯。" }
question_cap = 81
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "tried"
text = { en = "Ever tried?", zh-Hans = "试过吗?" }
odds = 2
[[question]]
id = "why"
text = { en = "Why?", zh-Hans = "为什么?" }
odds = 2
[[question.option]]
id = "time"
label = { en = "No time", zh-Hans = "没有时间" }
[[question.option]]
id = "fun"
label = { en = "For fun", zh-Hans = "好玩" }
[[attribute]]
id = "region"
text = { en = "Region", zh-Hans = "地区" }
[[attribute.option]]
id = "north"
label = { en = "North", zh-Hans = "北" }
[[attribute.option]]
id = "south"
label = { en = "South", zh-Hans = "南" }
"""
KINDS = """
id = "kinds"
title = "Kinds"
purpose = "To learn."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "uses"
text = "Which?"
odds = 2
answers = { several = ["Python", "Rust", "C"], most = 2 }
[[question]]
id = "order"
text = "In which order?"
odds = 2
answers = { ranking = ["Bus", "Tram", "Bike"] }
[[question]]
id = "hours"
text = "How many?"
odds = 2
answers = { integers = [0, 10] }
[[question]]
id = "rates"
text = "How far?"
odds = 2
answers = { vector = ["East", "North"], norm = 10 }
[[question]]
id = "word"
text = "Which word?"
odds = 2
answers = { text = "a-z", longest = 3 }
"""
PANEL = """
id = "panel"
title = "Panel"
purpose = "To learn."
[publisher]
name = "Example University"
contact = "irb@example.org"
[waves]
count = 2
first = 2026-01-05
days = 3000
[[question]]
id = "tried"
text = "Ever tried it?"
"""


@pytest.fixture(scope="module")
def link(place):
    """Return the link of a survey of this text, made when first needed."""
    made: dict[str, str] = {}

    def of(name: str, text: str) -> str:
        if name not in made:
            (place.folder / f"{name}.toml").write_text(text, encoding="utf-8")
            made[name] = place.json("survey", "create", f"{name}.toml")["link"]
        return made[name]

    return of


class Terminal:
    """A person at a terminal of their own, who types once a prompt stands there."""

    def __init__(self, place, *arguments: str, **more: str) -> None:
        self.pid, self.end = pty.fork()
        if not self.pid:
            os.chdir(place.folder)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a run in the background ignores it
            command = [sys.executable, "-m", "tossup.server.cli", *arguments]
            os.execve(sys.executable, command, place.environment | {"LANG": "C.UTF-8"} | more)
        self.seen = ""
        self.decoder = getincrementaldecoder("utf-8")()  # a read may end within a character

    def until(self, words: str) -> None:
        """Wait until these words are seen."""
        deadline = time.monotonic() + 300
        while words not in self.seen[self.read_to :]:
            if time.monotonic() > deadline:
                raise AssertionError(f"{words!r} does not come after {self.seen!r}")
            self._read()
        self.read_to = self.seen.index(words, self.read_to) + len(words)

    read_to = 0
    interrupting = False

    def types(self, prompt: str, line: str) -> None:
        """Type a line once the prompt is there."""
        self.until(prompt)
        os.write(self.end, line.encode() + b"\n")

    def interrupts(self, prompt: str) -> None:
        """Press Ctrl-C at a prompt; again, as people do, if nothing happens.

        Python's own prompt misses a signal that comes between its words and its wait: where the
        system tells that the process waits, it is waited for.
        """
        self.until(prompt)
        state = Path(f"/proc/{self.pid}/stat")
        while state.exists() and state.read_text().rpartition(")")[2].split()[0] == "R":
            time.sleep(0.001)
        self.interrupting = True
        os.write(self.end, b"\x03")

    def ends(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.end)
        return os.waitstatus_to_exitcode(status)

    def _read(self) -> bool:
        for _ in range(60):
            if select.select([self.end], [], [], 5)[0]:
                break
            if self.interrupting:
                os.write(self.end, b"\x03")
        else:
            os.kill(self.pid, signal.SIGKILL)
            return False
        try:
            new = os.read(self.end, 1 << 16)
        except OSError:  # how Linux says that the other side is gone
            return False
        self.seen += self.decoder.decode(new)
        return bool(new)


def spent(place, link: str, store: str) -> str:
    return place.json("device", "status", link, "--store", store)["odds"]


def test_questions_are_asked_one_by_one_and_answers_are_not_seen(place, link):
    """With a preview and a confirmation before the toss; a wrong answer is asked for again."""
    at = link("asked", SURVEY)
    person = Terminal(place, "answer", at, "--store", "one.db")
    person.types("y or n: ", "perhaps")
    person.until("That is none. It takes y or n.")
    person.types("y or n: ", "")
    person.types("a number from 1 to 2: ", "2")
    person.until("sent as it is, not randomized.")
    person.types("a number from 1 to 2: ", "1")
    person.types("Toss the coins and send? [y/N]", "y")

    assert 0 == person.ends(), person.seen
    assert "1 report(s) sent to asked" in person.seen
    assert "at most 2:1" in person.seen
    assert "perhaps" not in person.seen
    assert "2" == spent(place, at, "one.db")


def test_an_answered_question_is_not_asked_again(place, link):
    """What is left is asked; then nothing is."""
    at = link("asked", SURVEY)
    person = Terminal(place, "answer", at, "--store", "one.db", "--yes")
    person.types("y or n: ", "n")
    person.until("not randomized.")
    person.types("a number from 1 to 2: ", "1")
    assert 0 == person.ends(), person.seen
    assert "Why?" not in person.seen

    again = Terminal(place, "answer", at, "--store", "one.db")
    assert 1 == again.ends()
    assert "nothing of asked is to be asked" in again.seen


def test_whoever_stops_has_spent_nothing(place, link):
    """At any prompt, the last one too, and by saying no."""
    at = link("asked", SURVEY)
    number = "a number from 1 to 2: "
    prompts = ["y or n: ", number, number, "Toss the coins and send?"]
    for stop in range(len(prompts)):
        person = Terminal(place, "answer", at, "--store", "stopped.db")
        for prompt, line in zip(prompts[:stop], ("y", "1", "2"), strict=False):
            person.types(prompt, line)
        person.interrupts(prompts[stop])
        assert 1 == person.ends(), prompts[stop]
        assert "nothing was tossed" in person.seen, prompts[stop]
    assert "1" == spent(place, at, "stopped.db")


def test_a_version_that_comes_while_somebody_reads_is_not_answered(place, link):
    """Another program of the same user fetches it: nothing is tossed by what was not shown."""
    text = SURVEY.replace('id = "asked"', 'id = "moving"')
    at = link("moving", text)
    person = Terminal(place, "answer", at, "--store", "moving.db")
    for prompt, line in (("y or n: ", "y"), ("from 1 to 2: ", "1"), ("from 1 to 2: ", "1")):
        person.types(prompt, line)
    person.until("Toss the coins and send?")
    (place.folder / "moving.toml").write_text(text.replace("To learn.", "To know."), "utf-8")
    place.json(
        "survey", "create", "--next-version", "--same-meaning", "survey:purpose", "moving.toml"
    )
    assert Client(at, store=place.folder / "moving.db").survey().version == 2
    os.write(person.end, b"y\n")

    assert 4 == person.ends(), person.seen
    assert "asks by the new version" in person.seen
    assert "1" == spent(place, at, "moving.db")


def test_a_chinese_survey_is_asked_in_chinese(place, link):
    """Its language is that of the terminal; labels may be typed."""
    at = link("asked", SURVEY)
    person = Terminal(place, "answer", at, "--store", "zh.db", LC_ALL="zh_CN.UTF-8")
    person.until("试过吗?")
    person.types("y or n: ", "是")
    person.until("好玩")
    person.types("a number from 1 to 2: ", "没有时间")
    person.until("南")
    person.types("a number from 1 to 2: ", "北")
    person.types("Toss the coins", "y")

    assert 0 == person.ends(), person.seen
    assert "没有时间\r\n" in person.seen
    assert "2 report(s) sent" in person.seen


def test_every_kind_of_question_can_be_answered(place, link):
    """Several, an order, a number, a vector and a text, with what each takes."""
    at = link("kinds", KINDS)
    person = Terminal(place, "answer", at, "--store", "kinds.db")
    for prompt, wrong, right in (
        ("at most 2; - for none of them: ", "1,2,3", "1, 3"),
        ("such as 3,2,1: ", "1,1,2", "2 1 3"),
        ("a whole number such as 12, in plain digits: ", "four", "4"),
        ("2 numbers with commas between, such as 0.5,-0.25: ", "1", "0.5,-1"),
        ("characters a-z: ", "ZZZZZ", "sun"),
    ):
        person.types(prompt, wrong)
        person.until("That is none.")
        person.types(prompt, right)
    person.types("Toss the coins", "y")

    assert 0 == person.ends(), person.seen
    assert "5 report(s) sent" in person.seen
    assert "sun" not in person.seen


def test_a_wave_is_asked_for_once(place, link):
    """Then what is kept is repeated without an answer."""
    at = link("panel", PANEL)
    person = Terminal(place, "answer", at, "--store", "panel.db", "--yes")
    person.types("y or n: ", "y")
    assert 0 == person.ends(), person.seen

    again = Terminal(place, "answer", at, "--store", "panel.db")
    assert 1 == again.ends()
    assert "nothing of panel is to be asked" in again.seen


def test_without_a_terminal_it_says_what_to_give(place, link):
    """A script gives answers and --yes."""
    done = place.tossup("answer", link("asked", SURVEY), "--yes")

    assert (2, True) == (done.returncode, "give answers, and add --yes" in done.stderr)
