"""Confidence sequences: coverage over all looks at once, by exact summation, and their edges."""

import numpy as np
import pytest

from tossup.server.estimation import EstimationError
from tossup.server.estimation.asking import estimate
from tossup.server.estimation.design import two_coins, warner
from tossup.server.estimation.sequence import confidence_sequence, report_sequence

LOOKS = 300


@pytest.fixture(scope="module")
def bounds():
    """Return, for every n, the ends after k = 0, ..., n successes."""
    return [
        np.array([report_sequence(k, n, 0.95) for k in range(n + 1)]) for n in range(1, LOOKS + 1)
    ]


def ever_missed(rate, bounds):
    """Return the exact chance that some look excludes a rate, reports arriving one by one."""
    alive, missed = np.array([1.0]), 0.0
    for ends in bounds:
        alive = np.append(alive * (1 - rate), 0) + np.append(0, alive * rate)
        outside = (rate < ends[:, 0]) | (rate > ends[:, 1])
        missed += alive[outside].sum()
        alive[outside] = 0
    return float(missed)


@pytest.mark.parametrize("share", [0, 0.01, 0.05, 0.2, 0.5, 0.95])
def test_all_looks_together_are_covered(share, bounds):
    """At least 95 % of surveys never once exclude the truth, looked at after every report."""
    assert ever_missed(0.25 + share / 2, bounds) <= 0.05


def test_an_ordinary_interval_fails_whoever_peeks():
    """The score interval excludes the truth at some of 199 looks more than four times too often."""
    ends = [
        np.array(
            [
                [(end + 0.5) / 2 for end in (i.low, i.high)]
                for k in range(n + 1)
                for i in [estimate(yes=k, n=n, design=two_coins()).interval()]
            ]
        )
        for n in range(1, 200)
    ]

    assert ever_missed(0.35, ends) > 0.2


@pytest.mark.parametrize("design", [two_coins(), warner("1/4")])
@pytest.mark.parametrize(("yes", "n"), [(0, 1), (1, 1), (0, 500), (500, 500), (3, 10**9)])
def test_every_look_is_finite_and_holds_its_estimate(design, yes, n):
    """At the edges too, for rising and falling channels."""
    share = estimate(yes=yes, n=n, design=design)
    interval = confidence_sequence(share)

    assert share.value in interval
    assert interval.low < interval.high


def test_it_is_wider_than_an_interval_for_one_look():
    """The price of peeking."""
    share = estimate(yes=400, n=1000, design=two_coins())
    once, always = share.interval(), confidence_sequence(share)

    assert always.low < once.low
    assert once.high < always.high


def test_mirrored_reports_mirror_it():
    """Yes for no, and the interval turns around one half."""
    one = confidence_sequence(estimate(yes=300, n=1000, design=two_coins()))
    other = confidence_sequence(estimate(yes=700, n=1000, design=two_coins()))

    assert pytest.approx((one.low, one.high), abs=1e-9) == (1 - other.high, 1 - other.low)


@pytest.mark.parametrize("confidence", [0, 1, -1, float("nan")])
def test_an_impossible_confidence_is_refused(confidence):
    """It must be in (0, 1)."""
    with pytest.raises(EstimationError):
        confidence_sequence(estimate(yes=1, n=2, design=two_coins()), confidence)
