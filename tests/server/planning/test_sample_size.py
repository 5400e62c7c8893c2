"""How many must answer: known values, and that one fewer is too few."""

from fractions import Fraction
from itertools import product
from math import inf

import numpy as np
import pytest
from scipy.stats import binom, norm
from sweeps import each

from tossup.server.estimation.designs.design import direct, forced_response, mangat
from tossup.server.estimation.papers.asking import estimate
from tossup.server.planning import compare
from tossup.server.planning.errors import PlanningError
from tossup.server.planning.sample_size import (
    design_effect,
    margin,
    odds_each,
    odds_for_margin,
    power,
    power_between,
    respondents_for_margin,
    respondents_for_power,
    respondents_per_group,
    symmetric,
)

COINS = symmetric(Fraction(3))


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (0.1, (292, 307, 323, 350, 385)),
        (0.05, (1168, 1226, 1291, 1399, 1537)),
        (0.03, (3244, 3404, 3586, 3885, 4269)),
        (0.02, (7298, 7659, 8068, 8740, 9604)),
        (0.01, (29192, 30636, 32269, 34958, 38415)),
    ],
)
def test_margins_need_the_known_numbers(wanted, numbers):
    """Two coins at five shares; each number reaches the margin, and one less does not."""
    for share, n in zip((0.01, 0.05, 0.1, 0.2, 0.5), numbers, strict=True):
        assert n == respondents_for_margin(COINS, wanted, share=share)
        assert margin(COINS, n, share=share) <= wanted < margin(COINS, n - 1, share=share)


def test_the_widest_margin_is_where_reports_are_even():
    """At one half for symmetric coins; elsewhere for others."""
    assert respondents_for_margin(COINS, 0.05) == 1537
    assert margin(COINS, 1000) == margin(COINS, 1000, share=0.5)
    lopsided = forced_response(yes="0.4", no="0.1")
    assert margin(lopsided, 1000) > margin(lopsided, 1000, share=0.5)


@pytest.mark.parametrize(
    ("first", "second", "randomized", "asked"),
    [(0.1, 0.2, 1377, 199), (0.2, 0.3, 1471, 294), (0.05, 0.1, 5144, 435), (0.4, 0.5, 1565, 388)],
)
def test_differences_need_the_known_numbers(first, second, randomized, asked):
    """Per group, with two coins and asked directly."""
    assert randomized == respondents_per_group(COINS, first, second)
    assert asked == respondents_per_group(direct(), first, second)
    assert power_between(COINS, first, second, n=randomized - 1) < 0.8


@each("share, effect", [(0.5, 4.0), (0.3, 4.6), (0.2, 5.7), (0.1, 9.3), (0.05, 16.8), (0.01, 76.8)])
def test_coins_cost_the_known_design_effects(share, effect):
    """1 + (3/4) / (share (1 - share))."""
    assert pytest.approx(1 + 0.75 / (share * (1 - share))) == design_effect(COINS, share)
    assert effect == round(design_effect(COINS, share), 1)


def test_odds_of_nearly_1_lose_no_digit_of_the_design_effect():
    """The same as by the odds alone, and no error of Python beyond floats."""
    slight, share = Fraction(10**12 + 1, 10**12), 0.2

    for odds in (slight, Fraction(5, 2), Fraction(3), Fraction(10**9)):
        told = compare.design_effect(odds, share)
        assert pytest.approx(told, rel=1e-15) == design_effect(symmetric(odds), share)
    assert inf == design_effect(symmetric(slight), 1e-300)
    assert 1 == design_effect(direct(), share)


@pytest.mark.parametrize(("wanted", "n"), [(0.05, 1537), (0.03, 2000), (0.1, 10_000)])
def test_odds_for_a_margin_are_the_smallest(wanted, n):
    """They reach it, and a thousandth less does not."""
    odds = odds_for_margin(wanted, n)

    assert margin(symmetric(odds), n) <= wanted
    assert margin(symmetric(odds - Fraction(1, 1000)), n) > wanted


@pytest.mark.parametrize(("total", "questions"), [(9, 2), (27, 3), (10, 4), (3, 1)])
def test_questions_share_odds_without_exceeding_them(total, questions):
    """Their product stays within the total; a thousandth more would not."""
    each = odds_each(Fraction(total), questions)

    assert each**questions <= total < (each + Fraction(1, 1000)) ** questions


@each(
    "ask",
    [
        lambda: symmetric(Fraction(1)),
        lambda: respondents_for_margin(COINS, 0),
        lambda: respondents_for_margin(COINS, 1e-9),
        lambda: respondents_for_margin(COINS, 0.05, confidence=1),
        lambda: margin(COINS, 0),
        lambda: margin(COINS, 10, share=1.5),
        lambda: margin(COINS, 10, share=float("nan")),
        lambda: odds_for_margin(0.01, 100),
        lambda: odds_each(Fraction(2), 0),
        lambda: odds_each(Fraction(1001, 1000), 5),
        lambda: respondents_for_power(COINS, 0.2, 0.8, against=0.2),
        lambda: respondents_for_power(COINS, 0.1, 0.8, against=0.2, sides=1),
        lambda: respondents_for_power(COINS, 0.2, 1),
        lambda: respondents_per_group(COINS, 0.2, 0.2),
        lambda: power(COINS, 0.2, n=100, sides=3),
        lambda: power(COINS, 0.2, n=100, level=0),
        lambda: design_effect(COINS, 0),
    ],
)
def test_impossible_plans_are_refused(ask):
    """With an error that says what is wrong."""
    with pytest.raises(PlanningError):
        ask()


@each("design", [direct(), forced_response(yes=0, no="1/6"), forced_response(yes="1/6", no=0)])
def test_reports_that_agree_leave_a_margin(design):
    """Coins that never change an answer are no certainty where all give it, or nearly all."""
    for n in (1, 2, 10, 100, 1000):
        for share in (0, 1e-9, 1e-3, 0.5, 1):
            yes = round(
                float(design.rates[0] + (design.rates[1] - design.rates[0]) * Fraction(share)) * n
            )
            given = estimate(yes=yes, n=n, design=design).interval()
            half = (given.high - given.low) / 2
            assert half / 3 < margin(design, n, share=share) < 3 * half, (n, share)
    assert respondents_for_margin(design, 0.05, share=0) > 40


def test_a_report_that_nobody_sends_refutes_a_share():
    """Of 1,000 with a yes one; the chance that one of n says so is exact."""
    forced = forced_response(yes=0, no="1/6")
    assert power(forced, 0.001, n=100) == pytest.approx(1 - (1 - 0.001 * 5 / 6) ** 100)
    assert power(forced, 0, n=100) == 0
    assert respondents_for_power(forced, 0.001, 0.8) == 1931
    assert power(mangat("7/10"), 0.9, n=50, against=1, sides=1) == 0


@each(
    "parts", [[(0, direct())], [(0.7, direct()), (0.7, direct())], [(-1, direct()), (2, direct())]]
)
def test_parts_are_of_all_respondents(parts):
    """None of them negative, and together no more than all."""
    with pytest.raises(PlanningError, match="together above 0 and at most 1"):
        margin(parts, 100)
    thirds = [(Fraction(1, 3), direct()), (Fraction(2, 3), direct())]
    assert margin(thirds, 100) == pytest.approx(margin(direct(), 100))


def test_planned_power_is_nearly_the_exact_one():
    """79.7 to 81.9 % where 80 % are asked for, and 75 to 84 % of fewer than 130 respondents."""
    for odds, share in product((3, 9), (0.05, 0.1, 0.2, 0.5)):
        n = respondents_for_power(symmetric(Fraction(odds)), share, 0.8)
        none, gap = 1 / (odds + 1), (odds - 1) / (odds + 1)
        yes = np.arange(n + 1)
        refused = abs(yes / n - none) >= norm.isf(0.025) * np.sqrt(none * (1 - none) / n)
        found = binom.pmf(yes, n, none + gap * share)[refused].sum()

        low, high = (0.797, 0.819) if n >= 130 else (0.75, 0.84)
        assert low <= found <= high
