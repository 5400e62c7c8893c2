"""Regressions with randomized answers: invariants, and data without an estimate.

Those of packages are in `test_golden_survey`.
"""

import json
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from alarms import standard_errors
from scipy.integrate import quad
from scipy.stats import t as student
from sweeps import each

from tossup.server.estimation import EstimationError, estimate, estimate_shares
from tossup.server.estimation.designs.design import crosswise, custom, direct, two_coins
from tossup.server.estimation.joint.correlation import answer_correlation
from tossup.server.estimation.regression import (
    NotIdentifiedError,
    RegressionError,
    SeparationError,
    likelihood_ratio,
    regress,
    regress_choice,
    regress_grouped,
    regress_number_on,
    regress_on,
    regress_with_denial,
)
from tossup.server.estimation.regression.links import LINKS

GOLDEN = json.loads(Path(__file__).with_name("golden_survey.json").read_text())
CASES = {case["id"]: case for case in GOLDEN["cases"]}
COINS = two_coins()


def design(rates):
    q, p = (Fraction(str(rate)).limit_denominator(1000) for rate in rates)
    return custom([[1 - q, q], [1 - p, p]])


def rows_of(case):
    """Return the reports, columns and counts of a case's groups."""
    names = [name for name in case["groups"][0] if name not in {"n", "yes"}]
    rows = [
        ([group[name] for name in names], report, count)
        for group in case["groups"]
        for report, count in ((1, group["yes"]), (0, group["n"] - group["yes"]))
        if count
    ]
    values, reports, counts = (list(column) for column in zip(*rows, strict=True))
    return reports, dict(zip(names, map(list, zip(*values, strict=True)), strict=True)), counts


def fit(case, **options):
    reports, columns, counts = rows_of(case)
    return regress(reports, columns, design(case["channel"]), counts=counts, **options)


def grouped_case():
    case = CASES["mixed-mturk-shoplifting"]
    reports, columns, counts = rows_of(case)
    return case, reports, {"gender": columns["gender"]}, columns["conscientiousness"], counts


def test_quadrature_is_the_integral():
    """The likelihood by scipy's integration, group by group, at the estimate."""
    case, reports, columns, groups, counts = grouped_case()
    actual = regress_grouped(reports, columns, design(case["channel"]), groups, counts=counts)
    q, p = (float(rate) for rate in design(case["channel"]).rates)
    fixed = actual.coefficients[0] + actual.coefficients[1] * np.array(columns["gender"])

    def density(u, members):
        mean = 1 / (1 + np.exp(-fixed[members] - actual.deviation * u))
        rate = q + (p - q) * mean
        chance = np.where(np.array(reports)[members] == 1, rate, 1 - rate)
        logs = np.array(counts)[members] @ np.log(chance)
        return np.exp(logs + 700 * len(members) / len(reports) - u**2 / 2) / np.sqrt(2 * np.pi)

    whole = 0.0
    for group in set(groups):
        members = np.flatnonzero(np.array(groups) == group)
        integral, _ = quad(density, -9, 9, (members,), epsabs=0, epsrel=1e-11, limit=200)
        whole += np.log(integral) - 700 * len(members) / len(reports)

    assert pytest.approx(whole, abs=1e-7) == actual.log_likelihood


def test_its_standard_errors_are_those_of_the_likelihoods_curvature():
    """More nodes change nothing; the errors grow with the spread of groups."""
    case, reports, columns, groups, counts = grouped_case()
    few, many = (
        regress_grouped(
            reports, columns, design(case["channel"]), groups, counts=counts, nodes=nodes
        )
        for nodes in (9, 31)
    )
    plain = regress(reports, columns, design(case["channel"]), counts=counts)

    assert pytest.approx(list(many.covariance.ravel()), abs=1e-7) == list(few.covariance.ravel())
    assert few.standard_errors()[0] > plain.standard_errors()[0]


def test_groups_that_do_not_differ_have_no_spread_to_fit():
    """The same reports in every group: an error that says so, not a spread of 0."""
    with pytest.raises(RegressionError, match="differ no more than chance"):
        regress_grouped([1, 0] * 4, {}, COINS, [1, 1, 2, 2, 3, 3, 4, 4], counts=[40, 60] * 4)


def test_a_direct_answer_gives_the_ordinary_linear_regression(sm):
    """Coefficients and maximum-likelihood errors of least squares."""
    columns, truth = people(800)
    rng = np.random.default_rng(9)
    numbers = 5 + 2 * columns["x"] - 3 * truth + rng.normal(size=800)
    actual = regress_number_on(numbers, columns, truth, direct())
    given = sm.add_constant(np.column_stack([*columns.values(), truth]))
    theirs = sm.OLS(numbers, given).fit()

    assert pytest.approx(theirs.params, rel=1e-8) == list(actual.coefficients)
    assert pytest.approx(theirs.bse * np.sqrt(796 / 800), rel=1e-7) == list(
        actual.standard_errors()
    )


def people(n=3000, seed=11):
    rng = np.random.default_rng(seed)
    x, w = rng.normal(size=n), rng.integers(0, 2, n)
    truth = (rng.random(n) < 1 / (1 + np.exp(0.5 - x + 0.4 * w))).astype(int)
    return {"x": x, "w": w}, truth


@pytest.fixture(scope="module")
def sm() -> ModuleType:
    """Return statsmodels, which takes seconds to import."""
    return import_module("statsmodels.api")


@pytest.mark.parametrize("errors", ["observed", "robust"])
def test_direct_questions_give_the_ordinary_regression(errors, sm):
    """Coefficients and errors of statsmodels' Logit, plain and robust (HC0)."""
    columns, truth = people()
    theirs = sm.Logit(truth, sm.add_constant(np.column_stack(list(columns.values()))))
    theirs = theirs.fit(disp=0, cov_type="HC0" if errors == "robust" else "nonrobust")
    actual = regress(truth, columns, direct())

    assert pytest.approx(theirs.params, rel=1e-7) == list(actual.coefficients)
    assert pytest.approx(theirs.bse, rel=1e-6) == list(actual.standard_errors(errors))


def test_cluster_errors_are_those_of_statsmodels(sm):
    """Up to its factor (n - 1) / (n - k)."""
    columns, truth = people(900)
    groups = np.repeat(np.arange(90), 10)
    model = sm.Logit(truth, sm.add_constant(np.column_stack(list(columns.values()))))
    theirs = model.fit(disp=0, cov_type="cluster", cov_kwds={"groups": groups})
    actual = regress(truth, columns, direct(), clusters=list(groups)).standard_errors("cluster")

    assert pytest.approx(theirs.bse, rel=1e-6) == list(actual * np.sqrt(899 / 897))


def test_counts_stand_for_rows():
    """Grouped rows and the same rows one by one give one fit."""
    case = CASES["reg-two-coin-simulated"]
    reports, columns, counts = rows_of(case)
    longer = regress(
        np.repeat(reports, counts),
        {name: np.repeat(column, counts) for name, column in columns.items()},
        design(case["channel"]),
    )
    grouped = fit(case)

    assert grouped.n == longer.n
    assert pytest.approx(list(grouped.coefficients), rel=1e-9) == list(longer.coefficients)
    for errors in ("observed", "robust"):
        assert pytest.approx(list(grouped.standard_errors(errors)), rel=1e-9) == list(
            longer.standard_errors(errors)
        )


@pytest.mark.parametrize("link", LINKS)
def test_an_intercept_alone_is_the_share(link):
    """Every link says the same without covariates: the debiased share."""
    fitted = regress([1, 0], {}, COINS, link=link, counts=[400, 600])

    assert pytest.approx([0.3], abs=1e-9) == list(fitted.predict_answer({}).values)


@pytest.mark.parametrize("link", LINKS)
def test_derivatives_are_those_of_the_mean(link):
    """First and second, against central differences."""
    eta = np.linspace(-3, 3, 25)
    step = 1e-5
    ahead, behind = (LINKS[link].parts(eta + side * step) for side in (1, -1))
    _, slope, bend = LINKS[link].parts(eta)

    assert pytest.approx((ahead[0] - behind[0]) / (2 * step), abs=1e-8) == slope
    assert pytest.approx((ahead[1] - behind[1]) / (2 * step), abs=1e-8) == bend


def test_a_needed_covariate_is_told_by_the_likelihood_ratio():
    """Twice the gap of likelihoods, with a degree of freedom a covariate."""
    case = CASES["reg-nigeria-grouped"]
    reports, columns, counts = rows_of(case)
    larger = fit(case)
    smaller = regress(
        reports,
        {"cov.married": columns["cov.married"], "cov.education": columns["cov.education"]},
        design(case["channel"]),
        counts=counts,
    )
    test = likelihood_ratio(smaller, larger)

    assert test.df == 1
    assert pytest.approx(2 * (larger.log_likelihood - smaller.log_likelihood)) == test.statistic
    assert test.p_value < 0.001


def both_randomized(n=60_000, seed=21):
    """Return people whose outcome and predictor both went through two coins, and the truth."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    hidden = (rng.random(n) < 1 / (1 + np.exp(1 - 0.5 * x))).astype(int)
    outcome = (rng.random(n) < 1 / (1 + np.exp(1 - 0.3 * x - 1.2 * hidden))).astype(int)
    reports = [np.where(rng.random(n) < 0.5, truth, rng.integers(0, 2, n))
               for truth in (outcome, hidden)]  # fmt: skip
    return {"x": x}, outcome, hidden, reports


def test_outcome_and_predictor_may_both_be_randomized():
    """All five coefficients of the truth, within 5.2 standard errors (1e-6 for five)."""
    columns, _, _, (outcome, hidden) = both_randomized()
    fit = regress_on(outcome, columns, hidden, COINS, outcome_designs=COINS)
    z = np.concatenate(
        [
            (fit.coefficients - [-1, 0.3, 1.2]) / fit.standard_errors(),
            (fit.answer_coefficients - [-1, 0.5]) / fit.answer_standard_errors(),
        ]
    )

    assert np.abs(z).max() < standard_errors(5)
    assert (fit.standard_errors() > 0).all()


def test_coins_for_the_outcome_cost_more_than_an_open_one():
    """And a design that tells the truth costs nothing."""
    columns, truth, _, (outcome, hidden) = both_randomized(8000)
    told = regress_on(truth, columns, hidden, COINS)
    as_told = regress_on(truth, columns, hidden, COINS, outcome_designs=direct())
    randomized = regress_on(outcome, columns, hidden, COINS, outcome_designs=COINS)

    assert list(told.coefficients) == list(as_told.coefficients)
    assert (randomized.standard_errors() > told.standard_errors()).all()


def test_its_errors_are_those_of_the_likelihoods_curvature():
    """Of the likelihood written down anew, by central differences of its own derivatives."""
    columns, _, _, (outcome, hidden) = both_randomized(3000)
    fit = regress_on(outcome, columns, hidden, COINS, outcome_designs=COINS)
    at = np.concatenate([fit.coefficients, fit.answer_coefficients])
    z = np.column_stack([np.ones(3000), columns["x"]])

    def likelihood(b):
        yes = 1 / (1 + np.exp(-(z @ b[3:])))
        whole = 0
        for answer, chance in ((0, 1 - yes), (1, yes)):
            mean = 1 / (1 + np.exp(-(z @ b[:2] + answer * b[2])))
            told = np.where(outcome == 1, 0.25 + mean / 2, 0.75 - mean / 2)
            whole = whole + chance * told * np.where(hidden == answer, 0.75, 0.25)
        return np.log(whole).sum()

    def gradient(b):
        return np.array([likelihood(b + 1e-30j * unit).imag / 1e-30 for unit in np.eye(5)])

    steps = 1e-5 * np.eye(5)
    curve = np.array([(gradient(at + s) - gradient(at - s)) / 2e-5 for s in steps])

    assert np.abs(gradient(at)).max() < 1e-6
    assert pytest.approx(np.linalg.inv(-curve).ravel(), rel=1e-5) == list(fit.covariance.ravel())


def test_a_larger_sample_of_reports_finds_the_coefficients_of_the_truth():
    """Randomized reports of the same people, within 5.1 standard errors (1e-6 for three)."""
    columns, truth = people(40_000, seed=3)
    rng = np.random.default_rng(5)
    reports = np.where(rng.random(40_000) < 0.5, truth, rng.integers(0, 2, 40_000))
    actual = regress(reports, columns, COINS)
    z = (actual.coefficients - [-0.5, 1, -0.4]) / actual.standard_errors()

    assert np.abs(z).max() < standard_errors(3)


def test_two_answers_make_the_multinomial_regression_the_logit():
    """The same coefficients, errors and likelihood."""
    case = CASES["reg-two-coin-simulated"]
    reports, columns, counts = rows_of(case)
    logit = fit(case)
    choice = regress_choice(reports, columns, design(case["channel"]), counts=counts)

    assert pytest.approx(list(logit.coefficients), rel=1e-9) == list(choice.coefficients[0])
    assert pytest.approx(list(logit.standard_errors()), rel=1e-8) == list(
        choice.standard_errors()[0]
    )


def test_a_direct_choice_gives_the_ordinary_multinomial_regression(sm):
    """Coefficients and errors of statsmodels' MNLogit."""
    columns, truth = people(1500)
    choice = truth + (columns["x"] > np.random.default_rng(2).normal(size=1500))
    theirs = sm.MNLogit(choice, sm.add_constant(np.column_stack(list(columns.values()))))
    theirs = theirs.fit(disp=0)
    actual = regress_choice(choice, columns, custom(np.eye(3, dtype=int).tolist()))

    assert pytest.approx(theirs.params.T.ravel(), rel=1e-5) == list(actual.coefficients.ravel())
    assert pytest.approx(theirs.bse.T.ravel(), rel=1e-5) == list(actual.standard_errors().ravel())


def test_a_direct_predictor_gives_the_ordinary_regression():
    """With a direct question as predictor, the mixture falls apart into two logits."""
    columns, truth = people()
    outcome = (truth + columns["w"] + np.random.default_rng(1).normal(size=3000) > 1).astype(int)
    actual = regress_on(outcome, columns, truth, direct(), name="truth")
    theirs = regress(outcome, columns | {"truth": truth}, direct())

    assert actual.names == theirs.names
    assert pytest.approx(list(theirs.coefficients), rel=1e-8) == list(actual.coefficients)
    assert pytest.approx(list(theirs.standard_errors()), rel=1e-7) == list(actual.standard_errors())


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "cauchit"])
def test_a_group_as_extreme_as_the_design_allows_is_named(link):
    """Where a group's reports suggest a share below 0, its coefficient has no finite estimate."""
    with pytest.raises(SeparationError, match="old"):
        regress([1, 0, 1, 0], {"old": [0, 0, 1, 1]}, COINS, link=link, counts=[400, 600, 200, 800])


def test_few_outcomes_are_fitted_or_refused_without_a_warning():
    """On the way chances may be so near 0 that their squares are none; numpy warned of them."""
    fitted = 0
    for seed in range(40):
        source = np.random.default_rng(seed)
        outcome, reports = source.integers(0, 2, (2, 10))
        try:
            found = regress_on(outcome, {"x": source.normal(size=10)}, reports, two_coins())
        except EstimationError:
            continue
        assert (found.standard_errors() > 0).all(), seed
        fitted += 1
    assert 0 < fitted < 40


def test_separation_of_direct_answers_is_named():
    """The classical case: a covariate that tells the answer for sure."""
    with pytest.raises(SeparationError, match="old"):
        regress([1, 0, 0], {"old": [0, 0, 1]}, direct(), counts=[40, 60, 100])


def test_the_combination_of_other_covariates_is_named():
    """Shares that sum to 1, a constant, and a column of zeros."""
    with pytest.raises(NotIdentifiedError, match="second"):
        regress([1, 0, 1, 0], {"first": [0, 1, 1, 0], "second": [1, 0, 0, 1]}, COINS)
    with pytest.raises(NotIdentifiedError, match="nothing"):
        regress([1, 0, 1, 0], {"first": [0, 1, 1, 0], "nothing": [0, 0, 0, 0]}, COINS)
    with pytest.raises(NotIdentifiedError, match="second"):
        regress([1, 0], {"first": [0, 1], "second": [1, 3]}, COINS)


FINE = [1, 0, 1, 0]


@each(
    "ask",
    [
        lambda: regress([], {}, COINS),
        lambda: regress([1, 2], {}, COINS),
        lambda: regress([1, float("nan")], {}, COINS),
        lambda: regress(FINE, {"x": [1, 2, 3]}, COINS),
        lambda: regress(FINE, {"x": [1, 2, 3, float("nan")]}, COINS),
        lambda: regress(FINE, {}, COINS, counts=[1, 1, 1, -1]),
        lambda: regress(FINE, {}, COINS, link="log"),
        lambda: regress(FINE, {}, [COINS, direct()]),
        lambda: regress(FINE, {}, custom([[1, 0, 0], [0, 1, 0], [0, 0, 1]])),
        lambda: regress(FINE, {}, COINS, clusters=[1, 2]),
        lambda: regress(FINE, {}, COINS).standard_errors("cluster"),
        lambda: regress(FINE, {}, COINS, clusters=[1, 1, 1, 1]).standard_errors("cluster"),
        lambda: regress(FINE, {}, COINS).standard_errors("jackknife"),
        lambda: likelihood_ratio(regress(FINE, {}, COINS), regress(FINE, {}, COINS)),
        lambda: likelihood_ratio(
            regress(FINE, {}, COINS), regress([0, 0, 1, 1], {"x": [0, 1, 1, 0]}, COINS)
        ),
        lambda: regress_on([1, 0], {}, FINE, COINS),
        lambda: regress_on(FINE, {}, FINE, custom([[1, 0, 0], [0, 1, 0], [0, 0, 1]])),
        lambda: regress_choice(FINE, {}, [COINS] * 3),
        lambda: regress_with_denial(FINE, {}, COINS, [True] * 4),
        lambda: regress_with_denial(FINE, {}, COINS, [True] * 3),
        lambda: regress_with_denial(FINE, {}, COINS, [False] * 4),
        lambda: regress_with_denial(FINE, {}, COINS, [True] * 4, link="log"),
        lambda: regress_grouped(FINE, {}, COINS, [1, 2, 3]),
        lambda: regress_grouped(FINE, {}, COINS, [1, 1, 1, 1]),
        lambda: regress_grouped(FINE, {}, COINS, [1, 1, 2, 2], nodes=1),
        lambda: regress_number_on([1, 2, 3], {}, FINE, COINS),
        lambda: regress_number_on([1, 1, 1, 1], {}, FINE, COINS),
        lambda: regress_choice(FINE, {}, [COINS, COINS, COINS, custom([[1, 0, 0], [0, 1, 0]])]),
    ],
)
def test_unfit_rows_are_refused(ask):
    """With an error that says what is wrong."""
    with pytest.raises(RegressionError):
        ask()


def test_mixed_coins_share_one_model():
    """Rows under two coins, crosswise and asked directly agree on a truth they all expect."""
    designs = [COINS, COINS, crosswise("1/5"), crosswise("1/5"), direct(), direct()]
    expected = [0.25 + 0.5 * 0.3, 0.8 - 0.6 * 0.3, 0.3]
    counts = [round(1000 * part) for rate in expected for part in (rate, 1 - rate)]
    fitted = regress([1, 0] * 3, {}, designs, counts=counts)

    assert pytest.approx([0.3], abs=1e-9) == list(fitted.predict_answer({}).values)


@pytest.mark.parametrize(
    ("reports", "numbers"),
    [([1, 0], [1]), ([1, 0], [1, 1]), ([0, 0], [1, 2]), ([1, 0], [1, float("inf")])],
)
def test_a_correlation_without_spread_is_refused(reports, numbers):
    """Equal numbers, or a share outside (0, 1)."""
    with pytest.raises(EstimationError):
        answer_correlation(reports, numbers, COINS)


@pytest.mark.parametrize("offset", [1e6, 1e8, 1e9])
def test_a_column_far_from_zero_is_refused(offset):
    """Rounding would spoil the fit without a word, or end in an error about something else."""
    rng = np.random.default_rng(3)
    far = offset + rng.normal(size=400)
    reports = rng.integers(0, 2, 400)

    with pytest.raises(RegressionError, match="subtract a round number"):
        regress(reports, {"time": far}, COINS)
    with pytest.raises(RegressionError, match="subtract a round number"):
        regress_with_denial(reports, {"time": far}, COINS, [True] * 400)


def test_rows_that_count_for_nobody_change_nothing():
    """Every regression leaves them out, whatever else stands in them; nobody at all is refused."""
    told, old, groups = [0, 1] * 6, [0, 0, 1, 1] * 3, list("aabbccddeeff")
    counts = [650, 350, 500, 500, 640, 360, 520, 480, 620, 380, 490, 510]
    age = [31.0, 42, 28, 55, 39, 61, 30, 44, 52, 37, 29, 48]
    mixed = [crosswise("1/4"), crosswise("1/4"), crosswise("1/5"), crosswise("1/5")] * 3
    may = [True, False] * 6
    fits = {
        "regress": lambda r, x, a, d, g, m, n: regress(r, x, COINS, counts=n, clusters=g),
        "designs": lambda r, x, a, d, g, m, n: regress(r, x, d, counts=n),
        "choice": lambda r, x, a, d, g, m, n: regress_choice(r, x, COINS, counts=n),
        "number": lambda r, x, a, d, g, m, n: regress_number_on(a, x, r, COINS, counts=n),
        "predictor": lambda r, x, a, d, g, m, n: regress_on(
            x["old"], {}, r, COINS, counts=n, outcome_designs=d
        ),
    }
    for name, fitted in fits.items():
        plain = fitted(told, {"old": old}, age, mixed, groups, may, counts)
        more = fitted(
            [*told, 1, 0], {"old": [*old, 9, 0]}, [*age, 1e6, 0], [*mixed, *mixed[:2]],
            [*groups, "z", "y"], [*may, True, False], [*counts, 0, 0],
        )  # fmt: skip

        assert str(plain) == str(more), name
        with pytest.raises(RegressionError, match="nobody"):
            fitted(told, {"old": old}, age, mixed, groups, may, [0] * 12)
    with pytest.raises(RegressionError, match="13 values for 12 counts"):
        regress([*told, 1], {}, COINS, counts=[0, *counts[1:]])


def test_a_covariate_may_be_a_year():
    """Where it is 0 is nobody's business: coefficients and errors are those of years from 1980."""
    rng = np.random.default_rng(5)
    age = np.arange(60) - 30
    told = (rng.random(60) < 0.25 + 0.5 / (1 + np.exp(-rng.normal(size=60)))).astype(int)
    outcome, half = (rng.random(60) < 0.4).astype(int), rng.random(60) < 0.5
    three = custom([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    kinds = (np.arange(60) * 7) % 3
    asks = (
        *(
            partial(lambda x, link: regress(told, {"x": x}, COINS, link=link), link=link)
            for link in ("logit", "probit", "cloglog", "cauchit", "linear")
        ),
        lambda x: regress_choice(kinds, {"x": x}, three),
        lambda x: regress_on(outcome, {"x": x}, told, COINS),
        lambda x: regress_number_on(outcome + age / 50 + half, {"x": x}, told, COINS),
    )
    for ask in asks:
        fits = [{line.name: line for line in ask(age + zero).lines()} for zero in (0, 1980, 30_000)]
        for name in (name for name in fits[0] if not name.startswith("(Intercept)")):
            for fit in fits[1:]:
                assert pytest.approx(fits[0][name].value, rel=1e-3, abs=1e-6) == fit[name].value
                assert pytest.approx(fits[0][name].stderr, rel=1e-3) == fit[name].stderr
    with pytest.raises(SeparationError, match="coefficient of born"):
        regress([1, 0, 1, 0], {"born": [1960, 1960, 2000, 2000]}, COINS, counts=[400, 600, 20, 980])


def test_what_a_saturated_model_predicts_is_the_share_of_each_group():
    """Value and standard error are those of `estimate`, whatever the link; robust ones, too."""
    counts, old = [330, 170, 240, 260], [0, 0, 1, 1]
    groups = [estimate(yes=yes, n=500, design=COINS) for yes in (170, 260)]
    for link in LINKS:
        fitted = regress([0, 1, 0, 1], {"old": old}, COINS, counts=counts, link=link)
        for errors in ("observed", "robust"):
            found = fitted.predict_answer({"old": [0, 1]}, errors)

            assert pytest.approx([share.value for share in groups]) == list(found.values)
            expected = [share.standard_error for share in groups]
            assert pytest.approx(expected) == list(found.standard_errors()), (link, errors)
            for share, interval in zip(groups, found.intervals(), strict=True):
                assert share.value in interval
                assert link == "linear" or 0 < interval.low < interval.high < 1
    coins = custom([["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]])
    found = regress_choice([0, 1, 2], {}, coins, counts=[400, 350, 250]).predict_answer({})
    shares = estimate_shares((400, 350, 250), coins)

    assert pytest.approx(shares.values) == list(found.values.ravel())
    assert pytest.approx(shares.standard_errors()) == list(found.standard_errors().ravel())
    assert len(found.lines()) == 3 == len(found.intervals())


def test_a_prediction_far_beyond_the_data_is_never_certain():
    """Where both ends would be 0 or 1 it is refused, with what to do."""
    fitted = regress([0, 1, 0, 1], {"old": [0, 0, 1, 1]}, COINS, counts=[330, 170, 240, 260])
    for old in (1e3, -1e5, 1e9):
        with pytest.raises(RegressionError, match=r"row 1 .* cannot be told from [01]"):
            fitted.predict_answer({"old": [0, old]}).intervals()


def test_errors_of_clusters_have_the_same_interval_wherever_they_are_told():
    """By Student's t of clusters less one, in the table too; the p-value as well."""
    rows = {"counts": [30, 20, 20, 30, 25, 25, 10, 40], "clusters": [1, 1, 2, 2, 3, 3, 4, 4]}
    fitted = regress([0, 1] * 4, {}, COINS, **rows)
    (line,), (interval,) = fitted.lines(errors="cluster"), fitted.intervals(errors="cluster")
    error = float(fitted.standard_errors("cluster")[0])

    assert line.interval == interval
    assert pytest.approx(2 * student.ppf(0.975, 3) * error) == interval.high - interval.low
    assert pytest.approx(2 * student.sf(abs(line.value / error), 3)) == line.p_value
    assert fitted.predict_answer({}, "cluster").df == 3
