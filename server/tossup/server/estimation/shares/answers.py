"""The share of every answer, whatever the mechanism: what results and simulations ask for."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tossup.server.estimation.checks import Counts
from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.intervals.sequence import confidence_sequence, score_sequence
from tossup.server.estimation.shares.answer_share import AnswerShare
from tossup.server.estimation.shares.cards import card_shares
from tossup.server.estimation.shares.inverse import InverseShare, inverse_shares
from tossup.server.estimation.shares.likelihood import LikelihoodShare
from tossup.server.estimation.shares.points import estimate_points
from tossup.server.estimation.shares.share import ShareEstimate
from tossup.server.estimation.shares.shares import estimate_shares
from tossup.server.estimation.shares.statements import StatementShare, estimate_statements
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

    Of an `UnrelatedQuestion` those for whom each statement is true.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> [share.value for share in estimate_answers((700, 300), TwoCoin())]
    [0.9, 0.1]

    Raises
    ------
    EstimationError
        If there is no report, the counts do not fit, or reports do not tell the shares.
    """
    estimate = _ESTIMATORS.get(mechanism.readout)
    return estimate(counts, mechanism) if estimate else estimate_shares(counts, mechanism).options


def anytime_interval(share: AnswerShare, confidence: float = 0.95) -> Interval:
    """Return an interval that, with the given confidence, holds at every look together."""
    if isinstance(share, ShareEstimate):
        return confidence_sequence(share, confidence)
    if isinstance(share, InverseShare):
        return score_sequence(share.tally, share.scores, confidence)
    if isinstance(share, LikelihoodShare) and len(share.parts) == 1:
        ((tally, design),) = share.observed
        return score_sequence(tally, [float(v) for v in design.report_values()], confidence)
    if isinstance(share, StatementShare):
        return share.anytime_interval(confidence)
    raise TypeError(f"this server has no interval for every look at {type(share).__name__}")
