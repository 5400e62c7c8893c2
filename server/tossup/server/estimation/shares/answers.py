"""The share of every answer, whatever the mechanism: what results and simulations ask for."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tossup.server.estimation.checks import Counts
from tossup.server.estimation.designs.named import is_mechanism
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.shares.answer_share import AnswerShare, check_answer_share
from tossup.server.estimation.shares.cards import card_shares
from tossup.server.estimation.shares.inverse import inverse_shares
from tossup.server.estimation.shares.points import estimate_points
from tossup.server.estimation.shares.shares import estimate_shares
from tossup.server.estimation.shares.statements import estimate_statements
from tossup.shared.mechanisms import Mechanism

#: What reads a tally that is not of reports which name answers: see `Mechanism.readout`.
_ESTIMATORS: Final[Mapping[str, Callable[[Counts, Any], tuple[AnswerShare, ...]]]] = {
    "cards": card_shares,
    "scores": inverse_shares,
    "points": estimate_points,
    "samples": lambda counts, mechanism: estimate_statements(counts, mechanism).statements,
}


def estimate_answers(counts: Counts, mechanism: Mechanism) -> tuple[AnswerShare, ...]:
    """Return the share of every answer; of a `RankedChoice` every option's mean points.

    For an `UnrelatedQuestion` they are the shares for whom each statement is true.

    Parameters
    ----------
    counts
        The mechanism's tally, one number a counter.
    mechanism
        A mechanism for a question whose answers are listed.

    Returns
    -------
    tuple
        A share an answer, in the order of the answers; raw, so that some may leave [0, 1].

    Raises
    ------
    EstimationError
        If there is no report, the counts do not fit, or reports do not tell the shares.

    Examples
    --------
    >>> from tossup.shared.mechanisms import TwoCoin
    >>> [share.value for share in estimate_answers((700, 300), TwoCoin())]
    [0.9, 0.1]
    """
    estimate = _ESTIMATORS.get(mechanism.readout) if is_mechanism(mechanism) else None
    return estimate(counts, mechanism) if estimate else estimate_shares(counts, mechanism).options


def anytime_interval(share: AnswerShare, confidence: float = 0.95) -> Interval:
    """Return an interval that, with the given confidence, never once excludes the true share.

    A confidence sequence: it holds at every look, however many there are and whatever makes one
    stop. Where reports are of two kinds it holds every share whose likelihood is not
    1 / (1 - confidence) times below its mean over Jeffreys's prior: under the truth that ratio is
    a martingale that starts at 1, and rises so high with at most that probability (Ville 1939).
    Robbins 1970, Annals of Mathematical Statistics 41:1397-1409. Where each report counts for a
    score, see `score_sequence`.

    It needs the counts alone, so a new report costs the same however many came before; the order
    of reports, and their batches, do not matter. It is wider than a score interval by a factor
    that grows as the square root of log n: about 1.7 at n = 100, 2.0 at n = 10,000.

    Parameters
    ----------
    share
        Any share of an answer, at this look; of several designs pooled there is none.
    confidence
        In (0, 1), for all looks together.

    Returns
    -------
    Interval
        In shares; its method is ``"anytime"``. Like every raw estimate it may leave [0, 1].

    Raises
    ------
    EstimationError
        If the confidence is not in (0, 1), or the share is no `AnswerShare`.
    TypeError
        If there is no such interval for this share.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> from tossup.server.estimation.papers.asking import estimate
    >>> interval = anytime_interval(estimate(yes=400, n=1000, design=two_coins()))
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.189, 0.415)
    """
    check_answer_share(share)
    return share.anytime_interval(confidence)
