"""What a trusted curator would have got: golden values, exact tails and brute force."""

import json
from itertools import product
from math import ceil, exp, inf, log, nan, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.server.planning.curator import central
from tossup.server.planning.curator.gaussian import analytic_sigma, classic_sigma, delta_of
from tossup.server.planning.curator.noise import (
    Gaussian,
    Geometric,
    Laplace,
    Staircase,
    noisy_max_gap,
)
from tossup.server.planning.errors import PlanningError

GOLDEN = json.loads(Path(__file__).with_name("golden_central.json").read_text())
EPSILONS = st.floats(0.05, 8)
BETAS = st.floats(1e-6, 0.9)


def test_it_works():
    """Ten thousand name counts at epsilon 1 are all within 12.2, with probability 0.95."""
    laplace, geometric, staircase = central.answer(central.histogram(10_000), epsilon=1)

    assert 12.2 == round(laplace.error, 1)
    assert log(10_000 / 0.05) == pytest.approx(laplace.error)
    assert 12 == geometric.error < staircase.error < laplace.error


@each("row", GOLDEN["gaussian"]["rows"])
def test_normal_noise_has_the_golden_scale(row):
    """Six rows of Balle and Wang's least sigma, to 1e-9, as the peer finds it, and the classic."""
    asked = row["epsilon"], row["delta"]

    assert row["analytic"] == pytest.approx(analytic_sigma(1, *asked), rel=1e-9)
    assert row["peer"] == pytest.approx(analytic_sigma(1, *asked), rel=1e-9)
    if row["classic"] is not None:
        assert row["classic"] == pytest.approx(classic_sigma(1, *asked), rel=1e-9)


@given(st.floats(0.01, 60), st.floats(1e-12, 0.5))
def test_the_least_sigma_keeps_its_promise_and_no_smaller_one_does(epsilon, delta):
    """Delta is reached from below; one part in ten thousand less noise is too little."""
    sigma = analytic_sigma(1, epsilon, delta)

    assert delta_of(sigma, epsilon) <= delta
    assert delta_of(sigma * 0.9999, epsilon) > delta


@each("row", GOLDEN["noise"]["rows"])
def test_noise_has_the_golden_moments(row):
    """Laplace, staircase and geometric variances at six epsilons."""
    epsilon = row["epsilon"]
    laplace, stairs, geometric = Laplace(2, epsilon), Staircase(2, epsilon), Geometric(1, epsilon)

    assert row["laplace_variance_2"] == pytest.approx(laplace.standard_deviation**2)
    assert row["staircase_gamma"] == pytest.approx(stairs.gamma)
    assert row["staircase_variance_2"] == pytest.approx(stairs.standard_deviation**2, rel=1e-9)
    assert row["geometric"]["var"] == pytest.approx(geometric.standard_deviation**2)
    assert row["geometric"]["P_ge_5_abs"] == pytest.approx(geometric.beyond(5))


@given(EPSILONS, BETAS)
def test_a_geometric_error_is_the_least_whole_one(epsilon, beta):
    """Beyond it lies at most beta; beyond one step less lies more."""
    noise = Geometric(1, epsilon)
    steps = int(noise.error(beta))

    assert noise.beyond(steps + 1) <= beta
    assert steps == 0 or noise.beyond(steps) > beta


@given(EPSILONS, BETAS)
def test_a_staircase_error_leaves_beta_beyond_it(epsilon, beta):
    """The tail is summed stair by stair, from the density's own definition."""
    noise = Staircase(1, epsilon)
    reach, gamma, kept = noise.error(beta), noise.gamma, exp(-epsilon)
    height = (1 - kept) / (gamma + kept * (1 - gamma))
    within = 0.0
    for stair in range(ceil(reach) + 1):
        for start, end, level in [(0, gamma, 1), (gamma, 1, kept)]:
            length = min(max(reach - stair - start, 0.0), end - start)
            within += height * level * kept**stair * length

    assert 1 - beta == pytest.approx(within, abs=1e-9)


def test_a_normal_error_is_its_quantile():
    """1.96 sigma at beta 0.05; for five answers, the quantile at 0.01."""
    assert pytest.approx(1.959963984540054) == Gaussian(1).error(0.05)
    assert pytest.approx(2.5758293035489004) == Gaussian(1).error(0.05, answers=5)


def test_a_share_moves_by_one_person_in_n():
    """A thousand people, epsilon ln 3: a curator is within 0.0028, staircase best."""
    ways = {way.mechanism: way for way in central.answer(central.share(1000), log(3))}

    assert ["laplace", "geometric", "staircase"] == list(ways)
    assert log(20) / log(3) / 1000 == pytest.approx(ways["laplace"].error)
    assert ways["geometric"].error == pytest.approx(0.003)
    assert ways["staircase"].error < ways["laplace"].error


def test_a_mean_moves_by_the_clipped_width():
    """Ages clipped to 0..100 of 500 people: sensitivity 0.2; normal noise only with a delta."""
    ways = {way.mechanism: way for way in central.answer(central.mean(0, 100, 500), 0.5, 1e-6)}

    assert ["laplace", "staircase", "gaussian-classic", "gaussian-analytic"] == list(ways)
    assert 0.2 / 0.5 * log(20) == pytest.approx(ways["laplace"].error)
    assert 0.2 * classic_sigma(1, 0.5, 1e-6) == pytest.approx(
        ways["gaussian-classic"].standard_deviation
    )
    assert ways["gaussian-analytic"].error < ways["gaussian-classic"].error


def test_a_histogram_moves_in_two_places_where_someone_chooses_differently():
    """One person absent moves one count; one who chooses differently two, sqrt(2) as a vector."""
    absent, different = central.histogram(4), central.histogram(4, replaced=True)

    assert (1, 1) == (absent.l1, absent.l2)
    assert (2, sqrt(2)) == (different.l1, different.l2)


def test_the_most_chosen_is_close_to_the_top():
    """Both errors of Laplace noise, on top and on the chosen one, stay within ln(k / beta)."""
    assert 2 * log(10 / 0.05) == pytest.approx(central.most_chosen(10, 1).error)
    assert noisy_max_gap(1, 2, 10, 0.05) == pytest.approx(log(10 / 0.05))


def test_noisy_max_keeps_its_gap():
    """Of 20,000 draws at beta 0.05 at most 5.9 % go beyond; a fair 5 % does so once in 1e8."""
    counts = np.array([100.0, 99, 90, 50])
    noise = np.random.default_rng(7).laplace(scale=1.0, size=(20_000, 4))
    chosen = counts[np.argmax(counts + noise, axis=1)]

    assert np.mean(100 - chosen > noisy_max_gap(1, 1, 4, 0.05)) <= 0.059


def test_data_dependent_answers_use_twice_the_smooth_sensitivity():
    """A median among many equal values hardly moves, so its noise is far below the global one."""
    values = [50.0] * 2001
    found = central.median(values, low=0, high=100, epsilon=1, delta=1e-6)

    assert "smooth-laplace" == found.mechanism
    assert 0 < found.error < 1e-10
    with pytest.raises(PlanningError):
        central.median([], low=0, high=1, epsilon=1, delta=1e-6)


@pytest.mark.parametrize("bad", [0, -1, nan, inf, True])
def test_scales_of_nothing_are_refused(bad):
    """Sensitivities and epsilons are finite and above 0."""
    for noise in (Laplace, Geometric, Staircase):
        with pytest.raises(PlanningError):
            noise(bad, 1)
        with pytest.raises(PlanningError):
            noise(1, bad)
    with pytest.raises(PlanningError):
        Gaussian(bad)
    for sigma in (analytic_sigma, classic_sigma):
        with pytest.raises(PlanningError):
            sigma(bad, 0.5, 1e-6)


def test_ranges_without_a_proof_are_refused():
    """The classic sigma from epsilon 1, an epsilon beyond floats, a beta or delta of 0 or 1."""
    for epsilon in (1, 2, nan):
        with pytest.raises(PlanningError, match="analytic_sigma"):
            classic_sigma(1, epsilon, 1e-6)
    for delta in (0, 1, -1e-6, nan):
        with pytest.raises(PlanningError):
            analytic_sigma(1, 1, delta)
        with pytest.raises(PlanningError):
            Laplace(1, 1).error(delta)
    with pytest.raises(PlanningError, match="at most 500"):
        analytic_sigma(1, 501, 1e-6)
    for n in (0, -1, 1.5, True):
        with pytest.raises(PlanningError, match="at least 1"):
            central.share(n)


@each("epsilon, delta", list(product([0.5, 2, 8], [1e-2, 1e-6])))
def test_smooth_noise_keeps_its_promise(epsilon, delta):
    """Integrated over every neighbour at the edge: scale e**(+-beta), moved by the smaller one."""
    factor = exp(epsilon / (2 * log(2 / delta)))
    scale = 2 / epsilon
    z = np.linspace(-60 * scale, 60 * scale, 1_000_001)
    here = np.exp(-abs(z) / scale) / (2 * scale)
    for other in (factor, 1 / factor):
        moved = np.exp(-abs(z - min(1, other)) / (scale * other)) / (2 * scale * other)
        excess = np.maximum(here - exp(epsilon) * moved, 0).sum() * (z[1] - z[0])

        assert excess <= delta
