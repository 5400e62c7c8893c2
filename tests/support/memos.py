"""What a device with a memo sends, by walking all coins of the memo and of each report."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from operator import add

from walking import channel_row

from tossup.shared.mechanisms import MemoMechanism

Chances = dict[int, Fraction]


class _Memo:
    """Tossing the memo by itself: it takes no answer."""

    def __init__(self, design: MemoMechanism) -> None:
        self.perturb = lambda _, coins: design.memo(coins)


class _Through:
    """A report through one memo."""

    def __init__(self, design: MemoMechanism, memo: int) -> None:
        self.perturb = lambda answer, coins: design.through(memo, answer, coins)


@cache
def memos(design: MemoMechanism) -> Chances:
    """Pr[memo], by walking all coins."""
    return channel_row(_Memo(design), 0)


@cache
def through(design: MemoMechanism, memo: int) -> list[Chances]:
    """Pr[report | answer] through a memo, by walking all coins."""
    return [channel_row(_Through(design, memo), answer) for answer in range(design.answers)]


def marginal(design: MemoMechanism) -> list[list[Fraction]]:
    """Pr[report | answer], where nobody knows the memo."""
    found = [[Fraction(0)] * design.reports for _ in range(design.answers)]
    for memo, chance in memos(design).items():
        for answer, row in enumerate(through(design, memo)):
            for report, then in row.items():
                found[answer][report] += chance * then
    return found


def sent(design: MemoMechanism, answers: Sequence[int]) -> list[Fraction]:
    """Pr[reports | answers], wave by wave, summed over all memos, the first wave's fastest.

    The sum is made of integers over one denominator: fractions would take ten times as long.
    """
    found = [0] * design.reports ** len(answers)
    of_memos = lcm(*(chance.denominator for chance in memos(design).values()))
    for memo, chance in memos(design).items():
        reports = [int(chance * of_memos)]
        for answer in answers:
            row = _weights(design)[memo][answer]
            reports = [before * weight for weight in row for before in reports]
        found = list(map(add, found, reports))
    of = of_memos * _denominator(design) ** len(answers)
    return [Fraction(weight, of) for weight in found]


@cache
def _denominator(design: MemoMechanism) -> int:
    """Return a common denominator of all chances of a report through a memo."""
    rows = [row for memo in memos(design) for row in through(design, memo)]
    return lcm(*(chance.denominator for row in rows for chance in row.values()))


@cache
def _weights(design: MemoMechanism) -> dict[int, list[list[int]]]:
    """Return by memo, answer and report the chance, times the common denominator."""
    of = _denominator(design)
    return {
        memo: [
            [int(row.get(report, 0) * of) for report in range(design.reports)]
            for row in through(design, memo)
        ]
        for memo in memos(design)
    }
