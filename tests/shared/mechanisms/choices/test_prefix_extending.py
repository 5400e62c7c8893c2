"""Prefix extending is exactly its oracle, on the bucket of one prefix of the text."""

import os
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from channels import channel, largest_ratio
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each
from walking import channel_row

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    OptimizedUnary,
    PermanentInstantaneous,
    PrefixExtending,
    ProjectiveGeometryResponse,
    Rappor,
    SubsetSelection,
    SymmetricUnary,
    TwoCoin,
    from_spec,
)
from tossup.shared.mechanisms.choices.prefix_extending import ORACLES

SMALL = [
    PrefixExtending(1, (1,), 1, HadamardResponse(2)),
    PrefixExtending(2, (1, 2), 2, ProjectiveGeometryResponse(4, 3)),
    PrefixExtending(2, (2,), 1, LocalHashing(4, 2)),
    PrefixExtending(3, (1, 2), 1, HadamardResponse(3, 5, 2)),
    PrefixExtending(1, (1, 2, 3), 2, ProjectiveGeometryResponse(3, 2, 9, 1), salt=7),
    PrefixExtending(2, (1, 2), 2, KaryRandomizedResponse(3, 5, 2)),
    PrefixExtending(2, (1, 2), 2, SubsetSelection(4, 2), salt=1),
    PrefixExtending(3, (1,), 3, SymmetricUnary(3, 2, 1)),
    PrefixExtending(1, (1, 2), 2, OptimizedUnary(3), salt=2),
]
TWELVE = PrefixExtending(27, (3, 6, 9, 12), 16, ProjectiveGeometryResponse(781, 5))
WIDE = [
    PrefixExtending(27, (3, 6, 9, 12), 16, oracle)
    for oracle in (
        KaryRandomizedResponse(256),
        SubsetSelection(240, 60),
        SymmetricUnary(240, 2, 1),
        OptimizedUnary(240),
    )
]


def ids(design: PrefixExtending) -> str:
    return f"{design.characters}-{design.lengths}-{design.oracle.name}"


def test_it_works():
    """Twelve letters, two bytes a report, and the oracle's odds."""
    assert (62480, 3) == (TWELVE.reports, TWELVE.odds)
    assert TWELVE.is_report(TWELVE.perturb(28**12 - 1))


@each("design", SMALL)
def test_the_sampler_is_the_channel(design: PrefixExtending):
    """Over all choices of the coins, each report comes with exactly its probability."""
    for answer, row in enumerate(channel(design)):
        assert {y: chance for y, chance in enumerate(row) if chance} == channel_row(design, answer)


@each("design", SMALL)
def test_rows_sum_to_1_and_every_report_is_possible(design: PrefixExtending):
    """No report proves that some text was not given; what is none comes from no text."""
    rows = channel(design)

    assert {Fraction(1)} == {sum(row) for row in rows}
    for report, column in enumerate(zip(*rows, strict=True)):
        assert {design.is_report(report)} == {chance > 0 for chance in column}
    assert not design.is_report(design.reports)
    assert not design.is_report(-1)


@each("design", SMALL)
def test_odds_by_enumeration(design: PrefixExtending):
    """The odds are the largest ratio over all reports and pairs of texts, and the oracle's."""
    assert design.odds == largest_ratio(channel(design))
    assert design.odds == design.oracle.odds


@each("design", SMALL)
def test_a_slot_is_as_likely_whatever_the_text_is(design: PrefixExtending):
    """Level and row are public, and tell nothing."""
    size = design.oracle.reports

    for row in channel(design):
        slots = [sum(row[start : start + size]) for start in range(0, len(row), size)]
        assert [Fraction(1, design.slots)] * design.slots == slots


@pytest.mark.parametrize("design", [TWELVE, *WIDE], ids=ids)
@given(first=st.integers(0, 28**12 - 1), second=st.integers(0, 28**12 - 1))
@settings(max_examples=40)
def test_every_text_draws_the_same_coins(design: PrefixExtending, first: int, second: int):
    """With the same bytes from the CSPRNG two texts draw as often, and as many."""
    data = os.urandom(4096)
    drawn: list[list[int]] = []
    for text in (first, second):
        counts: list[int] = []

        def source(count: int, counts: list[int] = counts) -> bytes:
            start = sum(counts)
            counts.append(count)
            return data[start : start + count]

        design.perturb(text, Coins(source))
        drawn.append(counts)

    assert drawn[0] == drawn[1]


def test_texts_with_the_same_beginning_share_its_buckets():
    """A level looks at its own characters only; the last two look at all of them."""
    text, other = 5 * 28**11 + 7 * 28**9, 5 * 28**11 + 7 * 28**9 + 28**8
    same = [
        [TWELVE.bucket(text, level, row) == TWELVE.bucket(other, level, row) for row in range(16)]
        for level in range(5)
    ]

    assert [True] * 16 == same[0]
    assert all(sum(row) < 4 for row in same[1:])


def test_buckets_of_three_texts_are_independent_over_the_family():
    """Of 8,000 salts, each of 8 patterns of three texts' buckets comes about 1,000 times."""
    texts = (4, 5, 8)  # two that share an older part, and two that share a block
    patterns: Counter[tuple[int, ...]] = Counter()
    for salt in range(8000):
        design = PrefixExtending(2, (1, 2), 1, HadamardResponse(2), salt)
        patterns[tuple(design.bucket(text, 1, 0) for text in texts)] += 1

    assert set(product((0, 1), repeat=3)) == set(patterns)
    # Five standard deviations: sqrt(8000 / 8 x 7 / 8) = 29.6.
    assert all(abs(count - 1000) < 148 for count in patterns.values())


def test_levels_and_rows_have_their_own_functions():
    """One collision is none elsewhere: of 80 slots, two texts share a bucket in few."""
    shared = [
        TWELVE.bucket(1, level, row) == TWELVE.bucket(2, level, row)
        for level in (3, 4)
        for row in range(16)
    ]

    assert sum(shared) <= 2


@each("design", [*SMALL, TWELVE, *WIDE])
def test_a_manifest_says_it_all(design: PrefixExtending):
    """The spec comes back as the same design."""
    assert design == from_spec(design.spec(), design.answers)


@each(
    "changed",
    [
        {"characters": 0},
        {"characters": True},
        {"characters": 1 << 16},
        {"lengths": []},
        {"lengths": [3, 3]},
        {"lengths": [0, 3]},
        {"lengths": [3, 65]},
        {"lengths": ["3"]},
        {"lengths": 3},
        {"lengths": [1, 5]},  # 28**4 blocks
        {"rows": 0},
        {"rows": 65},
        {"rows": 17},  # five levels of 17 rows of 781: more than two bytes
        {"salt": -1},
        {"salt": 1 << 53},
        {"salt": 1.0},
        {"buckets": 1},
        {"oracle": {"name": "k-ary-randomized-response/1", "keep": 3, "lie": 1}},  # 256 at most
        {"oracle": {"name": "optimized-unary/1", "keep": 3, "lie": 1}, "buckets": 820},
        {"oracle": {"name": "symmetric-unary/1", "keep": 3, "lie": 1}, "buckets": 1025},
        {"oracle": {"name": "rappor/1", "keep": 3, "lie": 1, "one": 3, "zero": 1, "out_of": 4}},
        {"oracle": {"name": "prefix-extending/1"}},
        {"oracle": {"field": 5, "keep": 3, "lie": 1}},
        {"oracle": "projective-geometry-response/1"},
        {"oracle": None},
        {"more": 1},
    ],
)
def test_what_is_no_design_is_refused(changed: dict[str, object]):
    """Parameters outside their bounds, unknown, or of another type."""
    with pytest.raises(MechanismError):
        from_spec(TWELVE.spec() | changed, TWELVE.answers)


@pytest.mark.parametrize("oracle", [Rappor(9), PermanentInstantaneous(9, 9, 1, 3, 1), TwoCoin()])
def test_what_is_kept_for_life_and_yes_no_report_no_buckets(oracle):
    """A memory is of one bucket, and a text has one in every slot; yes/no has two at most."""
    with pytest.raises(MechanismError, match="reported by one of"):
        PrefixExtending(2, (2,), 1, oracle)


def test_every_oracle_that_may_report_buckets_is_swept():
    """They are a part of what the name means: an oracle that is added later is none of them."""
    assert {type(design.oracle) for design in SMALL} == {*ORACLES.values()}


def test_a_tally_has_as_many_counters_as_are_counted():
    """Of a mask one a bucket and one of all, in every slot; of a number one a report."""
    assert [80 * 256, 80 * 241, 80 * 241, 80 * 241] == [design.counters for design in WIDE]


@pytest.mark.parametrize("design", WIDE, ids=ids)
def test_all_reports_are_counted_once(design: PrefixExtending):
    """However many buckets a report names: two reports in the last slot, one in the first."""
    counts = [0] * design.counters
    if isinstance(design.oracle, KaryRandomizedResponse):
        counts[0], counts[-1] = 1, 2
    else:
        counts[:4], counts[240], counts[-2:] = [1, 0, 1, 0], 1, [1, 2]

    assert 3 == design.reports_counted(counts)


def test_a_mask_may_have_1_024_buckets_and_no_more():
    """129 bytes a report at most; hash functions bring any number of texts into so many."""
    widest = PrefixExtending(27, (3, 6, 9, 12), 12, OptimizedUnary(1024))

    assert 129 == -(-(widest.reports - 1).bit_length() // 8)
    with pytest.raises(MechanismError, match="from 2 to 1024"):
        from_spec(widest.spec() | {"buckets": 1 << 16}, widest.answers)


@each("answer", [-1, 28**12, 1.0, True, "alice", None])
def test_what_is_no_text_is_refused_before_a_coin(answer: object):
    """Nothing is drawn for an answer outside the declared ones."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError):
        TWELVE.perturb(answer, Coins(source))
