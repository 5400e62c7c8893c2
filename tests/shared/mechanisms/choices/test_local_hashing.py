"""Local hashing: its whole channel, its odds, and every run of its coins."""

import pytest
from channels import channel, largest_ratio, reports_of, walked
from small_designs import of
from sweeps import each

from tossup.shared.mechanisms import LocalHashing

each_design = each("design", of(LocalHashing))


@each_design
def test_a_report_is_what_some_answer_gives(design: LocalHashing):
    """A report is possible under every answer or under none; probabilities sum to 1."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [y for y in range(-1, design.reports + 1) if design.is_report(y)]


@each_design
def test_odds_by_enumeration(design: LocalHashing):
    """The odds are the largest ratio over all reports and pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@pytest.mark.prove
@each_design
def test_the_sampler_is_the_channel(design: LocalHashing):
    """Over all choices of the coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)
