"""Whatever cannot be planned is refused with an error of our own that says why."""

from fractions import Fraction

import pytest
from sweeps import each

from tossup.server.planning import cheating, compare, feasible, sample_size
from tossup.shared.errors import TossupError

COINS = sample_size.symmetric(Fraction(3))
nan = float("nan")

#: What somebody may try.
TRIED = {
    "sym none": lambda: sample_size.symmetric(None),
    "sym nan": lambda: sample_size.symmetric(nan),
    "sym str": lambda: sample_size.symmetric("3x"),
    "se": lambda: sample_size.standard_error(COINS, nan, 10),
    "se2": lambda: sample_size.standard_error(COINS, None, 10),
    "se3": lambda: sample_size.standard_error(COINS, 0.5, None),
    "se4": lambda: sample_size.standard_error(None, 0.5, 10),
    "se5": lambda: sample_size.standard_error([], 0.5, 10),
    "m": lambda: sample_size.margin(COINS, 10, None),
    "m2": lambda: sample_size.margin(COINS, 10, nan),
    "m3": lambda: sample_size.margin(COINS, 10.5),
    "r": lambda: sample_size.respondents_for_margin(COINS, None),
    "r2": lambda: sample_size.respondents_for_margin(COINS, nan),
    "o": lambda: sample_size.odds_for_margin(None, 10),
    "o2": lambda: sample_size.odds_for_margin(0.1, None),
    "e": lambda: sample_size.odds_each(None, 2),
    "e2": lambda: sample_size.odds_each(Fraction(9), None),
    "e3": lambda: sample_size.odds_each(Fraction(9), 0),
    "d": lambda: sample_size.design_effect(COINS, None),
    "d0": lambda: sample_size.design_effect(COINS, 0),
    "p": lambda: sample_size.power(COINS, 0.2, n=10, level=None),
    "p2": lambda: sample_size.power(COINS, 0.2, n=10, sides=3),
    "p3": lambda: sample_size.power(COINS, nan, n=10),
    "rp": lambda: sample_size.respondents_for_power(COINS, 0.2, None),
    "rp2": lambda: sample_size.respondents_for_power(COINS, 0.2, 0.8, against=0.2),
    "pb": lambda: sample_size.power_between(COINS, 0.2, None, n=10),
    "rg": lambda: sample_size.respondents_per_group(COINS, 0.2, nan),
    "f": lambda: feasible.feasible(None, [feasible.Deviation(1)]),
    "f2": lambda: feasible.feasible(10, None),
    "f3": lambda: feasible.feasible(10, [3]),
    "f4": lambda: feasible.feasible(10, [feasible.Deviation(1)], of="x"),
    "f5": lambda: feasible.feasible(10, [feasible.Deviation(1)], of="sum", bounds=None),
    "f6": lambda: feasible.feasible(10, [feasible.Deviation(1)], limit=nan),
    "f7": lambda: feasible.Deviation(None),
    "f8": lambda: feasible.Tail(1, None),
    "f9": lambda: feasible.feasible(10, [feasible.Deviation(1)], of="sum", bounds=(nan, 1)),
    "c": lambda: cheating.power(None, 0.2, 0.1, 10),
    "c2": lambda: cheating.power(Fraction(3), None, 0.1, 10),
    "c3": lambda: cheating.power(Fraction(3), nan, 0.1, 10),
    "c4": lambda: cheating.respondents(Fraction(3), 0.2, None),
    "l": lambda: compare.local(None, 10),
    "l2": lambda: compare.local(Fraction(3), None),
    "l3": lambda: compare.compare(Fraction(3), 10, nan),
    "l4": lambda: compare.design_effect(Fraction(3), None),
    "l5": lambda: compare.design_effect(None, 0.2),
}


@each("wish, attempt", TRIED.items())
def test_what_cannot_be_planned_is_refused_by_name(wish, attempt):
    """Never Python's own error, never a number."""
    with pytest.raises(TossupError) as caught:
        attempt()

    assert len(str(caught.value)) > 10
