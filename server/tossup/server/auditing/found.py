"""What was counted, beside the exact probability that a mechanism gives it."""

from dataclasses import dataclass

from tossup.server.estimation.intervals.binomial import tail_from, tail_to


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

    @property
    def what(self) -> str:
        """What was counted, in words."""
        return f"report {self.report} from answer {self.answer}"


@dataclass(frozen=True, slots=True)
class Event:
    """One count beside its exact probability.

    Attributes
    ----------
    what
        What was counted, in words.
    count, trials
        It happened ``count`` times of these.
    expected
        Its exact probability, as a ratio.
    p_value
        Exact and two-sided: twice the smaller binomial tail, at most 1.
    """

    what: str
    count: int
    trials: int
    expected: str
    p_value: float


def p_value(count: int, n: int, chance: float) -> float:
    """Return the exact two-sided p-value: twice the smaller binomial tail, at most 1."""
    tail = tail_to(count, n, chance) if count < n * chance else tail_from(count, n, chance)
    return min(1.0, 2 * tail)
