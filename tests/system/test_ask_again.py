"""A survey in waves by the command line, against a real server. The tests tell one story."""

import json

import pytest

SURVEY = """
id = "panel"
title = "Panel"
purpose = "To learn how a habit changes."

[publisher]
name = "Example University"
contact = "irb@example.org"

[waves]
count = 12
first = 2090-01-02
days = 7

[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
mechanism = "permanent-instantaneous"
odds = 9
again = 3

[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""


@pytest.fixture(scope="module")
def link(place) -> str:
    """The link of a survey that asks twelve times."""
    (place.folder / "panel.toml").write_text(SURVEY)
    return place.json("survey", "create", "panel.toml")["link"]


def test_it_works(place, link):
    """An answer in the first wave is tossed, kept, charged and sent."""
    told = place.json("answer", link, "ever_tried=yes", "region=north", "--wave", "1", "--yes")

    assert (1, "9") == (told["sent"], told["odds"])


def test_it_is_reported_again_without_an_answer(place, link):
    """Later waves cost nothing, and each takes one report."""
    told = place.json("device", "repeat", link, "region=north", "--wave", "2")
    twice = place.tossup("device", "repeat", link, "region=north", "--wave", "2")
    status = place.json("device", "status", link)

    assert 1 == told["sent"]
    assert 4 == twice.returncode
    assert ("9", 2, 12) == (status["odds"], status["sent"], status["waves"]["last"])


def test_without_a_wave_today_counts(place, link):
    """No wave is on before 2090: nothing is tossed, and the next step is named."""
    done = place.tossup("answer", link, "ever_tried=yes", "region=north", "--yes")

    assert 1 == done.returncode
    assert "no wave of the survey is on today" in done.stderr
    assert "tossup device status LINK" in done.stderr


def test_a_publisher_sees_the_waves(place, link):
    """What is asked when, and at which odds for life."""
    shown = place.tossup("survey", "show", "panel").stdout

    assert "12 waves of 7 days from 2090-01-02 on, tossed once for life" in shown
    assert "ever_tried (9:1)" in shown
    attributes = place.json("survey", "show", "panel")["attributes"]
    assert ["region"] == [part["id"] for part in attributes]


def test_estimates_are_of_a_wave(place, link):
    """Two reports are too few; the wave that they would be of is said all the same."""
    done = place.tossup("estimate", "panel", "--json")
    first = place.tossup("estimate", "panel", "--wave", "1", "--json")

    assert (3, 3) == (done.returncode, first.returncode)
    assert (2, 1) == (json.loads(done.stdout)["wave"], json.loads(first.stdout)["wave"])


def test_a_withdrawal_takes_back_all_waves(place, link):
    """Both reports, by one command; afterwards nothing is kept to repeat."""
    told = place.json("device", "withdraw", link)
    place.json("device", "consent", link)
    done = place.tossup("device", "repeat", link, "region=north", "--wave", "3")

    assert 2 == told["withdrawn"]
    assert "nothing is kept on this device" in done.stderr
