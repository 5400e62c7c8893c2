"""Choose the coins of a choice by score from what its author asks for.

Stage: authoring, before any answer. Authors give every answer's scores for every option, or the
distances between options, and what an answer may cost; the ratio of one step of score follows.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import numpy as np

from tossup.server.estimation.designs.scores import channel_array, share_scores
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.shares.inverse import largest_variance
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Exponential, NoisyMaxLaplace, PermuteAndFlip, ScoredChoice
from tossup.shared.mechanisms.scores.base import MAX_OPTIONS, Utility

#: The kinds by the name that a survey file gives them; two names mean one, which is proven.
MAKERS: Final[Mapping[str, type[ScoredChoice]]] = {
    "exponential": Exponential,
    "permute-and-flip": PermuteAndFlip,
    "noisy-max-exponential": PermuteAndFlip,
    "noisy-max-laplace": NoisyMaxLaplace,
}

#: Keys of a question in a survey file that hold scores; a choice by score has one of them.
KEYS: Final = ("utility", "distances")


def for_choice(name: str, part: Mapping[str, Any], odds: Fraction, options: int) -> ScoredChoice:
    """Return the design for the scores that a question of a survey file has.

    Parameters
    ----------
    name
        A key of `MAKERS`.
    part
        The question, with ``utility`` (higher is likelier) or ``distances`` (lower is).
    odds
        What an answer may cost; the design's odds are the largest up to them.
    options
        How many the question has.

    Examples
    --------
    >>> part = {"distances": [[0, 1, 5], [1, 0, 4], [5, 4, 0]]}
    >>> round(float(for_choice("permute-and-flip", part, Fraction(3), 3).odds), 6)
    3.0

    Raises
    ------
    MechanismError
        If there are no scores or they do not fit, or no design has such odds and tells the shares.
    """
    made = MAKERS[name].for_utility(_utility(name, part, options), odds)
    check_tells_shares(made)
    return made


def check_tells_shares(mechanism: ScoredChoice) -> None:
    """Refuse a design whose reports no shares could be estimated from, before anyone answers.

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


def share_variance(mechanism: ScoredChoice) -> float:
    """Return n times the largest variance of any option's share, over all populations.

    >>> from tossup.shared.mechanisms.scores.base import in_a_row
    >>> round(share_variance(Exponential(in_a_row(2), 3)), 9)
    1.0
    """
    return largest_variance(channel_array(mechanism), share_scores(mechanism))


def _utility(name: str, part: Mapping[str, Any], options: int) -> Utility:
    given = [key for key in KEYS if key in part]
    if len(given) != 1:
        raise MechanismError(
            f"mechanism {name} takes utility, a row an answer and in it a score an option, or"
            " distances, the same with 0 for the answer itself"
        )
    rows = part[given[0]]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise MechanismError(f"{given[0]} must be a list of rows, each a list of integers")
    if len(rows) != options or any(len(row) != options for row in rows):
        raise MechanismError(
            f"{given[0]} must have {options} rows of {options} integers, as there are {options}"
            f" options (at most {MAX_OPTIONS})"
        )
    if any(type(score) is not int for row in rows for score in row):
        raise MechanismError(f"{given[0]} must be integers")
    if given[0] == "utility":
        return tuple(tuple(row) for row in rows)
    _check_distances(rows)
    return tuple(tuple(-distance for distance in row) for row in rows)


def _check_distances(rows: list[list[int]]) -> None:
    table = np.array(rows, dtype=object)
    if any(distance < 0 for row in rows for distance in row):
        raise MechanismError("distances must not be negative")
    if any(rows[place][place] for place in range(len(rows))):
        raise MechanismError("the distance of an option from itself must be 0")
    if (table != table.T).any():
        raise MechanismError(
            "distances must be the same both ways; with utility they may be different"
        )
