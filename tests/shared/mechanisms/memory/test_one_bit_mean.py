"""One bit for a mean: its channel, every run of its coins, and all that is sent through a memo."""

from fractions import Fraction
from itertools import product
from math import exp

import pytest
from channels import channel, largest_ratio, walked
from memos import marginal, memos, sent, through
from small_designs import GRID_ODDS, of
from sweeps import each

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import DBitFlip, Duchi, OneBitMean, from_spec

each_design = each("design", of(OneBitMean))


@each_design
def test_odds_by_enumeration(design: OneBitMean):
    """One report has the odds that are claimed, which are those of both coins of a bit."""
    right, wrong = design.keep * design.again_keep, design.lie * design.again_lie
    turned = design.keep * design.again_lie + design.lie * design.again_keep

    assert design.odds == design.odds_of(1) == largest_ratio(channel(design))
    assert Fraction(right + wrong, turned) == design.odds


@each_design
def test_the_sampler_is_the_channel(design: OneBitMean):
    """Over all choices of the coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)


@each_design
def test_a_memo_and_then_a_report_is_the_channel(design: OneBitMean):
    """Both stages by themselves, as in waves, are the sampler's at once."""
    assert channel(design) == marginal(design)


@each_design
def test_a_report_is_one_of_duchis_mechanism(design: OneBitMean):
    """A cut that is kept for life makes the chance of high as linear as rounding afresh would."""
    told = Duchi.for_odds(design.points, design.odds)

    assert (told.channel(), told.values) == (design.channel(), design.values)


@each_design
def test_the_odds_for_whoever_has_the_memo(design: OneBitMean):
    """A memo and a report together: the largest ratio over all memos is what a wave is charged."""
    odds = [
        largest_ratio([[row[report] for report in range(2)] for row in through(design, memo)])
        for memo in memos(design)
    ]

    assert design.given_memo.odds == largest_ratio(channel(design.given_memo)) == max(odds)
    assert Fraction(design.again_keep, design.again_lie) == design.given_memo.odds


SEQUENCES = [
    (OneBitMean(2, 9, 1, 3, 1), 5),
    (OneBitMean(2, 2, 1, 9, 1), 5),
    (OneBitMean(3, 9, 1, 3, 1), 4),
    (OneBitMean(3, 5, 4, 30, 1), 4),
    (OneBitMean(4, 3, 1, 5, 4), 3),
    (OneBitMean(3, 1, 0, 3, 2), 4),
]


@each("design, waves", SEQUENCES)
def test_odds_of_all_reports_over_all_pairs_of_sequences(design: OneBitMean, waves: int):
    """However answers change: every sequence against every other, all reports, all memos."""
    rows = [sent(design, x) for x in product(range(design.points), repeat=waves)]

    assert {Fraction(1)} == {sum(row) for row in rows}
    assert design.odds_of(waves) == largest_ratio(rows)


@each("design, waves", SEQUENCES)
def test_odds_between_answers_that_never_change(design: OneBitMean, waves: int):
    """All pairs of answers that stay: below those of the kept bits, however many waves."""
    rows = [sent(design, [x] * waves) for x in range(design.points)]

    assert design.odds_if_steady(waves) == largest_ratio(rows)
    assert not design.lie or design.odds_if_steady(200) < Fraction(design.keep, design.lie)


def test_many_waves_are_those_of_one_bucket():
    """As far as reports go a cut is a bucket: of 16 waves, where pairs are too many to list."""
    for waves in (2, 9, 16):
        assert DBitFlip(2, 1, 9, 1, 3, 2).odds_of(waves) == OneBitMean(7, 9, 1, 3, 2).odds_of(waves)
    with pytest.raises(MechanismError, match="16 reports"):
        OneBitMean(7).odds_of(17)


@each_design
def test_a_memo_has_seen_no_answer(design: OneBitMean):
    """All cuts are alike, and both kept bits independent of them and of each other."""
    right = Fraction(design.keep, design.keep + design.lie)

    for cut, above, below in product(range(design.points - 1), (0, 1), (0, 1)):
        chance = (right if above else 1 - right) * (1 - right if below else right)
        found = memos(design).get(cut << 2 | above << 1 | below, Fraction(0))
        assert chance / (design.points - 1) == found


def test_the_device_keeps_its_cut_to_itself():
    """A report is a bit: what is sent wave after wave marks no device."""
    assert 2 == OneBitMean(1024).reports


@each("points", [2, 3, 11, 101, 1024])
@each("odds", GRID_ODDS)
def test_one_report_has_exactly_the_odds_that_were_asked(points: int, odds: Fraction):
    """Whatever the ratio: fresh coins take it from what the kept ones leave."""
    assert odds == OneBitMean.for_odds(points, odds).odds


@each("answer", range(7))
def test_an_answer_costs_the_same_number_of_random_bytes(answer: int):
    """Whatever the answer and the memo, the same bytes are drawn, in one draw for each step."""
    design = OneBitMean(7, 9, 1, 3, 2)
    drawn: list[int] = []
    coins = [Coins(lambda n: drawn.append(n) or b"\x27" * n) for _ in range(4)]
    design.perturb(answer, coins[0])
    design.memo(coins[1])
    for memo, source in zip((0, 23), coins[2:], strict=True):
        design.through(memo, answer, source)

    assert [53, 51, 35, 35] == drawn


@each("answer", [None, True, 1.0, "1", -1, 5, Fraction(1)])
def test_an_answer_off_the_grid_draws_nothing(answer: object):
    """Neither for a report without a memo, nor through one."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError):
        OneBitMean(5).perturb(answer, Coins(source))
    with pytest.raises(AnswerError):
        OneBitMean(5).through(0, answer, Coins(source))


@each(
    "changed",
    [
        {"keep": 1},
        {"lie": -1},
        {"lie": 9},
        {"keep": 9.0},
        {"lie": True},
        {"again_keep": 1},
        {"again_lie": 0},
        {"keep": 1 << 32},
        {"again_keep": 1 << 32},
        {"asked": 1},
    ],
)
def test_a_spec_that_does_not_fit_is_refused(changed: dict):
    """Coins that turn more than they keep, weights that nobody can toss, and look-alikes."""
    with pytest.raises(MechanismError):
        from_spec(OneBitMean(5).spec() | changed, 5)


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_one_report_has_the_published_chances_and_variance(golden, epsilon: str):
    """Of 1BitMean on [0, 1], to 1e-6: chances of a 1 at both ends, and the worst variance.

    Bits through kept and fresh coins together tell as much as one toss with the odds of both.
    """
    row = golden[epsilon]["one_bit_mean_m1"]
    odds = Fraction(exp(golden[epsilon]["eps_value"])).limit_denominator(2000)
    design = OneBitMean.for_odds(257, odds)
    ones = [float(high) for _, high in (design.channel()[0], design.channel()[-1])]
    rows = zip(design.channel(), range(257), strict=True)
    values = design.values
    worst = max(
        sum(p * (v - x) ** 2 for p, v in zip(cells, values, strict=True)) for cells, x in rows
    )

    assert pytest.approx([row["P1_at_x0"], row["P1_at_x1"]], rel=1e-6) == ones
    assert pytest.approx(row["worst_var_n"], rel=1e-5) == float(worst) / 256**2
