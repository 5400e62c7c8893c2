"""The discrete Laplace mechanism: the noise around an answer, and what clipping leaves."""

from fractions import Fraction

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of, on_grids
from sweeps import each

from tossup.shared.mechanisms import DiscreteLaplace, TruncatedGeometric


@each("design", lambda: [*of(DiscreteLaplace), *on_grids(DiscreteLaplace)])
def test_odds_by_enumeration(design: DiscreteLaplace):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", of(DiscreteLaplace))
def test_the_sampler_follows_the_weights(design: DiscreteLaplace):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(DiscreteLaplace))
def test_the_channel_is_exact(design: DiscreteLaplace):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@each("points", [2, 5, 32])
@each("odds", [Fraction(3, 2), Fraction(3), Fraction(81)])
def test_clipped_to_the_range_it_is_the_truncated_geometric(points: int, odds: Fraction):
    """Clipping its reports to the bounds gives the truncated geometric's, up to rounding."""
    wide = DiscreteLaplace.for_odds(points, odds)
    narrow = TruncatedGeometric.for_odds(points, odds)
    margin = wide.margin
    for answer in (0, points // 2, points - 1):
        row = wide.channel()[answer]
        clipped = [
            sum(row[: margin + 1]),
            *row[margin + 1 : margin + points - 1],
            sum(row[margin + points - 1 :]),
        ]

        expected = [pytest.approx(float(p), rel=1e-6) for p in narrow.channel()[answer]]
        assert expected == [float(p) for p in clipped]


def test_reports_reach_one_range_beyond_the_bounds():
    """The margin is one range on either side unless a manifest says otherwise."""
    design = DiscreteLaplace.for_odds(11, Fraction(3))

    assert (10, 31) == (design.margin, design.reports)
    assert 2 == DiscreteLaplace(2, (9, 5, 3, 2)).margin
