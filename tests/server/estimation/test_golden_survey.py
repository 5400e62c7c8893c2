"""All 140 golden cases of published packages, each by name, at its tolerance.

Univariate, two-group, joint, tests and survey designs to 1e-9; regressions to the maximum of the
likelihood at 1e-7; power 1e-7; mixed models 2e-2. Where a package is wrong the case is in
`meta.wrong_in_packages_do_not_reproduce`, and `test_faults_of_packages` has the right value.

Four cases need rows of two data sets of GPL packages, which are not copied here. To run them,
export the rows with R and name their folder in TOSSUP_GOLDEN_ROWS:

- nigeria.csv from `rr` 1.4.2, data `nigeria`: rr_q1, age, asset_index, married, education, female,
  civic (the columns `rr.q1`, `cov.age`, ..., `civic`), empty where missing;
- plagiarism.csv from `GLMMRR` 0.6.0, data `Plagiarism`, rows with gender and age: response,
  gender, rr, partial, age, design, p_yes_given_no, p_yes_given_yes.
"""

import csv
import json
import os
from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation import (
    Difference,
    EstimationError,
    anchored,
    answer_correlation,
    cheating_detection,
    custom,
    direct,
    estimate,
    estimate_counts,
    estimate_joint,
    estimate_moments,
    horvitz_thompson,
    mangat,
    odds_ratio,
    phi,
    regress,
    regress_grouped,
    regress_number_on,
    regress_on,
    regress_with_denial,
    same_shares,
    sample,
    stochastic_lie_detector,
    two_coins,
    unrelated_unknown,
    weighted_share,
)
from tossup.server.estimation.comparing.significance import fisher
from tossup.server.estimation.designs import design as designs
from tossup.server.estimation.intervals.interval import normal_quantile
from tossup.server.estimation.weighting.finite import finite_total
from tossup.server.estimation.weighting.scrambled import scrambled
from tossup.server.estimation.weighting.weighted import WeightedDifference
from tossup.server.planning.sample_size import power, power_between, respondents_for_power

GOLDEN = json.loads(Path(__file__).with_name("golden_survey.json").read_text())
CASES = {case["id"]: case for case in GOLDEN["cases"]}
ROWS = os.environ.get("TOSSUP_GOLDEN_ROWS")
COINS = two_coins()
CHECKS: dict[str, Callable[[dict], None]] = {}


def check(*kinds: str):
    """Register how cases of some kinds are checked."""

    def register(function):
        CHECKS.update(dict.fromkeys(kinds, function))
        return function

    return register


@each("name, case", CASES.items())
def test_a_golden_case_is_reproduced(name, case):
    """By the one check for its kind."""
    CHECKS[case["kind"]](case)


def test_there_are_140_cases_of_known_kinds():
    """None is left out for want of a check."""
    assert len(CASES) == len(GOLDEN["cases"]) == 140
    assert set(CHECKS) == {case["kind"] for case in CASES.values()}


def near(expected, actual, *, rel=1e-9, abs=1e-9):  # noqa: A002
    """Assert that numbers agree: 12 printed digits of numbers of any size."""
    assert pytest.approx(expected, rel=rel, abs=abs) == actual


def exact(number) -> Fraction:
    """Return the ratio that a printed decimal stands for: 0.166666666667 is 1/6."""
    return Fraction(str(number)).limit_denominator(10**7)


def yes_no(rates):
    q, p = map(exact, rates)
    return custom([[1 - q, q], [1 - p, p]])


# One sample


#: RRreg's names and parameters; its FR takes [forced no, forced yes].
CONSTRUCTORS = {
    "Warner": designs.warner,
    "FR": lambda p: designs.forced_response(yes=p[1], no=p[0]),
    "Crosswise": designs.crosswise,
    "Triangular": designs.triangular,
    "UQTknown": lambda p: designs.unrelated_question(p[0], prevalence=p[1]),
    "Mangat": designs.mangat,
    "Kuk": lambda p: designs.kuk(yes=p[0], no=p[1]),
}


@check("univariate")
def _univariate(case):
    p = [exact(x) for x in case["p"]] if isinstance(case["p"], list) else exact(case["p"])
    design = CONSTRUCTORS[case["model"]](p)
    share = estimate(yes=case["yes"], n=case["n"], design=design)

    near([case["p_yes_given_no"], case["p_yes_given_yes"]], [float(r) for r in design.rates])
    near(case["estimate"], share.value)
    near(case["mle_truncated"], share.shown.value)
    if case["n"] == 1:
        with pytest.raises(EstimationError, match="one report has no spread"):
            share.interval(method="wald")
        return
    if case["yes"] in {0, case["n"]}:  # packages have errors of 0 here; no randomized report has
        assert 0 == case["se_n"] < share.stderr
        return
    near(case["se_n"], share.stderr)
    wald = share.interval(method="wald")
    near(case["wald95"], [wald.low, wald.high])
    near(case["se_n_minus_1"], (wald.high - wald.low) / 2 / normal_quantile(0.95))


@check("interval")
def _interval(case):
    share = estimate(yes=case["yes"], n=case["n"], design=COINS)
    ends = [getattr(share.interval(method=m), end) for m in ("score", "exact")
            for end in ("low", "high")]  # fmt: skip

    near([case["estimate"], *case["score"], *case["exact"]], [share.value, *ends])


@check("kuk")
def _kuk(case):
    """RRreg divides the spread of cards by 5 n - 1, that of people by n - 1; we both by n."""
    yes, no = case["p"]
    share = estimate_moments(case["counts_of_0_to_5"], designs.kuk(yes=yes, no=no, draws=5))
    n, draws, pi, gap = case["n"], case["draws"], share.value, yes - no
    red = no + gap * pi
    cards, people = red * (1 - red) / gap**2, (1 - 1 / draws) * pi * (1 - pi)

    near(case["estimate"], pi)
    near(sqrt((cards / draws + people) / n), share.design_standard_error)
    near(case["se"], sqrt(cards / (n * draws - 1) + people / (n - 1)))


@check("categorical")
def _categorical(case):
    found = estimate_counts(case["counts"], custom(_channel_of(case)))
    divisor = sqrt(found.n / (found.n - 1))

    near(case["estimate"], [line.value for line in found.lines()])
    near(case["se"], [line.stderr * divisor for line in found.lines()])


def _channel_of(case):
    """Return [answer][report]; a forced response from what is forced."""
    if "channel_columns_true" in case:
        return [
            list(map(exact, column)) for column in zip(*case["channel_columns_true"], strict=True)
        ]
    forced = [exact(p) for p in case["forced"]]
    told = 1 - sum(forced)
    return [
        [p + told * (answer == report) for report, p in enumerate(forced)]
        for answer in range(len(forced))
    ]


@check("coverage")
def _coverage(case):
    """Summed over every tally; Wald's with divisor n, and to the five digits printed."""
    for row in case["rows"]:
        for method in ("wald", "score", "exact"):
            near(row[method], covered(row["n"], row["pi"], method), abs=1e-4)


def covered(n, share, method):
    """Return the exact chance that an interval covers a share."""
    return float(binomial(n, 0.25 + share / 2) @ holding(n, share, method))


def binomial(n, p):
    from scipy.stats import binom

    return binom.pmf(np.arange(n + 1), n, p)


def holding(n, share, method):
    """Return for each tally whether its interval holds the share; ends rise with the tally."""
    found = np.zeros(n + 1, dtype=bool)
    if method == "wald":
        for k in range(n + 1):
            one = estimate(yes=k, n=n, design=COINS)
            found[k] = abs(one.value - share) <= normal_quantile(0.95) * one.stderr
        return found
    first = bisect_left(range(n + 1), True, key=lambda k: _end(k, n, method, "high") >= share)
    last = bisect_left(range(n + 1), True, key=lambda k: _end(k, n, method, "low") > share)
    found[first:last] = True
    return found


def _end(k, n, method, end):
    """Return an end; one that is the share itself holds it, and rounding must not decide."""
    slack = 1e-10 if end == "high" else -1e-10
    return getattr(estimate(yes=k, n=n, design=COINS).interval(method=method), end) + slack


@check("validation")
def _validation(case):
    """Known cheaters and honest people by design: the printed three digits."""
    found = {}
    for name in ("DQ", "Crosswise", "UQM", "Forced"):
        for truth in ("cheater", "honest"):
            groups = [g for g in case["groups"] if (g["design"], g["truth"]) == (name, truth)]
            found[name, truth] = _pooled(groups)
    expected = {
        "DQ": (0.706, 0.008),
        "Crosswise": (0.529, 0.119),
        "UQM": (0.549, 0.028),
        "Forced": (0.411, -0.043),
    }
    for name, (cheater, honest) in expected.items():
        near(cheater, found[name, "cheater"], abs=6e-4)
        near(honest, found[name, "honest"], abs=6e-4)


def _pooled(groups):
    shares = [
        estimate(yes=g["yes"], n=g["n"], design=yes_no([g["p_yes_given_no"], g["p_yes_given_yes"]]))
        for g in groups
    ]
    return sum(share.value * share.n for share in shares) / sum(share.n for share in shares)


# Two samples


@check("two-group")
def _two_group(case):
    first, second = ((yes, n) for n, yes in (case["group1"], case["group2"]))
    p = [exact(x) for x in case["p"]]
    told, names = {
        "SLD": lambda: (stochastic_lie_detector(first, second, p=tuple(p)),
                        {"share": "pi", "honest": "t"}),
        "UQTunknown": lambda: (unrelated_unknown(first, second, p=tuple(p)),
                               {"share": "pi", "prevalence": "piUQ"}),
        "CDM": lambda: (cheating_detection(first, second, yes=tuple(p)), CHEATING),
        "CDMsym": lambda: (cheating_detection(first, second, yes=(p[0], p[2]), no=(p[1], p[3])),
                           CHEATING),
    }[case["model"]]()  # fmt: skip
    for ours, theirs in names.items():
        near(case["estimates"][theirs], told[ours].value)
        if (spread := case["estimates"][f"{theirs}SE"]) is not None:
            near(spread, told[ours].stderr)


CHEATING = {"honest_yes": "pi", "honest_no": "beta", "cheating": "gamma"}


@check("two-group-comparison")
def _compared(case):
    shares = [estimate(yes=case[f"yes{i}"], n=case[f"n{i}"], design=COINS) for i in (1, 2)]
    apart, test = Difference(*shares), same_shares(shares)
    spread = sqrt(sum(share.stderr**2 * share.n / (share.n - 1) for share in shares))

    near([case["difference"], case["se_n_minus_1"]], [apart.value, spread])
    near([case["chi_square"], case["p_value"]], [test.statistic, test.p_value])
    near(case["fisher_p"], fisher(*(share.counts for share in shares)))


@check("k-group-comparison")
def _several_groups(case):
    shares = [estimate(yes=yes, n=n, design=COINS)
              for yes, n in zip(case["yes"], case["n"], strict=True)]  # fmt: skip
    test = same_shares(shares)

    near([case["chi_square"], case["df"], case["p_value"]], [test.statistic, test.df, test.p_value])


# Power


@check("power")
def _power(case):
    a = case["args"]
    options = {"level": a["sig.level"], "sides": 1 if a["alternative"] == "one.sided" else 2}
    if "n" not in a:
        n = respondents_for_power(_design_of(a), a["presp"], a["power"], against=a["presp.null"],
                                  **options)  # fmt: skip
        assert case["smallest_n_reaching_power"] == n
        assert case["rr_returned_n_too_small"] < n
    elif a["type"] == "one.sample":
        found = power(_design_of(a), a["presp"], n=a["n"], against=a["presp.null"], **options)
        near(case["power"], found, abs=1e-7)
    else:
        found = power_between(_design_of(a), a["prespT"], a["prespC"], n=a["n"],
                              null=a["prespC.null"], **options)  # fmt: skip
        near(case["power"], found, abs=1e-7)


def _design_of(a):
    """Return rr's design; the unknown ones add the information of both samples."""
    p, kind = exact(a["p"]), a["design"]
    if kind == "forced-known":
        return designs.forced_response(yes=exact(a["p1"]), no=exact(a["p0"]))
    if kind in {"mirrored", "disguised"}:
        return designs.warner(p)
    prevalence = exact(a.get("q", 1))
    if kind == "unrelated-known":
        return designs.unrelated_question(p, prevalence=prevalence)
    return [
        (a["r"], designs.unrelated_question(p, prevalence=prevalence)),
        (1 - a["r"], designs.unrelated_question(1 - p, prevalence=prevalence)),
    ]


# Joint answers and correlation


@check("joint-2x2")
def _joint(case):
    counts = [[case["counts"][f"{i}{j}"] for j in (0, 1)] for i in (0, 1)]
    joint = estimate_joint(counts, [yes_no(rates) for rates in case["channel"]])
    told = case["computed"]
    given = joint.conditional(1, 1)
    divisor = sqrt(joint.n / (joint.n - 1))  # theirs is n - 1, ours n

    near(case["phi_correlation"], phi(joint).value)
    near(told["cells_00_01_10_11"], list(joint.cells.ravel()))
    near(told["cell_se"], list(joint.standard_errors().ravel() * divisor))
    near(told["em_simplex"], list(joint.shown.ravel()))
    near(
        [told["margin_first"], told["margin_second"]], [joint.margin(at).cells[1] for at in (0, 1)]
    )
    near(
        [told["second_given_first"], told["second_given_first_se"]],
        [given.value, given.stderr * divisor],
    )
    near(told["odds_ratio"], odds_ratio(joint).value)


def scores_of(case):
    """Return score, report and count of each row of counts by score."""
    cells = case.get("by_score") or CASES["cor-mturk-shoplifting-conscientiousness"]["by_score"]
    rows = [(c["score"], report, count) for c in cells
            for report, count in ((1, c["yes"]), (0, c["n"] - c["yes"])) if count]  # fmt: skip
    return tuple(map(list, zip(*rows, strict=True)))


@check("rr-continuous-correlation")
def _correlation(case):
    scores, reports, counts = scores_of(case)

    found = answer_correlation(reports, scores, yes_no(case["channel"]), counts=counts)
    near(case["correlation"], found.value)


@check("linear-rr-predictor")
def _linear(case):
    """RRlin stops its ascent 3.5e-5 of likelihood early: ours is higher, and agrees to 1e-4."""
    scores, reports, counts = scores_of(case)
    fit = regress_number_on(scores, {}, reports, yes_no(case["channel"]), counts=counts)

    assert case["logLik"] < fit.log_likelihood < case["logLik"] + 1e-4
    near([*case["coef"], *case["se"]], [*fit.coefficients, *fit.standard_errors()], rel=1e-4)
    near(case["sigma"], fit.sigma, rel=1e-5)
    near(case["pi"], float(logistic(fit.answer_coefficients[0])), abs=2e-4)


# Regressions


def grouped(case, *names):
    """Return columns of counted rows: the named ones, then reports and counts."""
    rows = [(*(g[name] for name in names), report, count) for g in case["groups"]
            for report, count in ((1, g["yes"]), (0, g["n"] - g["yes"])) if count]  # fmt: skip
    return [np.array(column) for column in zip(*rows, strict=True)]


def rows_of(name: str) -> dict[str, np.ndarray]:
    """Return the columns of a package's data, complete rows only; see the module's text."""
    if not ROWS:
        pytest.skip(f"rows of {name} are GPL and not copied; set TOSSUP_GOLDEN_ROWS to run this")
    with (Path(ROWS) / name).open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if all(row.values())]
    return {key: np.array([_number(row[key]) for row in rows]) for key in rows[0]}


def _number(text):
    try:
        return float(text)
    except ValueError:
        return text


def nigeria():
    rows = rows_of("nigeria.csv")
    tens = rows["age"] / 10
    columns = {
        "assets": rows["asset_index"],
        "married": rows["married"],
        "tens": tens,
        "squared": tens**2,
        "education": rows["education"],
        "female": rows["female"],
    }
    return rows, columns


def fitted(case, link):
    """Return the fit of an outcome regression, from groups or from rows."""
    if case["id"] == "reg-nigeria-full":
        rows, columns = nigeria()
        return regress(rows["rr_q1"], columns, yes_no(case["channel"]), link=link)
    names = case["names"][1:]
    *values, reports, counts = grouped(case, *names)
    columns = dict(zip(names, values, strict=True))
    return regress(reports, columns, yes_no(case["channel"]), link=link, counts=counts)


@check("logit-rr-outcome", "probit-rr-outcome", "cloglog-rr-outcome", "cauchit-rr-outcome")
def _outcome(case):
    _is_tight(case, fitted(case, case["kind"].partition("-")[0]))


def _is_tight(case, fit):
    """Assert the maximum, its likelihood and all three errors that the packages report."""
    tight = case["tight"]
    near(tight["coef"], list(fit.coefficients), rel=1e-7, abs=1e-9)
    near(tight["logLik_without_binomial_constant"], fit.log_likelihood)
    for ours, theirs in ERRORS.items():
        near(tight[theirs], list(fit.standard_errors(ours)), rel=1e-7, abs=1e-7)


ERRORS = {
    "expected": "se_expected_information",
    "observed": "se_observed_information",
    "opg": "se_opg",
}


@check("logit-rr-outcome-per-row-design")
def _outcome_per_row(case):
    if "groups" in case:
        names = case["names"][1:]
        *values, reports, counts = grouped(case, *names)
        columns = dict(zip(names, values, strict=True))
        by_rr = [yes_no(case["designs"][name]) for name in ("DQ", "Crosswise")]
        rows = [by_rr[int(rr)] for rr in columns["RR"]]
        _is_tight(case, regress(reports, columns, rows, counts=counts))
        return
    reports, columns, rows = plagiarism()
    columns["age"] = ages()
    _is_tight(case, regress(reports, columns, rows))


def plagiarism():
    rows = rows_of("plagiarism.csv")
    columns = {name: rows[name] for name in ("gender", "rr", "partial")}
    pair = {0.0: direct(), 1.0: yes_no([0.75, 0.25])}
    return rows["response"], columns, [pair[rr] for rr in rows["rr"]]


def ages():
    return rows_of("plagiarism.csv")["age"]


@check("logit-rr-mixed", "logit-rr-mixed-per-row-design")
def _mixed(case):
    """lme4's Laplace approximation against quadrature: 2e-2, as far as groups are not tiny."""
    if "groups" in case:
        gender, groups, reports, counts = grouped(case, "gender", "conscientiousness")
        fit = regress_grouped(reports, {"gender": gender}, yes_no(case["channel"]), list(groups),
                              counts=counts)  # fmt: skip
    else:
        reports, columns, rows = plagiarism()
        fit = regress_grouped(reports, columns, rows, list(ages()))

    near(case["coef"], list(fit.coefficients), rel=2e-2, abs=2e-2)
    near(case["se"], list(fit.standard_errors()), rel=2e-2, abs=2e-2)
    near(case["sd_group"], fit.deviation, rel=2e-2, abs=2e-2)


# Mixtures: the golden maximum was found to about 1e-6 only; one step of Newton leads to ours.


def gradient(likelihood: Callable[[np.ndarray], complex], at: Sequence[float]) -> np.ndarray:
    """Return the derivatives of an analytic function, exact to rounding, by complex steps."""
    here = np.array(at, dtype=complex)
    steps = 1e-30j * np.eye(len(here))
    return np.array([likelihood(here + step).imag / 1e-30 for step in steps])


def is_the_maximum(likelihood, golden, ours, covariance):
    """Assert that ours is nearer the maximum than the golden values, which lead there."""
    left, missed = gradient(likelihood, ours), gradient(likelihood, golden)

    assert np.abs(covariance @ left).max() < 1e-9
    assert np.abs(left).max() < np.abs(missed).max()
    near(list(np.array(golden) + covariance @ missed), list(ours), rel=1e-7, abs=1e-8)
    near(golden, list(ours), rel=2e-6, abs=2e-6)


def logistic(eta):
    return 1 / (1 + np.exp(-eta))


@check("logit-rr-predictor")
def _predictor(case):
    q, p = (float(exact(rate)) for rate in case["channel"])
    if "groups" in case:
        told = [(g["rr.q1"], g["cov.female"], y, n) for g in case["groups"]
                for y, n in ((1, g["yes"]), (0, g["n"] - g["yes"]))]  # fmt: skip
        reports, female, outcome, counts = map(np.array, zip(*told, strict=True))
        columns = {"female": female}
    else:
        rows, columns = nigeria()
        reports, outcome = rows["rr_q1"], rows["civic"]
        counts = np.ones(len(reports))
    z = np.column_stack([np.ones(len(outcome)), *columns.values()])
    width = z.shape[1]

    def likelihood(parameters):
        base, effect, hidden = np.split(parameters, [width, width + 1])
        yes = logistic(z @ hidden)
        whole = 0
        for answer, chance in ((0, 1 - yes), (1, yes)):
            mean = logistic(z @ base + answer * effect)
            rate = p if answer else q
            whole = whole + (
                chance
                * np.where(reports == 1, rate, 1 - rate)
                * np.where(outcome == 1, mean, 1 - mean)
            )
        return counts @ np.log(whole)

    fit = regress_on(outcome, columns, reports, yes_no(case["channel"]), counts=counts)
    tight = case["tight"]
    golden = [*tight["outcome_coef"], *tight["sensitive_coef"]]
    is_the_maximum(likelihood, golden, [*fit.coefficients, *fit.answer_coefficients],
                   fit.covariance)  # fmt: skip
    near(tight["logLik"], fit.log_likelihood)
    outcome_se = tight.get("outcome_se") or tight["outcome_se_observed"]
    answer_se = tight.get("sensitive_se") or tight["sensitive_se_observed"]
    near([*outcome_se, *answer_se], [*fit.standard_errors(), *fit.answer_standard_errors()],
         rel=5e-6)  # fmt: skip


@check("logit-sld-outcome")
def _lie_detector(case):
    place, randomized, condition, reports, counts = grouped(
        case, "leftRight", "RRdesign", "condition"
    )
    centred = place - case["centre"]
    columns = {"place": centred, "randomized": randomized, "both": centred * randomized}
    halves = [direct(), *(mangat(exact(p)) for p in case["p"])]
    rows = [halves[int(i)] for i in condition]
    z = np.column_stack([np.ones(len(reports)), *columns.values()])
    without = np.array([float(design.rates[0]) for design in rows])

    def likelihood(parameters):
        honest = np.where(condition > 0, parameters[-1], 1)
        yes = logistic(z @ parameters[:-1])
        rate = without * (1 - yes) + honest * yes
        return counts @ np.log(np.where(reports == 1, rate, 1 - rate))

    fit = regress_with_denial(reports, columns, rows, list(condition > 0), counts=counts)
    is_the_maximum(likelihood, case["tight"]["coef"], [*fit.coefficients, fit.honest],
                   fit.covariance)  # fmt: skip
    near(case["tight"]["logLik"], fit.log_likelihood)
    near(case["se"], list(fit.standard_errors()), rel=1e-5)


# Survey designs and finite populations


def cells_of(case):
    found = case["cells"]
    return CASES["complex-horvitz-cluster"]["cells"] if isinstance(found, str) else found


def weighted_rows(case, label, **options):
    """Return a sample from weighted cells, and the label of each row."""
    rows = [(c["stratum"], c.get(label), c["weight"], report, count) for c in cells_of(case)
            for report, count in ((1, c["yes"]), (0, c["n"] - c["yes"])) if count]  # fmt: skip
    strata, labels, weights, reports, counts = map(list, zip(*rows, strict=True))
    given = {"strata": strata, "clusters": labels} | options
    return (
        sample(reports, yes_no(case["channel"]), weights=weights, counts=counts, **given),
        np.array(labels),
    )


DROPPED = {
    "cluster": {},
    "nocluster": {"clusters": None},
    "nostrat": {"strata": None, "clusters": None},
}


@check("complex-sample-mean")
def _sample_mean(case):
    share = weighted_share(
        weighted_rows(case, "cluster", **DROPPED[case.get("design", "nocluster")])[0]
    )
    interval = share.interval(method="t")

    assert case["degf"] == share.degrees_of_freedom
    near([case["estimate"], case["se"]], [share.value, share.stderr])
    near(case["ci_t"], [interval.low, interval.high])


@check("complex-sample-domains")
def _domains(case):
    rows, labels = weighted_rows(case, "group", clusters=None)
    parts = {name: weighted_share(rows, labels == name) for name in "abc"}
    whole, apart = weighted_share(rows), WeightedDifference(parts["a"], parts["b"])

    near(case["overall"], [whole.value, whole.stderr])
    near(case["difference_a_minus_b"], [apart.value, apart.stderr])
    for group in case["groups"]:
        share = parts[group["group"]]
        near([group["estimate"], group["se"]], [share.value, share.stderr])


def _mangat_singh(p):
    other = (1 - exact(p["t"])) * (1 - exact(p["p"]))
    return custom([[1 - other, other], [other, 1 - other]])


def _christofides(p):
    chances = [exact(p[f"pm{i}"]) for i in range(1, 6)]
    return custom([chances, chances[::-1]])


#: RRTCS's methods as channels.
METHODS = {
    "Warner": lambda p: designs.warner(p["p"]),
    "Forced Response": lambda p: designs.forced_response(yes=p["p1"], no=p["p2"]),
    "Horvitz": lambda p: designs.unrelated_question(p["p"], prevalence=p["alpha"]),
    "Soberanis Cruz": lambda p: designs.unrelated_question(p["p"], prevalence=p["alpha"]),
    "Devore": lambda p: designs.unrelated_question(p["p"], prevalence=1),
    "Kuk": lambda p: designs.kuk(yes=p["p1"], no=p["p2"], draws=p["k"]),
    "Mangat and Singh": _mangat_singh,
    "Christofides": _christofides,
}


@check("rrtcs")
def _rrtcs(case):
    population = case.get("N") if case["type"] == "mean" else None
    found = {
        "Horvitz unknown B": _two_boxes,
        "Eriksson": _eriksson,
    }.get(case["method"], _horvitz_thompson)(case, population)
    if found is None:
        return
    interval = found.interval(case["level"])

    near([case["estimate"], case["variance"]], [found.value, found.stderr**2])
    near([case["se"], *case["ci"]], [found.stderr, interval.low, interval.high])


def _horvitz_thompson(case, population):
    rows = _finite_rows(case)
    reports, chances, counts = map(list, zip(*rows, strict=True))
    return horvitz_thompson(reports, METHODS[case["method"]](case["params"]), chances,
                            counts=counts, population=population)  # fmt: skip


def _finite_rows(case):
    if case["method"] == "Christofides":  # its cards are numbered from 1
        return [(c["z"] - 1, c["pi"], c["count"]) for c in case["cells"]]
    if "cells" not in case:
        chance = case["n"] / case["N"]
        return [(1, chance, case["yes"]), (0, chance, case["n"] - case["yes"])]
    if "z" in case["cells"][0]:
        return [(c["z"], c["pi"], c["count"]) for c in case["cells"]]
    return [(report, c["pi"], count) for c in case["cells"]
            for report, count in ((1, c["yes"]), (0, c["n"] - c["yes"])) if count]  # fmt: skip


def _eriksson(case, population):
    """RRTCS leaves out a divisor 1 + (1 - p) / p of the coins' variance: twice too large here."""
    p, cells = case["params"], case["cells"]
    values, noise = scrambled(
        [c["z"] for c in cells], told=p["p"], mean=p["mu"], deviation=p["sigma"]
    )
    found = finite_total(values, noise, [c["pi"] for c in cells],
                         counts=[c["count"] for c in cells], population=population)  # fmt: skip

    near(case["estimate"], found.value)
    near(case["variance"], found.sampling + 2 * found.coins)


#: Respondents of the four schools by their two reports: neither, the second, the first, both. The
#: case gives their sums over schools and the schools' inclusion chances n / 200.5; of the 22,214
#: splits with its mean, five have its variance, and these all have equal sums in every school.
SCHOOLS = ((43, 6, 11, 16), (34, 2, 0, 3), (38, 0, 2, 6), (19, 1, 2, 5))


def _two_boxes(case, population):
    p1, p2 = case["params"]["p1"], case["params"]["p2"]
    pairs = ((0, 0), (0, 1), (1, 0), (1, 1))
    rows = [(first, second, chance, count)
            for school, chance in zip(SCHOOLS, case["pi"], strict=True)
            for (first, second), count in zip(pairs, school, strict=True) if count]  # fmt: skip
    first, second, chances, counts = map(np.array, zip(*rows, strict=True))
    values = ((1 - p2) * first - (1 - p1) * second) / (p1 - p2)

    assert list(map(sum, zip(*SCHOOLS, strict=True))) == [
        case["table"][f"{i}{j}"] for i, j in pairs
    ]
    return finite_total(values, values * (values - 1), chances, counts=counts,
                        population=population)  # fmt: skip


@check("crosswise-with-anchor")
def _anchored(case):
    """cWise prints four digits; its error is of 200 draws, so within 15 % of ours."""
    design = designs.crosswise(exact(case["p"]))
    counts = [case["YA"][key] for key in ("00", "01", "10", "11")]
    naive = estimate(yes=case["Y"], n=case["n"], design=design)
    found, weights = anchored(counts, design), case["weighted"]

    near([case["naive"][0], case["naive"][1]], [naive.value, naive.stderr], abs=6e-5)
    near([case["bias_corrected"][0], case["attentive"]], [found.value, found.attentive], abs=6e-5)
    near(case["bias_corrected"][1], found.stderr, rel=0.15)
    rate, anchor = (weights[key] / weights["sum_w"] for key in ("sum_wY", "sum_wA"))
    without, with_it = (float(r) for r in design.rates)
    near(weights["naive"][0], (rate - without) / (with_it - without), abs=6e-5)
    attentive = (anchor - 0.5) / (without - 0.5)
    near(weights["attentive"], attentive, abs=6e-5)
    near(weights["bias_corrected"][0],
         ((rate - 0.5) / attentive + 0.5 - without) / (with_it - without), abs=6e-5)  # fmt: skip
