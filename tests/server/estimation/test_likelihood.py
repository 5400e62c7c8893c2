"""The likeliest share, from reports of many kinds and from samples of several designs."""

from math import comb, sqrt

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from tossup.server.estimation import (
    LikelihoodShare,
    ShareEstimate,
    crosswise,
    custom,
    estimate,
    estimate_counts,
    estimate_moments,
    kuk,
    same_shares,
    triangular,
    two_coins,
    unrelated_question,
)

CARDS = kuk(yes="7/10", no="3/10", draws=25)


def test_of_one_yes_no_design_it_is_the_estimate_that_is_there_already():
    """Inside, outside and at the edges: the value, and inside the error and the score interval."""
    for yes in range(201):
        known = estimate(yes=yes, n=200, design=two_coins())
        likeliest = LikelihoodShare((((200 - yes, yes), two_coins()),))

        assert pytest.approx(known.value, abs=1e-12) == likeliest.value, yes
        if 0 <= known.value <= 1:
            ends = known.interval().low, known.interval().high
            found = likeliest.interval()
            assert pytest.approx(known.standard_error) == likeliest.standard_error, yes
            for mine, its in zip(ends, (found.low, found.high), strict=True):
                assert not 0 <= mine <= 1 or pytest.approx(mine, abs=1e-9) == its, yes


def test_it_is_where_the_likelihood_is_highest():
    """As scipy finds it, for red cards."""
    counts = (30, 120, 210, 260, 200, 80)
    design = kuk(yes="3/4", no="7/20", draws=5)
    no, yes = (np.array([float(p) for p in row]) for row in design.rows)
    theirs = minimize_scalar(
        lambda share: -np.array(counts) @ np.log(no + share * (yes - no)),
        bounds=(0, 1), method="bounded", options={"xatol": 1e-12},
    )  # fmt: skip

    assert pytest.approx(theirs.x, abs=1e-6) == estimate_counts(counts, design).value


def test_moments_waste_what_25_cards_tell():
    """With errors as expected at a share of 0.3: more than a fifth of the sample is wasted."""
    no, yes = (np.array([float(p) for p in row]) for row in CARDS.rows)
    counts = tuple(int(c) for c in np.round(1_000_000 * (0.7 * no + 0.3 * yes)))

    likeliest, moments = estimate_counts(counts, CARDS), estimate_moments(counts, CARDS)

    assert pytest.approx(0.3, abs=1e-4) == likeliest.value
    wasted = 1 - (likeliest.standard_error / moments.standard_error) ** 2
    assert 0.1 < wasted < 0.3


def test_one_share_from_several_known_prevalences():
    """The error is that of both samples' information; the interval holds 95 % of the time."""
    designs = [unrelated_question("7/10", prevalence=p) for p in ("1/10", "2/5")]
    size, truth = 40, 0.2
    rates = [float(q + (p - q) * 1 / 5) for q, p in (design.rates for design in designs)]
    chances = [
        [comb(size, k) * rate**k * (1 - rate) ** (size - k) for k in range(size + 1)]
        for rate in rates
    ]
    held = sum(
        chances[0][a] * chances[1][b]
        for a in range(size + 1)
        for b in range(size + 1)
        if chances[0][a] * chances[1][b] > 1e-7
        and truth in estimate(yes=[a, b], n=[size] * 2, design=designs).interval()
    )

    assert 0.93 < held < 0.97
    found = estimate(yes=[600, 900], n=[2500, 2500], design=designs)
    errors = [
        estimate(yes=yes, n=2500, design=design).standard_error
        for yes, design in zip((600, 900), designs, strict=True)
    ]
    information = sum(1 / error**2 for error in errors)
    assert pytest.approx(1 / sqrt(information), rel=0.05) == found.standard_error


def test_designs_that_differ_by_the_order_of_reports_are_one():
    """A crosswise question of one fifth, and the same of four fifths with reports swapped."""
    both = estimate(yes=[320, 180], n=[500, 500], design=["crosswise p=1/5", crosswise("4/5")])

    assert estimate(yes=640, n=1000, design=crosswise("1/5")) == both
    assert isinstance(both, ShareEstimate)


def test_groups_under_several_designs_are_tested_for_one_share():
    """Swapped designs as one; others by the score test, which is Pearson's for one design."""
    fifth = estimate(yes=320, n=500, design=crosswise("1/5"))
    swapped = estimate(yes=220, n=500, design=crosswise("4/5"))
    same = estimate(yes=280, n=500, design=crosswise("1/5"))
    cards = estimate_counts((30, 120, 210, 260, 200, 80), kuk(yes="3/4", no="7/20", draws=5))

    assert same_shares([fifth, same]) == same_shares([fifth, swapped])
    equal = [
        estimate(yes=round(4000 * float(q + (p - q) * 1 / 4)), n=4000, design=design)
        for design in (two_coins(), crosswise("1/3"), unrelated_question("3/5", prevalence="1/2"))
        for q, p in [design.rates]
    ]
    test = same_shares(equal)
    assert ("score", 2) == (test.method, test.df)
    assert test.p_value > 0.99
    assert same_shares([equal[0], cards]).p_value < 1e-6


def test_the_score_test_refuses_as_often_as_it_says():
    """Two designs, one share: 5 % of the time, summed over all counts."""
    size, designs = 40, (two_coins(), crosswise("1/3"))
    rates = [float(q + (p - q) * 3 / 10) for q, p in (design.rates for design in designs)]
    chances = [
        [comb(size, k) * rate**k * (1 - rate) ** (size - k) for k in range(size + 1)]
        for rate in rates
    ]
    refused = sum(
        chances[0][a] * chances[1][b]
        for a in range(size + 1)
        for b in range(size + 1)
        if chances[0][a] * chances[1][b] > 1e-7
        and same_shares(
            [estimate(yes=k, n=size, design=d) for k, d in zip((a, b), designs, strict=True)]
        ).p_value
        < 0.05
    )

    assert 0.035 < refused < 0.065


def test_nothing_is_certain_at_the_edge_of_a_design_that_proves_a_no():
    """Every report says that yes is possible; a few reports do not say it for sure."""
    for design in (triangular("1/4"), custom([["1/2", "1/2", 0], [0, "1/2", "1/2"]])):
        kinds = len(design.rows[0])
        for n in range(1, 40):
            share = LikelihoodShare((((0,) * (kinds - 1) + (n,), design),))
            assert share.standard_error > 0.2 / n, (design.name, n)
            assert share.interval().high - share.interval().low > 0.01, (design.name, n)
            assert share.shown.interval.low < 1, (design.name, n)


def test_reports_that_do_not_fit_are_told():
    """A warning, of all kinds of reports together; none for reports as expected."""
    no, yes = (np.array([float(p) for p in row]) for row in CARDS.rows)
    fitting = tuple(int(c) for c in np.round(2000 * (0.7 * no + 0.3 * yes)))
    odd = (*fitting[:12], 600, *fitting[13:])

    assert "Warning" not in estimate_counts(fitting, CARDS).facts
    assert "fit so ill" in estimate_counts(odd, CARDS).facts["Warning"]
    assert estimate_counts(odd, CARDS).design_p_value < 1e-6
