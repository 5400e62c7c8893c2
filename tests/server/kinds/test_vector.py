"""Designs for vectors: windows, caps and the choice between mechanisms."""

import json
import re
from fractions import Fraction
from math import e, exp, log, sqrt
from pathlib import Path

import numpy as np
import pytest
from sweeps import each

from tossup.server.auditing.viewing.components import MARGINALS
from tossup.server.estimation.vectors.caps import _mean_length, best_cap, cosine_power, mean_length
from tossup.server.estimation.vectors.moments import (
    _steps_per_digit,
    component_variance,
    widest_component_variance,
)
from tossup.server.kinds.choosing.vector import (
    entry_gaussian,
    entry_laplace,
    for_vector,
    privunit,
    vector_laplace,
    why,
)
from tossup.server.kinds.vector import FEW_STEPS, MANY_STEPS
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import EntryGaussian, EntryLaplace, PrivUnit, VectorLaplace
from tossup.shared.mechanisms.vectors.privunit import CAP_UNIT, MAX_DIMENSION

#: Least mean squared errors of unit vectors, by dimension and epsilon, and the heights of their
#: caps: Bhowmick et al. 2018 with the optimum of Asi, Feldman and Talwar 2022, by quadrature.
PUBLISHED = json.loads(Path(__file__).with_name("golden_privunit.json").read_text())["rows"]


def ratio(epsilon: float) -> tuple[int, int]:
    return Fraction(exp(epsilon)).limit_denominator(10**6).as_integer_ratio()


@each("row", PUBLISHED)
def test_privunit_has_the_published_variance(row):
    """1 / m**2 - 1 at the best cap, within 1e-4; components one below the sphere's dimension."""
    keep, lie = ratio(row["eps"])
    if row["d"] > MAX_DIMENSION:  # more components than a design has, by the same integrals
        length = _mean_length(row["d"], row["gamma"], keep, lie)
        assert pytest.approx(row["mse_per_report"], rel=1e-4) == 1 / length**2 - 1
        return
    design = PrivUnit(row["d"] - 1, 64, 0, keep, lie)
    best = PrivUnit(row["d"] - 1, 64, best_cap(design), keep, lie)

    assert pytest.approx(row["mse_per_report"], rel=1e-4) == 1 / mean_length(best) ** 2 - 1
    assert pytest.approx(row["gamma"], abs=1e-4) == best.cap / CAP_UNIT


def test_simulated_directions_have_the_variance():
    """In ten dimensions at epsilon 4, 400,000 draws: within 0.3 % of ours."""
    simulated, exact = 3.681554, 3.674296  # Monte Carlo with numpy's PCG64, and by quadrature
    design = PrivUnit(9, 64, 0, *ratio(4.0))
    found = 1 / mean_length(PrivUnit(9, 64, best_cap(design), design.keep, design.lie)) ** 2 - 1

    assert pytest.approx(exact, rel=1e-4) == found
    assert pytest.approx(simulated, rel=3e-3) == found


@each("odds", [Fraction(11, 10), Fraction(3), Fraction(729)])
@each("dimension", [1, 2, 3, 8, 100, 256])
def test_no_other_cap_is_better(dimension: int, odds: Fraction):
    """Caps nearby and far away have shorter means."""
    best = privunit(dimension, 64, odds)
    longest = mean_length(best)
    for cap in {0, best.cap // 2, best.cap - 300, best.cap + 300, (best.cap + CAP_UNIT) // 2}:
        if 0 <= cap < CAP_UNIT:
            other = PrivUnit(dimension, 64, cap, best.keep, best.lie)

            assert mean_length(other) <= longest * (1 + 1e-9)


@pytest.mark.parametrize("power", [2, 4, 10])
def test_powers_of_the_cosine_are_integrated(power: int):
    """Against a sum over a million small steps."""
    steps = 10**5
    total = sum(sqrt(1 - (k / steps) ** 2) ** (power - 1) for k in range(steps // 2)) / steps

    from math import asin

    assert pytest.approx(total, rel=1e-4) == cosine_power(power, asin(0.5))


@pytest.mark.parametrize("odds", [Fraction(3, 2), Fraction(3), Fraction(20)])
def test_wrapping_moves_a_mean_by_less_than_a_2_to_the_64th(odds: Fraction):
    """In one dimension the chance to wrap is a sum of weights: times the window it is as small."""
    design = vector_laplace(1, 4, odds)
    least = design.window - design.radius
    weights = [float(design.weight(norm**2)) for norm in range(design.window + 1)]
    wraps = 2 * sum(weights[least + 1 :]) / (2 * sum(weights) - weights[0])

    assert design.levels * wraps < 2.0**-64
    # The bound is not a loose one: a window a fifth narrower would not do.
    narrower = int(0.8 * least)
    assert design.levels * sum(weights[narrower:]) / sum(weights) > 2.0**-64


def test_wrapping_in_two_dimensions_moves_a_mean_by_less_than_a_2_to_the_64th():
    """The same by counting points of the plane by their norms."""
    import numpy as np

    design = vector_laplace(2, 2, Fraction(3))
    steps = np.arange(-design.window, design.window + 1)
    norms = np.ceil(np.sqrt(steps[:, None] ** 2 + steps**2)).astype(int)
    weights = np.array([float(design.weight(n * n)) for n in range(norms.max() + 1)])[norms]
    wraps = weights[np.abs(steps) > design.window - design.radius].sum() / weights.sum()

    assert design.levels * wraps < 2.0**-64


@pytest.mark.parametrize("dimension", [1, 2])
def test_the_variance_of_the_vector_mechanism_is_about_the_continuous_one(dimension: int):
    """Within 3 % of (d + 1) (D / ln odds)**2 for a norm of 16 steps, by exact sums."""
    import numpy as np

    design = vector_laplace(dimension, 16, Fraction(3))
    reach = 1200
    steps = np.arange(-reach, reach + 1)
    squared = steps**2 if dimension == 1 else steps[:, None] ** 2 + steps**2
    norms = np.ceil(np.sqrt(squared)).astype(int)
    weights = np.array([float(design.weight(n * n)) for n in range(norms.max() + 1)])[norms]
    exact = (weights * squared).sum() / weights.sum() / dimension

    assert pytest.approx(exact, rel=0.03) == component_variance(design)


@pytest.mark.parametrize(
    ("dimension", "odds", "kind"),
    [(1, 3, PrivUnit), (2, 3, PrivUnit), (2, 729, VectorLaplace), (100, 729, PrivUnit)],
)
def test_the_mechanism_of_least_variance_is_chosen(dimension: int, odds: int, kind: type):
    """Two components at high odds favour the vector mechanism, all others PrivUnit."""
    chosen = for_vector(dimension, 32, "auto", Fraction(odds))

    assert isinstance(chosen, kind)
    assert odds == chosen.odds


def test_the_page_on_survey_files_has_the_variances_that_designs_have():
    """n times the variance of a component's mean at odds 3, for the default steps."""
    page = Path(__file__).parents[3] / "docs/reference/survey-file.md"
    named = r'^\| `"(privunit|vector-laplace|entry-laplace)"` \|[^|]*\|(.*)\|$'
    rows = re.findall(named, page.read_text(), re.M)
    for name, cells in rows:
        for entries, cell in zip((2, 6, 16, 256), cells.split("|"), strict=True):
            radius = FEW_STEPS if entries <= 16 else MANY_STEPS
            if cell.strip():
                design = for_vector(entries, radius, name, Fraction(3))
                shown = f"{component_variance(design) / radius**2:.1f}"

                assert shown == cell.strip(" *")
    assert 3 == len(rows)


def test_an_epsilon_is_met_from_below():
    """The largest ratio of small integers up to e**epsilon, hardly below it."""
    from decimal import Decimal

    design = for_vector(3, 32, "privunit", Decimal(1))

    assert e * (1 - 1e-9) < design.odds < e


@pytest.mark.parametrize(
    ("name", "dimension", "radius", "odds"),
    [
        ("vector-laplace", 17, 16, 3),
        ("vector-laplace", 2, 512, 3),
        ("privunit", 2, 16, 1),
        ("auto", 257, 16, 3),
        ("duchi", 2, 16, 3),
    ],
)
def test_what_no_design_can_do_is_refused(name: str, dimension: int, radius: int, odds: int):
    """Too many components, too fine a grid, no odds, another kind's mechanism."""
    with pytest.raises(MechanismError):
        for_vector(dimension, radius, name, Fraction(odds))


def test_privunit_needs_half_the_people_of_the_vector_mechanism_in_three_dimensions():
    """At odds 3 and a norm of 32 steps; eight times fewer in 16."""
    ratios = [
        component_variance(vector_laplace(d, 32, Fraction(3)))
        / component_variance(privunit(d, 32, Fraction(3)))
        for d in (3, 16)
    ]

    assert ratios[0] > 2
    assert ratios[1] > 8
    assert log(3) > 1  # epsilon


@each("dimension", [1, 5, 152])
@each("odds", [Fraction(3, 2), Fraction(3), Fraction(729)])
@each("delta", [Fraction(1, 10**3), Fraction(1, 10**9)])
def test_normal_noise_is_the_least_for_a_delta(dimension: int, odds: Fraction, delta: Fraction):
    """Its own delta is at most the one asked, and noise a little narrower would exceed it."""
    found = entry_gaussian(dimension, 8, odds, delta)
    narrower = EntryGaussian(dimension, 8, found.window, found.squared - 1, found.keep, found.lie)

    assert found.delta <= delta < narrower.delta
    assert odds == found.odds


@pytest.mark.parametrize("radius", [4, 32])
def test_normal_noise_wraps_so_rarely_that_means_stay(radius: int):
    """Twice the tail beyond what wraps, times the levels: below 2**-64 steps."""
    design = entry_gaussian(2, radius, Fraction(3))
    least = design.window - radius + 1
    tail = sum(exp(-(k**2) / 2 / design.squared) for k in range(least, 3 * least))
    whole = sum(exp(-(k**2) / 2 / design.squared) for k in range(-least, least))

    assert 2 * design.levels * tail / whole < 2.0**-64


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1), Fraction(-1, 2)])
def test_a_delta_that_is_no_chance_is_refused(delta: Fraction):
    """0 asks for what normal noise cannot give, 1 for nothing."""
    with pytest.raises(MechanismError, match="above 0 and below 1"):
        for_vector(2, 8, "entry-gaussian", Fraction(3), delta)


@each("dimension, components", [(1, 1), (2, 2), (5, 2)])
@each("odds", [Fraction(3, 2), Fraction(3), Fraction(20)])
def test_wrapping_moves_an_entry_by_less_than_a_2_to_the_64th(
    dimension: int, components: int, odds: Fraction
):
    """The chance that noise goes beyond the window, by summing weights, times the window."""
    design = entry_laplace(dimension, 8, odds, components)
    weights = [(design.fall / 2**60) ** size for size in range(design.window + 1)]
    least = design.window - design.radius + 1
    wraps = 2 * sum(weights[least:]) / (2 * sum(weights) - weights[0])

    assert design.levels * wraps < 2.0**-64
    # The bound is not a loose one: a window a fifth narrower would not do.
    assert design.levels * sum(weights[int(0.8 * least) :]) / sum(weights) > 2.0**-64


@pytest.mark.parametrize("odds", [Fraction(3), Fraction(729)])
def test_the_variance_of_an_entry_is_that_of_its_noise(odds: Fraction):
    """Exactly, by summing squares of the noise."""
    design = entry_laplace(5, 8, odds, 2)
    sizes = range(-design.window, design.window + 1)
    weights = [(design.fall / 2**60) ** abs(size) for size in sizes]
    squares = sum(w * size**2 for w, size in zip(weights, sizes, strict=True))

    assert pytest.approx(squares / sum(weights), rel=1e-9) == component_variance(design)


@each(
    "design",
    [
        *(privunit(d, 32, Fraction(odds)) for d in (2, 6) for odds in (3, 81)),
        entry_laplace(2, 32, Fraction(3)),
        vector_laplace(2, 16, Fraction(9)),
        entry_gaussian(2, 16, Fraction(3)),
    ],
)
def test_the_widest_variance_is_that_of_people_at_both_ends(design):
    """Of the distribution of one component's digits that audits compare with, for all alike."""
    own = MARGINALS[design.noise](design).own
    values = (np.arange(len(own)) - (len(own) - 1) / 2) * _steps_per_digit(design)
    assert pytest.approx(design.radius, rel=0.01) == own @ values

    squares = own @ values**2  # those of people at the other end are the same
    assert pytest.approx(squares, rel=0.005) == widest_component_variance(design)


@pytest.mark.parametrize(
    ("odds", "kind"), [(3, PrivUnit), (19683, PrivUnit), (59049, EntryLaplace)]
)
def test_products_of_two_components_favour_noise_by_entry_at_high_odds(odds: int, kind: type):
    """Whatever is taken, its reason has the figures of all three."""
    chosen = for_vector(5, 32, None, Fraction(odds), components=2)
    told = why(chosen, components=2)

    assert isinstance(chosen, kind)
    assert told.startswith(f"{chosen.name.partition('/')[0]} has the least variance")
    assert all(name in told for name in ("privunit", "vector-laplace", "entry-laplace"))


def test_no_reason_is_given_for_what_is_not_the_best():
    """A design of more variance, that a file may have named."""
    assert "" == why(vector_laplace(5, 32, Fraction(3)), components=2)


def test_the_decision_on_noise_by_entry_has_the_variances_that_designs_have():
    """Traces for a norm of 32 steps at odds 3, with and without products."""
    page = Path(__file__).parents[3] / "docs/decisions/0015-entries-from-a-centre.md"
    rows = re.findall(r"^\| (\d+)[^|]*\| (\d+) \|(.*)\|$", page.read_text(), re.M)
    for components, entries, cells in rows:
        names = ("entry-laplace", "vector-laplace", "privunit", "entry-gaussian")
        for name, cell in zip(names, cells.split("|"), strict=True):
            if cell.strip():
                size = int(entries)
                design = for_vector(size, 32, name, Fraction(3), components=int(components))
                shown = f"{size * component_variance(design) / 32**2:.1f}"

                assert shown == cell.strip()
    assert 6 == len(rows)
