"""Numbers find their point: exact, clipped, refused where they are none, and rounded fairly."""

from decimal import Decimal
from fractions import Fraction

import pytest
from sweeps import each

from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.kinds.number import Grid, to_point

HALVES = Grid(Fraction(0), Fraction(100), Fraction(1, 2))


@each(
    "answer, place",
    [
        (0, 0),
        (100, 200),
        (0.1, Fraction(0.1) * 2),
        (Decimal("0.1"), Fraction(1, 5)),
        (Fraction(1, 3), Fraction(2, 3)),
        (-1, 0),
        (1e308, 200),
        (-1e308, 0),
        (10**400, 200),
        (5e-324, Fraction(5e-324) * 2),
        (Decimal("1e300"), 200),
    ],
)
def test_numbers_are_taken_exactly_and_clipped(answer, place):
    """No answer is rounded by conversion, and the bounds hold whatever is given."""
    assert place == HALVES.place(answer)


@each(
    "answer",
    [
        *(None, True, False, "1", b"1", [1], 1j, float("nan"), float("inf"), -float("inf")),
        *(Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1e999999999")),
        *(Decimal("1e-999999999"), type("Look", (float,), {})(1.0), type("Alike", (int,), {})(1)),
    ],
)
def test_what_is_no_number_is_none(answer):
    """Truth values, texts, infinities, NaN and look-alikes have no place."""
    assert HALVES.place(answer) is None
    assert Grid.integers(0, 10).place(answer) is None


@pytest.mark.parametrize("answer", [1.0, Decimal(1), Fraction(1)])
def test_whole_numbers_are_ints(answer):
    """Exactly an int: a float that looks whole is none."""
    assert Grid.integers(0, 10).place(answer) is None
    assert Grid.integers(-5, 10).place(1) == 6


def recorded(value: int) -> Coins:
    feed = iter(
        b"".join((value >> 32 * k & 0xFFFFFFFF).to_bytes(4, "little") for k in (3, 2, 1, 0))
    )
    return Coins(lambda count: bytes(next(feed) for _ in range(count)))


@pytest.mark.parametrize(
    "place", [Fraction(1, 2), Fraction(1, 4), Fraction(1 << 127, (1 << 128) - 1)]
)
def test_random_rounding_goes_up_exactly_as_often_as_its_distance(place: Fraction):
    """Of the 2**128 draws, those below the threshold go up: the boundary is where it must be."""
    threshold = place.numerator * (1 << 128) // place.denominator

    assert 1 == to_point(place, "random", recorded(threshold - 1))
    assert 0 == to_point(place, "random", recorded(threshold))


@pytest.mark.parametrize("place", [Fraction(0), Fraction(7), Fraction(200), Fraction(9, 7)])
def test_random_rounding_always_costs_16_bytes(place: Fraction):
    """On a point or between two: the number of coins does not tell where the answer lies."""
    drawn = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return b"\xff" * count

    assert int(place) == to_point(place, "random", Coins(source))
    assert 16 == sum(drawn)


@pytest.mark.parametrize(
    ("place", "point"), [(Fraction(1, 2), 1), (Fraction(49, 100), 0), (Fraction(5), 5)]
)
def test_the_nearest_point(place: Fraction, point: int):
    """Halves go up; no coin is tossed."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    assert point == to_point(place, "nearest", Coins(source))


@each(
    "low, high, step, whole",
    [
        (0, 0, 1, False),
        (1, 0, 1, False),
        (0, 10, 0, False),
        (0, 10, -1, False),
        (0, 10, 3, False),
        (0, 1024, 1, False),
        (0, 10**15, 10**13, False),
        (Fraction(1, 2), Fraction(5, 2), 1, True),
        (0, 10, 2, True),
    ],
)
def test_grids_that_are_none_are_refused(low, high, step, whole):
    """Low below high, a positive step that fits a whole number of times, 1,024 points at most."""
    with pytest.raises(ManifestError):
        Grid(Fraction(low), Fraction(high), Fraction(step), whole)


@pytest.mark.parametrize("grid", [HALVES, Grid.integers(-3, 1000), Grid.integers(0, 1)])
def test_json_gives_the_grid_back(grid: Grid):
    """What stands in a manifest is the whole grid."""
    assert grid == Grid.from_json(grid.to_json(), whole=grid.whole)


@each(
    "value, whole",
    [
        ({"low": 0, "high": 10, "step": 1}, True),
        ({"low": "0", "high": "10"}, True),
        ({"low": True, "high": 10}, True),
        ({"low": 0}, True),
        ([0, 10], True),
        ({"low": 0, "high": 10, "step": 1}, False),
        ({"low": "0", "high": "10"}, False),
        ({"low": "0", "high": "10", "step": "1/0"}, False),
        ({"low": "0", "high": "1e1", "step": "1"}, False),
        ({"low": "0", "high": " 10", "step": "1"}, False),
        ({"low": "0", "high": "10\n", "step": "1"}, False),
        ({"low": "0", "high": "1_0", "step": "1"}, False),
        ({"low": "0", "high": "9" * 5000, "step": "1"}, False),
        ({"low": "0", "high": "10", "step": "1", "more": "1"}, False),
    ],
)
def test_json_that_is_not_exactly_a_grid_is_refused(value, whole: bool):
    """Integers as numbers, ratios as texts, in one form, and no other field."""
    with pytest.raises((WireError, ManifestError)):
        Grid.from_json(value, whole=whole)
