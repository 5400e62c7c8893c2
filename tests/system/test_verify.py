"""`tossup verify` against a running server, as a respondent's adviser would use it."""

from tossup.shared.signing import b64url

SURVEY = """
id = "habits-7"
title = "Habits"
purpose = "To learn how common a habit is."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
"""


def test_a_respondents_link_is_enough(place):
    """The link holds the address and the key; everything else is recomputed."""
    (place.folder / "habits.toml").write_text(SURVEY)
    link = place.json("survey", "create", "habits.toml")["link"]

    found = place.json("verify", link)
    assert ("habits-7", "3", True) == (
        found["survey"],
        found["odds"],
        found["publisher"]["pinned"],
    )

    other = place.tossup("verify", link.partition("#")[0], "--key", b64url(bytes(32)))
    assert 1 == other.returncode
    assert "no valid signature of the pinned publisher key" in other.stderr


def test_odds_of_large_integers_have_a_decimal_beside(place):
    """An epsilon asked makes a ratio that nobody reads; JSON has the ratio alone, exact."""
    text = SURVEY.replace('"habits-7"', '"epsilon"') + "epsilon = 1\n"
    (place.folder / "epsilon.toml").write_text(text)
    link = place.json("survey", "create", "epsilon.toml")["link"]

    odds = place.json("verify", link)["odds"]
    commands = [("verify", link), ("survey", "show", "epsilon")]
    shown = [place.tossup(*command).stdout for command in commands]

    assert place.json("survey", "show", "epsilon")["odds"] == odds
    assert [2, 2] == [text.count(f"{odds}:1, about 2.72:1") for text in shown]


def test_no_server_is_exit_5(place):
    """A link to nowhere says so."""
    assert 5 == place.tossup("verify", "http://127.0.0.1:9/v1/surveys/habits-7").returncode
