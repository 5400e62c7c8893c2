"""All shares of a choice: known values, covariance, joint intervals."""

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tossup.server.estimation import EstimationError, estimate_share, estimate_shares
from tossup.shared.mechanisms import KaryRandomizedResponse, TwoCoin

GOLDEN = json.loads(Path(__file__).with_name("golden_shares.json").read_text())["choices"]


def table(case):
    return tuple(tuple(Fraction(ratio) for ratio in row) for row in case["channel"])


@st.composite
def tallies(draw):
    design = KaryRandomizedResponse(draw(st.integers(2, 7)), draw(st.integers(2, 9)), 1)
    counts = draw(st.lists(st.integers(0, 999), min_size=design.options, max_size=design.options))
    return design, [counts[0] + 1, *counts[1:]]


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_estimates_are_those_of_a_published_package(case):
    """RRreg's forced response with five options, and a channel of one's own."""
    shares = estimate_shares(case["counts"], table(case))

    assert pytest.approx(case["estimate"], abs=1e-9) == list(shares.values)


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_standard_errors_are_those_of_a_published_package(case):
    """RRreg divides by n - 1; ours, with n, are smaller by exactly that."""
    shares = estimate_shares(case["counts"], table(case))
    factor = (shares.n / (shares.n - 1)) ** 0.5

    assert pytest.approx(case["se"], abs=1e-9) == [
        option.standard_error * factor for option in shares.options
    ]


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=9), st.integers(2, 50))
def test_expected_reports_give_back_the_truth_exactly(truths, keep):
    """If every report came as often as the channel says, each estimate is the share, exactly."""
    truths = [truths[0] + 1, *truths[1:]]
    design = KaryRandomizedResponse(len(truths), keep, 1)
    expected = [
        sum(truth * row[report] for truth, row in zip(truths, design.weights, strict=True))
        for report in range(len(truths))
    ]
    actual = [option.exact for option in estimate_shares(expected, design).options]

    assert actual == [Fraction(truth, sum(truths)) for truth in truths]


@given(tallies())
def test_estimates_sum_to_one_exactly(case):
    """Debiasing moves shares about; it makes and loses none."""
    design, counts = case

    assert sum(option.exact for option in estimate_shares(counts, design).options) == 1


@given(tallies())
def test_values_and_covariance_are_those_of_the_inverse_channel(case):
    """The general formula, with a numerical inverse, as an independent check."""
    design, counts = case
    shares = estimate_shares(counts, design)
    inverse = np.linalg.inv(np.array(design.channel(), dtype=float))
    fractions = np.array(counts) / sum(counts)
    multinomial = (np.diag(fractions) - np.outer(fractions, fractions)) / sum(counts)

    assert np.allclose(fractions @ inverse, shares.values, atol=1e-9)
    if 0 in counts:  # the coins vary all the same, and so do these reports
        assert np.linalg.eigvalsh(shares.covariance).min() > -1e-12
        assert np.diag(shares.covariance).min() > 0
    else:
        assert np.allclose(inverse.T @ multinomial @ inverse, shares.covariance, atol=1e-12)


@given(tallies())
def test_the_diagonal_of_the_covariance_is_the_squared_standard_error(case):
    """One truth about precision, not two."""
    shares = estimate_shares(case[1], case[0])
    squares = [option.standard_error**2 for option in shares.options]

    assert np.allclose(squares, np.diag(shares.covariance), atol=1e-12)


def test_reordering_the_options_reorders_the_estimates():
    """No option is special."""
    counts = (50, 30, 20)
    plain = estimate_shares(counts, KaryRandomizedResponse(3)).values

    for order in permutations(range(3)):
        turned = estimate_shares([counts[i] for i in order], KaryRandomizedResponse(3)).values
        assert turned == tuple(plain[i] for i in order)


def test_a_choice_of_two_is_a_yes_no_question():
    """Two-way randomized response at 3:1 is the two-coin design."""
    shares = estimate_shares((70, 30), KaryRandomizedResponse(2))

    assert shares.options[1] == estimate_share((70, 30), TwoCoin())


def test_joint_intervals_say_that_they_are_joint():
    """Five intervals at 99 % each hold together with 95 %; nothing widens silently."""
    shares = estimate_shares((50, 40, 30, 20, 10), KaryRandomizedResponse(5))
    joint, single = shares.simultaneous(0.95), shares.intervals(0.99)

    assert pytest.approx([i.low for i in single]) == [i.low for i in joint]
    assert {(i.confidence, i.intervals) for i in joint} == {(0.95, 5)}


@pytest.mark.parametrize(
    ("counts", "words"), [((1, 2), "must have 3"), ((0, 0, 0), "no reports"), ((1, 2, -3), "non-n")]
)
def test_impossible_counts_are_refused(counts, words):
    """A wrong length, none at all, a negative one."""
    with pytest.raises(EstimationError, match=words):
        estimate_shares(counts, KaryRandomizedResponse(3))


def test_a_channel_whose_counts_do_not_tell_the_share_is_refused():
    """Report 0 is likelier under answer 1 than under answer 2, so its count mixes both."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    skewed = (
        (half, quarter, quarter),
        (quarter, half, quarter),
        (Fraction(1, 8), Fraction(3, 8), half),
    )

    with pytest.raises(EstimationError, match="equally likely"):
        estimate_shares((1, 2, 3), skewed)


def test_a_channel_that_is_not_square_is_refused():
    """More reports than answers need another estimator."""
    third = Fraction(1, 3)

    with pytest.raises(EstimationError, match="square"):
        estimate_shares((1, 2, 3), ((third, third, third), (0, third, 2 * third)))
