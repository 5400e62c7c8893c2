"""What lifetime caps let a publisher learn who renames a topic: the figures, by enumeration."""

import re
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

from tossup.shared.mechanisms import TwoCoin
from tossup.shared.mechanisms.binary.majority import (
    majority_is_right,
    two_coin_answers,
    what_a_cap_lets_learn,
)

PAGE = Path(__file__).parents[2] / "docs/explanation/what-answers-cost-together.md"


def right(tosses: int, truth: int) -> Fraction:
    """How often most of so many reports say the truth, over all of them; of ties, half."""
    row = TwoCoin().channel()[truth]
    found = Fraction(0)
    for reports in product((0, 1), repeat=tosses):
        agree = sum(report == truth for report in reports)
        guess = Fraction(1, 2) if 2 * agree == tosses else Fraction(2 * agree > tosses)
        found += guess * prod((row[report] for report in reports), start=Fraction(1))
    return found


def test_majorities_are_right_as_often_as_enumeration_finds():
    """For every number of tosses that a device allows, and for either truth."""
    for tosses in range(1, 9):
        assert right(tosses, 0) == right(tosses, 1) == majority_is_right(tosses), tosses


def test_the_default_caps_allow_six_and_eight():
    """89.6 % and 92.9 %, as every text says."""
    assert (two_coin_answers(Fraction(729)), two_coin_answers(Fraction(6561))) == (6, 8)
    assert "6 answers" in what_a_cap_lets_learn(Fraction(729))
    assert "89.6 % of people" in what_a_cap_lets_learn(Fraction(729))
    assert "8 answers" in what_a_cap_lets_learn(Fraction(6561))
    assert "92.9 % of people" in what_a_cap_lets_learn(Fraction(6561))
    assert what_a_cap_lets_learn(Fraction(8)) == ""
    assert "at most 400 answers" in what_a_cap_lets_learn(Fraction(10**5000))


def test_the_figures_of_the_page_are_these():
    """The table in the documentation, row by row."""
    rows = re.findall(r"^\| (\d)\b.* \| ([\d,]+):1 \| ([\d.]+) %", PAGE.read_text(), re.MULTILINE)

    assert [int(tosses) for tosses, _, _ in rows] == [1, 2, 4, 6, 8]
    for tosses, odds, share in rows:
        assert int(odds.replace(",", "")) == 3 ** int(tosses)
        assert abs(100 * majority_is_right(int(tosses)) - Fraction(share)) <= Fraction(1, 20), (
            tosses
        )
