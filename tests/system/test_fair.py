"""The whole road on real data: Fair's survey of 6,366 women.

Every respondent is one device SDK with a store of its own; the server is a real process; all
that passes between them is HTTP.
"""

import pytest

from tossup.server.demo.populations import fair
from tossup.server.demo.run import run
from tossup.server.estimation import estimate_shares
from tossup.server.surveys import load_survey

FALSE_ALARM = 1e-6
INTERVALS = 6  # one share of yes and five options


@pytest.fixture(scope="module")
def population():
    """The women of the survey, from statsmodels."""
    return fair()


@pytest.fixture(scope="module")
def outcome(population):
    """The estimates of a server that all of them answered."""
    with run(population, lambda _: None) as found:
        yield found


def test_the_data_are_those_of_the_paper(population):
    """6,366 women, of whom 2,053 had an affair."""
    assert len(population.answers) == 6366
    assert sum(answers["affair"] for answers in population.answers) == 2053


def test_every_report_is_counted_once(outcome):
    """One report for each woman and question."""
    assert [question["n"] for question in outcome.results["questions"]] == [6366, 6366]


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


def test_the_estimates_are_near_enough_to_be_useful(outcome):
    """Every 95 % interval of the yes/no question is at most 2.5 points wide either way."""
    affair = outcome.lines[0]

    assert (affair.high - affair.low) / 2 < 0.025
