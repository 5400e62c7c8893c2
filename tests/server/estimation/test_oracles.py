"""Shares from frequency oracles: exact on expected tallies, with the covariance of the channel."""

from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from small_designs import examples
from sweeps import each, proving

from tossup.server.estimation import estimate_shares
from tossup.server.estimation.errors import EstimationError
from tossup.server.kernels import kernel_of
from tossup.shared.mechanisms import (
    FrequencyOracle,
    HadamardResponse,
    LocalHashing,
    OptimizedUnary,
    ProjectiveGeometryResponse,
    SubsetSelection,
    SymmetricUnary,
)

SMALL: list[FrequencyOracle] = [
    SubsetSelection(5, 2),
    SubsetSelection(4, 1),
    SymmetricUnary(4, 2, 1),
    OptimizedUnary(4),
    HadamardResponse(6),
    ProjectiveGeometryResponse(6, 2),
    ProjectiveGeometryResponse(7, 5),
    LocalHashing(6, 3),
    LocalHashing(8, 2),
    *examples(FrequencyOracle, most_cells=1 << 9),
]


def ids(oracle: FrequencyOracle) -> str:
    return f"{oracle.spec()} of {oracle.answers}"


def shares_of(oracle: FrequencyOracle) -> list[Fraction]:
    """Uneven shares that sum to 1: 1, 2, ... out of their sum."""
    k = oracle.answers
    return [Fraction(2 * (place + 1), k * (k + 1)) for place in range(k)]


def expected_tally(oracle: FrequencyOracle, shares: list[Fraction]) -> list[int]:
    """A tally in which every option has exactly its mean number of supporters."""
    q, p = oracle.rates
    fractions = [q + (p - q) * share for share in shares]
    n = lcm(*(fraction.denominator for fraction in fractions))
    return [*(int(fraction * n) for fraction in fractions), n]


@each("oracle", SMALL)
def test_expected_reports_give_back_the_truth_exactly(oracle: FrequencyOracle):
    """If every option had its mean number of supporters, each estimate is the share, exactly."""
    shares = shares_of(oracle)
    estimate = estimate_shares(expected_tally(oracle, shares), oracle)

    assert shares == [option.exact for option in estimate.options]


@each("oracle", SMALL)
def test_the_covariance_is_that_of_the_channel(oracle: FrequencyOracle):
    """Against the covariance of a random report's supports, by enumeration of all reports."""
    shares, k = shares_of(oracle), oracle.answers
    estimate = estimate_shares(expected_tally(oracle, shares), oracle)
    q, p = oracle.rates
    first, second = np.zeros(k), np.zeros((k, k))
    for report in range(oracle.reports):
        chance = sum(s * oracle.probability(answer, report) for answer, s in enumerate(shares))
        held = np.zeros(k)
        held[list(oracle.supports(report))] = 1
        first += float(chance) * held
        second += float(chance) * np.outer(held, held)
    expected = (second - np.outer(first, first)) / float(p - q) ** 2 / estimate.n

    assert np.allclose(expected, estimate.covariance, rtol=1e-9, atol=1e-15)


@each("oracle", SMALL)
def test_the_diagonal_of_the_covariance_is_the_squared_standard_error(oracle: FrequencyOracle):
    """One truth about precision, not two."""
    tally = kernel_of(oracle).simulate([50] * oracle.answers).tolist()
    estimate = estimate_shares(tally, oracle)
    squares = [option.standard_error**2 for option in estimate.options]

    assert np.allclose(squares, np.diag(estimate.covariance), atol=1e-12)


def test_a_subset_of_one_is_k_ary_randomized_response():
    """The same counts and odds give the same estimates, variances and covariance."""
    from tossup.shared.mechanisms import KaryRandomizedResponse

    counts = (50, 30, 20, 11)
    plain = estimate_shares(counts, KaryRandomizedResponse(4))
    subset = estimate_shares((*counts, sum(counts)), SubsetSelection(4, 1))

    assert plain.options == subset.options
    assert np.allclose(plain.covariance, subset.covariance, atol=1e-12)


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        ((1, 2, 3), "must have 4"),
        ((1, 2, 9, 8), "more supporters"),
        ((1, -2, 3, 4), "non-negative"),
    ],
)
def test_impossible_tallies_are_refused(tally, words: str):
    """A wrong length, more supporters than reports, a negative number."""
    with pytest.raises(EstimationError, match=words):
        estimate_shares(tally, SubsetSelection(3, 1))


def test_no_reports_give_no_estimate():
    """A tally of nothing is refused with words."""
    with pytest.raises(EstimationError, match="no reports yet"):
        estimate_shares((0, 0, 0, 0), OptimizedUnary(3))


RUNS, RESPONDENTS = 2000, 200


@pytest.mark.parametrize(
    "oracle",
    proving(
        [
            SubsetSelection.from_odds(Fraction(3), 16),
            OptimizedUnary(16),
            SymmetricUnary(16, 2, 1),
            HadamardResponse(16),
            ProjectiveGeometryResponse(16, 5),
            LocalHashing(16, 5),
        ],
        but=[HadamardResponse(16)],
    ),
    ids=ids,
)
def test_the_empirical_variance_is_the_formulas(oracle: FrequencyOracle):
    """Over 2,000 runs the variance of an option nobody has is the formula's, within 18 %.

    The variance of 2,000 nearly normal estimates has a standard error of 3.2 %; 18 % is 5.7
    of these, for six mechanisms a false alarm in 8e-8 of runs.
    The mean over the 8 options that nobody has is closer.
    """
    truth = [RESPONDENTS // 8] * 8 + [0] * 8
    kernel = kernel_of(oracle)
    runs = np.array([kernel.simulate(truth)[:-1] for _ in range(RUNS)]) / RESPONDENTS
    q, p = (float(rate) for rate in oracle.rates)
    estimates = (runs - q) / (p - q)
    ratios = estimates[:, 8:].var(axis=0) * RESPONDENTS / float(oracle.variance)

    assert abs(ratios[0] - 1) < 0.18
    assert abs(ratios.mean() - 1) < 0.1
