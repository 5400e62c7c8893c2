"""Confidence sequences at their edges; `test_estimation_coverage` sums up what they cover."""

from math import log, sqrt

import pytest
from sweeps import each

from tossup.server.estimation import EstimationError, score_sequence
from tossup.server.estimation.designs.design import two_coins, warner
from tossup.server.estimation.papers.asking import estimate
from tossup.server.estimation.shares.answers import anytime_interval


@each("design", [two_coins(), warner("1/4")])
@each("yes, n", [(0, 1), (1, 1), (0, 500), (500, 500), (3, 10**9)])
def test_every_look_is_finite_and_holds_its_estimate(design, yes, n):
    """At the edges too, for rising and falling channels."""
    share = estimate(yes=yes, n=n, design=design)
    interval = anytime_interval(share)

    assert share.value in interval
    assert interval.low < interval.high


def test_it_is_wider_than_an_interval_for_one_look():
    """The price of peeking."""
    share = estimate(yes=400, n=1000, design=two_coins())
    once, always = share.interval(), anytime_interval(share)

    assert always.low < once.low
    assert once.high < always.high


def test_mirrored_reports_mirror_it():
    """Yes for no, and the interval turns around one half."""
    one = anytime_interval(estimate(yes=300, n=1000, design=two_coins()))
    other = anytime_interval(estimate(yes=700, n=1000, design=two_coins()))

    assert pytest.approx((one.low, one.high), abs=1e-9) == (1 - other.high, 1 - other.low)


@pytest.mark.parametrize("confidence", [0, 1, -1, float("nan")])
def test_an_impossible_confidence_is_refused(confidence):
    """It must be in (0, 1)."""
    with pytest.raises(EstimationError):
        anytime_interval(estimate(yes=1, n=2, design=two_coins()), confidence)


@each("tally, scores", [((0, 0), (1, 2)), ((5, 5), (1, 1)), ((5,), (1,)), ((1, -1), (1, 2)),
      ((1, 2), (1, 2, 3)), ((1, 2), (1, float("nan")))])  # fmt: skip
def test_scores_that_tell_no_mean_are_refused(tally, scores):
    """No report, scores that are all the same, and what does not fit."""
    with pytest.raises(EstimationError):
        score_sequence(tally, scores)


#: n, the half width of the normal mixture for two coins, tuned to that n, of Waudby-Smith, Wu and
#: Ramdas 2023, and that of Hoeffding 1963 for one look at n.
PUBLISHED = [
    (100, 0.36563948713638483, 0.2716203031481239),
    (1000, 0.10070709270872975, 0.08589388166934751),
    (10000, 0.03082389993889093, 0.02716203031481239),
    (100000, 0.009973796934546841, 0.00858938816693475),
]


@pytest.mark.parametrize(("n", "published", "once"), PUBLISHED)
def test_it_is_near_the_published_one_that_is_tuned_to_each_look(n, published, once):
    """At most 1.35 times the normal mixture, and at least the interval for one look.

    That one is given a parameter for each n; ours has none, and so is at its best at no single n.
    """
    always = anytime_interval(estimate(yes=n // 2, n=n, design=two_coins()))

    assert once < (always.high - always.low) / 2 <= 1.35 * published


@pytest.mark.parametrize(("n", "published", "once"), PUBLISHED)
def test_one_look_costs_less_than_what_holds_for_any_numbers(n, published, once):
    """A score interval is within Hoeffding's at every share, whose width is as published."""
    assert pytest.approx(once, rel=1e-12) == 2 * sqrt(log(2 / 0.05) / (2 * n))
    for yes in range(0, n + 1, n // 20):
        interval = estimate(yes=yes, n=n, design=two_coins()).interval()

        assert (interval.high - interval.low) / 2 < once < published
