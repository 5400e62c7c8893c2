"""What `tossup survey create` says of costs, and normal noise from file to verification."""

import pytest

SURVEY = """
id = "{id}"
title = "Habits"
purpose = "To learn how common a habit is."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
{more}
"""

COLOUR = """
[[question]]
id = "colour"
text = "?"
answers = [{labels}]
mechanism = "auto"
"""

NORMAL = """
[[question]]
id = "hours"
text = "How many hours?"
answers = { integers = [0, 10] }
mechanism = "discrete-gaussian"
odds = 3
delta = 1e-6
"""


@pytest.fixture
def create(place):
    """Create a survey of a yes/no question and more, and return its arguments."""

    def created(name: str, more: str = "") -> tuple[str, ...]:
        (place.folder / f"{name}.toml").write_text(SURVEY.format(id=name, more=more))
        return ("survey", "create", f"{name}.toml", "--explain")

    return created


def test_local_odds_are_shown_first(place, create):
    """Then all answers together, every bound, the tightest, and mixing with whom it trusts."""
    told = place.tossup(*create("two", COLOUR.format(labels='"a", "b", "c"'))).stderr

    places = [
        told.index(words)
        for words in (
            "Whomever one trusts, an answer costs at most:",
            "ever_tried: odds 3:1 (epsilon 1.0987)",
            "All together, as devices charge: odds 9:1 (epsilon 2.1973)",
            "sequential",
            "min-of-three",
            "optimal",
            "Tightest: ",
            "among 10000 mixed reports: epsilon 0.0609, delta 1e-06, if one trusts whoever mixes",
        )
    ]
    assert sorted(places) == places


def test_a_design_from_paper_says_what_it_needs(place, create):
    """An unrelated question of known share is published, with its odds, table and price."""
    told = place.tossup(*create("paper", 'mechanism = "unrelated-question"\nprevalence = "1/4"'))

    assert "ever_tried: odds 3:1 (epsilon 1.0987)" in told.stderr
    assert (
        "ever_tried: of a yes it sends yes with probability 1/2, of a no with 1/6;" in told.stderr
    )
    assert "it needs 2.25 times as many people as the best yes/no coins" in told.stderr


def test_json_has_costs_and_reasons(place, create):
    """The same as for people: answers, bounds by name, mixing, and why a choice is asked so."""
    labels = ", ".join(f'"colour {n}"' for n in range(16))
    told = place.json(*create("json", COLOUR.format(labels=labels)), "--mixed", "100000")
    cost = told["cost"]

    promised = {"odds": "3", "epsilon": "1.0987", "delta": "0", "odds_of_all_reports": "3"}
    assert {"id": "ever_tried", **promised} == cost["answers"][0]
    assert ("9", "2.1973", "0", 1e-6) == tuple(
        cost[name] for name in ("odds", "epsilon", "delta", "slack")
    )
    assert cost["tightest"] in {bound["name"] for bound in cost["bounds"]}
    assert "sequential" == cost["bounds"][0]["name"]
    assert (["ever_tried", "colour"], 100_000) == (
        cost["mixed"][0]["questions"],
        cost["mixed"][0]["reports"],
    )
    assert "whoever mixes the reports" in cost["mixed"][0]["trusts"]
    assert told["reasons"]["colour"].startswith("subset-selection has the least variance")


def test_the_slack_can_be_set_to_nothing(place, create):
    """Epsilons then only add up, and no figure needs trust."""
    cost = place.json(*create("slackless"), "--slack", "0")["cost"]

    assert (["sequential"], []) == ([bound["name"] for bound in cost["bounds"]], cost["mixed"])


def test_normal_noise_on_the_command_line(place, create):
    """Created, previewed, answered, charged and verified, with its chance in every place."""
    made = place.json(*create("normal", NORMAL))
    link, delta = made["link"], made["cost"]["delta"]
    answered = place.json("answer", link, "hours=7", "ever_tried=yes", "--yes")
    status = place.json("device", "status", link)
    verified = place.json("verify", link)
    words = [place.tossup(*command).stdout for command in (("verify", link),)]

    assert ("9", delta, "1/100000") == tuple(
        answered[name] for name in ("odds", "delta", "delta_cap")
    )
    assert (delta, delta) == (status["delta"], status["device_delta"])
    assert (delta, delta) == (verified["delta"], verified["questions"][1]["delta"])
    assert "but for a chance of 1 in 1,000," in words[0]
    assert "that more was told" in place.tossup("device", "status", link).stdout
    assert delta == place.json("survey", "show", "normal")["delta"]


def test_a_delta_that_no_device_takes_is_refused_with_4(place, create):
    """Nothing is published; the message says what devices accept."""
    done = place.tossup(*create("careless", NORMAL.replace("1e-6", "1e-3")))

    assert 4 == done.returncode
    assert "devices accept 1 in 100,000 in their whole life" in done.stderr
