"""Coverage of the intervals, by summation over every possible tally: no simulation."""

import json
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import pytest

from tossup.server.estimation import estimate_yes
from tossup.server.estimation.binomial import tail_from, tail_to
from tossup.shared.mechanisms import TwoCoin

GOLDEN = json.loads(Path(__file__).with_name("golden_shares.json").read_text())

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


@cache
def intervals(n, method):
    estimates = [estimate_yes(yes=k, n=n, mechanism=TwoCoin()) for k in range(n + 1)]
    if method == "profile":
        return [estimate.shown().interval for estimate in estimates]
    return [estimate.interval(method=method) for estimate in estimates]


def coverage(n, share, method):
    # An end that is the share itself covers it; rounding must not decide.
    slack = 1e-10
    return sum(
        probability(n, k, share)
        for k, interval in enumerate(intervals(n, method))
        if interval.low - slack <= share <= interval.high + slack
    )


#: The exact interval is slow to tabulate: 20, 50 and 200 reports suffice for it.
LARGEST = {"score": 1000, "exact": 200}
CASES = [
    (method, row)
    for method, largest in LARGEST.items()
    for row in GOLDEN["coverage"]["rows"]
    if row["n"] <= largest
]


@pytest.mark.parametrize(("method", "row"), CASES)
def test_score_and_exact_cover_as_computed_elsewhere(method, row):
    """Pairs of n and share against a table computed independently with numpy and scipy."""
    assert pytest.approx(row[method], abs=1e-4) == coverage(row["n"], row["pi"], method)


@pytest.mark.parametrize(("n", "share"), [(n, share) for n in PROFILE for share in PROFILE[n]])
def test_the_shown_interval_covers_as_computed_elsewhere(n, share):
    """The profile column of the same study, printed to a tenth of a percent."""
    assert pytest.approx(PROFILE[n][share], abs=0.06) == 100 * coverage(n, share, "profile")


@pytest.mark.parametrize(
    ("n", "method", "least"),
    [
        (50, "score", 0.934),
        (200, "score", 0.940),
        (50, "exact", 0.95),
        (20, "profile", 0.928),
        (200, "profile", 0.94),
    ],
)
def test_coverage_never_falls_below_its_floor(n, method, least):
    """Over 101 true shares from 0 to 1."""
    assert min(coverage(n, step / 100, method) for step in range(101)) >= least


@pytest.mark.parametrize("p", [Fraction(1, 4), Fraction(3, 4), Fraction(1, 1000)])
def test_binomial_tails_equal_their_sums(p):
    """Both tails, for every k of up to 40 trials, against sums of exact ratios."""
    for n in (1, 2, 7, 40):
        masses = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        for k in range(n + 1):
            expected = float(sum(masses[k:])), float(sum(masses[: k + 1]))
            actual = tail_from(k, n, float(p)), tail_to(k, n, float(p))

            assert pytest.approx(expected, rel=1e-9, abs=1e-15) == actual


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
