"""The truncated geometric mechanism against the published probabilities."""

import itertools
from fractions import Fraction
from math import exp

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of, on_grids
from sweeps import each

from tossup.shared.mechanisms import TruncatedGeometric
from tossup.shared.mechanisms.noise.truncated_geometric import decaying


def of_decay(epsilon: float, points: int) -> TruncatedGeometric:
    """Return the design whose weights decay by about exp(-epsilon) at each step."""
    odds = Fraction(exp((points - 1) * epsilon)).limit_denominator(1000)
    return TruncatedGeometric.for_odds(points, odds)


def variance_of(decay: float) -> float:
    """Return the variance of noise that is not truncated, in squared steps."""
    return 2 * decay / (1 - decay) ** 2


@each("design", lambda: [*of(TruncatedGeometric), *on_grids(TruncatedGeometric)])
def test_odds_by_enumeration(design: TruncatedGeometric):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", of(TruncatedGeometric))
def test_the_sampler_follows_the_weights(design: TruncatedGeometric):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(TruncatedGeometric))
def test_the_channel_is_exact(design: TruncatedGeometric):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_noise_has_the_published_probabilities(golden, epsilon: str):
    """Each step decays by exp(-epsilon), over as many points as the weights have room for.

    Both ends together have what the noise has from there on; each step beyond decays again.
    """
    row = golden[epsilon]
    points = 11 if row["eps_value"] < 2 else 5
    design = of_decay(row["eps_value"], points)
    middle, published = points // 2, row["geometric_sens1"]
    at, next_to, end = (design.probability(middle, middle + i) for i in (0, 1, middle))
    decay = float(next_to / at)

    assert pytest.approx(published["P0"], rel=1e-4) == float(at)
    assert pytest.approx(published["P1"], rel=1e-4) == float(next_to)
    assert pytest.approx(published["alpha"], rel=2e-4) == decay
    assert pytest.approx(published["var"], rel=2e-4) == variance_of(decay)
    assert pytest.approx(published["P_ge_5_abs"], rel=5e-4) == 2 * float(end) * decay ** (
        5 - middle
    )


def test_simulated_noise_is_ours(golden_runs):
    """At epsilon 1, four million draws: within 0.1 % of the exact variance."""
    simulated, exact = golden_runs["geometric eps=1 var"]
    design = of_decay(1.0, 11)
    found = variance_of(float(design.probability(5, 6) / design.probability(5, 5)))

    assert pytest.approx(exact, rel=1e-6) == found
    assert pytest.approx(simulated, rel=1e-3) == found


@each("points", [2, 3, 11, 101, 1024])
@each("odds", [Fraction(11, 10), Fraction(3), Fraction(81), Fraction(729)])
def test_odds_of_few_digits_are_met_exactly(points: int, odds: Fraction):
    """Asked for 3 to 1, a design costs 3 to 1 and not a hair less, which no one could read."""
    assert odds == TruncatedGeometric.for_odds(points, odds).odds


def test_the_draw_decides_the_noise_at_every_boundary():
    """Between two bounds of the draw the report is constant, and each stretch is its weight."""
    design = TruncatedGeometric.for_odds(11, Fraction(3))
    for answer in (0, 1, 5, 9, 10):
        edges = [0, *design._bounds, design.total]
        found = [0] * design.reports
        for first, end in itertools.pairwise(edges):
            reports = {design._sample(answer, Fixed(draw)) for draw in (first, end - 1)}
            assert 1 == len(reports)
            found[reports.pop()] += end - first

        assert design.weights[answer] == tuple(found)


class Fixed:
    """Coins that always choose one value."""

    def __init__(self, value: int) -> None:
        self.value = value

    def below(self, n: int) -> int:
        assert 0 <= self.value < n
        return self.value


@pytest.mark.parametrize("points", [3, 10, 64])
def test_steps_decay_evenly(points: int):
    """The ratio of neighbouring noises is odds**(-1 / (points - 1)) to 1e-6."""
    tails = decaying(points, Fraction(3), margin=0)
    sizes = [one - other for one, other in itertools.pairwise(tails)]
    ratios = [other / one for one, other in itertools.pairwise(sizes)]

    assert [pytest.approx(3 ** (-1 / (points - 1)), rel=1e-6)] * len(ratios) == ratios
