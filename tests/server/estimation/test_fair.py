"""A real survey behind coins: regression on randomized reports against that on the answers."""

import numpy as np
import pytest

from tossup.server.estimation import direct, estimate_joint, regress, tabulate
from tossup.shared.mechanisms import TwoCoin

COVARIATES = ["rate_marriage", "age", "yrs_married", "children", "religious", "educ"]


@pytest.fixture(scope="module")
def women():
    """Return the covariates and the answers of Fair's 6,366 women: any affair."""
    from statsmodels.datasets import fair  # which takes seconds to import

    data = fair.load_pandas().data
    columns = {name: data[name].to_numpy() for name in COVARIATES}
    return columns, (data["affairs"] > 0).to_numpy().astype(int)


@pytest.fixture(scope="module")
def reports(women):
    """Return what the devices' own mechanism makes of the answers, with real coins."""
    coins = TwoCoin()
    return np.array([coins.perturb(int(answer)) for answer in women[1]])


def test_coefficients_agree_within_simultaneous_intervals(women, reports):
    """All seven hold the coefficients on the answers at 1 - 1e-6 (Bonferroni, normal)."""
    columns, answers = women
    truth = regress(answers, columns, direct()).coefficients
    intervals = regress(reports, columns, TwoCoin()).intervals(1 - 1e-6 / 7)

    assert all(value in interval for value, interval in zip(truth, intervals, strict=True))


def test_errors_are_larger_by_no_more_than_the_coins_cost(women, reports):
    """Between the direct errors and those of the design effect where coins cost most: 1 : 4."""
    columns, answers = women
    plain = regress(answers, columns, direct()).standard_errors()
    randomized = regress(reports, columns, TwoCoin()).standard_errors()

    assert ((1 < randomized / plain) & (randomized / plain < 4)).all()


def test_a_joint_table_with_a_direct_answer_agrees(women, reports):
    """Religious women by affair: cells within 6 standard errors (2e-9 each) of the truth."""
    columns, answers = women
    religious = (columns["religious"] >= 3).astype(int)
    joint = estimate_joint(tabulate([reports, religious], [2, 2]), [TwoCoin(), direct()])
    truth = tabulate([answers, religious], [2, 2]) / len(answers)

    assert (np.abs(joint.cells - truth) < 6 * joint.standard_errors()).all()
