"""The hybrid mechanism: fewer people than Laplace, and an even variance."""

from fractions import Fraction
from math import exp

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of, on_grids
from sweeps import each

from tossup.shared.mechanisms import Duchi, Hybrid, Piecewise

POINTS = 1024


@each("design", lambda: [*of(Hybrid), *on_grids(Hybrid)])
def test_odds_by_enumeration(design: Hybrid):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", of(Hybrid))
def test_the_sampler_follows_the_weights(design: Hybrid):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(Hybrid))
def test_the_channel_is_exact(design: Hybrid):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@pytest.mark.parametrize("epsilon", ["1", "ln3", "2", "4"])
def test_it_needs_no_more_people_than_published(golden, unit_variance, ratio, epsilon: str):
    """The largest variance is at most the published hybrid's, for every epsilon from 1 on."""
    row = golden[epsilon]
    design = Hybrid.for_odds(POINTS, ratio(Hybrid, row["eps_value"], POINTS))

    assert unit_variance(design.worst_variance, POINTS) <= row["hm_worst_var"]


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_the_published_mixture_has_the_published_variance(golden, epsilon: str):
    """Piecewise with probability hm_alpha, else Duchi: of the golden variances, the worst.

    Up to epsilon 0.61 that is Duchi alone; above, all answers have nearly the same variance.
    """
    row = golden[epsilon]
    alpha = row["hm_alpha"]
    mixed = [
        alpha * row[f"pm_var_{at}"] + (1 - alpha) * row[f"duchi_var_{at}"] for at in ("x0", "x1")
    ]

    assert pytest.approx(max(0.0, 1 - exp(-row["eps_value"] / 2)) * (alpha > 0)) == alpha
    assert pytest.approx(row["hm_worst_var"]) == max(mixed)


def test_it_needs_1_87_times_fewer_people_than_laplace_at_epsilon_1(golden, unit_variance, ratio):
    """The number of people grows with the variance, 8 for Laplace on [-1, 1]."""
    design = Hybrid.for_odds(POINTS, ratio(Hybrid, 1.0, POINTS))

    assert golden["1"]["laplace_var"] / unit_variance(design.worst_variance, POINTS) >= 1.87


@each("points", [2, 3, 8, 41])
@each("odds", [Fraction(2), Fraction(3), Fraction(9), Fraction(81)])
def test_the_worst_variance_is_the_largest_over_all_answers(points: int, odds: Fraction):
    """The closed form is an upper bound of the enumerated one, and met where a middle exists."""
    design = Hybrid.for_odds(points, odds)
    second = [value**2 for value in design.values]
    variances = [
        sum(p * v for p, v in zip(row, second, strict=True)) - answer**2
        for answer, row in enumerate(design.channel())
    ]

    assert max(variances) <= design.worst_variance
    if points % 2:
        assert max(variances) == design.worst_variance


@pytest.mark.parametrize("odds", [Fraction(2), Fraction(3), Fraction(81)])
def test_it_beats_both_of_its_parts(odds: Fraction):
    """Mixed, the largest variance is below that of either part alone."""
    design = Hybrid.for_odds(101, odds)
    ends = Duchi.for_odds(101, odds)
    duchi_in_the_middle = sum(v**2 for v in (w - 50 for w in ends.values)) / 2

    assert design.worst_variance < duchi_in_the_middle
    assert design.worst_variance < Piecewise.for_odds(101, odds).worst_variance
