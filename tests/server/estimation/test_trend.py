"""A share over time: known slopes, the test on raw reports, pooling."""

import pytest
from scipy.stats import linregress
from sweeps import each

from tossup.server.estimation import (
    Difference,
    EstimationError,
    crosswise,
    estimate,
    estimate_shares,
    pooled,
    same_shares,
    trend,
    two_coins,
)

COINS = two_coins()


def waves(*counts, design=COINS):
    return [estimate(yes=yes, n=n, design=design) for yes, n in counts]


def test_a_line_is_found_exactly():
    """Shares .1, .2, .3 of waves of unequal size: .1 a wave."""
    found = trend(waves((300, 1000), (700, 2000), (200, 500)))

    assert pytest.approx(0.1) == found.value
    assert found.value in found.interval()


def test_the_slope_is_that_of_least_squares():
    """Of equal waves, at uneven times: scipy's."""
    years, shares = (2019, 2020, 2024), waves((300, 1000), (380, 1000), (350, 1000))
    expected = linregress(years, [wave.value for wave in shares]).slope

    assert pytest.approx(expected) == trend(shares, years).value


def test_two_waves_are_tested_as_two_groups():
    """The trend test of two is Pearson's chi-squared on the same reports."""
    two = waves((300, 1000), (210, 600))

    assert pytest.approx(same_shares(two).statistic) == trend(two).significance().statistic


def test_the_interval_of_two_waves_is_that_of_two_groups():
    """Newcombe's, of different people; of the same reports with their covariance."""
    no, yes = estimate_shares((14, 6), COINS).options
    for earlier, later in (waves((9, 20), (11, 30)), (no, yes)):
        found, apart = trend([earlier, later], [2020, 2022]), Difference(later, earlier)

        ends = [end / 2 for end in apart.interval().ends]
        assert pytest.approx(ends) == list(found.interval().ends)
        assert apart.interval().method == found.interval().method == "mover-score"


def test_the_test_is_that_of_r():
    """prop.trend.test(c(15, 10, 5), c(30, 30, 30)): X-squared = 7.5, df = 1, p = .00617."""
    found = trend(waves((15, 30), (10, 30), (5, 30))).significance()

    assert pytest.approx((7.5, 0.006169899)) == (found.statistic, found.p_value)
    assert (1, "cochran-armitage") == (found.df, found.method)


def test_waves_under_other_coins_are_tested_by_their_estimates():
    """Wald's test, and its own name."""
    mixed = [*waves((300, 1000)), *waves((600, 1000), design=crosswise("1/3"))]

    assert trend(mixed).significance().method == "wald"


def test_days_of_few_reports_are_pooled_with_their_neighbours():
    """Until 50; a last one of few joins the one before; nothing is lost."""
    days = dict(zip("abcdef", waves((9, 30), (9, 30), (40, 100), (9, 30), (9, 45), (1, 3)),
                    strict=True))  # fmt: skip
    found = pooled(days)

    assert [("a", "b"), ("c",), ("d", "e", "f")] == list(found)
    assert [60, 100, 78] == [wave.n for wave in found.values()]


def test_waves_under_other_coins_are_not_pooled():
    """Their reports do not add up."""
    days = {"a": waves((9, 30))[0], "b": waves((9, 30), design=crosswise("1/4"))[0]}

    assert [("a",), ("b",)] == list(pooled(days))


@each(
    "ask",
    [
        lambda: trend([]),
        lambda: trend(waves((3, 10))),
        lambda: trend(waves((3, 10), (4, 10)), [1, 1]),
        lambda: trend(waves((3, 10), (4, 10)), [1]),
        lambda: trend(waves((3, 10), (4, 10)), [1, float("nan")]),
        lambda: trend(waves((3, 10), (4, 10)), [0, 1e-300]),
        lambda: trend(waves((3, 10), (4, 10)), [0, 1e300]),
        lambda: trend(waves((0, 10), (0, 10))).significance(),
        lambda: pooled({}, fewest=0),
    ],
)
def test_what_has_no_trend_is_refused(ask):
    """With an error that says why."""
    with pytest.raises(EstimationError):
        ask()
