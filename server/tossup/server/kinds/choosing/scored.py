"""Whether reports by score tell the shares of options, and how well.

Stage: authoring, before any answer.
"""

from tossup.server.estimation.designs.scores import channel_array, share_scores
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.shares.inverse import largest_variance
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Mechanism


def check_tells_shares(mechanism: Mechanism) -> None:
    """Refuse a design whose reports no shares could be estimated from, before anyone answers.

    >>> from tossup.shared.mechanisms import Exponential
    >>> from tossup.shared.mechanisms.scores.base import in_a_row
    >>> check_tells_shares(Exponential(in_a_row(5), 3))

    Raises
    ------
    MechanismError
        If some answer's reports are, within what floats can tell, a mixture of other answers'.
    """
    try:
        share_scores(mechanism)
    except EstimationError as error:
        raise MechanismError(
            f"reports of {mechanism.name} do not tell the shares of its {mechanism.answers} answers"
            " apart with these scores; ask for fewer options, higher odds or other scores"
        ) from error


def share_variance(mechanism: Mechanism) -> float:
    """Return n times the largest variance of any option's share, over all populations.

    >>> from tossup.shared.mechanisms import Exponential
    >>> from tossup.shared.mechanisms.scores.base import in_a_row
    >>> round(share_variance(Exponential(in_a_row(2), 3)), 9)
    1.0
    """
    return largest_variance(channel_array(mechanism), share_scores(mechanism))
