"""Simulation of questions with several answers: the share of each option, in bulk."""

from collections.abc import Sequence
from fractions import Fraction

from tossup.server.estimation import AnswerShare, Interval, estimate_several, estimate_statements
from tossup.server.estimation.shares.statements import sizes
from tossup.server.kernels import kernel_of
from tossup.server.kernels.draws import part_of
from tossup.server.kernels.several import SeveralKernel
from tossup.server.kinds.simulated.shares import Line, line_id
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.mechanisms import SetMechanism, SeveralMechanism, UnrelatedQuestion
from tossup.shared.survey import Question

#: The estimated share of each option; None for one that no report tells of.
Shares = Sequence[AnswerShare | None]


def simulate_several(
    question: Question, shares: Sequence[Fraction], n: int, runs: int = 1
) -> list[Line]:
    """Return the true share of every option beside its estimate.

    Parameters
    ----------
    question
        One with several answers, with its mechanism.
    shares
        The true share of those who tick each option, one by one: they need not sum to 1. Which
        options people tick together makes no difference to any of these lines.
    n, runs
        As in `tossup.server.kinds.simulated.shares.simulate_question`. In a run too small to ask
        an option, its interval is everything that is possible.

    Raises
    ------
    ValueError
        If the question is another, or no population has such shares.
    """
    mechanism = question.mechanism
    if not isinstance(mechanism, SetMechanism):
        raise ValueError(f"question {question.id!r} takes one answer")
    _check(question, mechanism, shares)
    estimates = [_estimated(mechanism, shares, n) for _ in range(runs)]
    return [
        _line(line_id(question, option), option, share, estimates)
        for option, share in enumerate(shares)
    ]


def _estimated(mechanism: SetMechanism, shares: Sequence[Fraction], n: int) -> Shares:
    """Return what fresh reports of n respondents tell."""
    kernel = kernel_of(mechanism)
    if isinstance(mechanism, UnrelatedQuestion):
        counts = kernel.simulate(_of_statements(shares, n)).tolist()
        return (
            (None, None)
            if 0 in sizes(counts)
            else estimate_statements(counts, mechanism).statements
        )
    if not isinstance(kernel, SeveralKernel) or not isinstance(mechanism, SeveralMechanism):
        raise TypeError("several options have a kernel of their own")
    return estimate_several(kernel.simulate_shares(shares, n).tolist(), mechanism).options


def _of_statements(shares: Sequence[Fraction], n: int) -> list[int]:
    """Return for how many of n neither of two statements is true, the first, the second, both."""
    first, second = shares
    holders = part_of(n, first)
    alone, both = part_of(n - holders, second), part_of(holders, second)
    return [n - holders - alone, holders - both, alone, both]


def _line(name: str, option: int, share: Fraction, estimates: Sequence[Shares]) -> Line:
    intervals = [_interval(estimate[option]) for estimate in estimates]
    inside = sum(interval is None or float(share) in interval for interval in intervals)
    first, interval = estimates[0][option], intervals[0]
    if first is None or interval is None:
        return Line(name, float(share), 0.5, 0.0, 1.0, inside, len(intervals))
    ends = interval.low, interval.high
    return Line(name, float(share), first.value, *ends, inside, len(intervals))


def _interval(share: AnswerShare | None) -> Interval | None:
    return share.interval(0.95, share.usual) if share else None


def _check(question: Question, mechanism: SetMechanism, shares: Sequence[Fraction]) -> None:
    if len(shares) != mechanism.options or any(not 0 <= share <= 1 for share in shares):
        raise ValueError(
            f"question {question.id!r} takes {mechanism.options} shares, each from 0 to 1"
        )
    if sum(shares) > mechanism.most:
        raise ValueError(
            f"shares of question {question.id!r} sum to more than {mechanism.most}, the number of"
            " options that one may tick"
        )
    if any(share.denominator > MAX_WEIGHT_SUM for share in shares):
        raise ValueError("shares need denominators of at most 2**32; round them")
