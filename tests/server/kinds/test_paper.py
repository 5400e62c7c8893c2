"""Designs from paper: tables with the odds asked, estimates as published, and what is refused."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner
from sweeps import each

from tossup.server.cli.root import root
from tossup.server.estimation import estimate_share, unrelated_question
from tossup.server.kinds.choosing.paper import NAMES, make, people, what_it_costs
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import RandomizedResponse

HEAD = """
id = "habits"
title = "Habits"
purpose = "To know"
[publisher]
name = "A study"
contact = "study@example.org"
[[question]]
id = "q"
text = "?"
"""
SHARES = [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2), Fraction(17, 25)]


def mechanism(lines: str) -> RandomizedResponse:
    """The coins of a survey file's only question."""
    (question,) = load_survey(HEAD + lines, bytes(32)).questions
    assert isinstance(question.mechanism, RandomizedResponse)
    return question.mechanism


@each("name", NAMES)
@each("prevalence", SHARES)
@each("odds", [Fraction(101, 100), Fraction(5, 2), Fraction(3), Fraction(81)])
def test_odds_are_just_those_asked(name: str, prevalence: Fraction, odds: Fraction):
    """The largest ratio of a column, by enumeration, for every design."""
    part = {"prevalence": prevalence} if name == "unrelated-question" else {}
    channel = make(name, part, odds).channel()

    columns = list(zip(*channel, strict=True))
    assert odds == max(max(column) / min(column) for column in columns)
    assert [1, 1] == [sum(row) for row in channel]


@each(
    "lines, weights",
    [
        ('mechanism = "warner"\nselected = "7/10"', [[7, 3], [3, 7]]),
        ('mechanism = "warner"', [[3, 1], [1, 3]]),
        ('mechanism = "forced-response"\nforced = ["1/6", "1/6"]', [[5, 1], [1, 5]]),
        ('mechanism = "forced-response"\nforced = [0.25, 0.5]', [[3, 1], [2, 2]]),
        ('mechanism = "crosswise"\nprevalence = "1/3"', [[1, 2], [2, 1]]),
        (
            'mechanism = "unrelated-question"\nprevalence = "1/4"\nselected = "2/3"',
            [[11, 1], [3, 9]],
        ),
        ('mechanism = "unrelated-question"\nprevalence = "1/4"\nodds = 3', [[5, 1], [3, 3]]),
        ('mechanism = "unrelated-question"\nprevalence = "1/4"', [[5, 1], [3, 3]]),
    ],
)
def test_a_survey_file_names_them(lines: str, weights: list[list[int]]):
    """Rows are no and yes, columns what is reported."""
    assert mechanism(lines) == RandomizedResponse(tuple(map(tuple, weights)))


def test_an_epsilon_is_not_exceeded():
    """e is between the odds of its table and one part in a hundred above them."""
    odds = mechanism('mechanism = "unrelated-question"\nprevalence = "1/4"\nepsilon = 1').odds

    assert 2.7 < odds < 2.71828182845904


@each("prevalence", SHARES)
@each("selected", [Fraction(1, 3), Fraction(7, 10)])
def test_the_share_is_that_of_greenberg_and_others(prevalence: Fraction, selected: Fraction):
    """(y - (1 - p) s) / p with y of n reports yes: Greenberg et al. 1969, section 2."""
    design = make("unrelated-question", {"prevalence": prevalence, "selected": selected}, None)
    found = estimate_share((700, 300), design)
    published = (Fraction(3, 10) - (1 - selected) * prevalence) / selected

    assert float(published) == pytest.approx(found.value, rel=1e-12)
    asking = unrelated_question(selected, prevalence=prevalence)
    assert asking.rows == design.channel()


@each(
    "lines, reason",
    [
        ('mechanism = "unrelated-question"\nodds = 3', "takes prevalence.*no odds hold"),
        (
            'mechanism = "unrelated-question"\nprevalence = "1/4"\nodds = 3\nselected = "1/2"',
            "odds, epsilon or selected: one",
        ),
        ('mechanism = "unrelated-question"\nprevalence = 0', "above 0 and below 1"),
        ('mechanism = "unrelated-question"\nprevalence = "5/4"', "above 0 and below 1"),
        ('mechanism = "crosswise"\nprevalence = "1/2"', "every answer gives the same reports"),
        ('mechanism = "crosswise"\nprevalence = "1/3"\nodds = 3', "or prevalence: one"),
        ('mechanism = "forced-response"\nforced = ["1/6"]', "a forced yes, a forced no"),
        ('mechanism = "forced-response"\nforced = ["1/2", "1/2"]', "forced together"),
        ('mechanism = "warner"\nweights = [[3, 1], [1, 3]]', "takes no weights"),
        ('mechanism = "warner"\nprevalence = "1/4"', "takes prevalence with mechanism crosswise"),
        ('selected = "1/2"', "takes selected with mechanism warner or unrelated-question alone"),
        ('answers = ["A", "B"]\nmechanism = "warner"', "does not fit its answers"),
    ],
)
def test_what_does_not_go_together_is_refused(lines: str, reason: str):
    """Each with what to write instead."""
    with pytest.raises(SurveyFileError, match=reason):
        mechanism(lines)


@pytest.mark.parametrize(("prevalence", "times"), [("1/2", "1"), ("1/4", "9/4"), ("1/12", "33/4")])
def test_a_rare_innocent_yes_needs_more_people(prevalence: str, times: str):
    """At odds of 3, against two coins."""
    design = make("unrelated-question", {"prevalence": Fraction(prevalence)}, Fraction(3))

    assert Fraction(times) == people(design)
    assert (times != "1") is ("; it needs " in what_it_costs(design))


@pytest.mark.parametrize(
    ("arguments", "weights"),
    [
        (["warner", "--odds", "5"], [["5/6", "1/6"], ["1/6", "5/6"]]),
        (["crosswise", "--set", "prevalence=2/3"], [["2/3", "1/3"], ["1/3", "2/3"]]),
        (
            ["forced-response", "--set", 'forced=["1/6","1/6"]'],
            [["5/6", "1/6"], ["1/6", "5/6"]],
        ),
        (
            ["unrelated-question", "--set", "prevalence=1/4"],
            [["5/6", "1/6"], ["1/2", "1/2"]],
        ),
    ],
)
def test_the_catalogue_shows_them(arguments: list[str], weights: list[list[str]]):
    """By the keys of survey files."""
    done = CliRunner().invoke(root, ["mechanism", "show", *arguments, "--json"])

    assert weights == json.loads(done.stdout)["channel"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["warner", "--options", "3"],
        ["warner", "--set", "keep=3"],
        ["warner", "--set", 'selected="a"'],
        ["unrelated-question", "--set", "prevalence=2"],
    ],
)
def test_the_catalogue_refuses_what_does_not_fit(arguments: list[str]):
    """A wrong usage, and no traceback."""
    assert 2 == CliRunner().invoke(root, ["mechanism", "show", *arguments]).exit_code


def test_a_part_that_is_no_probability_is_refused_by_the_maker():
    """Also where no file was read."""
    with pytest.raises(MechanismError, match="probabilities"):
        make("warner", {"selected": Fraction(3, 2)}, None)
