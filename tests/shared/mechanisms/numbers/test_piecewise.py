"""The piecewise mechanism against its published variance, and its better window."""

from fractions import Fraction
from math import exp

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of, on_grids
from sweeps import each

from tossup.shared.mechanisms import Piecewise

POINTS = 1024


def variance(design: Piecewise, answer: int) -> Fraction:
    """Return the exact variance of a report's value given one answer, summed over its row."""
    row = design.weights[answer]
    second = sum(weight * v**2 for weight, v in zip(row, design.values, strict=True))
    return second / sum(row) - answer**2


@each("design", lambda: [*of(Piecewise), *on_grids(Piecewise)])
def test_odds_by_enumeration(design: Piecewise):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", of(Piecewise))
def test_the_sampler_follows_the_weights(design: Piecewise):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(Piecewise))
def test_the_channel_is_exact(design: Piecewise):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_with_the_published_window_the_variance_is_the_published_one(
    golden, unit_variance, ratio, epsilon: str
):
    """4 s / (3 (s - 1)**2) with s = exp(epsilon / 2) on [-1, 1]: here to 0.3 %."""
    row = golden[epsilon]
    keep, lie = ratio(Piecewise, row["eps_value"], POINTS).as_integer_ratio()
    window = round((POINTS - 1) * exp(-row["eps_value"] / 2))
    design = Piecewise(POINTS, window, keep, lie)

    assert pytest.approx(row["pm_worst_closed"], rel=3e-3) == unit_variance(
        design.worst_variance, POINTS
    )
    end, middle = variance(design, POINTS - 1), variance(design, POINTS // 2)
    assert pytest.approx(row["pm_var_x1"], rel=3e-3) == unit_variance(end, POINTS)
    assert pytest.approx(row["pm_var_x0"], rel=3e-3) == unit_variance(middle, POINTS)
    low, high = design.values[0], design.values[-1]
    assert pytest.approx(row["pm_C"], rel=3e-3) == float(high - low) / (POINTS - 1)


def test_the_variance_halfway_to_an_end_is_the_published_one(golden_runs, unit_variance):
    """At a half of [-1, 1] and epsilon 1: the exact one to 0.3 %, and four million draws."""
    design = Piecewise(POINTS, round((POINTS - 1) * exp(-1 / 2)), 1457, 536)  # e to 1e-7
    drawn_, exact = golden_runs["PM eps=1 x=0.5 var"]
    found = unit_variance(variance(design, round(0.75 * (POINTS - 1))), POINTS)

    assert pytest.approx(exact, rel=3e-3) == found
    assert pytest.approx(drawn_, rel=4e-3) == found


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_the_searched_window_is_never_worse(golden, unit_variance, ratio, epsilon: str):
    """The largest variance is at most the published one, 33 % lower at epsilon 4."""
    row = golden[epsilon]
    design = Piecewise.for_odds(POINTS, ratio(Piecewise, row["eps_value"], POINTS))
    part = unit_variance(design.worst_variance, POINTS) / row["pm_worst_closed"]

    assert part < 1
    assert (part < 0.68) == (epsilon == "4")


@pytest.mark.parametrize(
    "design", [Piecewise(2, 1, 3, 1), Piecewise(7, 4, 5, 2), Piecewise(12, 3, 9)]
)
def test_the_worst_variance_is_the_largest_over_all_answers(design: Piecewise):
    """The closed form agrees with enumeration, exactly."""
    variances = [variance(design, answer) for answer in range(design.answers)]

    assert max(variances) == variances[0] == design.worst_variance
