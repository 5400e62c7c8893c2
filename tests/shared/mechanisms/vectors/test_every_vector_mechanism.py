"""What mechanisms for vectors have in common: the ball, its answers, and exact roots."""

from fractions import Fraction
from itertools import product

import pytest
from sweeps import each
from vector_designs import (
    GAUSSIANS,
    LARGE,
    LARGE_ENTRIES,
    PRIVUNITS,
    TINY,
    TINY_ENTRIES,
    spelled,
)

from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import EntryGaussian, EntryLaplace, PrivUnit, VectorLaplace, from_spec
from tossup.shared.mechanisms.vectors.base import (
    is_reached,
    radius_of,
    reach_squared,
    root_of_ratio,
)


@each("dimension, radius", [(1, 1), (1, 5), (2, 1), (2, 2), (2, 7), (3, 4), (4, 2)])
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


@each("design", [*TINY, *LARGE, *PRIVUNITS, *GAUSSIANS, *TINY_ENTRIES, *LARGE_ENTRIES])
def test_a_spec_gives_the_mechanism_back(design):
    """What stands in a manifest, with the question's norm and step, is the whole mechanism."""
    assert design == from_spec(design.spec(), design.answers)


@pytest.mark.parametrize(
    "design",
    [
        VectorLaplace(2, 4, 6),
        PrivUnit(2, 4, 0),
        EntryGaussian(2, 4, 6, 9),
        EntryLaplace(2, 4, 2, 6),
    ],
    ids=spelled,
)
def test_what_no_vector_is_rounded_to_is_no_answer(design):
    """The corners of the box are out of the ball's reach, where odds would not hold."""
    for answer in (0, design.answers - 1, design.answers, -1):
        with pytest.raises(AnswerError):
            design.perturb(answer)


@each(
    "kind, parameters",
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
        (EntryLaplace, (0, 4, 0, 9, 3, 1)),
        (EntryLaplace, (257, 4, 257, 9, 3, 1)),
        (EntryLaplace, (2, 65537, 2, 65537, 3, 1)),
        (EntryLaplace, (2, 4, 3, 9, 3, 1)),
        (EntryLaplace, (5, 4, 3, 9, 3, 1)),
        (EntryLaplace, (2, 4, 1, 9, 3, 1)),
        (EntryLaplace, (170, 4, 17, 9, 3, 1)),
        (EntryLaplace, (2, 4, True, 9, 3, 1)),
        (EntryLaplace, (2, 4, 2, 3, 3, 1)),
        (EntryLaplace, (2, 4, 2, 65537, 3, 1)),
        (EntryLaplace, (2, 4, 2, 9, 6, 2)),
        (EntryLaplace, (2, 4, 2, 9, 2**32 + 1, 1)),
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


@each("design", [VectorLaplace(2, 4, 9), PrivUnit(2, 4, 9), EntryLaplace(2, 4, 2, 9)])
@each("dimension", [0, -1, 3, 5, 1 << 20, 1 << 70])
def test_a_dimension_that_does_not_fit_is_refused_at_once(design, dimension: int):
    """A hostile manifest does not keep a device busy with a power of a million digits."""
    spec = design.spec() | {"dimension": dimension}

    with pytest.raises(MechanismError, match="does not have 81 answers"):
        from_spec(spec, answers=81)


@each("degree", [1, 2, 35, 300])
@each("ratio", [Fraction(1, 3), Fraction(10, 11), Fraction(1, 729)])
def test_a_root_is_the_largest_below(ratio: Fraction, degree: int):
    """Its power does not exceed the ratio, and that of one more does."""
    root = root_of_ratio(ratio, degree, 64)

    assert root**degree * ratio.denominator <= ratio.numerator << 64 * degree
    assert (root + 1) ** degree * ratio.denominator > ratio.numerator << 64 * degree
