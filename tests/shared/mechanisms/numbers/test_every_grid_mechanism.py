"""What mechanisms for numbers have in common: exact rows, exact means, and what is refused."""

from fractions import Fraction
from functools import cache

import pytest
from small_designs import GRID_ODDS, of, on_grids
from sweeps import each

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins, bytes_for
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    MECHANISMS,
    GridMechanism,
    from_spec,
)

KINDS = [k for k in MECHANISMS.values() if issubclass(k, GridMechanism) and not k.has_memo]
PURE = [kind for kind in KINDS if not kind.takes_delta]


@cache
def sweep() -> list[GridMechanism]:
    """Return designs of every kind for grids and odds of all sizes."""
    return [design for kind in KINDS for design in on_grids(kind)]


SMALL: list[GridMechanism] = of(GridMechanism)


@each("mechanism", lambda: [*SMALL, *sweep()])
def test_every_row_has_the_same_sum(mechanism: GridMechanism):
    """Weights are positive, every answer's sum to the same number, of at most 2**32."""
    sums = {sum(row) for row in mechanism.weights}

    assert 1 == len(sums)
    assert sums.pop() <= MAX_WEIGHT_SUM
    assert all(type(w) is int and w > 0 for row in mechanism.weights for w in row)
    assert {mechanism.reports} == {len(row) for row in mechanism.weights}
    assert 1 == sum(mechanism.probability(0, y) for y in range(mechanism.reports))


@each("mechanism", lambda: [m for m in [*SMALL, *sweep()] if m.values])
def test_the_mean_of_the_values_is_the_answer(mechanism: GridMechanism):
    """For every answer, the exact expected value of a report is the answer: no bias at all."""
    for answer, row in enumerate(mechanism.channel()):
        assert answer == sum(p * v for p, v in zip(row, mechanism.values, strict=True))


@each("kind", PURE)
@each("points", [2, 3, 10, 101, 1024])
@each("odds", [*GRID_ODDS, Fraction(1001, 1000), Fraction(1000), Fraction(27183, 10000)])
def test_realised_odds_never_exceed_the_asked_ones(kind, points: int, odds: Fraction):
    """A design has at most the odds it was asked for, and hardly less; or they are refused."""
    try:
        realised = kind.for_odds(points, odds).odds
    except MechanismError:
        realised = None

    if realised is None:
        assert odds.numerator + odds.denominator > kind.ratio_limit(points)
    else:
        assert 1 + (odds - 1) * Fraction(999, 1000) < realised <= odds


@each("mechanism", lambda: [*SMALL, *sweep()])
def test_a_spec_gives_the_mechanism_back(mechanism: GridMechanism):
    """What stands in a manifest, with the question's grid, is the whole mechanism."""
    assert mechanism == from_spec(mechanism.spec(), mechanism.answers)


@each("mechanism", lambda: sweep()[::7])
def test_an_answer_costs_the_same_number_of_random_bytes(mechanism: GridMechanism):
    """Whatever the answer, the same bytes are drawn, in one draw."""
    drawn: list[int] = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return b"\x27" * count

    for answer in range(mechanism.answers):
        mechanism.perturb(answer, Coins(source))

    assert [bytes_for(sum(mechanism.weights[0]))] * mechanism.answers == drawn


@each("answer", [None, True, 1.0, "1", -1, 32, float("nan"), Fraction(1)])
def test_an_answer_off_the_grid_draws_nothing(answer: object):
    """A point is exactly an int within the grid; all else is refused before a coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    for kind in KINDS:
        with pytest.raises(AnswerError):
            kind.for_odds(32, Fraction(3)).perturb(answer, Coins(source))


@each("kind", KINDS)
@each("odds", [Fraction(1), Fraction(1, 3), Fraction(-3), Fraction(0)])
def test_odds_of_one_or_less_are_refused(kind, odds: Fraction):
    """At odds of 1 every answer looks the same, and below there are none."""
    with pytest.raises(MechanismError):
        kind.for_odds(11, odds)


@each("kind", KINDS)
@each("points", [1, 0, -5, 1025, 10**6, 2.0, True])
def test_grids_of_fewer_than_2_or_more_than_1024_points_are_refused(kind, points: object):
    """The grid is an int from 2 to 1,024 points, for every kind."""
    with pytest.raises(MechanismError):
        kind.for_odds(points, Fraction(3))


@each(
    "spec",
    [
        {"name": "duchi/1"},
        {"name": "duchi/1", "keep": 3},
        {"name": "duchi/1", "keep": 3.0, "lie": 1},
        {"name": "duchi/1", "keep": True, "lie": 1},
        {"name": "duchi/1", "keep": 1, "lie": 1},
        {"name": "duchi/1", "keep": 6, "lie": 2},
        {"name": "duchi/1", "keep": 1 << 32, "lie": 1},
        {"name": "duchi/1", "keep": 3, "lie": 1, "more": 1},
        {"name": "piecewise/1", "window": 0, "keep": 3, "lie": 1},
        {"name": "piecewise/1", "window": 1 << 16, "keep": 3, "lie": 1},
        {"name": "square-wave/1", "window": -2, "keep": 3, "lie": 1},
        {"name": "hybrid/1", "window": 2, "keep": 3, "lie": 1, "piecewise": 0, "duchi": 1},
        {"name": "hybrid/1", "window": 0, "keep": 3, "lie": 1, "piecewise": 1, "duchi": 1},
        {"name": "hybrid/1", "window": 2, "keep": 3, "lie": 1, "piecewise": 1 << 30, "duchi": 1},
        {"name": "staircase/1", "inner": 0, "keep": 3, "lie": 1},
        {"name": "staircase/1", "inner": 3, "keep": 3, "lie": 1},
        {"name": "staircase/1", "inner": 1, "keep": 1 << 12, "lie": 1},
        {"name": "truncated-geometric/1", "tails": [6, 3]},
        {"name": "truncated-geometric/1", "tails": [6, 3, 2, 1]},
        {"name": "truncated-geometric/1", "tails": [6, 5, 2]},
        {"name": "truncated-geometric/1", "tails": [6, 3, 3]},
        {"name": "truncated-geometric/1", "tails": [5, 2, 0]},
        {"name": "truncated-geometric/1", "tails": [6, 3, -1]},
        {"name": "truncated-geometric/1", "tails": [6, 3, 2.0]},
        {"name": "truncated-geometric/1", "tails": [6, 3, True]},
        {"name": "truncated-geometric/1", "tails": [1 << 32, 3, 2]},
        {"name": "truncated-geometric/1", "tails": "632"},
        {"name": "truncated-geometric/1"},
        {"name": "discrete-laplace/1", "tails": [6, 3]},
        {"name": "discrete-laplace/1", "tails": [9, 5, 4, 4]},
        {"name": "discrete-gaussian/1", "tails": [9, 5, 2, 1]},
        {"name": "discrete-gaussian/1", "keep": 3, "lie": 1, "tails": [6, 3, 2]},
        {"name": "discrete-gaussian/1", "keep": 3, "lie": 1, "tails": [9, 5, 2, 0]},
        {"name": "discrete-gaussian/1", "keep": 3, "lie": 1, "tails": [9, 5, 4, 1]},
        {"name": "discrete-gaussian/1", "keep": 6, "lie": 2, "tails": [9, 5, 2, 1]},
        {"name": "discrete-gaussian/1", "keep": 1, "lie": 1, "tails": [9, 5, 2, 1]},
        {"name": "discrete-gaussian/1", "keep": 3.0, "lie": 1, "tails": [9, 5, 2, 1]},
        {"name": "discrete-gaussian/1", "keep": 3, "lie": True, "tails": [9, 5, 2, 1]},
        {"name": "discrete-gaussian/1", "keep": 3, "lie": 1, "tails": 9521},
        {"name": "discrete-gaussian/1", "keep": 3, "lie": 1, "delta": 0, "tails": [9, 5, 2, 1]},
    ],
)
def test_specs_that_are_not_exactly_known_are_refused(spec: dict[str, object]):
    """Parameters are integers within bounds; anything else is refused with a typed error."""
    with pytest.raises(MechanismError):
        from_spec(spec, answers=3)
