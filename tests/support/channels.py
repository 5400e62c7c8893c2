"""The whole channel of a mechanism, as it is claimed and as its sampler makes it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
from walking import Chosen, channel_row

from tossup.shared.mechanisms import Mechanism, TableMechanism

Rows = Sequence[Sequence[Fraction]]


def channel(mechanism: Mechanism) -> Rows:
    """Return Pr[report | answer] as `Mechanism.probability` has it, a row an answer."""
    if isinstance(mechanism, TableMechanism):
        return [list(row) for row in mechanism.channel()]
    reports = range(mechanism.reports)
    return [[mechanism.probability(a, y) for y in reports] for a in answers_of(mechanism)]


def walked(mechanism: Mechanism) -> Rows:
    """Return Pr[report | answer] as the sampler makes it, over all choices of the coins."""
    return [_dense(mechanism, answer) for answer in answers_of(mechanism)]


def _dense(mechanism: Mechanism, answer: int) -> list[Fraction]:
    row = channel_row(mechanism, answer)
    assert set(row) <= set(range(mechanism.reports))
    return [row.get(report, Fraction(0)) for report in range(mechanism.reports)]


def answers_of(mechanism: Mechanism) -> list[int]:
    """Return everything that can be answered."""
    return [answer for answer in range(mechanism.answers) if mechanism.is_answer(answer)]


def reports_of(rows: Rows) -> list[int]:
    """Return the reports that come, each under every answer: none proves what was not answered."""
    possible = [{chance > 0 for chance in column} for column in zip(*rows, strict=True)]
    assert all(len(both) == 1 for both in possible)
    return [report for report, both in enumerate(possible) if True in both]


def largest_ratio(rows: Iterable[Sequence[Fraction]]) -> Fraction:
    """Return the largest Pr[report | answer] over Pr[report | other answer]."""
    return largest_of_columns(zip(*rows, strict=True))


def largest_of_columns(columns: Iterable[Sequence[Fraction]]) -> Fraction:
    """Return the same where the chances of each report come after each other."""
    return max(Fraction(max(column), min(column)) for column in columns if any(column))


def drawn(mechanism: TableMechanism, answer: int) -> Counter[int]:
    """Return how often each report comes, over every value of the sampler's single choice."""
    total = sum(mechanism.weights[0])
    return Counter(mechanism.perturb(answer, Chosen(value)) for value in range(total))


def drawn_at_bounds(mechanism: TableMechanism, answer: int) -> list[tuple[int, int]]:
    """Return the report at the first and the last value of the choice that each should have."""
    ends = [0, *accumulate(mechanism.weights[answer])]
    return [
        (mechanism.perturb(answer, Chosen(first)), mechanism.perturb(answer, Chosen(end - 1)))
        for first, end in pairwise(ends)
    ]


def column_of(mechanism: Mechanism, reports: Sequence[int]) -> np.ndarray:
    """Return reports as they travel: a column of bytes, or of as many a report as it needs."""
    width = max(1, -(-(mechanism.reports - 1).bit_length() // 8))
    packed = b"".join(report.to_bytes(width, "little") for report in reports)
    column = np.frombuffer(packed, dtype=np.uint8)
    return column if width == 1 else column.reshape(-1, width)
