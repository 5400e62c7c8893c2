"""K-ary randomized response: its whole channel, its odds, and every value of its one choice."""

from fractions import Fraction

import pytest
from channels import channel, drawn, largest_ratio
from small_designs import of, spelled

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import KaryRandomizedResponse

each_design = pytest.mark.parametrize("design", of(KaryRandomizedResponse), ids=spelled)


@each_design
def test_every_row_of_a_channel_is_a_distribution(design: KaryRandomizedResponse):
    """Probabilities are positive ratios of integers that sum to exactly 1."""
    for row in design.channel():
        assert 1 == sum(row)
        assert all(0 < chance < 1 and isinstance(chance, Fraction) for chance in row)


@each_design
def test_odds_by_enumeration(design: KaryRandomizedResponse):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each_design
def test_the_sampler_follows_the_weights(design: KaryRandomizedResponse):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in sorted({0, 1, design.answers // 2, design.answers - 1}):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@pytest.mark.parametrize(
    "parameters",
    [
        (1, 3, 1),
        (257, 3, 1),
        (5, 1, 1),
        (5, 1, 2),
        (5, 3, 0),
        (5, 3.0, 1),
        (True, 3, 1),
        (5, 1 << 32, 1),
    ],
)
def test_k_ary_designs_that_cannot_protect_or_tell_are_refused(parameters):
    """Options, keep and lie are integers within their bounds, with keep above lie."""
    with pytest.raises(MechanismError):
        KaryRandomizedResponse(*parameters)
