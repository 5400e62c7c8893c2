"""Odds by enumeration for up to 256 answers, where the tests of a single mechanism stop short.

Tables and oracles with few reports are gone through cell by cell. The masks of 256 options are
2**256: there a probability depends on the number of set bits and on the answer's own alone, so
that all masks are gone through class by class.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from random import Random

import pytest
from channels import largest_of_columns
from small_designs import registered
from sweeps import each
from walking import channel_row

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    FrequencyOracle,
    GridMechanism,
    KaryRandomizedResponse,
    PermanentInstantaneous,
    TableMechanism,
)
from tossup.shared.mechanisms.choices.oracle import BlockOracle, MaskOracle

THREE = Fraction(3)
SIZES = (33, 64, 100, 129, 255, 256)
MASKS: list[type[MaskOracle]] = registered(MaskOracle)


def takes_256_points(kind: type[GridMechanism]) -> bool:
    """Return whether there is a table for so many; small grids have tests of their own."""
    try:
        return isinstance(kind.for_odds(256, THREE), TableMechanism)
    except MechanismError:
        return False


#: Those whose odds are kept without exception; the discrete Gaussian's delta has its own tests.
GRIDS = [
    kind
    for kind in registered(GridMechanism)
    if kind is not DiscreteGaussian and takes_256_points(kind)
]


def odds_of_columns(table: TableMechanism) -> Fraction:
    """Return the largest ratio of two weights of one report, over all of them."""
    return largest_of_columns(zip(*table.weights, strict=True))


@pytest.mark.parametrize("odds", [Fraction(3, 2), THREE, Fraction(22, 3), Fraction(81)])
@pytest.mark.parametrize("options", [2, *SIZES])
def test_odds_of_choices_by_enumeration(options: int, odds: Fraction):
    """k-ary randomized response, and what is kept and sent again in waves."""
    plain = KaryRandomizedResponse(options, *odds.as_integer_ratio())
    kept = PermanentInstantaneous(options, 9, 1, 13, 3)

    assert odds == plain.odds == odds_of_columns(plain)
    assert 9 == kept.memory.odds == odds_of_columns(kept.memory)
    assert kept.odds == odds_of_columns(kept) < 9


@each("odds", [Fraction(3, 2), THREE, Fraction(19, 7)])
@each("points", [64, 101, 256])
@each("kind", GRIDS)
def test_odds_of_numbers_by_enumeration(kind, points: int, odds: Fraction):
    """Every column of the table, for grids of up to 256 points."""
    design = kind.for_odds(points, odds)

    assert odds_of_columns(design) == design.odds <= odds
    assert 1 == len({sum(row) for row in design.weights})


def blocks(options: int) -> list[BlockOracle]:
    """Return one oracle of each kind, with the field that it takes at these odds."""
    return [kind.from_odds(THREE, options) for kind in registered(BlockOracle)]


@pytest.mark.parametrize("options", [33, 100, pytest.param(256, marks=pytest.mark.prove)])
def test_odds_of_blocks_by_enumeration(options: int):
    """Every answer and every report: two probabilities, in the ratio that is claimed."""
    for design in blocks(options):
        held = design.probability(0, design.member(0, 0))
        other = design.probability(0, design.other(0, 0))
        columns = {
            frozenset(design.probability(answer, y).as_integer_ratio() for answer in range(options))
            for y in range(design.reports)
        }

        assert {held.as_integer_ratio(), other.as_integer_ratio()} == frozenset().union(*columns)
        chances = [[Fraction(*chance) for chance in column] for column in columns]
        assert held / other == largest_of_columns(chances) == design.odds


@pytest.mark.parametrize("options", [33, 100, 256])
def test_samplers_of_blocks_are_their_channels(options: int):
    """Over all choices of the coins, from the first, a middle and the last answer."""
    for design in blocks(options):
        for answer in (0, options // 2, options - 1):
            row = channel_row(design, answer)

            assert set(range(design.reports)) == set(row)
            assert all(row[y] == design.probability(answer, y) for y in row)


def classes(design: MaskOracle) -> Iterator[tuple[int, dict[int, Fraction]]]:
    """Yield, by number of set bits, a mask's chance by whether the answer's bit is set."""
    for size in range(design.answers + 1):
        own = {0: ((1 << size) - 1) << 1, 1: (1 << size) - 1}
        possible = {
            bit: mask for bit, mask in own.items() if mask < 1 << design.answers and mask & 1 == bit
        }
        yield size, {bit: design.probability(0, mask) for bit, mask in possible.items()}


@pytest.mark.prove
@each("odds", [Fraction(3, 2), THREE, Fraction(22, 3)])
@each("options", [2, 5, *SIZES])
@each("kind", MASKS)
def test_odds_of_masks_by_enumeration(kind, options: int, odds: Fraction):
    """All 2**k masks, in classes: probabilities sum to 1, and the largest ratio is the odds."""
    design = kind.from_odds(odds, options)
    whole, largest = Fraction(0), Fraction(1)
    for size, chances in classes(design):
        for bit, chance in chances.items():
            whole += comb(options - 1, size - bit) * chance
        if len(chances) == 2 and any(chances.values()):
            largest = max(largest, Fraction(max(chances.values()), min(chances.values())))

    assert 1 == whole
    assert largest == design.odds <= odds


@pytest.mark.parametrize("options", [3, 8, 64, 256])
@pytest.mark.parametrize("kind", MASKS)
def test_masks_of_a_class_are_equally_likely(kind, options: int):
    """For 50 answers and masks drawn at random: what they are in the class says it all."""
    design = kind.from_odds(THREE, options)
    known = dict(classes(design))
    drawn = Random(options)
    for _ in range(50):
        answer, mask = drawn.randrange(options), drawn.getrandbits(options)
        report = design.perturb(answer)
        for tried in (mask, report):
            chance = known[tried.bit_count()][tried >> answer & 1]
            assert chance == design.probability(answer, tried)


def test_grids_of_256_points_are_swept():
    """At least the seven kinds that take 1,024 points."""
    assert len(GRIDS) >= 7


def test_every_oracle_is_of_one_of_these_kinds():
    """A new one that is neither blocks nor masks would be left out here."""
    assert {*registered(FrequencyOracle)} == {*MASKS, *map(type, blocks(4))}
