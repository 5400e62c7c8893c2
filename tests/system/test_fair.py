"""The whole road on real data: every third of the 6,366 women of Fair's survey.

Every respondent is one device SDK with a store of its own; the server is a real process; all
that passes between them is HTTP.
"""

import csv
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from click.testing import CliRunner

from tossup.server.cli.root import root
from tossup.server.demo.populations import fair
from tossup.server.demo.run import run
from tossup.server.estimation import direct, estimate_joint, estimate_shares, regress
from tossup.server.surveys.file import load_survey
from tossup.shared.mechanisms import TwoCoin

#: Four thousand answers over HTTP take half a minute; `tossup demo --fair` asks all women.
pytestmark = pytest.mark.prove

FALSE_ALARM = 1e-6
WOMEN = 2122
INTERVALS = 6  # one share of yes and five options


@pytest.fixture(scope="module")
def population():
    """Every third woman of the survey, from statsmodels."""
    whole = fair()
    return replace(whole, answers=whole.answers[::3])


@pytest.fixture(scope="module")
def outcome(population):
    """The estimates of a server that all of them answered."""
    with run(population, lambda _: None) as found:
        yield found


def test_the_data_are_those_of_the_paper(population):
    """6,366 women, of whom 2,053 had an affair; a third of them is asked."""
    whole = fair().answers
    assert (len(whole), sum(answers["affair"] for answers in whole)) == (6366, 2053)
    assert len(population.answers) == WOMEN


def test_every_report_is_counted_once(outcome):
    """One report for each woman and question."""
    assert [question["n"] for question in outcome.results["questions"]] == [WOMEN, WOMEN]


def test_all_true_shares_lie_in_simultaneous_intervals(outcome, population):
    """Six exact intervals (Clopper-Pearson, Bonferroni) hold all true shares together.

    Their joint confidence is 1 - 1e-6, so that a false alarm comes in at most one run of a
    million; the true shares of those asked are fixed, which only makes it rarer.
    """
    survey = load_survey(population.survey_file, bytes(32))
    missed = []
    for found in outcome.results["questions"]:
        question = survey.question(found["id"])
        shares = estimate_shares(found["counts"], question.mechanism).options
        for answer, share in zip(question.answer_ids, shares, strict=True):
            interval = share.shared_interval(1 - FALSE_ALARM, "exact", among=INTERVALS)
            if float(population.truth(question, answer)) not in interval:
                missed.append((question.id, answer, interval))

    assert missed == []


@pytest.fixture(scope="module")
def joint(outcome):
    """The joint reports as the server gives them out: columns of numbers."""
    server = outcome.server
    done = CliRunner().invoke(
        root,
        ["export", "fair-1978", "--joint", "--url", server.url],
        env={"TOSSUP_API_KEY": server.api_key},
    )
    assert 0 == done.exit_code, done.output
    rows = list(csv.DictReader(StringIO(done.stdout)))
    return {name: [float(row[name].replace("_", ".")) for row in rows] for name in rows[0]}


COVARIATES = ("age", "married", "religious", "children")


def test_joint_reports_are_all_there(joint):
    """One for each woman, and nothing that could order or name them."""
    assert {
        "version",
        *(f"attribute_{name}" for name in COVARIATES),
        "report_affair",
        "report_marriage",
        "count",
    } == set(joint)
    assert sum(joint["count"]) == WOMEN


def test_a_regression_on_reports_agrees_with_that_on_the_answers(joint, population):
    """Of any affair on four covariates: all five coefficients within simultaneous intervals.

    At a joint confidence of 1 - 1e-6 (Bonferroni; normal, so about that for 2,122 women).
    """
    told = [{k: float(str(v).replace("_", ".")) for k, v in row.items() if k in COVARIATES}
            for row in population.answers]  # fmt: skip
    columns = {name: [row[name] for row in told] for name in COVARIATES}
    answers = [int(row["affair"]) for row in population.answers]
    truth = regress(answers, columns, direct()).coefficients
    found = regress(
        joint["report_affair"],
        {name: joint[f"attribute_{name}"] for name in COVARIATES},
        TwoCoin(),
        counts=joint["count"],
    )
    intervals = found.intervals(1 - FALSE_ALARM / len(truth))

    assert all(value in interval for value, interval in zip(truth, intervals, strict=True))


def test_a_joint_table_agrees_with_the_answers(joint, population):
    """Affair by rating of the marriage: ten cells within six standard errors (2e-9 each)."""
    survey = load_survey(population.survey_file, bytes(32))
    affair, marriage = (survey.question(name) for name in ("affair", "marriage"))
    columns = ("report_affair", "report_marriage", "count")
    counts, truth = np.zeros((2, 5), dtype=int), np.zeros((2, 5))
    for a, m, n in zip(*(joint[name] for name in columns), strict=True):
        counts[int(a), int(m)] += int(n)
    for row in population.answers:
        truth[int(row["affair"]), marriage.answer_ids.index(row["marriage"])] += 1 / WOMEN
    found = estimate_joint(counts, [affair.mechanism, marriage.mechanism])

    assert (np.abs(found.cells - truth) < 6 * found.standard_errors()).all()


def test_the_estimates_are_near_enough_to_be_useful(outcome):
    """Every 95 % interval of the yes/no question is at most 4.5 points wide either way."""
    affair = outcome.lines[0]

    assert (affair.high - affair.low) / 2 < 0.045
