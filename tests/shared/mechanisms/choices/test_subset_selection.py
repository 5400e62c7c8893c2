"""Subset selection: its whole channel, its odds, and every run of its coins."""

import pytest
from channels import channel, largest_ratio, reports_of, walked
from small_designs import of
from sweeps import each

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import SubsetSelection, from_spec

each_design = each("design", of(SubsetSelection))


@each_design
def test_a_report_is_what_some_answer_gives(design: SubsetSelection):
    """A report is possible under every answer or under none; probabilities sum to 1."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [y for y in range(-1, design.reports + 1) if design.is_report(y)]


@each_design
def test_odds_by_enumeration(design: SubsetSelection):
    """The odds are the largest ratio over all reports and pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each_design
def test_the_sampler_is_the_channel(design: SubsetSelection):
    """Over all choices of the coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)


@each(
    "parameters",
    [
        {"size": 0, "keep": 3, "lie": 1},
        {"size": 5, "keep": 3, "lie": 1},
        {"size": 2, "keep": 1, "lie": 1},
        {"size": True, "keep": 3, "lie": 1},
        {"size": 2, "keep": 3},
        {"size": 2, "keep": 3, "lie": 1, "epsilon": 9},
        {"size": 2, "keep": 1 << 32, "lie": 1},
    ],
)
def test_designs_that_cannot_protect_or_tell_are_refused(parameters: dict[str, object]):
    """Parameters outside their bounds, missing, unknown or of another type are no mechanism."""
    with pytest.raises(MechanismError):
        from_spec({"name": "subset-selection/1", **parameters}, answers=5)
