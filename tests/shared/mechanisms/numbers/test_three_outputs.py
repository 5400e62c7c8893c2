"""Three outputs: exact odds, no bias, and fewer people than two outputs need."""

from fractions import Fraction

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import on_grids
from sweeps import each

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import MECHANISMS, Duchi, GridMechanism
from tossup.shared.mechanisms.numbers.three_outputs import ThreeOutputs

SMALL = [
    ThreeOutputs(points, *shares, keep, lie)
    for points in (2, 3, 4, 5)
    for shares in ((1, 3), (1, 1), (1, 2))
    for keep, lie in ((3, 1), (5, 2), (2, 1))
]


def worst(design: GridMechanism) -> Fraction:
    """The largest variance of a report's value over all answers."""
    assert design.values is not None
    return max(
        sum(p * (v - x) ** 2 for p, v in zip(row, design.values, strict=True))
        for x, row in enumerate(design.channel())
    )


@each("design", lambda: [*SMALL, *ThreeOutputs.examples(), *on_grids(ThreeOutputs)])
def test_odds_by_enumeration(design: ThreeOutputs):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", SMALL)
def test_the_sampler_follows_the_weights(design: ThreeOutputs):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", SMALL)
def test_the_channel_is_exact(design: ThreeOutputs):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert [0, 1, 2] == reports_of(rows)


@pytest.mark.parametrize(("odds", "times"), [(3, "0.923"), (9, "0.525"), (27, "0.347")])
def test_it_needs_fewer_people_than_two_outputs(odds: int, times: str):
    """Where each is worst, at equal odds on a grid of 101 points."""
    three, two = (kind.for_odds(101, Fraction(odds)) for kind in (ThreeOutputs, Duchi))

    assert worst(three) < worst(two) * Fraction(times)


def test_no_other_share_of_neither_is_better():
    """Of all 64ths that are allowed, on a grid that has a middle and on one that has none."""
    for points in (4, 11):
        best = ThreeOutputs.for_odds(points, Fraction(3))
        for part in range(1, 39):
            neither, parts = Fraction(part, 64).as_integer_ratio()
            other = ThreeOutputs(points, neither, parts - neither, 3, 1)
            assert worst(best) <= worst(other), other


def test_more_of_neither_would_tell_more_and_is_refused():
    """At odds 3 neither is sent with 3/5 in the middle at most."""
    assert ThreeOutputs(3, 3, 2, 3, 1).channel()[1] == (
        Fraction(1, 5),
        Fraction(3, 5),
        Fraction(1, 5),
    )
    with pytest.raises(MechanismError, match="would tell more"):
        ThreeOutputs(3, 2, 1, 3, 1)


@pytest.mark.parametrize("wrong", [(2, 1), (0, 1), (1, 0), (1.0, 1), (True, 1)])
def test_shares_that_are_none_are_refused(wrong):
    """Positive integers in lowest terms."""
    with pytest.raises(MechanismError):
        ThreeOutputs(5, *(4 * wrong[0], 4 * wrong[1]) if wrong == (2, 1) else wrong, 3, 1)


def test_it_is_in_the_registry():
    """By its frozen name."""
    assert MECHANISMS["three-outputs/1"] is ThreeOutputs
