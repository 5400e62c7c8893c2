"""What frequency oracles have in common: proven by enumeration where reports are few."""

import os
from fractions import Fraction
from itertools import combinations, product

import pytest
from channels import channel
from small_designs import of, registered
from sweeps import each

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    FrequencyOracle,
    Rappor,
    SymmetricUnary,
    from_spec,
)
from tossup.shared.mechanisms.choices.oracle import BlockOracle, MaskOracle

MASKS: list[MaskOracle] = of(MaskOracle)
BLOCKS: list[BlockOracle] = of(BlockOracle)
ORACLES: list[FrequencyOracle] = [*MASKS, *BLOCKS]
KINDS: list[type[FrequencyOracle]] = registered(FrequencyOracle)


def test_every_oracle_of_the_registry_is_swept():
    """By designs so small that they are gone through: a new one is of blocks or of masks."""
    assert set(KINDS) == {type(oracle) for oracle in ORACLES}


@pytest.mark.prove
@each("oracle", ORACLES)
def test_rates_by_enumeration(oracle: FrequencyOracle):
    """An option is supported with probability p when it is the answer, else q: a pure protocol."""
    q, p = oracle.rates
    supports = [oracle.supports(report) for report in range(oracle.reports)]

    for answer, row in enumerate(channel(oracle)):
        for option in range(oracle.answers):
            named = [chance for chance, held in zip(row, supports, strict=True) if option in held]
            assert sum(named) == (p if option == answer else q)


@each("oracle", MASKS)
def test_pair_rates_by_enumeration(oracle: MaskOracle):
    """Two options are supported at once as the covariance takes for granted."""
    neither, one = oracle.pair_rates
    for answer, row in enumerate(channel(oracle)):
        for first, second in combinations(range(oracle.answers), 2):
            both = 1 << first | 1 << second
            chance = sum(c for report, c in enumerate(row) if report & both == both)
            assert chance == (one if answer in (first, second) else neither)


@each("oracle", BLOCKS)
def test_blocks_have_one_size_and_meet_equally(oracle: BlockOracle):
    """Members and others are all reports, each once; any two blocks share as many."""
    blocks = []
    for option in range(oracle.answers):
        block = {oracle.member(option, place) for place in range(oracle.block_size)}
        others = range(oracle.reports - oracle.block_size)
        rest = {oracle.other(option, place) for place in others}
        blocks.append(block)
        assert block == {y for y in range(oracle.reports) if oracle.in_block(option, y)}
        assert (oracle.block_size, set(range(oracle.reports)) - block) == (len(block), rest)

    meetings = {len(first & second) for first, second in combinations(blocks, 2)}
    assert {oracle.meeting_size} == meetings


@each("oracle", ORACLES)
def test_a_spec_gives_the_mechanism_back(oracle: FrequencyOracle):
    """What stands in a manifest is the whole mechanism."""
    assert oracle == from_spec(oracle.spec(), oracle.answers)


@each("kind", KINDS)
@each("options", [2, 3, 16, 128, 256, 1024])
def test_realised_odds_are_never_above_those_asked(kind, options: int):
    """From an odds of 101 to 100 to one of 700, and at least 0.9999 of its logarithm is used."""
    for odds in (Fraction(101, 100), Fraction(3, 2), Fraction(3), Fraction(22, 3), Fraction(700)):
        realised = kind.from_odds(odds, options).odds

        assert realised <= odds
        assert (realised - 1) / (odds - 1) > Fraction(999, 1000)
        assert realised == odds or kind in (SymmetricUnary, Rappor)


@each("kind", KINDS)
@each("options", [2, 5, 16, 100])
def test_an_answer_costs_the_same_random_bytes_in_one_draw(kind, options: int):
    """Whatever the answer, the report and the bytes: what is drawn tells nothing."""
    oracle = kind.from_odds(Fraction(5, 2), options)
    draws = set()
    for answer in [0, 1, options - 1] * 30:
        drawn: list[int] = []

        def source(count: int, drawn: list[int] = drawn) -> bytes:
            drawn.append(count)
            return os.urandom(count)

        oracle.perturb(answer, Coins(source))
        draws.add(tuple(drawn))

    assert {(next(iter(draws))[0],)} == draws


@each("kind", KINDS)
@each("answer", [None, True, 1.0, "1", -1, 5, 1000, float("nan"), [], Fraction(1)])
def test_an_answer_outside_the_declared_ones_draws_nothing(kind, answer: object):
    """A look-alike is refused before a coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError, match="from 0 to 4"):
        kind.from_odds(Fraction(3), 5).perturb(answer, Coins(source))


@each("kind", KINDS)
def test_the_truth_is_randomized_wherever_it_stands(kind):
    """First, middle and last option: each may be supported and may be left out, by true draws.

    At 3:1 a report supports its truth with probability at most 3/4 here, and at least 2/5: the
    chance that 600 do not show both is below 1e-74.
    """
    oracle = kind.from_odds(Fraction(3), 16)
    for answer in (0, 8, 15):
        reports = [oracle.perturb(answer) for _ in range(600)]

        assert {True, False} == {answer in oracle.supports(report) for report in reports}
        assert all(oracle.is_report(report) for report in reports)


@each(
    "spec",
    [
        {"name": name, **parameters}
        for name, parameters in product(
            ("symmetric-unary/1", "optimized-unary/1", "hadamard-response/1"),
            (
                {"keep": 1, "lie": 1},
                {"keep": 1, "lie": 3},
                {"keep": 3, "lie": 0},
                {"keep": 3.0, "lie": 1},
                {"keep": 1 << 32, "lie": 1},
                {"keep": 3},
                {"keep": 3, "lie": 1, "more": 1},
            ),
        )
    ]
    + [
        {"name": name, **parameters}
        for name, parameters in product(
            ("projective-geometry-response/1", "local-hashing/1"),
            (
                {"field": 1, "keep": 3, "lie": 1},
                {"field": 4, "keep": 3, "lie": 1},
                {"field": 1031, "keep": 3, "lie": 1},
                {"field": -3, "keep": 3, "lie": 1},
                {"field": "3", "keep": 3, "lie": 1},
                {"keep": 3, "lie": 1},
                {"field": 3, "keep": 1, "lie": 1},
                {"field": 3, "keep": 1 << 32, "lie": 1},
            ),
        )
    ],
)
def test_designs_that_cannot_protect_or_tell_are_refused(spec: dict[str, object]):
    """Parameters outside their bounds, missing, unknown or of another type are no mechanism."""
    with pytest.raises(MechanismError):
        from_spec(spec, answers=5)


@each("kind", KINDS)
@each("options", [1, 1025, 0, -1, True])
def test_a_number_of_options_outside_the_bounds_is_refused(kind, options: int):
    """Choices have from 2 to 1024 options."""
    with pytest.raises(MechanismError, match="options"):
        kind.from_odds(Fraction(3), options)
