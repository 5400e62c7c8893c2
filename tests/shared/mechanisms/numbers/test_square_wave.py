"""The square wave's window against the published one."""

import pytest
from channels import channel, drawn, largest_ratio, reports_of
from small_designs import of, on_grids
from sweeps import each

from tossup.shared.mechanisms import SquareWave
from tossup.shared.mechanisms.numbers.square_wave import best_window


@each("design", lambda: [*of(SquareWave), *on_grids(SquareWave)])
def test_odds_by_enumeration(design: SquareWave):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(design.weights)


@each("design", of(SquareWave))
def test_the_sampler_follows_the_weights(design: SquareWave):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


@each("design", of(SquareWave))
def test_the_channel_is_exact(design: SquareWave):
    """Probabilities sum to exactly 1 for every answer, and every answer may give every report."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [*range(design.reports)]


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "ln3", "2", "4"])
def test_the_window_is_the_published_one(golden, ratio, epsilon: str):
    """2 b of the unit range, to 1e-6; on a grid rounded to whole steps."""
    row = golden[epsilon]
    odds = ratio(SquareWave, row["eps_value"], 512)

    assert pytest.approx(2 * row["square_wave"]["b"], rel=1e-6) == float(best_window(odds))
    assert round(512 * 2 * row["square_wave"]["b"]) == SquareWave.for_odds(512, odds).window


def test_answers_go_to_the_nearest_point():
    """Their order is kept, which a distribution needs more than an unbiased mean."""
    assert "nearest" == SquareWave.rounding
