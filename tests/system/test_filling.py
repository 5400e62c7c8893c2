"""``tossup simulate --into LINK``: made-up respondents fill a real server, over the real wire."""

import os
import pty
import subprocess
import sys

SURVEY = """
id = "ID"
title = "A survey to try"
purpose = "To see what a full server shows."
linkage = "LINKAGE"

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "ever_tried"
text = "Have you ever tried it?"

[[question]]
id = "uses"
text = "Which do you use?"
answers = { several = ["Python", "Rust", "C"], most = 2 }

[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""
TRUTH = ["--truth", "ever_tried=0.3", "--truth", "uses=0.5,0.4,0.3", "--truth", "region=0.9,0.1"]


def created(place, name: str, linkage: str) -> str:
    text = SURVEY.replace("ID", name).replace("LINKAGE", linkage)
    (place.folder / f"{name}.toml").write_text(text)
    return place.json("survey", "create", f"{name}.toml")["link"]


def test_it_works(place):
    """Every report is counted; a seed makes the estimates those of a preregistration."""
    link = created(place, "fill", "none")
    sent = place.json("simulate", "--into", link, *TRUTH, "-n", "12000", "--seed", "7", "--yes")
    found = place.json("estimate", "fill")["questions"]

    assert {"survey": "fill", "respondents": 12000, "reports": 24000} == sent
    assert [12000, 12000] == [question["n"] for question in found]
    norths = [
        [group["n"] for group in question["groups"] if group["option"] == "north"]
        for question in place.json("estimate", "fill", "--by", "region")["questions"]
    ]
    assert norths[0] == norths[1]
    (share,) = found[0]["estimates"]
    assert share["low"] < 0.3 < share["high"]


def test_a_terminal_shows_how_far_it_is(place):
    """A bar moves with every request that is acknowledged, from nothing to all reports."""
    link = created(place, "fill-bar", "joint")
    command = [sys.executable, "-m", "tossup.server.cli", "simulate", "--into", link, "--yes"]
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        ran = subprocess.run(
            [*command, *TRUTH, "-n", "25000"], check=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=theirs, env=place.environment, text=True,
        )  # fmt: skip
        os.close(theirs)
        seen = terminal.read(1 << 16).decode()

    assert (0, "25000 reports of 25000 respondents\n") == (ran.returncode, ran.stdout)
    places = [seen.find(f"] {share:4}%") for share in (0, 40, 80, 100)]
    assert "Sending" in seen
    assert -1 not in places, seen
    assert sorted(places) == places


def test_reports_of_joint_surveys_hold_every_answer(place):
    """One report a respondent, with all of their answers and their group."""
    link = created(place, "fill-joint", "joint")
    sent = place.json("simulate", "--into", link, *TRUTH, "-n", "3000", "--seed", "7", "--yes")
    rows = place.tossup("export", "fill-joint", "--joint", "--format", "csv").stdout.splitlines()

    assert 3000 == sent["reports"]
    assert 3000 == sum(int(row.rpartition(",")[2]) for row in rows[1:])


def test_nothing_is_sent_that_nobody_agreed_to(place):
    """Without a terminal and --yes, with an unknown question, or with a truth left out."""
    link = created(place, "fill-none", "none")
    asked = ["simulate", "--into", link, "-n", "200"]

    assert 2 == place.tossup(*asked, *TRUTH).returncode
    assert "asks for no other" in place.tossup(*asked, "--yes", "--truth", "other=1").stderr
    assert "no truth is given" in place.tossup(*asked, "--yes", *TRUTH[:2]).stderr
    unsigned = link.partition("#")[0]
    assert "not used" in place.tossup("simulate", "--into", unsigned, *TRUTH, "--yes").stderr
    assert 3 == place.tossup("estimate", "fill-none").returncode


def test_what_is_no_link_is_named(place):
    """An unset variable in a shell is an empty text."""
    for wrong in ("", "fill", "http://127.0.0.1:1/fill"):
        ran = place.tossup("simulate", "--into", wrong, *TRUTH, "--yes")

        assert ran.returncode == 1
        assert f"{wrong!r} is no link to a survey" in ran.stderr
