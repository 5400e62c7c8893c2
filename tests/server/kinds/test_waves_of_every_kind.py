"""Waves of vectors, orders and texts: what is shown of each wave, and of the changes."""

import csv
from dataclasses import dataclass
from datetime import date
from io import StringIO

import pytest
from every_kind import tally

from tossup.server.cli.reading.waves import waves_as_text
from tossup.server.kernels.tossing.source import seeded
from tossup.server.results import Results, results, results_to_csv, results_to_json
from tossup.server.store.tally import Cell
from tossup.server.surveys.file import load_survey
from tossup.server.web.pages.page import question_views
from tossup.shared.survey import Survey

FILE = """
id = "panel"
title = "Panel"
purpose = "To learn."
minimum_batch = 30

[publisher]
name = "Example University"
contact = "irb@example.org"

[waves]
count = 4
first = 2027-01-04
days = 7
times = 2

[[question]]
id = "moved"
text = "How far east and north did you move?"
answers = { vector = ["East", "North"], norm = 10 }
odds = 2

[[question]]
id = "way"
text = "How do you like to travel?"
answers = { ranking = ["Bus", "Tram", "Bike"] }
odds = 2

[[question]]
id = "word"
text = "Which word comes to mind?"
answers = { text = "a-z", longest = 3 }
odds = 2

[[question]]
id = "likes"
text = "Which average do you like?"
answers = ["Mean", "Median"]
mechanism = "k-ary"
odds = 2
"""

ANSWERS = {"moved": (6, -3), "way": ["bike", "bus", "tram"], "word": "abc", "likes": "mean"}
N = 40


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


@pytest.fixture(scope="module")
def found() -> Results:
    """40 reports in the first wave, and in the third; 10 in the second. Of texts 100 times that.

    A seed makes them the same in every run.
    """
    survey = load_survey(FILE, bytes(range(32)))
    with seeded(1):
        cells = [
            Cell(
                survey.digest,
                question.id,
                date(2027, 1, 4),
                (wave - 1,),
                tally(question, ANSWERS[question.id], n),
            )
            for question in survey.questions
            for wave, n in ((1, N), (2, 10), (3, N))
        ]
    return results(Record(survey), cells)


def lines_of(found: Results, question_id: str) -> list[list[str]]:
    """The table of waves on the command line, of one question."""
    as_json = results_to_json(found)
    asked = [question for question in as_json["questions"] if question["id"] == question_id]
    return [line.split() for line in waves_as_text(as_json, asked).strip().splitlines()[2:]]


def test_it_works(found):
    """A table of every wave with reports, whatever the kind of question."""
    waves = {name: {line[1] for line in lines_of(found, name)} for name in ANSWERS}

    assert [{"1", "2", "3"}] * len(ANSWERS) == list(waves.values())


def test_every_component_of_a_vector_has_its_changes(found):
    """Later less earlier mean, passing over waves with too few reports."""
    result = found.question("moved")
    means = {
        part.option: {mean.names[0]: mean.value for mean in part.told.vector.means}
        for part in result.groups
        if part.told.vector
    }

    assert {(c.answer, c.earlier, c.later): c.change.value for c in result.changes} == {
        (name, "1", "3"): means["3"][name] - means["1"][name] for name in ("east", "north")
    }


def test_the_interval_of_a_component_counts_people_who_turn_round(found):
    """Answers of both waves may lie the whole norm on either side: raised by norm**2 at most."""
    [change, _] = (step.change for step in found.question("moved").changes)
    first, _, third, _ = found.question("moved").groups
    errors = [part.told.vector.means[0].standard_error for part in (first, third)]
    # A third of those who answer a wave are expected in another; twice the covariance.
    overlap = 2 * 100 / 3 / N

    assert change.standard_error**2 == pytest.approx(sum(e**2 for e in errors) + overlap)


def test_the_changes_of_a_vector_are_in_every_download(found):
    """In CSV beside the wave's mean, in JSON by component."""
    as_json = results_to_json(found)["questions"][0]["changes"]
    rows = list(csv.DictReader(StringIO(results_to_csv(found))))
    rows = [row for row in rows if row["question"] == "moved" and row["change"]]

    assert [(c["answer"], c["from"], c["to"], c["value"]) for c in as_json] == [
        (row["answer"], int(row["change_from"]), int(row["wave"]), float(row["change"]))
        for row in rows
    ]
    assert 2 == len(rows)


def test_the_page_has_the_changes_of_a_vector_and_only_waves_with_reports(found):
    """As for any other question."""
    [waves] = question_views(found)[0].vector.groups

    assert ["1", "2", "3"] == [label["en"].split()[0] for label, _ in waves.tables]
    assert found.question("moved").changes == waves.changes


def test_the_command_line_names_components(found):
    """Not two lines that are both called mean; changes are in the question's unit."""
    lines = lines_of(found, "moved")

    assert [line[2:5] for line in lines if line[1] == "3"] == [
        ["mean", "of", "east"],
        ["mean", "of", "north"],
    ]
    assert all("%" not in line for line in lines)
    assert ["since", "1"] == lines[-1][-2:]


def test_the_command_line_says_that_points_are_no_shares(found):
    """As in the table above it."""
    assert ["bus,", "mean", "points"] == lines_of(found, "way")[0][2:5]


def test_the_command_line_names_the_texts_of_a_wave(found):
    """Each that was found in the wave above has a share in the others, too."""
    lines = [line[1:3] for line in lines_of(found, "word")]

    assert [wave for wave, word in lines if word == "abc"] == ["1", "2", "3"]


def test_an_option_called_mean_is_a_share(found):
    """And its change is in points."""
    [line] = [line for line in lines_of(found, "likes") if line[1:3] == ["3", "mean"]]

    assert 6 == " ".join(line).count("%")
