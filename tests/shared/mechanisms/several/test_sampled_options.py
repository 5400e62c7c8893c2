"""Sampled options: its whole channel, its odds, and every run of its coins."""

from fractions import Fraction

import numpy as np
import pytest
from channels import channel, largest_ratio, walked
from small_designs import of
from sweeps import each

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import SampledOptions, from_spec

each_design = each("design", of(SampledOptions))


@each_design
def test_odds_by_enumeration(design: SampledOptions):
    """The odds are the largest ratio over all reports and pairs of answers; all are possible."""
    rows = channel(design)

    assert {Fraction(1)} == {sum(row) for row in rows}
    assert all(chance > 0 for row in rows for chance in row)
    assert design.odds == largest_ratio(rows)


@pytest.mark.prove
@each_design
def test_the_sampler_is_the_channel(design: SampledOptions):
    """Over all choices of the coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)


@each("options", range(1, 11))
def test_the_odds_of_samples_over_all_answers_of_up_to_ten_options(options: int):
    """For every limit and every number asked, over all pairs of answers and all reports.

    A report's weight is keep to the power of the bits kept, times lie to that of those turned.
    So the ratio of two is keep / lie to the power by which the turned ones differ.
    """
    answers = np.arange(1 << options)
    for asked in range(1, min(options, 8) + 1):
        window = (1 << asked) - 1
        turned = np.bitwise_count((answers[:, np.newaxis] & window) ^ np.arange(1 << asked))
        for most in range(1, options + 1):
            allowed = turned[np.bitwise_count(answers) <= most].astype(int)
            power = int((allowed.max(axis=0) - allowed.min(axis=0)).max())

            assert SampledOptions(options, most, asked, 3, 1).odds == 3**power


@each("first", range(7))
def test_options_are_asked_in_a_circle(first: int):
    """From each option on, those after it are asked, from the last on to the first."""
    design = SampledOptions(7, 7, 3)
    report = first << 3 | 0b101

    expected = [(first, True), ((first + 1) % 7, False), ((first + 2) % 7, True)]
    assert expected == list(design.told(report))


@pytest.mark.parametrize("options", [1, 2, 5, 64])
def test_one_option_asked_has_exactly_the_odds(options: int):
    """All of the odds are spent on the one bit, whatever the ratio."""
    for odds in (Fraction(101, 100), Fraction(3, 2), Fraction(3), Fraction(22, 3), Fraction(700)):
        assert odds == SampledOptions.asking(1, odds, options).odds


def test_reports_stay_within_four_bytes():
    """Of 64 options at most 26 are asked at once."""
    assert SampledOptions(64, 64, 26).reports == 1 << 32
    with pytest.raises(MechanismError, match="4 bytes"):
        SampledOptions(64, 64, 27)


@each(
    "changed",
    [
        {"most": 0, "asked": 1, "keep": 3, "lie": 1},
        {"most": 4, "asked": 0, "keep": 3, "lie": 1},
        {"most": 4, "asked": 5, "keep": 3, "lie": 1},
        {"most": 4, "asked": 1.0, "keep": 3, "lie": 1},
        {"most": 4, "asked": 1, "keep": 1, "lie": 1},
        {"most": 4, "asked": 1, "keep": 3, "lie": 0},
        {"most": 4, "asked": 1, "keep": 1 << 32, "lie": 1},
        {"most": 4, "asked": 1, "keep": 3},
    ],
)
def test_a_spec_that_does_not_fit_is_refused(changed: dict):
    """Too many ticks or questions, equal bits, look-alikes and missing parameters."""
    with pytest.raises(MechanismError):
        from_spec({"name": "sampled-options/1", **changed}, 16)
