"""Every share of ours is compared with every other, with the covariance that they have."""

from contextlib import suppress
from functools import partial
from math import sqrt

import numpy as np
import pytest

from tossup.server.estimation import (
    Difference,
    EstimationError,
    Ratio,
    TwoCoin,
    WeightedDifference,
    anchored,
    anytime_interval,
    cheating_detection,
    compare_pairs,
    estimate,
    estimate_answers,
    estimate_counts,
    estimate_histogram,
    estimate_joint,
    estimate_moments,
    estimate_points,
    estimate_several,
    estimate_shares,
    estimate_statements,
    forged_interval,
    horvitz_thompson,
    if_some_answer_at_random,
    if_some_deny,
    inverse_shares,
    kuk,
    pooled,
    same_shares,
    sample,
    shares_covariance,
    stochastic_lie_detector,
    trend,
    unrelated_unknown,
    weighted_share,
)
from tossup.server.estimation.comparing.comparison import interval_of
from tossup.server.estimation.designs.scores import share_scores
from tossup.server.estimation.shares.cards import CardsShare, card_shares
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    Exponential,
    KaryRandomizedResponse,
    Kuk,
    PerOptionBits,
    RankedChoice,
    SampledOptions,
    SubsetSelection,
    TruncatedGeometric,
    UnrelatedQuestion,
)
from tossup.shared.mechanisms.scores.base import in_a_row

THREE = KaryRandomizedResponse(3, keep=3, lie=1)
CARDS = kuk(yes="3/4", no="7/20", draws=5)
DETECTOR = stochastic_lie_detector((373, 564), (398, 692), p=("2/12", "10/12"))
STATEMENTS = estimate_statements((710, 290, 660, 340), UnrelatedQuestion(7, 3, 5))
WEIGHTED = sample([1, 0, 1, 0], TwoCoin(), weights=[2, 1, 2, 1], counts=[40, 60, 20, 80])
SCORED = inverse_shares((330, 270, 240), Exponential(in_a_row(3), keep=2))

WOMEN, MEN, ALL = (
    weighted_share(WEIGHTED, [True, True, False, False]),
    weighted_share(WEIGHTED, [False, False, True, True]),
    weighted_share(WEIGHTED),
)

#: A share of every kind that the package makes.
SHARES = {
    "yes": estimate(yes=400, n=1000, design="two-coin"),
    "several designs": estimate(yes=[400, 300], n=[900, 900], design=["two-coin", "warner p=2/3"]),
    "red cards": estimate_counts((30, 120, 210, 260, 200, 80), CARDS),
    "moments": estimate_moments((30, 120, 210, 260, 200, 80), CARDS),
    "a device's cards": CardsShare((40, 40, 19), Kuk(2, ((2, 1), (1, 2)))),
    "an option": estimate_shares((500, 300, 200), THREE).options[0],
    "by score": SCORED[0],
    "statement": STATEMENTS.statements[0],
    "lie detector": DETECTOR["share"],
    "honesty": DETECTOR["honest"],
    "cheating": cheating_detection((300, 1000), (500, 1000), yes=("1/4", "3/4"))["cheating"],
    "unrelated": unrelated_unknown((180, 500), (210, 500), p=("7/10", "3/10"))["share"],
    "weighted": weighted_share(WEIGHTED),
    "weighted cards": weighted_share(sample([0, 3, 5, 2], CARDS, counts=[9, 8, 7, 6])),
    "population": horvitz_thompson(
        [0, 1], "warner p=7/10", [0.155] * 2, counts=[65, 60], population=802
    ),
    "anchored": anchored([100, 500, 100, 300], "crosswise p=1/4"),
    "conditional": estimate_joint([[50, 25], [25, 20]], ["two-coin"] * 2).conditional(1, given=1),
    "point": estimate_histogram(
        (17, 6, 13), TruncatedGeometric(3, (6, 3, 2)), Grid.integers(0, 2)
    )[0],
    "difference": Difference(
        estimate(yes=4, n=9, design="two-coin"), estimate(yes=4, n=8, design="two-coin")
    ),
}  # fmt: skip


@pytest.mark.prove
def test_every_share_can_be_compared_with_every_other():
    """Difference, ratio and summary; the interval holds the difference, and the test fits it."""
    for name, first in SHARES.items():
        for other, second in SHARES.items():
            if first is second:  # less itself it is 0, for sure
                continue
            found = Difference(first, second)
            interval = found.interval()
            message = f"{name} - {other}"
            assert found.value == first.value - second.value, message
            assert interval.low <= found.value <= interval.high, message
            assert 0 <= found.significance().p_value <= 1, message
            assert "Samples: " in found.summary(), message
            assert found.n is not None, message
            if interval_of(second, 0.95, "score").low > 0:
                assert Ratio(first, second).summary(), message
            else:  # the ratio may be anything
                with pytest.raises(EstimationError, match="the ratio has no bounds"):
                    Ratio(first, second).summary()
    assert len(compare_pairs(SHARES)) == len(SHARES) * (len(SHARES) - 1) // 2
    assert same_shares(list(SHARES.values())).df == len(SHARES) - 1
    assert trend(list(SHARES.values())).significance().method == "wald"


def test_two_samples_tell_numbers_that_go_together():
    """Cheating is all less both honest shares, so its error is that of their sum."""
    found = cheating_detection((300, 1000), (500, 1000), yes=("1/4", "3/4"))
    yes, no, cheating = found.values()

    together = yes.covariance_with(no)
    expected = yes.standard_error**2 + no.standard_error**2 + 2 * together

    assert pytest.approx(sqrt(expected)) == cheating.standard_error
    apart = Difference(yes, no)
    assert pytest.approx(sqrt(expected - 4 * together)) == apart.standard_error
    assert "the same reports" in apart.facts["Samples"]
    assert apart.n == 2000


def test_shares_of_one_tally_have_the_error_of_their_contrast():
    """Of statements, of options by score, of cards, and of named options."""
    own, other = STATEMENTS.statements
    expected = own.standard_error**2 + other.standard_error**2 - 2 * STATEMENTS.covariance
    assert pytest.approx(sqrt(expected)) == Difference(own, other).standard_error

    worth = np.array(SCORED[0].scores) - np.array(SCORED[1].scores)
    counts = np.array(SCORED[0].tally)
    spread = counts @ (worth - counts @ worth / 840) ** 2 / 839 / 840
    assert pytest.approx(sqrt(spread)) == Difference(*SCORED[:2]).standard_error

    no, yes = card_shares((40, 40, 19), Kuk(2, ((2, 1), (1, 2))))
    assert pytest.approx(2 * yes.standard_error) == Difference(yes, no).standard_error

    shares = estimate_shares((500, 300, 200), THREE)
    contrast = np.array([1, -1, 0])
    variance = contrast @ shares.covariance @ contrast
    assert pytest.approx(sqrt(variance)) == shares.difference(0, 1).standard_error
    apart = Difference(*shares.options[:2])
    assert pytest.approx(sqrt(variance)) == apart.standard_error
    assert apart.n == 1000
    assert apart.interval() == shares.difference(0, 1).interval()

    answers = estimate_answers((900, 100), TwoCoin())
    assert pytest.approx(2 * answers[0].standard_error) == Difference(*answers).standard_error
    points = estimate_points((50, 30, 20), RankedChoice((6, 4, 2)))
    spread = shares_covariance((50, 30, 20), RankedChoice((6, 4, 2))).population
    assert (
        pytest.approx(sqrt(contrast @ spread @ contrast)) == Difference(*points[:2]).standard_error
    )
    mechanism, tally = TruncatedGeometric(3, (6, 3, 2)), np.array([170, 60, 130])
    first, _, last = estimate_histogram(tuple(tally), mechanism, Grid.integers(0, 2))
    worth = share_scores(mechanism) @ [1, 0, -1]
    spread = tally @ (worth - tally @ worth / 360) ** 2 / 359 / 360
    assert pytest.approx(sqrt(spread)) == Difference(first, last).standard_error
    assert Difference(first, last).n == 360
    named = estimate_shares((80, 60, 40, 90), SubsetSelection(3, 2, keep=3, lie=1))
    variance = contrast @ named.covariance @ contrast
    assert pytest.approx(sqrt(variance)) == Difference(*named.options[:2]).standard_error


def test_options_that_may_be_ticked_together_are_never_taken_for_independent():
    """How many tick both is not told: the error is that of the fewest; else of other people."""
    together = estimate_several((40, 60, 100), PerOptionBits(2, most=2, total=4)).options
    worst = Difference(*together).standard_error
    apart = sqrt(sum(option.standard_error**2 for option in together))
    assert worst > apart * 1.05
    assert Difference(*together).n == 100

    sampled = estimate_several((50, 60, 50, 40), SampledOptions(2, most=2)).options
    assert Difference(*sampled).n == 200


def test_domains_of_one_sample_go_together():
    """As `WeightedDifference` has it."""
    rows = sample([1, 0, 1, 0], TwoCoin(), weights=[2, 1, 2, 1], counts=[40, 60, 20, 80],
                  clusters=[1, 2, 1, 2])  # fmt: skip
    first = weighted_share(rows, np.array([True, True, False, False]))
    second = weighted_share(rows, np.array([False, False, True, True]))

    expected, found = WeightedDifference(first, second), Difference(first, second)

    assert pytest.approx(expected.standard_error) == found.standard_error
    assert expected.interval() == found.interval()


def test_equal_counts_of_other_people_are_independent():
    """Two calls with the same numbers are two samples."""
    for make in (
        lambda: estimate_statements((710, 290, 660, 340), UnrelatedQuestion(7, 3, 5)).statements[0],
        lambda: stochastic_lie_detector((373, 564), (398, 692), p=("1/6", "5/6"))["share"],
        lambda: inverse_shares((330, 270, 240), Exponential(in_a_row(3), keep=2))[0],
        lambda: card_shares((40, 40, 19), Kuk(2, ((2, 1), (1, 2))))[0],
        lambda: estimate_shares((500, 300, 200), THREE).options[0],
    ):
        first, second = make(), make()
        apart = Difference(first, second)
        assert pytest.approx(sqrt(2) * first.standard_error) == apart.standard_error, first
        assert "independent (assumed)" in apart.facts["Samples"], first


def test_a_covariance_may_be_given():
    """Of whoever knows it: here of the same report twice."""
    share = estimate(yes=400, n=1000, design="two-coin")
    apart = Difference(share, share, covariance=share.standard_error**2 / 2)

    assert pytest.approx(share.standard_error) == apart.standard_error
    assert apart.interval().high < Difference(share, share).interval().high


def test_no_covariance_is_more_than_whole():
    """Beyond the product of both errors a difference would have none, or a variance below 0."""
    first, second = (estimate(yes=yes, n=40, design="two-coin") for yes in (20, 25))
    most = first.standard_error * second.standard_error
    for make in (Difference, Ratio):
        for wrong in (1.001 * most, -1.001 * most, 1, float("nan"), float("inf")):
            with pytest.raises(EstimationError, match="product of both"):
                make(first, second, covariance=wrong)
        make(first, second, covariance=most)


def test_what_is_several_numbers_says_so():
    """A lie detector has two; name one."""
    with pytest.raises(EstimationError, match="name one of share, honest"):
        Difference(DETECTOR, SHARES["yes"])


def test_every_share_can_be_doubted_or_says_why_not():
    """People who deny change any share; forged reports, chance and looks need one tally."""
    for name, share in SHARES.items():
        none, some = if_some_deny(share, (0, 0.2))
        assert none.value == share.value, name
        assert pytest.approx(share.value / 0.8) == some.value, name
        assert some.interval.high > some.interval.low, name
        for ask in (partial(forged_interval, forged=0.1), if_some_answer_at_random):
            with suppress(EstimationError):  # and no other error
                ask(share)
        with suppress(EstimationError, TypeError):  # of several designs there is none
            anytime_interval(share)
    for ask in (partial(forged_interval, forged=0.1), if_some_answer_at_random, anytime_interval):
        with pytest.raises(EstimationError, match="no share of"):
            ask(SHARES["weighted"])


def test_shares_of_one_table_go_together():
    """By the delta method: how far the shares among those with a yes and a no are apart."""
    table = estimate_joint([[1300, 800], [700, 1200]], ["two-coin"] * 2)
    own, other = (table.conditional(1, given) for given in (1, 0))
    cells, step = table.cells.ravel(), 1e-6

    def apart(cells):
        return cells[3] / cells[2:].sum() - cells[1] / cells[:2].sum()

    moved = step * np.eye(4)
    pull = [(apart(cells + move) - apart(cells - move)) / step / 2 for move in moved]
    found = Difference(own, other)
    assert pytest.approx(sqrt(pull @ table.covariance @ pull), rel=1e-6) == found.standard_error
    assert found.n == 4000
    assert own.covariance_with(own) == pytest.approx(own.standard_error**2)
    again = estimate_joint([[1300, 800], [700, 1200]], ["two-coin"] * 2).conditional(1, 0)
    assert Difference(own, again).n == 8000


def test_shares_of_the_same_reports_are_tested_and_fitted_together():
    """As a difference of two of them is; they are pooled with none of their own."""
    one, two, three = estimate_shares((500, 300, 200), THREE).options
    z = Difference(one, two).significance().statistic
    assert pytest.approx(z**2) == same_shares([one, two]).statistic
    assert same_shares([one, two, three]).method == "wald"
    slope = trend([one, two])
    assert pytest.approx(Difference(two, one).standard_error) == slope.standard_error
    assert pytest.approx(abs(z)) == abs(slope.significance().statistic)
    assert list(pooled({"a": one, "b": two}, fewest=5000)) == [("a",), ("b",)]
    with pytest.raises(EstimationError, match="one estimate from the same reports"):
        trend([one, one, one])
    with pytest.raises(EstimationError, match="no standard error"):
        same_shares([one, one])


def test_a_report_counts_once_in_the_n_of_a_comparison():
    """Two options of one question rest on its reports; domains of a sample on who is in either."""
    options = estimate_shares((500, 300, 200), THREE).options
    north, south = (estimate(yes=400, n=n, design="two-coin") for n in (1000, 900))

    assert Difference(north, south).n == Ratio(north, south).n == trend([north, south]).n == 1900
    assert Difference(*options[:2]).n == trend(options).n == 1000
    assert trend([*options, north]).n == 2000
    assert Difference(WOMEN, MEN).n == WeightedDifference(WOMEN, MEN).n == 200
    assert Difference(WOMEN, ALL).n == WeightedDifference(WOMEN, ALL).n == 200
    assert trend([WOMEN, MEN, north]).n == 1200
    assert Difference(north, south, covariance=1e-4).n == 1000
