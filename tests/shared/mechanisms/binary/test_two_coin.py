"""Two coins: its whole channel, its odds, and every sequence and byte of its coins."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from channels import channel, drawn, largest_ratio
from small_designs import of
from sweeps import each

from tossup.shared.coins import Coins, bytes_for
from tossup.shared.errors import AnswerError
from tossup.shared.mechanisms import TwoCoin

each_design = each("design", of(TwoCoin))


def on_byte(value: int) -> Coins:
    """Return coins that see this byte, and no other."""
    return Coins(lambda _: bytes([value]))


@each_design
def test_every_row_of_a_channel_is_a_distribution(design: TwoCoin):
    """Probabilities are positive ratios of integers that sum to exactly 1."""
    for row in design.channel():
        assert 1 == sum(row)
        assert all(0 < chance < 1 and isinstance(chance, Fraction) for chance in row)


@each_design
def test_odds_by_enumeration(design: TwoCoin):
    """The odds are the largest ratio over all reports and all pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each_design
def test_the_sampler_follows_the_weights(design: TwoCoin):
    """Over every value of its single choice, each report comes exactly weight times."""
    for answer in range(design.answers):
        assert dict(enumerate(design.weights[answer])) == drawn(design, answer)


def test_two_coins_by_walking_every_sequence():
    """Tails tells the truth; heads sends yes on a second heads: all four sequences, both truths."""
    walked = {
        (first, second, truth): TwoCoin().perturb(truth, on_byte(first + 2 * second))
        for first, second, truth in product((0, 1), repeat=3)
    }

    expected = {
        (first, second, truth): second if first else truth
        for first, second, truth in product((0, 1), repeat=3)
    }
    assert expected == walked


def test_two_coins_by_every_byte():
    """Over the 256 values of the one byte drawn, a truth is kept in 192 and turned in 64."""
    for truth in (0, 1):
        reports = Counter(TwoCoin().perturb(truth, on_byte(b)) for b in range(256))

        assert {truth: 192, 1 - truth: 64} == reports


@each("byte", range(256))
def test_two_coins_of_a_fresh_byte_are_those_of_any_coins(monkeypatch, byte: int):
    """Without coins given, one byte is drawn from the system and read as anywhere else."""
    drawn: list[int] = []
    monkeypatch.setattr("os.urandom", lambda count: drawn.append(count) or bytes([byte]))

    reports = [TwoCoin().perturb(truth) for truth in (0, 1)]

    assert [TwoCoin().perturb(truth, on_byte(byte)) for truth in (0, 1)] == reports
    assert [bytes_for(4)] * 2 == drawn


@pytest.mark.parametrize("answer", [-1, 2, True, False, 1.0, "1", None, float("nan")])
def test_two_coins_of_a_fresh_byte_refuse_what_is_no_answer(monkeypatch, answer: object):
    """As with coins given, and before a byte is drawn."""
    monkeypatch.setattr("os.urandom", lambda count: pytest.fail("a coin was drawn"))

    with pytest.raises(AnswerError, match="an int from 0 to 1"):
        TwoCoin().perturb(answer)  # type: ignore[arg-type]
