"""Several answers from the command line: create, show, answer, simulate, verify, estimate."""

import json

import pytest

FILE = """
id = "languages"
title = "Languages"
purpose = "To learn what people program in."
minimum_batch = 2

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "uses"
text = "Which do you use?"
answers = { several = ["Python", "Rust", "C", "Lisp"], most = 2 }
"""


@pytest.fixture(scope="module")
def link(place) -> str:
    """The link of a survey that asks for at most two of four."""
    (place.folder / "languages.toml").write_text(FILE)
    return place.json("survey", "create", "languages.toml", "--new-publisher-key")["link"]


def test_it_is_said_why_it_is_asked_so(place, link):
    """Creating it again changes nothing, and names the mechanism with the figures compared."""
    again = place.tossup("survey", "create", "languages.toml", "--explain")

    assert "uses: sampled-options has the least variance at these odds" in again.stderr
    assert "sampled-options 4, per-option-bits" in again.stderr


def test_the_survey_is_shown_with_its_limit(place, link):
    """Options in their order, and how many of them."""
    shown = place.tossup("survey", "show", "languages").stdout

    assert "python | rust | c | lisp, at most 2 of them" in shown


@pytest.mark.parametrize("given", ["python,rust,c", "python,python", "cobol", "python;rust"])
def test_what_is_no_answer_is_told_in_the_words_of_the_command_line(place, link, given):
    """A slip is refused before anything is tossed, and not repeated."""
    done = place.tossup("answer", link, f"uses={given}", "--yes")

    assert (1, "") == (done.returncode, done.stdout)
    assert (
        "uses takes at most 2 of python, rust, c, lisp, with commas between them, such as"
        " python,rust; nothing after = for none of them. Nothing was tossed"
    ) in done.stderr
    assert "cobol" not in done.stderr


@pytest.mark.parametrize(("given", "device"), [("python,rust", "two.db"), ("", "none.db")])
def test_an_answer_is_tossed_here_and_sent(place, link, given, device):
    """Two options or none: one report of odds 3 leaves the device."""
    told = place.json("answer", link, f"uses={given}", "--yes", "--store", device)

    assert (1, "3") == (told["sent"], told["odds"])


def test_a_simulation_has_a_line_an_option(place, link):
    """Shares need not sum to 1, but no population ticks more than two each."""
    lines = place.json("simulate", "languages.toml", "--truth", "uses=0.9,0.6,0.1,0")["questions"]
    refused = place.tossup("simulate", "languages.toml", "--truth", "uses=0.9,0.9,0.9,0")

    assert ["uses/python", "uses/rust", "uses/c", "uses/lisp"] == [line["id"] for line in lines]
    assert {"share"} == {line["unit"] for line in lines}
    assert (2, True) == (refused.returncode, "sum to more than 2" in refused.stderr)


def test_the_estimate_names_every_option_and_its_own_reports(place, link):
    """More devices answer; each option rests on the reports that asked it."""
    for device in range(3):
        place.tossup("answer", link, "uses=c", "--yes", "--store", f"more-{device}.db")
    found = place.json("estimate", "languages")["questions"][0]

    assert found["n"] == sum(each["n"] for each in found["estimates"] + found["too_few"]) >= 3
    assert {"most": 2} == found["several"]


def test_the_manifest_is_verified(place, link):
    """Odds of 3, recomputed from the signed bytes by enumeration."""
    done = place.tossup("verify", link, "--json")
    found = json.loads(done.stdout)

    assert ("3", "enumeration") == (found["odds"], found["questions"][0]["proof"])
