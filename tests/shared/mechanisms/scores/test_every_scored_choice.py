"""What mechanisms that choose by score have in common, for tables of all sizes."""

import os
from fractions import Fraction
from itertools import accumulate

import pytest
from small_designs import equal_others
from sweeps import each
from walking import Chosen

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    MECHANISMS,
    Exponential,
    NoisyMaxLaplace,
    PermuteAndFlip,
    ScoredChoice,
    from_spec,
)
from tossup.shared.mechanisms.scores.base import Utility, in_a_row

KINDS: list[type[ScoredChoice]] = [Exponential, PermuteAndFlip, NoisyMaxLaplace]
ODDS = [Fraction(21, 20), Fraction(3, 2), Fraction(3), Fraction(19, 7), Fraction(81)]


def on_a_ring(options: int) -> Utility:
    """Minus the way around a ring."""
    places = range(options)
    return tuple(tuple(-min(abs(p - o), options - abs(p - o)) for o in places) for p in places)


#: Two towns of three places each, and one far away; with an order of preference in each row.
TOWNS: Utility = (
    (0, -1, -2, -9, -9, -9, -30),
    (-1, 0, -1, -9, -9, -9, -30),
    (-2, -1, 0, -9, -9, -9, -30),
    (-9, -9, -9, 0, -1, -2, -30),
    (-9, -9, -9, -1, 0, -1, -30),
    (-9, -9, -9, -2, -1, 0, -30),
    (-30, -30, -30, -25, -25, -25, 0),
)
UTILITIES: dict[str, Utility] = {
    "two": ((0, -1), (-1, 0)),
    "uneven": ((7, 3), (-2, 5)),
    "row of 3": in_a_row(3),
    "equal of 4": equal_others(4),
    "row of 8": in_a_row(8),
    "ring of 9": on_a_ring(9),
    "towns": TOWNS,
}
SWEEP = [
    pytest.param(kind, utility, odds, id=f"{kind.name}, {name}, {odds}")
    for kind in KINDS
    for name, utility in UTILITIES.items()
    for odds in ODDS
]
LARGE = [pytest.param(kind, id=kind.name) for kind in KINDS]


def test_every_scored_choice_of_the_registry_is_swept():
    """A new mechanism cannot be left out here."""
    assert set(KINDS) == {k for k in MECHANISMS.values() if issubclass(k, ScoredChoice)}


@each("kind, utility, odds", SWEEP)
def test_a_design_is_what_was_asked(kind: type[ScoredChoice], utility: Utility, odds: Fraction):
    """Odds over all reports and pairs are at most the asked ones, rows have one sum, coins agree.

    The next larger ratio would have higher odds; the draw changes the report at the bounds of
    the weights alone.
    """
    mechanism = kind.for_utility(utility, odds)
    channel = mechanism.channel()

    found = max(row[y] / other[y] for row in channel for other in channel for y in range(len(row)))
    assert mechanism.odds == found <= odds
    assert (found - 1) / (odds - 1) > Fraction(9999, 10000)
    step = Fraction(mechanism.keep, mechanism.lie) + Fraction(1, 1 << 28)
    assert kind(utility, *step.as_integer_ratio()).odds > odds
    assert {Fraction(1)} == {sum(row) for row in channel}
    assert sum(mechanism.weights[0]) <= MAX_WEIGHT_SUM
    assert mechanism == from_spec(mechanism.spec(), len(utility))
    for answer in (0, len(utility) - 1):
        ends = [0, *accumulate(mechanism.weights[answer])]
        for report in range(len(utility)):
            first, last = ends[report], ends[report + 1] - 1
            assert report == mechanism.perturb(answer, Chosen(first))
            assert report == mechanism.perturb(answer, Chosen(last))


@each("kind", LARGE)
@each("utility", [in_a_row(32), on_a_ring(31)])
def test_the_largest_tables_keep_their_odds(kind: type[ScoredChoice], utility: Utility):
    """For as many options as are allowed, at a ratio near that of odds 3."""
    mechanism = kind(utility, 31, 30)
    columns = list(zip(*mechanism.channel(), strict=True))

    assert mechanism.odds == max(max(column) / min(column) for column in columns)
    assert all(0 < chance < 1 for column in columns for chance in column)


@pytest.mark.parametrize("kind", LARGE)
def test_only_differences_of_scores_within_a_row_matter(kind: type[ScoredChoice]):
    """Scores on another origin, each row on its own, are the same mechanism."""
    moved = tuple(tuple(score + 10 * row for score in scores) for row, scores in enumerate(TOWNS))

    assert kind(TOWNS, 6, 5).weights == kind(moved, 6, 5).weights


@pytest.mark.parametrize("kind", LARGE)
def test_higher_scores_are_likelier(kind: type[ScoredChoice]):
    """Weights of a row are in the order of its scores; equal scores have weights within a unit."""
    for scores, weights in zip(TOWNS, kind(TOWNS, 6, 5).weights, strict=True):
        pairs = sorted(zip(scores, weights, strict=True))
        assert [weight for _, weight in pairs] == sorted(weights)
        for score in set(scores) - {0}:
            assert 1 == len({weight for other, weight in pairs if other == score})


@pytest.mark.parametrize("kind", LARGE)
def test_realised_odds_need_no_factor_of_two(kind: type[ScoredChoice]):
    """The ratio is larger than the textbook's, whose odds are ratio**(2 x largest difference)."""
    utility = in_a_row(5)
    largest = 4  # by how much two answers may score one option differently

    mechanism = kind.for_utility(utility, Fraction(3))
    assert Fraction(mechanism.keep, mechanism.lie) ** (2 * largest) > 3 * mechanism.odds / 2


@pytest.mark.parametrize("kind", LARGE)
def test_an_answer_costs_the_same_random_bytes_in_one_draw(kind: type[ScoredChoice]):
    """Whatever the answer, the report and the bytes: what is drawn tells nothing."""
    mechanism = kind(in_a_row(6), 7, 5)
    draws = set()
    for answer in [*range(6)] * 30:
        drawn: list[int] = []

        def source(count: int, drawn: list[int] = drawn) -> bytes:
            drawn.append(count)
            return os.urandom(count)

        mechanism.perturb(answer, Coins(source))
        draws.add(tuple(drawn))

    assert {(next(iter(draws))[0],)} == draws


@each("kind", LARGE)
@each("answer", [None, True, 1.0, "1", -1, 3, 1000, float("nan"), [], Fraction(1)])
def test_an_answer_outside_the_declared_ones_draws_nothing(kind, answer: object):
    """A look-alike is refused before a coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    with pytest.raises(AnswerError, match="from 0 to 2"):
        kind(in_a_row(3), 3).perturb(answer, Coins(source))


ROW = ((0, -1), (-1, 0))


@each("kind", LARGE)
@each(
    "utility, keep, lie, reason",
    [
        ((), 3, 1, "a row an answer"),
        (((0,),), 3, 1, "a row an answer"),
        (((0, -1, -1), (-1, 0, -1)), 3, 1, "a row an answer"),
        (((0, -1), (-1,)), 3, 1, "a row an answer"),
        (in_a_row(33), 3, 1, "a row an answer"),
        (((0, -1.0), (-1, 0)), 3, 1, "must be integers"),
        (((False, -1), (-1, 0)), 3, 1, "must be integers"),
        (((0, -(10**10)), (-1, 0)), 3, 1, "must be integers"),
        (((0, 1), (1, 0)), 3, 1, "a lower score for itself"),
        (((0, -1024), (-1, 0)), 3, 1, "more than 1023 apart"),
        (((0, -1023), (-1, 0)), 3, 1, "too far apart for its ratio"),
        (in_a_row(16), 1 << 48, 1, "too far apart for its ratio"),
        (((0, 0), (0, 0)), 3, 1, "rows 1, 2 of utility .* no share can be estimated. Give"),
        (((0, 0, -1), (0, 0, -1), (-1, -1, 0)), 3, 1, "rows 1, 2 of utility"),
        (((0, -1, -1), (5, 6, 6), (1, 2, 2)), 3, 1, "rows 2, 3 of utility"),
        (in_a_row(32), (1 << 33) + 1, 1 << 33, r"rows 1, 2, .* higher odds"),
        (ROW, 3, 3, "keep > lie"),
        (ROW, 3, 0, "keep > lie"),
        (ROW, 6, 2, "lowest terms"),
        (ROW, 3.0, 1, "keep > lie"),
        (ROW, (1 << 48) + 1, 1, r"at most 2\*\*48"),
    ],
)
def test_scores_that_cannot_protect_or_tell_are_refused(kind, utility, keep, lie, reason: str):
    """Each with the reason, before anything is tossed."""
    with pytest.raises(MechanismError, match=reason):
        kind(utility, keep, lie)


@each("kind", LARGE)
@each("odds", [Fraction(1), Fraction(1, 2), 1 + Fraction(1, 1 << 30)])
def test_odds_without_a_design_are_refused(kind, odds: Fraction):
    """At odds of 1 all answers look the same; just above, no ratio of 2**-28 steps fits."""
    with pytest.raises(MechanismError):
        kind.for_utility(ROW, odds)


@each("kind", LARGE)
@each(
    "parameters",
    [
        {},
        {"utility": [[0, -1], [-1, 0]], "keep": 3},
        {"utility": [[0, -1], [-1, 0]], "keep": True, "lie": 1},
        {"utility": "0", "keep": 3, "lie": 1},
        {"utility": [0, 1], "keep": 3, "lie": 1},
        {"utility": [[0, "1"], [-1, 0]], "keep": 3, "lie": 1},
        {"utility": [[0, -1], [-1, 0]], "keep": 3, "lie": 1, "epsilon": 9},
    ],
)
def test_specs_that_are_not_exactly_known_are_refused(kind, parameters: dict[str, object]):
    """A manifest's parameters are these three and no other."""
    with pytest.raises(MechanismError):
        from_spec({"name": kind.name, **parameters}, 2)
