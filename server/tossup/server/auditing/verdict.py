"""Judge counted reports against a mechanism's exact channel, by three tests.

1. violation: a lower bound of the epsilon that the reports show must not exceed the claim.
2. over-noising: an upper bound of it must reach 99 % of the claim. More noise than declared
   protects, but every estimate made with the declared channel is wrong.
3. cells: the count of every report from every answer must agree with its exact probability.

Tests 1 and 2 share one band of Clopper-Pearson intervals, simultaneous over all cells by
Bonferroni at half of alpha; test 3 spends the other half, also split evenly over the cells. A
correct program is thus refused with probability at most alpha, whatever the mechanism.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Final

from tossup.server.auditing.program import Counts
from tossup.server.catalogue import answers_of, channel, is_listable
from tossup.server.estimation.binomial import clopper_pearson, tail_from, tail_to
from tossup.shared.accounting import epsilon
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Mechanism

ALPHA: Final = 1e-6
NOISE_SLACK: Final = 0.99
MAX_CELLS: Final = 64 * 64


@dataclass(frozen=True, slots=True)
class Cell:
    """One count beside what the channel says.

    Attributes
    ----------
    answer, report, count
        The report came ``count`` times from the answer.
    expected
        Its exact probability, as a ratio.
    p_value
        Exact and two-sided: twice the smaller binomial tail, at most 1.
    """

    answer: int
    report: int
    count: int
    expected: str
    p_value: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the three tests found.

    Attributes
    ----------
    mechanism
        What the program claims to be.
    counts
        One row an answer, one column a report; every row with the same sum.
    alpha
        The most probable that a correct program is refused, over all tests together.
    lower, upper
        Bounds of the program's epsilon; both hold with probability 1 - alpha / 2.
    worst
        The cell with the smallest p-value.
    """

    mechanism: Mechanism
    counts: Counts
    alpha: float
    lower: float
    upper: float
    worst: Cell

    @property
    def trials(self) -> int:
        """How often each answer was given."""
        return sum(self.counts[0])

    @property
    def claim(self) -> float:
        """The epsilon of the claimed mechanism."""
        odds = self.mechanism.odds
        return log(odds.numerator) - log(odds.denominator)

    @property
    def threshold(self) -> float:
        """The p-value below which a cell is refused."""
        return self.alpha / 2 / cells(self.mechanism)

    @property
    def violates(self) -> bool:
        """Whether the program certainly protects less than it claims."""
        return self.lower > self.claim

    @property
    def over_noised(self) -> bool:
        """Whether the program certainly adds more noise than it claims."""
        return self.upper < NOISE_SLACK * self.claim

    @property
    def deviates(self) -> bool:
        """Whether some probability is certainly not the claimed one."""
        return self.worst.p_value < self.threshold

    @property
    def accepted(self) -> bool:
        """Whether no test refuses the program."""
        return not (self.violates or self.over_noised or self.deviates)

    def to_json(self) -> dict[str, object]:
        """Return the verdict as plain JSON types."""
        return {
            "accepted": self.accepted,
            "mechanism": self.mechanism.spec(),
            "answers": len(self.counts),
            "trials": self.trials,
            "alpha": self.alpha,
            "claim": {
                "odds": str(self.mechanism.odds),
                "epsilon": str(epsilon(self.mechanism.odds)),
            },
            "epsilon": {"lower": self.lower, "upper": None if self.upper == inf else self.upper},
            "tests": [
                {"name": "violation", "passed": not self.violates, "alpha": self.alpha / 2},
                {"name": "over-noising", "passed": not self.over_noised, "alpha": self.alpha / 2},
                {
                    "name": "cells",
                    "passed": not self.deviates,
                    "alpha": self.alpha / 2,
                    "threshold": self.threshold,
                    "worst": {
                        name: getattr(self.worst, name) for name in self.worst.__dataclass_fields__
                    },
                },
            ],
            "shared_alpha": ["violation", "over-noising"],
            "counts": [list(row) for row in self.counts],
        }


def judge(counts: Counts, mechanism: Mechanism, alpha: float = ALPHA) -> Verdict:
    """Return what the three tests find in counted reports.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> judge(((7500, 2500), (2500, 7500)), TwoCoin()).accepted
    True
    >>> judge(((8000, 2000), (2000, 8000)), TwoCoin()).violates
    True

    Raises
    ------
    MechanismError
        If the mechanism has too many cells for an audit.
    ValueError
        If the counts are not of this mechanism, or answers were not given equally often.
    """
    check_auditable(mechanism)
    shape = {(len(counts), len(row), sum(row)) for row in counts}
    rows = len(answers_of(mechanism))
    if shape != {(rows, mechanism.reports, sum(counts[0]))} or not sum(counts[0]):
        raise ValueError("counts must have a row an answer, all with the same sum above 0")
    lower, upper = _epsilon_band(counts, alpha / 2)
    worst = min(_cells(counts, mechanism), key=lambda cell: cell.p_value)
    return Verdict(mechanism, counts, alpha, lower, upper, worst)


def check_auditable(mechanism: Mechanism) -> None:
    """Refuse a mechanism with too many cells: each would get too little of alpha.

    Raises
    ------
    MechanismError
        If it has more than `MAX_CELLS` pairs of an answer and a report, or no channel to list.
    """
    if mechanism.answers * mechanism.reports > MAX_CELLS:
        raise MechanismError(
            f"{mechanism.name} for {mechanism.answers} answers has too many reports for an audit:"
            f" {mechanism.answers * mechanism.reports} answers x reports, at most {MAX_CELLS}"
        )
    if not is_listable(mechanism):
        raise MechanismError(f"{mechanism.name} cannot be audited: it has no channel of ratios")


def cells(mechanism: Mechanism) -> int:
    """Return how many probabilities the channel has."""
    return len(answers_of(mechanism)) * mechanism.reports


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
            yield Cell(answer, report, count, str(chance), _p_value(count, sum(row), float(chance)))


def _p_value(count: int, n: int, chance: float) -> float:
    tail = tail_to(count, n, chance) if count < n * chance else tail_from(count, n, chance)
    return min(1.0, 2 * tail)
