"""Where published packages are wrong, and what is right: one test a fault, with its number."""

import json
from math import isfinite
from pathlib import Path

import numpy as np
import pytest

from tossup.server.estimation import (
    crosswise,
    estimate,
    estimate_moments,
    forced_response,
    kuk,
    mangat,
    regress_on,
    regress_with_denial,
    two_coins,
    warner,
)
from tossup.server.estimation.doubts.honesty import anchored, if_some_answer_at_random, if_some_deny
from tossup.server.estimation.weighting.scrambled import scrambled
from tossup.server.planning.sample_size import power

GOLDEN = json.loads(Path(__file__).with_name("golden_survey.json").read_text())
CASES = {case["id"]: case for case in GOLDEN["cases"]}

#: Which test below has the right value of each fault that the golden file names.
RIGHT = {
    "rr-predictor-se": "test_a_randomized_predictor_has_a_standard_error_that_simulations_have",
    "rr-power-n": "test_the_planned_number_reaches_the_power",
    "rrreg-boundary-se": "test_an_estimate_outside_the_range_keeps_its_standard_error",
    "rrreg-loglik": "test_the_lie_detector_has_a_likelihood",
    "glmmrr-ethbe-p2": "test_a_forced_yes_is_a_share_of_all_respondents",
    "rrtcs-kuk-zero": "test_no_red_card_is_a_report_like_any_other",
    "cwise-truncation": "test_a_crosswise_estimate_and_its_error_are_raw",
}


def test_every_known_fault_has_its_test():
    """The seven that the golden file names."""
    assert set(RIGHT) == set(GOLDEN["meta"]["wrong_in_packages_do_not_reproduce"])
    assert set(RIGHT.values()) <= set(globals())


def test_a_randomized_predictor_has_a_standard_error_that_simulations_have():
    """rr's default is 1.102; ours is 0.153, and so is the spread of 60 bootstrap samples.

    The spread of 60 is off by more than 45 % with a probability below 1e-6.
    """
    rows = [(g["rr.q1"], g["cov.female"], civic, n) for g in
            CASES["predictor-nigeria-grouped"]["groups"]
            for civic, n in ((1, g["yes"]), (0, g["n"] - g["yes"]))]  # fmt: skip
    reports, female, civic, counts = (list(column) for column in zip(*rows, strict=True))
    dice = forced_response(yes="1/6", no="1/6")

    def fit(counts):
        return regress_on(civic, {"female": female}, reports, dice, counts=counts)

    rng, n = np.random.default_rng(1), sum(counts)
    drawn = [fit(rng.multinomial(n, np.array(counts) / n)).coefficients[-1] for _ in range(60)]
    ours = fit(counts).standard_errors()[-1]

    assert pytest.approx(0.153, abs=5e-4) == ours
    assert pytest.approx(np.std(drawn, ddof=1), rel=0.45) == ours


@pytest.mark.parametrize("case", [c for c in CASES.values() if c["id"].startswith("pwn-")],
                         ids=lambda case: case["id"])  # fmt: skip
def test_the_planned_number_reaches_the_power(case):
    """At n, and not at n - 1; rr stops up to 340 earlier."""
    a = case["args"]
    die = forced_response(yes=f"{a['p1']:.9f}", no=f"{a['p0']:.9f}")
    reached = [
        power(die, a["presp"], n=n, against=a["presp.null"])
        for n in (case["rr_returned_n_too_small"], case["smallest_n_reaching_power"] - 1,
                  case["smallest_n_reaching_power"])
    ]  # fmt: skip

    assert reached[0] <= reached[1] < a["power"] <= reached[2]


def test_the_coins_of_a_scrambled_number_are_counted_once():
    """RRTCS leaves out a divisor of Eriksson's variance; simulated coins have the right one.

    Of 200,000 tosses; the standard deviation of their mean square is below 0.4 %.
    """
    rng, truth = np.random.default_rng(3), 7.0
    told = rng.random(200_000) < 0.5
    reports = np.where(told, truth, rng.choice([0, 1, 3, 5, 8], 200_000))
    values, noise = scrambled(reports, told=0.5, mean=3.4, deviation=np.std([0, 1, 3, 5, 8]))

    assert pytest.approx(truth, rel=0.01) == values.mean()
    assert pytest.approx(values.var(), rel=0.03) == noise.mean()


@pytest.mark.parametrize(
    ("yes", "n", "design", "value", "error"),
    [
        (750, 1000, warner(0.7), 1.125, 0.034233),
        (4, 20, two_coins(), -0.1, 0.178885),
    ],
)
def test_an_estimate_outside_the_range_keeps_its_standard_error(yes, n, design, value, error):
    """RRreg reports 1 with an error of 2e-6, and NA; the raw estimate has an ordinary error."""
    share = estimate(yes=yes, n=n, design=design)

    assert pytest.approx(value, abs=1e-9) == share.value
    assert pytest.approx(error, abs=1e-6) == share.standard_error


def test_the_lie_detector_has_a_likelihood():
    """RRreg's is a sentinel of 1,000,000; the regression without covariates has the real one."""
    halves = [mangat("1/6")] * 2 + [mangat("5/6")] * 2
    fit = regress_with_denial([1, 0, 1, 0], {}, halves, [True] * 4, counts=[373, 191, 398, 294])
    (share,) = 1 / (1 + 2.718281828459045**-fit.coefficients)

    assert isfinite(fit.log_likelihood)
    assert fit.log_likelihood < 0
    assert pytest.approx((0.87069548641, 0.635806392759), abs=1e-9) == (share, fit.honest)


def test_a_forced_yes_is_a_share_of_all_respondents():
    """GLMMRR's ETHBE stores 1/6 where it reads Pr[yes | forced], and finds 15.6 % for -1.1 %."""
    drugs = estimate(yes=115, n=722, design=forced_response(yes="1/6", no="1/6"))
    misread = estimate(yes=115, n=722, design=forced_response(yes="1/18", no="5/18"))

    assert pytest.approx(-0.01108033241, abs=1e-9) == drugs.value
    assert round(misread.value, 3) == 0.156


def test_no_red_card_is_a_report_like_any_other():
    """RRTCS refuses z = 0 of Kuk's design."""
    cards = estimate_moments((40, 45, 15), kuk(yes="4/5", no="1/5", draws=2))

    assert pytest.approx((0.375 - 0.2) / 0.6) == cards.value


def test_a_crosswise_estimate_and_its_error_are_raw():
    """cWise cuts the estimate to [0, 1] before it makes the standard error."""
    share = estimate(yes=880, n=1000, design=crosswise("3/20"))

    assert pytest.approx(-0.03 / 0.7) == share.value
    assert pytest.approx((0.88 * 0.12 / 1000) ** 0.5 / 0.7) == share.standard_error


def test_careless_reports_are_corrected_as_in_cwise():
    """Its own example: naive .195, corrected .105; its error of 200 draws is .0208 +- .001.

    The error here is that of 20,000 draws from the same counts: .0227.
    """
    corrected = anchored((148, 425, 311, 1116), crosswise("3/20"))

    assert pytest.approx(0.1054, abs=5e-5) == corrected.value
    assert pytest.approx(0.7729, abs=5e-5) == corrected.attentive
    assert pytest.approx(0.0227, rel=0.01) == corrected.standard_error
    assert corrected.value in corrected.interval()


def test_supposing_nobody_misbehaves_changes_nothing():
    """And denial raises the share, by its formula."""
    share = estimate(yes=350, n=1000, design=two_coins())
    nobody, *_, half = if_some_deny(share)
    careless = if_some_answer_at_random(share, [0.0, 0.2])

    assert (share.value, share.interval().low) == (nobody.value, nobody.interval.low)
    assert pytest.approx(0.4) == half.value
    assert pytest.approx([0.2, (0.2 - 0.1) / 0.8]) == [row.value for row in careless]
