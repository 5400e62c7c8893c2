"""What a lifetime cap lets a publisher learn who asks one question again under other topics.

Stage: beside the ledger, for previews and authors. A device knows questions by their topics, so
that a renamed one gets another toss for the same truth, until the caps stop it; the best guess from
tosses by two coins is what most of them say.
"""

from fractions import Fraction
from math import comb
from typing import Final

from tossup.shared.figures import brief

_TRUE: Final = Fraction(3, 4)  # how often a two-coin report is the truth
_ODDS: Final = 3
_MOST: Final = 400


def majority_is_right(tosses: int) -> Fraction:
    """Return the chance that most of so many two-coin reports of one truth say it; a tie is half.

    >>> [f"{float(majority_is_right(tosses)):.2%}" for tosses in (1, 6, 8)]
    ['75.00%', '89.65%', '92.94%']
    """
    chances = [
        comb(tosses, true) * _TRUE**true * (1 - _TRUE) ** (tosses - true)
        for true in range(tosses + 1)
    ]
    most = sum(chances[tosses // 2 + 1 :], start=Fraction(0))
    return most if tosses % 2 else most + chances[tosses // 2] * Fraction(1, 2)


def two_coin_answers(cap: Fraction) -> int:
    """Return how many two-coin answers a lifetime cap allows, counted up to 400.

    >>> two_coin_answers(Fraction(729)), two_coin_answers(Fraction(6561))
    (6, 8)
    """
    answers = 0
    while answers < _MOST and _ODDS ** (answers + 1) <= cap:
        answers += 1
    return answers


def what_a_cap_lets_learn(cap: Fraction) -> str:
    """Return in a sentence what renaming topics may tell a publisher within a lifetime cap.

    Empty where the cap allows fewer than two answers by two coins.

    >>> print(what_a_cap_lets_learn(Fraction(729)))
    who asks the same under new topics gets at most 6 answers by two coins within odds of 729:1, \
and most of them say the truth for 89.6 % of people
    """
    answers = two_coin_answers(cap)
    if answers < 2:
        return ""
    share = 100 * majority_is_right(answers)
    tenths = int(10 * share + Fraction(1, 2))
    return (
        f"who asks the same under new topics gets at most {answers} answers by two coins within"
        f" odds of {brief(cap)}:1, and most of them say the truth for"
        f" {tenths // 10}.{tenths % 10} % of people"
    )
