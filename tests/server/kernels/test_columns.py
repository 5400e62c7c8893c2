"""Kernels count, admit and toss whole columns exactly as the shared mechanisms do one by one."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from channels import column_of
from hypothesis import given, settings
from hypothesis import strategies as st
from small_designs import registered
from sweeps import each

from tossup.server.kernels import kernel_of
from tossup.server.kernels.base import histogram
from tossup.server.kernels.bits import count_bits
from tossup.server.kernels.blocks import BlockKernel, walsh_hadamard
from tossup.server.kernels.masks import bit_sums
from tossup.server.kernels.tossing import draws
from tossup.shared.mechanisms import (
    FrequencyOracle,
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    Mechanism,
    ProjectiveGeometryResponse,
    SeveralMechanism,
    TwoCoin,
)
from tossup.shared.mechanisms.choices.oracle import BlockOracle

THREE = Fraction(3)
ORACLES: list[FrequencyOracle] = [
    *(
        kind.from_odds(THREE, options)
        for kind in registered(FrequencyOracle)
        for options in (3, 8, 16, 70)
    ),
    ProjectiveGeometryResponse(300, 53),
    LocalHashing(300, 17),
    HadamardResponse(1024),
]
COINS: list[Mechanism] = [
    TwoCoin(),
    KaryRandomizedResponse(2),
    *(kind.from_odds(THREE, 1) for kind in registered(SeveralMechanism)),
]
BLOCKS = [oracle for oracle in ORACLES if isinstance(oracle, BlockOracle)]


def ids(mechanism: Mechanism) -> str:
    return f"{mechanism.name} of {mechanism.answers}"


def one_by_one(oracle: FrequencyOracle, reports: list[int]) -> list[int]:
    """The tally of reports, counted by the shared mechanism."""
    tally = [0] * oracle.answers
    for report in reports:
        for option in oracle.supports(report):
            tally[option] += 1
    return [*tally, len(reports)]


@each("oracle", ORACLES)
def test_counts_are_those_of_counting_one_by_one(oracle: FrequencyOracle):
    """A column of 300 true reports has the tally that the shared mechanism gives it."""
    reports = [oracle.perturb(place % oracle.answers) for place in range(300)]

    counted = kernel_of(oracle).count(column_of(oracle, reports))

    assert one_by_one(oracle, reports) == counted.tolist()
    assert (oracle.counters, 300) == (len(counted), oracle.reports_counted(counted.tolist()))


@pytest.mark.parametrize("mechanism", [*ORACLES, KaryRandomizedResponse(5)], ids=ids)
@settings(max_examples=30)
@given(data=st.data())
def test_a_column_is_admitted_if_each_value_is_a_report(mechanism, data: st.DataObject):
    """Any bytes beside true reports: the kernel refuses what the mechanism refuses."""
    width = max(1, -(-(mechanism.reports - 1).bit_length() // 8))
    any_value = data.draw(st.integers(0, (1 << 8 * width) - 1))
    near_value = data.draw(st.integers(-3, 3)) + mechanism.reports
    largest = (1 << 8 * width) - 1
    good = [mechanism.perturb(0), mechanism.perturb(1)]

    for value in (any_value, min(near_value, largest), largest, 0):
        column = column_of(mechanism, [*good, value])
        assert mechanism.is_report(value) == kernel_of(mechanism).admits(column)


@pytest.mark.parametrize("kind", [ProjectiveGeometryResponse, LocalHashing])
def test_blocks_too_many_to_gather_at_once_are_all_added_up(kind: type[BlockOracle]):
    """Of 1,024 options, gathered part by part, each has the sum of its own block's counts."""
    kernel = kernel_of(kind.from_odds(THREE, 1024))
    counts = np.arange(kernel.mechanism.reports, dtype=np.int64) ** 2

    supporters = kernel.supporters(counts)

    assert [*counts[kernel.members].sum(axis=1), counts.sum()] == supporters.tolist()


@each("oracle", [oracle for oracle in BLOCKS if oracle.answers <= 70])
def test_an_oracle_without_a_kernel_of_its_own_is_counted_by_its_members(oracle: BlockOracle):
    """What every block oracle says of itself is enough to count, and to know who is behind."""
    reports = [oracle.perturb(place % oracle.answers) for place in range(300)]
    own, plain = kernel_of(oracle), BlockKernel(oracle)
    column = column_of(oracle, reports)

    assert BlockOracle.counting == "blocks"
    assert own.count(column).tolist() == plain.count(column).tolist()
    assert own.supports(column).tolist() == plain.supports(column).tolist()
    assert own.members.tolist() == plain.members.tolist()


@each("oracle", BLOCKS)
def test_members_are_the_blocks(oracle: BlockOracle):
    """The table of the kernel and the arithmetic of the device are one thing."""
    kernel = kernel_of(oracle)
    assert isinstance(kernel, BlockKernel)
    for option in {0, 1, oracle.answers - 1}:
        block = {oracle.member(option, place) for place in range(oracle.block_size)}
        assert sorted(block) == sorted(kernel.members[option].tolist())


@each("mechanism", [*ORACLES, TwoCoin(), KaryRandomizedResponse(5)])
def test_simulated_reports_follow_the_rates(mechanism: Mechanism):
    """Each counter is within 7 standard deviations of its mean: by chance not in 1e-11 of runs."""
    answers, n = mechanism.answers, 20_000
    truth = [n // 2, n - n // 2, *[0] * (answers - 2)]
    tally = kernel_of(mechanism).simulate(truth).tolist()

    assert n == mechanism.reports_counted(tally)
    for option in range(answers):
        if isinstance(mechanism, FrequencyOracle):
            q, p = mechanism.rates
        else:
            p, q = (mechanism.probability(a, option) for a in (option, (option + 1) % answers))
        chances = [(p if option == answer else q, m) for answer, m in enumerate(truth) if m]
        mean = float(sum(chance * m for chance, m in chances))
        deviation = sqrt(float(sum(chance * (1 - chance) * m for chance, m in chances)))
        assert abs(tally[option] - mean) < 7 * deviation


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=6))
def test_the_fast_transform_is_the_matrix_of_signs(values: list[int]):
    """Row r of the transform is the sum of values with the signs of Sylvester's row r."""
    size = 1 << (len(values) - 1).bit_length()
    padded = [*values, *[0] * (size - len(values))]
    expected = [
        sum(-v if (row & place).bit_count() % 2 else v for place, v in enumerate(padded))
        for row in range(size)
    ]

    assert expected == walsh_hadamard(np.array(padded, dtype=np.int64)).tolist()


@each("n", [1, 254, 255, 256, 511, 1000])
@each("width", [1, 2, 7, 8, 9, 128])
def test_set_bits_are_added_up_without_overflow(n: int, width: int):
    """Rows of ones, the most there can be, and their like with every third row empty."""
    rows = np.full((n, width), 255, dtype=np.uint8)
    rows[::3] = 0

    assert [n - -(-n // 3)] * (8 * width) == bit_sums(rows).tolist()


def test_set_bits_keep_their_places():
    """Against numpy's own, on every byte value and a second column."""
    rows = np.stack([np.arange(256), 255 - np.arange(256)], axis=1).astype(np.uint8)
    expected = np.unpackbits(rows, axis=1, bitorder="little").sum(axis=0)

    assert expected.tolist() == bit_sums(rows).tolist()


@each("n", [1, 7, 8, 9, 63, 64, 65, 1000, (1 << 22) + 77])
@each("mechanism", COINS)
def test_coins_are_counted_as_they_travel(mechanism: Mechanism, n: int):
    """Packed or apart, their tally is one."""
    column = np.arange(n) % 7 < 3
    packed = np.packbits(column, bitorder="little")
    kernel = kernel_of(mechanism)

    expected = kernel.count(column.astype(np.uint8)).tolist()
    assert expected == count_bits(kernel, packed, n).tolist()


class Unheard(TwoCoin):
    counting = "unheard of"


def test_a_mechanism_without_a_kernel_is_refused():
    """The server says that it is too old, rather than counting wrongly."""
    with pytest.raises(TypeError, match="upgrade tossup"):
        kernel_of(Unheard())


@pytest.mark.parametrize("weights", [[3, 1], [0, 5, 0, 1], [1] * 16, [1, 0], [255, 1], [90, 10]])
def test_words_by_weight_are_counted_by_their_bounds(weights: list[int], monkeypatch):
    """Of every byte value once, each index gets its weight as often as the sum fits into 256."""
    total = sum(weights)
    rounds = 256 // total
    rest = bytes(range(rounds * total))
    monkeypatch.setattr(draws, "random_bytes", lambda count: rest[:count])
    n = len(rest)

    assert [weight * rounds for weight in weights] == draws.spread(weights, n).tolist()


def test_words_above_the_last_multiple_are_no_draws(monkeypatch):
    """Of 256 values, 252 to 255 are left out for a bound of 18: there is no modulo bias."""
    rounds = [bytes(range(256)), bytes([0, 17, 18, 251])]
    monkeypatch.setattr(draws, "random_bytes", lambda count: rounds.pop(0))
    expected = [14 + (index == 0) * 2 + (index == 17) * 2 for index in range(18)]

    assert expected == draws.spread([1] * 18, 256).tolist()
    assert rounds == []


@pytest.mark.parametrize("weights", [[1 << 20, 1, 1 << 20], [5000, 1], [0, 3000, 2000]])
def test_large_draws_by_weight_are_searched(weights: list[int], monkeypatch):
    """Given each bound and the values beside it, the index is the one whose weights hold it."""
    bounds = [sum(weights[:place]) for place in range(len(weights) + 1)]
    values = sorted({value for bound in bounds for value in (bound - 1, bound)} - {-1, bounds[-1]})
    monkeypatch.setattr(draws, "uniform_below", lambda bound, n: np.array(values))
    expected = [
        sum(low <= value < low + weight for value in values)
        for low, weight in zip(bounds, weights, strict=False)
    ]

    assert expected == draws.spread(weights, len(values)).tolist()


@pytest.mark.parametrize("n", [0, 1, 1 << 17, (1 << 17) + 1, (1 << 18) + 3])
def test_a_histogram_counts_pairs_and_the_last_one(n: int):
    """Bytes are counted two at a time where they are many, with equal results."""
    values = np.random.default_rng(7).integers(0, 200, n, dtype=np.uint8)

    assert np.bincount(values, minlength=200).tolist() == histogram(values, 200).tolist()


@pytest.mark.parametrize("bound", [1, 2, 3, 200, 256, 257, 65536, 65537, (1 << 31) + 1, 1 << 32])
def test_bulk_draws_are_uniform_by_rejection(bound: int, monkeypatch):
    """What is kept is, in order, every word's low bits that are below the bound: no modulo."""
    stream = np.random.default_rng(1).integers(0, 256, 1 << 22, dtype=np.uint8).tobytes()
    monkeypatch.setattr(draws, "random_bytes", lambda count: stream[:count])
    bits = (bound - 1).bit_length()
    word = 1 if bits <= 8 else 2 if bits <= 16 else 4
    low = [
        int.from_bytes(stream[at : at + word], "little") & ((1 << bits) - 1)
        for at in range(0, 40_000, word)
    ]
    expected = [value for value in low if value < bound][:500]

    assert expected == draws.uniform_below(bound, 1000)[: len(expected)].tolist()[:500]


@pytest.mark.parametrize("n", [1, 7, 8, 9, 16, 1001])
def test_coins_that_nobody_tossed_are_not_counted(n: int, monkeypatch):
    """With nothing but heads, each of n pairs is counted once, and not the rest of a byte."""
    monkeypatch.setattr(draws, "random_bytes", lambda count: b"\xff" * count)

    assert n == draws.heads_of_both(n)
    assert [n, 4] == kernel_of(TwoCoin()).simulate([4, n]).tolist()


@each(
    "oracle",
    [
        kind.from_odds(odds, options)
        for kind in (HadamardResponse, ProjectiveGeometryResponse, LocalHashing)
        for options in (33, 100, 256)
        for odds in (Fraction(11, 10), THREE, Fraction(9))
    ],
)
def test_large_designs_have_their_odds_and_rates_by_enumeration(oracle: BlockOracle):
    """All blocks, all pairs of them and all reports, for up to 256 options.

    With equal block sizes all rows weigh the same; a report in one block and outside another
    reaches keep / lie; equal meetings give one q for all pairs.
    """
    kernel = kernel_of(oracle)
    assert isinstance(kernel, BlockKernel)
    supports = np.zeros((oracle.answers, oracle.reports), dtype=np.float32)
    np.put_along_axis(supports, kernel.members.astype(np.int64), values=1, axis=1)
    meetings = supports @ supports.T
    apart = meetings[~np.eye(oracle.answers, dtype=bool)]
    held = supports.sum(axis=0)
    q, p = oracle.rates
    total = oracle.keep * oracle.block_size + oracle.lie * (oracle.reports - oracle.block_size)

    assert {oracle.block_size} == set(np.diag(meetings).tolist())
    assert {oracle.meeting_size} == set(apart.tolist())
    assert ((held > 0) & (held < oracle.answers)).any()
    assert p == Fraction(oracle.keep * oracle.block_size, total)
    mixed = oracle.keep * oracle.meeting_size + oracle.lie * (
        oracle.block_size - oracle.meeting_size
    )
    assert q == Fraction(mixed, total)
