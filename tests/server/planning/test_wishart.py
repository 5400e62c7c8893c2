"""Wishart noise: delta by exact tails against brute force, and why it is never purely private."""

from fractions import Fraction
from math import exp, log, sqrt

import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation.vectors.moments import component_variance
from tossup.server.kinds.choosing.vector import for_vector
from tossup.server.planning.curator import central
from tossup.server.planning.curator.wishart import (
    Wishart,
    delta_of,
    least_degrees,
    wishart,
)
from tossup.server.planning.errors import PlanningError


def densities(excess: int, points: np.ndarray) -> np.ndarray:
    """Return the density of chi-squared, by its formula."""
    from math import lgamma, log

    power = excess / 2
    with np.errstate(divide="ignore"):
        logs = (power - 1) * np.log(points) - points / 2 - power * log(2) - lgamma(power)
    return np.where(points > 0, np.exp(logs), 0.0)


@each("excess", [3, 4, 9, 30, 200])
@each("epsilon", [0.05, 0.3, 0.6, 1.0, 2.0])
def test_delta_is_the_integral_that_defines_it(excess: int, epsilon: float):
    """The mass by which one density exceeds e**epsilon times the other, either way."""
    points = np.linspace(1e-9, excess + 60 * sqrt(excess) + 200, 200_001)
    step = points[1] - points[0]
    absent = densities(excess, points)
    there = densities(excess, np.maximum(points - 1, 0.0))
    integrals = [
        np.maximum(one - exp(epsilon) * other, 0).sum() * step
        for one, other in [(absent, there), (there, absent)]
    ]

    assert pytest.approx(max(integrals), rel=2e-3, abs=1e-6) == delta_of(excess, epsilon)


def test_two_degrees_above_tell_whether_a_row_is_absent():
    """Chi-squared with 2 degrees of freedom is below 1 with probability 1 - exp(-1/2)."""
    assert pytest.approx(1 - exp(-0.5)) == delta_of(2, 0.1) == delta_of(2, 5.0)


@pytest.mark.parametrize("components", [2, 4])
def test_matrices_are_as_easy_to_tell_apart_as_two_numbers(components: int):
    """1 / (v' W**-1 v) of Wishart matrices has the mean and variance of chi-squared.

    With k - d + 1 degrees of freedom; 20,000 matrices, |z| < 6.
    """
    rng, degrees, n = np.random.default_rng(5), components + 11, 20_000
    rows = rng.normal(size=(n, degrees, components))
    matrices = rows.transpose(0, 2, 1) @ rows
    direction = np.arange(1.0, components + 1)
    direction /= np.linalg.norm(direction)
    inverse = np.linalg.solve(matrices, np.broadcast_to(direction[:, None], (n, components, 1)))
    found = 1 / (inverse[:, :, 0] @ direction)

    assert abs(found.mean() - 12) < 6 * sqrt(24 / n)
    assert abs(found.var() / 24 - 1) < 6 * sqrt((2 + 12 / 12) / n)


@each("epsilon", [0.05, 0.3, 0.9, 2.0])
@each("delta", [1e-2, 1e-5, 1e-9])
def test_the_least_degrees_keep_their_promise_and_no_fewer_do(epsilon: float, delta: float):
    """Delta is reached from below; one degree of freedom less is too few."""
    degrees = least_degrees(3, epsilon, delta)

    assert delta_of(degrees - 2, epsilon) <= delta
    assert delta_of(degrees - 3, epsilon) > delta


def test_a_shorter_row_moves_the_matrix_by_less():
    """Delta for smaller shifts of the same noise, by brute force: never above that of the norm."""
    points = np.linspace(1e-9, 200, 400_001)
    step = points[1] - points[0]
    base = densities(12, points)
    deltas = []
    for shift in (0.2, 0.5, 0.8, 1.0):
        moved = densities(12, np.maximum(points - shift, 0.0))
        deltas.append(np.maximum(base - exp(0.3) * moved, 0).sum() * step)

    assert deltas == sorted(deltas)


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
@pytest.mark.parametrize("components", [1, 3])
def test_fault_35_wishart_noise_of_pure_epsilon_proves_who_is_absent(
    epsilon: float, components: int
):
    """diffprivlib's: at epsilon 1, 86 of 100 matrices cannot have come of data with the row.

    Noise G G' / (2 epsilon)**2 with d + 1 columns, a row of norm 1: where A - v v' has a negative
    eigenvalue, v is not in the data. An odds ratio of infinity, by 20,000 matrices; |z| < 6.
    """
    rng, n, scale = np.random.default_rng(7), 20_000, 1 / (2 * epsilon) ** 2
    columns = rng.normal(size=(n, components, components + 1)) * sqrt(scale)
    matrices = columns @ columns.transpose(0, 2, 1)
    row = np.full(components, 1 / sqrt(components))
    proofs = (np.linalg.eigvalsh(matrices - np.outer(row, row))[:, 0] < 0).mean()
    claimed = 1 - exp(-2 * epsilon**2)

    assert abs(proofs - claimed) < 6 * sqrt(claimed * (1 - claimed) / n)


def test_fault_35_pure_wishart_noise_is_refused():
    """No amount of it is private with delta = 0, and the message says why."""
    with pytest.raises(PlanningError, match="prove that a row is not in the data"):
        wishart(3, 1.0, 1.0, 0.0)
    assert [] == [
        way.mechanism
        for way in central.answer_second_moments(3, 1.0, 1.0)
        if "wishart" in way.mechanism
    ]


def test_a_curator_may_choose_among_four():
    """Laplace alone without a delta; with one, normal and Wishart noise, each with its error."""
    ways = {way.mechanism: way for way in central.answer_second_moments(3, 2.0, 0.5, 1e-6)}

    assert ["laplace", "gaussian-classic", "gaussian-analytic", "additive-wishart"] == list(ways)
    # 6 numbers that one person moves by at most 8 together, 4 as a distance.
    assert pytest.approx(sqrt(2) * 8 / 0.5) == ways["laplace"].standard_deviation
    degrees = least_degrees(3, 0.5, 1e-6)
    assert pytest.approx(4 * sqrt(2 * degrees)) == ways["additive-wishart"].standard_deviation
    assert ways["gaussian-analytic"].error < ways["additive-wishart"].error


@pytest.mark.parametrize("components", [1, 2, 5])
def test_one_person_moves_second_moments_by_no_more(components: int):
    """Sums of |products| and of their squares over random vectors of the norm, and the worst."""
    rng = np.random.default_rng(3)
    query = central.second_moments(components, 3.0)
    vectors = rng.normal(size=(500, components))
    vectors = 3 * vectors / np.linalg.norm(vectors, axis=1)[:, None]
    even = np.full((1, components), 3 / sqrt(components))
    axis = 3 * np.eye(components)[:1]
    other = central.second_moments(components, 3.0, replaced=True)
    for one, another in zip(vectors, vectors[::-1], strict=True):
        moved = (np.outer(one, one) - np.outer(another, another))[np.tril_indices(components)]

        assert np.abs(moved).sum() <= other.l1 * (1 + 1e-12)
        assert sqrt((moved**2).sum()) <= other.l2 * (1 + 1e-12)
    for vector in np.concatenate([vectors, even, axis]):
        products = np.abs(np.outer(vector, vector)[np.tril_indices(components)])

        assert products.sum() <= query.l1 * (1 + 1e-12)
        assert sqrt((products**2).sum()) <= query.l2 * (1 + 1e-12)
    assert pytest.approx(query.l1) == np.outer(even, even)[np.tril_indices(components)].sum()


def test_errors_hold_with_the_probability_asked():
    """In 2,000 matrices hardly more than beta leave the error; the bound is a loose one."""
    rng, noise = np.random.default_rng(11), Wishart(1.0, 40)
    rows = rng.normal(size=(2000, 40, 3))
    matrices = rows.transpose(0, 2, 1) @ rows - 40 * np.eye(3)
    largest = np.abs(matrices).max(axis=(1, 2))

    assert (largest > noise.error(0.05, answers=6)).mean() <= 0.05


@each(
    "arguments",
    [(0, 1.0, 1.0, 1e-6), (3, 0.0, 1.0, 1e-6), (3, 1.0, 0.0, 1e-6), (3, 1.0, 501, 1e-6)]
    + [(3, 1.0, 1.0, delta) for delta in (1e-13, 1.0, -0.1)],
)
def test_what_no_noise_can_do_is_refused(arguments):
    """Dimensions, norms, epsilons and deltas outside their range."""
    with pytest.raises(PlanningError):
        wishart(*arguments)


@pytest.mark.parametrize(
    ("components", "degrees", "times"), [(2, 87, 22.5), (6, 91, 22.2), (16, 101, 24.0)]
)
def test_on_devices_it_would_need_more_than_twenty_times_the_people(components, degrees, times):
    """Against PrivUnit, at odds of 3: one row less and another more, at half of the epsilon each.

    Products are weighed by 4/5 there, so that a square has 25/16 of a component's variance.
    """
    entries = components * (components + 3) // 2
    design = for_vector(entries, 1024, "privunit", Fraction(3))
    square = component_variance(design) / 1024**2 * 25 / 16
    noise = wishart(components, 1.0, log(3) / 2, 1e-6 / (1 + sqrt(3)))

    assert degrees == noise.degrees
    assert pytest.approx(times, abs=0.05) == 2 * noise.degrees / square


def test_a_curator_hides_which_vector_somebody_has_by_the_same_noise():
    """One row gone and another come: as many degrees of freedom as a device would add."""
    ways = central.answer_second_moments(2, 1.0, log(3), 1e-6, replaced=True)

    assert pytest.approx(sqrt(2 * 87)) == ways[-1].standard_deviation
    few = central.answer_second_moments(2, 1.0, log(3), 2e-12, replaced=True)
    assert "additive-wishart" not in {way.mechanism for way in few}  # its part is below 1e-12
