"""Golden values that come from closed forms: chances to be named, variances, pairs, projections.

Odds of an epsilon are ratios of small integers, at most a few parts in a million below it; at an
epsilon of ln 3 they are 3, and what is computed agrees to 1e-9.
"""

import json
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest
from sweeps import each

from tossup.server.estimation import estimate_joint, estimate_share, estimate_shares, norm_sub
from tossup.server.kinds.choosing.named import compared
from tossup.server.kinds.spread import variance
from tossup.shared.mechanisms import (
    HadamardResponse,
    KaryRandomizedResponse,
    Mechanism,
    ProjectiveGeometryResponse,
    SubsetSelection,
    TwoCoin,
)

GOLDEN = json.loads(Path(__file__).with_name("golden_rates.json").read_text(encoding="utf-8"))
ROWS = GOLDEN["oracles"]["rows"]
SHARE = Fraction(1, 10)


def exactness(row: dict) -> float:
    return 1e-9 if row["epsilon"] == "ln3" else 1e-5


def odds(row: dict) -> Fraction:
    return (
        Fraction(3)
        if row["epsilon"] == "ln3"
        else Mechanism.odds_within(Decimal(row["epsilon"]), 0, {})
    )


def cases(*names: str) -> list:
    """Return the rows of some mechanisms, but for those of more options than k-ary takes."""
    return [
        pytest.param(name, row, id=f"{name}, epsilon {row['epsilon']}, {row['options']} options")
        for row in ROWS
        for name in names
        if name in row and (name != "k-ary" or row["options"] <= 256)
    ]


def rates(name: str, row: dict) -> tuple[float, float]:
    """Return how likely a report names an option without and with it being the answer."""
    made = compared("choice")[name].from_odds(odds(row), row["options"])
    if isinstance(made, KaryRandomizedResponse):
        return float(made.probability(0, 1)), float(made.probability(0, 0))
    return tuple(float(rate) for rate in made.rates)


@each("name, row", cases("k-ary", "optimized-unary", "hadamard-response", "symmetric-unary"))
def test_options_are_named_with_the_golden_chances(name: str, row: dict):
    """p and q of the published forms."""
    near = exactness(row) if name != "symmetric-unary" else 1e-5  # of the root of the odds
    found = rates(name, row)

    assert (row[name]["q"], row[name]["p"]) == pytest.approx(found, rel=near)


@each("name, row", cases("subset-selection"))
def test_subsets_of_the_golden_size_have_the_golden_chances(name: str, row: dict):
    """At the golden size; ours is that, or one of less variance (round() is not always best)."""
    keep, lie = odds(row).as_integer_ratio()
    design = SubsetSelection(row["options"], row[name]["omega"], keep, lie)
    q, p = design.rates

    assert (row[name]["q"], row[name]["p"]) == pytest.approx(
        (float(q), float(p)), rel=exactness(row)
    )
    assert SubsetSelection.from_odds(odds(row), row["options"]).variance <= design.variance


@each("name, row", cases("projective-geometry-response"))
def test_points_of_the_golden_space_have_the_golden_chances(name: str, row: dict):
    """In the space over the golden field; ours is that, or one of less variance."""
    keep, lie = odds(row).as_integer_ratio()
    design = ProjectiveGeometryResponse(row["options"], row[name]["field"], keep, lie)
    q, p = design.rates

    assert row[name]["K"] == design.reports
    assert (row[name]["q"], row[name]["p"]) == pytest.approx(
        (float(q), float(p)), rel=exactness(row)
    )
    assert ProjectiveGeometryResponse.from_odds(odds(row), row["options"]).variance <= (
        design.variance * (1 + Fraction(1, 10**5))
    )


@each("name, row", cases("hadamard-response"))
def test_the_matrix_has_the_golden_size(name: str, row: dict):
    """The least power of two above the number of options."""
    assert row[name]["K"] == HadamardResponse(row["options"]).reports


@each("name, row", cases("k-ary", "optimized-unary"))
def test_variances_at_a_tenth_are_the_golden_ones(name: str, row: dict):
    """Of these respondents, and of the population: both conventions."""
    found = variance(compared("choice")[name].from_odds(odds(row), row["options"]), SHARE)
    golden = row[name]["var_n_f0.1_fixed_population"], row[name]["var_n_f0.1_iid"]

    assert golden == pytest.approx([float(each) for each in found], rel=exactness(row))


@each("row", GOLDEN["two coins"]["rows"])
def test_two_coins_have_the_golden_variances(row: dict):
    """0.75 for these respondents whatever their share, 4 y (1 - y) for the population."""
    share = Fraction(str(row["f"]))
    found = variance(TwoCoin(), share)
    reported = sum(p * TwoCoin().probability(a, 1) for a, p in enumerate((1 - share, share)))

    assert (row["var_n_fixed_population"], row["var_n_iid"]) == tuple(map(float, found))
    assert row["p_yes_report"] == float(reported)


@pytest.mark.parametrize("row", GOLDEN["two coins"]["examples"], ids=lambda row: f"{row['n']}")
def test_two_coins_have_the_golden_estimates(row: dict):
    """Below 0 and above 1 too; with all three kinds of intervals where these are given."""
    found = estimate_share((row["n"] - row["yes"], row["yes"]), TwoCoin())

    assert row["estimate"] == pytest.approx(found.value, rel=1e-12)
    if "se_plugin" in row:
        assert row["se_plugin"] == pytest.approx(found.population_standard_error, rel=1e-9)
        score, exact, wald = (found.interval(0.95, m) for m in ("score", "exact", "wald"))
        # Ours, as RRreg's, divides by n - 1.
        low, high = (0.3 + (end - 0.3) * sqrt(999 / 1000) for end in (wald.low, wald.high))
        assert row["ci95_wald"] == pytest.approx([low, high], rel=1e-9)
        assert row["ci95_wilson_mapped"] == pytest.approx([score.low, score.high], rel=1e-9)
        assert row["ci95_clopper_pearson_mapped"] == pytest.approx(
            [exact.low, exact.high], rel=1e-9
        )


@pytest.mark.parametrize("row", GOLDEN["pairs of two coins"]["rows"], ids=str)
def test_pairs_of_answers_have_the_golden_shares(row: dict):
    """The Kronecker inverse of two channels; negative cells stay negative."""
    yes_yes, yes_no, no_yes, no_no = (
        round(10_000 * share) for share in row["reported_yy_yn_ny_nn"]
    )
    table = estimate_joint([[no_no, no_yes], [yes_no, yes_yes]], [TwoCoin(), TwoCoin()])
    ((no_no, no_yes), (yes_no, yes_yes)) = table.cells

    assert row["debiased"] == pytest.approx([yes_yes, yes_no, no_yes, no_no], abs=1e-12)


@each("row", GOLDEN["norm-sub"]["rows"])
def test_projections_are_the_golden_ones(row: dict):
    """The nearest point of the simplex."""
    assert row["out"] == pytest.approx(norm_sub(row["in"]), abs=1e-12)


@pytest.mark.parametrize("counts", [(50, 30, 20, 11), (90, 5, 3, 2), (25, 25, 25, 25)])
def test_a_projection_is_a_view_beside_the_raw_estimates(counts):
    """Possible shares are shown by their own name; what is estimated is never replaced."""
    shares = estimate_shares(counts, KaryRandomizedResponse(4))
    raw = [option.value for option in shares.options]

    assert raw == list(shares.values)
    assert 1 == pytest.approx(sum(shares.possible))
    assert min(shares.possible) >= 0
    assert norm_sub(raw) == shares.possible
    assert (min(raw) < 0) == (list(shares.possible) != pytest.approx(raw))
