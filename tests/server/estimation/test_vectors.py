"""Means of vectors and covariances of their components: unbiased, with errors that are right."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from alarms import least_inside

from tossup.server.estimation import EstimationError, estimate_vector, nearest_covariance
from tossup.server.estimation import vector_p_value as p_value
from tossup.server.estimation.vectors.moments import component_variance
from tossup.server.kernels.vectors import VectorKernel
from tossup.server.kinds import simulate
from tossup.server.kinds.choosing.vector import for_vector
from tossup.server.surveys.file import load_survey
from tossup.shared.coins import Coins
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import PrivUnit, VectorLaplace
from tossup.shared.mechanisms.digits import to_digits

PLANE = VectorAnswer(("x", "y"), Fraction(2), Fraction(1, 16))
MOMENTS = VectorAnswer(("x", "y"), Fraction(2), Fraction(1, 16), moments=True)

HEAD = """
id = "moves"
title = "Moves"
purpose = "To learn how far people move."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "where"
text = "How far?"
"""


def question(answers: str, mechanism: str = "auto", odds: int = 9):
    text = f'{HEAD}answers = {answers}\nmechanism = "{mechanism}"\nodds = {odds}\n'
    text = f"question_cap = 81\n{text}"
    return load_survey(text, bytes(32)).questions[0]


def tossed(domain, mechanism, answers) -> tuple[int, ...]:
    indexes = [domain.index(domain.place(answer), mechanism, Coins()) for answer in answers]
    return tuple(VectorKernel(mechanism).toss(indexes).tolist())


#: Two-sided, 1e-7 for one number: a correct estimator fails one of these with less than 1e-6.
SURE = 5.4


@pytest.mark.parametrize("name", ["vector-laplace", "privunit", "entry-laplace", "entry-gaussian"])
def test_means_are_the_answers(name: str):
    """1,000 respondents with two answers: each component is within its error of the truth."""
    design = for_vector(2, 32, name, Fraction(9))
    counts = tossed(PLANE, design, [(1.5, -1), (0.3, 0.8)] * 500)
    found = estimate_vector(counts, design, PLANE)

    for mean, truth in zip(found.means, (0.9, -0.1), strict=True):
        assert abs(mean.value - truth) < SURE * mean.standard_error
        assert 1000 == mean.n
    assert found.covariance is None


@pytest.mark.parametrize("name", ["vector-laplace", "privunit", "entry-laplace", "entry-gaussian"])
def test_standard_errors_are_those_of_the_design(name: str):
    """Within 12 % of the planned noise and what answers add, for 3,000 reports of one answer."""
    design = for_vector(2, 32, name, Fraction(3))
    counts = tossed(PLANE, design, [(0, 0)] * 3000)
    planned = sqrt(component_variance(design) / 3000) / 16  # steps of 1/16

    for mean in estimate_vector(counts, design, PLANE).means:
        assert planned * 0.88 < mean.standard_error < planned * 1.12


def test_covariances_are_those_of_the_answers():
    """1,400 respondents with four answers, through one report each."""
    design = for_vector(5, 32, "privunit", Fraction(27))
    answers = [(1.5, 1), (-1, -1), (0.5, 0.2), (-0.6, 0.4)]
    counts = tossed(MOMENTS, design, answers * 350)
    found = estimate_vector(counts, design, MOMENTS)
    truth = np.cov(np.array(answers).T, bias=True)

    entries = {entry.names: entry for entry in found.covariance.entries}
    assert [("x", "x"), ("y", "x"), ("y", "y")] == list(entries)
    for (i, j), entry in zip([(0, 0), (1, 0), (1, 1)], entries.values(), strict=True):
        assert abs(entry.value - truth[i, j]) < SURE * entry.standard_error
        assert entry.standard_error < 0.6


def test_covariances_of_two_reports_are_unbiased_too():
    """The product of two means less what errors add to it is that of the reports, x1 times x2."""
    domain = VectorAnswer(("x", "y"), Fraction(1), Fraction(1, 16), moments=True)
    design = for_vector(domain.entries, domain.radius, "vector-laplace", Fraction(9))
    reports = np.array([[5, -7, 11, 2, -3], [-4, 9, 1, 8, 6]]) + design.window
    products = [int(reports[:, i] @ reports[:, j]) for i, j in design.products]
    counts = (*reports.sum(axis=0).tolist(), *products, 2)
    (x1, *_), (x2, *_) = told = (reports - design.window) * [float(unit) for unit in domain.units]
    entry = estimate_vector(counts, design, domain).covariance.entries[0]

    assert entry.value == pytest.approx(told[:, 2].mean() - x1 * x2)


def test_errors_of_covariances_are_those_of_what_single_reports_add():
    """Against the spread of product - mean times component - component times mean, by report."""
    design = VectorLaplace(5, 32, 900, 27, 1)
    index = MOMENTS.index(MOMENTS.place((1.5, -1)), design, Coins())
    digits = np.array([to_digits(design.perturb(index), 1801, 5) for _ in range(300)])
    found = estimate_vector(
        tuple(VectorKernel(design)._sums(digits).tolist()), design, MOMENTS
    ).covariance
    entries = (digits - 900) * [float(unit) for unit in MOMENTS.units]
    x, y = entries[:, 0], entries[:, 1]
    parts = [
        entries[:, 2] - 2 * x.mean() * x,
        entries[:, 3] - x.mean() * y - y.mean() * x,
        entries[:, 4] - 2 * y.mean() * y,
    ]

    for entry, part in zip(found.entries, parts, strict=True):
        assert pytest.approx(part.std(ddof=1) / sqrt(300)) == entry.standard_error


@pytest.mark.prove
def test_intervals_hold_the_truth():
    """Of 200 surveys 95 % intervals of two means and three covariances hold it in 168 or more.

    At a coverage of 94 % each, one of them holds it in fewer in one of a million runs.
    """
    asked = question('{moments = ["x", "y"], norm = 2}', "vector-laplace", 81)
    numbers = [Fraction(n, 10) for n in (15, 10, -10, -10, 5, 2, -6, 4)]
    lines = simulate(asked, numbers, 150, 200)

    assert 5 == len(lines)
    assert all(line.inside >= least_inside(200, 0.94, 5) for line in lines)
    assert all(line.inside <= 200 for line in lines)


def test_joint_intervals_are_wider_and_share_the_confidence():
    """Bonferroni over two components: 2.24 instead of 1.96 standard errors."""
    design = VectorLaplace(2, 32, 900)
    mean = estimate_vector(tossed(PLANE, design, [(1, 0)] * 100), design, PLANE).means[0]

    single = (mean.interval.high - mean.value) / mean.standard_error
    joint = (mean.joint.high - mean.value) / mean.standard_error
    assert (1.96, 2.2414) == (round(single, 2), round(joint, 4))
    assert (1, 2) == (mean.interval.intervals, mean.joint.intervals)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_reports_that_agree_by_chance_are_not_sure(n: int):
    """Their error is not below that of the coins alone."""
    design = VectorLaplace(2, 32, 900)
    digits = 900 + 16, 900 - 8
    products = [digits[0] ** 2, digits[1] ** 2, digits[0] * digits[1]]
    counts = tuple(n * total for total in (*digits, *products, 1))
    found = estimate_vector(counts, design, PLANE)

    assert [1.0, -0.5] == [mean.value for mean in found.means]
    planned = sqrt(component_variance(design) / n) / 16
    assert all(mean.standard_error >= planned * 0.999 for mean in found.means)


def test_the_nearest_covariance_is_a_view_beside_raw_entries():
    """A raw matrix that is none stays as it is; the view has no negative eigenvalue."""
    design = for_vector(5, 32, "privunit", Fraction(3))
    found = estimate_vector(tossed(MOMENTS, design, [(0, 0)] * 40), design, MOMENTS).covariance
    view = np.array(found.projected)

    assert np.linalg.eigvalsh(view).min() > -1e-9
    raw = {entry.names: entry.value for entry in found.entries}
    matrix = np.array([[raw["x", "x"], raw["y", "x"]], [raw["y", "x"], raw["y", "y"]]])
    assert (np.linalg.eigvalsh(matrix).min() >= -1e-9) == found.is_possible


def test_a_covariance_is_its_own_nearest():
    """Nothing is changed that need not be."""
    matrix = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 0.7]])

    assert pytest.approx(matrix) == np.array(nearest_covariance(matrix))


@pytest.mark.parametrize("seed", range(5))
def test_no_covariance_nearby_is_nearer(seed: int):
    """Against random positive semidefinite matrices around the projection."""
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(3, 3))
    matrix += matrix.T
    nearest = np.array(nearest_covariance(matrix))
    least = ((matrix - nearest) ** 2).sum()
    for _ in range(200):
        values, vectors = np.linalg.eigh(nearest + rng.normal(scale=0.3, size=(3, 3)))
        other = (vectors * np.maximum(values, 0)) @ vectors.T

        assert ((matrix - other) ** 2).sum() >= least - 1e-9


def test_a_mean_beyond_the_norm_is_hard_to_explain():
    """All reports at the edge of the window cannot be chance; means within the ball are."""
    design = VectorLaplace(2, 32, 900)
    edge = estimate_vector(
        (180000, 90000, 324 * 10**6, 81 * 10**6, 162 * 10**6, 100), design, PLANE
    )
    inside = estimate_vector(tossed(PLANE, design, [(1, 1)] * 100), design, PLANE)

    assert p_value(edge, PLANE) < 1e-6
    assert p_value(inside, PLANE) > 1e-4


@pytest.mark.parametrize(
    ("counts", "design", "domain"),
    [
        ((0,) * 6, VectorLaplace(2, 32, 900), PLANE),
        ((1,) * 5, VectorLaplace(2, 32, 900), PLANE),
        ((1, 1, 1, 1, -1, 1), VectorLaplace(2, 32, 900), PLANE),
        ((1,) * 6, VectorLaplace(2, 16, 900), PLANE),
        ((1,) * 6, PrivUnit(2, 32, 0), MOMENTS),
    ],
)
def test_what_does_not_fit_is_refused(counts, design, domain):
    """No reports, wrong counters, another design than the question's."""
    with pytest.raises(EstimationError):
        estimate_vector(counts, design, domain)


@pytest.mark.parametrize(
    ("numbers", "n"), [([1], 10), ([], 10), ([1, 2, 3], 10), ([1, 2], 1_000_001)]
)
def test_made_up_answers_that_are_none_are_refused(numbers, n):
    """Whole answers one after the other, and not more than take a few minutes."""
    asked = question('{vector = ["x", "y"], norm = 2}')
    with pytest.raises(ValueError, match=r"vectors|numbers"):
        simulate(asked, [Fraction(number) for number in numbers], n)


def test_answers_longer_than_the_norm_are_scaled_in_the_truth_too():
    """What is estimated is the mean of what counts."""
    asked = question('{vector = ["x", "y"], norm = 1}')
    lines = simulate(asked, [Fraction(3), Fraction(4)], 50)

    assert [0.6, 0.8] == [pytest.approx(line.truth) for line in lines]
    assert ["where/x", "where/y"] == [line.id for line in lines]
