"""Normal noise for each component: exact draws, and a delta that no pair of answers exceeds."""

from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import product
from math import erfc, exp, log, sqrt

import pytest
from hypothesis import given, strategies
from sweeps import each
from vector_designs import GAUSSIANS, centre, replayed, spelled

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import EntryGaussian
from tossup.shared.mechanisms.digits import from_digits, to_digits
from tossup.shared.mechanisms.vectors.entry_gaussian import (
    delta_of,
    exponential,
    gaussian_noise,
    sums,
)
from tossup.shared.mechanisms.vectors.sphere import WORD, WORDS, Uniform

PRECISE = Context(prec=150)


def falling(exponent: Fraction) -> Decimal:
    """Return exp(-exponent) to 150 digits."""
    with localcontext(PRECISE):
        return (-Decimal(exponent.numerator) / exponent.denominator).exp()


@given(strategies.fractions(0, 90, max_denominator=10**12), strategies.sampled_from([64, 192, 384]))
def test_an_exponential_lies_between_its_bounds(exponent: Fraction, bits: int):
    """Against 150 digits; the bounds are one part apart at most."""
    low, high = exponential(exponent, bits)
    with localcontext(PRECISE):
        assert low <= falling(exponent) * 2**bits <= high
    assert high - low <= 1


@pytest.mark.parametrize("squared", [1, 2, 7, 150, 20_743])
def test_sums_of_weights_lie_between_their_bounds(squared: int):
    """Of all noise of at most k steps, and of all noise, against 150 digits."""
    lows, highs, (least, most) = sums(squared, WORDS)
    with localcontext(PRECISE):
        one = Decimal(2) ** (WORD * WORDS + 64)
        total = Decimal(1)
        for k, (low, high) in enumerate(zip(lows, highs, strict=True)):
            total += 2 * falling(Fraction(k * k, 2 * squared)) if k else 0
            assert low <= total * one <= high
        for k in range(len(lows), 2 * len(lows)):
            total += 2 * falling(Fraction(k * k, 2 * squared))
        assert least <= total * one <= most
    assert most - least < 2**40


class Given(Uniform):
    """A uniform number whose digits are given, and how many words of it were asked for."""

    def __init__(self, digits: int, words: int) -> None:
        self._all, self._have, self.asked = digits, words, 0

    def first(self, words: int) -> int:
        assert words <= self._have
        self.asked = max(self.asked, words)
        return self._all >> WORD * (self._have - words)


@pytest.mark.parametrize("squared", [1, 7, 150])
def test_a_noise_is_what_the_uniform_number_falls_into(squared: int):
    """Just below a border of two noises it is the smaller one, just above the larger one.

    Numbers that agree with a border in all digits drawn at first are decided by more digits.
    """
    with localcontext(PRECISE):
        weights = [falling(Fraction(k * k, 2 * squared)) * (2 if k else 1) for k in range(600)]
        total, below = sum(weights), Decimal(0)
        for k, weight in enumerate(weights[:12]):
            below += weight
            border = below / total * 2**256
            for gap, noise in ((-(2**100), k), (2**100, k + 1)):
                assert noise == gaussian_noise(squared, Given(int(border) + gap, 4))
            for gap, noise in ((-(2**20), k), (2**20, k + 1)):
                close = Given(int(border) + gap, 4)
                assert (noise, 4) == (gaussian_noise(squared, close), close.asked)


@pytest.mark.parametrize("squared", [1, 3])
def test_noise_has_the_exact_frequencies(squared: int):
    """40,000 reports of one answer, which wrap around: every count is where its binomial puts it.

    Nine cells, |z| > 6.1 each: a correct sampler fails with probability at most 6e-7, by exact
    binomial tails: in the rarest cell only 5 reports are expected.
    """
    design, n = EntryGaussian(1, 1, 4, squared), 40_000
    counts = [0] * design.reports
    for _ in range(n):
        counts[design.perturb(2)] += 1

    weights = [
        sum(exp(-((report - 5 + 9 * turn) ** 2) / 2 / squared) for turn in range(-4, 5))
        for report in range(9)
    ]
    for count, weight in zip(counts, weights, strict=True):
        chance = weight / sum(weights)
        assert abs(count - n * chance) < 6.1 * sqrt(n * chance * (1 - chance)) + 1


def chances(squared: int, shift: int = 0) -> list[float]:
    """Return the probabilities of noise around a point, before it wraps."""
    reach = int(30 * sqrt(squared)) + 30
    weights = [exp(-((k - shift) ** 2) / 2 / squared) for k in range(-reach, reach + 1)]
    return [weight / sum(weights) for weight in weights]


@each("squared", [1, 2, 9, 40])
@each("order", [2, 3, 8])
def test_divergence_of_shifted_noise_is_that_of_the_bound(squared: int, order: int):
    """Renyi's, by a sum over all noise: at most order shift**2 / (2 sigma**2) for every shift."""
    reach = range(-60 * order - 60, 60 * order + 60)
    total = sum(exp(-(k**2) / 2 / squared) for k in reach)
    for shift in range(1, 6):
        exponents = (order * k**2 + (1 - order) * (k - shift) ** 2 for k in reach)
        moment = sum(exp(-exponent / 2 / squared) for exponent in exponents) / total

        assert log(moment) / (order - 1) <= order * shift**2 / (2 * squared) + 1e-9


def exact_delta(design: EntryGaussian) -> float:
    """Return the largest sum of Pr[y | x] - odds Pr[y | x'] where positive, over all pairs."""
    odds, most = float(design.odds), 0.0
    points = [
        point for point in range(design.answers) if design.is_answer(point)
    ]  # in two dimensions at most
    shifts = {
        tuple(a - b for a, b in zip(design.point(x), design.point(y), strict=True))
        for x, y in product(points, repeat=2)
    }
    none = chances(design.squared)
    for shift in shifts:
        moved = [chances(design.squared, part) for part in shift]
        cells = product(*(zip(none, others, strict=True) for others in moved))
        gains = 0.0
        for cell in cells:
            p = q = 1.0
            for one, other in cell:
                p, q = p * one, q * other
            gains += max(0.0, p - odds * q)
        most = max(most, gains)
    return most


@pytest.mark.parametrize(
    "design",
    [
        EntryGaussian(1, 1, 40, 9),
        EntryGaussian(1, 3, 90, 150),
        EntryGaussian(1, 2, 40, 3, 729, 1),
        EntryGaussian(2, 1, 40, 6),
        EntryGaussian(2, 1, 40, 3, 27, 1),
    ],
    ids=spelled,
)
def test_delta_is_exceeded_by_no_pair_of_answers(design: EntryGaussian):
    """By sums over all reports of all pairs, before components wrap; and it is no loose bound."""
    found = exact_delta(design)

    assert 0 < found <= design.delta <= min(1, 40 * found)


@given(strategies.integers(1, 300), strategies.sampled_from([2, 3, 27, 729]))
def test_a_delta_is_above_that_of_normal_noise(parts: int, odds: int):
    """Continuous noise of the same concentration has the exact delta of Balle and Wang 2018."""
    concentration = Fraction(parts, 100)
    shift, epsilon = sqrt(2 * parts / 100), log(odds)

    def above(z: float) -> float:
        return erfc(z / sqrt(2)) / 2

    exact = above(epsilon / shift - shift / 2) - odds * above(epsilon / shift + shift / 2)
    assert exact <= delta_of(concentration, Fraction(odds)) <= max(30 * exact, 2.0**-64)


def test_the_delta_is_the_same_however_many_components_share_the_norm():
    """It follows from the largest distance alone; and it falls as noise gets wider."""
    one, two = EntryGaussian(1, 8, 90, 900), EntryGaussian(1, 8, 90, 901)

    assert one.delta > two.delta
    assert one.delta == delta_of(Fraction(4 * 64, 1800), Fraction(3))


@each("design", GAUSSIANS)
def test_all_answers_draw_the_same_bytes_and_share_the_noise(design: EntryGaussian):
    """From the same coins every answer draws the same bytes and gets the same noise added."""
    corner = [design.radius] * design.dimension
    corner[0] += design.radius
    drawn: list[list[int]] = [[], []]
    reports = []
    tried = (centre(design), from_digits(corner, 2 * design.radius + 1))
    for answer, log_ in zip(tried, drawn, strict=True):
        report = design.perturb(answer, Coins(replayed(log_)))
        reports.append(to_digits(report, design.levels, design.dimension))

    assert drawn[0] == drawn[1]
    assert [-(-design.dimension // 8), *[24] * design.dimension] == drawn[0]
    shift = [(b - a) % design.levels for a, b in zip(*reports, strict=True)]
    assert [design.radius, *[0] * (design.dimension - 1)] == shift


def test_probabilities_are_no_ratios():
    """They are refused, and the page that proves the guarantee is named."""
    with pytest.raises(MechanismError, match="sums of exponentials"):
        EntryGaussian(1, 1, 4, 1).probability(0, 0)


@each(
    "parameters",
    [
        (0, 4, 9, 3, 3, 1),
        (257, 4, 9, 3, 3, 1),
        (2, 1025, 2000, 3, 3, 1),
        (2, 4, 3, 3, 3, 1),
        (2, 4, 32769, 3, 3, 1),
        (2, 4, 9, 0, 3, 1),
        (2, 4, 9, 2**22 + 1, 3, 1),
        (2, 4, 9, 2.0, 3, 1),
        (2, 4, 9, True, 3, 1),
        (2, 4, 9, 3, 6, 2),
        (2, 4, 9, 3, 1, 1),
        (2, 4, 9, 3, 2**32 + 1, 1),
    ],
)
def test_what_cannot_be_is_refused(parameters):
    """Dimensions, norms, windows, noise and odds outside their range."""
    with pytest.raises(MechanismError):
        EntryGaussian(*parameters)
