"""The mechanism of a choice is the best there is, and says why."""

import json
from decimal import Decimal
from fractions import Fraction
from math import exp
from pathlib import Path

import pytest
from sweeps import each

from tossup.server.kinds.choosing.choice import LARGEST_REPORT, choose, variance
from tossup.server.kinds.choosing.named import compared
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    ProjectiveGeometryResponse,
    SubsetSelection,
    TwoCoin,
)

GOLDEN = json.loads(Path(__file__).with_name("golden_oracles.json").read_text(encoding="utf-8"))
GRID = GOLDEN["rows"]

SURVEY = """
id = "colours"
title = "Colours"
purpose = "To learn which colours are liked."

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "favourite"
text = "Which do you like best?"
answers = [{answers}]
{lines}
"""


def ids(row: dict) -> str:
    return f"epsilon {row['epsilon']}, {row['options']} options"


def asked(row: dict) -> Fraction:
    """The odds for a golden epsilon: a ratio that does not exceed its exponential."""
    return (
        Fraction(3)
        if row["epsilon"] == "ln3"
        else Mechanism.odds_within(Decimal(row["epsilon"]), 0, {})
    )


def best(row: dict) -> float:
    return min(row[name] for name in compared("choice") if name in row)


def load(lines: str, answers: int = 16):
    labels = ", ".join(f'"colour {place}"' for place in range(answers))
    return load_survey(SURVEY.format(answers=labels, lines=lines), bytes(range(32)))


@each(
    "name, row",
    [
        pytest.param(name, row, id=f"{name}, {ids(row)}")
        for row in GRID
        for name in compared("choice")
        if name in row and (name != "k-ary" or row["options"] <= 256)
    ],
)
def test_variances_are_the_golden_ones(name: str, row: dict):
    """At the odds asked, every mechanism is as good as its closed form, or better."""
    odds, options = asked(row), row["options"]
    found = float(variance(compared("choice")[name].from_odds(odds, options)))
    tolerance = 2e-6 if name != "local-hashing" else 0.03  # it has primes of hashes only

    assert found <= row[name] * (1 + tolerance)
    if name in ("k-ary", "symmetric-unary", "optimized-unary", "hadamard-response"):
        assert found == pytest.approx(row[name], rel=2e-6)


@each("row", GRID)
def test_the_choice_is_within_5_percent_of_the_best_known(row: dict):
    """At every point of the grid; and exactly the best up to 128 options."""
    found = choose(asked(row), row["options"])

    assert float(found.chosen.variance) <= best(row) * (1 + 2e-6 if row["options"] <= 128 else 1.05)
    assert found.chosen.report_bytes <= LARGEST_REPORT


@each("row", [row for row in GRID if row["options"] <= 128])
def test_no_mechanism_of_ours_beats_the_choice(row: dict):
    """Of all that were compared, the chosen one has the least variance."""
    found = choose(asked(row), row["options"])

    assert found.chosen.variance == min(c.variance for c in found.candidates)
    assert {c.name for c in found.candidates} == set(compared("choice"))


@each("row", GRID)
def test_odds_of_an_epsilon_do_not_exceed_it(row: dict):
    """Rounding goes one way, and costs less than a millionth of epsilon."""
    odds = asked(row)

    assert exp(row["value"]) * (1 - 1e-6 * row["value"]) < odds <= exp(row["value"]) * (1 + 1e-15)


def test_a_mechanism_says_itself_which_odds_it_takes_for_an_epsilon(monkeypatch):
    """What has room for smaller integers than most is asked, and nothing asks in its place."""
    taken = []
    monkeypatch.setattr(
        SubsetSelection, "odds_within", lambda *asked: taken.append(asked) or Fraction(2)
    )

    made = load('mechanism = "subset-selection"\nepsilon = 1').questions[0].mechanism

    assert [(Decimal(1), made.options)] == [asked[:2] for asked in taken]
    assert Fraction(2) == made.odds


@each("row", GRID)
def test_the_best_subset_size_is_found(row: dict):
    """Floor and ceiling are both tried: rounding alone costs up to 7 %."""
    design = SubsetSelection.from_odds(asked(row), row["options"])
    others = [
        SubsetSelection(row["options"], size, design.keep, design.lie)
        for size in range(1, row["options"])
        if abs(size - design.size) < 20
    ]

    assert design.variance == min(other.variance for other in others)


def test_two_options_are_k_ary_randomized_response():
    """Of equals the simplest is taken: one bit a report."""
    assert KaryRandomizedResponse(2) == choose(Fraction(3), 2).chosen.mechanism


def test_a_smaller_report_may_be_asked_for():
    """Within two bytes, projective geometry response takes the place of a mask."""
    found = choose(Fraction(3), 128, largest_report=2).chosen

    assert isinstance(found.mechanism, ProjectiveGeometryResponse)
    assert found.report_bytes <= 2


def test_the_reason_names_the_choice_and_all_that_it_was_compared_with():
    """An author reads which, why, and what the others would have given."""
    why = choose(Fraction(3), 16).why

    assert why.startswith("subset-selection has the least variance")
    assert "subset-selection 2.516 (2 B)" in why
    assert "k-ary 4.25 (1 B)" in why


def test_odds_that_fit_nothing_are_refused():
    """Weights above 2**32 have words, not a traceback."""
    with pytest.raises(MechanismError, match="simpler odds"):
        choose(Fraction((1 << 40) + 1, 1 << 40), 16)


@pytest.mark.parametrize("lines", ['mechanism = "auto"', 'mechanism = "subset-selection"'])
def test_a_survey_file_may_leave_the_choice_open(lines: str):
    """The manifest holds the mechanism itself, with its weights."""
    survey = load(lines)

    assert SubsetSelection(16, 4) == survey.questions[0].mechanism


@each("name", [name for name in compared("choice") if name != "k-ary"])
def test_a_survey_file_may_name_any_mechanism(name: str):
    """By its name, at the odds or the epsilon asked."""
    by_odds, by_epsilon = (
        load(f'mechanism = "{name}"\n{asked}').questions[0].mechanism
        for asked in ('odds = "5/2"', "epsilon = 0.7")
    )

    assert f"{name}/1" == by_odds.name == by_epsilon.name
    assert Fraction(249, 100) < by_odds.odds <= Fraction(5, 2)
    assert 2.013 < by_epsilon.odds <= exp(0.7)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('mechanism = "auto"\nweights = [3, 1]', "weights follow"),
        ('mechanism = "local-hashing"\nodds = 1', "must be above 1"),
        ('mechanism = "two-coin"', "does not fit its answers"),
        ('mechanism = "subset"', "did you mean 'subset-selection'"),
    ],
)
def test_what_does_not_fit_a_choice_is_refused(lines: str, words: str):
    """With the place and what to do."""
    with pytest.raises(SurveyFileError, match=words):
        load(lines)


def test_a_choice_may_have_a_thousand_options():
    """1,024 options travel as two bytes a report, at 3 % more variance than the best."""
    mechanism = load('mechanism = "auto"', answers=1024).questions[0].mechanism

    assert isinstance(mechanism, ProjectiveGeometryResponse)
    assert mechanism.reports.bit_length() <= 16
    assert variance(mechanism) / SubsetSelection.from_odds(Fraction(3), 1024).variance < 1.03


def test_yes_or_no_by_itself_is_two_coins():
    """``auto`` is for every kind of answer; at 3:1 nothing is better than two coins."""
    text = SURVEY.format(answers="", lines='mechanism = "auto"').replace("answers = []\n", "")

    assert TwoCoin() == load_survey(text, bytes(range(32))).questions[0].mechanism


@each("name", compared("choice"))
def test_the_documentation_gives_the_variances(name: str):
    """The table of the survey file's page is what the code computes, to two digits."""
    page = Path(__file__).parents[3] / "docs/reference/survey-file.md"
    rows = [
        line for line in page.read_text("utf-8").splitlines() if line.startswith(f'| `"{name}"`')
    ]
    assert rows, f"docs/reference/survey-file.md has no row for {name}"
    figures = [cell.strip(" *") for cell in rows[0].split("|")[3:-1]]
    sizes = (16, 128) if name == "k-ary" else (16, 128, 1024)
    made = [compared("choice")[name].from_odds(Fraction(3), size) for size in sizes]
    expected = [f"{float(variance(design)):.2f}" for design in made]

    assert expected == [figure for figure in figures if figure]
