"""Laplace noise in a ball: odds by enumeration, and the sampler against exact weights."""

from fractions import Fraction
from itertools import pairwise, product
from math import ceil, prod, sqrt

import pytest
from channels import answers_of
from sweeps import each
from vector_designs import LARGE, TINY, centre, replayed

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.mechanisms import VectorLaplace
from tossup.shared.mechanisms.digits import from_digits, to_digits
from tossup.shared.mechanisms.vectors.vector_laplace import _happens


@each("design", TINY)
def test_odds_by_enumeration(design: VectorLaplace):
    """No ratio over all reports and all pairs of answers is above the claim."""
    rows = [
        [design.probability(answer, report) for report in range(design.reports)]
        for answer in answers_of(design)
    ]

    assert all(1 == sum(row) for row in rows)
    found = max(max(column) / min(column) for column in zip(*rows, strict=True))
    assert 1 < found <= design.odds


def test_odds_are_met_where_answers_are_as_far_apart_as_the_bound():
    """With one component the ends are 2 norms apart, and a report at one end has odds 3."""
    design = VectorLaplace(1, 4, 9)
    first, last = (design.probability(answer, 0 + 9 - 4) for answer in (0, 8))

    assert (8, 3) == (design.distance, first / last)


@each("design", [*TINY, *LARGE])
def test_weights_never_rise_and_fall_by_the_odds_over_the_distance(design: VectorLaplace):
    """These two facts are the guarantee; norms two distances further are looked at as well."""
    weights = [design.weight(norm**2) for norm in range(3 * design.distance)]

    assert all(one >= other > 0 for one, other in pairwise(weights))
    further = zip(weights, weights[design.distance :], strict=False)
    assert all(one == design.odds * other for one, other in further)


@each("design", TINY)
def test_what_is_proposed_and_taken_has_the_exact_weights(design: VectorLaplace):
    """Over all noise: the proposal's probability times that of taking it is in proportion."""
    _, weights = design.proposal
    steps = range(-design.window, design.window + 1)
    scales = set()
    for noise in product(steps, repeat=design.dimension):
        kept, proposed = design.acceptance(noise)
        assert 0 < kept <= proposed
        chance = Fraction(prod(weights[abs(part)] for part in noise) * kept, proposed)
        scales.add(chance / design.weight(sum(part**2 for part in noise)))

    assert 1 == len(scales)


@each("design", LARGE)
def test_no_noise_is_taken_more_often_than_always(design: VectorLaplace):
    """Along axes, diagonals and random directions the chance of being taken is at most 1."""
    coins = Coins()
    tried = [tuple(design._noise(coins)) for _ in range(200)]
    for size in range(0, design.window + 1, 7):
        for parts in {1, 2, design.dimension}:
            tried.append((size,) * parts + (0,) * (design.dimension - parts))
    for noise in tried:
        kept, proposed = design.acceptance(noise)

        assert 0 < kept <= proposed


@each("design", [*TINY, *LARGE])
def test_a_proposal_is_one_word_for_each_component(design: VectorLaplace):
    """Every value of the draw is one size: bounds end at 2**32 and leave each its weight."""
    bounds, (_, weights) = design.proposal_bounds, design.proposal
    sizes = [high - low for low, high in pairwise((0, *bounds))]

    assert MAX_WEIGHT_SUM == bounds[-1]
    assert [weights[abs(step)] for step in range(-design.window, design.window + 1)] == sizes


class Words(Coins):
    """Coins that give these words of 32 bits, and fail after the last."""

    def __init__(self, *words: int) -> None:
        super().__init__()
        self.words = list(words)

    def reserve(self, count: int) -> None:
        pass

    def below(self, n: int) -> int:
        assert n == MAX_WEIGHT_SUM
        return self.words.pop(0)


def test_a_ratio_of_large_integers_happens_exactly():
    """Below its digits it happens, above it does not, and equal digits ask for more."""
    third = [(MAX_WEIGHT_SUM - 1) // 3] * 5
    below, above = [*third[:4], third[4] - 1], [*third[:4], third[4] + 1]

    assert _happens(1, 3, Words(*below))
    assert not _happens(1, 3, Words(*above))
    assert _happens(1, 3, Words(*third, third[0] - 1))
    assert not _happens(1, 3, Words(*third, third[0], third[0] + 1))
    assert not _happens(1, 2, Words(1 << 31, 0, 0, 0, 0))
    assert _happens(7, 7, Words(*[MAX_WEIGHT_SUM - 1] * 5))


@each("design", [*TINY[:3], *LARGE])
def test_answers_share_the_noise_and_the_bytes(design: VectorLaplace):
    """From the same coins every answer draws the same bytes and gets the same noise added."""
    corner = [design.radius] * design.dimension
    corner[0] += design.radius
    drawn: list[list[int]] = [[], []]
    reports = []
    tried = (centre(design), from_digits(corner, 2 * design.radius + 1))
    for answer, log in zip(tried, drawn, strict=True):
        coins = Coins(replayed(log))
        digits = to_digits(design.perturb(answer, coins), design.levels, design.dimension)
        reports.append(digits)

    assert drawn[0] == drawn[1]
    shift = [(b - a) % design.levels for a, b in zip(*reports, strict=True)]
    assert [design.radius, *[0] * (design.dimension - 1)] == shift


@each("design", LARGE)
def test_every_proposal_draws_the_same_number_of_bytes(design: VectorLaplace):
    """Nothing of the noise shows in how much is drawn for it, but how often it was tried."""
    drawn: list[int] = []
    design.perturb(centre(design), Coins(replayed(drawn)))

    assert {4 * (design.dimension + 5)} == set(drawn)


@pytest.mark.parametrize("dimension", [1, 2])
def test_noise_has_the_exact_frequencies(dimension: int):
    """20,000 reports of a tiny design: every count is where its binomial puts it.

    At most 81 cells, |z| > 6.1 each: a correct sampler fails with probability at most 3e-7, by
    exact binomial tails.
    """
    design, n = VectorLaplace(dimension, 1, 4), 20_000
    counts, answer = [0] * design.reports, design.answers - 1  # at an end, where noise wraps
    for _ in range(n):
        counts[design.perturb(answer)] += 1

    for report, count in enumerate(counts):
        chance = float(design.probability(answer, report))
        assert abs(count - n * chance) < 6.1 * sqrt(n * chance * (1 - chance)) + 1


def test_distances_round_up_to_the_distance():
    """Two points that are reached are never further apart than what the odds are for."""
    design = VectorLaplace(2, 4, 6)
    points = [design.point(answer) for answer in answers_of(design)]
    farthest = max(
        sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
        for one, other in product(points, repeat=2)
    )

    assert ceil(sqrt(farthest)) <= design.distance
