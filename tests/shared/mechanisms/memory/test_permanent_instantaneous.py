"""Permanent and instantaneous answers: the whole channel, its odds, every run of both coins."""

from channels import channel, largest_ratio, reports_of, walked
from small_designs import of
from sweeps import each

from tossup.shared.mechanisms import PermanentInstantaneous

each_design = each("design", of(PermanentInstantaneous))


@each_design
def test_the_channel_is_exact(design: PermanentInstantaneous):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@each_design
def test_odds_by_enumeration(design: PermanentInstantaneous):
    """The odds of a report are the largest ratio over all reports and pairs of answers."""
    assert design.odds == design.odds_of(1) == largest_ratio(channel(design))


@each_design
def test_the_sampler_is_the_channel(design: PermanentInstantaneous):
    """Over all choices of both stages' coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)
