"""The shares of two statements, from two samples that each ask both."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import binom
from sweeps import each

from tossup.server.estimation import (
    EstimationError,
    StatementShare,
    anytime_interval,
    estimate_answers,
    estimate_counts,
    estimate_statements,
    forged_interval,
    unrelated_unknown,
)
from tossup.server.estimation.intervals.sequence import report_sequence
from tossup.server.estimation.intervals.two_rates import TwoRates
from tossup.server.kinds.choosing.paper import least_variance
from tossup.server.kinds.choosing.several import what_it_costs
from tossup.server.kinds.made_up.simulated import tally
from tossup.shared.mechanisms import SampledOptions, UnrelatedQuestion

USUAL = UnrelatedQuestion(7, 3, 5)
DESIGNS = [USUAL, UnrelatedQuestion(4, 1, 5), UnrelatedQuestion(2, 1, 1)]
SHARES = [Fraction(0), Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(1)]
TALLIES = [(710, 290, 660, 340), (20, 9, 15, 16), (40, 0, 3, 30), (1, 2, 0, 4), (9, 0, 0, 9)]


def test_it_works():
    """29 % and 34 % yes: 7/2 (0.29 - 0.25) - 3/2 (0.34 - 0.25) is a share of 1/200."""
    first, second = estimate_statements((710, 290, 660, 340), USUAL).statements

    assert (Fraction(1, 200), Fraction(51, 200)) == (first.exact, second.exact)
    assert first.named is None


@each("mechanism", DESIGNS)
@each("own, other", list(product(SHARES[:4], SHARES)))
def test_the_estimate_is_unbiased_with_its_variance(mechanism, own, other):
    """Over all numbers of yes in samples of 3 and 4: mean and variance, by exact ratios."""
    rates = mechanism.chances_of_yes(own, other)
    sizes = (3, 4)
    mean = square = Fraction(0)
    for yes in product(*(range(size + 1) for size in sizes)):
        chance = Fraction(1)
        for k, n, rate in zip(yes, sizes, rates, strict=True):
            chance *= comb(n, k) * rate**k * (1 - rate) ** (n - k)
        counts = (sizes[0] - yes[0], yes[0], sizes[1] - yes[1], yes[1])
        share = StatementShare(counts, mechanism, 0).exact
        mean += chance * share
        square += chance * share**2
    slopes = zip(mechanism.slopes, rates, sizes, strict=True)

    assert own == mean
    assert square - mean**2 == sum(s**2 * rate * (1 - rate) / n for s, rate, n in slopes)


@pytest.mark.parametrize("mechanism", DESIGNS, ids=str)
@pytest.mark.parametrize("share", SHARES)
def test_the_planned_variance_is_the_worst_over_the_other_share(mechanism, share):
    """n times that of samples of n / 2, at no share of the other statement larger."""
    at = [
        sum(
            2 * s**2 * rate * (1 - rate)
            for s, rate in zip(
                mechanism.slopes, mechanism.chances_of_yes(share, other), strict=True
            )
        )
        for other in (Fraction(place, 64) for place in range(65))
    ]
    found = mechanism.variance_at(share)

    assert max(at) <= found <= mechanism.worst_variance
    assert found <= max(at) * Fraction(1001, 1000)


@each("odds", [Fraction(3, 2), Fraction(3), Fraction(20)])
@each("selected, times", [(6, "26"), (7, "29/4"), (8, "34/9"), (9, "41/16")])
def test_people_needed_against_what_asks_no_other_statement(odds, selected, times):
    """As the proof page has it, at any odds: of one statement alone, and half of that for both."""
    mechanism = UnrelatedQuestion.from_odds(odds, selected=Fraction(selected, 10))
    variance = mechanism.worst_variance
    both = SampledOptions.asking(1, odds, 2).worst_variance

    assert (Fraction(times), Fraction(times) / 2) == (
        variance / least_variance(odds),
        variance / both,
    )


def test_what_it_costs_is_said_with_the_best_for_both():
    """At high odds that is a bit for each."""
    assert "7.25 times as many people as yes/no coins" in what_it_costs(USUAL)
    assert "3.625 times as many as sampled-options for both" in what_it_costs(USUAL)
    assert "per-option-bits" in what_it_costs(UnrelatedQuestion.from_odds(Fraction(81)))


@pytest.mark.parametrize("odds", [Fraction(3), Fraction(9)])
def test_no_other_forced_answers_have_less_variance(odds):
    """All forced yes on a grid, with as much asking as the odds allow: the worst is never less."""
    selected = Fraction(7, 10)
    equal = UnrelatedQuestion.from_odds(odds, selected=selected).worst_variance
    spread = (selected**2 + (1 - selected) ** 2) / (2 * selected - 1) ** 2
    for place in range(1, 40):
        # A forced yes with a, a forced no with b; odds are 1 + g / the smaller.
        part = Fraction(place, 40)
        smaller = min(part, 1 - part)
        asking = (odds - 1) * smaller / (1 + (odds - 1) * smaller)
        yes = part * (1 - asking)
        reached = min(max(Fraction(1, 2), yes), yes + asking)
        worst = 2 * spread * reached * (1 - reached) / asking**2

        assert (worst >= equal, worst == equal) == (True, part == Fraction(1, 2))


@pytest.mark.parametrize("counts", TALLIES, ids=str)
def test_both_standard_errors(counts):
    """Population: from the reports. Respondents: from possible shares, without their spread."""
    first, second = estimate_statements(counts, USUAL).statements
    parts = [(counts[1], counts[0] + counts[1]), (counts[3], counts[2] + counts[3])]
    slopes = USUAL.slopes
    seen = sum(
        s**2 * rate * (1 - rate) / n
        for s, (k, n) in zip(slopes, parts, strict=True)
        for rate in [Fraction(k, n) if 0 < k < n else Fraction(USUAL.forced, USUAL.total)]
    )
    own, other = (min(max(share.exact, Fraction(0)), Fraction(1)) for share in (first, second))
    rates = USUAL.chances_of_yes(own, other)
    known = sum(s**2 * r * (1 - r) / n for s, r, (_, n) in zip(slopes, rates, parts, strict=True))

    assert float(seen) ** 0.5 == pytest.approx(first.standard_error)
    assert float(known - own * (1 - own) / first.n) ** 0.5 == pytest.approx(
        first.respondents_standard_error
    )


def test_the_respondents_error_is_that_over_the_coins():
    """2,000 surveys of the same 400 people: the spread of the estimates is within 8 %.

    400 people of whom 100 have both, 60 the first alone. The standard deviation of 2,000 normal
    values is off by more than 8 % with a probability below 1e-6.
    """
    truth = (180, 60, 60, 100)
    found = [StatementShare(tuple(tally(USUAL, truth)), USUAL, 0) for _ in range(2000)]
    spread = np.std([share.value for share in found])
    claimed = np.mean([share.respondents_standard_error for share in found])

    assert spread == pytest.approx(claimed, rel=0.08)


def test_it_is_the_estimate_of_two_samples_of_a_paper():
    """`unrelated_unknown` with the forced answers; its standard errors have divisors n - 1."""
    share, prevalence = estimate_statements((710, 290, 560, 240), USUAL).statements
    forced = {"forced_yes": ("1/4", "1/4"), "forced_no": ("1/4", "1/4")}
    known = unrelated_unknown((290, 1000), (240, 800), p=("7/10", "3/10"), **forced)

    assert known["share"].value == pytest.approx(share.value)
    assert known["prevalence"].value == pytest.approx(prevalence.value)
    assert known["share"].standard_error == pytest.approx(share.standard_error, rel=1e-3)


def test_forced_answers_of_a_paper_must_leave_some():
    """Half yes and half no by force: nothing is told."""
    with pytest.raises(EstimationError, match="leave some"):
        unrelated_unknown(
            (1, 10), (2, 10), p=(0.7, 0.3), forced_yes=(0.5, 0.5), forced_no=(0.5, 0.5)
        )


@pytest.mark.parametrize("counts", TALLIES, ids=str)
@pytest.mark.parametrize("statement", [0, 1])
def test_the_score_interval_inverts_its_test(counts, statement):
    """At an end the estimate is z deviations away, under rates that no others are likelier than."""
    share = StatementShare(counts, USUAL, statement)
    interval = share.interval()
    rates = share._rates
    for end, farthest in ((interval.low, -1), (interval.high, 1)):
        at = rates.at(end + 0.5)  # 5 / 10 is what forced answers add
        if abs(at) < 1e12:
            assert abs(share.value - end) == pytest.approx(
                1.959963984540054 * rates.variance(at) ** 0.5, rel=1e-6
            )
        else:  # no rates give more
            assert farthest * (share.value - end) == pytest.approx(0)


@each("parts", [((29, 100), (34, 80)), ((1, 9), (2, 3)), ((1, 4), (0, 2))])
@each("t", [-20.0, -0.5, 0.3, 4.0, 300.0])
def test_the_pair_of_a_sum_is_the_likeliest(parts, t):
    """Of all pairs with this sum on a fine grid, none has a higher likelihood."""
    rates = TwoRates(parts, (3.5, -1.5))
    total, best = rates.value(t), rates.likelihood(t)
    first = np.linspace(1e-9, 1 - 1e-9, 4001)
    second = (3.5 * first - total) / 1.5
    inside = (second > 0) & (second < 1)
    found = sum(
        k * np.log(rate[inside]) + (n - k) * np.log1p(-rate[inside])
        for (k, n), rate in zip(parts, (first, second), strict=True)
    )

    assert found.max() <= best + 1e-9
    assert total - rates.value(0) == pytest.approx(t * rates.variance(t), abs=1e-9)


def covered(n: int, method: str, truths: list[tuple[Fraction, Fraction]]) -> list[float]:
    """How likely the interval holds the first share, by summation over all reports of n people.

    None of a sample has no estimate, and counts as missed.
    """
    rows = []
    for first in range(1, n):
        for yes, other in product(range(first + 1), range(n - first + 1)):
            share = StatementShare((first - yes, yes, n - first - other, other), USUAL, 0)
            interval = share.interval(method=method)
            rows.append((first, yes, other, interval.low, interval.high))
    size, yes, other, low, high = np.array(rows).T
    found = []
    for own, rest in truths:
        mine, theirs = map(float, USUAL.chances_of_yes(own, rest))
        chance = binom.pmf(size, n, 0.5) * binom.pmf(yes, size, mine)
        chance *= binom.pmf(other, n - size, theirs)
        holds = (low - 1e-10 <= float(own)) & (float(own) <= high + 1e-10)
        found.append(float(chance[holds].sum()))
    return found


@pytest.mark.parametrize(
    ("method", "least", "most"),
    [("score", 0.94, 0.96), pytest.param("profile", 0.965, 1, marks=pytest.mark.prove)],
)
def test_the_score_interval_covers_as_it_says(method, least, most):
    """All reports of 24 people, for 15 pairs of shares: 94 to 96 %, and possible shares more."""
    found = covered(24, method, list(product(SHARES, SHARES[::2])))

    assert least <= min(found) <= max(found) <= most


@pytest.mark.parametrize("counts", TALLIES, ids=str)
def test_shown_shares_are_possible_and_their_interval_is_never_empty(counts):
    """Within [0, 1]; at inner ends the likelihood has fallen by z**2 / 2."""
    for share in estimate_statements(counts, USUAL).statements:
        shown, rates = share.shown, share._rates
        assert 0 <= shown.interval.low <= shown.value <= shown.interval.high <= 1
        best = rates.likelihood(rates.at(shown.value + 0.5))
        for end in (shown.interval.low, shown.interval.high):
            if 0 < end < 1:
                drop = best - rates.likelihood(rates.at(end + 0.5))
                assert drop == pytest.approx(1.959963984540054**2 / 2, rel=1e-4)


def test_a_sequence_that_may_be_looked_at_every_time():
    """It is wider, holds the score interval, and is that of one rate where the other is known."""
    share = StatementShare((710, 290, 660, 340), USUAL, 0)
    always, once = anytime_interval(share), share.interval()
    assert always.low < once.low < once.high < always.high
    low, high = TwoRates(((290, 1000), (0, 1)), (1.0, 1e-9)).anytime(0.95)
    single = report_sequence(290, 1000, 0.95)
    # The other rate's own evidence, of one report, is 1 / 2 at most.
    assert low == pytest.approx(single[0], abs=0.01)
    assert high == pytest.approx(single[1], abs=0.01)


@pytest.mark.prove
def test_the_sequence_holds_at_every_look():
    """400 surveys looked at after every report up to 150: at most 45 ever miss the share.

    At 95 % that many come with a probability below 1e-6, if 20 are expected.
    """
    random = np.random.default_rng(7)
    missed = 0
    chances = np.array(
        [float(c) for rate in USUAL.chances_of_yes(Fraction(1, 10), Fraction(1, 2))
         for c in ((1 - rate) / 2, rate / 2)]
    )  # fmt: skip
    for _ in range(400):
        seen = np.cumsum(np.eye(4, dtype=int)[random.choice(4, 150, p=chances)], axis=0)
        looks = [tuple(row.tolist()) for row in seen[9::20]]
        usable = [row for row in looks if row[0] + row[1] and row[2] + row[3]]
        missed += any(0.1 not in StatementShare(row, USUAL, 0).anytime_interval() for row in usable)

    assert binom.sf(45, 400, 0.05) < 1e-6
    assert missed <= 45


@each("forged", [0.05, 0.2])
@each("sample", [0, 1, None])
def test_forged_reports_do_not_leave_their_bounds(forged, sample):
    """All of one sample or of both, and whatever they say: the honest share stays inside.

    Of 20,000 reports without noise; the interval is made so small that only its point is left.
    """
    n = 20_000
    own, other = Fraction(1, 4), Fraction(1, 2)
    honest = [n * (1 - forged) / 2 * float(rate) for rate in USUAL.chances_of_yes(own, other)]
    for says in (0, 1):
        parts = [0.5, 0.5] if sample is None else [1 - sample, sample]
        counts = []
        for yes, part in zip(honest, parts, strict=True):
            extra = round(forged * n * part)
            size = round(n * (1 - forged) / 2)
            counts += [size - round(yes) + extra * (1 - says), round(yes) + extra * says]
        share = StatementShare(tuple(counts), USUAL, 0)
        bounds = forged_interval(share, forged, 1e-9)

        assert bounds.low - 1e-3 <= float(own) <= bounds.high + 1e-3


def test_impossible_reports_are_told():
    """Too many yes, or one sample far larger than chance explains."""
    fair = StatementShare((700, 300, 650, 350), USUAL, 0)

    assert 1 == fair.design_p_value
    assert StatementShare((100, 900, 650, 350), USUAL, 0).design_p_value < 1e-9
    assert StatementShare((1300, 500, 150, 50), USUAL, 0).design_p_value < 1e-9


def test_devices_that_follow_the_design_are_seldom_suspected():
    """2,000 surveys at the edge of what is possible: at most 60 below 1 %, where 20 are expected.

    More come with a probability below 1e-9, if the values are right.
    """
    truth = (200, 0, 0, 0)
    values = [
        StatementShare(tuple(tally(USUAL, truth)), USUAL, 0).design_p_value for _ in range(2000)
    ]

    assert binom.sf(60, 2000, 0.01) < 1e-9
    assert sum(value < 0.01 for value in values) <= 60


def test_intervals_hold_the_truth():
    """100,000 respondents, 10 % and 50 %: inside, with a false alarm of 4e-7 in all."""
    counts = tally(USUAL, (45_000, 5000, 45_000, 5000))
    for share, truth in zip(estimate_answers(counts, USUAL), (0.1, 0.5), strict=True):
        for method in ("score", "profile"):
            assert truth in share.interval(1 - 1e-7, method)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((1, 2, 3), "4 values"),
        ((0, 0, 0, 0), "no reports"),
        ((1, -1, 2, 2), "non-negative"),
        ((3, 2, 0, 0), "one of the two samples has no report"),
        ((0, 0, 3, 2), "one of the two samples has no report"),
    ],
)
def test_counts_that_do_not_fit_are_refused(counts, reason):
    """Both samples are needed for either share."""
    with pytest.raises(EstimationError, match=reason):
        estimate_statements(counts, USUAL)


def test_an_unknown_method_is_refused():
    """With those that there are."""
    with pytest.raises(EstimationError, match="one of score, profile"):
        StatementShare((710, 290, 660, 340), USUAL, 0).interval(method="exact")


def test_the_result_says_itself():
    """Two lines, how many reports each sample has, and a paragraph for the methods section."""
    found = estimate_counts((710, 290, 660, 340), USUAL)
    told = " ".join(found.summary().split())

    assert estimate_statements((710, 290, 660, 340), USUAL) == found
    assert ["statement 0", "statement 1"] == [line.name for line in found.lines()]
    assert "1,000 and 1,000 reports" in told
    assert "with probability 7/20 whether the sample's own statement was true" in told
    assert (0.005, 0.255) == found.values
    assert "share: 0.0050" in str(found.statements[0])
