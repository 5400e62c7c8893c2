"""The fewest reports of an estimate: by question and slice, and by what the estimate rests on."""

import csv
import json
from dataclasses import dataclass, replace
from datetime import date
from io import StringIO

import numpy as np
import pytest

from tossup.server.cli.output import TooFewReports
from tossup.server.cli.reading.groups import groups_as_text, questions_or_groups
from tossup.server.cli.reading.waiting import fail_if_all_wait
from tossup.server.kernels import kernel_of
from tossup.server.kinds.needed import FEWEST_REPORTS, minimum_batch, minimum_of
from tossup.server.results import results, results_to_csv, results_to_json
from tossup.server.results.minimum import joint_minimum, minimum_for
from tossup.server.store.tally import Cell
from tossup.server.surveys.file import load_survey
from tossup.server.web.pages.page import question_views
from tossup.shared.mechanisms import SampledOptions, TwoCoin, UnrelatedQuestion
from tossup.shared.survey import Survey

MONDAY = date(2026, 3, 2)
HEAD = """
id = "kinds"
title = "Every kind"
purpose = "To see every kind of question."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""
YES_NO = '[[question]]\nid = "tried"\ntext = "Have you ever tried it?"\n'
TICKS = """
[[question]]
id = "uses"
text = "Which do you use?"
answers = { several = ["A", "B", "C", "D", "E", "F"], most = 6 }
mechanism = "sampled-options"
"""
KINDS = f"""{TICKS}{YES_NO}
[[question]]
id = "reason"
text = "Why?"
answers = ["Time", "Grades", "Everybody does"]
[[question]]
id = "true"
text = "Which of these are true of you?"
answers = {{ several = ["I cheated", "I was born in spring"] }}
mechanism = "unrelated-question"
selected = "4/5"
"""
OTHERS = """
[[question]]
id = "order"
text = "In which order do you like them?"
answers = { ranking = ["Bus", "Tram", "Bike"] }
[[question]]
id = "hours"
text = "How many hours?"
answers = { integers = [0, 10] }
"""
WORD = '[[question]]\nid = "word"\ntext = "Which?"\nanswers = { text = "a-z", longest = 3 }\n'
KEY = bytes(32)


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


def cells(survey: Survey, sizes=(40, 300)):
    """Return tallies of so many people in each region, who all give the first answer."""
    for question in survey.questions:
        for region, n in enumerate(sizes):
            truth = [n] + [0] * (question.mechanism.answers - 1)
            counts = tuple(kernel_of(question.mechanism).simulate(truth).tolist())
            yield Cell(survey.digest, question.id, MONDAY, (region,), counts)


def found(survey: Survey, sizes=(40, 300)):
    return results(Record(survey), cells(survey, sizes))


def slices(document):
    """Yield every slice of results, with its question."""
    for question in document["questions"]:
        for part in (question, *question["days"], *question["groups"]):
            yield question, part


def test_it_works():
    """A long tick-list waits for its reports; the yes/no question beside it does not."""
    survey = load_survey(HEAD + TICKS + YES_NO, KEY)
    ticks, tried = found(survey, (80, 60)).questions

    assert (97, 97, True) == (ticks.minimum, tried.minimum, survey.minimum_batch > 577 - 10)
    assert (True, False) == (ticks.suppressed, tried.suppressed)
    assert [True, True] == [part.suppressed for part in tried.groups]


def test_no_estimate_of_any_kind_rests_on_fewer_reports_than_its_minimum():
    """In JSON and CSV, of all, by day and by group, for every kind of question."""
    for text in (KINDS, OTHERS):
        survey = load_survey(HEAD + text, KEY)
        told = found(survey, (700, 330))
        document = json.loads(json.dumps(results_to_json(told)))
        for question, part in slices(document):
            case = (question["id"], part.get("option"), part["n"])
            assert part["suppressed"] == (part["rests_on"] < part["minimum"]), case
            assert part["rests_on"] <= part["n"], case
            if part["suppressed"]:
                assert ([], None) == (part["estimates"], part["counts"]), case
            for line in part["estimates"]:
                assert line["n"] >= part["minimum"], case
            for option in part["too_few"]:
                assert option["n"] < part["minimum"], case
                assert option["answer"] not in [e["answer"] for e in part["estimates"]], case
        for row in csv.DictReader(StringIO(results_to_csv(told))):
            few = int(row["rests_on"]) < int(row["minimum"])
            assert few == (row["suppressed"] == "true"), row
            assert not few or row["value"] == "", row


def test_minimums_are_told_in_the_reports_that_tell():
    """A report that asks one of six options counts for that one; half-widths are 20 points."""
    ticks = SampledOptions(6, 6)

    assert (97, 97) == (minimum_of(TwoCoin()), minimum_of(ticks))
    assert 5 * 97 < minimum_batch([ticks])


def test_a_text_rests_on_the_reports_of_the_last_level():
    """The other levels find texts and tell no share."""
    [word] = load_survey(HEAD + WORD, KEY).questions
    design = word.mechanism
    counts = [0] * design.counters
    counts[0] = counts[-1] = 40

    assert (40,) == design.reports_behind(tuple(counts))
    assert minimum_of(design) * design.levels - design.levels < minimum_batch([design])


def test_a_group_of_a_tick_list_shows_only_options_that_enough_reports_ask():
    """The option that 13 of many reports ask is said to wait, and no other."""
    survey = load_survey(HEAD + TICKS, KEY)
    not_ticked, ticked = [60] * 6, [60] * 6
    not_ticked[2], ticked[2] = 6, 7
    cell = Cell(survey.digest, "uses", MONDAY, (0,), (*not_ticked, *ticked))
    told = results(Record(survey), [cell])
    north = told.questions[0].groups[0]
    document = results_to_json(told)
    text = groups_as_text(json.loads(json.dumps(document)), document["questions"], "region")
    [view] = question_views(told)

    assert (613, 120, {"c": 13}) == (north.n, north.behind, north.too_few)
    assert ["a", "b", "d", "e", "f"] == [estimate.answer for estimate in north.estimates]
    assert north.told.covariance.population is None or len(north.told.covariance.population) == 5
    assert north.leading is None  # the option that waits may be the largest
    assert {"c"} == {row.answer for row in view.table.rows if row.estimate is None}
    assert [13] == [row.n for row in view.table.rows if row.answer == "c"]
    assert "too few reports (from 97 on)       13" in text


def test_a_number_that_the_author_chose_holds_for_every_estimate():
    """Whether it is lower or higher than the usual one, as the signed manifest says."""
    survey = load_survey(HEAD + KINDS, KEY)
    for chosen in (30, 150, 5000):
        asked = replace(survey, minimum_batch=chosen)
        assert {chosen} == {minimum_for(question, asked) for question in asked.questions}


def test_two_statements_rest_on_both_samples():
    """A sample of seven reports is not made up for by one of hundreds."""
    behind = UnrelatedQuestion(7, 3, 5).reports_behind

    assert (100, 27, 0, 0) == tuple(
        behind(counts)[0]
        for counts in ((25, 25, 25, 25), (90, 100, 3, 4), (5, 5, 0, 0), (0, 0, 0, 0))
    )


def test_a_joint_table_has_the_minimum_of_both_questions():
    """Enough for 20 points either way, by the worst respondents of all that there may be."""
    text = HEAD.replace('id = "kinds"', 'id = "kinds"\nlinkage = "joint"') + YES_NO
    survey = load_survey(text + YES_NO.replace("tried", "told"), KEY)
    channel = np.kron([[0.75, 0.25], [0.25, 0.75]], [[0.75, 0.25], [0.25, 0.75]])
    squares = channel @ np.linalg.inv(channel) ** 2
    grid = np.random.default_rng(1).dirichlet([0.3] * 4, 20_000)
    widest = max((grid @ squares[:, cell] - grid[:, cell] ** 2).max() for cell in range(4))
    minimum = joint_minimum(survey.questions, survey)

    assert minimum == 200
    assert 0.995 < (minimum - 1) * (0.2 / 1.96) ** 2 / widest < 1.01
    assert 50 == joint_minimum(survey.questions, replace(survey, minimum_batch=50))


def test_waves_are_chosen_by_the_minimum_of_each_question():
    """The newest wave with enough reports to some question, not to the longest one."""
    waves = "[waves]\ncount = 3\nfirst = 2026-01-05\ndays = 7\ntimes = 1\n"
    text = HEAD.split("[[attribute]]", maxsplit=1)[0] + waves + TICKS + YES_NO
    survey = load_survey(text, KEY)
    counted = [Cell(survey.digest, "tried", MONDAY, (wave,), (60, 40 - wave)) for wave in range(3)]

    assert "3" == results(Record(survey), counted).wave
    assert survey.minimum_batch > 500


def test_a_command_whose_every_group_waits_exits_with_3():
    """As where no question has an estimate; it says how far the nearest one is."""
    document = results_to_json(found(load_survey(HEAD + YES_NO, KEY), (90, 96)))
    shown = questions_or_groups(document["questions"], "region")

    fail_if_all_wait(document["questions"], "")
    with pytest.raises(TooFewReports, match="96 of 97") as failed:
        fail_if_all_wait(shown, "wait")
    assert failed.value.exit_code == 3


def test_every_minimum_is_at_least_30():
    """However sharp a design is, a handful of reports is no survey."""
    survey = load_survey(HEAD + YES_NO + "odds = 9\n", KEY)

    assert FEWEST_REPORTS <= minimum_for(survey.questions[0], survey) < 97
