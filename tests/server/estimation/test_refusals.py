"""Whatever cannot be estimated is refused with an error of our own that says why."""

import numpy as np
import pandas
import pytest
from sweeps import each

from tossup.server.estimation import (
    Difference,
    EstimationError,
    Ratio,
    TwoCoin,
    anchored,
    answer_correlation,
    anytime_interval,
    cheating_detection,
    compare_pairs,
    design_named,
    estimate,
    estimate_counts,
    estimate_histogram,
    estimate_joint,
    estimate_moments,
    estimate_share,
    estimate_shares,
    estimate_table,
    forged_interval,
    horvitz_thompson,
    if_some_deny,
    kuk,
    likelihood_ratio,
    post_stratified,
    raked,
    regress,
    regress_choice,
    regress_grouped,
    regress_number_on,
    regress_on,
    regress_with_denial,
    same_shares,
    sample,
    stochastic_lie_detector,
    tabulate,
    to_frame,
    trend,
    two_coins,
    unrelated_unknown,
    warner,
    weighted_share,
)
from tossup.server.estimation.weighting.scrambled import scrambled

C = two_coins()
nan, inf = float("nan"), float("inf")
S = estimate(yes=400, n=1000, design=C)
R = sample([1, 0, 1, 0], C)

#: What somebody may try, by what is wrong with it.
TRIED = {
    "none design": lambda: estimate(yes=1, n=2, design=None),
    "str design": lambda: estimate(yes=1, n=2, design="two-coins"),
    "str parameter": lambda: estimate(yes=1, n=2, design="warner 0.7"),
    "str pair": lambda: estimate(yes=1, n=2, design="cheating"),
    "float yes": lambda: estimate(yes=1.5, n=2, design=C),
    "nan yes": lambda: estimate(yes=nan, n=2, design=C),
    "none yes": lambda: estimate(yes=None, n=2, design=C),
    "n0": lambda: estimate(yes=0, n=0, design=C),
    "counts none": lambda: estimate_counts(None, C),
    "counts str": lambda: estimate_counts("ab", C),
    "design list bad": lambda: estimate(yes=1, n=2, design=[[1, 2], [3]]),
    "design nan": lambda: estimate(yes=1, n=2, design=[[nan, 1], [1, 0]]),
    "design empty": lambda: estimate(yes=1, n=2, design=[]),
    "design dict": lambda: estimate(yes=1, n=2, design={}),
    "design num": lambda: estimate(yes=1, n=2, design=3),
    "singular": lambda: warner(0.5),
    "conf none": lambda: S.interval(None),
    "conf str": lambda: S.interval("0.95"),
    "conf nan": lambda: S.interval(nan),
    "conf summary": lambda: S.summary(2),
    "method none": lambda: S.interval(0.95, None),
    "seq conf": lambda: anytime_interval(S, nan),
    "forged none": lambda: forged_interval(S, None),
    "forged nan": lambda: forged_interval(S, nan),
    "forged str": lambda: forged_interval(S, "a"),
    "deny": lambda: if_some_deny(S, [nan]),
    "deny str": lambda: if_some_deny(S, ["a"]),
    "deny none": lambda: if_some_deny(S, None),
    "anchor": lambda: anchored((1, 2, 3), C),
    "anchor none": lambda: anchored(None, C),
    "pairs empty": lambda: compare_pairs({}),
    "pairs bad": lambda: compare_pairs({"a": 1, "b": 2}),
    "diff bad": lambda: Difference(S, None).value,
    "same bad": lambda: same_shares([S, None]),
    "ratio0": lambda: Ratio(S, estimate(yes=250, n=1000, design=C)).value,
    "sample none": lambda: sample(None, C),
    "sample empty": lambda: sample([], C),
    "sample text": lambda: sample(["a", "b"], C),
    "sample nan": lambda: sample([nan, 1], C),
    "sample none design": lambda: sample([1, 0], None),
    "w zero": lambda: sample([1, 0], C, weights=[0, 0]),
    "w neg": lambda: sample([1, 0], C, weights=[1, -1]),
    "w text": lambda: sample([1, 0], C, weights=["a", "b"]),
    "w nan": lambda: sample([1, 0], C, weights=[nan, 1]),
    "w short": lambda: sample([1, 0], C, weights=[1]),
    "w none in": lambda: sample([1, 0], C, weights=[None, 1]),
    "counts text": lambda: sample([1, 0], C, counts=["a", "b"]),
    "strata int": lambda: sample([1, 0], C, strata=3),
    "strata unhash": lambda: sample([1, 0], C, strata=[[1], [2]]),
    "pop text": lambda: sample([1, 0], C, population="many"),
    "pop neg": lambda: sample([1, 0], C, population=-1),
    "domain empty": lambda: weighted_share(R, [False] * 4),
    "domain text": lambda: weighted_share(R, ["a"] * 4),
    "domain none": lambda: weighted_share(None),
    "ps": lambda: post_stratified(R, ["a"] * 4, {}),
    "ps text": lambda: post_stratified(R, ["a"] * 4, {"a": "x"}),
    "ps none": lambda: post_stratified(R, None, {}),
    "rake": lambda: raked(R),
    "ht": lambda: horvitz_thompson([1, 0], C, [0.5, 2]),
    "ht text": lambda: horvitz_thompson([1, 0], C, ["a", "b"]),
    "ht none": lambda: horvitz_thompson([1, 0], C, None),
    "ht pop": lambda: horvitz_thompson([1, 0], C, [0.5, 0.5], population=nan),
    "ht popstr": lambda: horvitz_thompson([1, 0], C, [0.5, 0.5], population="x"),
    "joint none": lambda: estimate_joint(None, [C, C]),
    "joint text": lambda: estimate_joint([["a", "b"], ["c", "d"]], [C, C]),
    "joint nan": lambda: estimate_joint([[nan, 1], [1, 1]], [C, C]),
    "joint ragged": lambda: estimate_joint([[1, 2], [1]], [C, C]),
    "joint none design": lambda: estimate_joint([[1, 2], [1, 2]], [C, None]),
    "joint designs none": lambda: estimate_joint([[1, 2], [1, 2]], None),
    "joint singular": lambda: estimate_joint([[1, 2], [1, 2]], [C, [[0.5, 0.5], [0.5, 0.5]]]),
    "tab none": lambda: tabulate(None, [2]),
    "tab text": lambda: tabulate([["a"], ["b"]], [2, 2]),
    "tab neg": lambda: tabulate([[-1], [0]], [2, 2]),
    "cor text": lambda: answer_correlation([1, 0], ["a", "b"], C),
    "cor none": lambda: answer_correlation([1, 0], None, C),
    "reg text cov": lambda: regress([1, 0, 1], {"x": ["a", "b", "c"]}, C),
    "reg none cov": lambda: regress([1, 0, 1], None, C),
    "reg list cov": lambda: regress([1, 0, 1], [1, 2, 3], C),
    "reg array cov": lambda: regress([1, 0, 1], np.ones((3, 2)), C),
    "reg none in cov": lambda: regress([1, 0, 1], {"x": [None, 1, 2]}, C),
    "reg nan cov": lambda: regress([1, 0, 1], {"x": [nan, 1, 2]}, C),
    "reg none design": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, None),
    "reg str design": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, "two"),
    "reg empty designs": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, []),
    "reg designs None in": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, [C, None, C]),
    "reg designs short": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, [C, C]),
    "reg text rep": lambda: regress(["y", "n", "y"], {"x": [0, 1, 2]}, C),
    "reg none rep": lambda: regress(None, {"x": [0, 1, 2]}, C),
    "reg nan rep": lambda: regress([nan, 0, 1], {"x": [0, 1, 2]}, C),
    "reg none in rep": lambda: regress([None, 0, 1], {"x": [0, 1, 2]}, C),
    "reg 2d rep": lambda: regress([[1], [0]], {"x": [0, 1]}, C),
    "reg counts text": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, C, counts=["a"] * 3),
    "reg counts zero": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, C, counts=[0, 0, 0]),
    "reg counts none in": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, C, counts=[None, 1, 1]),
    "reg clusters": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, C, clusters=3),
    "reg clusters unhash": lambda: regress(
        [1, 0, 1], {"x": [0, 1, 2]}, C, clusters=[[1], [2], [3]]
    ),
    "reg link": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, C, link=None),
    "reg link list": lambda: regress([1, 0, 1], {"x": [0, 1, 2]}, C, link=[]),
    "reg rank": lambda: regress([1, 0, 1], {"x": [0, 1, 2], "y": [0, 2, 4]}, C),
    "reg one row": lambda: regress([1], {"x": [0]}, C),
    "reg complex": lambda: regress([1, 0, 1], {"x": [1j, 2, 3]}, C),
    "reg inf": lambda: regress([1, 0, 1], {"x": [inf, 2, 3]}, C),
    "reg huge": lambda: regress([1, 0, 1, 0], {"x": [1e308, -1e308, 3, 2]}, C),
    "reg pred missing": lambda: regress([1, 0] * 50, {"x": list(range(100))}, C).predict_answer({}),
    "reg pred text": lambda: regress([1, 0, 0, 1] * 50, {"x": list(range(200))}, C).predict_answer(
        {"x": ["a"]}
    ),
    "reg pred none": lambda: regress([1, 0, 0, 1] * 50, {"x": list(range(200))}, C).predict_answer(
        None
    ),
    "reg errors": lambda: regress([1, 0, 0, 1] * 50, {"x": list(range(200))}, C).standard_errors(
        "HC0"
    ),
    "choice": lambda: regress_choice([0, 1, 2], {}, C),
    "choice none": lambda: regress_choice([0, 1], {}, None),
    "on none": lambda: regress_on(None, {}, [1, 0], C),
    "on text": lambda: regress_on(["a", "b"], {}, [1, 0], C),
    "on design": lambda: regress_on([1, 0], {}, [1, 0], None),
    "num text": lambda: regress_number_on(["a", "b"], {}, [1, 0], C),
    "num none": lambda: regress_number_on(None, {}, [1, 0], C),
    "denial": lambda: regress_with_denial([1, 0], {}, C, None),
    "denial2": lambda: regress_with_denial([1, 0], {}, C, ["a", "b"]),
    "denial3": lambda: regress_with_denial([1, 0], {}, C, [True]),
    "grouped none": lambda: regress_grouped([1, 0], {}, C, None),
    "grouped unhash": lambda: regress_grouped([1, 0] * 50, {}, C, [[1]] * 100),
    "grouped one": lambda: regress_grouped([1, 0] * 50, {}, C, [1] * 100),
    "lr": lambda: likelihood_ratio(None, None),
    "uu": lambda: unrelated_unknown((1, 0), (1, 2), p=(0.7, 0.3)),
    "uu p": lambda: unrelated_unknown((1, 3), (1, 2), p=(0.7, 0.7)),
    "uu p1": lambda: unrelated_unknown((1, 3), (1, 2), p=(0.7,)),
    "uu none": lambda: unrelated_unknown(None, (1, 2), p=(0.7, 0.3)),
    "uu pnone": lambda: unrelated_unknown((1, 2), (1, 2), p=None),
    "sld": lambda: stochastic_lie_detector((5, 2), (1, 2), p=(0.7, 0.3)),
    "cdm": lambda: cheating_detection((1.5, 2), (1, 2), yes=(0.7, 0.3)),
    "kuk": lambda: kuk(yes="a", no=0.1),
    "kuk draws": lambda: kuk(yes=0.3, no=0.1, draws=2.5),
    "shares": lambda: estimate_shares(None, C.rows),
    "shares2": lambda: estimate_shares((1, 2), None),
    "share mech": lambda: estimate_share((1, 2), None),
    "moments": lambda: estimate_moments((1, 2), None),
    "moments none": lambda: estimate_moments(None, C),
    "table": lambda: estimate_table(3),
    "table none": lambda: estimate_table(None),
    "table row": lambda: estimate_table([3]),
    "trend": lambda: trend(None),
    "named": lambda: design_named("x", {}),
    "to_frame": lambda: to_frame([1]),
    "histogram": lambda: estimate_histogram((1, 2), C, None),
    "scr": lambda: scrambled(["a"], told=0.5, mean=1, deviation=1),
}


@each("wish, attempt", TRIED.items())
def test_what_cannot_be_estimated_is_refused_by_name(wish, attempt):
    """Never Python's own error, never a number."""
    with pytest.raises(EstimationError) as caught:
        attempt()

    assert len(str(caught.value)) > 10


def test_text_covariates_are_told_what_to_become():
    """Columns of 0 and 1; the covariate is named."""
    with pytest.raises(EstimationError, match="town must be numbers; make text such as 'north'"):
        regress([1, 0, 1], {"town": ["north", "south", "north"]}, C)


def test_mechanisms_may_stand_for_designs_in_every_row():
    """As one does for all rows."""
    reports, covariates = [1, 0, 0, 1] * 50, {"x": list(range(200))}
    rows = regress(reports, covariates, [TwoCoin()] * 200)

    assert list(regress(reports, covariates, TwoCoin()).coefficients) == list(rows.coefficients)


def test_covariates_may_be_a_frame():
    """Its columns by name."""
    reports, x = [1, 0, 0, 1] * 50, list(range(200))
    frame = pandas.DataFrame({"x": x})

    assert list(regress(reports, {"x": x}, C).coefficients) == list(
        regress(reports, frame, C).coefficients
    )
