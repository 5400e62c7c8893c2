"""What mechanisms that are a small table have in common."""

from fractions import Fraction

import pytest
from small_designs import of
from sweeps import each

from tossup.shared.coins import Coins, bytes_for
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.mechanisms import (
    MECHANISMS,
    KaryRandomizedResponse,
    Mechanism,
    RandomizedResponse,
    TwoCoin,
    from_spec,
)


@each("mechanism", of(TwoCoin, RandomizedResponse, KaryRandomizedResponse))
def test_a_spec_gives_the_mechanism_back(mechanism: Mechanism):
    """What stands in a manifest is the whole mechanism."""
    assert mechanism == from_spec(mechanism.spec(), mechanism.answers)


@pytest.mark.parametrize(
    "mechanism", [TwoCoin(), RandomizedResponse(((4, 1), (2, 3))), KaryRandomizedResponse(5)]
)
def test_an_answer_costs_the_same_number_of_random_bytes(mechanism: Mechanism):
    """Whatever the answer and the report, the same bytes are drawn, in one draw."""
    drawn: list[int] = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return b"\xa7" * count

    for answer in range(mechanism.answers):
        mechanism.perturb(answer, Coins(source))

    assert [bytes_for(sum(mechanism.weights[0]))] * mechanism.answers == drawn


@each("answer", [None, True, 1.0, "1", -1, 5, 1000, float("nan"), b"", [], Fraction(1)])
def test_an_answer_outside_the_declared_ones_draws_nothing(answer: object):
    """A look-alike is refused before a coin is tossed, and the message does not show it."""

    def source(count: int) -> bytes:
        raise AssertionError("a coin was tossed")

    for mechanism in (TwoCoin(), RandomizedResponse(((2, 1), (1, 2))), KaryRandomizedResponse(5)):
        with pytest.raises(AnswerError) as refusal:
            mechanism.perturb(answer, Coins(source))  # type: ignore[arg-type]
        assert "1000" not in str(refusal.value)


@each(
    "spec",
    [
        {},
        {"name": "two-coin/2"},
        {"name": 7},
        {"name": ["two-coin/1"]},
        {"name": "two-coin/1", "epsilon": 9},
        {"name": "randomized-response/1"},
        {"name": "randomized-response/1", "weights": [3, 1]},
        {"name": "randomized-response/1", "weights": [[3, 1], [1, 3]], "more": 1},
        {"name": "k-ary-randomized-response/1", "keep": 3, "lie": 1},
        {"name": "k-ary-randomized-response/1", "keep": True, "lie": 1},
        {"name": "k-ary-randomized-response/1", "keep": 3},
    ],
)
def test_specs_that_are_not_exactly_known_are_refused(spec: dict[str, object]):
    """An unknown name or parameter, or a count of answers that does not fit, is refused."""
    answers = 300 if "keep" in spec and spec["keep"] == 3 and "lie" in spec else 2

    with pytest.raises(MechanismError):
        from_spec(spec, answers)


def test_a_yes_no_design_does_not_fit_three_options():
    """A mechanism is for its number of answers only."""
    with pytest.raises(MechanismError, match="for 2 answers, the question has 3"):
        from_spec({"name": "two-coin/1"}, answers=3)


def test_names_carry_their_version():
    """A frozen name ends in its version, and finds its class."""
    assert all(name.endswith("/1") and kind.name == name for name, kind in MECHANISMS.items())
