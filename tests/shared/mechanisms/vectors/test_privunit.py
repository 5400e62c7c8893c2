"""PrivUnit: exact digits of directions and caps, equal bytes for all answers, and its mean."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from sweeps import each
from vector_designs import PRIVUNITS, centre, replayed, seeded, spelled

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import PrivUnit
from tossup.shared.mechanisms.digits import from_digits, to_digits
from tossup.shared.mechanisms.vectors.privunit import _digit
from tossup.shared.mechanisms.vectors.sphere import WORD, WORDS, Direction, Uniform


class OneCoin(Coins):
    """Coins of which that with so many sides falls as it is told."""

    def __init__(self, sides: int, value: int) -> None:
        super().__init__(seeded(value))
        self.sides, self.value = sides, value

    def below(self, n: int) -> int:
        return self.value if n == self.sides else super().below(n)


@each("design", PRIVUNITS)
def test_odds_by_every_value_of_the_coin_that_takes_a_direction(design: PrivUnit, monkeypatch):
    """A direction in the cap is always taken, one outside by `lie` of `keep` values.

    So the density of the one that is reported is one of two, and their ratio is the odds.
    """
    taken = {True: 0, False: 0}
    for value, in_cap in product(range(design.keep), taken):
        where = iter([in_cap, True])
        monkeypatch.setattr(PrivUnit, "_is_in_cap", lambda *_, where=where: next(where))
        design.perturb(centre(design), OneCoin(design.keep, value))
        taken[in_cap] += len([*where])  # the second is looked at only if the first is not taken

    assert {True: design.keep, False: design.lie} == taken
    assert design.odds == Fraction(taken[True], taken[False])


def test_digits_are_drawn_as_they_are_needed():
    """First digits stay what they were when more are drawn after them."""
    number = Uniform(Coins(replayed([])))
    few = number.first(1)

    assert few == number.first(WORDS + 4) >> WORD * (WORDS + 3)
    assert number.first(WORDS) >> WORD * (WORDS - 1) == few


@pytest.mark.parametrize("dimensions", [2, 4, 6, 18])
def test_more_digits_narrow_the_bounds_of_a_direction(dimensions: int):
    """All bounds hold one point, ever more narrowly, and that point is on the sphere."""
    coins = Coins(replayed([]))
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
    monkeypatch.setattr("tossup.shared.mechanisms.vectors.sphere.WORD", 4)
    monkeypatch.setattr("tossup.shared.mechanisms.vectors.sphere.WORDS", 1)
    monkeypatch.setattr("tossup.shared.mechanisms.vectors.privunit.WORD", 4)
    for place, design in enumerate(60 * PRIVUNITS):
        direction = Direction(design.dimensions, Coins(seeded(place)))
        found = []
        for words in (1, 40):
            monkeypatch.setattr("tossup.shared.mechanisms.vectors.privunit.WORDS", words)
            found.append(design._is_in_cap(direction))

        assert found[0] == found[1]


def _drawn(design: PrivUnit, place: int) -> Direction:
    coins = Coins(seeded(place))
    direction = Direction(design.dimensions, coins)
    direction.complete(coins)
    return direction


@each("design", PRIVUNITS)
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
        direction = Direction(design.dimensions, Coins(seeded(place)))
        middle = sum(direction.first(WORDS)) / 2 ** (WORD * WORDS + 1)

        assert (middle >= 14994 / 65536) == design._is_in_cap(direction)


@each("design", PRIVUNITS)
def test_all_answers_draw_the_same_bytes_for_a_direction(design: PrivUnit):
    """How many directions are drawn, and from how many bytes, is the same for every answer."""
    ends = [2 * design.radius, *[design.radius] * (design.dimension - 1)]
    logs: list[list[int]] = [[], []]
    for answer, log in zip(
        (centre(design), from_digits(ends, 2 * design.radius + 1)), logs, strict=True
    ):
        design.perturb(answer, Coins(replayed(log)))

    assert logs[0] == logs[1]


@each("design", PRIVUNITS)
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
    mean_length = 0.2227  # of tossup.server.estimation.vectors.caps, to four digits
    sums = [0, 0]
    for _ in range(n):
        for place, digit in enumerate(to_digits(design.perturb(answer), 256, 2)):
            sums[place] += 2 * digit - 255

    for total, part in zip(sums, point, strict=True):
        expected = mean_length * part / design.lifted_radius
        assert abs(total / 255 / n - expected) < LIMIT * sqrt(1 / 4 / n) * 1.3


class Interval:
    """Two arrays of floats between which numbers lie; every operation rounds outwards."""

    #: Far above what IEEE 754 and the C library's acos may be off by.
    WIDER = 1e-13

    def __init__(self, low, high) -> None:
        self.low, self.high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)

    @classmethod
    def hull(cls, *ends) -> "Interval":
        lowest, highest = np.minimum.reduce(ends), np.maximum.reduce(ends)
        return cls(lowest - cls.WIDER * (1 + abs(lowest)), highest + cls.WIDER * (1 + abs(highest)))

    def __add__(self, other: "Interval") -> "Interval":
        return self.hull(self.low + other.low, self.high + other.high)

    def __neg__(self) -> "Interval":
        return Interval(-self.high, -self.low)

    def __mul__(self, other: "Interval") -> "Interval":
        ends = ((a, b) for a in (self.low, self.high) for b in (other.low, other.high))
        return self.hull(*(a * b for a, b in ends))

    def squared(self) -> "Interval":
        sizes = abs(self.low), abs(self.high)
        least = np.where(self.low * self.high < 0, 0, np.minimum(*sizes))
        return self.hull(least**2, np.maximum(*sizes) ** 2)

    def over(self, other: "Interval") -> "Interval":
        """Return ratios, cut at 2 either way, of numbers that are not negative."""
        pairs = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        ends = [
            np.clip(np.divide(a, b, out=np.sign(a) * 2, where=b > 0), -2, 2)
            for a, b in (np.broadcast_arrays(*pair) for pair in pairs)
        ]
        return self.hull(*ends)

    def clipped(self, least: float, most: float) -> "Interval":
        return Interval(np.clip(self.low, least, most), np.clip(self.high, least, most))

    def through(self, function) -> "Interval":
        """Return what a function that never rises, or never falls, makes of it."""
        return self.hull(function(self.low), function(self.high))

    def sum(self) -> "Interval":
        terms = 1 + self.WIDER * self.low.size
        return Interval(self.low.sum() * (2 - terms), self.high.sum() * terms)


def exactly(value) -> Interval:
    return Interval.hull(np.float64(value))


#: Parts of a level in which the integral is enclosed.
PARTS = 40


def _chance(design: PrivUnit, point: tuple[int, int], digits: tuple[int, ...]) -> Interval:
    """Return bounds of the probability of a report of two components, but for a factor.

    Of a uniform direction in four dimensions the first two components are a uniform point of the
    disc, and the other two point to a uniform place of a circle. So given the two components the
    chance to be in the cap is an arc's share: that of all turns w with
    <v, t> + h s cos w >= cap r / 65536, where s is the radius of the circle, h that of the
    lifted answer's last component, and r its norm.
    """
    sides = [np.linspace(digit - 1, digit + 1, 2 * PARTS + 1) for digit in digits]
    lows, highs = (np.meshgrid(*(side[part] for side in sides)) for part in (np.s_[:-1], np.s_[1:]))
    # Rounding to the level is linear in each part: its middle is its mean.
    means = [1 - abs((a + b) / 2 - digit) for a, b, digit in zip(lows, highs, digits, strict=True)]
    inner, squares = exactly(0), exactly(0)
    for low, high, step in zip(lows, highs, point, strict=True):
        component = Interval(low, high) * exactly(2 / 255) + exactly(-1)
        inner = inner + component * exactly(step)
        squares = squares + component.squared()
    circle = (exactly(1) + -squares).clipped(0, 1).through(np.sqrt)
    height = exactly(design.lifted_radius**2 - sum(step**2 for step in point)).through(np.sqrt)
    least = exactly(design.cap * design.lifted_radius / 65536) + -inner
    turns = least.over((height * circle).clipped(0, np.inf)).clipped(-1, 1)
    share = turns.through(lambda cosine: np.arccos(cosine) / np.pi).clipped(0, 1)
    density = exactly(design.lie) + exactly(design.keep - design.lie) * share
    on_disc = Interval((squares.high <= 1).astype(float), (squares.low <= 1).astype(float))
    return (exactly(means[0] * means[1]) * on_disc * density).clipped(0, np.inf).sum()


def _pairs(design: PrivUnit, count: int):
    """Yield reports as a device makes them, of answers along both axes and between them."""
    r, part = design.radius, design.radius * 7 // 10
    ends = [(r, 0), (-r, 0), (0, -r), (part, part), (part, -part)]
    answers = [from_digits([step + r for step in point], 2 * r + 1) for point in ends]
    for place in range(count):
        report = design.perturb(answers[place % len(answers)], Coins(seeded(place)))
        yield to_digits(report, 256, 2), ends


@pytest.mark.parametrize(
    "design",
    [PrivUnit(2, 64, cap=14994), PrivUnit(2, 64, cap=40000, keep=9), PrivUnit(2, 5, cap=0, keep=9)],
    ids=spelled,
)
def test_probabilities_of_reports_keep_the_odds_by_interval_arithmetic(design: PrivUnit):
    """At sampled reports and answers: enclosed to one part in twenty, ratios keep the odds.

    The enclosures are of the continuous mechanism that the proof is about. None of them proves a
    ratio above the odds, their widest ends exceed them by no more than they are wide, and some
    report proves a ratio of nearly the odds: no smaller ones would do.
    """
    odds, largest = design.keep / design.lie, 0.0
    for digits, points in _pairs(design, 12):
        chances = [_chance(design, point, digits) for point in points]
        assert min(chance.low for chance in chances) > 0
        for one, other in product(chances, chances):
            width = one.high / one.low * other.high / other.low

            assert one.low / other.high <= odds
            assert width < 1.05
            assert one.high / other.low <= odds * width
            largest = max(largest, float(one.low / other.high))
    assert largest > 0.9 * odds
