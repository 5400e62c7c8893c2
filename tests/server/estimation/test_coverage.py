"""Coverage of the intervals, by summation over every possible tally: no simulation."""

import runpy
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from interval_coverage import (
    bounds,
    cards_covered,
    cells_covered,
    choices_covered,
    covered,
    difference_covered,
    ends,
    ever_missed,
    trend_covered,
    two_samples_covered,
)
from sweeps import each, proving

from tossup.server.estimation import estimate_yes, two_coins, warner
from tossup.server.estimation.intervals.binomial import tail_from, tail_to
from tossup.shared.mechanisms import Exponential, PermuteAndFlip, TwoCoin
from tossup.shared.mechanisms.scores.base import in_a_row

#: Percent covered by the profile interval, by n and true share; an independent computation.
PROFILE = {
    20: {0: 98.6, 0.01: 98.4, 0.05: 97.3, 0.2: 97.8, 0.5: 95.9, 0.95: 97.3},
    50: {0: 97.1, 0.01: 98.3, 0.05: 98.1, 0.2: 96.3, 0.5: 93.5, 0.95: 98.1},
    200: {0: 97.7, 0.01: 97.7, 0.05: 97.2, 0.2: 95.5, 0.5: 94.4, 0.95: 97.2},
    1000: {0: 97.7, 0.01: 97.6, 0.05: 94.9, 0.2: 95.0, 0.5: 94.6, 0.95: 94.9},
}


def probability(n, k, share):
    """Return Pr[k of n two-coin reports are yes], from an exact ratio."""
    yes = Fraction(1, 4) + Fraction(str(share)) / 2
    a, b = yes.numerator, yes.denominator
    return comb(n, k) * a**k * (b - a) ** (n - k) / b**n


@pytest.mark.parametrize("n", proving(PROFILE, but=[20, 50, 200]))
def test_the_shown_interval_covers_as_computed_elsewhere(n):
    """The profile column of the same study, printed to a tenth of a percent."""
    actual = dict(zip(PROFILE[n], 100 * covered(n, "profile", [*PROFILE[n]]), strict=True))

    assert pytest.approx(PROFILE[n], abs=0.06) == actual


@pytest.mark.parametrize(
    ("n", "method", "least"),
    [
        (50, "score", 0.934),
        (100, "score", 0.934),
        (200, "score", 0.940),
        (500, "score", 0.940),
        pytest.param(1000, "score", 0.940, marks=pytest.mark.prove),
        (20, "exact", 0.95),
        (50, "exact", 0.95),
        (200, "exact", 0.95),
        pytest.param(1000, "exact", 0.95, marks=pytest.mark.prove),
        (20, "profile", 0.928),
        (50, "profile", 0.928),
        (200, "profile", 0.928),
        pytest.param(1000, "profile", 0.928, marks=pytest.mark.prove),
    ],
)
def test_coverage_never_falls_below_its_floor(n, method, least):
    """Over 401 true shares from 0 to 1."""
    assert covered(n, method).min() >= least


@pytest.mark.parametrize("n", proving([20, 50, 100, 200, 500, 1000], but=[20, 50, 100, 200, 500]))
def test_score_covers_on_average_as_stated(n):
    """94.8 to 95.3 % over all true shares."""
    assert 0.948 <= covered(n, "score").mean() <= 0.953


@pytest.mark.parametrize("n", [1, 2, 20, 50, 200])
def test_the_shown_interval_is_within_possible_shares_and_never_empty(n):
    """After every tally."""
    low, high = ends(n, "profile").T

    assert ((low >= 0) & (low < high) & (high <= 1)).all()


@each("n", [20, 50, 100, 500])
@each("shares", [(0, 0), (0.05, 0.05), (0.2, 0.1), (0.5, 0.5), (0.5, 0.2)])
def test_mover_covers_a_difference_as_stated(n, shares):
    """93.5 to 95.8 % in 20 settings, over all pairs of tallies."""
    assert 0.935 <= difference_covered(n, *shares) <= 0.958


@pytest.mark.parametrize("n", proving([20, 30], but=[20]))
@each("shares", [(0, 0, 0), (0.02,) * 3, (0.1,) * 3, (0.5,) * 3, (0, 0.5, 1), (0, 1, 0)])
def test_a_trend_covers_its_slope_as_stated(shares, n):
    """94.4 to 95.2 % of three waves, over all triples of tallies."""
    assert 0.944 <= trend_covered(n, shares, (0, 1, 3)) <= 0.952


@each("n", [20, 30, 50])
@each("mechanism", [Exponential(in_a_row(3), 2), PermuteAndFlip(in_a_row(3), 5)])
def test_shares_of_a_choice_by_score_are_covered_as_stated(mechanism, n):
    """At 231 populations, over all tallies; with normal intervals the least was 86 % at n = 30."""
    populations = [(i / 20, j / 20, (20 - i - j) / 20) for i in range(21) for j in range(21 - i)]
    found = choices_covered(n, mechanism, populations)

    assert found.min() >= (0.924 if n < 30 else 0.932)
    assert 0.949 <= found.mean() <= 0.955


@pytest.mark.parametrize("n", proving([20, 30], but=[20]))
@each("design", [two_coins(), warner("9/10")])
def test_cells_of_a_joint_table_are_covered_as_stated(design, n):
    """93 % or more, over all tables; normal intervals held a cell of 5 % in 85 % at n = 30."""
    populations = [(1, 0, 0, 0), (0.96, 0.02, 0.01, 0.01), (0.8, 0.1, 0.05, 0.05), (0.25,) * 4]

    found = cells_covered(n, design, [*populations, (0.5, 0, 0, 0.5)])

    assert found.min() >= 0.93


@each("shares", [(0, 1, 0), (0.02, 0.98, 0), (0.1, 0.8, 0.1), (0.5, 0.4, 0.1), (0, 0.7, 0.3)])
def test_what_two_samples_tell_is_covered_as_stated(shares):
    """All three numbers, over all pairs of tallies; with normal intervals 92 % at n = 30."""
    for n, least in ((20, 0.929), (30, 0.939)):
        found = two_samples_covered(n, shares)

        assert found.min() >= least
        assert found.max() <= 0.96


@each("n", [20, 30, 50])
def test_moments_of_cards_are_covered_as_stated(n):
    """93.3 % or more, over all tallies of two cards a report."""
    assert min(cards_covered(n, (0, 0.02, 0.1, 0.5, 0.9, 1))) >= 0.933


@pytest.mark.prove
@pytest.mark.parametrize("share", [0, 0.01, 0.05, 0.2, 0.5, 0.95])
def test_all_looks_together_are_covered(share):
    """At least 95 % of surveys never exclude the truth, looked at after each of 300 reports."""
    assert ever_missed(0.25 + share / 2, bounds(300)) <= 0.05


def test_an_ordinary_interval_fails_whoever_peeks():
    """The score interval excludes the truth at some of 199 looks more than four times too often."""
    fractions = [(ends(n, "score") + 0.5) / 2 for n in range(1, 200)]

    assert ever_missed(0.35, fractions) > 0.2


@pytest.mark.prove
def test_the_page_shows_what_the_estimators_do():
    """It is written by `make bench`."""
    page = Path(__file__).parents[3] / "docs" / "reference" / "coverage.md"
    script = runpy.run_path(str(page.with_name("make_coverage.py")))

    assert script["main"]() + "\n" == page.read_text("utf-8")


@pytest.mark.parametrize("p", [Fraction(1, 4), Fraction(3, 4), Fraction(1, 1000)])
def test_binomial_tails_equal_their_sums(p):
    """Both tails, for every k of up to 40 trials, against sums of exact ratios."""
    for n in (1, 2, 7, 40):
        masses = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        for k in range(n + 1):
            expected = float(sum(masses[k:])), float(sum(masses[: k + 1]))
            actual = tail_from(k, n, float(p)), tail_to(k, n, float(p))

            assert pytest.approx(expected, rel=1e-9, abs=1e-15) == actual


@each("n", [1, 2, 20, 1000])
@each("p", [0.0, 1e-9, 0.25, 0.5, 0.75, 1 - 1e-9, 1.0])
def test_two_tails_are_everything(n, p):
    """Pr[K <= k] + Pr[K >= k + 1] = 1, at every edge."""
    sums = [tail_to(k, n, p) + tail_from(k + 1, n, p) for k in (-1, 0, 1, n // 2, n - 1, n)]

    assert pytest.approx([1] * 6, abs=1e-12) == sums


def test_a_fair_survey_is_rarely_called_impossible():
    """At a true share of 0, fewer than 1 in 100 surveys fall so low by chance."""
    for n in (20, 100, 1000):
        alarms = [
            k
            for k in range(n)
            if estimate_yes(yes=k, n=n, mechanism=TwoCoin()).design_p_value < 0.01
        ]

        assert sum(probability(n, k, 0) for k in alarms) < 0.01


def test_held_back_reports_are_noticed():
    """5,000 reports at a true share of 0, a tenth of the yes reports gone: 1,125 of 4,875."""
    estimate = estimate_yes(yes=1125, n=4875, mechanism=TwoCoin())

    assert estimate.design_p_value < 0.01


def test_possible_reports_raise_no_suspicion():
    """Between the two rates of the design there is nothing to explain."""
    assert estimate_yes(yes=400, n=1000, mechanism=TwoCoin()).design_p_value == 1
