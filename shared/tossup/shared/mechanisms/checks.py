"""Which parameters mechanisms refuse: what cannot be tossed, protects nobody or tells nothing."""

from fractions import Fraction

from tossup.shared.coins import MAX_WEIGHT_SUM
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


def check_ratio(keep: object, lie: object, name: str) -> None:
    """Refuse weights that are not integers in lowest terms with keep > lie >= 1."""
    if type(keep) is not int or type(lie) is not int or not keep > lie >= 1:
        raise MechanismError(f"{name} takes integers keep and lie, with keep > lie >= 1")
    if Fraction(keep, lie).denominator != lie:
        raise MechanismError(f"keep and lie of {name} must be in lowest terms")


def check_total(total: int) -> None:
    """Refuse weights that the coins of every SDK could not toss."""
    if total > MAX_WEIGHT_SUM:
        raise MechanismError(f"weights sum to {brief(total)}; the limit is {MAX_WEIGHT_SUM}")


def ratio(odds: Fraction) -> tuple[int, int]:
    """Return odds above 1 as keep and lie; refuse others.

    Raises
    ------
    MechanismError
        If they are not above 1.
    """
    check_above_one(odds)
    return odds.as_integer_ratio()


def check_above_one(odds: Fraction) -> None:
    """Refuse odds that tell nothing."""
    if not odds > 1:
        raise MechanismError(
            f"odds ({brief(odds)}) must be above 1: at 1 every answer looks the same"
        )


def check_weights(weights: Table, limit: int) -> None:
    """Refuse a table that cannot be sampled, protects nobody, or tells nothing.

    Weights are positive integers, rows have one length and one sum of at most ``limit``, and are
    not all equal.

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
