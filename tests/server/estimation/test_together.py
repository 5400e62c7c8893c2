"""The covariance of all shares of a question, in both conventions, whatever the mechanism."""

from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation import (
    estimate_answers,
    estimate_points,
    estimate_several,
    shares_covariance,
)
from tossup.server.estimation.designs.scores import share_scores
from tossup.server.estimation.shares.together import MOST_OPTIONS, NOT_TOGETHER, TOO_MANY
from tossup.server.kernels import kernel_of
from tossup.shared.mechanisms import (
    Exponential,
    FrequencyOracle,
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    NoisyMaxLaplace,
    OptimizedUnary,
    PermanentInstantaneous,
    PermuteAndFlip,
    PerOptionBits,
    ProjectiveGeometryResponse,
    RankedChoice,
    Rappor,
    SampledOptions,
    SubsetSelection,
    SymmetricUnary,
    UnrelatedQuestion,
)

THREE = Fraction(3)
SCORED = [kind.from_odds(THREE, 4) for kind in (Exponential, PermuteAndFlip, NoisyMaxLaplace)]
CHOICES = [
    KaryRandomizedResponse(5),
    SubsetSelection(5, 2),
    SymmetricUnary(4, 2, 1),
    OptimizedUnary(4),
    HadamardResponse(6),
    ProjectiveGeometryResponse(7, 5),
    LocalHashing(6, 3),
    PermanentInstantaneous(5, 9, 1, 9, 1),
    Rappor(4, 5, 1, 4, 1, 5),
    *SCORED,
]


def shares_of(k: int) -> list[Fraction]:
    """Uneven shares that sum to 1: 1, 2, ... out of their sum."""
    return [Fraction(2 * (place + 1), k * (k + 1)) for place in range(k)]


def expected_tally(mechanism, shares: list[Fraction], reports: int) -> list[int]:
    """A tally in which every counter has its mean, of at least so many reports."""
    chances = [
        sum(share * mechanism.probability(answer, report) for answer, share in enumerate(shares))
        for report in range(mechanism.reports)
    ]
    if isinstance(mechanism, FrequencyOracle):
        held = [Fraction(0)] * mechanism.answers
        for report, chance in enumerate(chances):
            for option in mechanism.supports(report):
                held[option] += chance
        chances = [*held, Fraction(1)]
    n = lcm(*(chance.denominator for chance in chances))
    n *= -(-reports // n)
    return [int(chance * n) for chance in chances]


def worth(mechanism) -> np.ndarray:
    """What every report counts for in the share of every option."""
    if not isinstance(mechanism, FrequencyOracle):
        return share_scores(mechanism)
    q, p = (float(rate) for rate in mechanism.rates)
    held = np.zeros((mechanism.reports, mechanism.answers))
    for report in range(mechanism.reports):
        held[report, list(mechanism.supports(report))] = 1
    return (held - q) / (p - q)


@each("mechanism", CHOICES)
def test_both_matrices_are_those_of_all_reports_and_answers(mechanism):
    """By enumeration: over people and coins, and over the coins of people who are fixed."""
    shares = shares_of(mechanism.answers)
    counts = expected_tally(mechanism, shares, 10**6)
    scores, n = worth(mechanism), mechanism.reports_counted(counts)
    second = sum(
        float(share * mechanism.probability(answer, report))
        * np.outer(scores[report], scores[report])
        for answer, share in enumerate(shares)
        for report in range(mechanism.reports)
    )
    means = np.array([float(share) for share in shares])
    found = shares_covariance(counts, mechanism)

    assert np.allclose((second - np.outer(means, means)) / n, found.population, rtol=1e-5)
    # Given the answer, a report counts for 1 in the answer's share and for 0 in all others.
    assert np.allclose((second - np.diag(means)) / n, found.respondents, rtol=1e-5, atol=1e-12)
    assert found.reason == ""


@each("mechanism", CHOICES)
@each("answers", ["one answer", "few reports"])
def test_the_diagonals_are_the_squared_standard_errors(mechanism, answers):
    """One truth about precision, also where shares are near 0, and no impossible covariance."""
    people = [300, *[0] * (mechanism.answers - 1)] if answers == "one answer" else None
    counts = kernel_of(mechanism).simulate(people or [3] * mechanism.answers).tolist()
    estimates = estimate_answers(counts, mechanism)
    found = shares_covariance(counts, mechanism)
    population = [estimate.standard_error**2 for estimate in estimates]
    respondents = [estimate.respondents_standard_error**2 for estimate in estimates]

    assert np.allclose(population, np.diag(found.population))
    assert np.allclose(respondents, np.diag(found.respondents))
    for matrix in (found.population, found.respondents):
        assert np.array_equal(matrix, matrix.T) or np.allclose(matrix, matrix.T)
        assert np.linalg.eigvalsh(matrix)[0] > -1e-9 * np.trace(matrix)


def test_mean_points_have_the_covariance_of_the_population_alone():
    """What the coins add depends on how ranks are spread; that is said, and not guessed."""
    mechanism, counts = RankedChoice((6, 4, 2)), (500, 300, 200)
    found = shares_covariance(counts, mechanism)
    squares = [points.standard_error**2 for points in estimate_points(counts, mechanism)]

    assert np.allclose(squares, np.diag(found.population))
    assert np.allclose(0, found.population.sum())  # points of three options have a fixed sum
    assert found.respondents is None
    assert "ranks" in found.reason


@pytest.mark.prove
def test_options_asked_of_different_people_do_not_covary():
    """Where a report asks one option, over 4,000 runs (false alarm < 1e-6), and by the matrix."""
    mechanism = SampledOptions(2, most=2, asked=1, keep=3, lie=1)
    kernel, people = kernel_of(mechanism), [100, 100, 100, 300]
    random = np.random.default_rng(7)
    runs = [
        estimate_several(
            kernel.simulate(
                random.multinomial(600, [1 / 6, 1 / 6, 1 / 6, 1 / 2]).tolist()
            ).tolist(),
            mechanism,
        ).values
        for _ in range(4000)
    ]
    found = shares_covariance(kernel.simulate(people).tolist(), mechanism)
    correlation = np.corrcoef(np.array(runs).T)[0, 1]

    assert abs(correlation) < 5 / np.sqrt(4000)
    assert found.population[0, 1] == 0
    assert (found.respondents, found.reason) == (None, NOT_TOGETHER)


def test_options_asked_together_have_no_covariance_from_their_counts():
    """How often two are ticked together is not counted; the reason says so."""
    mechanism = PerOptionBits.from_odds(Fraction(9), 3, 2)
    counts = kernel_of(mechanism).simulate([50] * 8).tolist()
    found = shares_covariance(counts, mechanism)

    assert (found.population, found.respondents, found.reason) == (None, None, NOT_TOGETHER)


def test_two_statements_covary_by_both_samples():
    """Each rate of yes has a part in both shares: slopes 7/2 and -3/2 of 7 : 3 : 5."""
    found = shares_covariance((710, 290, 660, 340), UnrelatedQuestion(7, 3, 5))
    rates = np.array([0.29 * 0.71, 0.34 * 0.66]) / 1000
    slopes = np.array([[7 / 2, -3 / 2], [-3 / 2, 7 / 2]])

    assert np.allclose(slopes @ np.diag(rates) @ slopes.T, found.population)
    assert found.respondents is None


def test_too_many_options_have_no_matrix():
    """65 options: nothing but the reason; 64 have one."""
    many = shares_covariance((10,) * (MOST_OPTIONS + 1), KaryRandomizedResponse(MOST_OPTIONS + 1))
    most = shares_covariance((10,) * MOST_OPTIONS, KaryRandomizedResponse(MOST_OPTIONS))

    assert (many.population, many.reason) == (None, TOO_MANY)
    assert most.population.shape == most.respondents.shape == (MOST_OPTIONS, MOST_OPTIONS)
