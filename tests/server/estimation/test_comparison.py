"""Two groups and more, forged reports, tails: formulas, edges, and what is refused."""

from itertools import pairwise, product
from math import comb, inf, sqrt

import pytest
from scipy import stats
from sweeps import each

from tossup.server.estimation import EstimationError
from tossup.server.estimation.comparing.comparison import Difference, Ratio
from tossup.server.estimation.comparing.pairwise import changes, compare_pairs
from tossup.server.estimation.comparing.significance import fisher, same_shares
from tossup.server.estimation.designs.design import direct, two_coins, warner
from tossup.server.estimation.doubts.forged import SLIDER, forged_interval, forged_intervals
from tossup.server.estimation.intervals.distributions import chi_squared_tail, t_quantile
from tossup.server.estimation.papers.asking import estimate


def coins(yes, n, design=two_coins()):  # noqa: B008  # a frozen value
    return estimate(yes=yes, n=n, design=design)


def test_small_groups_are_tested_exactly():
    """Where an expected count is below 5, the test is Fisher's."""
    actual = Difference(coins(3, 8), coins(1, 9)).significance()

    assert actual.method == "fisher"
    assert pytest.approx(stats.fisher_exact([[5, 3], [8, 1]]).pvalue, rel=1e-12) == actual.p_value


def test_groups_under_different_coins_are_compared_by_their_estimates():
    """A direct question beside two coins: the difference over its standard error."""
    actual = Difference(coins(400, 1000), coins(200, 1000, direct())).significance()

    assert actual.method == "wald"
    assert pytest.approx(0.1 / sqrt(4 * 0.24 / 1000 + 0.16 / 1000), rel=1e-12) == actual.statistic
    assert pytest.approx(2 * stats.norm.sf(actual.statistic), rel=1e-10) == actual.p_value


def test_the_interval_of_a_difference_is_newcombes():
    """His example of method 10: 56/70 against 48/80, 0.0524 to 0.3339."""
    apart = Difference(coins(56, 70, direct()), coins(48, 80, direct())).interval()

    assert (0.0524, 0.3339) == (round(apart.low, 4), round(apart.high, 4))


def test_a_ratio_interval_holds_every_ratio_that_mover_does_not_exclude():
    """At both ends the MOVER interval of first - ratio x second just touches 0."""
    ratio = Ratio(coins(500, 1000), coins(400, 1000))
    interval = ratio.interval()
    first, second = ratio.first.interval(), ratio.second.interval()

    def touching(r, own, other):
        return abs(0.5 - 0.3 * r) - sqrt((own - 0.5) ** 2 + r**2 * (other - 0.3) ** 2)

    assert pytest.approx(5 / 3) == ratio.value
    assert ratio.value in interval
    assert pytest.approx(0, abs=1e-12) == touching(interval.low, first.low, second.high)
    assert pytest.approx(0, abs=1e-12) == touching(interval.high, first.high, second.low)


def test_a_negative_share_has_a_ratio_interval_too():
    """Raw estimates may be negative; the interval then holds negative ratios."""
    ratio = Ratio(coins(240, 1000), coins(600, 1000))

    assert ratio.value in ratio.interval()
    assert ratio.interval().low < 0


def test_intervals_that_hold_together_say_so_where_they_are_printed():
    """Of one of three pairs; a difference by itself has an interval by itself."""
    groups = {
        name: estimate(yes=yes, n=300, design=two_coins())
        for name, yes in (("a", 140), ("b", 110), ("c", 90))
    }
    lines = str(compare_pairs(groups)).splitlines()

    assert ["95 % mover-score interval, one of 3 together" in line for line in lines] == [True] * 3
    assert "together" not in str(Difference(groups["a"], groups["b"]))


def test_holm_adjusts_every_pair():
    """The largest gap stays significant among three, the smallest is not."""
    groups = {"a": coins(250, 1000), "b": coins(300, 1000), "c": coins(310, 1000)}
    pairs = {pair.names: pair for pair in compare_pairs(groups)}

    assert list(pairs) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs["a", "c"].adjusted == 3 * pairs["a", "c"].p_value < 0.05
    assert pairs["b", "c"].adjusted == pairs["b", "c"].p_value > 0.05
    assert pairs["a", "b"].interval.intervals == 3


def test_a_change_is_the_later_wave_less_the_earlier():
    """Waves in the order given."""
    waves = {"2024": coins(250, 1000), "2025": coins(300, 1000), "2026": coins(290, 1000)}
    actual = changes(waves)

    assert [("2025", "2024"), ("2026", "2025")] == [change.names for change in actual]
    assert pytest.approx([0.1, -0.02]) == [change.difference.value for change in actual]


def test_forged_reports_widen_the_interval_by_the_formula():
    """At odds 3: [(L - 1.5 b) / (1 - b), (U + b / 2) / (1 - b)]."""
    share = coins(400, 1000)
    whole = share.interval()
    actual = forged_interval(share, 0.1)

    assert pytest.approx((whole.low - 0.15) / 0.9) == actual.low
    assert pytest.approx((whole.high + 0.05) / 0.9) == actual.high


@each("design", [two_coins(), warner("1/4"), warner("9/10")])
@each("says", [0, 1])
def test_a_forged_interval_holds_the_honest_share(design, says):
    """Whatever the forged reports all say, for rising and falling channels."""
    honest, forged = 8000, 2000
    rate = design.rates[0] * 7 / 10 + design.rates[1] * 3 / 10
    share = coins(int(honest * rate) + says * forged, honest + forged, design)

    assert 0.3 in forged_interval(share, 0.2)


def test_a_slider_has_an_interval_a_step():
    """More forged reports never narrow it; none leave the plain interval."""
    share = coins(400, 1000)
    steps = forged_intervals(share)

    assert SLIDER == tuple(step.forged for step in steps)
    assert (share.interval().low, share.interval().high) == (
        steps[0].interval.low,
        steps[0].interval.high,
    )
    assert all(a.interval.low >= b.interval.low for a, b in pairwise(steps))


@each("df", [1, 2, 3, 10, 101, 5000])
def test_tails_are_scipys(df):
    """Chi-squared tails and Student's quantiles, from the middle to the far ends."""
    points = [df * x for x in (0.01, 0.5, 0.99, 1.01, 1.5, 4)]
    levels = [0.5, 0.9, 0.95, 0.999, 1 - 1e-9]

    assert pytest.approx([stats.chi2.sf(x, df) for x in points], rel=1e-9, abs=1e-300) == [
        chi_squared_tail(x, df) for x in points
    ]
    assert pytest.approx([stats.t.isf((1 - c) / 2, df) for c in levels], rel=1e-8) == [
        t_quantile(c, df) for c in levels
    ]


def test_students_quantile_of_infinitely_many_degrees_is_the_normal_one():
    """The limit, not an error."""
    assert pytest.approx(1.959963984540054) == t_quantile(0.95, inf)


@each("first", list(product(range(4), repeat=2)))
def test_fishers_test_sums_the_tables_no_likelier(first):
    """Against the definition, with binomial coefficients."""
    second = (2, 3)
    n, m, column = sum(first), 5, first[1] + 3
    chance = {k: comb(n, k) * comb(m, column - k) for k in range(min(n, column) + 1)}
    expected = sum(w for w in chance.values() if w <= chance[first[1]]) / comb(n + m, column)

    assert pytest.approx(expected, rel=1e-12) == fisher(first, second)


@each(
    "ask",
    [
        lambda: same_shares([coins(1, 4)]),
        lambda: same_shares([coins(0, 4), coins(0, 5)]),
        lambda: compare_pairs({"all": coins(1, 4)}),
        lambda: Ratio(coins(500, 1000), coins(260, 1000)).interval(),
        lambda: Ratio(coins(500, 1000), coins(250, 1000)).value,
        lambda: Difference(coins(4, 4), coins(0, 4, direct())).significance(),
        lambda: forged_interval(coins(1, 4), 1),
        lambda: forged_interval(coins(1, 4), 0.1, method="profile"),
        lambda: Difference(coins(1, 4), coins(2, 4)).interval(method="profile"),
        lambda: forged_interval(coins(1, 4), float("nan")),
    ],
)
def test_impossible_comparisons_are_refused(ask):
    """With an error that says what is wrong."""
    with pytest.raises(EstimationError):
        ask()
