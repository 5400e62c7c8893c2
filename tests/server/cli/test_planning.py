"""`tossup compose` and `tossup plan`: local figures first, every bound by name, rounded up."""

import json
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner, Result
from sweeps import each

from tossup.server.cli.planning import simulate_into
from tossup.server.cli.root import root


def tossup(*arguments: str) -> Result:
    return CliRunner().invoke(root, arguments)


def value(*arguments: str) -> dict:
    done = tossup(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


COMPOSE = ["compose", "--epsilon", "0.1", "--times", "30", "--delta", "0", "--slack", "1e-6"]


def test_it_works():
    """Every bound has its name, its source and figures; the tightest is named."""
    found = value(*COMPOSE)
    epsilons = {bound["name"]: bound["epsilon"] for bound in found["bounds"]}

    assert {
        "sequential": 3.0,
        "advanced": 3.1946283016,
        "min-of-three": 2.9655664204,
        "optimal": 2.3458876931,
    } == epsilons
    assert "optimal" == found["tightest"]
    assert all(bound["source"] for bound in found["bounds"])


def test_what_one_answer_costs_comes_first():
    """The first line, and the first key, hold whomever one trusts."""
    lines = tossup("compose", "--odds", "3", "--slack", "1e-6", "--mixed", "10000").stdout
    found = value("compose", "--odds", "3", "--slack", "1e-6", "--mixed", "10000")

    assert lines.startswith("One answer:   odds 3, epsilon 1.0987, delta 0, whomever one trusts\n")
    assert "answers" == next(iter(found))
    assert [{"odds": "3", "epsilon": 1.0986122887, "delta": 0.0}] == found["answers"]


def test_a_mixed_figure_says_whom_it_trusts():
    """Never an amplified epsilon alone: the local one and the trusted stand with it."""
    (mixed,) = value("compose", "--odds", "3", "--slack", "1e-6", "--mixed", "10000")["mixed"]

    assert ["local", "reports", "epsilon", "delta", "trusts"] == list(mixed)
    assert (1.0986122887, 0.0608306281) == (mixed["local"]["epsilon"], mixed["epsilon"])
    assert "whoever mixes the reports" in mixed["trusts"]


def test_odds_together_are_exact():
    """3 to the 30th, and products of fractions."""
    assert str(3**30) == value("compose", "--odds", "3", "--times", "30")["odds"]
    assert "45/4" == value("compose", "--odds", "3", "--odds", "15/4")["odds"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--epsilon", "0.1", "--times", "30"], "without advanced, min-of-three, optimal"),
        (["--epsilon", "16", "--slack", "1e-6"], "without advanced: millions of times"),
        (
            ["--epsilon", "0.1", "--times", "200000", "--slack", "1e-6"],
            "without optimal: would tell",
        ),
    ],
)
def test_a_bound_that_is_left_out_is_named_with_its_reason(arguments, named):
    """Nobody takes the tightest of those shown for the tightest there is."""
    found = value("compose", *arguments)

    assert named in tossup("compose", *arguments).stdout
    assert {each["name"] for each in found["left_out"]}.isdisjoint(
        bound["name"] for bound in found["bounds"]
    )


def test_answers_of_several_kinds_are_composed():
    """--epsilon again adds another kind; the same one again adds to its count."""
    found = value("compose", "--epsilon", "0.1", "--epsilon", "0.2", "--times", "30")
    twice = value("compose", "--epsilon", "0.1", "--epsilon", "0.1", "--times", "15")

    assert 9.0 == found["bounds"][0]["epsilon"]
    assert 3.0 == twice["bounds"][0]["epsilon"]
    assert 1 == len(twice["answers"])


@pytest.mark.parametrize("epsilon", ["200", "1e9", "1e17", "1e-90"])
def test_extreme_epsilons_are_shown(epsilon):
    """Odds of a million digits are shown by their size."""
    assert 0 == tossup("compose", "--epsilon", epsilon, "--slack", "1e-6").exit_code


@each(
    "arguments",
    [
        [],
        ["--epsilon", "1", "--odds", "3"],
        ["--epsilon", "nan"],
        ["--epsilon", "-1"],
        ["--epsilon", "one"],
        ["--odds", "1/2"],
        ["--odds", "1/0"],
        ["--epsilon", "1", "--delta", "1"],
        ["--epsilon", "1", "--delta", "0.5", "--times", "2"],
        ["--epsilon", "1", "--slack", "1"],
        ["--epsilon", "1", "--times", "0"],
        ["--epsilon", "1", "--mixed", "100"],
    ],
)
def test_what_is_no_promise_is_wrong_usage(arguments):
    """Exit code 2 and a message, never a traceback."""
    done = tossup("compose", *arguments)

    assert 2 == done.exit_code
    assert "Error:" in done.stderr


def test_local_and_central_stand_side_by_side():
    """The local way first; each with its margins and whom it trusts."""
    found = value("plan", "--compare", "--n", "1000", "--odds", "3", "--delta", "1e-6")

    assert ["local", "central", "central", "central", "central"] == [
        way["model"] for way in found["ways"]
    ]
    assert "nobody but the device" == found["ways"][0]["trusts"]
    assert 1000 == found["ways"][0]["respondents"] > found["ways"][1]["respondents"]


def test_a_table_compares_them_for_people():
    """Margins in points, the trusted on standard error."""
    done = tossup("plan", "--compare", "--n", "1000")

    assert "two coins" in done.stdout
    assert "± 6.2 points" in done.stdout
    assert "central: trusts a curator who sees every true answer" in done.stderr


def test_a_margin_is_that_of_the_respondents_beside_it():
    """Asking some people leaves 3.1 of 100 points at n = 1,000, whoever is trusted."""
    done = tossup("plan", "--compare", "--n", "1000")
    ways = [line.split() for line in done.stdout.splitlines() if "±" in line]

    assert [4, {"1000"}] == [len(ways), {way[0] for way in ways}]
    assert ["1000", "257", "256", "257"] == [way[-1] for way in ways]
    assert all(float(way[-3]) >= 3.1 for way in ways)
    assert (
        "1 randomized answers tell as much as 0.25 direct ones" in tossup("plan", "--n", "1").stderr
    )


def test_a_margin_is_turned_into_respondents():
    """Three points at odds of 3 need 4,269 respondents, locally."""
    found = value("plan", "--margin", "0.03")

    assert (4269, "3") == (found["n"], found["odds"])
    assert ["local"] == [way["model"] for way in found["ways"]]


def test_the_answer_is_the_first_column_of_what_is_printed():
    """How many must answer stands on standard output, and first; of all groups together next."""
    heading, row = tossup("plan", "--margin", "0.05").stdout.splitlines()
    groups, of_each = tossup("plan", "--margin", "0.05", "--groups", "3").stdout.splitlines()

    assert ("respondents", "1537") == (heading.split()[0], row.split()[0])
    assert groups.startswith("respondents  in all groups  ")
    assert ["1537", "4611"] == of_each.split()[:2]


SURVEY = """
id = "plan"
title = "Plan"
purpose = "To plan."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "tried"
text = "Tried?"
[[question]]
id = "hours"
text = "Hours?"
answers = { integers = [0, 20] }
[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South", "East"]
"""


def test_every_question_of_a_file_is_planned(tmp_path):
    """Under its own coins, for all respondents and for groups of equal size."""
    (file := tmp_path / "survey.toml").write_text(SURVEY)
    heading, tried, hours = tossup("plan", str(file), "--margin", "0.05").stdout.splitlines()
    found = value("plan", str(file), "--n", "1537")

    assert ["respondents", "by", "region", "question"] == heading.split()[:4]
    assert "1537       4611  tried     share of yes  ± 5.0 points  3" == tried.strip()
    assert hours.endswith("hours     mean          ± 1 of 20     3")
    assert [0.0499932, {"region": 4611}] == [
        round(found["questions"][0]["margin"], 7),
        found["questions"][0]["respondents_by_group"],
    ]


@pytest.mark.parametrize("options", [[], ["--margin", "0.1", "--n", "9"], ["--tell", "0.2", "0"]])
def test_a_file_takes_a_margin_or_a_number(tmp_path, options):
    """What would not be read is refused, so that nobody trusts that it was."""
    (file := tmp_path / "survey.toml").write_text(SURVEY)

    assert 2 == tossup("plan", str(file), *options).exit_code


def test_a_test_is_turned_into_respondents():
    """157 to tell a fifth from nobody, where rr plans 153 and falls short."""
    found = value("plan", "--tell", "0.2", "0")

    assert (157, 0.8) == (found["n"], found["power"])


def test_a_difference_is_turned_into_respondents_of_each_group():
    """1,377 each to tell a tenth from a fifth."""
    assert 1377 == value("plan", "--versus", "0.1", "0.2")["n"]
    assert "in each group" in tossup("plan", "--versus", "0.1", "0.2").stderr


def test_a_margin_of_given_respondents_is_turned_into_odds():
    """The smallest, to a thousandth: 1,537 respondents reach five points at odds of 3."""
    assert "3" == value("plan", "--n", "1537", "--margin", "0.05")["odds"]


def test_several_questions_share_a_total():
    """Odds of independent coins multiply: two questions under 9 get 3 each."""
    found = value("plan", "--n", "1000", "--odds", "9", "--questions", "2")

    assert ("3", 2) == (found["odds"], found["questions"])


def test_groups_need_as_many_each():
    """And the plan says how many in all."""
    found = value("plan", "--margin", "0.05", "--groups", "4")

    assert (1537, 6148) == (found["n"], found["n_in_all"])
    assert "6148 in all" in tossup("plan", "--margin", "0.05", "--groups", "4").stderr


def test_the_price_against_asking_directly_is_always_told():
    """1 + .75 / (share (1 - share)): 1,000 answers at a fifth are worth 176 direct ones."""
    found = value("plan", "--n", "1000", "--share", "0.2")["direct"]

    assert pytest.approx({"share": 0.2, "design_effect": 5.6875, "worth": 175.8241758}) == found
    assert "176 direct ones" in tossup("plan", "--n", "1000", "--share", "0.2").stderr


def test_the_power_to_detect_cheating_comes_first():
    """Before any margin, and what it is no use for."""
    planned = value("plan", "--cheating", "0.03", "--share", "0.2")
    text = tossup("plan", "--n", "10000", "--cheating", "0.03", "--share", "0.2").stdout

    assert planned["n"] > 50_000
    assert 0.8 <= planned["cheating"]["power"] < 0.8001
    assert text.startswith("power 0.22 to tell 3 % who always say no from none")
    assert "a device tosses after the answer" in text


DEMANDS = ("plan", "--deviation", "10", "--error", "100", "0.01")


def test_two_demands_give_a_range_of_epsilon():
    """The least that meets both, up to the limit; the curator's beside it."""
    found = value(*DEMANDS, "--n", "1000", "--epsilon", "3")

    assert pytest.approx((11.917, 2.4779659)) == (
        found["local"]["odds_from"],
        found["local"]["epsilon_from"],
    )
    assert 2.99 < found["local"]["epsilon_to"] <= 3
    assert pytest.approx(0.1414) == found["central"]["epsilon_from"]
    assert "standard deviation at most 10" == found["local"]["binding"]


def test_demands_that_nothing_meets_are_told():
    """A limit below the least, or sampling alone."""
    assert value(*DEMANDS, "--n", "1000", "--odds", "3")["local"] is None
    assert (
        "local: no epsilon within odds of 3"
        in tossup(*DEMANDS, "--n", "1000", "--odds", "3").stdout
    )
    shares = tossup("plan", "--n", "1000", "--deviation", "0.01", "--of", "share").stdout
    assert "no epsilon meets all demands" in shares
    assert "0.01581 is left" in shares


def test_sums_of_numbers_may_be_demanded_of():
    """Within bounds, of one bit each."""
    sums = ("--deviation", "500", "--of", "sum", "--bounds", "0", "10")
    found = value("plan", "--n", "2000", *sums)

    assert pytest.approx(2.619) == found["local"]["odds_from"]
    assert pytest.approx(223.6068) == found["standard_deviation_left"]


def test_an_epsilon_is_not_exceeded():
    """The largest ratio below it is used, and its epsilon shown."""
    assert 0.5 == value("plan", "--n", "100", "--epsilon", "0.5")["epsilon"]


@each(
    "arguments",
    [
        [],
        ["--n", "100", "--margin", "0.09"],
        ["--n", "1000", "--margin", "0.1", "--odds", "3"],
        ["--n", "100", "--tell", "0.1", "0"],
        ["--deviation", "10"],
        ["--n", "100", "--margin", "0.1", "--deviation", "10"],
        ["--n", "100", "--deviation", "0"],
        ["--n", "100", "--error", "100", "1"],
        ["--n", "100", "--error", "-1", "0.1"],
        ["--n", "100", "--error", "nan", "0.1"],
        ["--n", "100", "--deviation", "3", "--of", "sum"],
        ["--n", "100", "--deviation", "3", "--of", "sum", "--bounds", "3", "3"],
        ["--n", "100", "--deviation", "3", "--of", "sum", "--bounds", "0", "nan"],
        ["--n", "100", "--deviation", "3", "--bounds", "0", "3"],
        ["--n", "100", "--of", "share"],
        ["--cheating", "0.9", "--share", "0.5"],
        ["--n", "100", "--questions", "1000", "--odds", "1.001"],
        ["--margin", "0.1", "--tell", "0.1", "0"],
        ["--tell", "0.1", "0.1"],
        ["--versus", "0.2", "0.2"],
        ["--versus", "0.2"],
        ["--n", "100", "--odds", "1"],
        ["--n", "100", "--odds", "x"],
        ["--n", "100", "--epsilon", "nan"],
        ["--n", "100", "--epsilon", "x"],
        ["--n", "100", "--odds", "3", "--epsilon", "1"],
        ["--margin", "0"],
        ["--n", "100", "--confidence", "1"],
    ],
)
def test_plans_without_sense_are_wrong_usage(arguments):
    """Exit code 2 and a message, never a traceback."""
    done = tossup("plan", *arguments)

    assert 2 == done.exit_code
    assert "Error:" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("plan", "-n", "9", "--odds", "3/0"), "--odds: '3/0' is not a number such as 3, 5/2"),
        (("plan", "-n", "9", "--odds", "x"), "--odds: 'x' is not a number such as 3, 5/2"),
        (("plan", "-n", "9", "--epsilon", "x"), "--epsilon: 'x' is not a number such as 0.5"),
        (("simulate", "--truth", "1", "--odds", "3/0"), "--odds: '3/0' is not a number"),
        (
            ("simulate", "--truth", "w=nan"),
            "--truth w=nan: 'nan' is not a number such as 3, 5/2 or 0.5; it takes shares, or the"
            " answers to a question about a number",
        ),
    ],
)
def test_what_is_no_number_is_told_in_the_words_of_the_command_line(arguments, words):
    """The option and what it takes, not what Python says of it."""
    assert f"Error: {words}" in tossup(*arguments).stderr


def test_neither_loads_the_server():
    """Both are arithmetic: no numpy, flask or database is imported."""
    script = (
        "import sys; from tossup.server.cli.root import root\n"
        "for arguments in (['compose', '--odds', '3', '--slack', '1e-6', '--mixed', '99'],"
        " ['plan', '--n', '9', '--compare']):\n"
        "    root(arguments, standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert set() == {"numpy", "flask", "sqlite3", "cryptography"} & set(done.stderr.split())


@each(
    "command",
    [
        ("plan", "--n", "1000", "--odds", "1e999999999"),
        ("plan", "--n", "1000", "--epsilon", "1e999999999"),
        ("plan", "--n", "1000", "--epsilon", "1e-999999999"),
        ("compose", "--odds", "1e999999999"),
        ("compose", "--epsilon", "1e999999999"),
        ("simulate", "--truth", "1e999999999"),
        ("simulate", "--truth", "0.3", "--odds", "1e-999999999"),
    ],
)
def test_a_number_too_long_to_compute_with_is_wrong_usage(command):
    """A few characters can stand for a billion digits; nobody waits for them."""
    assert tossup(*command).exit_code == 2


def test_a_request_is_made_while_the_one_before_is_sent(monkeypatch):
    """The first is not answered before the second is there."""
    is_made = threading.Event()

    def bodies():
        yield 3, b"first"
        is_made.set()
        yield 4, b"second"

    def send(server, body, count):
        return count if is_made.wait(300) else -1

    monkeypatch.setattr(simulate_into, "_send", send)

    assert [3, 4] == list(simulate_into._sent(None, bodies()))
