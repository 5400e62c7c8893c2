"""The discrete Gaussian: its delta by enumeration, published noise, and what clipping saves."""

import itertools
from fractions import Fraction
from math import exp, log, sqrt
from random import Random

import pytest
from channels import channel, drawn, reports_of
from small_designs import of
from sweeps import each

from tossup.server.kinds.choosing.number import gaussian, mean_variance
from tossup.server.planning.curator.gaussian import analytic_sigma, delta_of
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import DiscreteGaussian, GridMechanism, Hybrid, from_spec
from tossup.shared.mechanisms.noise.discrete_gaussian import exact_delta

MILLIONTH = Fraction(1, 10**6)


def made_up(seed: int) -> DiscreteGaussian:
    """Return a design with any falling sizes and any tail."""
    chosen = Random(seed)
    points, margin = chosen.randint(2, 7), chosen.randint(1, 9)
    sizes = sorted((chosen.randint(1, 60) for _ in range(points - 1 + margin)), reverse=True)
    weights = [*sizes, chosen.randint(1, 90)]
    tails = tuple(itertools.accumulate(reversed(weights)))[::-1]
    keep, lie = Fraction(chosen.randint(11, 60), 10).as_integer_ratio()
    return DiscreteGaussian(points, tails, keep, lie)


def sweep() -> list[DiscreteGaussian]:
    """Return noise of all widths: with margins that cut its tails, and that leave them."""
    return [
        DiscreteGaussian.for_odds(points, odds, delta, margin * (points - 1))
        for points in (2, 3, 6, 11)
        for odds in (Fraction(3, 2), Fraction(3), Fraction(19, 7), Fraction(81))
        for delta in (Fraction(1, 10), Fraction(1, 1000), MILLIONTH)
        for margin in (1, 3, 9)
    ]


def by_enumeration(mechanism: GridMechanism) -> Fraction:
    """Return delta by its definition: over all ordered pairs of answers and all reports."""
    keep, lie = mechanism.odds.as_integer_ratio()
    most = max(
        sum(max(0, lie * p - keep * q) for p, q in zip(one, other, strict=True))
        for one, other in itertools.permutations(mechanism.weights, 2)
    )
    return Fraction(most, lie * sum(mechanism.weights[0]))


@each("design", of(DiscreteGaussian))
def test_the_sampler_follows_the_weights(design: DiscreteGaussian):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(DiscreteGaussian))
def test_the_channel_is_exact(design: DiscreteGaussian):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@pytest.mark.prove
@each("mechanism", sweep)
def test_delta_by_enumeration(mechanism: DiscreteGaussian):
    """The exact delta is that of its definition, pair by pair and report by report."""
    assert by_enumeration(mechanism) == mechanism.delta


@each("seed", range(200))
def test_delta_by_enumeration_of_any_falling_noise(seed: int):
    """Also where noise is no Gaussian and likely reports lie between the ends."""
    mechanism = made_up(seed)

    assert by_enumeration(mechanism) == mechanism.delta


def test_delta_holds_for_every_set_of_reports():
    """Of all 64 sets and all ordered pairs, the worst needs exactly delta."""
    mechanism = DiscreteGaussian(2, (26, 14, 6, 1), keep=3, lie=1)
    one, other = mechanism.channel()
    sets = itertools.product((0, 1), repeat=mechanism.reports)
    needed = [
        sum(chosen * (p - mechanism.odds * q) for chosen, p, q in zip(each, *pair, strict=True))
        for each in sets
        for pair in ((one, other), (other, one))
    ]

    assert max(needed) == mechanism.delta


@each("points", [2, 11, 101])
@each("odds", [Fraction(11, 10), Fraction(3), Fraction(81)])
@each("delta", [Fraction(1, 4), Fraction(1, 1000), MILLIONTH])
def test_the_asked_delta_is_kept_and_used(points: int, odds: Fraction, delta: Fraction):
    """A design's own is at most the asked one, by less than 2 % of it at odds up to 81."""
    design = DiscreteGaussian.for_odds(points, odds, delta)

    assert design.odds == odds
    assert Fraction(98, 100) * delta < design.delta <= delta


@pytest.mark.parametrize(("odds", "delta"), [(Fraction(3), 1e-6), (Fraction(27183, 10000), 1e-3)])
def test_unclipped_noise_is_as_wide_as_the_analytic_gaussian(odds: Fraction, delta: float):
    """With a margin that clips next to nothing, sigma is the published least one to 1 part in 500.

    The analytic bound is for continuous noise; with 16 steps a range the two agree that far.
    """
    design = DiscreteGaussian.for_odds(17, odds, Fraction(delta), 16 * 24)
    variance = sum(2 * size * noise**2 for noise, size in enumerate(design.sizes)) / design.total
    published = analytic_sigma(16, log(odds), delta)

    assert pytest.approx(published, rel=2e-3) == sqrt(variance)


@pytest.mark.parametrize("odds", [Fraction(3), Fraction(8)])
def test_delta_of_unclipped_noise_is_the_published_tail_sum(odds: Fraction):
    """Pr[N > e s^2 / R - R / 2] - odds Pr[N > e s^2 / R + R / 2], e = ln odds, to 1e-3 of it."""
    design = DiscreteGaussian.for_odds(65, odds, Fraction(1, 1000), 64 * 14)
    variance = sum(2 * size * noise**2 for noise, size in enumerate(design.sizes)) / design.total

    assert pytest.approx(delta_of(sqrt(variance) / 64, log(odds)), rel=1e-3) == float(design.delta)


@each("points", [2, 3, 11, 33])
@each("odds", [Fraction(3, 2), Fraction(3), Fraction(9)])
def test_the_noise_is_gaussian(points: int, odds: Fraction):
    """Sizes of the noise follow exp(-k^2 / (2 sigma^2)) to 1e-4, and the last is its tail."""
    design = DiscreteGaussian.for_odds(points, odds)
    top, second = design.sizes[0], design.sizes[min(len(design.sizes) - 1, points)]
    rate = log(top / second) / min(len(design.sizes) - 1, points) ** 2
    sizes = [exp(-rate * noise**2) for noise in range(len(design.sizes))]
    beyond = sum(exp(-rate * noise**2) for noise in range(len(sizes), 40 * len(sizes)))

    assert [pytest.approx(size, rel=1e-4) for size in sizes] == [s / top for s in design.sizes]
    assert pytest.approx(beyond, rel=1e-4) == design.tails[-1] / top


def test_narrower_noise_would_break_the_promise():
    """The narrowest noise is taken: a thousandth less of it, and delta is above the asked one."""
    from decimal import Decimal

    from tossup.shared.mechanisms.noise.discrete_gaussian import gaussian_tails

    design = DiscreteGaussian.for_odds(11, Fraction(3), MILLIONTH, 30)
    rate = log(design.sizes[0] / design.sizes[10]) / 100
    sigma = Decimal(repr(sqrt(1 / (2 * rate))))
    narrower = gaussian_tails(11, 30, sigma * Decimal("0.999"))

    assert DiscreteGaussian(11, narrower, 3, 1).delta > MILLIONTH


@pytest.mark.parametrize(
    ("odds", "least"), [(Fraction(3), 3.3), (Fraction(27183, 10000), 3.3), (Fraction(20), 2.5)]
)
def test_the_best_margin_needs_a_fraction_of_the_people(odds: Fraction, least: float):
    """Against unclipped noise at the same odds and delta, by the ratio of variances."""
    clipped = mean_variance(gaussian(11, odds, MILLIONTH))

    assert analytic_sigma(1, log(odds), 1e-6) ** 2 / clipped > least


def test_no_margin_of_the_grid_is_better():
    """The search on a grid of 11 points finds the least variance of all margins, to 1 %."""
    found = gaussian(11, Fraction(3), MILLIONTH)
    margins = range(20, 45)
    all_of_them = [DiscreteGaussian.for_odds(11, Fraction(3), MILLIONTH, m) for m in margins]

    assert mean_variance(found) <= 1.01 * min(map(mean_variance, all_of_them))


def test_it_is_no_substitute_for_a_pure_mechanism():
    """For the mean of one number the hybrid needs a quarter of the people, without any delta."""
    normal = gaussian(11, Fraction(3), MILLIONTH)

    assert mean_variance(Hybrid.for_odds(11, Fraction(3))) < mean_variance(normal) / 4


def test_the_largest_grid_is_checked_quickly_or_refused():
    """1,024 points have a design; what has more cells than can be gone through has none."""
    with pytest.raises(MechanismError, match="cells"):
        DiscreteGaussian.for_odds(1024, Fraction(3), MILLIONTH, 3 * 1023)
    design = DiscreteGaussian.for_odds(1024, Fraction(3), MILLIONTH, 1535)

    assert design.delta <= MILLIONTH
    assert design == from_spec(design.spec(), 1024)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(2)])
def test_a_delta_is_a_chance(delta: Fraction):
    """Without any there is the discrete Laplace; 1 promises nothing."""
    with pytest.raises(MechanismError):
        DiscreteGaussian.for_odds(11, Fraction(3), delta)


@pytest.mark.parametrize("margin", [0, -1, 1 << 15, 2.0, True])
def test_a_margin_is_a_number_of_steps(margin: object):
    """At least one, and an int."""
    with pytest.raises(MechanismError):
        DiscreteGaussian.for_odds(11, Fraction(3), MILLIONTH, margin)


def test_delta_is_remembered():
    """A device reads the same manifest again and again; the sum is made once."""
    design = DiscreteGaussian.for_odds(11, Fraction(3))
    hits = exact_delta.cache_info().hits

    assert design.delta == DiscreteGaussian(11, design.tails, 3, 1).delta
    assert exact_delta.cache_info().hits > hits
