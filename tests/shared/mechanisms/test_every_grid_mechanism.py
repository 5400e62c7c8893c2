"""Every mechanism for numbers: exact channel, exact sampler, odds by enumeration, exact means."""

from collections import Counter
from fractions import Fraction

import pytest
from walking import Chosen

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins, bytes_for
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    Duchi,
    GridMechanism,
    Hybrid,
    Piecewise,
    SquareWave,
    Staircase,
    TruncatedGeometric,
    from_spec,
)

PURE = [TruncatedGeometric, DiscreteLaplace, Staircase, Duchi, Piecewise, Hybrid, SquareWave]
KINDS = [*PURE, DiscreteGaussian]
ODDS = [Fraction(21, 20), Fraction(3, 2), Fraction(3), Fraction(19, 7), Fraction(81)]

SWEEP: list[GridMechanism] = [
    kind.for_odds(points, odds)
    for kind in KINDS
    for points in (2, 3, 4, 7, 11, 32)
    for odds in ODDS
]

#: Designs with sums of weights small enough to try every value of the draw.
SMALL: list[GridMechanism] = [
    *(TruncatedGeometric(n, t) for n, t in [(2, (3, 1)), (3, (6, 3, 2)), (4, (60, 30, 14, 6))]),
    *(DiscreteLaplace(n, t) for n, t in [(2, (9, 5, 2)), (3, (40, 20, 11, 5, 2)), (2, (3, 1))]),
    *(DiscreteGaussian(n, t, 3, 2) for n, t in [(2, (9, 5, 2)), (3, (80, 42, 19, 7, 2, 1))]),
    *(Staircase(n, i, k, lie) for n, i, k, lie in [(2, 1, 3, 1), (5, 2, 5, 2), (4, 3, 3, 2)]),
    *(Duchi(n, k, lie) for n, k, lie in [(2, 3, 1), (3, 3, 1), (12, 7, 5), (101, 3, 2)]),
    *(Piecewise(n, w, k, 2) for n, w, k in [(2, 1, 3), (3, 5, 7), (9, 4, 5), (20, 1, 81)]),
    *(SquareWave(n, w, k, 1) for n, w, k in [(2, 1, 3), (3, 1, 2), (9, 4, 5)]),
    *(
        Hybrid(n, w, 3, 1, places, ends)
        for n, w, places, ends in [(2, 1, 1, 1), (4, 3, 2, 5), (9, 6, 7, 3)]
    ),
]


def ids(mechanism: GridMechanism) -> str:
    return f"{mechanism.name}, {mechanism.answers} points, {mechanism.odds}"


@pytest.mark.parametrize("mechanism", SMALL, ids=ids)
def test_the_sampler_follows_the_weights(mechanism: GridMechanism):
    """Over every value of its single choice, each report comes exactly weight times."""
    total = sum(mechanism.weights[0])
    for answer in range(mechanism.answers):
        reports = Counter(mechanism.perturb(answer, Chosen(value)) for value in range(total))

        assert dict(enumerate(mechanism.weights[answer])) == reports


@pytest.mark.parametrize("mechanism", [m for m in [*SMALL, *SWEEP] if not m.delta], ids=ids)
def test_odds_by_enumeration(mechanism: GridMechanism):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    columns = zip(*mechanism.weights, strict=True)
    largest = max(Fraction(max(column), min(column)) for column in columns)

    assert largest <= mechanism.odds
    assert largest == mechanism.odds or isinstance(mechanism, DiscreteGaussian)


@pytest.mark.parametrize("mechanism", [*SMALL, *SWEEP], ids=ids)
def test_every_row_has_the_same_sum(mechanism: GridMechanism):
    """Weights are positive, every answer's sum to the same number, of at most 2**32."""
    sums = {sum(row) for row in mechanism.weights}

    assert 1 == len(sums)
    assert sums.pop() <= MAX_WEIGHT_SUM
    assert all(type(w) is int and w > 0 for row in mechanism.weights for w in row)
    assert {mechanism.reports} == {len(row) for row in mechanism.weights}
    assert 1 == sum(mechanism.probability(0, y) for y in range(mechanism.reports))


@pytest.mark.parametrize("mechanism", [m for m in [*SMALL, *SWEEP] if m.values], ids=ids)
def test_the_mean_of_the_values_is_the_answer(mechanism: GridMechanism):
    """For every answer, the exact expected value of a report is the answer: no bias at all."""
    for answer, row in enumerate(mechanism.channel()):
        assert answer == sum(p * v for p, v in zip(row, mechanism.values, strict=True))


@pytest.mark.parametrize("kind", PURE)
@pytest.mark.parametrize("points", [2, 3, 10, 101, 1024])
@pytest.mark.parametrize(
    "odds", [*ODDS, Fraction(1001, 1000), Fraction(1000), Fraction(27183, 10000)]
)
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


@pytest.mark.parametrize("mechanism", [*SMALL, *SWEEP], ids=ids)
def test_a_spec_gives_the_mechanism_back(mechanism: GridMechanism):
    """What stands in a manifest, with the question's grid, is the whole mechanism."""
    assert mechanism == from_spec(mechanism.spec(), mechanism.answers)


@pytest.mark.parametrize("mechanism", SWEEP[::7], ids=ids)
def test_an_answer_costs_the_same_number_of_random_bytes(mechanism: GridMechanism):
    """Whatever the answer, the same bytes are drawn, in one draw."""
    drawn: list[int] = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return b"\x27" * count

    for answer in range(mechanism.answers):
        mechanism.perturb(answer, Coins(source))

    assert [bytes_for(sum(mechanism.weights[0]))] * mechanism.answers == drawn


@pytest.mark.parametrize("answer", [None, True, 1.0, "1", -1, 32, float("nan"), Fraction(1)])
def test_an_answer_off_the_grid_draws_nothing(answer: object):
    """A point is exactly an int within the grid; all else is refused before a coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    for kind in KINDS:
        with pytest.raises(AnswerError):
            kind.for_odds(32, Fraction(3)).perturb(answer, Coins(source))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("odds", [Fraction(1), Fraction(1, 3), Fraction(-3), Fraction(0)])
def test_odds_of_one_or_less_are_refused(kind, odds: Fraction):
    """At odds of 1 every answer looks the same, and below there are none."""
    with pytest.raises(MechanismError):
        kind.for_odds(11, odds)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("points", [1, 0, -5, 1025, 10**6, 2.0, True])
def test_grids_of_fewer_than_2_or_more_than_1024_points_are_refused(kind, points: object):
    """The grid is an int from 2 to 1,024 points, for every kind."""
    with pytest.raises(MechanismError):
        kind.for_odds(points, Fraction(3))


@pytest.mark.parametrize(
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
