"""Weights, strata, clusters and finite populations: invariants and refusals."""

from itertools import product

import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation import EstimationError
from tossup.server.estimation.designs.design import (
    custom,
    direct,
    forced_response,
    two_coins,
    warner,
)
from tossup.server.estimation.papers.asking import estimate
from tossup.server.estimation.weighting.calibration import post_stratified, raked
from tossup.server.estimation.weighting.finite import horvitz_thompson
from tossup.server.estimation.weighting.samples import sample
from tossup.server.estimation.weighting.weighted import weighted_share


def test_equal_weights_change_nothing():
    """The unweighted estimate, and its interval up to n - 1 for n."""
    plain = estimate(yes=400, n=1000, design=two_coins())
    share = weighted_share(sample([1, 0], two_coins(), counts=[400, 600], weights=[7, 7]))

    assert pytest.approx(plain.value, abs=1e-12) == share.value
    assert pytest.approx(999) == share.effective_n
    assert pytest.approx(plain.interval().low, abs=1e-4) == share.interval().low


def test_impossible_reports_carry_the_warning_of_an_unweighted_share():
    """The same figure for equal weights, also in clusters; and none for reports that can be."""
    for n in (5, 20, 200):
        for yes in range(0, n + 1, n // 5):
            plain = estimate(yes=yes, n=n, design=two_coins())
            rows = sample(
                [1, 0] * 2, two_coins(), counts=[yes // 2, n // 2 - yes // 2, yes - yes // 2,
                n - n // 2 - yes + yes // 2], weights=[3] * 4, clusters=[1, 1, 2, 2],
            )  # fmt: skip
            share = weighted_share(rows)

            assert pytest.approx(plain.design_p_value, abs=1e-12) == share.design_p_value
            assert (plain.warning is None) == (share.warning is None)
    warned = weighted_share(sample([0], two_coins(), counts=[200], weights=[2]))
    assert "honest devices send such reports" in str(warned.facts)
    several = weighted_share(
        sample([0, 0], [two_coins(), custom([["2/3", "1/3"], ["1/3", "2/3"]])], counts=[200, 200])
    )
    assert several.design_p_value < 1e-6


def test_a_census_still_has_the_noise_of_its_coins():
    """The correction takes [pi (1 - pi)] / n away, and leaves (3/4) / n."""
    rows = {"counts": [400, 600], "design": two_coins(), "reports": [1, 0]}
    census = weighted_share(sample(**rows, population=1000))
    unknown = weighted_share(sample(**rows))

    assert pytest.approx(0.75 / 1000, rel=1e-12) == census.standard_error**2
    assert pytest.approx((0.3 * 0.7 + 0.75) / 999, rel=1e-12) == unknown.standard_error**2


def test_agreeing_reports_have_an_interval():
    """All yes: the coins alone vary, and the weights alone tell the effective number."""
    share = weighted_share(sample([1, 1], two_coins(), counts=[10, 10], weights=[1, 3]))

    assert pytest.approx(0.75 * 100 / 40**2) == share.standard_error**2
    assert pytest.approx(40**2 / 100) == share.effective_n
    assert share.interval().high == 1.5 > share.interval().low


def test_rounding_of_weights_does_not_widen_the_interval_of_reports_that_agree():
    """Weights whose parts sum to a little less than 1: an interval was half the range wide."""
    rng = np.random.default_rng(1)
    for weights in rng.lognormal(0, 0.5, (50, 30)):
        yes, no = (
            weighted_share(sample([said] * 30, direct(), weights=weights)) for said in (1, 0)
        )

        assert pytest.approx(weights.sum() ** 2 / (weights**2).sum()) == yes.effective_n
        assert pytest.approx(no.interval().width) == yes.interval().width


def strata_of_two():
    return sample([1, 0, 1, 0], two_coins(), counts=[60, 40, 30, 70], weights=[1, 1, 1, 1]), [
        "a",
        "a",
        "b",
        "b",
    ]


def test_the_interval_of_agreeing_reports_holds_their_estimate():
    """It is an end of it, which rounding of weights must not put beside it."""
    for design, report, seed in product(
        (two_coins(), warner("4/5"), forced_response(yes="1/6", no="0")), (0, 1), range(40)
    ):
        weights = np.exp(np.random.default_rng(seed).normal(size=5 + seed))
        found = weighted_share(sample([report] * len(weights), design, weights=weights))

        assert found.value in found.interval(), (design.name, report, seed)


def test_post_stratification_is_a_mean_of_strata():
    """The estimate weighs each group's own by its size; its error is that of within-group means."""
    rows, groups = strata_of_two()
    share = weighted_share(post_stratified(rows, groups, {"a": 300, "b": 700}))
    variances = [4 * 0.24 / 100, 4 * 0.21 / 100]
    expected = 0.09 * variances[0] + 0.49 * variances[1]

    assert pytest.approx(0.3 * 0.7 + 0.7 * 0.1) == share.value
    assert pytest.approx(expected * 200 / 199, rel=1e-9) == share.standard_error**2


def test_raking_meets_every_margin():
    """Weights sum to the sizes of both margins at once."""
    rng = np.random.default_rng(4)
    groups = [["abc"[i] for i in rng.integers(0, 3, 200)], list(rng.integers(0, 2, 200))]
    rows = sample(rng.integers(0, 2, 200), two_coins())
    fitted = raked(rows, (groups[0], {"a": 50, "b": 20, "c": 30}), (groups[1], {0: 60, 1: 40}))
    sums = [fitted.weights[np.array(groups[0]) == name].sum() for name in "abc"]

    assert pytest.approx([50, 20, 30], rel=1e-10) == sums
    assert pytest.approx(60, rel=1e-10) == fitted.weights[np.array(groups[1]) == 0].sum()
    assert weighted_share(fitted).standard_error > 0


def refused_sample(**changed):
    given = {"reports": [1, 0, 1, 0], "design": two_coins()} | changed
    return weighted_share(sample(**given))


@each(
    "changed",
    [
        {"reports": []},
        {"reports": [1, 0, 2, 0]},
        {"reports": [1, 0, float("nan"), 0]},
        {"weights": [1, 1, 1]},
        {"weights": [0, 0, 0, 0]},
        {"weights": [1, 1, 1, float("nan")]},
        {"counts": [1, 1, 1, 0.5]},
        {"strata": [1, 1, 2]},
        {"strata": [1, 1, 2, 2], "population": {1: 10}},
        {"design": custom([[1, 0, 0], [0, 1, 0], [0, 0, 1]])},
    ],
)
def test_impossible_samples_are_refused(changed):
    """With an error that says what is wrong."""
    with pytest.raises(EstimationError):
        refused_sample(**changed)


def test_a_lonely_unit_is_refused_when_its_spread_is_asked():
    """A stratum with one cluster tells no spread; the estimate itself stands."""
    share = refused_sample(strata=[1, 1, 2, 2], clusters=[1, 2, 3, 3])

    assert share.value == 0.5
    with pytest.raises(EstimationError):
        share.standard_error  # noqa: B018


@each(
    "ask",
    [
        lambda rows, groups: post_stratified(rows, groups, {"a": 1}),
        lambda rows, groups: post_stratified(rows, groups, {"a": 1, "b": 1, "c": 1}),
        lambda rows, groups: post_stratified(rows, groups, {"a": 1, "b": 0}),
        lambda rows, groups: post_stratified(rows, groups[:3], {"a": 1, "b": 1}),
        lambda rows, groups: raked(rows),
        lambda rows, groups: raked(rows, (groups, {"a": 1, "b": 1}), (groups, {"a": 2, "b": 1})),
        lambda rows, groups: raked(rows, (groups, {"a": 1, "b": 2}), (groups, {"a": 2, "b": 1})),
        lambda rows, groups: weighted_share(rows, [False] * 4),
        lambda rows, groups: weighted_share(rows, [True]),
        lambda rows, groups: weighted_share(rows).interval(method="bootstrap"),
        lambda rows, groups: horvitz_thompson([1, 0], two_coins(), [0.5, 0]),
        lambda rows, groups: horvitz_thompson([1, 0], two_coins(), [0.5]),
        lambda rows, groups: horvitz_thompson([1], two_coins(), [0.5]),
    ],
)
def test_impossible_questions_are_refused(ask):
    """With an error that says what is wrong."""
    with pytest.raises(EstimationError):
        ask(*strata_of_two())


def test_a_population_is_never_smaller_than_its_sample():
    """Nobody is asked twice; the correction for finite populations would be below 0."""
    coins, reports = two_coins(), [0, 1, 1, 0]
    for ask in (
        lambda size: sample(reports, coins, population=size),
        lambda size: sample(reports * 2, coins, clusters=[1, 2, 3, 4] * 2, population=size),
        lambda size: sample(
            reports * 2, coins, strata=["a"] * 4 + ["b"] * 4, population={"a": 9, "b": size}
        ),
        lambda size: horvitz_thompson(reports, coins, [0.5] * 4, population=size),
        lambda size: sample([0, 1], coins, counts=[2, 2], population=size),
    ):
        ask(4)
        with pytest.raises(EstimationError, match="smaller than"):
            ask(3)
