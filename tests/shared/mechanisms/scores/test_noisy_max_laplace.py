"""Report noisy max with Laplace noise has the chances of its definition."""

from fractions import Fraction

from channels import channel, drawn_at_bounds, largest_ratio, reports_of
from noisy_scores import noisy_max
from small_designs import equal_others
from sweeps import each

from tossup.shared.mechanisms import NoisyMaxLaplace
from tossup.shared.mechanisms.scores.base import in_a_row

DESIGNS = [
    NoisyMaxLaplace(in_a_row(2), 3),
    NoisyMaxLaplace(in_a_row(3), 5, 2),
    NoisyMaxLaplace(equal_others(5), 3),
    NoisyMaxLaplace(((7, 3), (-2, 5)), 2),
    NoisyMaxLaplace(in_a_row(8), 31, 30),
]

LOSSES = [(0, 1), (0, 0), (0, 1, 2), (0, 0, 3), (0, 2, 2, 5), (1, 0, 4, 0, 2), (0, 9, 9, 9)]


@each("design", DESIGNS)
def test_the_channel_is_exact(design: NoisyMaxLaplace):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every option."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@each("design", DESIGNS)
def test_odds_by_enumeration(design: NoisyMaxLaplace):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each("design", DESIGNS)
def test_the_sampler_follows_the_weights(design: NoisyMaxLaplace):
    """Its weights sum to 2**32: each report has the values from its first bound to the next."""
    for answer in range(design.answers):
        assert [(y, y) for y in range(design.reports)] == drawn_at_bounds(design, answer)


def test_it_works():
    """Of two a step apart, noise falling by half a step: the better one has 2/3.

    The difference of two noises is 0 with 5/27 and 1 with 4/27, so the better one is ahead with
    (1 + 5/27) / 2 and beside the other with 4/27.
    """
    masses = NoisyMaxLaplace.masses((0, 1), 2, 1)

    assert abs(Fraction(masses[0], sum(masses)) - Fraction(2, 3)) < Fraction(1, 1 << 200)


@each("losses", LOSSES)
@each("keep, lie", [(2, 1), (5, 2)])
def test_chances_are_those_of_the_noisy_scores(losses, keep: int, lie: int):
    """Noise of z steps with (1 - r) / (1 + r) r**|z| on each, ties broken fairly.

    The series is summed up to noise of 120 steps; more has a chance below 10 r**120.
    """
    ratio = Fraction(lie, keep)
    found = noisy_max(
        losses,
        lambda noise: (1 - ratio) / (1 + ratio) * ratio ** abs(noise),
        lambda noise: (
            1 - ratio**noise / (1 + ratio) if noise > 0 else ratio ** (1 - noise) / (1 + ratio)
        ),
        120,
    )
    masses = NoisyMaxLaplace.masses(losses, keep, lie)

    for chance, mass in zip(found, masses, strict=True):
        assert abs(Fraction(mass, sum(masses)) - chance) < 10 * ratio**120


@each("ratio", [1 + Fraction(1, 1 << 28), Fraction(31, 30), Fraction(1000)])
@each("losses", [tuple(range(32)), (0,) * 31 + (1,), (0, 1023)])
def test_chances_sum_to_one_far_beyond_the_digits_of_weights(losses, ratio: Fraction):
    """What integers of 256 bits lose is below 2**-100, at ratios near 1 as well."""
    masses = NoisyMaxLaplace.masses(losses, *ratio.as_integer_ratio())

    assert abs(sum(masses) - (1 << 256)) < 1 << 156
    assert min(masses) >= 0
