"""The harness itself: what it writes, and when a gate is missed."""

import peers
import pytest
from bench_against import against
from bench_figures import Figure, interleave, measured, ratio_of, table
from dear_surveys import SURVEYS, survey_of


def test_it_works():
    """The median of the rounds' ratios, with the lowest and highest beside it."""
    figure = ratio_of("x", ([1, 2, 9], [1, 1, 3]), better="lower", gate=3, goal=1)

    assert (figure.ratio, figure.low, figure.high) == (2, 1, 3)


def test_both_sides_are_measured_in_turn():
    """Ours goes second first, so that neither always runs on a warmer machine."""
    calls: list[str] = []

    interleave(lambda: calls.append("a") or 1, lambda: calls.append("b") or 1, rounds=2)

    assert calls == ["b", "a", "a", "b"]


def test_a_part_that_fails_keeps_no_other_from_being_measured(capsys):
    """It is named, and why it fails is printed; the figures of the others are kept."""
    kept: list[int] = []

    def one() -> Figure:
        return Figure("x", 1, 1, 1, "lower", 1, 1)

    def broken() -> Figure:
        raise RuntimeError("no server")

    figures, failed = measured([one, broken, one], lambda figures: kept.append(len(figures)))

    assert (2, ["broken"], [1, 2]) == (len(figures), failed, kept)
    assert "no server" in capsys.readouterr().err


def test_every_dear_survey_is_one_that_may_be_published():
    """Limits move, and the measure that takes longest would fail near its end."""
    assert list(SURVEYS) == [survey_of(name).id for name in SURVEYS]


@pytest.mark.parametrize(("better", "limit", "held"), [("higher", 1, True), ("lower", 1, False)])
def test_a_limit_has_a_side(better, limit, held):
    """A ratio of 2 is above 1: good where higher is better, else not."""
    figure = Figure("x", 2, 2, 2, better, limit, limit)

    assert figure.holds(limit) is held
    assert ("MISSED" in table([figure])) is not held


def test_the_file_has_the_documented_keys():
    """build/bench.json is read by others."""
    figure = Figure("x", 2, 1, 3, "lower", 5, 4, "a note")

    assert list(figure.to_json()) == ["name", "ratio", "low", "high", "better", "gate", "goal"]


def peers_that_run(works: dict[str, float]):
    """Return a measure of peers of which only these run."""

    def measure(work: str, *, options: int, n: int) -> float:
        if work not in works:
            raise peers.PeerMissingError(f"{work} could not be installed")
        return works[work]

    return measure


def race(works: dict[str, float]) -> Figure:
    tried = ["fast toss", "slow toss"]
    peer = peers_that_run(works)
    return against("x", tried, lambda: 1.0, peer=peer, options=2, n=2, gate=2, goal=9)


def test_the_fastest_peer_is_the_one_to_beat():
    """Eight seconds for two reports are four each, and we take one."""
    assert 4 == race({"fast toss": 8, "slow toss": 16}).ratio


def test_a_peer_that_is_missing_is_said():
    """The next best is measured, and the note says that it was not against all."""
    figure = race({"slow toss": 16})

    assert 8 == figure.ratio
    assert "fast toss could not be installed" in figure.note


def test_a_figure_without_any_peer_stays_in_the_table():
    """It says so, holds nothing, and is null in the file."""
    figure = race({})

    assert "NOT MEASURED" in table([figure])
    assert (None, False) == (figure.to_json()["ratio"], figure.holds(figure.gate))
