"""The discrete staircase against the published variance and step, and what folding saves."""

from fractions import Fraction

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of, on_grids
from sweeps import each

from tossup.shared.mechanisms import Staircase

POINTS = 1024
#: exp(epsilon) in a few digits, so that weights of 1,024 points stay small.
ODDS = {
    "0.1": Fraction(21, 19),
    "0.5": Fraction(61, 37),
    "1": Fraction(106, 39),
    "ln3": Fraction(3),
    "2": Fraction(96, 13),
    "4": Fraction(109, 2),
}


def variance_at_an_end(design: Staircase) -> Fraction:
    squares = sum(w * v**2 for w, v in zip(design._row(0), design.values, strict=True))
    return squares / design.total


def unfolded(design: Staircase) -> Fraction:
    """Return the variance of the noise itself: with what lies within the folded tails."""
    row, span = design._row(0), design.points - 1
    outside = Fraction(sum(row[:span]) + sum(row[2 * span + 1 :]), design.total)
    blocks = Fraction(design.keep * design.lie, (design.keep - design.lie) ** 2)
    return variance_at_an_end(design) + outside * span**2 * blocks


def unit_size(design: Staircase) -> float:
    """Return the mean size of the noise on [-1, 1]: what is folded counts by its mean."""
    sizes = sum(w * abs(v) for w, v in zip(design._row(0), design.values, strict=True))
    return float(sizes / design.total) * 2 / (design.points - 1)


def of_least_size(row: dict, odds: Fraction) -> Staircase:
    """Return the design whose topmost step has the published width of least expected size."""
    inner = round(row["staircase_gamma_l1"] * (POINTS - 1))
    return Staircase(POINTS, inner, *odds.as_integer_ratio())


@each("design", lambda: [*of(Staircase), *on_grids(Staircase)])
def test_odds_by_enumeration(design: Staircase):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", of(Staircase))
def test_the_sampler_follows_the_weights(design: Staircase):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(Staircase))
def test_the_channel_is_exact(design: Staircase):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@pytest.mark.parametrize("epsilon", ODDS)
def test_the_noise_has_the_published_variance(golden, unit_variance, epsilon: str):
    """At odds of a few digits and 1,024 points it is the continuous one's to 1e-3."""
    row = golden[epsilon]
    design = Staircase.for_odds(POINTS, ODDS[epsilon])

    assert pytest.approx(row["staircase_var_min_delta2"], rel=2e-3) == unit_variance(
        unfolded(design), POINTS
    )
    assert pytest.approx(row["staircase_gamma_l2"], abs=2e-3) == design.inner / (POINTS - 1)


@pytest.mark.parametrize("epsilon", ODDS)
def test_with_the_inner_step_of_least_size_noise_is_the_published(
    golden, unit_variance, epsilon: str
):
    """The first step of least expected size instead of least variance: both as published.

    In 1,024 points a noise is rounded to the step of 2 / 1,023 on [-1, 1]; to 0.4 % here.
    """
    row = golden[epsilon]
    design = of_least_size(row, ODDS[epsilon])

    assert pytest.approx(row["staircase_var_at_gamma_l1_delta2"], rel=4e-3) == unit_variance(
        unfolded(design), POINTS
    )
    assert pytest.approx(row["staircase_E_abs_noise_delta2"], rel=2e-3) == unit_size(design)


def test_simulated_staircases_are_ours(golden, golden_runs, unit_variance):
    """At epsilon 1, four million draws of either first step: within 0.5 % of the exact noise."""
    small = of_least_size(golden["1"], ODDS["1"])
    found = {
        "staircase eps=1 var(gamma_l2)": unit_variance(
            unfolded(Staircase.for_odds(POINTS, ODDS["1"])), POINTS
        ),
        "staircase eps=1 var(gamma_l1)": unit_variance(unfolded(small), POINTS),
        "staircase eps=1 E|X|": unit_size(small),
    }

    for name, figure in found.items():
        simulated, exact = golden_runs[name]
        assert pytest.approx(exact, rel=2e-3) == figure
        assert pytest.approx(simulated, rel=5e-3) == figure


@each("points", [2, 3, 6, 9])
@each("odds", [Fraction(11, 10), Fraction(3), Fraction(20)])
def test_the_topmost_step_is_the_best_one(points: int, odds: Fraction):
    """No other width has a smaller variance at the ends, by trying all of them."""
    best = Staircase.for_odds(points, odds)
    designs = [Staircase(points, i, best.keep, best.lie) for i in range(1, points)]

    assert min(map(variance_at_an_end, designs)) == variance_at_an_end(best)


def test_folding_the_tails_saves_a_quarter_at_odds_3():
    """On a bounded range the folded report's variance is below the unfolded noise's."""
    design = Staircase.for_odds(101, Fraction(3))
    worst = max(
        sum(p * v**2 for p, v in zip(row, design.values, strict=True)) - answer**2
        for answer, row in enumerate(design.channel())
    )

    assert worst / unfolded(design) < 0.76
