"""How surely a share is told, exactly: n times the variance of its estimate.

Stage: authoring, before any answer.
"""

from fractions import Fraction

from tossup.server.estimation import EstimationError
from tossup.server.kinds.choosing.scored import share_variance
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Mechanism


def variance(mechanism: Mechanism, share: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return n times the variance of an estimated share: for these respondents, the population.

    The second is `Mechanism.variance_at`: the respondents are a random sample. The first is less
    by share (1 - share): they are fixed, and the coins vary. Of several options it is the share of
    one, whatever else is ticked; of two statements that an unrelated question asks, where the
    other's share makes it largest. None where a report names no single answer.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> variance(TwoCoin(), Fraction(1, 2))
    (Fraction(3, 4), Fraction(1, 1))
    """
    try:
        population = mechanism.variance_at(share)
    except MechanismError:
        return None
    return population - share * (1 - share), population


def of_a_share(mechanism: Mechanism, share: Fraction) -> dict[str, object]:
    """Return the variance of a share in both conventions, as JSON.

    Of options chosen by score, the largest of any share over all populations, a float.

    Raises
    ------
    EstimationError
        If there is none; the message is the reason.
    """
    if mechanism.readout == "scores" and mechanism.answers > 2:
        return {"any_share": share_variance(mechanism)}
    spread = variance(mechanism, share)
    if spread is None:
        raise EstimationError(f"a report of {mechanism.name} names no single answer")
    return {"respondents": str(spread[0]), "population": str(spread[1])}
