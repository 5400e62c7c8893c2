"""What says nothing is not told yet; what reaches beyond the possible is cut, and marked so."""

import csv
import re
from dataclasses import dataclass
from datetime import date
from io import StringIO

import pytest

from tossup.server.cli.reading.groups import _pairs
from tossup.server.cli.reading.results import _rows
from tossup.server.estimation import Interval
from tossup.server.kernels import kernel_of
from tossup.server.results import results, results_to_csv, results_to_json
from tossup.server.store.tally import Cell
from tossup.server.surveys.file import load_survey
from tossup.server.web.pages.words.sentences import possible_points, possible_shares
from tossup.shared.survey import Survey

MONDAY = date(2026, 3, 2)
TEXT = """
id = "hours"
title = "Hours"
purpose = "To learn how long people wait."
minimum_batch = 20

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "waited"
text = "How many?"
answers = { integers = [0, 20] }
odds = 3

[[question]]
id = "tried"
text = "Tried?"

[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


@pytest.fixture(scope="module")
def hours() -> Survey:
    return load_survey(TEXT, bytes(32))


def waits(survey: Survey, of_each: int):
    """Return the results of so many simulated reports of each of three answers."""
    mechanism = survey.question("waited").mechanism
    truth = [of_each * (place in {8, 10, 12}) for place in range(21)]
    counts = tuple(kernel_of(mechanism).simulate(truth).tolist())
    return results(Record(survey), [Cell(survey.digest, "waited", MONDAY, (0,), counts)])


def as_csv(found) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(results_to_csv(found))))


def test_quartiles_of_few_reports_are_not_told_yet(hours):
    """Of 21 reports none has an interval of half the range; JSON, CSV and CLI say so by name."""
    found = waits(hours, 7)
    (question, _) = results_to_json(found)["questions"]
    rows = [row for row in as_csv(found) if row["question"] == "waited" and not row["attribute"]]
    waiting = {row["answer"] for row in rows if row["not_told_yet"] == "true"}

    assert {"variance", "q1", "median", "q3"} == {
        *question["not_told_yet"],
        *(e["statistic"] for e in question["estimates"][1:]),
    }
    assert {"q1", "median", "q3"} & {*question["not_told_yet"]} == {"q1", "median", "q3"} & waiting
    assert {*question["not_told_yet"]} == waiting
    assert waiting
    assert all(row["value"] == "" for row in rows if row["not_told_yet"])
    assert waiting == {r["answer"] for r in _rows(question) if r["interval"] == "not told yet"}


def test_what_is_told_leaves_half_of_the_possible_out(hours):
    """With any number of reports, and with many all is told."""
    for of_each in (10, 600, 40_000, 400_000):
        found = waits(hours, of_each).question("waited").total
        widest = {"variance": 50, "q1": 10, "median": 10, "q3": 10}
        for number in found.told.numbers[1:]:
            width = number.interval.high - number.interval.low
            assert width <= widest[number.statistic], (of_each, number)
    assert found.told.not_told_yet == ()


def test_forged_and_denied_shares_are_cut_and_marked(hours):
    """25 of 100 say yes: raw ends below 0 stay in JSON, beside what a share can be."""
    cells = [Cell(hours.digest, "tried", MONDAY, (0,), (75, 25))]
    (estimate,) = results_to_json(results(Record(hours), cells))["questions"][1]["estimates"]

    for row in (*estimate["forged"], *estimate["denied"]):
        assert row["low"] < 0 == row["shown_low"] < row["shown_high"] <= 1
        assert row["cut"]
        assert row["shown_method"] == f"{row['method']}-cut"


def test_what_no_share_explains_has_no_ends(hours):
    """30 yes of 200, where coins alone give 50: some share is possible if many are forged."""
    cells = [Cell(hours.digest, "tried", MONDAY, (0,), (170, 30))]
    (estimate,) = results_to_json(results(Record(hours), cells))["questions"][1]["estimates"]
    first, *_, last = estimate["forged"]

    assert (first["shown_low"], first["shown_high"], first["cut"]) == (None, None, True)
    assert last["shown_low"] == 0 < last["shown_high"]


def test_differences_of_groups_are_cut_and_marked(hours):
    """Far apart, and few: no further apart than 100 points."""
    cells = [
        Cell(hours.digest, "tried", MONDAY, (0,), (12, 28)),
        Cell(hours.digest, "tried", MONDAY, (1,), (31, 9)),
    ]
    question = results_to_json(results(Record(hours), cells))["questions"][1]
    ((pair,),) = (found["pairs"] for found in question["comparisons"])
    (row,) = _pairs(question, "region")

    assert pair["high"] > 1 == pair["shown_high"]
    assert pair["low"] == pair["shown_low"]
    assert re.fullmatch(r"[\d.]+ to 100.0 \(cut\)", row["interval, all pairs together"])


def test_pages_say_what_is_cut():
    """And what is not possible, in place of an interval of no width."""
    share, none, whole = (
        Interval(*ends, 0.95, "score") for ends in ((-0.1, 0.2), (-0.4, 0.0), (0.1, 0.2))
    )

    assert "0.0% to 20.0% (cut)" == possible_shares(share)
    assert "not possible" == possible_shares(none)
    assert "10.0% to 20.0%" == possible_shares(whole)
    assert "−10.0 to 20.0" == possible_points(share)
