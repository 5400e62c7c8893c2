"""Simulation of questions with several answers: the share of each option, in bulk."""

from collections.abc import Sequence
from fractions import Fraction

from tossup.server.estimation import SeveralEstimate, estimate_several
from tossup.server.kernels import kernel_of
from tossup.server.kernels.several import SeveralKernel
from tossup.server.simulation import Line, line_id
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.mechanisms import SeveralMechanism
from tossup.shared.survey import Question


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
        As in `tossup.server.simulation.simulate_question`. In a run too small to ask an option,
        its interval is everything that is possible.

    Raises
    ------
    ValueError
        If the question is another, or no population has such shares.
    """
    mechanism = question.mechanism
    if not isinstance(mechanism, SeveralMechanism):
        raise ValueError(f"question {question.id!r} takes one answer")
    _check(question, mechanism, shares)
    kernel = kernel_of(mechanism)
    if not isinstance(kernel, SeveralKernel):
        raise TypeError("several options have a kernel of their own")
    tallies = [tuple(kernel.simulate_shares(shares, n).tolist()) for _ in range(runs)]
    estimates = [estimate_several(counts, mechanism) for counts in tallies]
    return [
        _line(line_id(question, option), option, share, estimates)
        for option, share in enumerate(shares)
    ]


def _line(name: str, option: int, share: Fraction, estimates: Sequence[SeveralEstimate]) -> Line:
    found = [estimate.options[option] for estimate in estimates]
    inside = sum(each is None or float(share) in each.interval() for each in found)
    first = found[0]
    if first is None:
        return Line(name, float(share), 0.5, 0.0, 1.0, inside, len(found))
    interval = first.interval()
    return Line(name, float(share), first.value, interval.low, interval.high, inside, len(found))


def _check(question: Question, mechanism: SeveralMechanism, shares: Sequence[Fraction]) -> None:
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
