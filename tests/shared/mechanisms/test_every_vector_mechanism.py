"""Mechanisms for vectors: odds by enumeration, samplers against exact weights, exact digits."""

from fractions import Fraction
from itertools import pairwise, product
from math import ceil, prod, sqrt

import pytest

from tossup.shared.coins import MAX_WEIGHT_SUM, Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import PrivUnit, VectorLaplace, from_spec
from tossup.shared.mechanisms.privunit import _digit
from tossup.shared.mechanisms.sphere import WORD, WORDS, Direction, Uniform
from tossup.shared.mechanisms.vector_laplace import _happens
from tossup.shared.mechanisms.vectors import (
    from_digits,
    is_reached,
    radius_of,
    reach_squared,
    to_digits,
)
from tossup.shared.roots import root_of_ratio

#: dimension, radius, window, keep, lie: all answers by all reports can be gone through.
TINY = [
    VectorLaplace(*design)
    for design in [
        (1, 1, 1, 3, 1),
        (1, 4, 9, 3, 1),
        (1, 7, 40, 5, 2),
        (2, 1, 2, 3, 1),
        (2, 2, 5, 9, 1),
        (2, 3, 4, 729, 1),
        (2, 4, 6, 3, 1),
        (3, 1, 2, 3, 1),
        (3, 2, 2, 11, 10),
    ]
]

LARGE = [VectorLaplace(2, 16, 2116), VectorLaplace(6, 32, 900, 19, 7), VectorLaplace(16, 8, 99)]
PRIVUNITS = [
    PrivUnit(*design)
    for design in [(1, 4, 22053), (2, 64, 14994), (3, 5, 0, 9, 1), (6, 64, 47000, 729, 1)]
]


def ids(design) -> str:
    return f"{design.spec()}, norm {design.radius}"


def answers(design) -> list[int]:
    return [answer for answer in range(design.answers) if design.is_answer(answer)]


def centre(design) -> int:
    return from_digits([design.radius] * design.dimension, 2 * design.radius + 1)


@pytest.mark.parametrize("design", TINY, ids=ids)
def test_odds_by_enumeration(design: VectorLaplace):
    """No ratio over all reports and all pairs of answers is above the claim."""
    rows = [
        [design.probability(answer, report) for report in range(design.reports)]
        for answer in answers(design)
    ]

    assert all(1 == sum(row) for row in rows)
    found = max(max(column) / min(column) for column in zip(*rows, strict=True))
    assert 1 < found <= design.odds


def test_odds_are_met_where_answers_are_as_far_apart_as_the_bound():
    """With one component the ends are 2 norms apart, and a report at one end has odds 3."""
    design = VectorLaplace(1, 4, 9)
    first, last = (design.probability(answer, 0 + 9 - 4) for answer in (0, 8))

    assert (8, 3) == (design.distance, first / last)


@pytest.mark.parametrize("design", [*TINY, *LARGE], ids=ids)
def test_weights_never_rise_and_fall_by_the_odds_over_the_distance(design: VectorLaplace):
    """These two facts are the guarantee; norms two distances further are looked at as well."""
    weights = [design.weight(norm**2) for norm in range(3 * design.distance)]

    assert all(one >= other > 0 for one, other in pairwise(weights))
    further = zip(weights, weights[design.distance :], strict=False)
    assert all(one == design.odds * other for one, other in further)


@pytest.mark.parametrize(
    ("dimension", "radius"), [(1, 1), (1, 5), (2, 1), (2, 2), (2, 7), (3, 4), (4, 2)]
)
def test_the_reach_bounds_every_point_that_a_ball_is_rounded_to(dimension: int, radius: int):
    """By going through all points: none that is reached has a norm above the bound."""
    box = product(range(-radius - 2, radius + 3), repeat=dimension)
    reached = [point for point in box if is_reached(point, radius)]

    assert max(sum(part**2 for part in point) for point in reached) <= reach_squared(
        dimension, radius
    )
    assert all(max(map(abs, point)) <= radius for point in reached)


@pytest.mark.parametrize(("dimension", "radius"), [(2, 3), (3, 2)])
def test_what_is_reached_is_what_some_vector_can_be_rounded_to(dimension: int, radius: int):
    """Vectors on a grid of tenths inside the ball: their neighbours are exactly these points."""
    fine = range(-10 * radius, 10 * radius + 1)
    found = set()
    for vector in product(fine, repeat=dimension):
        if sum(part**2 for part in vector) <= (10 * radius) ** 2:
            ends = [{part // 10, -(-part // 10)} for part in vector]
            found.update(product(*ends))

    box = product(range(-radius, radius + 1), repeat=dimension)
    assert {point for point in box if is_reached(point, radius)} == found


@pytest.mark.parametrize("design", TINY, ids=ids)
def test_what_is_proposed_and_taken_has_the_exact_weights(design: VectorLaplace):
    """Over all noise: the proposal's probability times that of taking it is in proportion."""
    _, weights = design._proposal
    steps = range(-design.window, design.window + 1)
    scales = set()
    for noise in product(steps, repeat=design.dimension):
        kept, proposed = design._acceptance(noise)
        assert 0 < kept <= proposed
        chance = Fraction(prod(weights[abs(part)] for part in noise) * kept, proposed)
        scales.add(chance / design.weight(sum(part**2 for part in noise)))

    assert 1 == len(scales)


@pytest.mark.parametrize("design", LARGE, ids=ids)
def test_no_noise_is_taken_more_often_than_always(design: VectorLaplace):
    """Along axes, diagonals and random directions the chance of being taken is at most 1."""
    coins = Coins()
    tried = [tuple(design._noise(coins)) for _ in range(200)]
    for size in range(0, design.window + 1, 7):
        for parts in {1, 2, design.dimension}:
            tried.append((size,) * parts + (0,) * (design.dimension - parts))
    for noise in tried:
        kept, proposed = design._acceptance(noise)

        assert 0 < kept <= proposed


@pytest.mark.parametrize("design", [*TINY, *LARGE], ids=ids)
def test_a_proposal_is_one_word_for_each_component(design: VectorLaplace):
    """Every value of the draw is one size: bounds end at 2**32 and leave each its weight."""
    bounds, (_, weights) = design._bounds, design._proposal
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


@pytest.mark.parametrize("design", [*TINY[:3], *LARGE], ids=ids)
def test_answers_share_the_noise_and_the_bytes(design: VectorLaplace):
    """From the same coins every answer draws the same bytes and gets the same noise added."""
    corner = [design.radius] * design.dimension
    corner[0] += design.radius
    drawn: list[list[int]] = [[], []]
    reports = []
    tried = (centre(design), from_digits(corner, 2 * design.radius + 1))
    for answer, log in zip(tried, drawn, strict=True):
        coins = Coins(_replay(log))
        digits = to_digits(design.perturb(answer, coins), design.levels, design.dimension)
        reports.append(digits)

    assert drawn[0] == drawn[1]
    shift = [(b - a) % design.levels for a, b in zip(*reports, strict=True)]
    assert [design.radius, *[0] * (design.dimension - 1)] == shift


def _replay(log: list[int]):
    """Return bytes that anyone can recompute, and note how many are asked for."""
    from hashlib import shake_128

    def source(count: int) -> bytes:
        start = sum(log)
        log.append(count)
        return shake_128(b"vectors").digest(start + count)[start:]

    return source


@pytest.mark.parametrize("design", LARGE, ids=ids)
def test_every_proposal_draws_the_same_number_of_bytes(design: VectorLaplace):
    """Nothing of the noise shows in how much is drawn for it, but how often it was tried."""
    drawn: list[int] = []
    design.perturb(centre(design), Coins(_replay(drawn)))

    assert {4 * (design.dimension + 5)} == set(drawn)


@pytest.mark.parametrize("design", [*TINY, *LARGE, *PRIVUNITS], ids=ids)
def test_a_spec_gives_the_mechanism_back(design):
    """What stands in a manifest, with the question's norm and step, is the whole mechanism."""
    assert design == from_spec(design.spec(), design.answers)


@pytest.mark.parametrize("design", [VectorLaplace(2, 4, 6), PrivUnit(2, 4, 0)], ids=ids)
def test_what_no_vector_is_rounded_to_is_no_answer(design):
    """The corners of the box are out of the ball's reach, where odds would not hold."""
    for answer in (0, design.answers - 1, design.answers, -1):
        with pytest.raises(AnswerError):
            design.perturb(answer)


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        (VectorLaplace, (0, 4, 9, 3, 1)),
        (VectorLaplace, (17, 4, 9, 3, 1)),
        (VectorLaplace, (2, 0, 9, 3, 1)),
        (VectorLaplace, (2, 1025, 2000, 3, 1)),
        (VectorLaplace, (2, 4, 3, 3, 1)),
        (VectorLaplace, (2, 4, 32769, 3, 1)),
        (VectorLaplace, (2, 4, 9, 1, 1)),
        (VectorLaplace, (2, 4, 9, 6, 2)),
        (VectorLaplace, (2, 4, 9, 2**32 + 1, 1)),
        (VectorLaplace, (2, 4, True, 3, 1)),
        (PrivUnit, (0, 4, 9, 3, 1)),
        (PrivUnit, (257, 4, 9, 3, 1)),
        (PrivUnit, (2, 65537, 9, 3, 1)),
        (PrivUnit, (2, 4, -1, 3, 1)),
        (PrivUnit, (2, 4, 65536, 3, 1)),
        (PrivUnit, (2, 4, 9, 1, 3)),
        (PrivUnit, (2, 4, 9, 2**32 + 1, 1)),
    ],
)
def test_what_cannot_be_is_refused(kind, parameters):
    """Dimensions, norms, windows, caps and odds outside their range."""
    with pytest.raises(MechanismError):
        kind(*parameters)


@pytest.mark.parametrize("answers", [8, 10, 80, 82, 1])
def test_a_number_of_answers_that_is_no_box_is_refused(answers: int):
    """(2 radius + 1) to the power of the dimension, and nothing else."""
    with pytest.raises(MechanismError):
        radius_of(answers, 2, "vector-laplace/1")


@pytest.mark.parametrize("degree", [1, 2, 35, 300])
@pytest.mark.parametrize("ratio", [Fraction(1, 3), Fraction(10, 11), Fraction(1, 729)])
def test_a_root_is_the_largest_below(ratio: Fraction, degree: int):
    """Its power does not exceed the ratio, and that of one more does."""
    root = root_of_ratio(ratio, degree, 64)

    assert root**degree * ratio.denominator <= ratio.numerator << 64 * degree
    assert (root + 1) ** degree * ratio.denominator > ratio.numerator << 64 * degree


def test_digits_are_drawn_as_they_are_needed():
    """First digits stay what they were when more are drawn after them."""
    number = Uniform(Coins(_replay([])))
    few = number.first(1)

    assert few == number.first(WORDS + 4) >> WORD * (WORDS + 3)
    assert number.first(WORDS) >> WORD * (WORDS - 1) == few


@pytest.mark.parametrize("dimensions", [2, 4, 6, 18])
def test_more_digits_narrow_the_bounds_of_a_direction(dimensions: int):
    """All bounds hold one point, ever more narrowly, and that point is on the sphere."""
    coins = Coins(_replay([]))
    direction = Direction(dimensions, coins)
    direction.complete(coins)
    for words in (1, 2, 3, 6):
        bounds, finest = list(direction.components(words)), list(direction.components(9))
        one, finer = 1 << WORD * words, WORD * (9 - words)

        for (low, high), (inner_low, inner_high) in zip(bounds, finest, strict=True):
            assert low << finer <= inner_high
            assert inner_low <= high << finer
        ends = [sorted((abs(low), abs(high))) for low, high in bounds]
        assert sum(low**2 for low, _ in ends) <= one**2 <= sum(high**2 for _, high in ends)
        assert max(high - low for low, high in bounds) < one >> WORD * words - 40


def test_a_decision_with_few_digits_is_the_one_with_many(monkeypatch):
    """With words of 4 bits most decisions ask for more; they are those made with 160 bits."""
    monkeypatch.setattr("tossup.shared.mechanisms.sphere.WORD", 4)
    monkeypatch.setattr("tossup.shared.mechanisms.sphere.WORDS", 1)
    monkeypatch.setattr("tossup.shared.mechanisms.privunit.WORD", 4)
    for place, design in enumerate(60 * PRIVUNITS):
        direction = Direction(design.dimensions, Coins(_seeded(place)))
        found = []
        for words in (1, 40):
            monkeypatch.setattr("tossup.shared.mechanisms.privunit.WORDS", words)
            found.append(design._is_in_cap(direction))

        assert found[0] == found[1]


def _drawn(design: PrivUnit, place: int) -> Direction:
    coins = Coins(_seeded(place))
    direction = Direction(design.dimensions, coins)
    direction.complete(coins)
    return direction


@pytest.mark.parametrize("design", PRIVUNITS, ids=ids)
def test_a_turned_direction_has_the_axis_where_the_answer_is(design: PrivUnit):
    """Bounds narrow; the point stays on the sphere; its inner product is the first component."""
    point = (min(3, design.radius), *[-1] * (design.dimension - 1))
    height = sqrt(design.lifted_radius**2 - sum(step**2 for step in point))
    for place in range(50):
        direction = _drawn(design, place)
        fine = list(design._turned(direction, point, 6))
        for words in (1, 2, 3):
            bounds = list(design._turned(direction, point, words))
            finer = WORD * (6 - words)

            for (low, high), (inner_low, inner_high) in zip(bounds, fine, strict=True):
                assert low << finer <= inner_high
                assert inner_low <= high << finer
        turned = [(low + high) / 2 ** (WORD * 6 + 1) for low, high in fine]
        axis = sum(direction.first(6)) / 2 ** (WORD * 6 + 1)
        # What is left of the unit norm is the last component and, if any, one that is not lifted.
        rest = list(direction.components(6))[design.dimension + 1 :]
        left = (
            1
            - sum(part**2 for part in turned)
            - sum((low / 2 ** (WORD * 6)) ** 2 for low, _ in rest)
        )
        inner = sum(a * b for a, b in zip(turned, point, strict=True))
        last = (axis * design.lifted_radius - inner) / height

        assert pytest.approx(left, abs=1e-9) == last**2


def test_a_digit_is_given_only_when_all_digits_to_come_agree():
    """The report's level is the one of the exact component plus the exact uniform number."""
    words, one = 3, 1 << WORD * 3
    half = one // 255

    assert 127 == _digit((0, 0), 0, words)
    assert 128 == _digit((0, 0), one // 2, words)
    assert _digit((-half, half), one // 2, words) is None
    assert _digit((0, 0), one // 2 - 1, words) == 127
    assert {0, 255} == {_digit((-one, 1 - one), 5, words), _digit((one - 2, one), one // 2, words)}


def test_a_direction_along_the_axis_is_turned_to_the_answer():
    """With the axis for the direction itself, the answer's own comes out."""

    class Axis:
        def components(self, words):
            yield from [(1 << WORD * words,) * 2, (0, 0), (0, 0), (0, 0)]

    design, point = PrivUnit(2, 64, cap=14994), (30, -51)
    turned = [sum(ends) / 2 ** (WORD * 3 + 1) for ends in design._turned(Axis(), point, 3)]

    assert [pytest.approx(step / design.lifted_radius) for step in point] == turned


def test_the_cap_is_decided_by_the_component_along_the_axis():
    """Against floats: first components above the height are in the cap."""
    design = PrivUnit(2, 64, cap=14994)
    for place in range(200):
        direction = Direction(design.dimensions, Coins(_seeded(place)))
        middle = sum(direction.first(WORDS)) / 2 ** (WORD * WORDS + 1)

        assert (middle >= 14994 / 65536) == design._is_in_cap(direction)


@pytest.mark.parametrize("design", PRIVUNITS, ids=ids)
def test_all_answers_draw_the_same_bytes_for_a_direction(design: PrivUnit):
    """How many directions are drawn, and from how many bytes, is the same for every answer."""
    ends = [2 * design.radius, *[design.radius] * (design.dimension - 1)]
    logs: list[list[int]] = [[], []]
    for answer, log in zip(
        (centre(design), from_digits(ends, 2 * design.radius + 1)), logs, strict=True
    ):
        design.perturb(answer, Coins(_replay(log)))

    assert logs[0] == logs[1]


def _seeded(place: int):
    from hashlib import shake_128

    stream = iter(shake_128(b"%d" % place).digest(1 << 14))
    return lambda count: bytes(next(stream) for _ in range(count))


@pytest.mark.parametrize("design", PRIVUNITS, ids=ids)
def test_a_lifted_answer_has_the_radius_for_its_norm(design: PrivUnit):
    """No answer that can be reached is longer, so that the last component is real."""
    assert design.lifted_radius**2 >= design.reach_squared > (design.lifted_radius - 1) ** 2


def test_privunit_has_no_table():
    """Its probabilities are integrals: asking for one is refused, and said why."""
    with pytest.raises(MechanismError, match="integrals"):
        PrivUnit(2, 4, 0).probability(0, 0)


#: A correct sampler fails these with probability at most 1e-7 each: |z| > 5.33, two-sided.
LIMIT = 5.33


def test_means_of_privunit_are_the_answer():
    """6,000 reports of one answer: the mean of each component is where it should be."""
    design, n, point = PrivUnit(2, 64, cap=14994), 6_000, (40, -30)
    answer = from_digits([part + 64 for part in point], 129)
    mean_length = 0.2227  # of tossup.server.estimation.caps, to four digits
    sums = [0, 0]
    for _ in range(n):
        for place, digit in enumerate(to_digits(design.perturb(answer), 256, 2)):
            sums[place] += 2 * digit - 255

    for total, part in zip(sums, point, strict=True):
        expected = mean_length * part / design.lifted_radius
        assert abs(total / 255 / n - expected) < LIMIT * sqrt(1 / 4 / n) * 1.3


@pytest.mark.parametrize("dimension", [1, 2])
def test_noise_has_the_exact_frequencies(dimension: int):
    """20,000 reports of a tiny design: every count is where its binomial puts it.

    At most 81 cells, |z| > 6.1 each: a correct sampler fails with probability at most 1e-7.
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
    points = [design.point(answer) for answer in answers(design)]
    farthest = max(
        sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
        for one, other in product(points, repeat=2)
    )

    assert ceil(sqrt(farthest)) <= design.distance
