"""One share: known values, exactness, and what is refused."""

import json
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.server.estimation import EstimationError, ShareEstimate, estimate_share, estimate_yes
from tossup.shared.mechanisms import RandomizedResponse, TwoCoin

GOLDEN = json.loads(Path(__file__).with_name("golden_shares.json").read_text())

counts = st.integers(0, 5000)
rates = st.sampled_from(sorted({Fraction(a, b) for b in range(2, 51) for a in range(1, b)}))
designs = (
    st.tuples(rates, rates)
    .filter(lambda pair: pair[0] != pair[1])
    .map(lambda pair: RandomizedResponse.from_yes_rates(*pair))
)


def channel(without: str, with_it: str):
    q, p = Fraction(without), Fraction(with_it)
    return ((1 - q, q), (1 - p, p))


@each("case", GOLDEN["shares"])
def test_estimates_are_those_of_published_packages(case):
    """54 shares from rr, RRreg and GLMMRR: seven designs, decreasing channels and the edges."""
    estimate = estimate_yes(yes=case["yes"], n=case["n"], mechanism=channel(*case["rates"]))

    assert pytest.approx(case["estimate"], abs=1e-9) == estimate.value


@each("case", GOLDEN["shares"])
def test_standard_errors_are_those_of_published_packages(case):
    """The same cases, where the package gives a standard error with divisor n."""
    estimate = estimate_yes(yes=case["yes"], n=case["n"], mechanism=channel(*case["rates"]))
    expected = case.get("se_n") or estimate.standard_error  # all agree: they have 0

    assert pytest.approx(expected, abs=1e-9) == estimate.standard_error


WALD = [c for c in GOLDEN["shares"] if "wald95" in c and 0 < c["yes"] < c["n"]]


@each("case", WALD)
def test_papers_intervals_can_be_reproduced(case):
    """RRreg's Wald intervals, by their name alone."""
    estimate = estimate_yes(yes=case["yes"], n=case["n"], mechanism=channel(*case["rates"]))
    interval = estimate.interval(method="wald")

    assert pytest.approx(case["wald95"], abs=1e-9) == [interval.low, interval.high]


def test_reports_that_agree_vary_by_their_coins():
    """Packages have an error of 0; it is that of the nearest rate that the design allows."""
    none, all_of = (estimate_yes(yes=yes, n=20, mechanism=TwoCoin()) for yes in (0, 20))
    half = 1.959963985 * sqrt(0.75 / 19)

    assert pytest.approx(sqrt(0.75 / 20)) == none.standard_error == all_of.standard_error
    assert pytest.approx(-0.5 - half) == none.interval(method="wald").low
    assert pytest.approx(-0.5 + half) == none.interval(method="wald").high


def test_direct_answers_that_agree_are_no_certainty_either():
    """No coin varies; two more of either kind do: Agresti and Coull's interval, nearly."""
    share = estimate_yes(
        yes=0, n=12, mechanism=((1 - Fraction(0), Fraction(0)), (Fraction(0), Fraction(1)))
    )

    assert pytest.approx(sqrt(2 / 16 * 14 / 16 / 12)) == share.standard_error


def test_a_single_report_has_no_wald_interval():
    """It has no spread; score and exact intervals stay finite."""
    with pytest.raises(EstimationError, match="no spread"):
        estimate_share((0, 1), TwoCoin()).interval(method="wald")


@each("case", GOLDEN["shares"])
def test_the_profile_interval_is_the_shown_one(case):
    """By name, and in words and charts."""
    estimate = estimate_yes(yes=case["yes"], n=case["n"], mechanism=channel(*case["rates"]))

    assert estimate.interval(method="profile") == estimate.shown.interval


@each("case", GOLDEN["shares"])
def test_the_shown_value_is_the_truncated_maximum_likelihood_estimate(case):
    """Where RRreg truncates without failing, the shown value agrees with it."""
    estimate = estimate_yes(yes=case["yes"], n=case["n"], mechanism=channel(*case["rates"]))
    expected = case.get("truncated", estimate.shown.value)

    assert pytest.approx(expected, abs=1e-9) == estimate.shown.value


@each("case", GOLDEN["intervals"])
@each("method", ["score", "exact"])
def test_intervals_are_those_of_r(case, method):
    """Score and exact limits of R's prop.test and binom.test, mapped by the estimator."""
    estimate = estimate_yes(yes=case["yes"], n=case["n"], mechanism=TwoCoin())
    interval = estimate.interval(0.95, method)

    assert pytest.approx(case[method], abs=1e-9) == [interval.low, interval.high]


@given(no=st.integers(0, 10**6), yes=st.integers(0, 10**6), design=designs)
def test_expected_reports_give_back_the_truth_exactly(no, yes, design):
    """If every report came as often as the channel says, the estimate is the share, exactly."""
    truths = (no, yes + 1)
    expected = [sum(truths[a] * design.weights[a][r] for a in (0, 1)) for r in (0, 1)]

    assert estimate_share(expected, design).exact == Fraction(truths[1], sum(truths))


@given(tallies=st.lists(st.tuples(counts, counts), min_size=1, max_size=5), design=designs)
def test_merged_tallies_estimate_like_their_union(tallies, design):
    """The estimate of a sum is the mean of the parts, weighted by their n: nothing is lost."""
    parts = [estimate_share(tally, design) for tally in tallies if sum(tally)]
    whole = [sum(tally[report] for tally in tallies) for report in (0, 1)]
    weighted = sum(part.exact * part.n for part in parts)

    assert sum(whole) == 0 or estimate_share(whole, design).exact * sum(whole) == weighted


@given(tally=st.tuples(counts, counts.filter(bool)), design=designs)
def test_swapping_the_labels_of_reports_changes_nothing(tally, design):
    """A design whose reports trade names, with the tally turned round, is the same design."""
    swapped = RandomizedResponse(tuple(row[::-1] for row in design.weights))
    plain, turned = estimate_share(tally, design), estimate_share(tally[::-1], swapped)

    assert plain.exact == turned.exact
    assert pytest.approx(ends(plain)) == ends(turned)


@given(tally=st.tuples(counts, counts.filter(bool)), design=designs)
def test_the_share_of_no_is_one_minus_the_share_of_yes(tally, design):
    """Answers trading names turn the estimate and all its intervals round."""
    (no_row, yes_row), (no, yes) = design.channel(), tally
    share_of_no = ShareEstimate((yes, no), (yes_row[::-1], no_row[::-1]))
    low, high = ends(estimate_share(tally, design))

    assert share_of_no.exact == 1 - estimate_share(tally, design).exact
    assert pytest.approx((1 - high, 1 - low)) == ends(share_of_no)


def ends(estimate):
    interval = estimate.interval()
    return interval.low, interval.high


@given(tally=st.tuples(counts, counts.filter(bool)), design=designs)
def test_every_interval_holds_its_estimate(tally, design):
    """Score, exact and shown intervals lie around their own point."""
    estimate = estimate_share(tally, design)
    value, slack = estimate.value, 1e-9

    for interval in (estimate.interval(), estimate.interval(method="exact")):
        assert interval.low - slack <= value <= interval.high + slack
    assert estimate.shown.value in estimate.shown.interval


@given(tally=st.tuples(counts, counts.filter(bool)), design=designs)
def test_more_confidence_means_a_wider_interval(tally, design):
    """The 99 % intervals hold the 90 % ones."""
    estimate = estimate_share(tally, design)

    for narrow, wide in (
        (estimate.interval(0.9), estimate.interval(0.99)),
        (estimate.interval(0.9, "exact"), estimate.interval(0.99, "exact")),
        (estimate.shown_at(0.9).interval, estimate.shown_at(0.99).interval),
    ):
        assert wide.low <= narrow.low <= narrow.high <= wide.high


@pytest.mark.parametrize("rates", [(0, 1), ("1/4", "3/4"), ("3/4", "1/4"), ("3/10", 1)])
def test_the_shown_interval_is_never_empty(rates):
    """Every possible tally of up to 60 reports, with designs at the edge of what is possible."""
    for n, yes in product(range(1, 61), range(61)):
        if yes > n:
            continue
        shown = estimate_yes(yes=yes, n=n, mechanism=channel(*rates)).shown

        assert 0 <= shown.interval.low <= shown.value <= shown.interval.high <= 1
        assert shown.interval.low < shown.interval.high


def test_a_negative_estimate_is_kept():
    """57 of 240: raw -2.5 points; shown as 0 with an upper end, as the copy needs."""
    estimate = estimate_yes(yes=57, n=240, mechanism=TwoCoin())

    assert pytest.approx(-0.025) == estimate.value
    assert estimate.shown.value == 0
    assert pytest.approx(0.0905, abs=1e-3) == estimate.shown.interval.high


def test_an_interval_says_what_it_is():
    """Confidence, method, and that it stands alone."""
    interval = estimate_share((60, 40), TwoCoin()).interval(0.9, "exact")

    assert (interval.confidence, interval.method, interval.intervals) == (0.9, "exact", 1)


def test_the_text_of_an_estimate_holds_its_interval_and_n():
    """Printing an estimate never drops what it rests on."""
    words = str(estimate_share((750, 250), TwoCoin()))

    assert words == "0.0000 (-0.0517 to 0.0555, 95 % score interval, n = 1000)"


def test_an_estimate_refuses_to_be_a_plain_number():
    """float() would drop the interval by accident."""
    with pytest.raises(TypeError, match=r"take \.value"):
        float(estimate_share((3, 1), TwoCoin()))


def test_variance_is_that_of_coins_and_people_together():
    """[p(1 - p) + 3/4] / n for two coins, at the tally that p = 0.2 is expected to give."""
    estimate = estimate_share((650, 350), TwoCoin())

    assert pytest.approx(sqrt((0.2 * 0.8 + 0.75) / 1000)) == estimate.standard_error


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        ((0, 0), "no reports yet"),
        ((1, 2, 3), "must have 2 values"),
        ((-1, 5), "non-negative"),
        ((1.0, 5), "non-negative integer"),
        ((True, 5), "non-negative integer"),
    ],
)
def test_impossible_counts_are_refused(tally, words):
    """None at all, a wrong length, negative or fractional counts."""
    with pytest.raises(EstimationError, match=words):
        estimate_share(tally, TwoCoin())


def test_more_yes_than_reports_are_refused():
    """A table with yes above n is a slip of the pen."""
    with pytest.raises(EstimationError, match=r"yes \(5\) must not be above n \(4\)"):
        estimate_yes(yes=5, n=4, mechanism=TwoCoin())


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (channel("1/2", "1/2"), "same reports"),
        (channel("-1/2", "1/2"), "from 0 to 1"),
        (((Fraction(1),), (Fraction(1),)), "same reports"),
    ],
)
def test_channels_that_tell_nothing_are_refused(table, words):
    """Equal rows, impossible probabilities, wrong shapes, floats."""
    with pytest.raises(EstimationError, match=words):
        estimate_share((3, 1), table)


@each("confidence", [0, 1, -0.5, 95, float("nan")])
@each("method", ["score", "exact"])
def test_confidence_outside_its_range_is_refused(confidence, method):
    """95 for 0.95 is the usual slip."""
    with pytest.raises(EstimationError, match="must be in"):
        estimate_share((3, 1), TwoCoin()).interval(confidence, method)


def test_an_unknown_method_is_refused():
    """The message lists the known ones."""
    with pytest.raises(EstimationError, match="one of score, exact, profile, wald"):
        estimate_share((3, 1), TwoCoin()).interval(method="bootstrap")
