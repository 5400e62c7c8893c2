"""dBitFlip: its channel, every run of its coins, and what a device ever sends through its memo."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import exp, prod

import pytest
from channels import channel, largest_ratio, walked
from memos import marginal, memos, sent, through
from small_designs import GRID_ODDS, of
from sweeps import each

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import DBitFlip, from_spec
from tossup.shared.mechanisms.memory.d_bit_flip import best_asked
from tossup.shared.mechanisms.memory.kept_bits import for_one_report

SMALL: list[DBitFlip] = of(DBitFlip)
each_design = each("design", SMALL)


@each_design
def test_odds_by_enumeration(design: DBitFlip):
    """One report has the odds that are claimed, and no report is impossible."""
    rows = channel(design)

    assert {Fraction(1)} == {sum(row) for row in rows}
    assert all(chance > 0 for row in rows for chance in row)
    assert design.odds == design.odds_of(1) == largest_ratio(rows)


@each_design
def test_the_sampler_is_the_channel(design: DBitFlip):
    """Over all choices of the coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)


@each_design
def test_a_memo_and_then_a_report_is_the_channel(design: DBitFlip):
    """Both stages by themselves, as in waves, are the sampler's at once."""
    assert channel(design) == marginal(design)


@each_design
def test_the_odds_for_whoever_has_the_memo(design: DBitFlip):
    """A memo and a report together: the largest ratio over all memos is what a wave is charged."""
    odds = [
        largest_ratio([[row.get(y, Fraction(0)) for y in range(design.reports)] for row in rows])
        for rows in (through(design, memo) for memo in memos(design))
    ]

    assert design.given_memo.odds == max(odds)
    assert design.given_memo.odds == largest_ratio(channel(design.given_memo))
    expected = Fraction(design.again_keep, design.again_lie) ** min(design.asked, 2)
    assert expected == design.given_memo.odds


#: Designs, and how many waves of them are gone through.
SEQUENCES = [
    (DBitFlip(2, 1, 2, 1, 2, 1), 5),
    (DBitFlip(2, 2, 2, 1, 2, 1), 3),
    (DBitFlip(3, 1, 9, 1, 3, 1), 4),
    (DBitFlip(3, 1, 3, 2, 9, 1), 4),
    (DBitFlip(3, 2, 9, 1, 3, 1), 3),
    (DBitFlip(3, 2, 3, 2, 5, 1), 3),
    (DBitFlip(3, 3, 2, 1, 3, 2), 2),
    (DBitFlip(4, 3, 2, 1, 3, 1), 2),
    (DBitFlip(3, 1, 1, 0, 2, 1), 4),
]


@pytest.mark.prove
@each("design, waves", SEQUENCES)
def test_odds_of_all_reports_over_all_pairs_of_sequences(design: DBitFlip, waves: int):
    """However answers change: every sequence against every other, all reports, all memos."""
    rows = [sent(design, x) for x in product(range(design.points), repeat=waves)]

    assert {Fraction(1)} == {sum(row) for row in rows}
    assert design.odds_of(waves) == largest_ratio(rows)


@each("design, waves", SEQUENCES)
def test_odds_between_answers_that_never_change(design: DBitFlip, waves: int):
    """All pairs of answers that stay: at most those of the kept bits, however many waves."""
    rows = [sent(design, [x] * waves) for x in range(design.points)]

    assert design.odds_if_steady(waves) == largest_ratio(rows)
    if design.lie:
        most = Fraction(design.keep, design.lie) ** min(design.asked, 2)
        assert design.odds_if_steady(waves) < design.odds_if_steady(200) <= most


@cache
def bits_given(design: DBitFlip, inside: tuple[bool, ...], bits: tuple[int, ...]) -> Fraction:
    """Pr[the bits of one bucket], wave by wave, given in which waves it holds the answer."""
    wrong = Fraction(design.lie, design.keep + design.lie)
    turned = Fraction(design.again_lie, design.again_keep + design.again_lie)
    return sum(
        (wrong if for_in == 0 else 1 - wrong)
        * (wrong if for_out == 1 else 1 - wrong)
        * prod(
            turned if bit != (for_in if held else for_out) else 1 - turned
            for held, bit in zip(inside, bits, strict=True)
        )
        for for_in, for_out in product((0, 1), repeat=2)
    )


def by_all_pairs(design: DBitFlip, waves: int) -> Fraction:
    """The odds of all reports, from all pairs of sequences; about a bucket all bits are tried."""

    @cache
    def largest(inside: tuple[bool, ...], other: tuple[bool, ...]) -> Fraction:
        return max(
            bits_given(design, inside, bits) / bits_given(design, other, bits)
            for bits in product((0, 1), repeat=waves)
        )

    sequences = [
        [tuple(answer == bucket for answer in answers) for bucket in range(design.asked)]
        for answers in product(range(design.points), repeat=waves)
    ]
    return max(
        prod(largest(*both) for both in zip(x, y, strict=True))
        for x in sequences
        for y in sequences
    )


COINS = [(9, 1, 3, 1), (3, 1, 5, 4), (2, 1, 9, 1), (5, 4, 30, 1), (100, 1, 2, 1), (1, 0, 3, 2)]


@pytest.mark.prove
@each("coins", COINS)
@each(
    "points, asked, waves",
    [
        *((2, 1, 5), (2, 2, 5), (3, 1, 4), (3, 2, 4), (3, 3, 2), (3, 3, 4), (4, 2, 3)),
        *((4, 4, 2), (4, 4, 3), (4, 3, 3), (5, 5, 2), (5, 4, 2), (7, 7, 2)),
    ],
)
def test_odds_of_all_reports_of_more_buckets_and_waves(points, asked, waves, coins):
    """Buckets are independent given the answers: their largest ratios multiply, pair by pair.

    Of three buckets that are all asked in two waves not every number can be had: 39, not 46.
    """
    design = DBitFlip(points, asked, *coins)

    assert by_all_pairs(design, waves) == design.odds_of(waves)


@pytest.mark.parametrize("waves", [1, 2, 5, 16])
def test_odds_of_one_bucket_and_of_two(waves: int):
    """Two buckets that are asked have the square: what moves into one moves out of the other."""
    for coins in COINS:
        one, two = (DBitFlip(3, asked, *coins).odds_of(waves) for asked in (1, 2))

        assert one**2 == two


@each("coins", COINS)
def test_reports_alone_never_tell_more_than_is_charged(coins):
    """With every wave both grow; the reports alone never have more than whoever has the memo."""
    for points, asked in ((2, 1), (5, 1), (5, 2), (5, 5), (12, 12), (32, 7)):
        design = DBitFlip(points, asked, *coins)
        alone = [design.odds_of(waves) for waves in (1, 2, 3, 8)]
        charged = [design.given_memo.odds**waves for waves in (1, 2, 3, 8)]

        assert sorted(set(alone)) == alone
        assert all(one <= other for one, other in zip(alone, charged, strict=True))
        assert (design.lie == 0) == (alone == charged)


def test_more_waves_than_can_be_gone_through_are_refused():
    """The figure for 16 waves is there in a moment; none is made up for more."""
    assert DBitFlip(12, 12).odds_of(16) > 1
    with pytest.raises(MechanismError, match="16 reports"):
        DBitFlip(12, 12).odds_of(17)


@each_design
def test_a_memo_has_seen_no_answer(design: DBitFlip):
    """All windows are alike, and all kept bits independent: also those of one bucket."""
    right = Fraction(design.keep, design.keep + design.lie)
    bits = design.asked
    found = memos(design)

    for memo in range(design.windows << 2 * bits):
        inside, outside = memo >> bits & (1 << bits) - 1, memo & (1 << bits) - 1
        likely = inside.bit_count() + bits - outside.bit_count()
        chance = right**likely * (1 - right) ** (2 * bits - likely) / design.windows
        assert chance == found.get(memo, Fraction(0))


@pytest.mark.parametrize("first", range(5))
def test_windows_go_round(first: int):
    """From each bucket on, those after it are asked, from the last on to the first."""
    design = DBitFlip(5, 2)
    held = {answer: design.truth(first, answer) for answer in range(5)}

    assert {first: 1, (first + 1) % 5: 2} == {answer: bit for answer, bit in held.items() if bit}


def draws(design: DBitFlip) -> Iterator[list[int]]:
    """The bytes drawn: for a report, for a memo, and for a report through each of two memos."""
    for answer in range(design.points):
        for toss in (
            lambda coins, x=answer: design.perturb(x, coins),
            design.memo,
            lambda coins, x=answer: design.through(0, x, coins),
            lambda coins, x=answer: design.through((1 << 2 * design.asked) - 1, x, coins),
        ):
            drawn: list[int] = []
            toss(Coins(lambda n, drawn=drawn: drawn.append(n) or b"\x27" * n))
            yield drawn


@pytest.mark.parametrize("asked", [1, 3, 7])
def test_an_answer_costs_the_same_number_of_random_bytes(asked: int):
    """Whatever the answer and the memo, the same bytes are drawn, in one draw for each step."""
    found = list(draws(DBitFlip(7, asked, 9, 1, 32592, 18817)))

    assert all(len(drawn) == 1 for drawn in found)
    assert [*found[:3], found[2]] * 7 == found


@each("answer", [None, True, 1.0, "1", -1, 5, Fraction(1)])
def test_an_answer_off_the_grid_draws_nothing(answer: object):
    """Neither for a report without a memo, nor through one."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError):
        DBitFlip(5, 1).perturb(answer, Coins(source))
    with pytest.raises(AnswerError):
        DBitFlip(5, 1).through(0, answer, Coins(source))


@each("points", [2, 3, 4, 5, 11, 12, 13, 32])
@each("odds", GRID_ODDS)
def test_one_report_has_nearly_the_odds_that_were_asked(points: int, odds: Fraction):
    """Never more, and less by under one part in a million."""
    design = DBitFlip.for_odds(points, odds)

    assert odds * (1 - Fraction(1, 10**6)) < design.odds <= odds
    assert best_asked(points) == design.asked


@each(
    "changed",
    [
        {"asked": 0},
        {"asked": 6},
        {"asked": True},
        {"keep": 1},
        {"lie": -1},
        {"lie": 9},
        {"keep": 9.0},
        {"again_keep": 1},
        {"again_lie": 0},
        {"keep": 1 << 32},
        {"again_keep": 1 << 32},
        {"more": 1},
    ],
)
def test_a_spec_that_does_not_fit_is_refused(changed: dict):
    """Buckets that there are not, coins that turn more than they keep, and look-alikes."""
    spec = DBitFlip(5, 1).spec() | changed

    with pytest.raises(MechanismError):
        from_spec(spec, 5)


@pytest.mark.parametrize(("points", "asked"), [(33, 1), (1, 1), (13, 9), (13, 13), (32, 8)])
def test_windows_that_would_mark_a_device_are_refused(points: int, asked: int):
    """More than 32 windows, fewer than two points, and more than 4,096 reports."""
    with pytest.raises(MechanismError):
        DBitFlip(points, asked)


@pytest.mark.parametrize("asked", [1, 7])
@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_one_report_has_the_published_variance(golden, epsilon: str, asked: int):
    """Of a bucket of 32 that nobody is in, to 1e-4: (32 / asked) q (1 - q) / (p - q)**2.

    Published are 1 and 16 asked; 16 of 32 would be more reports than a design has, and the
    variance is in proportion to 1 / asked.
    """
    row = golden[epsilon]
    half = Fraction(exp(row["eps_value"] / 2)).limit_denominator(2000)
    design = DBitFlip(32, asked, *for_one_report(half))
    keep, lie = design.bits.told
    told = Fraction(keep, keep + lie)
    found = Fraction(32, asked) * told * (1 - told) / (2 * told - 1) ** 2

    for published in (1, 16):
        expected = row[f"dbitflip_b32_d{published}_var_n_f0"] * published / asked
        assert pytest.approx(expected, rel=1e-4) == float(found)
