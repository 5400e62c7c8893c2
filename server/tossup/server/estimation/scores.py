"""Scores: what each report counts for, so that an average of scores estimates without bias.

For any statistic that is a mean over people, sum over answers i of share_i t_i, scores v with
sum over reports y of Pr[y | i] v_y = t_i for every i make the average score of the reports an
unbiased estimate of it, whatever the shares. Among many such v, the ones taken here have the
smallest variance when all answers are equally common.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.share import check_counts
from tossup.shared.mechanisms import GridMechanism, TableMechanism

Floats = NDArray[np.float64]

_LARGEST_RESIDUAL = 1e-6


def checked_tally(counts: Sequence[int], mechanism: object) -> Floats:
    """Return the counts of a mechanism for numbers as floats.

    Raises
    ------
    EstimationError
        If the mechanism is of another kind, or the counts are not one non-negative integer a
        report, or all 0.
    """
    if not isinstance(mechanism, GridMechanism):
        raise EstimationError("numbers are estimated from reports of a mechanism for numbers")
    return np.array(check_counts(counts, mechanism.counters), dtype=np.float64)


@lru_cache(maxsize=8)
def channel_array(mechanism: TableMechanism) -> Floats:
    """Return Pr[report | answer] as floats, from the integer weights."""
    weights = np.array(mechanism.weights, dtype=np.float64)
    channel: Floats = weights / weights[0].sum()
    return channel


@lru_cache(maxsize=64)
def mean_scores(mechanism: GridMechanism) -> Floats:
    """Return the scores of the mean, in steps: the mechanism's own values where it has them.

    >>> from tossup.shared.mechanisms import Duchi
    >>> mean_scores(Duchi(points=3)).tolist()
    [-1.0, 3.0]
    """
    values = mechanism.values
    if values is not None:
        return np.array([float(value) for value in values])
    return solve(mechanism, np.arange(mechanism.answers, dtype=np.float64)[:, None])[:, 0]


@lru_cache(maxsize=64)
def square_scores(mechanism: GridMechanism) -> Floats:
    """Return the scores of the mean square, in squared steps."""
    return solve(mechanism, np.arange(mechanism.answers, dtype=np.float64)[:, None] ** 2)[:, 0]


@lru_cache(maxsize=8)
def share_scores(mechanism: TableMechanism) -> Floats:
    """Return the scores of the shares of all answers: one column an answer."""
    return solve(mechanism, np.eye(mechanism.answers))


def solve(mechanism: TableMechanism, targets: Floats) -> Floats:
    """Return scores, one column a target, of least variance under equally common answers.

    Raises
    ------
    EstimationError
        If reports of this mechanism do not tell the targets.
    """
    channel = channel_array(mechanism)
    weighted = channel / channel.mean(axis=0)
    try:
        scores: Floats = weighted.T @ np.linalg.solve(weighted @ channel.T, targets)
    except np.linalg.LinAlgError:
        scores = np.full((channel.shape[1], targets.shape[1]), np.nan)
    gap = np.abs(channel @ scores - targets).max()
    if not gap <= _LARGEST_RESIDUAL * np.abs(targets).max():
        raise EstimationError(f"reports of {mechanism.name} do not tell this statistic")
    return scores
