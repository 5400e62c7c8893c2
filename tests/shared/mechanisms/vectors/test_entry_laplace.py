"""Laplace noise entry by entry: distances of answers, odds by enumeration, and the sampler."""

import random
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest
from channels import answers_of
from sweeps import each
from vector_designs import LARGE_ENTRIES, TINY_ENTRIES, centre, replayed

from tossup.shared.coins import Coins
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import EntryLaplace
from tossup.shared.mechanisms.digits import from_digits, to_digits
from tossup.shared.mechanisms.vectors.base import is_reached
from tossup.shared.mechanisms.vectors.entry_laplace import (
    DIGITS,
    _powers,
    ball_extent,
    moments_extent,
)
from tossup.shared.mechanisms.vectors.sphere import WORD, WORDS


def apart(one, other) -> int:
    """Return the sum over entries of how far apart two points are."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.prove
@each("design", TINY_ENTRIES)
def test_odds_by_enumeration(design: EntryLaplace):
    """No ratio over all reports and all pairs of answers is above the claim."""
    rows = [
        [design.probability(answer, report) for report in range(design.reports)]
        for answer in answers_of(design)
    ]

    assert all(1 == sum(row) for row in rows)
    found = max(max(column) / min(column) for column in zip(*rows, strict=True))
    assert 1 < found <= design.odds


@each("design", [*TINY_ENTRIES, *LARGE_ENTRIES])
def test_a_step_falls_by_the_smallest_ratio_that_keeps_the_odds(design: EntryLaplace):
    """In integers: its power to the distance is lie / keep or more; that of less is not."""
    least = design.lie << DIGITS * design.distance

    assert design.keep * design.fall**design.distance >= least
    assert design.keep * (design.fall - 1) ** design.distance < least


def test_odds_are_met_where_answers_are_as_far_apart_as_the_distance():
    """The report at one corner has odds of 3 between opposite corners, but for one in 2**38."""
    design = EntryLaplace(2, 4, 2, 40)
    far = from_digits([7, 8], 9), from_digits([1, 0], 9)
    report = from_digits([43, 44], 81)
    first, last = (design.probability(answer, report) for answer in far)

    assert (14, True) == (design.distance, design.is_answer(far[0]))
    assert 3 * (1 - Fraction(1, 2**38)) < first / last <= 3


@each("dimension, radius", [(1, 1), (1, 5), (2, 1), (2, 2), (2, 7), (3, 4), (4, 2)])
def test_the_extent_of_a_ball_is_exact(dimension: int, radius: int):
    """The largest sum of sizes over all points that are reached, by going through them."""
    box = product(range(-radius, radius + 1), repeat=dimension)
    found = max(sum(map(abs, point)) for point in box if is_reached(point, radius))

    assert found == ball_extent(dimension, radius)


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_answers_are_never_further_apart_than_the_distance(radius: int):
    """All pairs of answers of two components and their products: what the odds rest on."""
    design = EntryLaplace(5, radius, 2, 9)
    points = [design.point(answer) for answer in answers_of(design)]
    # The extremes of a sum of absolute values are at sign vectors: no pair has to be compared.
    signs = list(product((-1, 1), repeat=5))
    sums = [[sum(s * x for s, x in zip(sign, p, strict=True)) for p in points] for sign in signs]

    assert max(max(row) - min(row) for row in sums) <= design.distance


@pytest.mark.prove
@each("components", [2, 3, 6, 16])
@each("radius", [1, 3, 32, 1000])
def test_every_vector_becomes_an_answer(components: int, radius: int):
    """However its entries are rounded, whichever way it points: none is refused.

    Directions are those with equal sizes in some components and others in the rest, which are
    farthest, and random ones.
    """
    names = tuple(f"c{place}" for place in range(components))
    domain = VectorAnswer(names, Fraction(1), Fraction(1, radius), moments=True)
    design = EntryLaplace(domain.entries, radius, components, radius)
    drawn = random.Random(components)
    for _ in range(60):
        few, share = drawn.randint(1, components), drawn.random()
        vector = [share if place < few else 1 - share for place in range(components)]
        if drawn.random() < 0.3:
            vector = [drawn.gauss(0, 1) for _ in names]
        signed = [part * drawn.choice((-1, 1)) * 10**6 for part in vector]
        for outwards in (True, False):
            place = domain.place(signed)
            point = [
                -(-x // 1) if (x > m) == outwards else x // 1
                for x, m in zip(place, design.centre, strict=True)
            ]
            digits = [int(part) + radius for part in point]

            assert design.is_answer(from_digits(digits, 2 * radius + 1))


@pytest.mark.parametrize("components", [2, 3, 6, 16])
def test_the_extent_of_products_is_nearly_met(components: int):
    """Some vector is within 3 % of the bound, so that it is no loose one."""
    radius = 10**4
    middle, extent = moments_extent(components, radius)
    found = 0.0
    for above in range(components + 1):
        for cut in range(101):
            small, large = cut / 100, sqrt(1 - (cut / 100) ** 2)
            others = components - above
            vector = [large / sqrt(above)] * above if above else []
            vector += [small / sqrt(others)] * others if others else []
            products = [a * b for place, a in enumerate(vector) for b in vector[:place]]
            squares = [abs(0.8 * a * a - middle / radius) for a in vector]
            found = max(found, 0.6 * sum(vector) + 0.8 * sum(products) + sum(squares))

    assert 0.97 * extent < found * radius <= extent


@pytest.mark.parametrize(("components", "norms"), [(2, 3.29), (6, 7.36), (16, 17.1)])
def test_the_centre_makes_the_distance_as_small_as_is_claimed(components: int, norms: float):
    """In norms, as the proof says: a fifth, a seventh and a fourteenth less than from 0."""
    _, extent = moments_extent(components, 10**5)

    assert pytest.approx(norms, rel=3e-3) == 2 * extent / 10**5


def test_weights_of_entries_are_those_of_the_question():
    """Bounds are for 3/5 of components and 4/5 of products, as the domain scales them."""
    assert (Fraction(3, 5), Fraction(4, 5)) == VectorAnswer.WEIGHTS


@each("components", range(2, 17))
@each("radius", [1, 2, 5, 32, 1024, 1 << 16])
def test_the_largest_single_entries_are_answers(components: int, radius: int):
    """An audit gives every entry its largest size, both ways, with all others 0."""
    entries = components * (components + 3) // 2
    design = EntryLaplace(entries, radius, components, radius)
    for place in (0, components, components + 1, entries - 1):
        for size in (0, 2 * radius):
            digits = [size if at == place else radius for at in range(entries)]

            assert design.is_answer(from_digits(digits, 2 * radius + 1))


@each("design", [*TINY_ENTRIES, *LARGE_ENTRIES])
def test_powers_are_bounded_from_both_sides(design: EntryLaplace):
    """Exactly, against the power itself; and apart by less than one part in 2**170."""
    digits = WORD * WORDS
    for place, (low, high) in _powers(design.fall, 6, WORDS):
        exact = Fraction(design.fall, 1 << DIGITS) ** (1 << place)

        assert Fraction(low, 1 << digits) <= exact <= Fraction(high, 1 << digits)
        assert high - low < 1 << digits - 170


@each("design", TINY_ENTRIES)
def test_a_number_is_placed_between_two_powers(design: EntryLaplace):
    """At the digits next to r**z, on either side: z where it is below, less than z where not."""
    digits = WORD * WORDS
    for size, exact in (
        (size, Fraction(design.fall, 1 << DIGITS) ** size) for size in range(1, design.window + 2)
    ):
        first = int(exact * (1 << digits))

        assert design._found(first - 64, WORDS) >= size
        assert design._found(first + 64, WORDS) < size
    assert 0 == design._found((1 << digits) - 1, WORDS)
    assert design.window < design._found(0, WORDS)


@each("design", TINY_ENTRIES)
def test_a_number_of_exactly_r_is_not_below_it(design: EntryLaplace):
    """The ratio itself is a short one: its digits decide, and those of one less."""
    first = design.fall << WORD * WORDS - DIGITS

    assert 0 == design._found(first, WORDS)
    assert 1 <= design._found(first - 1, WORDS)


def test_digits_that_do_not_tell_ask_for_more():
    """Where r**z is no short ratio, the first digits of it decide nothing; more of them do."""
    design = EntryLaplace(1, 7, 1, 40, 5, 2)
    exact = Fraction(design.fall, 1 << DIGITS) ** 37

    for words in (WORDS, WORDS + 1):
        assert design._found(int(exact * (1 << WORD * words)), words) is None
    assert 37 == design._found((int(exact * (1 << WORD * 3)) << WORD) - 1, 4)


@each("design", [*TINY_ENTRIES[:3], *LARGE_ENTRIES])
def test_answers_share_the_noise_and_the_bytes(design: EntryLaplace):
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


@pytest.mark.parametrize("dimension", [1, 2])
def test_noise_has_the_exact_frequencies(dimension: int):
    """20,000 reports of a tiny design: every count is where its binomial puts it.

    At most 81 cells, |z| > 6.1 each: a correct sampler fails with probability at most 3e-7, by
    exact binomial tails.
    """
    design, n = EntryLaplace(dimension, 1, dimension, 4), 20_000
    counts, answer = [0] * design.reports, design.answers - 1  # at an end, where noise wraps
    for _ in range(n):
        counts[design.perturb(answer)] += 1

    for report, count in enumerate(counts):
        chance = float(design.probability(answer, report))
        assert abs(count - n * chance) < 6.1 * sqrt(n * chance * (1 - chance)) + 1


def test_entries_of_products_are_not_those_of_a_vector():
    """Five numbers, or two and their three products: a question takes its own noise."""
    five = VectorAnswer(tuple("abcde"), Fraction(1), Fraction(1, 4))
    products = VectorAnswer(("x", "y"), Fraction(1), Fraction(1, 4), moments=True)
    of_five, of_products = EntryLaplace(5, 4, 5, 9), EntryLaplace(5, 4, 2, 9)

    assert [True, False] == [five.fits(of_five), five.fits(of_products)]
    assert [True, True] == [products.fits(of_five), products.fits(of_products)]
