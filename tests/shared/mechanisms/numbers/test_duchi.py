"""Duchi's mechanism against its published variance."""

import itertools
from fractions import Fraction

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of, on_grids
from sweeps import each

from tossup.shared.mechanisms import Duchi


@each("design", lambda: [*of(Duchi), *on_grids(Duchi)])
def test_odds_by_enumeration(design: Duchi):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", of(Duchi))
def test_the_sampler_follows_the_weights(design: Duchi):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(Duchi))
def test_the_channel_is_exact(design: Duchi):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_the_variance_is_the_published_one(golden, unit_variance, ratio, epsilon: str):
    """On [-1, 1] it is ((e + 1) / (e - 1))**2 - x**2, e = exp(epsilon): here to 1e-6."""
    row = golden[epsilon]
    design = Duchi.for_odds(1023, ratio(Duchi, row["eps_value"], 1023))
    low, high = design.values
    middle, end = (
        sum(p * (v - x) ** 2 for p, v in zip(design.channel()[x], (low, high), strict=True))
        for x in (511, 1022)
    )

    assert pytest.approx(row["duchi_B"], rel=1e-6) == float(high - low) / 1022
    assert pytest.approx(row["duchi_var_x0"], rel=1e-6) == unit_variance(middle, 1023)
    assert pytest.approx(row["duchi_var_x1"], rel=1e-6) == unit_variance(end, 1023)


def test_two_points_are_randomized_response():
    """On two points the table is that of Warner's design with the same odds."""
    assert ((3, 1), (1, 3)) == Duchi(points=2, keep=3, lie=1).weights


def test_the_chance_of_high_is_linear_in_the_answer():
    """Hence rounding at random before it changes nothing: it is the mechanism without a grid."""
    highs = [row[1] for row in Duchi(points=9, keep=5, lie=2).channel()]

    assert {Fraction(3, 7) / 8} == {b - a for a, b in itertools.pairwise(highs)}
