"""Simulated answers to a question about a number."""

from fractions import Fraction

import pytest
from click.testing import CliRunner

from tossup.server.cli.root import root
from tossup.server.kinds import simulate
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import Hybrid, SquareWave
from tossup.shared.survey import Question

HALVES = Grid(Fraction(0), Fraction(10), Fraction(1, 2))


def about(grid: Grid, mechanism) -> Question:
    return Question("hours", "hours", {}, (), mechanism, grid)


def test_intervals_hold_the_true_mean():
    """Of 500 runs at least 452 do; with 95 % each, fewer have probability below 1e-4.

    The alarm rate is that of one run in a million: 442 or fewer.
    """
    question = about(HALVES, Hybrid.for_odds(21, Fraction(3)))
    (line,) = simulate(question, [Fraction(13, 4), Fraction(7)], 400, runs=500)

    assert ("hours/mean", 5.125, 500) == (line.id, line.truth, line.runs)
    assert line.inside > 442


def test_answers_beyond_the_bounds_count_as_the_bounds():
    """The truth is that of the clipped answers, as an estimate can only be."""
    question = about(HALVES, SquareWave.for_odds(21, Fraction(3)))

    assert 5.0 == simulate(question, [Fraction(-3), Fraction(99)], 100)[0].truth


@pytest.mark.parametrize("answer", [Fraction(1, 2), Fraction(10**6 + 1, 10)])
def test_whole_numbers_are_whole(answer: Fraction):
    """A fraction is no answer to a question about whole numbers."""
    question = about(Grid.integers(0, 10), Hybrid.for_odds(11, Fraction(3)))

    with pytest.raises(ValueError, match="whole numbers"):
        simulate(question, [answer], 100)


def test_the_command_shows_the_mean_in_its_unit(tmp_path):
    """A survey file with a number is simulated from equally common answers."""
    file = tmp_path / "survey.toml"
    file.write_text(
        'id = "a"\ntitle = "A"\npurpose = "P"\n'
        '[publisher]\nname = "N"\ncontact = "c@example.org"\n'
        '[[question]]\nid = "hours"\ntext = "?"\nanswers = { integers = [0, 10] }\n'
    )
    done = CliRunner().invoke(root, ["simulate", str(file), "--truth", "hours=2,2,8"])

    assert 0 == done.exit_code
    assert "hours/mean" in done.stdout
    assert "%" not in done.stdout.splitlines()[-1].replace("95 %", "")
