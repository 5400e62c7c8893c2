"""Designs of papers: their channels, the estimates they lead to, and what is refused."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tossup.server.estimation import EstimationError, estimate, estimate_moments, estimate_shares
from tossup.server.estimation import design as designs
from tossup.server.estimation.two_samples import (
    cheating_detection,
    stochastic_lie_detector,
    unrelated_unknown,
)
from tossup.shared.mechanisms import TwoCoin

GOLDEN = json.loads(Path(__file__).with_name("golden_designs.json").read_text())

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
TWO_SAMPLES = {
    "SLD": (stochastic_lie_detector, {"share": "pi", "honest": "t"}),
    "UQTunknown": (unrelated_unknown, {"share": "pi", "prevalence": "piUQ"}),
}


def ids(cases):
    return [case["id"] for case in cases]


@pytest.mark.parametrize("case", GOLDEN["yes_no"], ids=ids(GOLDEN["yes_no"]))
def test_constructors_give_the_channel_that_the_package_means(case):
    """Each design's own parameters lead to Pr[yes | no] and Pr[yes | yes]."""
    design = CONSTRUCTORS[case["model"]](case["p"])

    assert pytest.approx(case["rates"], abs=1e-11) == [float(rate) for rate in design.rates]


@pytest.mark.parametrize("case", GOLDEN["yes_no"], ids=ids(GOLDEN["yes_no"]))
def test_a_table_from_elsewhere_gives_the_published_estimate(case):
    """Counts and a design are all that one call needs."""
    design = CONSTRUCTORS[case["model"]](case["p"])
    actual = estimate(yes=case["yes"], n=case["n"], design=design)

    assert pytest.approx(case["estimate"], abs=1e-9) == actual.value


@pytest.mark.parametrize("case", GOLDEN["categorical"], ids=ids(GOLDEN["categorical"]))
def test_a_custom_channel_of_several_answers_gives_the_published_shares(case):
    """RRreg's forced response and custom designs with three and five options."""
    channel = designs.custom(case["rows"]).channel()

    assert (
        pytest.approx(case["estimate"], abs=1e-9) == estimate_shares(case["counts"], channel).values
    )


@pytest.mark.parametrize("case", GOLDEN["categorical"], ids=ids(GOLDEN["categorical"]))
def test_covariances_of_several_answers_have_the_published_spread(case):
    """RRreg divides by n - 1 where the covariance here divides by n."""
    shares = estimate_shares(case["counts"], designs.custom(case["rows"]).channel())
    actual = (shares.covariance.diagonal() * shares.n / (shares.n - 1)) ** 0.5

    assert pytest.approx(case["se"], abs=1e-9) == list(actual)


def test_several_draws_of_cards_give_the_published_estimate():
    """Kuk's design with five draws."""
    (case,) = GOLDEN["cards"]
    cards = designs.kuk(yes=case["yes"], no=case["no"], draws=case["draws"])

    assert case["estimate"] == estimate_moments(case["counts"], cards).value


def test_the_spread_of_cards_under_the_design_is_the_published_one():
    """RRreg divides the spread of cards by 5 n - 1, that of people by n - 1; here both by n."""
    (case,) = GOLDEN["cards"]
    n, share, draws, gap = 900, 0.525, 5, 0.4
    red = 0.35 + gap * share
    cards, people = red * (1 - red) / gap**2 / draws, (1 - 1 / draws) * share * (1 - share)
    design = designs.kuk(yes=case["yes"], no=case["no"], draws=draws)
    actual = estimate_moments(case["counts"], design).design_standard_error

    assert pytest.approx(((cards + people) / n) ** 0.5, abs=1e-12) == actual
    assert (
        pytest.approx((cards * draws / (n * draws - 1) + people / (n - 1)) ** 0.5, abs=1e-9)
        == case["se"]
    )


@pytest.mark.parametrize(
    "case",
    [case for case in GOLDEN["two_samples"] if case["model"] in TWO_SAMPLES],
    ids=lambda case: case["id"],
)
def test_two_samples_tell_two_unknowns(case):
    """The stochastic lie detector, and the unrelated question of unknown prevalence."""
    function, names = TWO_SAMPLES[case["model"]]
    told = function(tuple(case["first"]), tuple(case["second"]), p=tuple(case["p"]))
    expected = [case["estimates"][n + end] for n in names.values() for end in ("", "SE")]
    actual = [x for n in names for x in (told[n].value, told[n].standard_error)]

    assert pytest.approx(expected, abs=1e-9) == actual


@pytest.mark.parametrize(
    "case",
    [case for case in GOLDEN["two_samples"] if case["model"].startswith("CDM")],
    ids=lambda case: case["id"],
)
def test_cheating_is_detected_as_in_the_package(case):
    """Clark and Desharnais, plain and symmetric; where RRreg gives no standard error, we do."""
    p = case["p"]
    yes, no = ((p[0], p[1]), (0, 0)) if case["model"] == "CDM" else ((p[0], p[2]), (p[1], p[3]))
    told = cheating_detection(tuple(case["first"]), tuple(case["second"]), yes=yes, no=no)
    names = {"honest_yes": "pi", "honest_no": "beta", "cheating": "gamma"}
    for name, theirs in names.items():
        expected = case["estimates"][theirs]
        spread = case["estimates"][theirs + "SE"] or told[name].standard_error

        assert pytest.approx(expected, abs=1e-9) == told[name].value
        assert pytest.approx(spread, abs=1e-9) == told[name].standard_error


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize(
    "design",
    [
        designs.triangular("3/10"),
        designs.mangat(0.7),
        designs.kuk(yes="3/4", no="7/20", draws=5),
        designs.disguised_response("4/5"),
    ],
    ids=lambda design: design.name,
)
def test_the_mean_value_of_a_report_is_the_share_of_yes(design, share):
    """Exactly, whatever the share: expected reports in, the truth out."""
    no, yes = design.channel()
    mean = sum(
        ((1 - share) * p + share * q) * value
        for p, q, value in zip(no, yes, design.report_values(), strict=True)
    )

    assert share == mean


def test_a_report_that_proves_an_answer_has_no_odds():
    """The triangular design's report 0 proves a no; two coins multiply odds by 3."""
    assert designs.triangular(0.3).odds is None
    assert designs.two_coins().odds == 3


def test_a_mechanism_is_a_design():
    """A device's mechanism and the paper's design give the same channel."""
    assert designs.two_coins().rows == designs.design_of(TwoCoin()).rows


def test_a_float_means_its_shortest_decimal():
    """0.1 is one tenth, not the binary fraction next to it."""
    assert designs.warner(0.1).rates == (Fraction(9, 10), Fraction(1, 10))


@pytest.mark.parametrize(
    "make",
    [
        lambda: designs.warner("1/2"),
        lambda: designs.warner(1.2),
        lambda: designs.warner(float("nan")),
        lambda: designs.warner("often"),
        lambda: designs.forced_response(yes=0.5, no=0.5),
        lambda: designs.kuk(yes=0.8, no=0.2, draws=0),
        lambda: designs.custom([[1, 0]]),
        lambda: designs.custom([["1/2", "1/3"], [0, 1]]),
        lambda: designs.custom([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).report_values(),
        lambda: designs.custom([["1/2", 0, "1/2"], [0, 1, 0]]).report_values(),
        lambda: estimate(yes=0, n=0, design=designs.two_coins()),
        lambda: estimate(yes=4, n=3, design=designs.two_coins()),
        lambda: unrelated_unknown((1, 10), (2, 10), p=(0.5, 0.5)),
        lambda: unrelated_unknown((1, 1), (2, 10), p=(0.5, 0.7)),
    ],
)
def test_impossible_designs_and_tables_are_refused(make):
    """With an error that says what is wrong."""
    with pytest.raises(EstimationError):
        make()
