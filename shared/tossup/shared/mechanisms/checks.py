"""Which parameters mechanisms refuse: what cannot be tossed, protects nobody or tells nothing."""

from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.base import Table


def check_options(options: int, limit: int = 1024) -> None:
    """Refuse a number of options that is not an integer from 2 to ``limit``.

    Raises
    ------
    MechanismError
        If it is not.
    """
    if type(options) is not int or not 2 <= options <= limit:
        raise MechanismError(f"options must be an integer from 2 to {limit}")


def check_keep_and_lie(keep: int, lie: int) -> None:
    """Refuse weights that are not integers with keep > lie >= 1.

    Raises
    ------
    MechanismError
        If they are not.
    """
    if type(keep) is not int or type(lie) is not int or not keep > lie >= 1:
        raise MechanismError("keep and lie must be integers, with keep > lie >= 1")


def check_weights(weights: Table, limit: int) -> None:
    """Refuse a table that cannot be sampled, protects nobody, or tells nothing.

    Raises
    ------
    MechanismError
        If a weight is not a positive integer, rows differ in length or sum, the sum is above
        ``limit``, or all rows are equal.
    """
    if any(type(weight) is not int for row in weights for weight in row):
        raise MechanismError("weights must be integers: probabilities are ratios of integers")
    if any(weight < 1 for row in weights for weight in row):
        raise MechanismError(
            "weights must be positive: a report that some answer never gives would prove"
            " that this was not the answer"
        )
    if len({len(row) for row in weights}) != 1 or len({sum(row) for row in weights}) != 1:
        raise MechanismError("every row of weights must have the same length and the same sum")
    if sum(weights[0]) > limit:
        raise MechanismError(f"weights sum to {brief(sum(weights[0]))}; the limit is {limit}")
    if len(set(weights)) == 1:
        raise MechanismError(
            "every answer gives the same reports, so nothing can be estimated; choose odds above 1"
        )
