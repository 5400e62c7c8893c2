"""Vectors as answers: what is one, how it is scaled to the norm, and where it is rounded to."""

from decimal import Decimal
from fractions import Fraction
from math import inf, nan, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import PrivUnit, TwoCoin, VectorLaplace

PLANE = VectorAnswer(("x", "y"), Fraction(2), Fraction(1, 8))
MOMENTS = VectorAnswer(("x", "y", "z"), Fraction(3), Fraction(3, 32), moments=True)

numbers = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.fractions(),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20),
)


def test_it_works():
    """A vector within the norm is where it is, in steps of the question."""
    assert (Fraction(8), Fraction(-2)) == PLANE.place([1, -0.25])


@given(st.lists(numbers, min_size=2, max_size=2))
def test_no_vector_stays_longer_than_the_norm(answer):
    """Scaled exactly, never above the norm, and below it by one part in 2**127 at most."""
    place = PLANE.place(answer)
    squared = sum(part**2 for part in place)
    was = sum(Fraction(part) ** 2 for part in answer)

    assert squared <= PLANE.radius**2
    if was > PLANE.norm**2:
        assert squared * (1 + Fraction(1, 2**126)) >= PLANE.radius**2
        assert place[0] * Fraction(answer[1]) == place[1] * Fraction(answer[0])
    else:
        assert tuple(Fraction(part) * 8 for part in answer) == place


@given(st.lists(numbers, min_size=3, max_size=3))
def test_components_and_products_together_stay_within_the_norm(answer):
    """3/5 of the components and 4/5 of the products, in parts of the norm and of its square."""
    entries = MOMENTS.place(answer)

    assert 9 == len(entries) == MOMENTS.entries
    assert sum(entry**2 for entry in entries) <= MOMENTS.radius**2


def test_entries_are_components_and_products_in_their_units():
    """A step of an entry times its unit is the number itself."""
    parts = [Fraction(1), Fraction(-2), Fraction(1, 2)]
    entries = MOMENTS.place(parts)
    values = [entry * unit for entry, unit in zip(entries, MOMENTS.units, strict=True)]

    products = [parts[i] * parts[j] for i, j in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]]
    assert [*parts, *products] == values


@each(
    "answer",
    [
        None,
        1,
        "12",
        {1: 2, 3: 4},
        [1],
        [1, 2, 3],
        [1, True],
        [1, "2"],
        [1, None],
        [1, nan],
        [inf, 1],
        [1, Decimal("NaN")],
        [1, Decimal("1e9999")],
        [1, 2j],
        (part for part in (1, 2)),
        {1, 2},
    ],
)
def test_what_is_no_vector_is_none(answer):
    """Two numbers in a list or tuple, exactly of the types that numbers have, and nothing else."""
    assert PLANE.place(answer) is None


def test_tuples_and_every_exact_number_are_vectors():
    """An int, a float, a Decimal and a Fraction of the same value are the same."""
    found = {PLANE.place((part, 0)) for part in (1, 1.0, Decimal("1.0"), Fraction(1))}

    assert {(Fraction(8), Fraction(0))} == found


def test_rounding_leaves_the_mean():
    """Each entry goes up as often as it is far from the lower point: 4,000 times, |z| < 5."""
    design = VectorLaplace(2, 16, 40)
    place = PLANE.place([Fraction(1, 32), Fraction(-9, 80)])
    n = 4000
    points = [design.point(PLANE.index(place, design, Coins())) for _ in range(n)]

    for part, column in zip(place, zip(*points, strict=True), strict=True):
        assert {part // 1, -(-part // 1)} == set(column)
        assert abs(sum(column) / n - float(part)) < 5 * sqrt(1 / 4 / n)


def test_every_rounded_vector_is_an_answer():
    """Vectors on the norm in all directions are rounded to points that the mechanism takes."""
    design = VectorLaplace(2, 16, 40)
    for east in range(-16, 17):
        north = sqrt(256 - east**2)
        for sign in (1, -1):
            place = PLANE.place([east / 8, sign * north / 8])
            for _ in range(20):
                assert design.is_answer(PLANE.index(place, design, Coins()))


@pytest.mark.parametrize("domain", [PLANE, MOMENTS])
def test_what_a_manifest_says_gives_the_domain_back(domain: VectorAnswer):
    """Norm and step as ratios; the components are the question's options."""
    made = VectorAnswer.from_json(domain.to_json(), domain.options, moments=domain.moments)

    assert domain == made


@each(
    "value",
    [
        None,
        {},
        {"norm": "1"},
        {"norm": 1, "step": "1/8"},
        {"norm": "1", "step": "1/8", "more": 1},
        {"norm": "1.5", "step": "1/8"},
        {"norm": "1", "step": "1/0"},
    ],
)
def test_what_no_manifest_says_is_refused(value):
    """A norm and a step, both ratios in strings."""
    with pytest.raises(WireError):
        VectorAnswer.from_json(value, ("x", "y"))


@each(
    "options, norm, step, moments",
    [
        (("x",), 1, 1, False),
        (("x", "y"), 0, 1, False),
        (("x", "y"), 1, 0, False),
        (("x", "y"), -1, -1, False),
        (("x", "y"), 1, Fraction(2, 3), False),
        (("x", "y"), 1, 2, False),
        (("x", "y"), 65537, 1, False),
        (("x", "y"), 10**15, 10**15, False),
        (tuple(map(str, range(257))), 1, 1, False),
        (tuple(map(str, range(17))), 1, 1, True),
    ],
)
def test_what_cannot_be_is_refused(options, norm, step, moments):
    """Components, norms and steps out of range, and norms that are no whole number of steps."""
    with pytest.raises(ManifestError):
        VectorAnswer(options, Fraction(norm), Fraction(step), moments)


def test_a_mechanism_fits_that_has_as_many_entries():
    """A vector mechanism of the right dimension, and no other kind."""
    assert PLANE.fits(PrivUnit(2, 16, 0))
    assert MOMENTS.fits(PrivUnit(9, 32, 0))
    assert not PLANE.fits(PrivUnit(3, 16, 0))
    assert not PLANE.fits(TwoCoin())


@each("text", ["", "1", "1,2,3", "1;2", "1,x", "1,1e3", "1, 2", "nan,1"])
def test_words_that_are_no_vector_are_none(text: str):
    """Plain digits with commas between, as many as components."""
    assert PLANE.read(text) is None
