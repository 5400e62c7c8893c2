"""Simulated respondents follow the design's own weights."""

import re
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from tossup.server.kernels.tossing.draws import uniform_below
from tossup.server.kernels.tossing.source import random_bytes, seeded
from tossup.server.kinds import simulate
from tossup.server.kinds.made_up.simulated import draw_answers, tally
from tossup.shared.mechanisms import KaryRandomizedResponse, RandomizedResponse, TwoCoin
from tossup.shared.survey import Option, Question

ALARM = 1e-6


def yes_no(mechanism=None) -> Question:
    return Question("tried", "tried", {}, (), mechanism or TwoCoin())


def is_likely(count: int, n: int, p: Fraction) -> bool:
    """Return whether both exact binomial tails at the count are above half the alarm rate."""
    weights = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    return min(sum(weights[: count + 1]), sum(weights[count:])) > ALARM / 2


def test_it_works():
    """A yes/no question gives one line, with the truth in front of it."""
    (line,) = simulate(yes_no(), [Fraction(3, 10)], 1000)

    assert (line.id, line.truth, line.runs) == ("tried", 0.3, 1)
    assert line.low < line.estimate < line.high


def test_a_choice_gives_a_line_an_option_and_estimates_that_sum_to_one():
    """Every option has its estimate; the debiased shares sum to 1."""
    options = tuple(Option(name, {}) for name in ("a", "b", "c"))
    question = Question("pick", "pick", {}, options, KaryRandomizedResponse(3))

    lines = simulate(question, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], 500)

    assert [line.id for line in lines] == ["pick/a", "pick/b", "pick/c"]
    assert sum(line.estimate for line in lines) == pytest.approx(1)


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("table", [((3, 1), (1, 3)), ((5, 2), (3, 4))])
def test_reports_follow_the_weights(table, answer):
    """Given one true answer, the yes reports are binomial with the table's own probability.

    Exact binomial tails; false alarm in at most 1 run of 1,000,000 a case.
    """
    n = 1000
    truth = [0, 0]
    truth[answer] = n

    counts = tally(RandomizedResponse(table), truth)

    assert sum(counts) == n
    assert is_likely(counts[1], n, Fraction(table[answer][1], sum(table[answer])))


def test_respondents_are_a_random_sample():
    """The number of true yes answers is binomial (false alarm at most 1e-6)."""
    answers = draw_answers([Fraction(7, 10), Fraction(3, 10)], 1000)

    assert sum(answers) == 1000
    assert is_likely(answers[1], 1000, Fraction(3, 10))


def test_uniform_numbers_stay_below_a_bound_that_is_no_power_of_two():
    """Rejection keeps every draw below the bound, up to 2**32, and reaches all values."""
    assert set(uniform_below(7, 2000)) == set(range(7))  # missing one: 7 (6/7)**2000 < 1e-132
    assert int(uniform_below(1 << 32, 100).max()) < 1 << 32


@pytest.mark.parametrize("shares", [["0.3", "0.3"], ["1.5"], ["-0.1"], ["0.2", "0.3", "0.5"]])
def test_shares_that_cannot_be_are_refused(shares):
    """Shares outside [0, 1], too many of them or with another sum are told so."""
    with pytest.raises(ValueError, match="shares"):
        simulate(yes_no(), [Fraction(share) for share in shares], 10)


def test_the_bytes_of_a_seed_never_change():
    """A preregistration can be repeated with any later version."""
    with seeded(0):
        first, second = random_bytes(8), random_bytes(8)

    assert ("848d778d82abe7d1", "6650da08d1a68507") == (first.hex(), second.hex())


def test_devices_know_no_seed():
    """Nothing that a device has takes a seed, or the module that has one."""
    root = Path(__file__).parents[3]
    code = [
        path.read_text() for part in ("client", "shared") for path in root.glob(f"{part}/**/*.py")
    ]

    assert code
    assert not [text for text in code if re.search(r"\bseed(ed)?\s*[:=(]|kernels", text)]
