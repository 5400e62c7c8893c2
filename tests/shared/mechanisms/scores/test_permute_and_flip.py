"""Permute-and-flip is what its procedure gives, and noisy max with noise in one direction."""

from fractions import Fraction
from itertools import permutations
from math import factorial

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from noisy_scores import noisy_max
from small_designs import of
from sweeps import each

from tossup.shared.mechanisms import Exponential, PermuteAndFlip
from tossup.shared.mechanisms.scores.base import in_a_row

LOSSES = [(0, 1), (0, 0), (0, 1, 2), (0, 0, 3), (0, 2, 2, 5), (1, 0, 4, 0, 2)]


def walked(losses, heads) -> list[Fraction]:
    """The chances of the procedure: over all orders, the first that falls heads."""
    chances = [Fraction(0)] * len(losses)
    for order in permutations(range(len(losses))):
        left = Fraction(1, factorial(len(losses)))
        for option in order:
            chances[option] += left * heads(losses[option])
            left *= 1 - heads(losses[option])
        assert left == 0  # the best falls heads certainly
    return chances


@each("design", of(PermuteAndFlip))
def test_the_channel_is_exact(design: PermuteAndFlip):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every option."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@each("design", of(PermuteAndFlip))
def test_odds_by_enumeration(design: PermuteAndFlip):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each("design", of(PermuteAndFlip))
def test_the_sampler_follows_the_weights(design: PermuteAndFlip):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


def test_it_works():
    """Of two with heads 1 and 1/2: half of the orders ask the best first."""
    assert ((3, 1), (1, 3)) == PermuteAndFlip(((0, -1), (-1, 0)), keep=2).weights


@each("losses", LOSSES)
@each("keep, lie", [(2, 1), (4, 1), (3, 1), (31, 30)])
def test_chances_are_those_of_all_orders_and_flips(losses, keep: int, lie: int):
    """By walking them, with heads rounded down to multiples of 2**-64 as the device has them."""
    masses = PermuteAndFlip.masses(losses, keep, lie)
    expected = walked(losses, lambda loss: Fraction((lie**loss << 64) // keep**loss, 1 << 64))

    assert expected == [Fraction(mass, sum(masses)) for mass in masses]


@each("losses", LOSSES)
@each("keep", [2, 4])
def test_noisy_max_with_geometric_noise_has_the_same_chances(losses, keep: int):
    """Noise of m steps with (1 - r) r**m, ties broken fairly: the same numbers, on the integers.

    The series is summed up to noise of 90 steps; more has a chance below 5 r**90.
    """
    ratio = Fraction(1, keep)
    found = noisy_max(
        losses,
        lambda noise: (1 - ratio) * ratio**noise if noise >= 0 else Fraction(0),
        lambda noise: 1 - ratio**noise if noise > 0 else Fraction(0),
        90,
    )
    masses = PermuteAndFlip.masses(losses, keep, 1)

    for chance, mass in zip(found, masses, strict=True):
        assert 0 <= Fraction(mass, sum(masses)) - chance < 5 * ratio**90


@each("losses", LOSSES)
@each("ratio", [Fraction(2), Fraction(3, 2), Fraction(31, 30)])
def test_at_one_ratio_it_loses_less_than_the_exponential_mechanism(losses, ratio: Fraction):
    """McKenna and Sheldon 2020, theorem 2: the expected loss is never larger."""

    def expected(kind) -> Fraction:
        masses = kind.masses(losses, *ratio.as_integer_ratio())
        total = sum(mass * loss for mass, loss in zip(masses, losses, strict=True))
        return Fraction(total, sum(masses))

    assert expected(PermuteAndFlip) <= expected(Exponential)


@pytest.mark.parametrize("options", [4, 9, 32])
def test_weights_are_within_a_unit_of_the_chances(options: int):
    """Rounded down to 2**-32, with what is left at the first largest."""
    mechanism = PermuteAndFlip(in_a_row(options), 31, 30)
    total = sum(mechanism.weights[0])
    for scores, weights in zip(in_a_row(options), mechanism.weights, strict=True):
        masses = PermuteAndFlip.masses([-score for score in scores], 31, 30)
        off = [w - Fraction(total * m, sum(masses)) for w, m in zip(weights, masses, strict=True)]

        assert sum(off) == 0
        assert all(-1 < gap <= 0 for gap in off if gap != max(off))
        assert max(off) < options
