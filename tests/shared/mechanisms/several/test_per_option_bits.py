"""Bits per option: its whole channel, its odds, and every run of its coins."""

from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from channels import channel, largest_ratio, walked
from small_designs import of
from sweeps import each

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import PerOptionBits, SymmetricUnary, from_spec

each_design = each("design", of(PerOptionBits))


@each_design
def test_odds_by_enumeration(design: PerOptionBits):
    """The odds are the largest ratio over all reports and pairs of answers; all are possible."""
    rows = channel(design)

    assert {Fraction(1)} == {sum(row) for row in rows}
    assert all(chance > 0 for row in rows for chance in row)
    assert design.odds == largest_ratio(rows)


@pytest.mark.prove
@each_design
def test_the_sampler_is_the_channel(design: PerOptionBits):
    """Over all choices of the coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)


def split_weights(options: int, weights: tuple[int, int, int]) -> np.ndarray:
    """The channel of per-option bits in integers, made of one two-by-two table an option."""
    hit, miss, total = weights
    table = np.array([[total - miss, miss], [total - hit, hit]], dtype=np.int64)
    return reduce(np.kron, [table] * options)


@each("weights", [(2, 1, 3), (3, 1, 4), (2, 1, 4), (5, 3, 6)])
@each("options", range(1, 11))
def test_the_odds_of_bits_over_all_answers_of_up_to_ten_options(options: int, weights):
    """For every limit of ticks, over all pairs of answers and all reports, in integers."""
    channel = split_weights(options, weights)
    sizes = np.bitwise_count(np.arange(1 << options))
    for most in range(1, options + 1):
        allowed = channel[sizes <= most]
        largest, smallest = allowed.max(axis=0).tolist(), allowed.min(axis=0).tolist()
        found = max(map(Fraction, largest, smallest))

        assert PerOptionBits(options, most, *weights).odds == found


@each("most", [1, 2, 3, 4])
@each("odds", [Fraction(3, 2), Fraction(3), Fraction(20)])
def test_no_other_weights_have_less_variance_at_the_same_odds(most: int, odds: Fraction):
    """The largest variance over shares is least for symmetric bits: against all of a fine grid."""
    symmetric = PerOptionBits.from_odds(odds, 4, most)
    total = 60
    others = [
        design
        for hit in range(2, total)
        for miss in range(1, hit)
        if (design := PerOptionBits(4, most, hit, miss, total)).odds <= odds
    ]

    assert symmetric.odds <= odds
    assert min(design.worst_variance for design in others) >= symmetric.worst_variance * (
        1 - Fraction(1, 10**6)
    )


@pytest.mark.parametrize("options", [2, 5, 16])
def test_one_tick_of_all_is_unary_encoding(options: int):
    """The odds of a symmetric bit's square, as for a choice, though none may be ticked here."""
    unary = SymmetricUnary(options, 2, 1)
    bits = PerOptionBits(options, 1, 2, 1, 3)

    assert (unary.odds, unary.rates) == (bits.odds, bits.rates)


@each(
    "changed",
    [
        {"most": 0, "hit": 3, "miss": 1, "total": 4},
        {"most": 5, "hit": 3, "miss": 1, "total": 4},
        {"most": True, "hit": 3, "miss": 1, "total": 4},
        {"most": 4, "hit": 1, "miss": 1, "total": 4},
        {"most": 4, "hit": 1, "miss": 3, "total": 4},
        {"most": 4, "hit": 4, "miss": 1, "total": 4},
        {"most": 4, "hit": 3, "miss": 0, "total": 4},
        {"most": 4, "hit": 3, "miss": 1, "total": (1 << 32) + 1},
        {"most": 4, "hit": 3.0, "miss": 1, "total": 4},
        {"most": 4, "hit": 3, "miss": 1},
        {"most": 4, "hit": 3, "miss": 1, "total": 4, "more": 1},
    ],
)
def test_a_spec_that_does_not_fit_is_refused(changed: dict):
    """Certain bits, equal bits, too many ticks, look-alikes and unknown parameters."""
    with pytest.raises(MechanismError):
        from_spec({"name": "per-option-bits/1", **changed}, 16)
