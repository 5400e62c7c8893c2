"""What a device with a memo sends, by walking all coins of the memo and of each report."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

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
    """Pr[reports | answers], wave by wave, summed over all memos, in a fixed order."""
    waves = len(answers)
    found = [Fraction(0)] * design.reports**waves
    for memo, chance in memos(design).items():
        rows = [through(design, memo)[answer] for answer in answers]
        for reports in product(*rows):
            place = sum(y * design.reports**wave for wave, y in enumerate(reports))
            found[place] += chance * prod(row[y] for row, y in zip(rows, reports, strict=True))
    return found
