"""What an audit found: three tests of a program against the mechanism that it claims to be.

1. violation: a lower bound of the epsilon that the reports show must not exceed the claim.
2. over-noising: an upper bound of it must reach 99 % of the claim. More noise than declared
   protects, but every estimate made with the declared channel is wrong.
3. cells: every count must agree with its exact probability.

Tests 1 and 2 share one band of Clopper-Pearson intervals, simultaneous over all that are looked
at by Bonferroni at half of alpha; test 3 spends the other half, split evenly over the counts. A
correct program is thus refused with probability at most alpha, whatever the mechanism.
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import inf, log
from typing import Final, Literal

from tossup.server.auditing.found import Cell, Event
from tossup.server.catalogue import channel
from tossup.shared.accounting import epsilon
from tossup.shared.mechanisms import Mechanism

Counts = tuple[tuple[int, ...], ...]

ALPHA: Final = 1e-6
NOISE_SLACK: Final = 0.99


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the three tests found.

    Attributes
    ----------
    mechanism
        What the program claims to be.
    audited
        What was counted: every report, or the options that reports name.
    counts
        One row an answer; one column a report, or an option.
    trials
        How often each answer was given.
    alpha
        The most probable that a correct program is refused, over all tests together.
    lower, upper
        Bounds of the program's epsilon; both hold with probability 1 - alpha / 2. By options,
        the upper one is of what naming an option, and not its neighbour, tells about the two.
    cells
        How many counts the third test looks at.
    worst
        The count with the smallest p-value.
    """

    mechanism: Mechanism
    audited: Literal["reports", "options"]
    counts: Counts
    trials: int
    alpha: float
    lower: float
    upper: float
    cells: int
    worst: Cell | Event

    @property
    def claim(self) -> float:
        """The epsilon of the claimed mechanism; with a delta, that of its channel without one.

        Tests 1 and 2 bound ratios of probabilities, and a delta lets some of them exceed the odds.
        """
        odds = _largest_ratio(self.mechanism) if self.mechanism.delta else self.mechanism.odds
        return log(odds.numerator) - log(odds.denominator) if odds else inf

    @property
    def threshold(self) -> float:
        """The p-value below which a count is refused."""
        return self.alpha / 2 / self.cells

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
            "audited": self.audited,
            "trials": self.trials,
            "alpha": self.alpha,
            "claim": {
                "odds": str(self.mechanism.odds),
                "epsilon": str(epsilon(self.mechanism.odds)),
                "delta": str(self.mechanism.delta),
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
                    "worst": asdict(self.worst),
                },
            ],
            "shared_alpha": ["violation", "over-noising"],
            "counts": [list(row) for row in self.counts],
        }


def _largest_ratio(mechanism: Mechanism) -> Fraction | None:
    """Return the largest ratio of two probabilities of one report; None if one of them is 0."""
    columns = [column for column in zip(*channel(mechanism), strict=True) if any(column)]
    if any(min(column) == 0 for column in columns):
        return None
    return max(Fraction(max(column), min(column)) for column in columns)
