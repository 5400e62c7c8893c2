"""Local against central, side by side: the price of trusting nobody."""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest
from sweeps import each

from tossup.server.planning.compare import compare, local
from tossup.server.planning.errors import PlanningError


def test_it_works():
    """A thousand two-coin answers: 6.2 points; a curator gets 3.1, or 6.2 from 256."""
    ways = compare(Fraction(3), 1000)

    assert ["local", "central", "central", "central"] == [way.model for way in ways]
    assert 0.062 == round(ways[0].margin_population, 3)
    best = min(ways[1:], key=lambda way: way.respondents)
    assert 0.031 == round(best.margin_population, 3)
    assert 256 == best.respondents


def test_two_coins_have_the_known_variances():
    """0.75 / n around these respondents, 1 / n around a population's share of one half."""
    way = local(Fraction(3), 400)

    assert 1.959963984540054 * sqrt(0.75 / 400) == pytest.approx(way.margin_respondents)
    assert 1.959963984540054 * sqrt(1 / 400) == pytest.approx(way.margin_population)


@pytest.mark.parametrize("odds", [Fraction(2), Fraction(3), Fraction(7, 2)])
def test_the_local_margin_is_what_simulation_finds(odds):
    """20,000 surveys of 400: the standard deviation within 3 % (6 of its own standard errors)."""
    share, n = 0.5, 400
    truth = float(odds / (odds + 1))
    yes = np.random.default_rng(11).binomial(n, share * truth + (1 - share) * (1 - truth), 20_000)
    estimates = (yes / n - (1 - truth)) / (2 * truth - 1)

    assert np.std(estimates) == pytest.approx(
        local(odds, n).margin_population / 1.959963984540054, rel=0.03
    )


def test_the_respondents_needed_reach_the_margin_and_one_less_does_not():
    """Local and central alike, at the margin asked for."""
    margin, odds = 0.03, Fraction(3)
    n = 4269

    assert local(odds, n).margin_population <= margin < local(odds, n - 1).margin_population
    for way in compare(odds, n, delta=1e-6)[1:]:
        (same,) = (w for w in compare(odds, way.respondents, 1e-6) if w.mechanism == way.mechanism)
        assert same.margin_population <= local(odds, n).margin_population


def test_normal_noise_is_offered_with_a_delta_alone():
    """At delta 0 no normal noise is private; the classic bound needs epsilon below 1."""
    names = [way.mechanism for way in compare(Fraction(3, 2), 1000, delta=1e-6)]

    assert "gaussian-classic" in names
    assert not any("gaussian" in way.mechanism for way in compare(Fraction(3, 2), 1000))
    assert log(1.5) < 1


def test_every_way_says_whom_it_trusts():
    """The local way trusts nobody; the central ones a curator who sees everything."""
    ways = compare(Fraction(3), 1000)

    assert "nobody but the device" == ways[0].trusts
    assert all("curator" in way.trusts for way in ways[1:])


@each(
    "odds, n, delta, confidence",
    [
        (Fraction(1), 100, 0, 0.95),
        (Fraction(3), 0, 0, 0.95),
        (Fraction(3), 100, 1, 0.95),
        (Fraction(3), 100, -0.1, 0.95),
        (Fraction(3), 100, 0, 1),
        (Fraction(3), 100, 0, 0),
    ],
)
def test_plans_without_sense_are_refused(odds, n, delta, confidence):
    """Odds of 1, no respondents, deltas and confidences outside their ranges."""
    with pytest.raises(PlanningError):
        compare(odds, n, delta, confidence)
