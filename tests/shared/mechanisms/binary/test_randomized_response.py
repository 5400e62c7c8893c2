"""Randomized response: every table with a sum of up to 13, and the designs of the papers."""

from fractions import Fraction

import pytest
from channels import channel, drawn, largest_ratio
from small_designs import of
from sweeps import each

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import RandomizedResponse

QUARTER = Fraction(1, 4)

each_design = each("design", of(RandomizedResponse))


@each_design
def test_every_row_of_a_channel_is_a_distribution(design: RandomizedResponse):
    """Probabilities are positive ratios of integers that sum to exactly 1."""
    for row in design.channel():
        assert 1 == sum(row)
        assert all(0 < chance < 1 and isinstance(chance, Fraction) for chance in row)


@each_design
def test_odds_by_enumeration(design: RandomizedResponse):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each_design
def test_the_sampler_follows_the_weights(design: RandomizedResponse):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each(
    "design, yes_if_no, yes_if_yes",
    [
        (RandomizedResponse.warner(Fraction(3, 4)), QUARTER, Fraction(3, 4)),
        (RandomizedResponse.warner(Fraction(1, 3)), Fraction(2, 3), Fraction(1, 3)),
        # Blair, Imai and Zhou 2015 (Nigeria): a die forces no on 1, yes on 6.
        (
            RandomizedResponse.forced_response(Fraction(1, 6), Fraction(1, 6)),
            Fraction(1, 6),
            Fraction(5, 6),
        ),
        (RandomizedResponse.forced_response(QUARTER, QUARTER), QUARTER, Fraction(3, 4)),
        # RRTCS bullying: sensitive question with 1/2, innocuous prevalence 2/3.
        (
            RandomizedResponse.unrelated_question(Fraction(1, 2), Fraction(2, 3)),
            Fraction(1, 3),
            Fraction(5, 6),
        ),
        # Kuk 1990: packs with 1/4 and 3/4 red cards are two coins.
        (RandomizedResponse.kuk(QUARTER, Fraction(3, 4)), QUARTER, Fraction(3, 4)),
        # GLMMRR plagiarism: crosswise with an innocuous prevalence of 1/4.
        (RandomizedResponse.crosswise(QUARTER), Fraction(3, 4), QUARTER),
    ],
)
def test_paper_designs_are_channels(
    design: RandomizedResponse, yes_if_no: Fraction, yes_if_yes: Fraction
):
    """Each classical design is its pair Pr[yes | no], Pr[yes | yes], in lowest terms."""
    channel = design.channel()

    assert (yes_if_no, yes_if_yes) == (channel[0][1], channel[1][1])


@each(
    "table",
    [
        ((1, 1), (1, 1)),
        ((1, 0), (0, 1)),
        ((3, 1), (1, 4)),
        ((3.0, 1), (1, 3)),
        ((True, 1), (1, 1)),
        ((-1, 3), (1, 1)),
        ((3, 1),),
        ((3, 1), (1, 3, 0)),
        ((1 << 32, 1), (1, 1 << 32)),
        ((float("nan"), 1), (1, 3)),
    ],
)
def test_tables_that_cannot_protect_or_tell_are_refused(table):
    """Zero weights prove an answer, equal rows tell nothing, floats are not exact."""
    with pytest.raises(MechanismError):
        RandomizedResponse(table)


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1), Fraction(1, 2), Fraction(-1, 4)])
def test_rates_of_zero_one_and_a_half_are_no_warner_design(rate: Fraction):
    """A certain statement protects nobody; an even one tells nothing."""
    with pytest.raises(MechanismError):
        RandomizedResponse.warner(rate)
