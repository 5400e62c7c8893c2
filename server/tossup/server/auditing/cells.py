"""Audit a mechanism with few reports: count every report from every answer, and judge all cells.

The three tests are those of `verdict`. A cell is one answer and one report, with the exact
probability that the channel says.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.auditing.errors import MalformedError
from tossup.server.auditing.found import Cell, p_value
from tossup.server.auditing.program import Places, run
from tossup.server.auditing.verdict import ALPHA, Bound, Counts, Verdict
from tossup.server.catalogue import answers_of, channel, is_listable
from tossup.server.estimation.intervals.binomial import clopper_pearson
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Mechanism

MAX_CELLS: Final = 64 * 64

_LONGEST_LINE: Final = 32


def count_reports(
    command: Sequence[str],
    answers: Sequence[int],
    reports: int,
    trials: int,
    timeout_seconds: float,
) -> Counts:
    """Return how often each report came from each answer, one row an answer.

    Parameters
    ----------
    command, answers, trials, timeout_seconds
        As for `run`.
    reports
        How many there are.

    Raises
    ------
    AuditError
        If the program does not run, or writes anything but one possible report for each answer.
    """
    values = {b"%d%s" % (r, end): r for r in range(reports) for end in (b"\n", b"\r\n", b"")}
    counts = np.zeros(len(answers) * reports, dtype=np.int64)

    def count(block: Places, lines: list[bytes]) -> None:
        found = _values(lines, values, reports)
        np.add(
            counts, np.bincount(block * np.int64(reports) + found, minlength=counts.size), counts
        )

    run(command, answers, trials, timeout_seconds, count, longest_line=_LONGEST_LINE)
    return tuple(tuple(row) for row in counts.reshape(len(answers), reports).tolist())


def judge(counts: Counts, mechanism: Mechanism) -> Verdict:
    """Return what the three tests find in counted reports.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> judge(((7500, 2500), (2500, 7500)), TwoCoin()).accepted
    True
    >>> judge(((8000, 2000), (2000, 8000)), TwoCoin()).violates
    True

    Raises
    ------
    MechanismError
        If the mechanism has too many cells for an audit of each.
    ValueError
        If the counts are not of this mechanism, or answers were not given equally often.
    """
    check_cells(mechanism)
    shape = {(len(counts), len(row), sum(row)) for row in counts}
    rows = len(answers_of(mechanism))
    if shape != {(rows, mechanism.reports, sum(counts[0]))} or not sum(counts[0]):
        raise ValueError("counts must have a row an answer, all with the same sum above 0")
    lower, upper = _epsilon_band(counts, ALPHA / 2)
    claim = _claim(mechanism)
    worst = min(_cells(counts, mechanism), key=lambda cell: cell.p_value)
    return Verdict(
        mechanism=mechanism,
        audited="reports",
        answers=rows,
        counts=counts,
        trials=sum(counts[0]),
        alpha=ALPHA,
        claim=claim,
        lower=lower,
        bounds=(Bound("reports", lower, upper, claim),),
        cells=rows * mechanism.reports,
        worst=worst,
    )


def check_cells(mechanism: Mechanism) -> None:
    """Refuse a mechanism with too many cells: each would get too little of alpha.

    Raises
    ------
    MechanismError
        If it has more than `MAX_CELLS` pairs of an answer and a report, or no channel to list.
    """
    if not has_few_cells(mechanism):
        raise MechanismError(
            f"reports of {mechanism.name} for {mechanism.answers} answers cannot be counted one by"
            f" one: {mechanism.answers * mechanism.reports} answers x reports, at most {MAX_CELLS}"
        )


def has_few_cells(mechanism: Mechanism) -> bool:
    """Return whether every report from every answer can be counted."""
    return mechanism.answers * mechanism.reports <= MAX_CELLS and is_listable(mechanism)


def _claim(mechanism: Mechanism) -> float:
    """Return the epsilon of a mechanism; with a delta, that of its channel without one.

    Both bounds are of ratios of probabilities, and a delta lets some of them exceed the odds.
    """
    odds = _largest_ratio(mechanism) if mechanism.delta else mechanism.odds
    return log(odds.numerator) - log(odds.denominator) if odds else inf


def _largest_ratio(mechanism: Mechanism) -> Fraction | None:
    """Return the largest ratio of two probabilities of one report; None if one of them is 0."""
    columns = [column for column in zip(*channel(mechanism), strict=True) if any(column)]
    if any(min(column) == 0 for column in columns):
        return None
    return max(Fraction(max(column), min(column)) for column in columns)


def _values(lines: Sequence[bytes], values: dict[bytes, int], reports: int) -> NDArray[np.int64]:
    try:
        return np.fromiter(map(values.__getitem__, lines), dtype=np.int64, count=len(lines))
    except KeyError as error:
        raise MalformedError(
            f"the program wrote {error.args[0]!r}; a report is a line with a number from 0 to"
            f" {reports - 1}"
        ) from error


def _epsilon_band(counts: Counts, alpha: float) -> tuple[float, float]:
    """Return bounds of the largest log-ratio of two probabilities of one report.

    Only the most and the least frequent cell of a column can be extreme: with equal trials the
    interval's ends grow with the count. A report that never came bounds nothing from below, and
    is left out of the upper bound: no answer may give it.
    """
    confidence = 1 - alpha / (len(counts) * len(counts[0]))
    n = sum(counts[0])
    seen = [column for column in zip(*counts, strict=True) if any(column)]
    columns = [_ratio_band(column, n, confidence) for column in seen]
    lower, upper = (max(ends) for ends in zip(*columns, strict=True))
    return max(0.0, lower), upper


def _ratio_band(column: Sequence[int], n: int, confidence: float) -> tuple[float, float]:
    most_low, most_high = clopper_pearson(max(column), n, confidence)
    least_low, least_high = clopper_pearson(min(column), n, confidence)
    lower = log(most_low / least_high) if most_low > 0 else -inf
    return lower, log(most_high / least_low) if least_low > 0 else inf


def _cells(counts: Counts, mechanism: Mechanism) -> Iterator[Cell]:
    rows = zip(answers_of(mechanism), counts, channel(mechanism), strict=True)
    for answer, row, chances in rows:
        for report, (count, chance) in enumerate(zip(row, chances, strict=True)):
            yield Cell(answer, report, count, str(chance), p_value(count, sum(row), float(chance)))
