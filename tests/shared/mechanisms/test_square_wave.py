"""The square wave's window against the published one."""

import pytest

from tossup.shared.mechanisms import SquareWave
from tossup.shared.mechanisms.square_wave import best_window


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
