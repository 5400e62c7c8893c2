"""Joint tables: exactness, possible shares, and what is refused."""

from itertools import product
from math import inf, sqrt

import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation import (
    EstimationError,
    answer_correlation,
    estimate,
    independence,
    odds_ratio,
    phi,
)
from tossup.server.estimation.designs.design import (
    custom,
    direct,
    forced_response,
    kuk,
    triangular,
    two_coins,
)
from tossup.server.estimation.joint.tables import estimate_joint, tabulate

COINS = two_coins()


def test_a_conditional_share_can_be_of_the_first_question():
    """Swapping the questions is transposing the table."""
    counts = np.array([[500, 250], [300, 200]])
    one = estimate_joint(counts, [COINS, direct()]).conditional(0, 1, swapped=True)
    other = estimate_joint(counts.T, [direct(), COINS]).conditional(0, 1)

    assert pytest.approx([other.value, other.standard_error]) == [one.value, one.standard_error]


def test_expected_counts_give_the_truth():
    """Three questions, one of them with three options."""
    three = custom([["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]])
    truth = np.arange(1, 13).reshape(2, 3, 2) / 78
    reports = truth
    for axis, design in enumerate((COINS, three, COINS)):
        channel = np.array(design.rows, dtype=float).T
        reports = np.moveaxis(np.tensordot(channel, reports, axes=(1, axis)), 0, axis)
    counts = np.rint(reports * 78 * 80 * 5).astype(int)

    assert pytest.approx(truth.ravel(), abs=1e-12) == list(
        estimate_joint(counts, [COINS, three, COINS]).cells.ravel()
    )


def test_the_covariance_of_two_independent_coins_is_that_of_the_margins():
    """The margin of a joint table has the standard error of a single share."""
    joint = estimate_joint([[500, 250], [300, 200]], [COINS, COINS])
    pick = np.array([0, 0, 1, 1])

    assert pytest.approx(sqrt(0.4 * 0.6 / 1250) * 2) == sqrt(pick @ joint.covariance @ pick)


def test_shown_shares_are_possible_and_likeliest():
    """Where a raw cell is negative, no small move between cells is likelier."""
    joint = estimate_joint([[900, 300], [310, 80]], [COINS, COINS])
    shown = joint.shown

    def likelihood(shares):
        mixed = joint.channels[0] @ shares @ joint.channels[1].T
        return float((joint.counts * np.log(mixed)).sum())

    assert joint.cells.min() < 0 <= shown.min()
    assert pytest.approx(1, abs=1e-12) == shown.sum()
    for i in range(4):
        for j in range(4):
            moved = shown.ravel().copy()
            step = min(1e-4, moved[i])
            moved[i] -= step
            moved[j] += step
            assert likelihood(moved.reshape(2, 2)) <= likelihood(shown) + 1e-9


def test_few_respondents_are_warned_of():
    """Below 1,000; at 1,000 no more."""
    assert "999" in estimate_joint([[499, 200], [200, 100]], [COINS, COINS]).warning
    assert estimate_joint([[500, 200], [200, 100]], [COINS, COINS]).warning is None


def test_a_condition_that_may_have_nobody_leaves_everything_possible():
    """Fieller's interval is unbounded then; people read that the share is not told, and why."""
    given = estimate_joint([[60, 20], [20, 8]], [COINS, COINS]).conditional(1, 1)

    assert (-inf, inf) == (given.interval().low, given.interval().high)
    assert str(given).startswith("share: not told: the share of the condition, 0.0185 with")
    with pytest.raises(EstimationError, match="more respondents are needed"):
        given.summary()


def test_reports_are_tabulated_by_question():
    """Columns of reports, one a question."""
    assert [[1, 1], [0, 1]] == tabulate([[0, 0, 1], [0, 1, 1]], [2, 2]).tolist()


def test_the_correlation_with_a_direct_answer_is_phi():
    """Value and interval of both roads, but for a divisor of n - 1 instead of n."""
    counts = np.array([[500, 250], [300, 260]])
    reports, told = [0, 0, 1, 1], [0, 1, 0, 1]
    for design in (COINS, forced_response(yes="1/6", no="1/12"), triangular("1/4")):
        expected = phi(estimate_joint(counts, [design, direct()]))
        found = answer_correlation(reports, told, design, counts=counts.ravel())

        assert pytest.approx(expected.value) == found.value
        assert pytest.approx(expected.standard_error * sqrt(1310 / 1309)) == found.standard_error
        assert expected.n == found.n == 1310
        assert pytest.approx(expected.interval.ends, abs=1e-3) == found.interval.ends
    scaled = answer_correlation(reports, [31, -4, 31, -4], COINS, counts=counts.ravel())
    assert pytest.approx(-phi(estimate_joint(counts, [COINS, direct()])).value) == scaled.value


def test_a_correlation_from_reports_that_hardly_differ_is_never_sure():
    """All reports of one card count alike; the coins vary all the same."""
    design = kuk(yes="3/4", no="1/4", draws=2)
    for n in (2, 5, 40):
        found = answer_correlation([1] * n, list(range(n)), design)

        assert found.value == 0
        assert found.interval.low < -0.25
        assert found.interval.high > 0.25


@each(
    "ask",
    [
        lambda: estimate_joint([[1, 2]], [COINS] * 4),
        lambda: estimate_joint([[0, 0], [0, 0]], [COINS, COINS]),
        lambda: estimate_joint([[1, -1], [1, 1]], [COINS, COINS]),
        lambda: estimate_joint([[1.0, 2.0], [1.0, 1.0]], [COINS, COINS]),
        lambda: estimate_joint([[1, 2, 3], [1, 1, 1]], [COINS, COINS]),
        lambda: estimate_joint(
            np.ones((3, 2), dtype=int),
            [custom([[1, 0, 0], [0, 1, 0], ["1/2", "1/2", 0]]), COINS],
        ),
        lambda: odds_ratio(estimate_joint([[60, 20], [20, 2]], [COINS, COINS])),
        lambda: phi(estimate_joint([[80, 20], [10, 2]], [COINS, COINS])),
        lambda: estimate_joint([[60, 20], [20, 8]], [COINS, COINS]).conditional(2, 0),
        lambda: tabulate([[0, 2], [0, 1]], [2, 2]),
        lambda: tabulate([[0], [0, 1]], [2, 2]),
    ],
)
def test_impossible_tables_are_refused(ask):
    """With an error that says what is wrong."""
    with pytest.raises(EstimationError):
        ask()


def test_measures_of_what_is_no_table_name_what_makes_one():
    """Counts alone, or an estimate of one question."""
    share = estimate(yes=430, n=1000, design="two-coin")
    for measure, given in product((phi, odds_ratio, independence), (share, [[1, 2], [3, 4]], None)):
        with pytest.raises(EstimationError, match="no joint table; make one by estimate_joint"):
            measure(given)
