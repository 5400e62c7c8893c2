"""What an audit found: three tests of a program against the mechanism that it claims to be.

1. violation: a lower bound of the epsilon that the reports show must not exceed the claim.
2. over-noising: an upper bound of it must reach 99 % of what the exact mechanism shows, which is
   the claim where reports that tell most can be counted. More noise than declared protects, but
   every estimate made with the declared channel is wrong.
3. cells: every count must agree with its exact probability.

Tests 1 and 2 share one band of Clopper-Pearson intervals, simultaneous over all that are looked
at by Bonferroni at half of alpha; test 3 spends the other half, split evenly over the counts. A
correct program is refused with probability at most alpha, whatever the mechanism.
"""

from dataclasses import asdict, dataclass
from math import inf
from typing import Final

from tossup.server.auditing.found import Cell, Event
from tossup.shared.figures import in_full
from tossup.shared.mechanisms import Mechanism
from tossup.shared.odds import epsilon

Counts = tuple[tuple[int, ...], ...]

ALPHA: Final = 1e-6
NOISE_SLACK: Final = 0.99
#: More counts are not printed.
PRINTED: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Bound:
    """What one comparison tells of epsilon.

    Attributes
    ----------
    what
        What was compared, in words.
    lower, upper
        Bounds of the program's epsilon, as far as this comparison shows it.
    exact
        What it shows of the exact mechanism: at most the claim.
    """

    what: str
    lower: float
    upper: float
    exact: float

    @property
    def slack(self) -> float:
        """The upper bound in proportion to what the exact mechanism shows."""
        return self.upper / self.exact if 0 < self.exact < inf else inf

    @property
    def over_noised(self) -> bool:
        """Whether the program certainly tells less here than the exact mechanism."""
        return self.upper < NOISE_SLACK * self.exact


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the three tests found.

    Attributes
    ----------
    mechanism
        What the program claims to be.
    audited
        What was counted, in words: every report, or events in reports.
    answers
        How many answers were given.
    counts
        One row an answer; one column a report, or an event. Empty where there are more than
        are printed.
    trials
        How often each answer was given, at least.
    alpha
        The most probable that a correct program is refused, over all tests together.
    claim
        The epsilon of the claimed mechanism; where all reports are counted and it has a delta,
        that of its channel without one.
    lower
        The program's epsilon is at least this.
    bounds
        Comparisons that bound it from above, each beside what the exact mechanism shows in it.
        All bounds together hold with probability 1 - alpha / 2.
    cells
        How many counts the third test looks at.
    worst
        The count with the smallest p-value.
    events
        What the columns of ``counts`` are, where they are no reports.
    """

    mechanism: Mechanism
    audited: str
    answers: int
    counts: Counts
    trials: int
    alpha: float
    claim: float
    lower: float
    bounds: tuple[Bound, ...]
    cells: int
    worst: Cell | Event
    events: tuple[str, ...] = ()

    @property
    def tightest(self) -> Bound:
        """The bound that is farthest below what the exact mechanism shows, or nearest above."""
        return min(self.bounds, key=lambda bound: bound.slack)

    @property
    def upper(self) -> float:
        """The upper end of the tightest bound."""
        return self.tightest.upper

    @property
    def shown(self) -> float:
        """What the exact mechanism shows where the upper bound is from."""
        return self.tightest.exact

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
        return any(bound.over_noised for bound in self.bounds)

    @property
    def deviates(self) -> bool:
        """Whether some probability is certainly not the claimed one."""
        return self.worst.p_value < self.threshold

    @property
    def accepted(self) -> bool:
        """Whether no test refuses the program."""
        return not (self.violates or self.over_noised or self.deviates)

    @property
    def tells(self) -> bool:
        """Whether the trials at least show that reports depend on answers.

        With fewer of them anything is accepted, a program that tosses no coin as well.
        """
        return self.lower > 0

    def to_json(self) -> dict[str, object]:
        """Return the verdict as plain JSON types."""
        return {
            "accepted": self.accepted,
            "tells": self.tells,
            "mechanism": self.mechanism.spec(),
            "answers": self.answers,
            "audited": self.audited,
            "trials": self.trials,
            "alpha": self.alpha,
            "claim": {
                "odds": in_full(self.mechanism.odds),
                "epsilon": str(epsilon(self.mechanism.odds)),
                "delta": in_full(self.mechanism.delta),
            },
            "epsilon": {
                "lower": self.lower,
                "upper": None if self.upper == inf else self.upper,
                "upper_of": self.tightest.what,
                "exact": self.shown,
            },
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
            "events": list(self.events) if self.counts else None,
            "counts": [list(row) for row in self.counts] or None,
        }
