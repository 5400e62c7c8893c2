"""Odds are exact; epsilon is shown rounded up and asked for without being exceeded."""

from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.shared.errors import MechanismError
from tossup.shared.odds import _best_below, compose, epsilon, largest_odds

PRECISE = Context(prec=80)


def exponential(asked: Decimal) -> Fraction:
    return Fraction(PRECISE.exp(asked))


def test_odds_of_answers_given_together_multiply():
    """Four questions at 3:1 are 81:1; no question is 1:1."""
    assert Fraction(81) == compose([Fraction(3)] * 4)
    assert Fraction(1) == compose([])


@given(st.fractions(min_value=1, max_value=10**9), st.integers(0, 12))
def test_epsilon_is_never_understated(odds: Fraction, digits: int):
    """The figure shown is at least ln(odds), and less than one unit of its last digit above."""
    exact = PRECISE.subtract(
        PRECISE.ln(Decimal(odds.numerator)), PRECISE.ln(Decimal(odds.denominator))
    )

    shown = epsilon(odds, digits)

    assert 0 <= shown - exact < Decimal(1).scaleb(-digits) + Decimal("1e-50")


def test_epsilon_of_the_two_coins():
    """ln 3 = 1.098612..., shown as 1.0987; odds of 1 cost nothing."""
    assert Decimal("1.0987") == epsilon(Fraction(3))
    assert Decimal("0.0000") == epsilon(Fraction(1))


@given(st.decimals("0.001", "15", places=6), st.integers(2, 256))
def test_asked_epsilon_is_not_exceeded_and_hardly_missed(asked: Decimal, answers: int):
    """The ratio stays at or below e**epsilon, within the weights that fit, by a hair."""
    odds = largest_odds(asked, answers)
    bound = exponential(asked)

    assert odds <= bound
    assert odds.numerator + (answers - 1) * odds.denominator <= 1 << 32
    assert odds >= bound * (1 - Fraction(1, 400)) or asked > 12


@given(
    st.fractions(min_value=Fraction(11, 10), max_value=60, max_denominator=10**6),
    st.integers(1, 9),
    st.integers(80, 300),
)
def test_no_other_ratio_comes_closer(bound: Fraction, others: int, limit: int):
    """Trying every pair of weights finds the same largest ratio."""
    tried = max(
        Fraction(keep, lie)
        for lie in range(1, limit // others)
        for keep in [min(int(bound * lie), limit - others * lie)]
        if keep >= 1
    )

    assert tried == _best_below(bound, others, limit)


@each("asked", ["0", "-1", "NaN", "Infinity", "-Infinity", "21", "1e-12"])
def test_impossible_epsilons_are_refused(asked: str):
    """Zero, negative, NaN, infinite, enormous and vanishing budgets have no weights."""
    with pytest.raises(MechanismError):
        largest_odds(Decimal(asked))


def test_odds_below_one_have_no_epsilon():
    """Odds are a largest ratio, hence never below 1."""
    with pytest.raises(MechanismError, match="must be at least 1"):
        epsilon(Fraction(1, 2))
